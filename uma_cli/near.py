"""What may have been meant by a name that is not there; suggested, never taken."""

from __future__ import annotations

from collections.abc import Iterable

from uma_cli.errors import Say, say
from uma_cli.text import MAX_WORD, look


def nearest(name: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """The known name that looks most like another; None where the likeness, 0 to 1, is less than the `least`."""
    from difflib import get_close_matches  # only who mistypes pays for loading it

    looks = {look(other): other for other in known}
    found = get_close_matches(look(name[:MAX_WORD]), looks, 1, least)
    return looks[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> Say | None:
    """A question for a hint; None where nothing is like it."""
    near = nearest(name, known, 0.5)
    return say("did you mean `{near}`?", near=near) if near else None
