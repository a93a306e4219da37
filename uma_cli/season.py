"""What many races came to: sums by runner, player, strategy, position and pace.

A race is a season of one, and seasons are added. All sums are exact, so it does not matter in which order the races
are counted, or in how many parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add
from typing import NamedTuple, Self

from uma_cli import words
from uma_cli.chance import interval
from uma_cli.errors import Misused, say
from uma_cli.race import Finish, Pace, Position, kind_of
from uma_cli.replay import Stand

GROUPINGS: Mapping[str, tuple[str, ...]] = {
    "runner": ("runner",),
    "player": ("player",),
    "strategy": ("strategy",),
    "position": ("scene", "position"),
    "pace": ("scene", "pace", "position"),
}
"""By what a season is told, and what its rows are named by."""

POINTS = (10, 6, 4, 3, 2, 1)
"""Points for the first place, the second and so on, unless a season has its own."""

PLACED = 3
"""A place up to this one counts as placed."""


class Tally(NamedTuple):
    """What the starts of one row add up to."""

    starts: int = 0
    outs: int = 0
    """Starts that ended without a place (M2)."""
    npc: int = 0
    wins: int = 0
    """First places; in a dead heat each has hers."""
    places: int = 0
    """Places among the first three."""
    points: int = 0
    ranks: int = 0
    """The sum of the places."""
    lengths: int = 0
    """How far behind the winner, as negative numbers; a winner's own is how far ahead of the next."""
    expected: Fraction = Fraction()
    """The wins there would be if in each race all who started were alike."""

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*map(add, self, other))

    @property
    def average_place(self) -> float | None:
        """The mean of the places; None where all were out."""
        return self._mean(self.ranks)

    @property
    def average_margin(self) -> float | None:
        """The mean of the lengths; None where all were out."""
        return self._mean(self.lengths)

    def _mean(self, total: int) -> float | None:
        finishes = self.starts - self.outs
        return total / finishes if finishes else None

    @property
    def rate(self) -> float:
        """Wins a start."""
        return self.wins / self.starts

    @property
    def expected_rate(self) -> float:
        """Expected wins a start."""
        return float(self.expected / self.starts)

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % interval of the rate.

        Where several runners of a race share a row it is a little too wide, for only one of them can win.
        """
        return interval(self.wins, self.starts)

    @property
    def beside_chance(self) -> int:
        """1 where the whole interval is above the expected rate, -1 where it is below, else 0."""
        low, high = self.bounds
        return (low > self.expected_rate) - (high < self.expected_rate)


Key = tuple[str | None, ...]
"""What names a row, as its grouping has it; None for who has no player or no strategy."""


class Row(NamedTuple):
    """One row of a table."""

    key: Key
    tally: Tally


@dataclass(slots=True)
class Season:
    """Races counted so far; it grows with those who run, and not with the races."""

    races: int = 0
    unfinished: int = 0
    """Races that are not over, and count for nothing else."""
    tallies: dict[tuple[str, Key], Tally] = field(default_factory=dict)

    def __iadd__(self, other: Season) -> Self:
        self.races += other.races
        self.unfinished += other.unfinished
        for row, tally in other.tallies.items():
            self.count(row, tally)
        return self

    def __add__(self, other: Season) -> Season:
        both = Season()
        both += self
        both += other
        return both

    def count(self, row: tuple[str, Key], tally: Tally) -> None:
        """Add to a row."""
        there = self.tallies.get(row)
        self.tallies[row] = there.plus(tally) if there else tally

    @classmethod
    def of(cls, stand: Stand, points: Sequence[int] = POINTS) -> Self:
        """One race, in which NPCs count like anyone."""
        if stand.result is None:
            return cls(unfinished=1)
        season = cls(races=1)
        starts = _starts(stand.result, points)
        for name, start in starts.items():
            entry = stand.race.entries.get(name)
            season.count(("runner", (name,)), start)
            season.count(("player", ((entry and entry.player) or None,)), start)
            season.count(("strategy", (entry and entry.auto,)), start)
        for played in stand.played:
            if kind_of(played.scene) != "finish":
                for runner in played.field:
                    scene, pace, position = played.scene, played.field.pace, runner.position
                    season.count(("position", (scene, position)), starts[runner.name])
                    season.count(("pace", (scene, pace, position)), starts[runner.name])
        return season

    def rows(self, by: str) -> list[Row]:
        """The rows of a grouping: scenes, paces and positions in their order, all others by what they came to."""
        rows = [Row(key, tally) for (grouping, key), tally in self.tallies.items() if grouping == by]
        return sorted(rows, key=_in_order if by in ("position", "pace") else _best_first)


def _starts(finishes: Sequence[Finish], points: Sequence[int]) -> dict[str, Tally]:
    """What a race was to each who started, fill-ins too."""
    placed = [line for line in finishes if line.place is not None]
    lead = placed[1].lengths if len(placed) > 1 else 0
    expected = Fraction(sum(line.place == 1 for line in placed), len(finishes))
    return {line.name: _start(line, points, lead)._replace(expected=expected) for line in finishes}


def _start(line: Finish, points: Sequence[int], lead: int) -> Tally:
    npc, place = int(line.npc), line.place
    if place is None:
        return Tally(1, outs=1, npc=npc)
    return Tally(
        1,
        npc=npc,
        wins=int(place == 1),
        places=int(place <= PLACED),
        points=points[place - 1] if place <= len(points) else 0,
        ranks=place,
        lengths=lead if place == 1 else -line.lengths,
    )


def _best_first(row: Row) -> tuple[object, ...]:
    """By points, wins, average place and name; who has no name comes last."""
    name, tally = row.key[0], row.tally
    place = tally.average_place
    return name is None, -tally.points, -tally.wins, place is None, place, name


def _in_order(row: Row) -> tuple[int, ...]:
    """By scene, and in it by pace and position as the rulebook names them."""
    scene, *paces, position = map(str, row.key)
    kind, _, number = scene.partition("-")
    return (
        int(number) if kind == "corner" else 0,
        *(list(Pace).index(Pace(pace)) for pace in paces),
        list(Position).index(Position(position)),
    )


def read_points(text: str) -> tuple[int, ...]:
    """A points table from the command line: a number for each place from the first on.

    Raises:
        Misused: it is none.
    """
    numbers = words.plain(text).replace(",", " ").split()
    if not numbers or not all(re.fullmatch("[0-9]{1,6}", number) for number in numbers):
        raise Misused(
            say("--points: want a number for each place, each of six digits at most, not `{value}`", value=text),
            hint=say('such as --points "{points}"', points=" ".join(map(str, POINTS))),
        )
    return tuple(map(int, numbers))
