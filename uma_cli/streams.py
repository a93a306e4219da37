"""What a process owes its streams: colour, encodings, a bar, signals, readers that go away."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any


def coloured(wanted: str, stream: Any) -> bool:
    """Whether a stream gets colour: `--color`, over NO_COLOR, over FORCE_COLOR, over TERM=dumb, over a terminal."""
    if wanted != "auto":
        return wanted == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and stream is not None and bool(stream.isatty())


def speaks_unicode() -> bool:
    """Whether stdout can say every letter; else JSON and SVG are written in ASCII, each in its own escapes."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"


MANY_FILES = 20
LONG = 1.0
"""Seconds before a bar is worth showing."""


def counted(files: Sequence[str]) -> Iterator[str]:
    """The files one after another; on a terminal a bar tells how far it is, if they are many and take their time."""
    if len(files) <= MANY_FILES or sys.stderr is None or not sys.stderr.isatty():
        yield from files
        return
    begun = time.monotonic()
    for done, path in enumerate(files):
        if time.monotonic() - begun > LONG:
            filled = 30 * done // len(files)
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{len(files)}\x1b[K")
            sys.stderr.flush()
        yield path
    if time.monotonic() - begun > LONG:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def guard_streams() -> None:
    """Closed descriptors are opened on nothing, output never raises, and SIGTERM unwinds like Ctrl-C."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    signal.signal(signal.SIGTERM, _terminate)


class Terminated(BaseException):
    """SIGTERM came."""


def _terminate(_number: int, _frame: object) -> None:
    raise Terminated


def silence() -> None:
    """Nothing more can be said on stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def die_by(interrupt: BaseException) -> None:
    """Die by the signal that came, so that a shell's loop stops."""
    number = signal.SIGTERM if isinstance(interrupt, Terminated) else signal.SIGINT
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
