"""What may have been meant by a name that is not there; suggested, never taken."""

from __future__ import annotations

from collections.abc import Iterable

from uma_cli.errors import Say, say


def nearest(name: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """The known name that is most like another; None where the likeness, 0 to 1, is less than the `least`."""
    from difflib import get_close_matches  # only who mistypes pays for loading it

    return next(iter(get_close_matches(name, list(known), 1, least)), None)


def did_you_mean(name: str, known: Iterable[str]) -> Say | None:
    """A question for a hint; None where nothing is like it."""
    near = nearest(name.strip(), known, 0.5)
    return say("did you mean `{near}`?", near=near) if near else None
