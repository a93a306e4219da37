"""Text to post: Markdown, and blocks for a chat that cannot ping anybody or break out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from uma_cli.replay import Stand
from uma_cli.show import asking, grid, plain, story
from uma_cli.show.story import Told
from uma_cli.table import Ask
from uma_cli.text import clean
from uma_cli.voice import Voice

FENCE = "```"
GRAVE = "\u02cb"
"""Looks like a backtick, and ends no block."""
AT = "\uff20"
"""Looks like an at sign, and pings nobody."""


_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+\-!|~=&$^]|:(?=\S)|(?<=\w)\.(?=\w)|(?<=\d)\.")
"""What Markdown makes something of: besides its signs `:smile:` and `://`, `www.a.b`, `1.`, `&amp;`, rows of `=`."""


def standing(stand: Stand, file: str, voice: Voice) -> list[Told]:
    """Where the race stands, and the questions for the next players with their options."""
    return [*plain.heading(stand, file, voice), "", grid.of(stand, voice), "", *questions(stand, voice)]


def last(stand: Stand, file: str, voice: Voice, since: str | None = None) -> list[Told]:
    """The last scene, or all from a scene on, and what is asked now."""
    told = story.log(stand, voice, since, last=since is None)
    return [clean(stand.race.title or file), *told, "", *questions(stand, voice)]


def questions(stand: Stand, voice: Voice) -> list[str]:
    """What the next players are asked, without the commands, which are the game master's."""
    if stand.status == "finished":
        return [voice("the race is over")]
    dice = [ask for ask in stand.waiting if ask.dice]
    lines = [asking.dice_wanted(stand, dice, voice)] if dice else []
    for group in asking.alike([ask for ask in stand.waiting if not ask.dice]):
        lines += _options(stand, group, voice)
    return [*lines, *asking.ahead(stand, voice)]


def _options(stand: Stand, asks: Sequence[Ask], voice: Voice) -> Iterator[str]:
    yield asking.choice_wanted(stand, asks, voice)
    for option, meaning in zip(asks[0].options(), asking.meanings(asks, voice), strict=True):
        yield f"- {voice.answer(option.answer, asks[0].question)}" + (f": {meaning}" if meaning else "")


def chat(told: Iterable[Told], limit: int) -> list[str]:
    """The lines as code blocks, each no longer than a post may be.

    Within a block nothing pings, and no backtick of a name can end it. A table is kept in one post where it fits into
    one; else each part of it has its head.
    """
    room = limit - len(FENCE) * 2 - 2
    posts: list[str] = []
    block = ""
    for part in told:
        lines = [line.replace("`", GRAVE) for line in story.laid_out([part])]
        head = "" if isinstance(part, str) else lines[0]
        whole = lines if len("\n".join(lines)) <= room else lines[:2]
        if head and len("\n".join([block, *whole])) > room:
            posts, block = _closed(posts, block), ""
        for piece in (piece for line in lines for piece in _short(line, room)):
            if block and len(block) + 1 + len(piece) > room:
                posts, block = _closed(posts, block), head if head and len(head) + len(piece) < room else ""
            block = f"{block}\n{piece}" if block else piece
    posts = _closed(posts, block)
    return [f"{FENCE}\n{post.strip(chr(10))}\n{FENCE}" for post in posts]


def _closed(posts: list[str], block: str) -> list[str]:
    return [*posts, block] if block.strip("\n") else posts


def _short(line: str, room: int) -> Iterator[str]:
    """A line in pieces that fit; only a line longer than a whole post is cut."""
    while len(line) > room:
        yield line[:room]
        line = line[room:]
    yield line


def markdown(stand: Stand, file: str, voice: Voice) -> list[str]:
    """The standing as Markdown: a heading, a table that stays a table, the questions as a list."""
    heading, *rest = plain.heading(stand, file, voice)
    lines = [f"## {escaped(heading)}", "", *(f"{escaped(line)}  " for line in rest), ""]
    return [*lines, *table(grid.of(stand, voice)), "", *_listed(questions(stand, voice))]


def table(table: grid.Grid) -> Iterator[str]:
    """A table that stays a table."""
    rule = ["---:" if index in table.right else "---" for index in range(len(table.head))]
    yield from (_row(table.head), _row(rule, raw=True), *(_row(row) for row in table.rows))


def told_markdown(told: Iterable[Told]) -> Iterator[str]:
    """A story as Markdown: scenes are headings, what happened a list, tables are tables."""
    for part in told:
        if not isinstance(part, str):
            yield from ("", *table(part), "")
        elif part.startswith("== "):
            yield from ("", f"### {escaped(part.strip('= '))}", "")
        elif part:
            yield f"- {escaped(part.removeprefix('- '))}"


def _listed(lines: Iterable[str]) -> Iterator[str]:
    """Questions and their options: a list has a blank line before and after it."""
    listing = False
    for line in lines:
        if line.startswith("- ") != listing:
            listing = not listing
            yield ""
        yield f"- {escaped(line[2:])}" if listing else f"{escaped(line)}  "


def _row(cells: Sequence[str], *, raw: bool = False) -> str:
    return "| " + " | ".join(cells if raw else [escaped(cell) for cell in cells]) + " |"


def escaped(text: str) -> str:
    """A text that no Markdown takes for anything else: no mention, link, table bar or emphasis."""
    return _MARKUP.sub(r"\\\g<0>", clean(text).strip()).replace("@", AT)
