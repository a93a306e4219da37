"""A seeded race is the same bytes on any Python, whatever the order of its files, options and calls."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import click
import pytest

import uma_cli
from tests.conftest import Uma

CORNERS = tuple(f"corner-{number}" for number in range(1, 6))
FIVE = tuple(part for name in ("特別周", "無聲鈴鹿", "神鷹", "春麗", "Rice") for part in ("--runner", f"{name}:kiai=4"))
TWELVE = tuple(part for number in range(12) for part in ("--runner", f"R{number}:kiai={number + 1}"))
CALLS = (
    ("new", "duel.toml", "--seed", "duel", "--runner", "Rice:kiai=4", "--runner", "Teio:kiai=4,bonus=1"),
    ("new", "derby.toml", "--seed", "日本ダービー", "--corners", "3", "--finish-checks", "2", "--photo", "10 1", *FIVE),
    ("new", "long.toml", "--seed", "0", "--scenes", f"gate {' '.join(CORNERS)} finish", *TWELVE),
    ("new", "asked.toml", "--seed", "-5", "--ask", "kiai style", "--corners", "0", "--runner", "A", "--runner", "B"),
    ("gate", "duel.toml", "--kiai", "Rice=2,Teio=1", "--style", "Teio=runaway", "--auto", "--note", "Rice=go"),
    ("gate", "derby.toml", "long.toml", "asked.toml", "--auto", "--strategy", "random"),
    ("corner", "duel.toml", "--scene", "corner-2", "--auto", "--ruling", "Rice=kiai -1", "--why", "she stumbled"),
    ("corner", "derby.toml", "long.toml", "--auto", "--scene", CORNERS[0], "--npc", "旗手=kiai 3"),
    *(("corner", "derby.toml", "long.toml", "--auto", "--scene", corner) for corner in CORNERS[1:3]),
    *(("corner", "long.toml", "--auto", "--strategy", "random", "--scene", corner) for corner in CORNERS[3:]),
    ("corner", "duel.toml", "--scene", "corner-3", "--auto"),
    ("finish", "duel.toml", "derby.toml", "long.toml", "asked.toml", "--auto"),
)
"""Four whole races."""

RECORDED = {
    "asked": "f683ee5dc1556e933572c67c9e3d27c7709e94445a7d3c0c6526d98483377d50",
    "derby": "d3371ecc5f2aab35bae17a0cc3a88235cdb4c69a7320e1b1e53194f649a6d109",
    "duel": "25c0c6b58d032cced07447e7fe229facc028915a033f10e45491fb93aaa6066c",
    "long": "0719a0dfb39c5f64e7a441842ccb099316527b41292e1070d6068d20724b037f",
}
"""The SHA-256 of each race's file as it has always been."""


def digests(folder: Path) -> dict[str, str]:
    """What the races in a folder have become."""
    return {path.stem: sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.toml"))}


def test_whole_seeded_races_are_the_bytes_that_they_have_always_been(uma: Uma, tmp_path: Path) -> None:
    """Every die, choice and standing, and how they are written; somebody's season rests on it."""
    for call in CALLS:
        called = uma(*call, "--quiet")
        assert called.code == 0, called.err
    assert digests(tmp_path) == RECORDED


def turned(call: tuple[str, ...]) -> tuple[str, ...]:
    """The same call with its options and files the other way round; runners keep their order, which is their number."""
    kind, *rest = call
    words: list[tuple[str, ...]] = []
    while rest:
        word = rest.pop(0)
        flag = not word.startswith("--") or word == "--auto"
        words.append((word,) if flag else (word, rest.pop(0)))
    runners = [pair for pair in words if pair[0] == "--runner"]
    others = [pair for pair in words if pair[0] != "--runner"]
    return (kind, *(part for pair in [*reversed(others), *runners] for part in pair))


def test_the_order_of_files_and_options_does_not_matter(uma: Uma, tmp_path: Path) -> None:
    """Each call with all of it the other way round, and each file in a call of its own, give the same bytes."""
    for call in CALLS:
        turn = turned(call)
        assert sorted(turn) == sorted(call)
        files = [word for word in turn if word.endswith(".toml")]
        for file in files:
            called = uma(*(word for word in turn if word == file or word not in files), "--quiet")
            assert called.code == 0, called.err
    assert digests(tmp_path) == RECORDED


def test_answers_in_one_call_or_in_many_make_the_same_bytes(uma: Uma, tmp_path: Path) -> None:
    """Said at once, one after another or the other way round, as long as all are said before the next question."""
    said = [("--check", f"{name}=roll") for name in ("Rice", "Teio", "Maru")]
    files: list[bytes] = []
    for order in (said, said[::-1], [said[1], said[0], said[2]]):
        for at_once in (False, True):
            path = tmp_path / f"{len(files)}.toml"
            names = [part for name in ("Rice", "Teio", "Maru") for part in ("--runner", name)]
            uma("new", path.name, "--throws", "hand", "--seed", "order", *names)
            uma("gate", path.name)
            calls = [sum(order, ())] if at_once else order
            for call in calls:
                assert uma("gate", path.name, *call).code == 0
            files.append(path.read_bytes())
    assert len(files) == 6
    assert len(set(files)) == 1


def pythons() -> Iterator[tuple[str, str]]:
    """Other Pythons of this machine that can run uma, by their version."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(11, 20):
        places = [shutil.which(f"python3.{minor}"), *home.glob(f"3.{minor}.*/bin/python")]
        for place in filter(None, places):
            asked = [str(place), "-c", "import sys, tomllib; print(sys.version.split()[0])"]
            version = subprocess.run(asked, capture_output=True, check=False, text=True)
            if version.returncode == 0 and minor != sys.version_info.minor:
                yield version.stdout.strip(), str(place)
                break


ALL_IN_ONE = """
import json, sys
from uma_cli.cli import invoke
sys.exit(max(invoke([*call, "--quiet"]) for call in json.load(sys.stdin)))
"""


def test_another_python_writes_the_same_bytes(tmp_path: Path) -> None:
    """Every other version that is found here, with the same libraries, which are Python too."""
    others = dict(pythons())
    if not others:
        pytest.skip("no other Python of 3.11 or newer is on the PATH or with pyenv")
    libraries = (Path(uma_cli.__file__).parent.parent, Path(click.__file__).parent.parent)
    for version, python in others.items():
        folder = tmp_path / version
        folder.mkdir()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, libraries)), "PYTHONHASHSEED": "7"}
        done = subprocess.run(
            [python, "-c", ALL_IN_ONE],
            input=json.dumps(CALLS).encode(),
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, b""), done.stderr
        assert digests(folder) == RECORDED, version
