"""What can go wrong, named by why; caught once, by the command line."""

from collections.abc import Sequence
from typing import NamedTuple, Self


class Say(NamedTuple):
    """A sentence with its parts still apart, so that each part can be made safe to print."""

    text: str
    parts: tuple[tuple[str, object], ...] = ()


class Word(str):
    """An id of the files, to be said by its name in whatever language is spoken."""

    __slots__ = ()


def say(text: str, /, **parts: object) -> Say:
    """A sentence: `text` names its parts in braces."""
    return Say(text, tuple(parts.items()))


def sentence(text: str) -> str:
    """Marks a sentence that is said elsewhere, for the catalogues of the languages; it is what it was."""
    return text


def either(names: Sequence[object]) -> Say:
    """One thing or another: `a or b or c`."""
    *others, last = names
    return say("{these} or {that}", these=either(others), that=last) if others else say("{that}", that=last)


class UmaError(Exception):
    """A step that is not done: why, where, and what to do about it."""

    code = 1

    def __init__(self, what: Say, *, where: str = "", hint: Say | None = None, line: int | None = None) -> None:
        super().__init__(what, where, hint, line)
        self.what = what
        self.where = where
        """A key path of the race file, or nothing."""
        self.hint = hint
        self.line = line
        self.file: str | None = None
        """The file it is about, where that is another than the one worked on."""
        self.warnings: tuple[Say, ...] = ()
        """What else is odd about the file."""


class Misused(UmaError):
    """The command line is wrong."""

    code = 2


class Unreadable(UmaError):
    """The file cannot be read as a race."""

    code = 3


class Refused(UmaError):
    """The rules, or the state of the race, refuse an answer or a step."""

    code = 4
    answer: tuple[str, str | None] | None = None
    """The question and the runner whose answer it is that does not stand, if it is one."""

    def of(self, question: str, runner: str | None) -> Self:
        """The same, told whose answer it is."""
        self.answer = (question, runner)
        return self


class RecordWrong(Refused):
    """What the file records does not follow from the rules."""


class Busy(UmaError):
    """Somebody else holds the file, or changed it meanwhile."""

    code = 5


class Unwritable(UmaError):
    """The file cannot be written."""

    code = 6
