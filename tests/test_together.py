"""Many calls at once on one file: each step is done once, none is lost, and nobody reads half a race."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Uma
from tests.crowd import crowd
from uma_cli import disk


def alone(path: Path) -> bool:
    """Whether nothing lies beside a race."""
    return [other.name for other in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("writers", [2, 8, 50])
def test_of_many_who_write_at_once_nobody_is_lost(uma: Uma, tmp_path: Path, writers: int) -> None:
    """Whoever was told that it is done is in the file, once; whoever waited too long is told so (5) and is not."""
    path = tmp_path / "race.toml"
    runners = "".join(f'[runner."R{number}"]\nkiai = 4\n' for number in range(writers))
    path.write_text(f'format = 1\nthrows = "hand"\n{runners}', "utf-8")
    answers = [["gate", str(path), "--check", f"R{number}=3+3+3"] for number in range(writers)]
    codes = crowd(*answers, meanwhile=["show", str(path)])
    assert set(codes.calls) <= {0, 5}
    assert 0 in codes.calls
    assert set(codes.meanwhile) == {0}
    text = path.read_text("utf-8")
    for number, code in enumerate(codes.calls):
        assert text.count(f'R{number} = "3 3 3, hand"\n') == (code == 0), (number, code)
    assert alone(path)
    assert uma("gate", "race.toml").code == 0


def test_of_twenty_that_make_the_same_race_one_does(tmp_path: Path) -> None:
    """The others are refused, and what is there is the one's."""
    path = tmp_path / "race.toml"
    codes = crowd(*(["new", str(path), "--title", f"number {number}"] for number in range(20))).calls
    assert sorted(codes) == [0] + [6] * 19
    assert f'title = "number {codes.index(0)}"' in path.read_text("utf-8")
    assert alone(path)


def test_a_race_made_anew_amid_steps_is_the_old_one_or_the_new(uma: Uma, tmp_path: Path) -> None:
    """`new --force` waits its turn: no step is put on a race that it was not made for."""
    path = tmp_path / "race.toml"
    assert uma("new", "race.toml", "--runner", "Old:kiai=4", "--throws", "hand").code == 0
    steps = [["gate", str(path), "--note", f"Old={number}"] for number in range(8)]
    anew = ["new", str(path), "--force", "--runner", "New:kiai=4"]
    codes = crowd(*steps, anew, meanwhile=["show", str(path)])
    assert codes.calls[-1] == 0
    assert set(codes.calls) <= {0, 2, 4}
    assert set(codes.meanwhile) == {0}
    text = path.read_text("utf-8")
    assert "[runner.New]" in text
    assert "[runner.Old]" not in text
    assert alone(path)


def test_a_step_that_is_called_fifty_times_at_once_is_done_once(uma: Uma, tmp_path: Path) -> None:
    """With `--scene` and `--if-needed` no call plays on, and no show fails or sees an empty file."""
    path = tmp_path / "race.toml"
    assert uma("new", "race.toml", "--runner", "Rice:kiai=4", "--runner", "Teio:kiai=4").code == 0
    assert uma("gate", "race.toml", "--auto").code == 0
    step = ["corner", str(path), "--auto", "--scene", "corner-2", "--if-needed"]
    codes = crowd(*[step] * 50, meanwhile=["show", str(path)])
    assert set(codes.calls) <= {0, 5}
    assert 0 in codes.calls
    assert set(codes.meanwhile) == {0}
    text = path.read_text("utf-8")
    assert text.count("[corner-2.standing]") == 1
    assert "[corner-3" not in text
    assert alone(path)


def test_a_step_waits_five_seconds() -> None:
    """Long enough for many steps, and for whoever looks at a terminal."""
    assert disk.LOCK_SECONDS == 5
