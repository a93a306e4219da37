"""The same call writes the same file on every machine: whatever its locale, its line ends and its shell."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import Uma

CALLS = (
    ("new", "日本.toml", "--title", "源", "--seed", "ダービー", "--runner", "特別周:kiai=4", "--runner", "春麗:kiai=4"),
    ("gate", "日本.toml", "--auto", "--note", "春麗=よし"),
    ("corner", "日本.toml", "--obstacle", "5", "--move", "春麗=前", "--move", "特別周=維持", "--auto"),
)
LOCALES: dict[str, dict[str, str]] = {
    "C": {"LC_ALL": "C"},
    "C, and no UTF-8 mode": {"LC_ALL": "C", "PYTHONUTF8": "0"},
    "POSIX, and no help from Python": {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "none at all": {"PYTHONUTF8": "0"},
    "streams of another code page": {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "cp950"},
}


def written(folder: Path, environment: dict[str, str]) -> bytes:
    """What the calls write under an environment that has nothing else to go by."""
    for call in CALLS:
        done = subprocess.run(
            [sys.executable, "-m", "uma_cli", *call],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), **environment},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return (folder / "日本.toml").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="locales of POSIX")
@pytest.mark.parametrize("locale", LOCALES)
def test_a_race_is_the_same_bytes_in_every_locale(tmp_path: Path, locale: str) -> None:
    """Names of files and runners are read as UTF-8, and the file is UTF-8 with LF."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    raw = written(one, LOCALES[locale])
    assert raw == written(other, {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"})
    assert b"\r" not in raw
    assert list(tomllib.loads(raw.decode())["runner"]) == ["特別周", "春麗"]


def test_the_line_ends_of_a_machine_do_not_matter(uma: Uma, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a race is written in text mode."""
    files = []
    for ends in ("\n", "\r\n"):
        monkeypatch.setattr(os, "linesep", ends)
        for call in CALLS:
            assert uma(*call, *["--force"] * (call[0] == "new")).code == 0
        files.append((tmp_path / "日本.toml").read_bytes())
    assert files[0] == files[1]
    assert b"\r" not in files[0]


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell that expands no wildcards, as that of Windows."""
    monkeypatch.setattr("uma_cli.batch.os.name", "nt")


WILD = "[G1]天皇賞*? ~ %PATH% $HOME"


@pytest.mark.usefixtures("windows")
def test_where_the_shell_expands_no_wildcards_only_files_are_expanded(uma: Uma, tmp_path: Path) -> None:
    """A title, a note, a runner and an answer stay as typed, whatever lies in the folder."""
    for name in ("G1.toml", "G.toml", "1天皇賞.toml"):
        (tmp_path / name).write_text("format = 1\n[runner.Rice]\n[runner.Teio]\n", "utf-8")
    assert uma("new", "out.toml", "--title", WILD, "--note", WILD, "--runner", "G?:player=*.toml").code == 0
    race = tomllib.loads((tmp_path / "out.toml").read_text("utf-8"))
    assert (race["title"], race["note"], race["runner"]) == (WILD, WILD, {"G?": {"player": "*.toml"}})
    assert uma("gate", "out.toml", "--note", f"G?={WILD}", "--note", "*=?").code == 0
    record = tomllib.loads((tmp_path / "out.toml").read_text("utf-8"))["gate"]
    assert record["note"] == {"G?": WILD, "*": "?"}
    shown = uma("show", "--tsv", "G*.toml", "?天*.toml").out
    assert {line.split("\t")[0] for line in shown.splitlines()[1:]} == {"G1.toml", "G.toml", "1天皇賞.toml"}


def test_where_the_shell_expands_wildcards_uma_does_not(uma: Uma, tmp_path: Path) -> None:
    """A name with a star is that name."""
    for name in ("*.toml", "other.toml"):
        (tmp_path / name).write_text("format = 1\n[runner.Rice]\n", "utf-8")
    uma("gate", "*.toml", "--note", "Rice=here")
    assert "here" in (tmp_path / "*.toml").read_text("utf-8")
    assert "here" not in (tmp_path / "other.toml").read_text("utf-8")
