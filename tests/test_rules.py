"""Each rule of uma-rules(7) by its number: race files with recorded dice, read by one generic test.

A vector is a race file under `tests/races`, named by the rule it proves first. Its head has `x-rules`, the numbers it
proves; `x-waits`, whom it waits for ("corner-2 move 特別周"), if it does; and under `refused`, `x-refused`, a part of
the message that refuses it.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from uma_cli import file
from uma_cli.errors import UmaError
from uma_cli.race import NO_RECORD, Record, kind_of
from uma_cli.replay import replay
from uma_cli.run import Call, advance
from uma_cli.voice import Voice

RACES = Path(__file__).parent / "races"
MANUAL = Path(__file__).parent.parent / "man" / "uma-rules.7"
FOLLOWING = sorted(RACES.glob("*.toml"))
REFUSED = sorted((RACES / "refused").glob("*.toml"))


def head(path: Path) -> dict[str, Any]:
    """The keys of a vector."""
    return tomllib.loads(path.read_text("utf-8"))


def closings(source: file.Source) -> list[str]:
    """The scenes that a race file closes."""
    return [scene for scene in source.race.scenes if source.race.record(scene).closing is not None]


@pytest.mark.parametrize("path", FOLLOWING, ids=lambda path: path.stem)
def test_the_race_follows_from_its_answers(path: Path) -> None:
    """Every standing and result follows, the dice asked for are those recorded, and it waits for whom it should."""
    source = file.read(str(path))
    assert not source.warnings
    stand = replay(source.race)
    waits = [f"{ask.scene} {ask.question} {ask.runner}" for ask in stand.waiting]
    assert waits == head(path).get("x-waits", [])
    assert closings(source) or waits


@pytest.mark.parametrize("path", FOLLOWING, ids=lambda path: path.stem)
def test_the_last_standing_is_worked_out_and_not_only_compared(path: Path) -> None:
    """Without the table that closes its last scene, the scene's command writes the same again."""
    source = file.read(str(path))
    if not closings(source) or head(path).get("x-waits"):
        return
    scene = closings(source)[-1]
    table = "result" if scene == "finish" else "standing"
    text = re.sub(rf"^\[{scene}\.{table}\]\n(?:[^\[\n].*\n?)*", "", source.text, flags=re.MULTILINE)
    opened = file.source_of("vector.toml", text.encode())
    if not opened.race.record(scene).answers:
        return
    outcome = advance(opened, Call(kind_of(scene), scene=scene))
    assert _plain(outcome.stand.race.record(scene)) == _plain(source.race.record(scene))


def _plain(record: Record) -> Record:
    answers = {question: by_runner for question, by_runner in record.answers.items() if by_runner}
    return record._replace(answers=answers)


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_the_race_is_refused_for_its_reason(path: Path) -> None:
    """What the rules do not allow is refused with the reason."""
    with pytest.raises(UmaError) as caught:
        replay(file.read(str(path)).race)
    assert head(path)["x-refused"] in Voice().say(caught.value.what)


def numbers() -> list[str]:
    """The rule numbers of the manual."""
    return re.findall(r"^\.It Sy ([A-Z][0-9]+)$", MANUAL.read_text("utf-8"), re.MULTILINE)


def test_the_manual_has_every_rule_once() -> None:
    """G1-G6, A1-A7, P1-P4, C1-C7, F1-F7, S1-S3, M1-M3."""
    sections = {"G": 6, "A": 7, "P": 4, "C": 7, "F": 7, "S": 3, "M": 3}
    assert numbers() == [f"{letter}{number}" for letter, last in sections.items() for number in range(1, last + 1)]


@pytest.mark.parametrize("number", numbers())
def test_every_rule_of_the_manual_has_a_vector(number: str) -> None:
    """A rule without a race that proves it is no rule of this tool."""
    assert any(number in head(path)["x-rules"] for path in (*FOLLOWING, *REFUSED))


@pytest.mark.parametrize("path", [*FOLLOWING, *REFUSED], ids=lambda path: path.stem)
def test_a_vector_names_rules_that_there_are(path: Path) -> None:
    """Its file name begins with one of them."""
    rules = head(path)["x-rules"]
    assert set(rules) <= set(numbers())
    assert path.stem.partition("-")[0] in rules


def test_an_unbegun_scene_records_nothing() -> None:
    """A race that has only its head stands before the gate."""
    assert not NO_RECORD.begun
