"""A step is done whole or not at all, whatever happens to it, and at whichever point."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from tests.conftest import Uma
from tests.kills import kills
from tests.points import End, Point, points

STEP = ("gate", "four.toml")
ORDER = ("flock", "read", "write", "fsync", "read", "replace", "fsync", "unlink", "write", "flush")
"""Lock, read, write beside it, look once more, replace, unlock, and only then print."""


@pytest.fixture
def played(uma: Uma, four: Path) -> bytes:
    """The race after its step; the file is as it was before."""
    old = four.read_bytes()
    assert uma(*STEP).code == 0
    new = four.read_bytes()
    four.write_bytes(old)
    assert new != old
    return new


def at(folder: Path, kind: str, what: str, *arguments: str) -> list[Point]:
    """The points of a call; some there must be."""
    found = points(folder, kind, what, *arguments)
    assert len(found) > 20
    return found


def test_a_step_killed_before_or_after_any_call_leaves_the_old_file_or_the_new_one(four: Path, played: bytes) -> None:
    """Never a third; the next call works at once, and clears away what is left."""
    old = four.read_bytes()
    found = at(four.parent, "calls", "KILL", *STEP)
    for point in found:
        assert point.first.code == -signal.SIGKILL, point.name
        assert point.first.files["four.toml"] in (old, played), point.name
        assert set(point.first.files) <= {"four.toml", ".four.toml.lock", ".four.toml.tmp"}, point.name
        assert point.then == End(0, {"four.toml": played}), point.name
    names = iter([point.name for point in found])
    for call in ORDER:
        for side in ("before", "after"):
            assert any(name.startswith(side) and name.endswith(call) for name in names), call


def test_a_new_race_killed_before_or_after_any_call_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    """The next call makes it or finds it, and clears away what is left."""
    whole = points(tmp_path, "calls", "KILL", "new", "a.toml")[0].then.files["a.toml"]
    (tmp_path / "a.toml").unlink()
    for point in at(tmp_path, "calls", "KILL", "new", "a.toml"):
        assert point.first.files.get("a.toml", whole) == whole, point.name
        assert point.then == End(6 if "a.toml" in point.first.files else 0, {"a.toml": whole}), point.name


@pytest.mark.parametrize("name", ["INT", "TERM"])
def test_a_step_interrupted_at_any_line_leaves_no_litter_and_dies_by_the_signal(
    four: Path, played: bytes, name: str
) -> None:
    """The file is the old one or the new one."""
    old = four.read_bytes()
    for point in at(four.parent, "lines", name, *STEP):
        assert point.first.code == -signal.Signals[f"SIG{name}"], point.name
        assert point.first.files in ({"four.toml": old}, {"four.toml": played}), point.name


def test_a_new_race_interrupted_at_any_line_leaves_no_litter(tmp_path: Path) -> None:
    """It is there or not, and nothing else is."""
    for point in at(tmp_path, "lines", "INT", "new", "a.toml"):
        assert point.first.code == -signal.SIGINT, point.name
        assert set(point.first.files) <= {"a.toml"}, point.name


def test_what_an_editor_saves_amid_a_step_stays(four: Path, played: bytes) -> None:
    """Until it is read it is played on; then the step is refused (5); between last look and replace nothing helps."""
    edited = four.read_bytes().replace(b"kiai = 4", b"kiai = 5")
    lost = []
    codes = []
    for point in at(four.parent, "calls", "edit", *STEP):
        code, left = point.first
        assert set(left) == {"four.toml"}, point.name
        if b"kiai = 5" not in left["four.toml"]:
            lost.append(point.name)
            continue
        codes.append(code)
        after = edited if code == 5 else played.replace(b"kiai = 4", b"kiai = 5")
        assert left["four.toml"] == after, point.name
    assert [code for code, _ in groupby(codes)] == [0, 5, 0]
    read, *closed, replaced = lost
    assert (read, replaced) == ("after BufferedReader.read", "before replace")
    assert all(name.endswith("__exit__") for name in closed)


def test_a_step_killed_at_any_moment_leaves_the_old_file_or_the_new_one() -> None:
    """A loop of steps is killed again and again, and goes on where it was."""
    assert kills(50) > 0


def test_ctrl_c_while_uma_is_loading_ends_it_without_a_traceback(four: Path) -> None:
    """It dies by the signal then, too."""
    code = """
import signal, sys
from uma_cli.__main__ import main
class Loading:
    def find_spec(self, name, *_):
        if name == "uma_cli.race":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Loading())
main()
"""
    called = subprocess.run([sys.executable, "-c", code, "gate", str(four)], capture_output=True, check=False)
    assert (called.returncode, called.stdout, called.stderr.strip()) == (-signal.SIGINT, b"", b"")


def test_an_interrupt_that_a_shell_has_turned_off_stays_off(four: Path) -> None:
    """What runs under nohup, or behind `&` in a script, is not ended by what it was told to ignore."""
    code = """
import os, signal
from uma_cli import streams
for number in (signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
streams.unwind_on_signals()
with streams.Stopping() as stopping:
    os.kill(os.getpid(), signal.SIGINT)
assert stopping.by is None
for number in (signal.SIGINT, signal.SIGHUP):
    os.kill(os.getpid(), number)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
