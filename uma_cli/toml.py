"""The signs of a TOML text: its tokens, its statements, and where each key stands."""

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

Path = tuple[str, ...]

_PIECE = (
    r"(?P<blank>(?:^[ \t]*+(?:#[^\n]*+|\r?+)\n)++)"
    r'|(?P<string>"""(?:[^"\\]++|\\.|""?(?!"))*+"{3,5}+|\'\'\'(?:[^\']++|\'\'?(?!\'))*+\'{3,5}+'
    r'|(?!"""|\'\'\')(?:"(?:[^"\\\n]++|\\[^\n])*+"|\'[^\'\n]*+\'))'
    r"|(?P<open>(?:\"\"\"|''').*+|[\"'][^\n]*+)"
    r"|(?P<bare>[^ \t\r\n\[\]{}=,.\"'#]++)"
    r"|(?P<mark>[\[\]{}=,.])"
    r"|(?P<newline>\r?\n)"
    r"|(?P<skip>#[^\n]*+|[ \t]++)"
    r"|(?P<junk>.)"
)
"""Each alternative takes what it has seen and never gives back, so that no text takes more than one look."""

Token = re.Match[str]


def tokens(text: str) -> Iterator[Token]:
    """All of a text in pieces, in order; an `open` one is a text in quotes that does not end."""
    return re.finditer(_PIECE, text, re.DOTALL | re.MULTILINE)


class Statement(NamedTuple):
    """A header or a key with its value: its key path, and where it stands in the text."""

    path: Path
    keys: int
    """How many keys are written out, dots between them."""
    header: bool
    line: int
    start: int
    """Where its first line begins."""
    end: int
    """Where the line after it begins."""
    value: tuple[int, int]
    """The span of the value; empty for a header."""
    last: int
    """Where its last sign ends, before any comment."""


def statements(text: str) -> Iterator[Statement]:
    """All statements of a TOML text, in order."""
    table: Path = ()
    signs: list[Token] = []
    line = first_line = 1
    start = depth = 0
    for token in tokens(text):
        kind = token.lastgroup
        if kind in ("string", "newline", "blank", "open"):
            line += token.group().count("\n")
        if kind in ("newline", "blank") and depth <= 0:
            if signs:
                statement = _statement(table, signs, first_line, start, token.end())
                table = statement.path if statement.header else table
                yield statement
            signs, depth = [], 0
            start, first_line = token.end(), line
        elif kind not in ("newline", "blank", "skip"):
            signs.append(token)
            depth += _DEPTH.get(token.group(), 0)
    if signs:
        yield _statement(table, signs, first_line, start, len(text))


_DEPTH = {"[": 1, "{": 1, "]": -1, "}": -1}


def _statement(table: Path, signs: list[Token], line: int, start: int, end: int) -> Statement:
    words = [token.group() for token in signs]
    header = words[0] == "["
    equals = len(words) if header or "=" not in words else words.index("=")
    keys = tuple(_key(token.group()) for token in signs[:equals] if token.lastgroup != "mark")
    value = (signs[equals + 1].start(), signs[-1].end()) if equals + 1 < len(signs) else (0, 0)
    path = keys if header else (*table, *keys)
    return Statement(path, len(keys), header, line, start, end, value, signs[-1].end())


def _key(word: str) -> str:
    if word[0] not in "\"'":
        return word
    if "\\" not in word and not word.startswith(('"""', "'''")):
        return word[1:-1]
    try:
        return str(tomllib.loads(f"key = {word}")["key"])
    except tomllib.TOMLDecodeError:
        return word


def line_at(text: str, place: int) -> int:
    """The line that a place in a text is in."""
    return text.count("\n", 0, place) + 1


def comments(text: str) -> Iterator[tuple[int, str]]:
    """The comments of a text, each with its line."""
    for token in tokens(text):
        if token.lastgroup in ("blank", "skip") and "#" in token.group():
            for line, written in enumerate(token.group().split("\n"), line_at(text, token.start())):
                if "#" in written:
                    yield line, written.partition("#")[2].strip()


def line_of(text: str, where: str) -> int | None:
    """The line of a key path, or of the nearest table around it."""
    best: tuple[int, int] | None = None
    for statement in statements(text):
        path = ".".join(statement.path)
        if where == path or where.startswith(f"{path}."):
            best = max(best or (0, 0), (len(path), statement.line))
    return best[1] if best else None
