"""From the text of a race file to its tables: what every Python reads alike, and what is wrong in our own words."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from uma_cli.errors import Say, Unreadable, say
from uma_cli.text import code_point, key_path
from uma_cli.toml import Path, Token, line_at, statements, tokens

MAX_KEYS = 16
"""How many keys one dotted key may have."""
MAX_NESTING = 32
"""How many brackets may be open."""
MAX_PARTS = 100_000
"""How many keys, values and signs a file may have: three times what the longest race needs."""
MAX_NUMBER = 64
"""How many characters a number may have."""

_ODD = ("{", "\\", '"""', "'''")
_ODDER = (
    "[0-9]:[0-9]",
    r"[\[,]\s*\[",
    r"(?m)^[ \t]*\[(?![^#\n]*\][ \t]*(?:#.*)?\r?$)",
    f"[0-9][0-9A-Za-z_.+-]{{{MAX_NUMBER}}}",
    r"""(?m)^(?:[\x00-\x09\x0b-!$-&(-~]++|"[^"\n]*+"|'[^'\n]*+')*+[^\x00-\x7f]""",
)
"""What a text has that only newer parsers may accept, that is deep or long, or whose lines only look like keys."""
PLAIN_LENGTH = 1 << 16

_MARKER = r"(?m)^(?:<{7,}|>{7,}|\|{7,})(?:[ \r\n]|$)"
_MIDDLE = r"={7,}\r?"
_ILLEGAL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)"
_ESCAPED = (
    r"[^\\]*+(?:\\(?:[btnfr\"\\]|u(?![dD][89a-fA-F])[0-9A-Fa-f]{4}"
    r"|U(?:0000(?![dD][89a-fA-F])|000[1-9a-fA-F]|0010)[0-9A-Fa-f]{4}|[ \t]*+\r?\n)[^\\]*+)*+"
)
_NO_SECONDS = r"(?:.*[Tt])?[0-9]{2}:[0-9]{2}(?:[Zz]|[+-][0-9]{2}:[0-9]{2})?"
_NUMBER = r"[+-]?[0-9]"


class Bracket(NamedTuple):
    """A bracket that is open."""

    sign: str
    place: int
    holds_value: bool
    """Whether a value begins with it, and not the name of a table."""


def parse(text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        Unreadable: it is no TOML 1.0, or over a bound; the message has the line and the cure.
    """
    plain = _is_plain(text)
    if not plain:
        _check(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        if plain:
            _check(text)
        raise _in_own_words(text, error) from None


def _is_plain(text: str) -> bool:
    """Whether the parser alone may look at it, as at all that uma writes: a look at each sign takes as long again."""
    if len(text) > PLAIN_LENGTH or any(sign in text for sign in _ODD) or any(re.search(way, text) for way in _ODDER):
        return False
    return max(line.count(".") for line in text.split("\n")) < MAX_KEYS


def _check(text: str) -> None:
    _check_lines(text)
    _check_tokens(text)


def _wrong(text: str, place: int, what: Say, hint: Say | None = None) -> Unreadable:
    return Unreadable(what, hint=hint, line=line_at(text, place))


def _check_lines(text: str) -> None:
    if marker := re.search(_MARKER, text):
        hint = say(
            "settle it in the file: keep every line with an answer, but only one of two plays of a scene, "
            "and no marker line; uma resolves nothing by itself"
        )
        raise _wrong(text, marker.start(), say("there is a git conflict marker"), hint)
    if sign := re.search(_ILLEGAL, text):
        what = say("the control character {code} cannot stand there", code=code_point(sign[0]))
        raise _wrong(text, sign.start(), what, say("delete it, or write it as an escape in quotes"))


def _check_tokens(text: str) -> None:
    """What no parser has to see: quotes without an end, signs outside quotes, bounds, what only newer ones accept."""
    opened: list[Bracket] = []
    before = ""
    parts = dots = 0
    for token in tokens(text):
        kind = token.lastgroup
        if kind in ("blank", "skip"):
            continue
        word = token.group()
        parts += kind != "newline"
        dots = dots + 1 if word == "." else dots if kind in ("bare", "string") else 0
        if parts > MAX_PARTS:
            raise _wrong(text, token.start(), say("it has more than {limit} keys, values and signs", limit=MAX_PARTS))
        if dots >= MAX_KEYS:
            raise _wrong(text, token.start(), say("a dotted key has more than {limit} parts", limit=MAX_KEYS))
        if kind == "mark":
            _brackets(text, token, opened, before)
        elif kind == "newline" and opened and opened[-1].sign == "{":
            raise _wrong(text, token.start(), say("a table in braces stands on one line"))
        elif kind == "open":
            what = say("a text in quotes has no end")
            raise _wrong(text, token.start(), what, say("put the same quotes at its end"))
        elif kind == "string" and word[0] == '"' and "\\" in word:
            _escapes(text, token)
        elif kind == "bare":
            _bare(text, token, before)
        before = word
    _check_closed(text, opened)


def _check_closed(text: str, opened: Sequence[Bracket]) -> None:
    """That every list and every table in braces has an end; the parser says of names in brackets that have none."""
    if opened and opened[0].holds_value:
        sign, place, _ = opened[0]
        what = say("a list has no end") if sign == "[" else say("a table in braces has no end")
        raise _wrong(text, place, what, say("put `{sign}` at its end", sign="]" if sign == "[" else "}"))


def _brackets(text: str, token: Token, opened: list[Bracket], before: str) -> None:
    word = token.group()
    if word in "[{":
        opened.append(Bracket(word, token.start(), before == "="))
    elif word in "]}" and opened:
        opened.pop()
    if len(opened) > MAX_NESTING:
        raise _wrong(text, token.start(), say("it is nested deeper than {limit} brackets", limit=MAX_NESTING))
    if word == "}" and before == ",":
        raise _wrong(text, token.start(), say("there is a comma before `{sign}`", sign="}"), say("take the comma away"))


def _escapes(text: str, token: Token) -> None:
    known = re.match(_ESCAPED, token.group())
    assert known
    if known.end() < len(token.group()):
        place = token.start() + known.end()
        what = say("`{escape}` is no escape", escape=text[place : place + 2])
        raise _wrong(text, place, what, say("a backslash is written twice, another character as `\\uXXXX`"))


def _bare(text: str, token: Token, before: str) -> None:
    word = token.group()
    if not word.isascii():
        place = next(place for place, char in enumerate(word) if not char.isascii())
        what = say("`{sign}` ({code}) stands outside quotes", sign=word[place], code=code_point(word[place]))
        raise _wrong(text, token.start(), what, _cure(word))
    if len(word) > MAX_NUMBER and before in ("=", "[", ",", ".") and re.match(_NUMBER, word):
        raise _wrong(text, token.start(), say("a number has more than {limit} characters", limit=MAX_NUMBER))
    if ":" in word and re.fullmatch(_NO_SECONDS, word):
        raise _wrong(text, token.start(), say("a time has seconds: `{time}`", time=word), say("such as 07:32:00"))


def _cure(word: str) -> Say:
    """What to do about a word outside quotes that is not ASCII."""
    if re.search("[\u201c\u201d\u2018\u2019\u201e\u300c\u300d\uff02\uff07]", word):
        return say('use straight quotes: "')
    if re.search("[\uff10-\uff19]", word):
        return say("write numbers in ASCII digits")
    if re.search("[\u3000\u00a0\uff1d\uff3b\uff3d\uff5b\uff5d\uff0c\uff0e\u3001\uff03]", word):
        return say("write signs and spaces in ASCII: = [ ] , . #")
    return say('put names that are not ASCII in quotes: "..."')


_TWICE = "Cannot (?:overwrite|declare|mutate|redefine)|Duplicate inline table key"
_PARSERS_WORDS = (
    ("Expected '=' after a key", say("want `=` after a key"), None),
    ("Expected newline or end of document", say("want a new line after a value"), None),
    ("Invalid value", say("want a value"), say('text stands in quotes: "..."')),
    ("Invalid (?:statement|initial character)", say("want a key, or a table in brackets"), None),
    (r"Expected '\]", say("want `]` at the end of the name of a table"), None),
    ("Invalid date", say("there is no such date or time"), None),
)
"""What Python's parser says, and how we say it; all else is said in its own words."""


def _in_own_words(text: str, error: ValueError) -> Unreadable:
    what, _, place = str(error).partition(" (at ")
    found = re.match(r"line ([0-9]+)", place)
    line = int(found[1]) if found else text.count("\n") + 1
    if re.match(_TWICE, what):
        keep = say("keep one of the two; if a scene was played twice, keep all tables of one play")
        for path, first, second in _twice(text):
            told = say("{path}: it is there twice, in line {first} too", path=key_path(path), first=first)
            return Unreadable(told, hint=keep, line=second)
        return Unreadable(say("a key or a table is there twice"), hint=keep, line=line)
    if re.fullmatch(_MIDDLE, text.split("\n")[line - 1]):
        out = say("take that line out; it is left over from a git conflict")
        return Unreadable(say("want a key, or a table in brackets"), hint=out, line=line)
    for pattern, ours, hint in _PARSERS_WORDS:
        if re.match(pattern, what):
            return Unreadable(ours, hint=hint, line=line)
    return Unreadable(say("{toml}", toml=what[:1].lower() + what[1:]), line=line)


def _twice(text: str) -> Iterator[tuple[Path, int, int]]:
    """Keys and tables that stand in a text twice: their paths, and both lines."""
    lines: dict[Path, int] = {}
    for statement in statements(text):
        first = lines.setdefault(statement.path, statement.line)
        if first != statement.line:
            yield statement.path, first, statement.line
