"""The strategies play whole races by the rules, each in a way of its own, and each pays."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tomli_w
from click.shell_completion import ShellComplete
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.bench.balance import entered, steps
from tests.conftest import Uma
from tests.fields import Toml, races, read
from tests.test_manual import items
from uma_cli.chance import interval
from uma_cli.cli import uma as group
from uma_cli.race import Position, Race, kind_of
from uma_cli.run import Call, advance
from uma_cli.step import Stepped
from uma_cli.strategy import STRATEGIES, Steady
from uma_cli.tables import DEFAULT_TABLES

RACES = 300
PLANNED = [name for name in STRATEGIES if name != "random"]
"""The strategies that think."""
SCENES = Race().scenes


class Seen(NamedTuple):
    """What a person at the table would see of many races."""

    starts: Counter[str]
    wins: Counter[str]
    answers: Counter[tuple[str, str, str, str]]
    """Strategy, scene, question, what was answered."""
    kiai: dict[tuple[str, str], list[int]]
    """Strategy, scene: how much was declared."""
    ranks: dict[tuple[str, str], list[int]]
    """Strategy, scene: how far behind the front she ended it."""
    overheated: Counter[str]
    """Who rolled the finish check above the best row."""


@cache
def seen(ask: str) -> Seen:
    """Seeded races of twelve, three of each strategy."""
    of = Seen(Counter(), Counter(), Counter(), defaultdict(list), defaultdict(list), Counter())
    for number in range(RACES):
        race = entered(f"seen/{number}", ask)
        for stepped in steps(race):
            _look(of, race, stepped)
    return of


def _look(of: Seen, race: Race, stepped: Stepped) -> None:
    played, scene = stepped.played, stepped.played.scene
    for name, entry in race.entries.items():
        auto, runner = entry.auto or "", played.field[name]
        for question, by_runner in stepped.record.answers.items():
            if name in by_runner:
                of.answers[auto, scene, question, _kind(question, by_runner[name])] += 1
        of.kiai[auto, scene].append(int(stepped.record.answers.get("kiai", {}).get(name, 0)))
        of.ranks[auto, scene].append(runner.position.rank if runner.position else 0)
        if scene == "finish":
            of.starts[auto] += 1
            of.overheated[auto] += runner.kiai > BEST
    of.wins.update(
        race.entries[line.name].auto or "" for line in played.field.finishes if line.place == 1 and not line.npc
    )


BEST = max(range(1, 16), key=lambda kiai: DEFAULT_TABLES.roll(kiai).mean)


def _kind(question: str, answer: str) -> str:
    if question == "skill":
        return "cancel" if "spoil" in answer else "pass" if answer == "pass" else "skill"
    if question == "kiai":
        return "rise" if answer != "0" else "none"
    return answer.partition(" ")[0] if question == "place" else answer


def answered(strategy: str, question: str, answer: str, scene: str = "") -> int:
    """How often a strategy answered so, in a scene or in all of them."""
    return sum(
        count
        for key, count in seen("kiai style").answers.items()
        if key == (strategy, scene or key[1], question, answer)
    )


def mean(numbers: list[int]) -> float:
    return sum(numbers) / len(numbers)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_kind_of_choice_occurs(strategy: str) -> None:
    """Kiai, skills, cancels, both moves, every pace and placing are played by some runner of each strategy."""
    for question, answer in (
        *(("kiai", answer) for answer in ("rise", "none")),
        *(("skill", answer) for answer in ("skill", "cancel", "pass")),
        *(("move", answer) for answer in ("forward", "back", "stay")),
        *(("place", answer) for answer in ("front", "back")),
        *(("style", answer) for answer in ("none", "runaway", "end-closer")),
    ):
        assert answered(strategy, question, answer), (question, answer)
    assert sum(answered(strategy, "pace", pace) for pace in ("fast", "average", "slow")) >= 10
    assert answered("random", "style", "late-start") >= 10


@pytest.mark.parametrize("ask", ["kiai style", ""])
def test_each_that_thinks_wins_more_than_random(ask: str) -> None:
    """Whether kiai is declared or not, the intervals of their wins lie above that of random play."""
    of = seen(ask)
    random = interval(of.wins["random"], of.starts["random"])
    for strategy in PLANNED:
        assert interval(of.wins[strategy], of.starts[strategy])[0] > 1.5 * random[1], strategy
    assert of.wins["random"] > 0


@pytest.mark.parametrize("ask", ["kiai style", ""])
def test_no_way_of_playing_is_beaten_by_another_out_of_hand(ask: str) -> None:
    """Of those that think each wins at least half as often as the best of them."""
    wins = seen(ask).wins
    assert min(wins[strategy] for strategy in PLANNED) * 2 >= max(wins[strategy] for strategy in PLANNED)


def test_bold_and_patient_are_known_by_their_kiai() -> None:
    """Bold declares it at the gate, patient at the finish; and patient ends less often above the best row."""
    of = seen("kiai style")
    assert mean(of.kiai["bold", "gate"]) > 1 > 0.1 > mean(of.kiai["patient", "gate"])
    assert mean(of.kiai["patient", "finish"]) > 0.5 > mean(of.kiai["bold", "finish"])
    assert of.overheated["patient"] * 1.5 < of.overheated["bold"]


def test_bold_and_patient_are_known_by_where_they_stand() -> None:
    """Bold asks to run away and moves up at once; patient stays behind until the last corner."""
    of = seen("kiai style")
    assert answered("bold", "style", "runaway") > 2 * answered("patient", "style", "runaway")
    assert answered("patient", "style", "end-closer") > 2 * answered("bold", "style", "end-closer")
    assert mean(of.ranks["bold", "corner-2"]) + 0.5 < mean(of.ranks["patient", "corner-2"])
    forward = {scene: answered("patient", "move", "forward", scene) for scene in SCENES[1:3]}
    assert forward["corner-3"] > 3 * forward["corner-2"]
    assert answered("bold", "move", "forward", "corner-2") > 3 * forward["corner-2"]


def test_bold_and_patient_are_known_by_their_pace() -> None:
    """Who leads boldly sets a fast pace rather than a slow one, who leads patiently the other way round."""
    assert answered("bold", "pace", "fast") > 2 * answered("bold", "pace", "slow")
    assert answered("patient", "pace", "slow") > 2 * answered("patient", "pace", "fast")


def test_patient_keeps_her_skills_for_the_finish() -> None:
    """Of the skills that she could use in a corner she uses fewer than bold does."""
    used = {strategy: sum(answered(strategy, "skill", "skill", scene) for scene in SCENES[1:3]) for strategy in PLANNED}
    assert used["patient"] * 1.5 < used["bold"]


def test_random_draws_from_the_seed() -> None:
    """A seeded race played at random twice is the same race."""
    first, second = ([stepped.record for stepped in steps(entered("5", "kiai", ["random"]))] for _ in range(2))
    assert first == second


@given(races(), st.sampled_from(list(STRATEGIES)), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
def test_every_strategy_plays_any_race_to_its_end(race: Toml, strategy: str, seed: int) -> None:
    """Whatever the field and the tables, one call a scene is enough: no answer is refused and none is missing."""
    runners = {
        name: {key: value for key, value in runner.items() if key not in ("throws", "auto")}
        for name, runner in race["runner"].items()
    }
    text = tomli_w.dumps({**race, "seed": str(seed), "throws": "tool", "runner": runners})
    for scene in race["scenes"]:
        outcome = advance(read(text), Call(kind_of(scene), scene=scene, auto=True, strategy=strategy))
        assert not outcome.aside
        text = outcome.text
    assert outcome.stand.status == "finished"


def test_a_cap_without_bounds_costs_no_more_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the last row all kiai is one, so as much is thought of a cap of 2,000 as of one of 20."""
    thoughts: Counter[int] = Counter()
    score = Steady.score

    def counted(self: Steady, *about: Any) -> float:
        thoughts[cap] += 1
        return score(self, *about)

    monkeypatch.setattr(Steady, "score", counted)
    for cap in (20, 2_000):
        race = entered("cap", "kiai", ["steady"])
        tables = race.tables._replace(cap={"gate": cap, "scene": cap})
        next(steps(race._replace(tables=tables)))
    assert thoughts[20] == thoughts[2_000] > 0


class Meek(Steady):
    """Stands as far behind as she can."""

    FORWARD = -100.0


def test_another_is_one_short_class(uma: Uma, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listed once it can be named in a file and on the command line, TAB offers it, and it plays."""
    monkeypatch.setitem(STRATEGIES, "meek", Meek)
    race = tmp_path / "race.toml"
    race.write_text('format = 1\nask = "style"\n\n[runner.Rice]\n[runner.Teio]\nauto = "meek"\n', encoding="utf-8")
    assert uma("gate", "race.toml", "--auto", "--strategy", "meek").code == 0
    answers = tomllib.loads(race.read_text("utf-8"))["gate"]["style"]
    assert answers == {"Rice": Position.LATE_START, "Teio": Position.LATE_START}
    tab = ShellComplete(group, {}, "uma", "_UMA_COMPLETE")
    assert [item.value for item in tab.get_completions(["gate", "--strategy"], "me")] == ["meek"]
    assert "`meek`?" in uma("gate", "race.toml", "--auto", "--strategy", "mek").err


def test_the_manual_tells_of_each() -> None:
    """uma-rules(7) says how each strategy plays, and of no other."""
    assert items("uma-rules.7", "STRATEGIES") == set(STRATEGIES)
