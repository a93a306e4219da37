"""Let something happen at each point of a call of uma in turn: each is a fork that starts from the same folder.

Run as a script, for a test runner may have threads, and what has threads had better not fork:

    python -m tests.points FOLDER calls KILL gate race.toml

The points are the `calls` of the system that it makes, before and after each, or its `lines` or `opcodes`. What
happens is a signal, or `edit`: another program writes the file over, of the same size and time. It prints a JSON object
for each point: its name, how the call ended, what the folder holds, and the same of a second call left alone.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import uma_cli
from uma_cli import disk, streams
from uma_cli.__main__ import main

SYSTEM = ("posix", "fcntl", "time", "io", "_io")
"""The modules whose functions call the system."""
WRITING = {module.__file__ for module in (disk, streams, contextlib)}
"""Where an interrupt could leave something behind, while a file is held."""
HERE = Path(__file__).parent.parent
Act = Callable[[str], None]


class End(NamedTuple):
    """How a call ended: its code, or the number of the signal below zero; and what the folder holds then."""

    code: int
    files: dict[str, bytes]


class Point(NamedTuple):
    """A point of a call, how the call ended to which something happened there, and the one after it."""

    name: str
    first: End
    then: End


def points(folder: Path, kind: str, what: str, *arguments: str) -> list[Point]:
    """All points of a call in a folder, and how it ends if something happens there."""
    command = [sys.executable, "-m", "tests.points", str(folder), kind, what, *arguments]
    run = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8", cwd=HERE)
    lines = run.stdout.splitlines()
    return [_point(**json.loads(line)) for line in lines]


def _point(name: str, first: dict[str, Any], then: dict[str, Any]) -> Point:
    ends = (
        End(end["code"], {file: bytes.fromhex(data) for file, data in end["files"].items()}) for end in (first, then)
    )
    return Point(name, *ends)


def files(folder: str) -> dict[str, bytes]:
    """What a folder holds."""
    return {entry.name: Path(entry.path).read_bytes() for entry in os.scandir(folder)}


def lay_out(folder: str, wanted: dict[str, bytes]) -> None:
    """Let a folder hold this and nothing else."""
    for name in files(folder):
        os.unlink(os.path.join(folder, name))
    for name, data in wanted.items():
        Path(folder, name).write_bytes(data)


def load_all() -> None:
    """Load all of uma, so that a fork need not."""
    for module in pkgutil.walk_packages(uma_cli.__path__, "uma_cli."):
        importlib.import_module(module.name)


def silent() -> None:
    """Let nobody hear or tell this process anything."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)


def fork(arguments: list[str], prepare: Callable[[], None] = lambda: None) -> int:
    """A process that calls uma, heard by nobody."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        silent()
        sys.argv = ["uma", *arguments]
        prepare()
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.settrace(None)
        sys.setprofile(None)
        os._exit(code)
    raise AssertionError("a process that has ended")


def end_of(child: int) -> int:
    """How a process ended."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def at_call(number: int, act: Act) -> Callable[[], None]:
    """Act before or after a call of the system; the first is number 0."""

    def profile(frame: FrameType, event: str, called: Any) -> None:
        nonlocal number
        if event.startswith("c_") and _of_the_system(called) and "importlib" not in frame.f_code.co_filename:
            number -= 1
            if number == -1:
                act(f"{'before' if event == 'c_call' else 'after'} {called.__qualname__}")

    return lambda: sys.setprofile(profile)


def _of_the_system(called: Any) -> bool:
    owner = getattr(called, "__self__", None)
    module = getattr(called, "__module__", None) or type(owner).__module__
    return module in SYSTEM and called.__name__ != "fspath"


def at_line(number: int, act: Act, *, opcodes: bool) -> Callable[[], None]:
    """Act before a line, or an opcode, of the modules that write."""
    wanted = "opcode" if opcodes else "line"

    def trace(frame: FrameType, event: str, _value: object) -> Any:
        nonlocal number
        if frame.f_code.co_filename not in WRITING:
            return None
        frame.f_trace_opcodes = opcodes
        if event == wanted and disk._all_held:
            number -= 1
            if number == -1:
                act(f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}:{frame.f_lasti}")
        return trace

    return lambda: sys.settrace(trace)


def edit(path: str) -> None:
    """Write a file over in place, so that size and time stay."""
    status = os.stat(path)
    data = Path(path).read_bytes()
    with open(path, "r+b") as opened:
        opened.write(data.replace(b"kiai = 4", b"kiai = 5"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def happen(folder: str, kind: str, what: str, arguments: list[str]) -> Iterator[dict[str, Any]]:
    """Let it happen at each point in turn, until the call ends before it comes to one."""
    os.chdir(folder)
    load_all()
    wanted = files(folder)
    number = 0
    while True:
        lay_out(folder, wanted)
        reader, writer = os.pipe()

        def act(name: str, told: int = writer) -> None:
            sys.setprofile(None)
            os.write(told, name.encode())
            if what == "edit":
                edit(arguments[1])
            else:
                signal.raise_signal(signal.Signals[f"SIG{what}"])

        prepare = at_call(number, act) if kind == "calls" else at_line(number, act, opcodes=kind == "opcodes")
        child = fork(arguments, prepare)
        os.close(writer)
        with open(reader, encoding="utf-8") as told:
            name = told.read()
        first = _ended(child, folder)
        if not name:
            return
        yield {"name": name, "first": first, "then": _ended(fork(arguments), folder)}
        number += 1


def _ended(child: int, folder: str) -> dict[str, Any]:
    return {"code": end_of(child), "files": {name: data.hex() for name, data in files(folder).items()}}


if __name__ == "__main__":
    for line in happen(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]):
        sys.stdout.write(f"{json.dumps(line)}\n")
