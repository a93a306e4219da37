"""The strategies play whole races by the rules, and steady play pays."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import NamedTuple

import tomli_w

from uma_cli import file
from uma_cli.race import Race, kind_of
from uma_cli.replay import Stand
from uma_cli.run import Call, advance

SKILLS: dict[str, dict[str, object]] = {
    "spurt": {"when": "finish", "kiai": 1, "dice": 1},
    "late kick": {"when": "finish", "position": "late-surger end-closer", "bonus": 4},
    "hold the rail": {"when": "corner", "bonus": 2, "kiai": 1},
    "spoil": {"when": "finish", "cancels": True, "kiai": 1},
    "glare": {"when": "corner finish", "target-kiai": 2},
    "breathe": {"when": "corner finish", "kiai": -2},
    "slipstream": {"soften": 2},
    "burst away": {"when": "gate", "place": "runaway", "kiai": 1},
}
RACES = 1_000


class Ran(NamedTuple):
    """What a thousand races came to."""

    wins: Counter[str]
    answers: Counter[tuple[str, str, str]]
    """Strategy, question, what was answered."""


def race(seed: int) -> str:
    """Eight runners, four of each strategy, each with three skills."""
    draw = random.Random(seed)
    strategies = ["steady", "random"] * 4
    draw.shuffle(strategies)
    runners = {
        f"R{number}": {
            "kiai": draw.randint(3, 5),
            "auto": strategy,
            "skill": {name: SKILLS[name] for name in draw.sample(sorted(SKILLS), 3)},
        }
        for number, strategy in enumerate(strategies, 1)
    }
    return tomli_w.dumps({"format": 1, "seed": str(seed), "ask": "kiai style", "runner": runners})


def played(text: str) -> Stand:
    """A race after one call a scene."""
    for scene in Race().scenes:
        outcome = advance(file.source_of("race.toml", text.encode()), Call(kind_of(scene), scene=scene, auto=True))
        text = outcome.text
    return outcome.stand


@cache
def thousand() -> Ran:
    """A thousand seeded races."""
    ran = Ran(Counter(), Counter())
    for seed in range(RACES):
        stand = played(race(seed))
        assert stand.status == "finished"
        strategies = {name: entry.auto or "" for name, entry in stand.race.entries.items()}
        ran.wins.update(strategies.get(line.name, "npc") for line in stand.result or () if line.place == 1)
        for record in stand.race.records.values():
            for question, by_runner in record.answers.items():
                for name, answer in by_runner.items():
                    ran.answers[strategies.get(name, "npc"), question, _kind(question, answer)] += 1
    return ran


def _kind(question: str, answer: str) -> str:
    if question == "skill":
        return "cancel" if "spoil" in answer else "pass" if answer == "pass" else "skill"
    if question == "kiai":
        return "rise" if answer != "0" else "none"
    return answer.partition(" ")[0] if question == "place" else answer


def test_each_kind_of_choice_occurs() -> None:
    """Kiai, skills, cancels, both moves, every pace and placing are played by some runner of each strategy."""
    answers = thousand().answers
    for strategy in ("steady", "random"):
        for question, answer in (
            *(("kiai", answer) for answer in ("rise", "none")),
            *(("skill", answer) for answer in ("skill", "cancel", "pass")),
            *(("move", answer) for answer in ("forward", "back", "stay")),
            *(("pace", answer) for answer in ("fast", "average", "slow")),
            ("place", "front"),
        ):
            assert answers[strategy, question, answer] >= 10, (strategy, question, answer)
    assert answers["random", "style", "late-start"] >= 10


def test_steady_wins_clearly_more_than_random() -> None:
    """Of races among four of each, steady wins at least four in five."""
    wins = thousand().wins
    assert wins["steady"] > 4 * wins["random"]
    assert wins["random"] > 0


def test_random_draws_from_the_seed() -> None:
    """A seeded race played at random twice is the same race."""
    first, second = (advance(file.source_of("x", race(5).encode()), Call("gate", auto=True)).text for _ in range(2))
    assert first == second
