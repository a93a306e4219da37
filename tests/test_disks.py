"""Disks that are full, read-only or somebody else's: refused with what to do, the old file whole, no litter."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import FOUR, Uma
from tests.somebody import call_as

UMA = (sys.executable, "-m", "uma_cli")
ROOT = os.geteuid() == 0
NOBODY = 65534 if ROOT else None
"""Permissions do not bind root, so it calls as nobody; anybody else is bound already."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two pages and six files, with a race on it."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8k,nr_inodes=6,mode=777", "none", str(place)]
    if not ROOT or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    (place / "four.toml").write_bytes(FOUR.encode())
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def names(folder: Path) -> set[str]:
    """What is in a folder."""
    return {path.name for path in folder.iterdir()}


def test_a_disk_without_room_refuses_step_and_new_race(uma: Uma, disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No room for the new text (6); nothing is told as done, and with room made it is done."""
    monkeypatch.chdir(disk)
    (disk / "filler").write_bytes(b"x" * 4096)
    for arguments in (("gate", "four.toml"), ("new", "a.toml"), ("new", "four.toml", "--force")):
        called = uma(*arguments)
        assert (called.code, called.out) == (6, "")
        assert "cannot be written: no space is left\nhint: make room" in called.err
        assert (disk / "four.toml").read_bytes() == FOUR.encode()
        assert names(disk) == {"four.toml", "filler"}
    (disk / "filler").unlink()
    assert uma("gate", "four.toml").code == 0
    assert names(disk) == {"four.toml"}


@pytest.mark.parametrize("free", [0, 1])
def test_a_disk_without_room_for_another_file(uma: Uma, disk: Path, monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    """Neither for the lock, nor for the new text beside it."""
    monkeypatch.chdir(disk)
    fillers = [disk / str(number) for number in range(4 - free)]
    for filler in fillers:
        filler.touch()
    before = names(disk)
    for arguments in (("gate", "four.toml"), ("new", "a.toml")):
        called = uma(*arguments)
        assert (called.code, called.out) == (6, "")
        assert "no space is left\nhint: make room" in called.err
        assert (disk / "four.toml").read_bytes() == FOUR.encode()
        assert names(disk) == before
    for filler in fillers[: 2 - free]:
        filler.unlink()
    assert uma("gate", "four.toml").code == 0


def test_a_read_only_disk_is_named_as_such(disk: Path) -> None:
    """Show works there; a step says what can be done."""
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    called = call_as(NOBODY, "gate", "four.toml", folder=disk)
    assert called.returncode == 6
    assert "the disk is read-only\nhint: uma writes beside the race" in called.stderr
    assert call_as(NOBODY, "new", "a.toml", folder=disk).returncode == 6
    assert call_as(NOBODY, "show", "four.toml", folder=disk).returncode == 0


def test_wherever_the_writing_stops_the_old_file_stays(uma: Uma, four: Path) -> None:
    """At the first byte, in the middle, at the last: code 6, nothing told as done, no litter."""
    old = four.read_bytes()
    assert uma("gate", "four.toml").code == 0
    size = four.stat().st_size
    four.write_bytes(old)

    def limited(room: int, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        return subprocess.run(
            [*UMA, *arguments],
            capture_output=True,
            check=False,
            preexec_fn=limit,
            cwd=four.parent,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )

    for room in (0, 1, size // 2, size - 1):
        for arguments in (("gate", "four.toml"), ("new", "a.toml", "--title", "x" * size)):
            called = limited(room, *arguments)
            assert (called.returncode, called.stdout) == (6, b"")
            assert b"cannot be written: the file would be too large\nhint: make room" in called.stderr
            assert four.read_bytes() == old
            assert names(four.parent) == {"four.toml"}
    assert limited(size, "gate", "four.toml").returncode == 0


@pytest.mark.parametrize("owned", [True, False])
def test_a_read_only_file_is_refused(four: Path, owned: bool) -> None:
    """It is not replaced behind its owner's back, though its folder could be written (6)."""
    four.parent.chmod(0o777)
    four.chmod(0o444 if owned else 0o644)
    if owned and ROOT:
        os.chown(four, 65534, 65534)
    elif not ROOT:
        four.chmod(0o444)
    before = four.read_bytes()
    for arguments in (("gate", "four.toml"), ("new", "four.toml", "--force")):
        called = call_as(NOBODY, *arguments, folder=four.parent)
        assert called.returncode == 6
        assert called.stderr == "uma: four.toml: it is read-only\nhint: chmod u+w four.toml makes it writable\n"
        assert four.read_bytes() == before
        assert names(four.parent) == {"four.toml"}


def test_a_file_that_nobody_may_write_is_refused_for_root_too(uma: Uma, four: Path) -> None:
    """Whom permissions do not bind keeps to them all the same."""
    four.chmod(0o444)
    before = four.read_bytes()
    assert uma("gate", "four.toml").code == 6
    assert four.read_bytes() == before


def test_a_read_only_folder_is_refused(four: Path) -> None:
    """A step writes beside the race, and says so (6)."""
    four.chmod(0o666)
    four.parent.chmod(0o555)
    before = four.read_bytes()
    for arguments in (("gate", "four.toml"), ("new", "a.toml"), ("new", "four.toml", "--force")):
        called = call_as(NOBODY, *arguments, folder=four.parent)
        assert called.returncode == 6
        assert "permission denied\nhint: uma writes beside the race: make its folder writable" in called.stderr
        assert four.read_bytes() == before
        assert names(four.parent) == {"four.toml"}
    assert call_as(NOBODY, "show", "four.toml", folder=four.parent).returncode == 0
    four.parent.chmod(0o755)


def test_a_folder_that_is_not_there_is_not_made(uma: Uma, tmp_path: Path) -> None:
    """The message says what to do first (6)."""
    called = uma("new", "spring/derby.toml")
    assert called.code == 6
    assert called.err.endswith("there is no such file or folder\nhint: make its folder first\n")
    assert names(tmp_path) == set()


def test_a_name_that_is_too_long_is_told(uma: Uma, tmp_path: Path) -> None:
    """There has to be room for what lies beside it, too."""
    for name in ("a" * 252, "a" * 300):
        called = uma("new", name)
        assert called.code == 6
        assert called.err.endswith("the name is too long\nhint: give it a shorter name\n")
        assert names(tmp_path) == set()


@pytest.mark.skipif(not ROOT, reason="only root is several people")
def test_owner_and_group_stay(four: Path) -> None:
    """Whoever of the group plays, the group stays; root gives the file back to its owner."""
    four.parent.chmod(0o777)
    os.chown(four, 2001, 3000)
    four.chmod(0o660)
    played = call_as(2002, "gate", "four.toml", folder=four.parent, groups=(2002, 3000))
    assert played.returncode == 0
    assert (four.stat().st_uid, four.stat().st_gid, four.stat().st_mode & 0o777) == (2002, 3000, 0o660)
    assert (
        subprocess.run([*UMA, "gate", four, "--check", "春麗=2+2+2"], capture_output=True, check=False).returncode == 0
    )
    assert (four.stat().st_uid, four.stat().st_gid, four.stat().st_mode & 0o777) == (2002, 3000, 0o660)


@pytest.mark.skipif(not ROOT, reason="only root is several people")
def test_a_group_that_cannot_be_given_gets_no_more_than_all(four: Path) -> None:
    """Another group does not inherit what was the old one's."""
    four.parent.chmod(0o777)
    os.chown(four, 65534, 3000)
    four.chmod(0o660)
    assert call_as(NOBODY, "gate", "four.toml", folder=four.parent).returncode == 0
    assert (four.stat().st_gid, four.stat().st_mode & 0o777) == (65534, 0o600)


@pytest.mark.skipif(not ROOT, reason="only root is several people")
def test_a_lock_that_somebody_else_has_left_stands_in_nobodys_way(four: Path) -> None:
    """Of two who share a race one is killed amid a step, and the other plays on at once."""
    os.chown(four.parent, 2001, 3000)
    four.parent.chmod(0o775)
    os.chown(four, 2001, 3000)
    four.chmod(0o664)
    lost = call_as(2001, "gate", "four.toml", folder=four.parent, groups=(2001, 3000), killed=True)
    assert lost.returncode == -signal.SIGKILL
    assert names(four.parent) == {"four.toml", ".four.toml.lock", ".four.toml.tmp"}
    assert call_as(2002, "gate", "four.toml", folder=four.parent, groups=(2002, 3000)).returncode == 0
    assert names(four.parent) == {"four.toml"}


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="the system knows no attributes of files")
def test_what_else_a_disk_knows_of_a_file_stays(uma: Uma, four: Path) -> None:
    """An attribute that somebody gave it, and with it an access list, is given on."""
    try:
        os.setxattr(four, "user.league", b"spring")
    except OSError:
        pytest.skip("this disk knows no attributes of files")
    assert uma("gate", "four.toml", "--check", "1=3+3+3").code == 0
    assert os.getxattr(four, "user.league") == b"spring"


def test_a_hard_link_is_not_replaced_by_force_either(uma: Uma, four: Path) -> None:
    """Its other name would silently keep the old race."""
    os.link(four, "other.toml")
    assert uma("new", "four.toml", "--force").code == 6
    assert four.read_bytes() == Path("other.toml").read_bytes()
