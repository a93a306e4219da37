"""Call uma as somebody else: `python -m tests.somebody FOLDER UID GROUPS uma-arguments`, groups with commas between.

All is loaded first, for somebody else may not even be allowed to read this Python. In place of a user id `-` changes
nobody. With a `!` before it the call is killed when its new text is written, but not yet on the disk.
"""

from __future__ import annotations

import difflib
import fcntl
import json
import os
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

from tests.points import load_all
from uma_cli.__main__ import main

LOADED = (difflib, fcntl, json, signal, unicodedata)
"""What uma loads only when it needs it."""


def call_as(
    user: int | None, *arguments: str, folder: Path, groups: tuple[int, ...] = (65534,), killed: bool = False
) -> subprocess.CompletedProcess[str]:
    """A call by somebody, in a folder."""
    who = ("!" if killed else "") + ("-" if user is None else str(user))
    command = [sys.executable, "-m", "tests.somebody", str(folder), who, ",".join(map(str, groups)), *arguments]
    return subprocess.run(
        command, capture_output=True, check=False, text=True, encoding="utf-8", cwd=Path(__file__).parent.parent
    )


def die(_descriptor: int) -> None:
    """In place of a call of the system that takes its time."""
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    folder, who, groups = sys.argv[1:4]
    load_all()
    os.chdir(folder)
    if who.startswith("!"):
        os.fsync = die  # type: ignore[assignment]
    if not who.endswith("-"):
        first, *more = map(int, groups.split(","))
        os.setgroups(more)
        os.setgid(first)
        os.setuid(int(who.removeprefix("!")))
    sys.argv = ["uma", *sys.argv[4:]]
    main()
