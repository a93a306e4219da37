"""A table of a race file, read key by key: exact types, limits, and what nobody knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from uma_cli.errors import Say, Unreadable, say, sentence
from uma_cli.near import nearest
from uma_cli.race import MAX_INTEGER, NOTE_LENGTH
from uma_cli.text import key_path, short
from uma_cli.toml import Path

MAX_WARNINGS = 20
"""How many odd keys of a file are told one by one."""


class Wrong(Unreadable):
    """A key does not hold what it should."""

    def __init__(self, path: Path, what: Say, hint: Say | None = None) -> None:
        super().__init__(say("{path}: {what}", path=key_path(path), what=what), where=".".join(path), hint=hint)


class Oddities:
    """What is no error in a file, and may be a slip of the pen."""

    def __init__(self) -> None:
        self.told: list[Say] = []
        self.more = 0
        self.others: list[tuple[str, str]] = []
        """The key paths that nobody knows, and what they hold."""

    def add(self, text: str, path: Path, known: Sequence[str], likeness: float = 0.6) -> None:
        """Something odd about a key: a sentence of its `path`, and what it may `mean` among the known ones."""
        if len(self.told) < MAX_WARNINGS:
            self.told.append(say(text, path=key_path(path), mean=mean(path[-1], known, likeness)))
        else:
            self.more += 1

    def warnings(self) -> tuple[Say, ...]:
        """All of it in words."""
        return (*self.told, *([say("and {n} more like these", n=self.more)] if self.more else []))


class Keys:
    """One table of the file, read key by key; what nobody asked for is unknown."""

    def __init__(self, data: object, path: Path, odd: Oddities) -> None:
        if not isinstance(data, dict):
            raise Wrong(path, say("want a table"))
        self.data: dict[str, Any] = data
        self.path = path
        self.odd = odd
        self.known: list[str] = []

    def take(self, key: str) -> Any:
        """Whatever the key holds; from now on it is known."""
        self.known.append(key)
        return self.data.get(key)

    def wrong(self, key: str, what: Say, hint: Say | None = None) -> Wrong:
        """The error that a key does not hold what it should."""
        return Wrong((*self.path, key), what, hint)

    def text(self, key: str, default: str = "", *, longest: int = NOTE_LENGTH, one_line: bool = False) -> str:
        """A text."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(key, say("want text in quotes, not {value}", value=shown(value)))
        if len(value) > longest:
            raise self.wrong(key, say("want at most {limit} characters", limit=longest))
        if one_line and "\n" in value:
            raise self.wrong(key, say("want one line"))
        return value

    def number(self, key: str, default: int = 0, *, least: int = -MAX_INTEGER, most: int = MAX_INTEGER) -> int:
        """A whole number; `true` and `4.0` are none."""
        value = self.take(key)
        if value is None:
            return default
        if type(value) is not int:
            raise self.wrong(key, say("want a whole number, not {value}", value=shown(value)))
        if not least <= value <= most:
            raise self.wrong(key, say("want a number from {least} to {most}", least=least, most=most))
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.take(key)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise self.wrong(key, say("want true or false, not {value}", value=shown(value)))
        return value

    def one_of(self, key: str, words: tuple[str, ...], default: str | None = None) -> str | None:
        """One of a few words."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, str) or value not in words:
            raise self.wrong(key, want(value, words))
        return value

    def some_of(self, key: str, words: tuple[str, ...], default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Several of a few words, in one text."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(key, say("want words in one text, with spaces between, not {value}", value=shown(value)))
        for word in value.split():
            if word not in words:
                raise self.wrong(key, want(word, words))
        return tuple(value.split())

    def table(self, key: str) -> Keys:
        """A table in this one; an absent one is empty."""
        value = self.take(key)
        return Keys({} if value is None else value, (*self.path, key), self.odd)

    def tables(self, key: str) -> dict[str, Keys]:
        """The tables of a table of tables; what else has an `x-` key there is other people's."""
        inner = self.table(key)
        inner.leave(name for name, value in inner.data.items() if not isinstance(value, dict))
        return {name: inner.table(name) for name in inner.data}

    def leave(self, names: Iterable[str]) -> None:
        """Take the `x-` keys among these names out: they are other people's, where all other keys are names."""
        theirs = {name: self.data[name] for name in names if name.startswith("x-")}
        self.odd.others += ((".".join((*self.path, name)), _written(value)) for name, value in theirs.items())
        self.data = {name: value for name, value in self.data.items() if name not in theirs}

    def rest(self) -> None:
        """Warn of every key that nobody knows; `x-` keys are nobody's business."""
        for key, value in self.data.items():
            if key in self.known:
                continue
            path = (*self.path, key)
            self.odd.others.append((".".join(path), _written(value)))
            if not key.startswith("x-"):
                self.odd.add(sentence("unknown key {path} is left alone{mean}"), path, self.known)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def shown(value: object) -> str:
    """What stands in the file, so short that a message can hold it."""
    text = f'"{value}"' if isinstance(value, str) else _written(value)
    return short(text, 40)


def mean(word: str, known: Sequence[str], likeness: float = 0.6) -> Say:
    """What may have been meant, to be said after what is wrong; nothing where nothing is near."""
    near = nearest(word, known, likeness)
    return say("; did you mean `{near}`?", near=near) if near else say("")


def want(value: object, words: tuple[str, ...]) -> Say:
    """That one of a few words is wanted, and which may have been meant."""
    meant = mean(str(value), words)
    return say("want one of {words}, not {value}{mean}", words=", ".join(words), value=shown(value), mean=meant)
