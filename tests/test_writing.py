"""A step is written whole or not at all, also when others write, or somebody pulls the plug."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conftest import Uma
from uma_cli import file
from uma_cli.errors import Busy

UMA = (sys.executable, "-m", "uma_cli")


def litter(folder: Path) -> list[str]:
    """What is in a folder that is no race."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".toml")


def test_a_step_at_a_time_and_none_is_lost(four: Path) -> None:
    """Eight who answer at once are all in the file, and no lock or temporary file is left."""
    dice = ("特別周=3+3+3", "無聲鈴鹿=5+5+5", "神鷹=4+4+4", "春麗=2+2+2")

    def answer(text: str) -> int:
        return subprocess.run([*UMA, "gate", str(four), "--check", text], capture_output=True, check=False).returncode

    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(answer, dice * 2))
    assert set(codes) <= {0, 4}
    text = four.read_text("utf-8")
    for line in (
        '"特別周" = "3 3 3, hand"',
        '"無聲鈴鹿" = "5 5 5, hand"',
        '"神鷹" = "4 4 4, hand"',
        '"春麗" = "2 2 2, hand"',
    ):
        assert text.count(line) == 1
    assert litter(four.parent) == []


def test_a_lock_that_is_held_makes_the_file_busy(uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cannot have it in time is told so (5), and nothing is written."""
    monkeypatch.setattr(file, "LOCK_SECONDS", 0.1)
    before = four.read_bytes()
    with file.locked(str(four)):
        called = uma("gate", "four.toml")
    assert called.code == 5
    assert "somebody else" in called.err
    assert four.read_bytes() == before


def test_a_file_that_an_editor_saved_meanwhile_is_not_overwritten(four: Path) -> None:
    """What was read is compared once more before it is replaced, byte by byte."""
    source = file.read(str(four))
    edited = four.read_bytes().replace(b"kiai = 4", b"kiai = 5")
    status = four.stat()
    four.write_bytes(edited)
    os.utime(four, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(Busy):
        file.save(source, source.text + "\n# mine\n")
    assert four.read_bytes() == edited
    assert litter(four.parent) == []


def test_a_read_only_file_is_refused(uma: Uma, four: Path) -> None:
    """It is not replaced behind its owner's back (6)."""
    four.chmod(0o444)
    before = four.read_bytes()
    called = uma("gate", "four.toml")
    assert called.code == 6
    assert "read-only" in called.err
    assert four.read_bytes() == before


def test_mode_and_links_stay(uma: Uma, four: Path) -> None:
    """A symbolic link is followed and stays one; the mode stays as it was."""
    four.chmod(0o640)
    link = four.with_name("link.toml")
    link.symlink_to(four.name)
    assert uma("gate", "link.toml").code == 0
    assert link.is_symlink()
    assert four.stat().st_mode & 0o777 == 0o640
    assert "[gate.check]" in four.read_text("utf-8")


def test_a_full_disk_leaves_the_old_file(four: Path) -> None:
    """No room for the new text: code 6, the old file whole, no litter."""
    before = four.read_bytes()

    def no_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    called = subprocess.run(
        [*UMA, "gate", str(four)],
        capture_output=True,
        check=False,
        preexec_fn=no_room,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert called.returncode == 6
    assert b"cannot be written" in called.stderr
    assert four.read_bytes() == before
    assert litter(four.parent) == []


def test_a_step_that_is_killed_leaves_the_old_file_or_the_new_one(four: Path) -> None:
    """Whenever it is killed, the file is one of the two, and the next step works at once."""
    old = four.read_bytes()
    for moment in range(20):
        four.write_bytes(old)
        step = subprocess.Popen([*UMA, "gate", str(four)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        time.sleep(0.01 * moment)
        step.kill()
        step.communicate()
        left = four.read_bytes()
        assert left == old or left.endswith('"春麗" = ""\n'.encode())
        assert subprocess.run([*UMA, "gate", str(four)], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_is_death_by_the_signal(four: Path, number: signal.Signals) -> None:
    """A shell's loop stops, and nothing is left of the step."""
    with file.locked(str(four)):
        step = subprocess.Popen([*UMA, "gate", str(four)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        time.sleep(1)
        step.send_signal(number)
        step.communicate()
    assert step.returncode == -number
    assert litter(four.parent) == []


def test_new_never_overwrites_however_many_run_at_once(tmp_path: Path) -> None:
    """Of twenty that make the same file one does, and the others are refused."""

    def make(title: int) -> int:
        path = str(tmp_path / "race.toml")
        return subprocess.run([*UMA, "new", path, "--title", str(title)], capture_output=True, check=False).returncode

    with ThreadPoolExecutor(20) as pool:
        codes = sorted(pool.map(make, range(20)))
    assert codes == [0] + [6] * 19
    assert litter(tmp_path) == []


def test_closed_descriptors_let_nothing_into_the_race(four: Path) -> None:
    """With stdout and stderr closed, nothing but race data lands in the file."""
    subprocess.run(["/bin/sh", "-c", 'exec "$@" >&- 2>&-', "sh", *UMA, "gate", str(four)], check=False)
    assert four.read_text("utf-8").endswith('"春麗" = ""\n')


def test_a_reader_that_goes_away_costs_no_step(four: Path) -> None:
    """A broken pipe after the step is saved is no failure of it."""
    step = subprocess.run(
        ["/bin/sh", "-c", '{ "$@"; echo $? >&3; } 3>&2 2>/dev/null | true', "sh", *UMA, "gate", str(four)],
        capture_output=True,
        check=False,
    )
    assert step.stderr.strip() == b"0"
    assert "[gate.check]" in four.read_text("utf-8")


def test_show_ends_when_its_reader_goes_away(four: Path) -> None:
    """It is not a failure to be told of, and its code is 141."""
    show = subprocess.run(
        ["/bin/sh", "-c", '{ sleep 1; "$@"; echo $? >&3; } 3>&2 | true', "sh", *UMA, "show", str(four)],
        capture_output=True,
        check=False,
    )
    assert show.stderr.strip() == b"141"
