"""The tool's dice are fair, and a seeded die is the same wherever and whenever it is thrown."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

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


def ask(runner: str = "Rice", dice: Dice = SIX) -> tuple[str, str, str, Dice]:
    """A question for dice."""
    return "gate", "check", runner, dice


@pytest.mark.parametrize("key", RECORDED)
def test_seeded_dice_are_what_they_have_always_been(key: tuple[str, str, str, str, str]) -> None:
    """The same seed, scene, question and runner give the same faces on any Python and platform."""
    seed, scene, question, runner, dice = key
    number, sides = map(int, dice.split("D"))
    assert Seeded(seed).throw(scene, question, runner, Dice(number, sides)) == RECORDED[key]


def test_a_seeded_die_does_not_depend_on_how_many_are_thrown_with_it() -> None:
    """Its index counts, and nothing that comes after it."""
    assert Seeded("s").throw(*ask(dice=Dice(3))) == Seeded("s").throw(*ask(dice=Dice(9)))[:3]


@pytest.mark.parametrize("sides", [2, 6, 10, 20, 100])
def test_every_face_is_alike(sides: int) -> None:
    """Chi-square of a million bytes, and of each face after each other (O20); p is far from 0."""
    stream = random.Random(sides)
    thrown = faces(iter(lambda: stream.randrange(256), -1), 200_000, sides)
    assert set(thrown) == set(range(1, sides + 1))
    assert _chi_square(Counter(thrown), len(thrown), sides) < sides + 6 * (2 * sides) ** 0.5
    pairs = Counter(pairwise(thrown[:60_000]))
    cells = sides * sides
    if cells <= 400:
        assert _chi_square(pairs, 59_999, cells) < cells + 6 * (2 * cells) ** 0.5


def test_the_systems_dice_are_alike() -> None:
    """The default source is as even as the seeded one."""
    for dice in (Chance(), Seeded("even")):
        thrown = [face for turn in range(600) for face in dice.throw(*ask(runner=f"r{turn}", dice=Dice(100)))]
        assert set(thrown) == set(range(1, 7))
        assert _chi_square(Counter(thrown), len(thrown), 6) < 35


def test_a_byte_that_would_favour_low_faces_is_thrown_away() -> None:
    """256 is no multiple of 6: 252 to 255 are no dice."""
    assert faces(iter([252, 253, 254, 255, 0, 5, 251]), 3, 6) == (1, 6, 6)


def _chi_square(counts: Counter[int] | Counter[tuple[int, int]], total: int, cells: int) -> float:
    expected = total / cells
    missing = cells - len(counts)
    return sum((count - expected) ** 2 / expected for count in counts.values()) + missing * expected
