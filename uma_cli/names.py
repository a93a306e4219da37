"""Names of runners and skills: which can be used, and which look the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from uma_cli.errors import Say, say
from uma_cli.keys import Wrong
from uma_cli.race import MASTER, NAME_LENGTH
from uma_cli.text import MAX_MARKS, clean, code_point, is_hidden, look
from uma_cli.toml import Path
from uma_cli.words import REST_WORDS

FORBIDDEN = '=,;:@"\\'
RESERVED = (MASTER.casefold(), *REST_WORDS)
MARKS = ("Mn", "Me")


@lru_cache(1 << 12)
def check_name(name: str) -> Say | None:
    """Why a name cannot be used, or None; a season has the same names again and again."""
    if why := check_length(name):
        return why
    alike = unicodedata.normalize("NFKC", name)
    if not name.strip() or name != name.strip():
        return say("a name is not blank and has no space at its ends")
    if hidden := next(filter(is_hidden, name), None):
        return say("a name has no control or invisible characters, as {code} is one", code=code_point(hidden))
    if clean(name) != name or unicodedata.category(name[0]) in MARKS:
        return say("a name begins with no mark, and a letter has at most {limit} of them", limit=MAX_MARKS)
    if any(char in FORBIDDEN for char in alike):
        return say("a name has none of {characters}", characters=" ".join(FORBIDDEN))
    if alike.isdigit():
        return say("a name is more than digits")
    if look(name) in RESERVED:
        return say("`{name}` has a meaning of its own", name=name)
    if name != nfc(name):
        return say("a name is written in NFC, each letter with its marks in one")
    return None


def check_length(name: str) -> Say | None:
    """Why a name is too long, or None; who writes a note may be called as she likes but for that."""
    return say("a name has at most {limit} characters", limit=NAME_LENGTH) if len(name) > NAME_LENGTH else None


def nfc(name: str) -> str:
    """A name as it is written: each letter with its marks in one."""
    return unicodedata.normalize("NFC", name)


def check_names(names: Iterable[str], path: Path, others: Iterable[str] = ()) -> None:
    """Refuse names that cannot be used, and twins of each other or of the `others`.

    Raises:
        Unreadable: with the key path of the first one.
    """
    seen = {look(name): name for name in others}
    for name in names:
        why = check_name(name)
        if why:
            raise Wrong((*path, name), why)
        twin = seen.setdefault(look(name), name)
        if twin != name:
            raise Wrong(
                (*path, name), say("it looks like `{twin}`", twin=twin), hint=say("give one of them another name")
            )
