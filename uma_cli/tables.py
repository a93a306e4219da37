"""The tables of the rulebook: our defaults, and a race's own laid over them."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from uma_cli.errors import say

MAX_DICE = 100
MAX_SIDES = 100


class Dice(NamedTuple):
    """A throw: so many dice of so many sides, and a number added."""

    number: int
    sides: int = 6
    plus: int = 0

    def __str__(self) -> str:
        return f"{self.faces}{self.plus:+d}" if self.plus else self.faces

    @property
    def faces(self) -> str:
        """What is thrown, without the number: 3D6."""
        return f"{self.number}D{self.sides}"

    @property
    def mean(self) -> float:
        """The expected sum."""
        return self.number * (self.sides + 1) / 2 + self.plus

    @property
    def variance(self) -> float:
        """The variance of the sum."""
        return self.number * (self.sides**2 - 1) / 12


DIE = Dice(1)


def read_dice(text: str) -> Dice:
    """Read `5D6-1`.

    Raises:
        ValueError: it is no such thing, or names no or too many dice or sides; its argument says which.
    """
    match = re.fullmatch(r"([0-9]{1,7})[Dd]([0-9]{1,7})([+-][0-9]{1,7})?", text.replace(" ", ""))
    if match is None:
        raise ValueError(say("want dice such as 5D6-1"))
    dice = Dice(int(match[1]), int(match[2]), int(match[3] or 0))
    if not 1 <= dice.number <= MAX_DICE:
        raise ValueError(say("want 1 to {limit} dice", limit=MAX_DICE))
    if not 2 <= dice.sides <= MAX_SIDES:
        raise ValueError(say("want dice of 2 to {limit} sides", limit=MAX_SIDES))
    return dice


class Rise(NamedTuple):
    """A cell of the pace table: a rise of kiai, or two that a die decides between (P3)."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}~{self.high}" if self.rolled else str(self.low)

    @property
    def signed(self) -> str:
        """With a sign before each number, as a change: +1~+2."""
        return f"{self.low:+d}~{self.high:+d}" if self.rolled else f"{self.low:+d}"

    @property
    def rolled(self) -> bool:
        """Whether 1D6 decides."""
        return self.low != self.high

    def by(self, face: int) -> int:
        """The rise that a die gives: 1-4 the first number, 5-6 the second (P3)."""
        return self.low if face <= 4 else self.high

    @property
    def mean(self) -> float:
        """The expected rise."""
        return (self.low * 2 + self.high) / 3


class Obstacle(NamedTuple):
    """A row of the obstacle table (C1)."""

    name: str
    who: tuple[str, ...]
    """Positions, or one of `all`, `leader`, `nobody`."""
    resist: int = 0
    """The score of an uma check that resists it; 0 where it cannot be resisted."""
    kiai: int = 0
    check: int = 0
    finish: int = 0


class Tables(NamedTuple):
    """All tables that one race is run by."""

    kiai: tuple[Dice, ...]
    """What is rolled with kiai 1, 2, 3 and so on (G2)."""
    pace: Mapping[str, Mapping[str, Rise]]
    """Pace, position, rise (P2)."""
    obstacle: Mapping[int, Obstacle]
    position: Mapping[str, int]
    """The number of each position in the finish check (F3)."""
    cap: Mapping[str, int]
    """How far kiai may rise by declaration: at the `gate`, in any other `scene` (G4)."""

    def roll(self, kiai: int) -> Dice:
        """The row that goes with a kiai; above the last row the last (G2)."""
        return self.kiai[min(kiai, len(self.kiai)) - 1]

    def overheated(self, kiai: int) -> bool:
        """Whether a kiai lies above the last row (G2)."""
        return kiai > len(self.kiai)

    def cap_in(self, scene: str) -> int:
        """The cap on declared rises in a scene (G4, A1)."""
        return self.cap["gate" if scene == "gate" else "scene"]


def _rises(front: int, chaser: int, behind: int) -> dict[str, Rise]:
    cells = {"runaway": front, "front-runner": front, "pace-chaser": chaser}
    cells |= dict.fromkeys(("late-surger", "end-closer", "late-start"), behind)
    return {position: Rise(rise, rise) for position, rise in cells.items()}


PACE = {
    "fast": _rises(2, 2, 1),
    "average": _rises(1, 1, 1),
    "slow": _rises(0, 0, 1),
    "runaway": dict.fromkeys(_rises(1, 1, 1), Rise(1, 2)),
}
OBSTACLE = {
    1: Obstacle("boxed in", ("late-surger", "end-closer"), resist=10, check=-2),
    2: Obstacle("churned turf", ("all",), resist=8, check=-2),
    3: Obstacle("headwind", ("front-runner", "runaway", "pace-chaser"), finish=-1),
    4: Obstacle("loose shoe", ("leader",), resist=12, finish=-2),
    5: Obstacle("roar of the crowd", ("all",), kiai=1),
    6: Obstacle("near miss", ("nobody",)),
}
POSITION = {
    "runaway": 0,
    "front-runner": 0,
    "pace-chaser": -1,
    "late-surger": -2,
    "end-closer": -2,
    "late-start": -5,
}
KIAI = (
    Dice(1),
    Dice(1, plus=2),
    Dice(2),
    Dice(3),
    Dice(3, plus=1),
    Dice(4),
    Dice(5),
    Dice(5, plus=1),
    Dice(5, plus=2),
    Dice(6),
    Dice(5),
    Dice(5, plus=-1),
    Dice(5, plus=-2),
    Dice(4, plus=-1),
    Dice(4, plus=-2),
)

DEFAULT_TABLES = Tables(
    kiai=KIAI,
    pace=PACE,
    obstacle=OBSTACLE,
    position=POSITION,
    cap={"gate": 5, "scene": 3},
)
