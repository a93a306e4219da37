"""Text to post: Markdown, and blocks for a chat that cannot ping anybody or break out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from uma_cli.replay import Stand
from uma_cli.show import asking, grid, plain, story
from uma_cli.show.story import Told
from uma_cli.show.ways import more, ways
from uma_cli.table import Ask
from uma_cli.tables import DIE
from uma_cli.text import clean
from uma_cli.voice import Voice

FENCE = "```"
GRAVE = "\u02cb"
"""Looks like a backtick, and ends no block."""
AT = "\uff20"
"""Looks like an at sign, and pings nobody."""


_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+\-!|~=&$^]|:(?=\S)|(?<=\w)\.(?=\w)|(?<=\d)\.")
"""What Markdown makes something of: besides its signs `:smile:` and `://`, `www.a.b`, `1.`, `&amp;`, rows of `=`."""


def standing(stand: Stand, name: str, voice: Voice) -> list[Told]:
    """Where the race stands, and the questions for the next players with their options; `name` is for one untitled."""
    return [*plain.heading(stand, name, voice), "", grid.of(stand, voice), "", *questions(stand, voice)]


def whole(stand: Stand, name: str, voice: Voice) -> list[Told]:
    """The set-up, all that happened, and what is asked now."""
    title = [] if stand.race.title else [clean(name)]
    return [*title, *story.log(stand, voice), "", *questions(stand, voice)]


def last(stand: Stand, name: str, voice: Voice, since: str | None = None) -> list[Told]:
    """The last scene, or all from a scene on, where it has brought everybody, and what is asked now."""
    course = [clean(stand.race.course)] if stand.race.course and not stand.played else []
    told = [clean(stand.race.title or name), *course, *story.log(stand, voice, since, last=since is None)]
    if stand.open and any(runner.position for runner in stand.field):
        told += ["", grid.of(stand, voice)]
    return [*told, "", *questions(stand, voice)]


def questions(stand: Stand, voice: Voice) -> list[tuple[str, ...]]:
    """What the next players are asked, with its options and how to answer; the commands are the game master's."""
    if stand.status == "finished":
        return [(voice("the race is over"),)]
    if stand.status == "ready":
        runners = () if stand.played else sorted(stand.field, key=lambda runner: runner.number)
        running = [f"{runner.number}. {clean(asking.who(stand, runner.name))}" for runner in runners]
        return [(voice("next: {scene}", scene=voice.word(stand.scene)), *running)]
    dice = [ask for ask in stand.waiting if ask.dice]
    thrown = [(asking.dice_wanted(stand, dice, voice),)] if dice else []
    groups = asking.alike([ask for ask in stand.waiting if not ask.dice])
    chosen = [tuple(_options(stand, group, voice)) for group in groups]
    how = _throw(dice[0], voice) if dice else _answer(stand.waiting, voice)
    return [*thrown, *chosen, *((line,) for line in asking.ahead(stand, voice)), (how,)]


def _throw(ask: Ask, voice: Voice) -> str:
    dice = ask.dice or DIE
    like = "+".join(["3" if dice.sides > 2 else "1"] * dice.number)
    return voice("throw {dice} and post the faces, such as {like}", dice=dice.faces, like=like)


def _answer(asks: Sequence[Ask], voice: Voice) -> str:
    first = asks[0].options()[-1].answer
    return voice(
        "answer with what stands before the colon, such as: {answer}", answer=voice.answer(first, asks[0].question)
    )


def _options(stand: Stand, asks: Sequence[Ask], voice: Voice) -> Iterator[str]:
    """What one can answer."""
    yield asking.choice_wanted(stand, asks, voice)
    yield from more(asks, voice)
    yield from (f"- {way}" for way in ways(asks, voice, together=True))


def chat(told: Iterable[Told], limit: int) -> list[str]:
    """The lines as code blocks, each no longer than a post may be.

    Within a block nothing pings, and no backtick of a name can end it. A table, or lines that belong together, are kept
    in one post where that leaves no post half empty; each part of a table has its head, and each post after the first
    the title and the scene, where there is room.
    """
    room = limit - len(FENCE) * 2 - 2
    parts = list(told)
    posts = _posts(parts, room)
    if len(posts) > 1:
        title = next((part for part in parts if isinstance(part, str)), "").replace("`", GRAVE)
        scenes = (len(line) for lines in posts for line in lines if line.startswith(story.HEADING))
        need = len(title) + max(scenes, default=0) + len(" (0000/0000)\n")
        if need * 10 <= room:
            posts = _posts(parts, room - need)
            posts = [[*heads, *lines] for heads, lines in zip(_headings(title, posts), posts, strict=True)]
    return [f"{FENCE}\n{_text(lines)}\n{FENCE}" for lines in posts]


def _headings(title: str, posts: Sequence[Sequence[str]]) -> list[list[str]]:
    """What is to stand at the top of each post: the title, the scene in which it begins, and which post it is."""
    heads, scene = [], ""
    for number, lines in enumerate(posts, 1):
        begins = next(filter(None, lines)).startswith(story.HEADING)
        within = f"{title}: {scene}" if scene and not begins else title
        heads.append([f"{within} ({number}/{len(posts)})"] if number > 1 else [])
        scene = next((line.strip("= ") for line in reversed(lines) if line.startswith(story.HEADING)), scene)
    return heads


def _posts(told: Iterable[Told], room: int) -> list[list[str]]:
    """The lines of each post."""
    posts: list[list[str]] = []
    block: list[str] = []
    for part in told:
        lines = [line.replace("`", GRAVE) for line in story.laid_out([part])]
        head = lines[:1] if isinstance(part, grid.Grid) else []
        if not isinstance(part, str) and _size([*block, *lines]) > room:
            breaks = _size(lines) <= room < 2 * _size(block)
            if breaks or _size([*block, *lines[:2]]) > room:
                posts, block = _closed(posts, block)
        for piece in (piece for line in lines for piece in _short(line, room)):
            full = _size([*block, piece]) > room
            while block and _size([*block, piece]) > room:
                posts, block = _closed(posts, block)
            block += [*head, piece] if full and _size([*block, *head, piece]) <= room else [piece]
    posts, block = _closed(posts, block)
    return [_text(lines).split("\n") for lines in [*posts, block] if _text(lines)]


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip("\n")


def _size(lines: Sequence[str]) -> int:
    return len(_text(lines))


def _closed(posts: list[list[str]], block: list[str]) -> tuple[list[list[str]], list[str]]:
    """The posts with one more, and what begins the next: the heading that it would have ended with."""
    over = [line for line in block[-1:] if line.startswith(story.HEADING) and len(block) > 1]
    return [*posts, block[: len(block) - len(over)]], over


def _short(line: str, room: int) -> Iterator[str]:
    """A line in pieces that fit; only a line longer than a whole post is cut."""
    while len(line) > room:
        yield line[:room]
        line = line[room:]
    yield line


def markdown(stand: Stand, name: str, voice: Voice) -> list[str]:
    """The standing as Markdown: a heading, a table that stays a table, the questions as a list."""
    heading, *rest = plain.heading(stand, name, voice)
    lines = [f"## {escaped(heading)}", "", *(f"{escaped(line)}  " for line in rest), ""]
    return [*lines, *table(grid.of(stand, voice)), "", *_listed(story.laid_out(questions(stand, voice)))]


def table(table: grid.Grid) -> Iterator[str]:
    """A table that stays a table."""
    rule = ["---:" if index in table.right else "---" for index in range(len(table.head))]
    yield from (_row(table.head), _row(rule, raw=True), *(_row(row) for row in table.rows))


def told_markdown(told: Iterable[Told]) -> Iterator[str]:
    """A story as Markdown: its title and scenes are headings, what happened a list, tables are tables."""
    title, *parts = told
    yield from (f"## {escaped(line)}" for line in story.laid_out([title]))
    for part in parts:
        if isinstance(part, grid.Grid):
            yield from ("", *table(part), "")
        elif not isinstance(part, str):
            yield from ("", *_listed(part))
        elif part.startswith(story.HEADING):
            yield from ("", f"### {escaped(part.strip('= '))}", "")
        elif part:
            yield f"{'  ' if part.startswith(' ') else ''}- {escaped(part.strip())}"


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
