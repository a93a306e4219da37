"""The README is run as it stands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Uma

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")


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


@pytest.mark.parametrize("option", sorted(set(re.findall(r"(?<![\w-])--[a-z-]+", README))))
def test_every_option_of_the_readme_is_there(uma: Uma, option: str) -> None:
    """The README names no option that no command has."""
    helps = [uma(command, "--help").out for command in ("new", "gate", "corner", "finish", "show")]
    assert any(option in text for text in helps)
