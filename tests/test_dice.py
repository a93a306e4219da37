"""The tool's dice are fair; seeded ones are the same wherever thrown, and others can be known to nobody beforehand."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist

import pytest

from tests.conftest import Called, Uma
from uma_cli.dice import Chance, Seeded, faces
from uma_cli.tables import Dice

SIX = Dice(6)

RECORDED = {
    ("spring", "gate", "check", "Rice", "6D6"): (5, 5, 5, 3, 1, 1),
    ("spring", "gate", "check", "春麗", "6D6"): (3, 5, 1, 4, 2, 6),
    ("league/0001", "corner-2", "obstacle", "Rice", "1D6"): (4,),
    ("league/0001", "corner-2", "pace-die", "GM", "1D6"): (3,),
    ("", "finish", "check-2", "特別周", "4D10"): (8, 5, 3, 3),
}
"""Seeded dice as they have always been: a change here breaks everybody's seeded races."""


Thrown = tuple[str, str, str, Dice]
"""What is thrown: scene, question, runner and dice."""


def ask(scene: str = "gate", question: str = "check", runner: str = "Rice", dice: Dice = SIX) -> Thrown:
    """A question for dice."""
    return scene, question, runner, dice


@pytest.mark.parametrize("key", RECORDED)
def test_seeded_dice_are_what_they_have_always_been(key: tuple[str, str, str, str, str]) -> None:
    """The same seed, scene, question and runner give the same faces on any Python and platform."""
    seed, scene, question, runner, dice = key
    number, sides = map(int, dice.split("D"))
    assert Seeded(seed).throw(scene, question, runner, Dice(number, sides)) == RECORDED[key]


def test_a_seeded_die_does_not_depend_on_how_many_are_thrown_with_it() -> None:
    """Its index counts, and nothing that comes after it."""
    assert Seeded("s").throw(*ask(dice=Dice(3))) == Seeded("s").throw(*ask(dice=Dice(9)))[:3]


def test_a_byte_that_would_favour_low_faces_is_thrown_away() -> None:
    """256 is no multiple of 6: 252 to 255 are no dice."""
    assert faces(iter([252, 253, 254, 255, 0, 5, 251]), 3, 6) == (1, 6, 6)


ROLLS = 600_000
THROW = 100
SOURCES: dict[str, Callable[[], Chance | Seeded]] = {"the system's": Chance, "a seed's": lambda: Seeded("fair")}
CHANCE_OF_A_FALSE_ALARM = {"the system's": 1e-9, "a seed's": 1e-3}
"""A seed's dice are always the same, so their p may be held narrowly; the system's are others each time."""


def chi_square(counts: Counter[int] | Counter[tuple[int, int]], cells: int) -> float:
    """How likely counts are at least so uneven, if all cells are alike (by Wilson and Hilferty)."""
    expected = counts.total() / cells
    freedom = cells - 1
    value = sum(count * count for count in counts.values()) / expected - counts.total()
    spread = 2 / (9 * freedom)
    return 1 - NormalDist().cdf(((value / freedom) ** (1 / 3) - 1 + spread) / sqrt(spread))


def serial(thrown: Sequence[int], sides: int) -> float:
    """How likely neighbours hang together so much, by the correlation of each face with the next."""
    mean = (sides + 1) / 2
    variance = (sides * sides - 1) / 12
    correlation = sum((one - mean) * (other - mean) for one, other in pairwise(thrown)) / variance
    return NormalDist().cdf(correlation / sqrt(len(thrown) - 1))


def runs(thrown: Sequence[int], sides: int) -> float:
    """How likely so many faces are the same as the one before."""
    again = sum(one == other for one, other in pairwise(thrown))
    number = len(thrown) - 1
    return NormalDist(number / sides, sqrt(number * (sides - 1)) / sides).cdf(again)


def evenness(thrown: Sequence[int], sides: int) -> Iterable[float]:
    """All tests of a row of dice, each as a probability; far from 0 and from 1 they are fair."""
    yield chi_square(Counter(thrown), sides)
    yield chi_square(Counter(zip(thrown[::2], thrown[1::2], strict=True)), sides * sides)
    yield serial(thrown, sides)
    yield runs(thrown, sides)


@pytest.mark.parametrize("sides", [6, 2, 10, 20, 100])
@pytest.mark.parametrize("source", SOURCES)
def test_every_face_is_alike_whatever_fell_before(source: str, sides: int) -> None:
    """Chi-square of the faces and of pairs of them, their serial correlation and their runs, over 600,000 dice."""
    dice = SOURCES[source]()
    asks = (ask(runner=f"r{turn}", dice=Dice(THROW, sides)) for turn in range(ROLLS // THROW))
    thrown = [face for question in asks for face in dice.throw(*question)]
    least = CHANCE_OF_A_FALSE_ALARM[source]
    assert len(thrown) == ROLLS
    assert (min(thrown), max(thrown)) == (1, sides)
    for probability in evenness(thrown, sides):
        assert least < probability < 1 - least


TWO = Dice(2)
SERIES: dict[str, Callable[[int], Thrown]] = {
    "seeds": lambda _: ask(dice=TWO),
    "runners": lambda turn: ask(runner=f"NPC {turn}", dice=TWO),
    "scenes": lambda turn: ask(scene=f"corner-{turn}", dice=TWO),
    "roll-offs": lambda turn: ask(question=f"check-tie-{turn}", dice=TWO),
}


@pytest.mark.parametrize("series", SERIES)
def test_the_first_dice_of_many_seeds_runners_scenes_and_roll_offs_are_alike(series: str) -> None:
    """Seeds that are counted up, as a league has them, throw as evenly as one seed does."""
    thrown: list[int] = []
    for turn in range(20_000):
        seed = f"league-{turn}" if series == "seeds" else "fair"
        thrown += Seeded(seed).throw(*SERIES[series](turn))
    for probability in evenness(thrown, 6):
        assert 1e-3 < probability < 1 - 1e-3


def test_a_loaded_die_is_found_out() -> None:
    """The tests of fairness fail for faces by remainder alone, for a row that counts, and for one that sticks."""
    draw = Random(1).randrange
    by_remainder = [draw(256) % 100 + 1 for _ in range(ROLLS)]
    counting = [turn % 6 + 1 for turn in range(ROLLS)]
    sticking = [
        face for _ in range(ROLLS // 3) for face in [draw(6) + 1, draw(6) + 1] for face in [face] * (1 + draw(2))
    ]
    sticking = sticking[: len(sticking) // 2 * 2]
    for thrown, sides in ((by_remainder, 100), (counting, 6), (sticking, 6)):
        assert any(not 1e-9 < probability < 1 - 1e-9 for probability in evenness(thrown, sides))


RUNNERS = tuple(f"R{number}" for number in range(20))


@pytest.fixture
def unseeded(uma: Uma, tmp_path: Path) -> Path:
    """A race of twenty whose dice the tool throws by chance: a throw that falls again has a chance below 1 in 10^40."""
    uma("new", "race.toml", *(part for name in RUNNERS for part in ("--runner", f"{name}:kiai=4")))
    return tmp_path / "race.toml"


def test_nothing_that_can_be_set_decides_a_die(uma: Uma, unseeded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same file, clock, environment and state of Python's own generator throw other dice each time."""
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    monkeypatch.setattr("time.time", lambda: 0.0)
    before = unseeded.read_bytes()
    seen = set()
    for _ in range(5):
        random.seed(1)
        unseeded.write_bytes(before)
        assert uma("gate", "race.toml").code == 0
        seen.add(unseeded.read_bytes())
    assert len(seen) == 5


def test_the_file_holds_what_fell_and_nothing_of_what_will(uma: Uma, unseeded: Path) -> None:
    """One file played on twice throws twice."""
    assert uma("gate", "race.toml", "--auto").code == 0
    before = unseeded.read_bytes()
    played = set()
    for _ in range(3):
        unseeded.write_bytes(before)
        for kind in ("corner", "corner", "finish"):
            assert uma(kind, "race.toml", "--auto").code == 0
        played.add(unseeded.read_bytes())
    assert len(played) == 3


def with_luck(uma: Uma, monkeypatch: pytest.MonkeyPatch, seed: int, *arguments: str) -> tuple[Called, int]:
    """A call under luck that is ours, and how many bytes of it were drawn."""
    luck = Random(seed)
    drawn = 0

    def urandom(number: int) -> bytes:
        nonlocal drawn
        drawn += number
        return luck.randbytes(number)

    with monkeypatch.context() as patch:
        patch.setattr(os, "urandom", urandom)
        return uma(*arguments), drawn


VIEWS = ((), ("--json",), ("--quiet",), ("--lang", "ja"))
DRY = ((), ("--auto",), ("--check", "rest=roll"), ("--dice", "R0=roll"), ("--kiai", "R1=2"), ("--auto-for", "R2"))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("said", DRY)
def test_a_dry_run_throws_no_die(
    uma: Uma, unseeded: Path, monkeypatch: pytest.MonkeyPatch, said: tuple[str, ...], view: tuple[str, ...]
) -> None:
    """However often and however shown, it is the same, for no luck is drawn at all; and nothing is written."""
    before = unseeded.read_bytes()
    told = {with_luck(uma, monkeypatch, luck, "gate", "race.toml", "--dry-run", *said, *view) for luck in range(3)}
    ((called, drawn),) = told
    assert called.code == 0
    assert drawn == 0
    assert unseeded.read_bytes() == before


REFUSED: dict[str, tuple[str, ...]] = {
    "dice of another question": ("--photo", "R0=3"),
    "dice that nobody may be asked for": ("--rise-die", "R0=3"),
    "dice of the wrong number": ("--check", "R3=1"),
    "a rise over the cap": ("--kiai", "R0=9"),
    "a place beside herself": ("--place", "R0=ahead R0"),
    "places that go round": ("--place", "R0=ahead R1,R1=ahead R0"),
    "a name that is none": ("--place", "R0=ahead Nobody"),
    "a pace that is none": ("--pace", "R0=quick"),
    "a skill that is none": ("--skill", "R0=Glare"),
    "a ruling at the start on nothing": ("--ruling", "R0=position late-surger, start", "--why", "so"),
    "a ruling in the gate's name": ("--ruling", "Nobody=out", "--why", "so"),
    "a fill-in that is not needed": ("--npc", "Flag"),
    "a fill-in who runs already": ("--npc", "R1=kiai 3"),
    "a second file that is missing": ("missing.toml",),
    "another scene": ("--scene", "corner-2"),
}


@pytest.mark.parametrize("wrong", REFUSED)
def test_a_call_that_is_refused_shows_no_die(
    uma: Uma, unseeded: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """What falls is kept, or else nobody has seen it: what a refused call says is the same whatever fell."""
    before = unseeded.read_bytes()
    told = set()
    for luck in range(4):
        unseeded.write_bytes(before)
        called, _ = with_luck(uma, monkeypatch, luck, "gate", "race.toml", "--json", *REFUSED[wrong])
        if unseeded.read_bytes() == before:
            assert called.code != 0
            told.add(called)
        else:
            assert b"[gate.check]" in unseeded.read_bytes()
    assert len(told) <= 1


def test_dice_that_could_not_be_written_are_not_told(uma: Uma, unseeded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who makes the file read-only sees no die that she could then throw again."""
    unseeded.chmod(0o444)
    (called,) = {with_luck(uma, monkeypatch, luck, "gate", "race.toml", "--json")[0] for luck in range(4)}
    assert called.code == 6
