"""Names of runners and skills: which can be used, and which look the same."""

from __future__ import annotations

import unicodedata

from uma_cli.errors import Say, say
from uma_cli.keys import Path, Wrong
from uma_cli.race import NAME_LENGTH

FORBIDDEN = '=,;:@"\\'
RESERVED = ("gm", "rest")


def check_name(name: str) -> Say | None:
    """Why a name cannot be used, or None."""
    alike = unicodedata.normalize("NFKC", name)
    if not name.strip() or name != name.strip():
        return say("a name is not blank and has no space at its ends")
    if len(name) > NAME_LENGTH:
        return say("a name has at most {limit} characters", limit=NAME_LENGTH)
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in name):
        return say("a name has no control, invisible or line characters")
    if any(char in FORBIDDEN for char in alike):
        return say("a name has none of {characters}", characters=" ".join(FORBIDDEN))
    if alike.isdigit():
        return say("a name is more than digits")
    if alike.casefold() in RESERVED:
        return say("`{name}` has a meaning of its own", name=name)
    if name != unicodedata.normalize("NFC", name):
        return say("a name is written in NFC, each letter with its marks in one")
    return None


def look(name: str) -> str:
    """What a name looks like: two names may not look the same."""
    return unicodedata.normalize("NFKC", name).casefold()


def check_names(names: list[str], path: Path) -> None:
    """Refuse names that cannot be used, and twins.

    Raises:
        Unreadable: with the key path of the first one.
    """
    seen: dict[str, str] = {}
    for name in names:
        why = check_name(name)
        if why:
            raise Wrong((*path, name), why)
        twin = seen.setdefault(look(name), name)
        if twin != name:
            raise Wrong(
                (*path, name), say("it looks like `{twin}`", twin=twin), hint=say("give one of them another name")
            )
