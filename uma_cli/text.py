"""What may reach a terminal: every string from a file or the command line passes here."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

_HIDDEN = (
    "0000-001F 007F-009F 00AD 034F 0600-0605 061C 06DD 070F 0890-0891 08E2 115F-1160 17B4-17B5 180B-180F 200B-200F"
    " 2028-202E 2060-206F 2800 3164 D800-F8FF FDD0-FDEF FE00-FE0F FEFF FFA0 FFF0-FFFB FFFE-FFFF 110BD 110CD"
    " 13430-1343F 13441-13442 16FE4 1BCA0-1BCA3 1D159 1D173-1D17A 1FFFE-1FFFF 2FFFE-2FFFF 3FFFE-3FFFF 4FFFE-4FFFF"
    " 5FFFE-5FFFF 6FFFE-6FFFF 7FFFE-7FFFF 8FFFE-8FFFF 9FFFE-9FFFF AFFFE-AFFFF BFFFE-BFFFF CFFFE-CFFFF DFFFE-E0FFF"
    " EFFFE-10FFFF"
)
"""Controls, formats (bidirectional ones, joiners, tags), line and paragraph separators, surrogates, private use,
what is ignored by default (variation selectors, fillers), blanks that are no space, and what is no character.

Written out, for what is hidden must not depend on the Unicode of a Python.
"""
_FIRST = [int(span.partition("-")[0], 16) for span in _HIDDEN.split()]
_LAST = [int(span.rpartition("-")[2], 16) for span in _HIDDEN.split()]
MAX_WORD = 64
"""How much of a text that somebody wrote a message repeats."""
MAX_MARKS = 4
"""How many combining marks a letter may carry: no script needs more, and a pile of them covers other lines."""
_PILE = rf"[^\w\s\x00-\x7f]{{{MAX_MARKS + 1},}}"

_OPENING = ("Ps", "Pi")
_NEVER_FIRST = "、。，．：；！？・ー）」』】〉》〕］｝ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;!?)]}'\""


@lru_cache(1 << 12)
def is_hidden(char: str) -> bool:
    """Whether a terminal would act on a character, or a reader could not see it."""
    code = ord(char)
    return code <= _LAST[bisect_right(_FIRST, code) - 1]


def clean(text: str) -> str:
    """A text on one line with nothing in it that a terminal would act on or a reader could not see."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_PILE, _unpiled, "".join([_escape(char) if is_hidden(char) else char for char in text]))


def _unpiled(found: re.Match[str]) -> str:
    shown, pile = "", 0
    for char in found[0]:
        pile = pile + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        shown += _escape(char) if pile > MAX_MARKS else char
    return shown


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def json_escaped(json: str) -> str:
    """A JSON text with what `clean` would hide as JSON's own escapes, so that nothing is lost."""
    if json.isascii() and json.isprintable():
        return json
    return "".join([_json_escape(char) if is_hidden(char) else char for char in json])


def _json_escape(char: str) -> str:
    """The two halves of a character beyond U+FFFF each have an escape."""
    units = char.encode("utf-16-be", "surrogatepass").hex(" ", 2).split()
    return "".join(f"\\u{unit}" for unit in units)


def short(text: str, most: int = MAX_WORD) -> str:
    """A text that somebody wrote, so short that a message can hold it."""
    return text if len(text) <= most else f"{text[:most]}..."


def key_path(path: Iterable[str]) -> str:
    """A key path as a message names it."""
    return ".".join(map(short, path))


@lru_cache(1 << 12)
def look(text: str) -> str:
    """What a text looks like, in whatever form it is typed: decomposed, full-width, in another case."""
    if text.isascii() and text.isprintable():
        return text.casefold()
    seen = "".join([char for char in text if not is_hidden(char)])
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())


def code_point(char: str) -> str:
    """A character by its number, for it may not be seen."""
    return f"U+{ord(char):04X}"


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.category(char) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def pad(text: str, width: int, *, right: bool = False) -> str:
    """A text filled up with spaces to a number of columns."""
    space = " " * max(0, width - cells(text))
    return space + text if right else text + space


def columns(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Rows with their cells in line; the columns in `right` are set to the right."""
    if not rows:
        return []
    widths = [max(cells(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(pad(cell, widths[index], right=index in right) for index, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def folded(text: str, width: int) -> Iterator[str]:
    """A text in lines of so many columns: broken at spaces and between wide letters, within a longer word only."""
    line, room = "", width
    for piece in _unbroken(text):
        if line and cells(piece.rstrip()) > room:
            yield line.rstrip()
            line, room = "", width
        for char in piece if cells(piece.rstrip()) > room else [piece]:
            if line and cells(char.rstrip()) > room:
                yield line.rstrip()
                line, room = "", width
            line += char
            room -= cells(char)
    yield line.rstrip()


def _unbroken(text: str) -> Iterator[str]:
    """The pieces of a text between which a line may end: words, and wide letters with the signs that go with them."""
    piece = ""
    for char in text:
        last = piece[-1:]
        between = (cells(char) == 2 or cells(last) == 2) and not (last.isdigit() or char.isdigit())
        opened = unicodedata.category(last or " ") in _OPENING
        if (
            piece
            and char != " "
            and cells(char)
            and (last == " " or (between and not opened and char not in _NEVER_FIRST))
        ):
            yield piece
            piece = ""
        piece += char
    yield piece


def quoted(argument: str) -> str:
    """An argument as a shell takes it: bare where it may be, else in double quotes, else in single ones."""
    if argument and all(char.isalnum() or char in "-_./=,:+@%" for char in argument):
        return argument
    if not any(char in '"$`\\!%\n' for char in argument):
        return f'"{argument}"'
    import shlex  # hardly ever needed

    return shlex.quote(argument)


class Whole(str):
    """A line that is never broken, for it has a command to copy."""

    __slots__ = ()


def command(argv: Sequence[str]) -> Whole:
    """A command line to copy."""
    return Whole(clean(" ".join(map(quoted, argv))))
