"""Races of all kinds are played to their end by the commands, the oddest ones too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fields import Cast, Toml
from tests.marathon import marathon, run

SKILLS = {
    "末脚": {"when": "gate corner finish", "uses": 9, "kiai": 1, "dice": 1, "bonus": 2, "soften": 1},
    "奇策": {"when": "gate corner finish", "uses": 9, "cancels": True},
    "八方睨み": {"when": "gate corner finish", "uses": 9, "target-kiai": -1, "target-bonus": -2},
    "出遅れ": {"when": "gate corner", "place": "late-start"},
    "大逃げ": {"when": "gate corner", "place": "runaway"},
    "追込": {"when": "gate", "place": "end-closer"},
}
TIES = {"kiai": {str(kiai): "1D2" for kiai in range(1, 16)}}
NOTHING = {
    "pace": {pace: dict.fromkeys(("front-runner", "late-surger"), 0) for pace in ("fast", "average", "slow")},
    "cap": {"gate": 0, "scene": 0},
}


def field(number: int, **keys: object) -> Toml:
    """So many runners, all alike."""
    return {"format": 1, "runner": {f"R{place}": dict(keys) for place in range(number)}}


ODD: dict[str, Toml] = {
    "one runner": field(1),
    "one runner with every skill": field(1, skill=SKILLS),
    "all alike, and their dice are coins": {**field(18), "table": TIES},
    "all alike by hand": {**field(18), "table": TIES, "throws": "hand", "ask": "kiai style", "photo": "10 1"},
    "no kiai to be had": {**field(6, bonus=-1_000_000), "table": NOTHING},
    "kiai beyond the last row": field(6, kiai=1_000_000, bonus=1_000_000),
    "every skill at once": field(8, kiai=9, skill=SKILLS),
    "nobody but NPCs": field(6, npc=True, skill=SKILLS),
    "all at random": field(18, auto="random", skill=SKILLS),
    "a gate and a line": {**field(18, kiai=4), "scenes": ["gate", "finish"], "finish-checks": 9},
    "forty scenes": {**field(3), "scenes": ["gate", *(f"corner-{place}" for place in range(38)), "finish"]},
    "sixty-four runners": {**field(64, kiai=4), "scenes": ["gate", "corner-1", "finish"]},
}


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_race_comes_to_its_end(tmp_path: Path, odd: str) -> None:
    """Whatever the set-up allows can be played, by people and by the tool."""
    for seed in range(1 if len(ODD[odd]["runner"]) * len(ODD[odd].get("scenes", "")) > 100 else 4):
        assert run(ODD[odd], Cast(seed), tmp_path)["done"] >= len(ODD[odd].get("scenes", "1234"))


def test_races_of_all_kinds_come_to_their_end() -> None:
    """No call fails otherwise than by a refusal, and none goes on for ever."""
    came = marathon(60)
    assert came["races"] == 60
    assert came["done"] > 240
