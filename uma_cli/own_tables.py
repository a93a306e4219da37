"""A race's own tables, laid over ours."""

from __future__ import annotations

import re
from collections.abc import Mapping

from uma_cli.errors import Say, say
from uma_cli.keys import Keys, Wrong, shown
from uma_cli.race import MAX_INTEGER, NAME_LENGTH, Pace, Position
from uma_cli.tables import DEFAULT_TABLES, Dice, Obstacle, Rise, Tables, read_dice


def read_tables(table: Keys) -> Tables:
    """All tables of a race.

    Raises:
        Unreadable: a cell is of the wrong type, over a limit, or a row is missing.
    """
    tables = DEFAULT_TABLES._replace(
        kiai=_read_kiai(table.table("kiai")),
        pace=_read_pace(table.table("pace")),
        obstacle=_read_obstacles(table.table("obstacle")),
        position=_read_numbers(table.table("position"), DEFAULT_TABLES.position),
        cap=_read_numbers(table.table("cap"), DEFAULT_TABLES.cap, least=0),
    )
    table.rest()
    return tables


def _read_kiai(table: Keys) -> tuple[Dice, ...]:
    rows = dict(enumerate(DEFAULT_TABLES.kiai, 1))
    table.leave(table.data)
    for key in table.data:
        if not re.fullmatch(r"[1-9][0-9]{0,3}", key):
            raise table.wrong(key, say("want the kiai of a row, such as 7"))
        try:
            dice = read_dice(table.text(key))
        except ValueError as error:
            raise table.wrong(key, say("{why}, not `{text}`", why=error.args[0], text=shown(table.data[key]))) from None
        if abs(dice.plus) > MAX_INTEGER:
            raise table.wrong(key, _out_of_range())
        rows[int(key)] = dice
    for kiai in range(1, max(rows) + 1):
        if kiai not in rows:
            raise Wrong(table.path, say("the row of kiai {kiai} is missing", kiai=kiai))
    return tuple(rows[kiai] for kiai in sorted(rows))


def _read_pace(table: Keys) -> dict[str, dict[str, Rise]]:
    paces = {}
    for pace in Pace:
        row = table.table(pace)
        cells = dict(DEFAULT_TABLES.pace[pace])
        for position in Position:
            if position in row.data:
                cells[position] = _read_rise(row, position)
        row.known += list(Position)
        row.rest()
        paces[str(pace)] = cells
    table.rest()
    return paces


def _read_rise(row: Keys, position: str) -> Rise:
    if not isinstance(row.data[position], str):
        rise = row.number(position)
        return Rise(rise, rise)
    match = re.fullmatch(r"(-?[0-9]{1,7})~(-?[0-9]{1,7})", row.text(position))
    if match is None:
        raise row.wrong(
            position, say('want a number, or two such as "1~2", not `{text}`', text=shown(row.data[position]))
        )
    low, high = int(match[1]), int(match[2])
    if max(abs(low), abs(high)) > MAX_INTEGER:
        raise row.wrong(position, _out_of_range())
    return Rise(low, high)


def _out_of_range() -> Say:
    return say("want a number from {least} to {most}", least=-MAX_INTEGER, most=MAX_INTEGER)


def _read_obstacles(table: Keys) -> dict[int, Obstacle]:
    rows = dict(DEFAULT_TABLES.obstacle)
    for face, row in rows.items():
        if str(face) not in table.data:
            continue
        keys = table.table(str(face))
        rows[face] = Obstacle(
            keys.text("name", row.name, longest=NAME_LENGTH, one_line=True),
            keys.some_of("who", (*Position, "all", "leader", "nobody"), row.who),
            resist=keys.number("resist", row.resist),
            kiai=keys.number("kiai", row.kiai),
            check=keys.number("check", row.check),
            finish=keys.number("finish", row.finish),
        )
        keys.rest()
    table.known += [str(face) for face in rows]
    table.rest()
    return rows


def _read_numbers(table: Keys, default: Mapping[str, int], least: int = -MAX_INTEGER) -> dict[str, int]:
    numbers = {key: table.number(key, number, least=least) for key, number in default.items()}
    table.rest()
    return numbers
