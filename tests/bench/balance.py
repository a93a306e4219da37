"""Who wins races of mixed strategies by the default tables, with 95 % intervals.

    python -m tests.bench.balance --races 10000 --jobs 2

The same races every time; `--seed` draws others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any, NamedTuple

import click

from uma_cli.chance import interval
from uma_cli.dice import dice_of
from uma_cli.live import Words
from uma_cli.race import Field, Position, Race
from uma_cli.replay import Stand
from uma_cli.schema import read_race
from uma_cli.show import grid, plain
from uma_cli.step import Stepped, step
from uma_cli.strategy import STRATEGIES

RUNNERS = 12
BATCH = 100
NAMES = click.Choice(list(STRATEGIES))
HEAD = ("", "", "starts", "wins", "share", "95 % interval", "than even")
SKILLS: dict[str, dict[str, Any]] = {
    "quick start": {"when": "gate", "kiai": 1, "bonus": 2},
    "burst away": {"when": "gate", "place": "runaway", "kiai": 1},
    "hold the rail": {"when": "corner", "kiai": 1, "bonus": 2},
    "breathe": {"when": "corner finish", "kiai": -2},
    "glare": {"when": "corner finish", "target-kiai": 2},
    "spoil": {"when": "finish", "cancels": True, "kiai": 1},
    "slipstream": {"when": "finish", "soften": 2},
    "spurt": {"when": "finish", "kiai": 1, "dice": 1},
    "hold the lead": {"when": "finish", "position": "front-runner", "bonus": 3},
    "stalk": {"when": "finish", "position": "pace-chaser", "bonus": 3},
    "late kick": {"when": "finish", "position": "late-surger end-closer", "bonus": 3},
}
"""Skills of every kind, and for each position one that is as good as the others'."""


Wins = Sequence[tuple[str, bool]]
"""For each start a group that it belongs to, and whether it was won."""


class Ran(NamedTuple):
    """One runner's race."""

    strategy: str
    kiai: int
    """Hers before the gate."""
    positions: tuple[str, ...]
    """Where she stood at the end of each scene before the finish."""
    won: bool


def entered(seed: str, ask: str = "kiai", strategies: Sequence[str] = tuple(STRATEGIES)) -> Race:
    """A field drawn by a seed: so many of each strategy, kiai from 1 to 6, two skills each."""
    draw = Random(seed)
    autos = [strategies[number % len(strategies)] for number in range(RUNNERS)]
    draw.shuffle(autos)
    runners = {
        f"R{number}": {
            "kiai": draw.randint(1, 6),
            "auto": auto,
            "skill": {name: SKILLS[name] for name in draw.sample(sorted(SKILLS), 2)},
        }
        for number, auto in enumerate(autos, 1)
    }
    return read_race({"format": 1, "seed": seed, "ask": ask, "runner": runners}).race


def steps(race: Race) -> Iterator[Stepped]:
    """The scenes of a race, one after another, in memory."""
    dice, field = dice_of(race), race.start()
    for scene in race.scenes:
        stepped = step(Stand(race, (), field, field, scene, "ready"), scene, Words(), dice)
        field = stepped.played.field
        yield stepped


def ran(race: Race) -> list[Ran]:
    """How a race went for each runner who was entered; who shares the first place has won."""
    *scenes, last = [stepped.played.field for stepped in steps(race)]
    winners = {line.name for line in last.finishes if line.place == 1}
    return [
        Ran(entry.auto or "", entry.runner.kiai, tuple(_position(field, name) for field in scenes), name in winners)
        for name, entry in race.entries.items()
    ]


def _position(field: Field, name: str) -> str:
    position = field[name].position
    assert position
    return position.value


def races(first: int, count: int, seed: str, ask: str, strategies: Sequence[str]) -> list[Ran]:
    """So many races, from a number on."""
    return [run for number in range(first, first + count) for run in ran(entered(f"{seed}/{number}", ask, strategies))]


def table(runs: Sequence[Ran], scenes: Sequence[str]) -> grid.Grid:
    """Starts, wins and the share of them, by position at each scene, by start kiai and by strategy."""
    even = sum(run.won for run in runs) / len(runs)
    rows = [*_rows("all", [("", run.won) for run in runs], even)]
    for index, scene in enumerate(scenes):
        rows += _rows(f"after {scene}", [(run.positions[index], run.won) for run in runs], even, list(Position))
    rows += _rows("start kiai", [(str(run.kiai), run.won) for run in runs], even)
    rows += _rows("strategy", [(run.strategy, run.won) for run in runs], even, list(STRATEGIES))
    return grid.Grid(HEAD, tuple(rows), right=frozenset((2, 3, 4)))


def _rows(title: str, wins: Wins, even: float, order: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
    """A row for each group that has a start; one that surely wins more or less than an even share is marked."""
    groups: dict[str, list[bool]] = {}
    for group, won in wins:
        groups.setdefault(group, []).append(won)
    for group in [name for name in order if name in groups] or sorted(groups):
        starts, hits = len(groups[group]), sum(groups[group])
        low, high = interval(hits, starts)
        mark = "more" if low > even else "less" if high < even else ""
        yield title, group, f"{starts:,}", f"{hits:,}", f"{hits / starts:.1%}", f"{low:.1%} to {high:.1%}", mark
        title = ""


@click.command(help=__doc__)
@click.option("--races", "count", type=click.IntRange(1), default=10_000, show_default=True, help="How many.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="On so many cores.")
@click.option("--seed", default="balance", show_default=True, help="Drawn by another.")
@click.option("--ask", default="kiai", show_default=True, help='Declarations asked for: "", kiai, style or both.')
@click.option("--strategy", "strategies", type=NAMES, multiple=True, default=tuple(STRATEGIES), help="Who runs (all).")
def main(count: int, jobs: int, seed: str, ask: str, strategies: tuple[str, ...]) -> None:
    """Play the races and print the table."""
    with ProcessPoolExecutor(jobs) as pool:
        played = [
            pool.submit(races, first, min(BATCH, count - first), seed, ask, strategies)
            for first in range(0, count, BATCH)
        ]
        runs = [run for batch in played for run in batch.result()]
    click.echo(f"{count:,} races of {RUNNERS}, ask = {ask!r}; strategies: {', '.join(strategies)}")
    click.echo("\n".join(plain.table(table(runs, Race().scenes[:-1]))))


if __name__ == "__main__":
    main()
