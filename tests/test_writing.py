"""A step is written whole or not at all, also when others write, or somebody pulls the plug."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FOUR, Uma
from uma_cli import disk, file, layout
from uma_cli.errors import Busy

UMA = (sys.executable, "-m", "uma_cli")


def litter(folder: Path) -> list[str]:
    """What is in a folder that is no race."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".toml")


def test_a_lock_that_is_held_makes_the_file_busy(uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cannot have it in time is told so (5), and nothing is written."""
    monkeypatch.setattr(disk, "LOCK_SECONDS", 0.1)
    before = four.read_bytes()
    with disk.held(str(four)):
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
    with disk.held(str(four)) as held, pytest.raises(Busy):
        file.save(held, source, source.text + "\n# mine\n")
    assert four.read_bytes() == edited
    assert litter(four.parent) == []


def test_a_race_that_is_removed_amid_a_step_is_not_made_again(
    uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is somebody's wish that it is gone (5)."""
    real = layout.edit

    def edit(*call: Any) -> tuple[str, bool]:
        four.unlink()
        return real(*call)

    monkeypatch.setattr(layout, "edit", edit)
    assert uma("gate", "four.toml").code == 5
    assert list(four.parent.iterdir()) == []


def test_whose_lock_is_removed_amid_a_step_writes_nothing(
    uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another may have it then: only one of the two is done, and each keeps off what is the other's."""
    before = four.read_bytes()
    lock, temporary = four.with_name(".four.toml.lock"), four.with_name(".four.toml.tmp")

    def remove(_descriptor: int, sync: Callable[[int], None] = os.fsync) -> None:
        monkeypatch.setattr(os, "fsync", sync)
        lock.unlink()
        with disk.held("four.toml") as other:
            assert not temporary.exists()
            assert uma("show", "four.toml").code == 0
            other.replace(before, before + b"# once\n")
            other.replace(before + b"# once\n", before)

    monkeypatch.setattr(os, "fsync", remove)
    assert uma("gate", "four.toml").code == 5
    assert four.read_bytes() == before
    assert litter(four.parent) == []
    assert uma("gate", "four.toml").code == 0


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o604, 0o755])
def test_the_mode_stays(uma: Uma, four: Path, mode: int) -> None:
    """Also where new files get another one."""
    four.chmod(mode)
    mask = os.umask(0o077)
    try:
        assert uma("gate", "four.toml").code == 0
    finally:
        os.umask(mask)
    assert stat.S_IMODE(four.stat().st_mode) == mode


def test_a_symbolic_link_is_followed_and_stays_one(uma: Uma, four: Path) -> None:
    """Also a chain of them, and one from another folder; lock and new text lie beside the race itself."""
    folder = four.with_name("links")
    folder.mkdir()
    (folder / "chain.toml").symlink_to("link.toml")
    (folder / "link.toml").symlink_to(four)
    folder.chmod(0o555)
    assert uma("gate", "links/chain.toml").code == 0
    assert (folder / "chain.toml").readlink() == Path("link.toml")
    assert (folder / "link.toml").readlink() == four
    assert not four.is_symlink()
    assert "[gate.check]" in four.read_text("utf-8")
    assert litter(four.parent) == ["links"]
    assert uma("new", "links/chain.toml", "--force").code == 0
    assert (folder / "chain.toml").is_symlink()
    assert four.read_text("utf-8").startswith("format = 1\nscenes")


@pytest.mark.parametrize("to", ["nowhere.toml", "loop.toml", "folder"])
def test_a_link_that_leads_to_no_race_is_refused(uma: Uma, four: Path, to: str) -> None:
    """Nothing is made at its other end, by `new --force` neither."""
    four.with_name("folder").mkdir()
    link = four.with_name("loop.toml")
    link.symlink_to(to)
    before = sorted(four.parent.iterdir())
    for command in (("gate",), ("show",), ("new",), ("new", "--force")):
        called = uma(*command, "loop.toml")
        assert called.code == (6 if command[0] == "new" else 3)
        assert called.err.startswith("uma: loop.toml: ")
    assert link.is_symlink()
    assert sorted(four.parent.iterdir()) == before


def test_a_hard_link_is_refused(uma: Uma, four: Path) -> None:
    """Its other name would keep the old race: the message tells how to part them (6)."""
    other = four.with_name("other.toml")
    os.link(four, other)
    before = four.read_bytes()
    called = uma("gate", "four.toml")
    assert called.code == 6
    assert "hard link" in called.err
    assert "cp four.toml NEW" in called.err
    assert four.samefile(other)
    assert four.read_bytes() == before
    other.unlink()
    assert uma("gate", "four.toml").code == 0


@pytest.mark.parametrize("kind", ["link", "dangling", "folder"])
def test_what_lies_where_the_lock_should_is_not_touched(uma: Uma, four: Path, kind: str) -> None:
    """A link there is not followed, neither is what it leads to made or emptied; the message names it (6)."""
    victim = four.with_name("victim")
    lock = four.with_name(".four.toml.lock")
    if kind == "folder":
        lock.mkdir()
    else:
        lock.symlink_to(victim)
    if kind == "link":
        victim.write_text("precious")
    before = four.read_bytes()
    for command in (("gate",), ("new", "--force")):
        called = uma(*command, "four.toml")
        assert called.code == 6
        assert "move .four.toml.lock out of the way" in called.err
    assert four.read_bytes() == before
    assert lock.is_symlink() or lock.is_dir()
    assert not victim.exists() or victim.read_text() == "precious"
    assert victim.exists() == (kind == "link")


def test_a_lock_that_is_another_file_by_a_hard_link_changes_nothing_of_it(uma: Uma, four: Path) -> None:
    """The other name keeps its text, its mode and its owner."""
    victim = four.with_name("victim")
    victim.write_text("precious")
    victim.chmod(0o600)
    four.chmod(0o666)
    os.link(victim, four.with_name(".four.toml.lock"))
    assert uma("gate", "four.toml").code == 0
    assert victim.read_text() == "precious"
    assert stat.S_IMODE(victim.stat().st_mode) == 0o600


def test_a_folder_where_the_new_text_should_lie_is_left_alone(uma: Uma, four: Path) -> None:
    """The step is refused (6), and the folder stays."""
    folder = four.with_name(".four.toml.tmp")
    folder.mkdir()
    before = four.read_bytes()
    called = uma("gate", "four.toml")
    assert called.code == 6
    assert "move .four.toml.tmp out of the way" in called.err
    assert folder.is_dir()
    assert four.read_bytes() == before
    assert litter(four.parent) == [folder.name]


LINES = {
    "unix": FOUR,
    "windows": FOUR.replace("\n", "\r\n"),
    "mixed": FOUR.replace("\n", "\r\n", 5),
    "mixed the other way": FOUR[:60] + FOUR[60:].replace("\n", "\r\n"),
    "no last line end": FOUR.rstrip("\n"),
    "a mark": "\ufeff" + FOUR,
    "a mark and windows": "\ufeff" + FOUR.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("name", LINES)
def test_line_ends_and_a_mark_stay(uma: Uma, four: Path, name: str) -> None:
    """What was there is there byte for byte; what is added ends its lines as the first line does."""
    raw = LINES[name].encode()
    four.write_bytes(raw)
    assert uma("gate", "four.toml", "--check", "特別周=3+3+3").code == 0
    after = four.read_bytes()
    assert after.startswith(raw)
    added = after[len(raw) :]
    assert added.count(b"\r\n") == (added.count(b"\n") if b"\r\n" in raw.splitlines(keepends=True)[0] else 0)
    assert uma("gate", "four.toml", "--check", "春麗=2+2+2").code == 0
    assert four.read_bytes().startswith(raw)


MACHINES = {
    "a locale of ASCII": {"LC_ALL": "C", "PYTHONUTF8": "0"},
    "streams of their own": {"PYTHONIOENCODING": "cp950", "PYTHONUTF8": "0"},
}


@pytest.mark.parametrize("name", MACHINES)
def test_a_race_is_the_same_bytes_on_any_machine(
    uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """UTF-8 and unix lines, whatever its encodings and its line ends are."""
    raw = four.read_bytes()
    calls = (("new", "a.toml", "--from", "four.toml", "--title", "Derby"), ("gate", "four.toml", "--check", "4=2+2+2"))
    new = four.with_name("a.toml")
    for call in calls:
        run = [*UMA, *call]
        env = {**os.environ, **MACHINES[name]}
        subprocess.run(run, check=True, capture_output=True, cwd=four.parent, env=env)
    there = four.read_bytes(), new.read_bytes()
    four.write_bytes(raw)
    new.unlink()
    monkeypatch.setattr(os, "linesep", "\r\n")
    assert [uma(*call).code for call in calls] == [0, 0]
    assert (four.read_bytes(), new.read_bytes()) == there
    assert b"\r" not in b"".join(there)
    assert '[runner."特別周"]' in new.read_text("utf-8")


def test_what_is_typed_and_is_no_text_is_not_written(uma: Uma, four: Path) -> None:
    """Bytes of another encoding on the command line are the caller's (2), and no fault of ours; a dry run tells too."""
    before = four.read_bytes()
    typed = os.fsdecode("春".encode("big5"))
    calls = (
        ("gate", "four.toml", "--note", f"春麗={typed}"),
        ("gate", "four.toml", "--note", f"春麗={typed}", "--dry-run"),
        ("gate", "four.toml", "--ruling", "春麗=kiai 1", "--why", typed),
        ("new", "a.toml", "--note", typed),
        ("new", "a.toml", "--title", typed),
        ("new", "a.toml", "--seed", typed),
        ("new", "a.toml", "--runner", f"春麗:note={typed}"),
        ("new", "a.toml", "--runner", typed),
    )
    for call in calls:
        called = uma(*call)
        assert called.code == 2, call
        assert called.err.isprintable() or called.err.count("\n") <= 2
        assert four.read_bytes() == before
        assert litter(four.parent) == []
        assert not four.with_name("a.toml").exists()


def test_nothing_is_written_that_reads_back_as_something_else(
    uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new text that is no TOML, another race, or another scene is a fault of ours, and stays unwritten."""
    before = four.read_bytes()
    real = layout.edit
    for wrong in (
        '\n[gate.check]\n"春麗" = "6 6 6, hand"\n',
        "\n[",
        '\nseed = "x"\n',
        '\n[corner-2.move]\n"春麗" = "stay"\n',
    ):
        monkeypatch.setattr(layout, "edit", lambda *call, wrong=wrong: (real(*call)[0] + wrong, False))
        assert uma("gate", "four.toml").code in (1, 4)
        assert four.read_bytes() == before
        assert litter(four.parent) == []


def test_a_race_that_would_grow_too_large_to_be_read_is_not_written(uma: Uma, four: Path) -> None:
    """What `uma` writes it can read again."""
    raw = four.read_bytes()
    raw += b"#" * (file.MAX_BYTES - len(raw) - 1) + b"\n"
    four.write_bytes(raw)
    called = uma("gate", "four.toml")
    assert called.code == 6
    assert "would be larger than 1048576 bytes" in called.err
    assert four.read_bytes() == raw
    assert litter(four.parent) == []


ON_A_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
)
"""Make the terminal that stdin is one's own, so that its Ctrl-C is a signal."""


def test_ctrl_c_stops_a_loop_of_the_shell(four: Path) -> None:
    """The shell sees that it died by the signal; the first race is untouched, and the others are not begun."""
    for name in "abc":
        four.with_name(f"{name}.toml").write_bytes(four.read_bytes())
    before = four.read_bytes()
    master, terminal = pty.openpty()
    loop = 'for f in a b c; do "$@" gate $f.toml; echo "$f $?" >>log; done'
    with disk.held(str(four.with_name("a.toml"))):
        shell = subprocess.Popen(
            [sys.executable, "-c", ON_A_TERMINAL, "bash", "-c", loop, "bash", *UMA],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            cwd=four.parent,
            start_new_session=True,
        )
        os.close(terminal)
        time.sleep(1)
        os.write(master, b"\x03")
        assert shell.wait() == -signal.SIGINT
    said = b""
    with suppress(OSError):  # its terminal is closed when it is read to the end
        while more := os.read(master, 1000):
            said += more
    os.close(master)
    assert said.strip() == b"^C"
    assert [four.with_name(f"{name}.toml").read_bytes() for name in "abc"] == [before] * 3
    assert litter(four.parent) == []


def test_a_replace_that_another_program_holds_up_is_tried_again(
    uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where nobody replaces an open file: for a while, then it is told kindly (5)."""
    real = os.replace
    refusals = iter([True] * 3)

    def replace(old: str, new: str) -> None:
        if next(refusals, False):
            raise PermissionError(13, "in use")
        real(old, new)

    monkeypatch.setattr(disk, "HELD_UP_SECONDS", 0.2)
    monkeypatch.setattr(os, "replace", replace)
    assert uma("gate", "four.toml").code == 0
    before = four.read_bytes()
    refusals = repeat(True)
    called = uma("gate", "four.toml", "--check", "春麗=2+2+2")
    assert called.code == 5
    assert "another program" in called.err
    assert four.read_bytes() == before
    assert litter(four.parent) == []


def test_an_editor_that_saves_while_a_replace_is_held_up_is_not_overwritten(
    uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each try the file is looked at again."""

    def replace(_old: str, new: str) -> None:
        Path(new).write_bytes(b"mine")
        raise PermissionError(13, "in use")

    monkeypatch.setattr(disk, "HELD_UP_SECONDS", 5.0)
    monkeypatch.setattr(os, "replace", replace)
    assert uma("gate", "four.toml").code == 5
    assert four.read_bytes() == b"mine"


def test_a_disk_without_locks_is_named_as_such(uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for somebody who is not there (6)."""

    def flock(_descriptor: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    called = uma("gate", "four.toml")
    assert called.code == 6
    assert "No locks available" in called.err


def test_a_disk_without_hard_links_has_new_races_too(uma: Uma, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And overwrites none."""

    def link(_old: str, _new: str) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    assert uma("new", "a.toml").code == 0
    assert uma("new", "a.toml", "--title", "b").code == 6
    assert litter(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_is_death_by_the_signal(four: Path, number: signal.Signals) -> None:
    """A shell's loop stops, and nothing is left of the step."""
    with disk.held(str(four)):
        step = subprocess.Popen([*UMA, "gate", str(four)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        time.sleep(1)
        step.send_signal(number)
        step.communicate()
    assert step.returncode == -number
    assert litter(four.parent) == []


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_descriptors_let_nothing_into_the_race(uma: Uma, four: Path, closed: str) -> None:
    """Nothing but race data lands in a file, warnings and errors neither."""
    raw = four.read_bytes().replace(b"x-sponsor", b"sponsor")
    four.write_bytes(raw)
    assert "sponsor" in uma("gate", "four.toml").err
    played = four.read_bytes()
    four.write_bytes(raw)
    for arguments in (("gate", "four.toml"), ("gate", "four.toml", "--check", "9=1"), ("new", "four.toml"), ("show",)):
        shell = ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *UMA, *arguments]
        subprocess.run(shell, capture_output=True, check=False, cwd=four.parent)
        assert four.read_bytes() == played
        assert [path.name for path in four.parent.iterdir()] == ["four.toml"]


def test_a_step_that_cannot_be_told_is_done(four: Path) -> None:
    """A full or closed stdout costs no step (0); where it is the race's own place, the race cannot be written (6)."""
    old = four.read_bytes()
    for stdout in (">/dev/full", ">&-"):
        four.write_bytes(old)
        for code, arguments in ((0, "gate four.toml"), (0, "new a.toml"), (6, "gate - <four.toml"), (6, "new -")):
            shell = f"{sys.executable} -m uma_cli {arguments} {stdout}"
            called = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, check=False, cwd=four.parent)
            assert called.returncode == code, shell
            assert (b"the output cannot be written" in called.stderr) == (code == 6), shell
        assert four.read_bytes() != old
        four.with_name("a.toml").unlink()


def test_what_is_shown_to_a_full_disk_is_not_shown(four: Path) -> None:
    """The code is 6, and it is told."""
    with open("/dev/full", "wb") as full:
        called = subprocess.run([*UMA, "show", str(four)], stdout=full, stderr=subprocess.PIPE, check=False)
    assert called.returncode == 6
    assert b"the output cannot be written" in called.stderr


def test_what_is_shown_to_nobody_is_not_shown(four: Path) -> None:
    """With stdout closed there is nothing to show it on, and that is told."""
    called = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *UMA, "show", str(four)], stderr=subprocess.PIPE, check=False
    )
    assert called.returncode == 6
    assert b"the output cannot be written" in called.stderr


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
