"""What a process owes its streams: colour, encodings, a bar, signals, readers that go away."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn, Self, TypeVar

T = TypeVar("T")


class ReaderGone(BaseException):
    """Nobody reads what is shown any more."""


class Stopped(BaseException):
    """A signal came that ends the process; its number is the argument."""


def coloured(wanted: str, stream: Any) -> bool:
    """Whether a stream gets colour: `--color`, over NO_COLOR, over FORCE_COLOR, over TERM=dumb, over a terminal."""
    if wanted != "auto":
        return wanted == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and is_terminal(stream)


def is_terminal(stream: Any) -> bool:
    """Whether somebody looks at a stream, or types it."""
    return stream is not None and bool(stream.isatty())


def speaks_unicode() -> bool:
    """Whether stdout can say every letter; else JSON and SVG are written in ASCII, each in its own escapes."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"


MANY_FILES = 20
LONG = 1.0
"""Seconds before a bar is worth showing."""


class _Bar:
    up = False


def clear_bar() -> None:
    """Take the bar away, so that something can be said in its place."""
    if _Bar.up:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
        _Bar.up = False


def counted(done: Iterable[T], total: int) -> Iterator[T]:
    """What is done, piece by piece; on a terminal a bar tells how far it is, if it is much and takes its time."""
    if total <= MANY_FILES or not is_terminal(sys.stderr):
        yield from done
        return
    begun = time.monotonic()
    for number, piece in enumerate(done):
        if time.monotonic() - begun > LONG:
            filled = 30 * number // total
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {number}/{total}\x1b[K")
            sys.stderr.flush()
            _Bar.up = True
        yield piece
    clear_bar()


def guard_streams() -> None:
    """Closed descriptors are opened on nothing, and output never raises for a letter that it lacks."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


class Stopping:
    """While it lasts, a signal that ends the call is noted and stops nothing; a second one does."""

    def __init__(self) -> None:
        self.by: int | None = None
        """The signal that came, if one did."""
        self.then: Callable[[], object] = lambda: None
        """What is done as soon as it comes."""

    def __enter__(self) -> Self:
        self.before = _handle(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        import signal

        for number, handler in self.before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: object) -> None:
        if self.by:
            _stop(number, _frame)
        self.by = number
        self.then()


def work_for_another() -> None:
    """A process that works for another ends what it has begun when a signal comes, and goes when that one is gone."""
    from multiprocessing import parent_process
    from threading import Thread

    _handle(_enough)
    parent = parent_process()
    assert parent is not None

    def go_with_it() -> None:
        parent.join()
        os._exit(1)

    Thread(target=go_with_it, daemon=True).start()


class _Worker:
    has_enough = False


def _enough(_number: int, _frame: object) -> None:
    _Worker.has_enough = True


def has_enough() -> bool:
    """Whether this process, which works for another, is to begin nothing more."""
    return _Worker.has_enough


def collect_garbage() -> None:
    """Many files are worth it; what was loaded is not looked at again."""
    gc.freeze()
    gc.enable()


AT_STOP: list[Callable[[], None]] = []
"""What is done as soon as a signal ends the call; it may come between any two instructions, also within a `finally`."""


def unwind_on_signals() -> None:
    """SIGTERM, and a terminal that is closed, unwind like Ctrl-C, so that what is being written is cleared away."""
    _handle(_stop)


def _handle(handler: Any) -> dict[int, Any]:
    """Handle the signals that end a call, but for those that it was told to ignore; returns who did it before."""
    import signal  # a call that writes nothing dies by itself

    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return {number: signal.signal(number, handler) for number in numbers if signal.getsignal(number) != signal.SIG_IGN}


def _stop(number: int, _frame: object) -> None:
    for tidy in AT_STOP:
        tidy()
    raise Stopped(number)


def silence(stream: Any) -> None:
    """Nothing more can be said on a stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def die_by(interrupt: BaseException) -> None:
    """Die by the signal that came, so that a shell's loop stops."""
    import signal

    number = interrupt.args[0] if isinstance(interrupt, Stopped) else signal.SIGINT
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def leave(code: int) -> NoReturn:
    """End the process at once: all is said and saved, and to take the interpreter apart takes as long as a step."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)
