"""What may reach a terminal: every string from a file or the command line passes here."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn")
_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"


def clean(text: str) -> str:
    """A text on one line with nothing in it that a terminal would act on or a reader could not see."""
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


def _shown(char: str) -> str:
    if unicodedata.category(char) not in _HIDDEN and char not in _INVISIBLE:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
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


def quoted(argument: str) -> str:
    """An argument as a shell takes it: bare where it may be, else in double quotes, else in single ones."""
    if argument and all(char.isalnum() or char in "-_./=,:+@%" for char in argument):
        return argument
    if not any(char in '"$`\\!%\n' for char in argument):
        return f'"{argument}"'
    import shlex  # hardly ever needed

    return shlex.quote(argument)


def command(argv: Sequence[str]) -> str:
    """A command line to copy."""
    return clean(" ".join(map(quoted, argv)))
