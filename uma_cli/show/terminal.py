"""A race on a terminal: scenes, the field from front to back, its table, what is awaited, the finish."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from uma_cli.race import LADDER, Field, Finish, Runner
from uma_cli.replay import Stand
from uma_cli.show import asking, grid, plain
from uma_cli.text import cells, clean
from uma_cli.voice import Voice

STYLES = {0: "bold red", 1: "bold yellow", 2: "green", 3: "cyan", 4: "magenta"}
"""A colour for each rank, front to back; nothing is said by it alone."""


def lines(stand: Stand, file: str, voice: Voice, *, colour: bool) -> Iterator[str]:
    """The race at a glance as lines for stdout: boxed on a terminal, uncut in a pipe."""
    boxed = sys.stdout.isatty()
    paper = console(colour=colour, width=None if boxed else UNCUT)
    with paper.capture() as captured:
        paper.print(view(stand, file, voice, paper.width, boxed=boxed))
    yield from captured.get().removesuffix("\n").split("\n")


def view(stand: Stand, file: str, voice: Voice, width: int, *, boxed: bool = True) -> RenderableType:
    """The race at a glance."""
    first, *rest = plain.heading(stand, file, voice)
    parts: list[RenderableType] = [Text(first, style="bold"), *(Text(line) for line in rest), Text()]
    if not stand.race.entries:
        return Group(*parts, Text(voice("no runner yet")))
    if stand.result:
        parts += [_finish(stand, voice, width, boxed=boxed)]
    else:
        parts += [_course(stand, voice), Text(), _runners(stand, voice, width, boxed=boxed)]
    return Group(*parts, Text(), *(Text(line) for line in asking.turn(stand, file, voice)))


def _course(stand: Stand, voice: Voice) -> Table:
    """The field from front to back, a row a position; who moved since the last scene has a mark before her name."""
    before = _ranks_before(stand)
    course = Table.grid(padding=(0, 2))
    course.add_column(no_wrap=True)
    course.add_column(overflow="fold")
    for rank, position in enumerate(LADDER):
        there = stand.field.at(rank)
        if there:
            names = [_moved(before.get(runner.name), rank) + clean(runner.name) for runner in there]
            whole = "  ".join(name.replace(" ", NO_BREAK) for name in names)
            course.add_row(Text(voice.word(there[0].position or position), style=STYLES[rank]), Text(whole))
    return course


def _ranks_before(stand: Stand) -> dict[str, int]:
    """Where each stood at the end of the scene before the last one that is closed."""
    closed = [played.field for played in stand.played if played is not stand.open]
    field = closed[-1] if stand.open and closed else closed[-2] if len(closed) > 1 else None
    return {runner.name: runner.position.rank for runner in field or () if runner.position}


def _moved(before: int | None, now: int) -> str:
    if before is None or before == now:
        return ""
    return "<< " if now < before else ">> "


NO_BREAK = "\xa0"
UNCUT = 10_000
"""The width of a pipe: nothing is cut or wrapped."""


class Column(NamedTuple):
    """A column of a table; those of a lower rank are dropped first where there is no room."""

    rank: int
    head: str
    cells: list[Text]
    right: bool = False

    @property
    def width(self) -> int:
        """How many columns of the terminal it takes."""
        return max(cells(self.head), *(text.cell_len for text in self.cells))


def table(columns: list[Column], width: int, *, boxed: bool) -> Table:
    """The columns that there is room for, names never cut."""
    kept = list(columns)
    while len(kept) > 1 and sum(column.width + 2 for column in kept) - 2 > width:
        kept.remove(min(kept, key=lambda column: column.rank))
    table = Table(box=SIMPLE_HEAD if boxed else None, pad_edge=False, collapse_padding=True, show_edge=False)
    for column in kept:
        table.add_column(Text(column.head), justify="right" if column.right else "left", no_wrap=True)
    for row in zip(*(column.cells for column in kept), strict=True):
        table.add_row(*row)
    return table


RANKS = {
    "name": 99,
    "place": 98,
    "score": 20,
    "behind": 19,
    "kiai": 9,
    "no.": 8,
    "position": 7,
    "roll": 6,
    "finish": 5,
    "bonus": 4,
    "skills left": 3,
}


def _runners(stand: Stand, voice: Voice, width: int, *, boxed: bool) -> Table:
    """Number, name, position, kiai with its gauge, the dice it gives, and what there is room for."""
    runners = [*stand.field, *stand.field.out]
    columns = _columns(grid.running_order(stand.field, voice), voice)
    gauges = Column(2, "", [gauge(stand.field, runner) for runner in runners])
    place = next(index for index, column in enumerate(columns) if column.head == voice("kiai")) + 1
    return table([*columns[:place], gauges, *columns[place:]], width, boxed=boxed)


def _columns(order: grid.Grid, voice: Voice) -> list[Column]:
    ranks = {voice(name): rank for name, rank in RANKS.items()}
    return [
        Column(ranks.get(head, 10), head, [Text(row[index]) for row in order.rows], index in order.right)
        for index, head in enumerate(order.head)
    ]


def sweet_spot(field: Field) -> int:
    """The kiai whose dice are worth most."""
    means = [row.mean for row in field.tables.kiai]
    return means.index(max(means)) + 1


def gauge(field: Field, runner: Runner) -> Text:
    """Her kiai as a bar, with the sweet spot `|` (`*` once reached) and the overheating `!` marked on it."""
    sweet, hot = sweet_spot(field), len(field.tables.kiai)
    bar = Text()
    for kiai in range(1, max(hot, min(runner.kiai, hot + 5)) + 1):
        reached = kiai <= runner.kiai
        sign = "*|"[not reached] if kiai == sweet else "!" if kiai > hot else "#" if reached else "."
        style = "red" if kiai > hot else "green" if kiai <= sweet else "yellow"
        bar.append(sign, style=style if kiai <= runner.kiai else "dim")
    return bar


def _finish(stand: Stand, voice: Voice, width: int, *, boxed: bool) -> RenderableType:
    """The order with lengths drawn to scale behind the winner, photo margins, dead heats.

    Where they have no room in one line, each runner has a second one.
    """
    finishes = list(stand.result or ())
    columns = _columns(grid.result(finishes, stand.field, voice), voice)
    for index, line in enumerate(finishes):
        for column in columns:
            column.cells[index].stylize("bold" if line.place == 1 else "dim" if line.place is None else "")
    if sum(column.width + 2 for column in columns) - 2 > width:
        return Group(
            *(line for row in zip(*(column.cells for column in columns), strict=True) for line in _folded(row))
        )
    room = min(40, width - sum(column.width + 2 for column in columns))
    drawn = [Text(_drawn(line, finishes, room)) for line in finishes]
    return table([*columns, Column(0, "", drawn)] if room >= 8 else columns, width, boxed=boxed)


def _folded(row: Sequence[Text]) -> tuple[Text, Text]:
    """Place, number and name, and under them whatever there is to say."""
    return Text("  ").join(row[:3]), Text("     ") + Text(", ").join(text for text in row[3:] if text.plain)


def wrapped(lines: Iterable[str], width: int | None = None) -> Iterator[str]:
    """Lines broken between words where they are wider than the terminal, or than a width."""
    paper = console(colour=False, width=width)
    for line in lines:
        yield from (text.plain.rstrip() for text in Text(line).wrap(paper, paper.width))


def _drawn(line: Finish, finishes: list[Finish], room: int) -> str:
    """A runner as far behind the winner as she was, to scale."""
    if line.place is None:
        return ""
    last = max(other.lengths for other in finishes) or 1
    return " " * round((last - line.lengths) * (room - 1) / last) + ">"


def console(*, colour: bool, width: int | None = None) -> Console:
    """A console that takes every text as it is: no markup, no emoji, no highlighting."""
    return Console(
        markup=False,
        emoji=False,
        highlight=False,
        no_color=not colour,
        color_system="standard" if colour else None,
        force_terminal=colour or None,
        width=width,
        soft_wrap=False,
    )
