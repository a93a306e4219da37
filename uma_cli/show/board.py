"""A season on a terminal: its tables, with the interval of each row drawn to scale."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from uma_cli.season import Season
from uma_cli.show import season as tables
from uma_cli.show.terminal import UNCUT, Column, console, kept, table
from uma_cli.voice import Voice

DRAWN = 30
"""The width of an interval."""

STYLES = {1: "bold magenta", -1: "magenta"}
"""What is above and below chance; nothing is said by it alone."""


def lines(season: Season, by: Iterable[str], points: Sequence[int], voice: Voice, *, colour: bool) -> Iterator[str]:
    """The tables as lines for stdout: boxed on a terminal, uncut in a pipe."""
    boxed = sys.stdout.isatty()
    paper = console(colour=colour, width=None if boxed else UNCUT)
    with paper.capture() as captured:
        paper.print(view(season, by, points, voice, paper.width, boxed=boxed))
    yield from captured.get().removesuffix("\n").split("\n")


def view(
    season: Season, by: Iterable[str], points: Sequence[int], voice: Voice, width: int, *, boxed: bool = True
) -> RenderableType:
    """What was counted, and a table for each grouping."""
    parts: list[RenderableType] = [Text(line) for line in tables.heading(season, points, voice)]
    for grouping in by if season.races else ():
        columns = list(_columns(season, grouping, voice))
        parts += [Text(), table(kept(columns, width), width, boxed=boxed)]
    return Group(*parts)


def _columns(season: Season, by: str, voice: Voice) -> Iterator[Column]:
    grid = tables.table(season, by, voice)
    ranks = {voice(name) if name else "": rank for name, rank in tables.ranks(by).items()}
    styles = [STYLES.get(row.tally.beside_chance, "") for row in season.rows(by)]
    for index, head in enumerate(grid.head):
        marked = head in ("", voice("win %"))
        texts = (row[index] for row in grid.rows)
        cells = [Text(text, style if marked else "") for text, style in zip(texts, styles, strict=True)]
        yield Column(ranks[head], head, cells, index in grid.right)
    yield Column(0, "", [Text(line) for line in tables.intervals(season, by, DRAWN)])
