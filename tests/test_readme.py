"""The README is run as it stands."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.conftest import Uma

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")

OURS = re.sub("`parallel [^`]*`", "", README)
"""Without a call of another program that has options of its own."""


def sessions() -> list[tuple[str, str]]:
    """Every call that the README shows, with what it prints."""
    shown = "".join(re.findall(r"```console\n(.*?)```", README, re.DOTALL))
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", shown, re.MULTILINE)


def test_the_tour_prints_what_the_readme_shows(uma: Uma, tmp_path: Path) -> None:
    """Each call prints just what stands under it, and the file holds what the README says it holds."""
    calls = sessions()
    assert calls
    for line, printed in calls:
        program, *arguments = shlex.split(line)
        assert program == "uma"
        called = uma(*arguments)
        assert (called.code, called.err, called.out) == (0, "", printed)
    record, tables = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    assert record in (tmp_path / "derby.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(tables, "utf-8")
    assert uma("new", "other.toml", "--rules", "mine.toml", "--runner", "Rice").code == 0
    assert uma("show", "other.toml").err == ""


@pytest.mark.parametrize("option", sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", OURS))))
def test_every_option_of_the_readme_is_there(uma: Uma, option: str) -> None:
    """The README names no option that no command has."""
    helps = [uma(command, "--help").out for command in ("new", "gate", "corner", "finish", "show")]
    assert any(option in text for text in helps)


def season() -> list[str]:
    """The lines of the README that make, play and count many races."""
    section = README.partition("## Many races")[2].partition("\n## ")[0]
    return re.findall("^    (.*)$", section, re.MULTILINE)


def in_a_shell(line: str) -> str:
    """Run a line of the README where the command `uma` is."""
    scripts = sysconfig.get_path("scripts")
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(["/bin/sh", "-ec", line], check=True, env=environment, capture_output=True, text=True).stdout


def files() -> dict[str, bytes]:
    """All races of the season."""
    return {path.name: path.read_bytes() for path in Path("season").iterdir()}


def test_the_season_of_the_readme_is_the_same_bytes_whoever_plays_it(uma: Uma) -> None:
    """Made, played on several cores, by xargs and by GNU parallel, and counted: each line as it stands."""
    runners = [part for n in range(1, 21) for part in ("--runner", f"Runner {n}:kiai={n % 4 + 2},player=@p{n % 5}")]
    assert uma("new", "roster.toml", *runners).code == 0
    make, play, table, *others = season()
    in_a_shell(make)
    begun = files()
    assert len(begun) == 100
    in_a_shell(play)
    ended = files()
    assert all(b"[finish.result]" in text for text in ended.values())
    assert "races: 100; points by place: 12 8 5 3" in in_a_shell(table)
    assert [line.partition(" | ")[2].split()[0] for line in others] == ["xargs", "parallel"]
    for line in others:
        if "| parallel" in line and not _gnu_parallel():
            pytest.skip("there is no GNU parallel here")
        for name, text in begun.items():
            Path("season", name).write_bytes(text)
        in_a_shell(line)
        assert files() == ended


def _gnu_parallel() -> bool:
    found = shutil.which("parallel")
    return bool(found) and "GNU parallel" in in_a_shell("parallel --version")
