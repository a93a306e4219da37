"""A race on a terminal: scenes, the field from front to back, its table, what is awaited, the finish."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.box import Box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from uma_cli.errors import sentence
from uma_cli.race import LADDER, Field, Finish, Position, Runner
from uma_cli.replay import Stand
from uma_cli.show import asking, grid, plain
from uma_cli.text import Whole, cells, clean, folded
from uma_cli.voice import Voice

STYLES = ("bold magenta", "magenta")
"""How the foremost ranks look. Nothing is said by colour alone, and of the eight that every terminal has only red and
magenta can be read on a light page and a dark one."""
RULE = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
"""A line under the heads, of a sign that all terminals give one cell."""
PROSE = 100
"""Words run no further, however wide a terminal is."""
HANGING = "  "
"""How far the rest of a line is set in that goes on under itself."""
WRAPS = sentence("skills left")
"""The column that is broken where it is too wide, down to so many cells."""
LEAST = 16
GAUGE = 6
"""The rank of the gauge among the columns."""
PAST = 3
"""How far a gauge goes past the last row of the table."""


def lines(stand: Stand, file: str, voice: Voice, *, colour: bool) -> Iterator[str]:
    """The race at a glance as lines for stdout: boxed on a terminal, uncut in a pipe."""
    boxed = sys.stdout.isatty()
    paper = console(colour=colour, width=None if boxed else UNCUT)
    with paper.capture() as captured:
        paper.print(view(stand, file, voice, paper.width, boxed=boxed), crop=False)
    yield from captured.get().removesuffix("\n").split("\n")


def view(stand: Stand, file: str, voice: Voice, width: int, *, boxed: bool = True) -> RenderableType:
    """The race at a glance."""
    first, *rest = plain.heading(stand, file, voice)
    room = min(width, PROSE) if boxed else width
    parts: list[RenderableType] = [Text(first, style="bold"), *_lines(rest, room), Text()]
    if not stand.race.entries:
        return Group(*parts, Text(voice("no runner yet")))
    if stand.result:
        parts += [*_finish(stand, voice, width, boxed=boxed), *_lines(_why_out(stand, voice), room)]
    else:
        placed = any(runner.position for runner in stand.field)
        parts += [_course(stand, voice, room), Text()] if placed else []
        parts += [*_runners(stand, voice, width, boxed=boxed), *_lines(_why_out(stand, voice), room)]
    return Group(*parts, Text(), *_lines(asking.turn(stand, file, voice), room))


def _why_out(stand: Stand, voice: Voice) -> Iterator[str]:
    """Who was taken out, and why."""
    why = grid.reasons(stand.race)
    yield from (f"{clean(runner.name)}: {grid.out(why.get(runner.name), voice)}" for runner in stand.field.out)


def _lines(lines: Iterable[str], width: int) -> Iterator[Text]:
    """Lines broken between words; what is to be copied is left to the terminal, which copies it in one piece."""
    yield from (Text(line, no_wrap=True, overflow="ignore") for line in wrapped(lines, width))


def _course(stand: Stand, voice: Voice, width: int) -> Table:
    """The field from front to back, a row a position; with who moved since the last scene stands where she was."""
    before = _places_before(stand)
    course = Table.grid(padding=(0, 2))
    course.add_column(no_wrap=True)
    course.add_column(overflow="fold", max_width=width)
    for rank, position in enumerate(LADDER):
        there = stand.field.at(rank)
        if there:
            names = [_come(runner, before.get(runner.name), voice) for runner in there]
            whole = "  ".join(name.replace(" ", NO_BREAK) for name in names)
            style = STYLES[rank] if rank < len(STYLES) else ""
            course.add_row(Text(voice.word(there[0].position or position), style=style), Text(whole))
    return course


def _places_before(stand: Stand) -> dict[str, Position]:
    """Where each stood at the end of the scene before the last one that is closed."""
    closed = [played.field for played in stand.played if played is not stand.open]
    field = closed[-1] if stand.open and closed else closed[-2] if len(closed) > 1 else None
    return {runner.name: runner.position for runner in field or () if runner.position}


def _come(runner: Runner, before: Position | None, voice: Voice) -> str:
    if before is None or runner.position is None or before.rank == runner.position.rank:
        return clean(runner.name)
    return voice("{name} (from {position})", name=runner.name, position=before)


NO_BREAK = "\xa0"
UNCUT = 10_000
"""The width of a pipe: nothing is cut or wrapped."""


class Column(NamedTuple):
    """A column of a table; those of a lower rank are dropped first where there is no room."""

    rank: int
    head: str
    cells: list[Text]
    right: bool = False
    wraps: bool = False

    @property
    def width(self) -> int:
        """How many columns of the terminal it takes."""
        return max(cells(self.head), *(text.cell_len for text in self.cells))

    @property
    def least(self) -> int:
        """How many it takes at least."""
        return min(LEAST, self.width) if self.wraps else self.width


def kept(columns: list[Column], width: int) -> list[Column]:
    """The columns that there is room for."""
    kept = list(columns)
    while len(kept) > 1 and sum(column.least + 2 for column in kept) - 2 > width:
        kept.remove(min(kept, key=lambda column: column.rank))
    return kept


def table(kept: list[Column], width: int, *, boxed: bool) -> Table:
    """A table of those columns, names never cut."""
    room = width + 2 - sum(column.width + 2 for column in kept if not column.wraps)
    table = Table(box=RULE if boxed else None, pad_edge=False, collapse_padding=True, show_edge=False)
    for column in kept:
        table.add_column(
            Text(column.head),
            justify="right" if column.right else "left",
            no_wrap=len(kept) > 1 and not column.wraps,
            overflow="fold",
            max_width=room - 2 if column.wraps else None,
        )
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
    "roll": 7,
    "skills left": 5,
    "finish": 4,
    "bonus": 3,
    "position": 2,
}
"""What stays longest where there is little room; the positions are told above the table too."""
NEEDED = 8
"""The rank of what is never left out: name, number, kiai, and who is out or hurt."""


def _runners(stand: Stand, voice: Voice, width: int, *, boxed: bool) -> Iterator[RenderableType]:
    """Number, name, position, kiai with its gauge, the dice it gives, and what there is room for.

    Where there is no room for what has to be known, each runner has lines of her own with all that there is.
    """
    runners = [*stand.field, *stand.field.out]
    order = grid.running_order(stand.field, voice)
    columns = _columns(order, voice)
    if sum(column.least + 2 for column in columns if column.rank >= NEEDED) - 2 > width:
        rows = [dict(zip(order.head, row, strict=True)) for row in order.rows]
        told = (_lines_of(stand.field, runner, row, voice) for runner, row in zip(runners, rows, strict=True))
        yield from _lines((line for lines in told for line in lines), width)
        yield from _lines(["", _legend(stand.field, voice)], width)
        return
    gauges = Column(GAUGE, "", [gauge(stand.field, runner) for runner in runners])
    place = next(index for index, column in enumerate(columns) if column.head == voice("kiai")) + 1
    columns.insert(place, gauges)
    shown = kept(columns, width)
    yield table(shown, width, boxed=boxed)
    told_above = (gauges.head, voice("position"))
    hidden = (column for column in columns if column not in shown and column.head not in told_above)
    lines = [_in_words(column, runners) for column in hidden if any(column.cells)]
    lines += [_legend(stand.field, voice)] if gauges in shown else []
    yield from _lines(["", *lines] if lines else [], min(width, PROSE))


def _in_words(column: Column, runners: Sequence[Runner]) -> str:
    """A column that has no room in the table."""
    there = [f"{clean(runner.name)} ({text})" for runner, text in zip(runners, column.cells, strict=True) if text]
    return f"{column.head}: {' '.join(there)}"


def _legend(field: Field, voice: Voice) -> str:
    """What the signs of a gauge mean."""
    return voice(
        "# kiai, | best dice at {best} (* reached), ! above {last}: injury check",
        best=sweet_spot(field),
        last=len(field.tables.kiai),
    )


def _lines_of(field: Field, runner: Runner, cells_of: Mapping[str, str], voice: Voice) -> Iterator[str]:
    """Number and name, and under them the kiai, its gauge and dice, and whatever else there is to say."""
    yield f"{runner.number:>3}  {clean(runner.name)}"
    kiai, roll = voice("kiai {n}", n=runner.kiai), cells_of[voice("roll")]
    yield f"     {kiai} {gauge(field, runner).plain} {roll}".rstrip()
    known = {voice(name) for name in ("no.", "name", "position", "kiai", "roll")}
    more = [f"{head} {cell}".strip() for head, cell in cells_of.items() if cell and head not in known]
    yield from [f"     {voice.comma.join(more)}"] if more else []


def _columns(order: grid.Grid, voice: Voice) -> list[Column]:
    ranks = {voice(name): rank for name, rank in RANKS.items()}
    return [
        Column(
            ranks.get(head, 10),
            head,
            [Text(row[index]) for row in order.rows],
            index in order.right,
            wraps=head in ("", voice(WRAPS)),
        )
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
    for kiai in range(1, max(hot, min(runner.kiai, hot + PAST)) + 1):
        reached = kiai <= runner.kiai
        sign = "*|"[not reached] if kiai == sweet else "!" if kiai > hot else "#" if reached else "."
        style = "bold red" if kiai > hot else "magenta" if kiai > sweet else "bold"
        bar.append(sign, style=style if kiai <= runner.kiai else "dim")
    return bar


def _finish(stand: Stand, voice: Voice, width: int, *, boxed: bool) -> Iterator[RenderableType]:
    """The order with lengths drawn to scale before the line, photo margins, dead heats.

    Where they have no room in one line, each runner has a second one.
    """
    finishes = list(stand.result or ())
    result = grid.result(finishes, stand.field, voice)
    columns = _columns(result, voice)
    for index, line in enumerate(finishes):
        for column in columns:
            column.cells[index].stylize("bold" if line.place == 1 else "dim" if line.place is None else "")
    if sum(column.least + 2 for column in columns) - 2 > width:
        told = (line for finish, row in zip(finishes, result.rows, strict=True) for line in _folded(finish, row, voice))
        yield from _lines(told, width)
        return
    room = min(60, width - sum(column.width + 2 for column in columns))
    most = max(line.lengths for line in finishes)
    scale = max(1, -(-most // max(1, room - 2)))
    head = voice("a dot a length") if scale == 1 else voice("a dot for {n} lengths", n=scale)
    if cells(head) <= room:
        drawn = [Text(_drawn(line, scale)) for line in finishes]
        columns.append(Column(0, head, drawn, right=True))
    yield table(kept(columns, width), width, boxed=boxed)


def _folded(line: Finish, row: Sequence[str], voice: Voice) -> Iterator[str]:
    """Place and name, and under them whatever there is to say."""
    _, number, name, score, *more = row
    yield f"{row[0] if line.place is None else voice('place {n}', n=line.place)}  {name}"
    parts = [voice("no. {n}", n=number), voice("score {n}", n=score) if score else "", *more]
    yield f"{HANGING}{voice.comma.join(filter(None, parts))}"


def wrapped(lines: Iterable[str], width: int | None = None) -> Iterator[str]:
    """Lines broken where they are wider than the terminal, and set in where they go on; a command is left whole."""
    width = width or min(console(colour=False).width, PROSE)
    for line in lines:
        if isinstance(line, Whole) or cells(line) <= width:
            yield line
            continue
        if isinstance(line, plain.Chain):
            first, *rest = line.folded(max(2, width - len(HANGING)))
            yield from (first, *(HANGING + more for more in rest))
            continue
        words = line.lstrip(" ")
        margin = line[: len(line) - len(words)]
        first, *rest = folded(words, max(2, width - len(margin + HANGING)))
        yield margin + first
        yield from (margin + HANGING + more for more in rest)


def _drawn(line: Finish, scale: int) -> str:
    """A runner as far before the line as she was when the first reached it."""
    return "" if line.place is None else f">{'.' * round(line.lengths / scale)}|"


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
