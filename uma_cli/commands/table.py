"""`uma show --table`: the races one by one, then one table of them all."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from uma_cli import batch, file, streams
from uma_cli.run import stand_of
from uma_cli.season import POINTS, Season, read_points
from uma_cli.show import season as tables
from uma_cli.show.wish import Wish
from uma_cli.talk import Talk


def show(paths: Sequence[str], wish: Wish, talk: Talk, jobs: int) -> int:
    """Count the races and show their tables; returns the largest exit code.

    Raises:
        Misused: the points are no points.
    """
    by = tuple(dict.fromkeys(wish.by)) or ("runner",)
    points = POINTS if wish.points is None else read_points(wish.points)
    season = Season()
    code = batch.each(paths, Count(points), talk, jobs, season.__iadd__)
    coloured = streams.coloured(talk.color, sys.stdout)
    if talk.json:
        talk.object(tables.state(season, by, points))
    elif wish.view and (streams.is_terminal(sys.stdout) or coloured):
        from uma_cli.show import board

        talk.result(board.lines(season, by, points, talk.voice, colour=coloured))
    else:
        talk.result(tables.lines(season, by, points, wish, talk.voice))
        if wish.tsv and (left_out := tables.uncounted(season)):
            talk.note(left_out)
    return code


class Count(NamedTuple):
    """What a table wants of each file."""

    points: tuple[int, ...]

    def __call__(self, path: str, talk: Talk) -> Season:
        """A race as a season of one.

        Raises:
            UmaError: it cannot be read.
        """
        source = file.read(path)
        talk.warn(path, source.warnings)
        return Season.of(stand_of(source), self.points)
