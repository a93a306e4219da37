"""What may have been meant by a name that is not there; suggested, never taken."""

from __future__ import annotations

import os
from collections.abc import Iterable
from unicodedata import normalize

from uma_cli.errors import Say, say
from uma_cli.text import MAX_WORD, look

MANY = 1000
"""Among how many files of a folder one is looked for."""


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


def same_look(path: str) -> str | None:
    """The path of another file that looks just the same: the same letters, composed or not."""
    folder, name = os.path.split(path)
    if folder and not os.path.isdir(folder):
        folder = same_look(folder) or folder
    if normalize("NFC", name) == normalize("NFD", name):
        return None  # its letters are composed in one way only: no folder of thousands has to be looked through
    alike = [other for other in _names(folder) if other != name and normalize("NFC", other) == normalize("NFC", name)]
    return os.path.join(folder, alike[0]) if alike else None


def nearest_file(path: str) -> str | None:
    """The race of the same folder whose name looks most like it."""
    folder, name = os.path.split(path)
    stems = [other.removesuffix(".toml") for other in _names(folder) if other.endswith(".toml")]
    near = nearest(name.removesuffix(".toml"), stems[:MANY])
    return os.path.join(folder, f"{near}.toml") if near else None


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:
        return []
