"""A race as rows for other programs: one a runner, cells parted by tabs."""

from __future__ import annotations

from collections.abc import Iterator

from uma_cli.replay import Stand
from uma_cli.text import clean

HEAD = (
    "file",
    "title",
    "scene",
    "status",
    "order",
    "number",
    "name",
    "player",
    "position",
    "kiai",
    "roll",
    "npc",
    "out",
    "flags",
    "place",
    "score",
    "lengths",
    "photo_cm",
)


ACTIVE = tuple('=+-@＝＋－＠"')
"""What a cell would come to life by, full-width signs too; a quote would swallow the cells after it."""


def head() -> str:
    """The names of the columns."""
    return "\t".join(HEAD)


def rows(stand: Stand, file: str) -> Iterator[str]:
    """A row a runner, in running order, who is out last; ids are those of the files."""
    finishes = {line.name: line for line in stand.result or ()}
    field = stand.field
    for order, runner in enumerate((*field, *field.out), 1):
        entry = stand.race.entries.get(runner.name)
        finish = finishes.get(runner.name)
        cells = (
            file,
            stand.race.title,
            stand.scene,
            stand.status,
            order,
            runner.number,
            runner.name,
            entry.player if entry else "",
            runner.position or "",
            runner.kiai,
            field.tables.roll(runner.kiai),
            _yes(there=runner.npc),
            _yes(there=runner in field.out),
            "injury check" if runner.injury else "",
            finish.place if finish else None,
            finish.score if finish else None,
            finish.lengths if finish and finish.place else None,
            finish.photo_cm if finish else None,
        )
        yield "\t".join(cell(value) for value in cells)


def _yes(*, there: bool) -> str:
    return "yes" if there else ""


def cell(value: object) -> str:
    """A cell that no spreadsheet takes for a formula, or for the begin of a longer cell; a number is a number."""
    if value is None:
        return ""
    text = clean(str(value))
    return f"'{text}" if isinstance(value, str) and text.lstrip().startswith(ACTIVE) else text
