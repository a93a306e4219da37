"""The game master's rulings (M1, M2), and the front that a ruling empties (P4)."""

from __future__ import annotations

from uma_cli.errors import RecordWrong, Say, Word, say, sentence
from uma_cli.race import ALONE, Effect, Field, Position, Ruling
from uma_cli.table import RULINGS, Table

START = "start"
END = "end"


def rule(field: Field, table: Table, when: str) -> Field:
    """M1: all rulings of this moment, in running order; then it is judged who may stand where."""
    rulings = {name: ruling for name, ruling in table.rulings.items() if ruling.when == when}
    if not rulings:
        return field
    for name in rulings:
        if name not in field:
            raise _wrong(table, name, say("{name} is not in the race here", name=name))
    for name in [name for name in field.runners if name in rulings]:
        field = _apply(field, table, name, rulings[name])
    for rank, place in ALONE.items():
        there = [runner.name for runner in field.at(rank)]
        ruled = [name for name in there if name in rulings]
        if len(there) > 1 and ruled:
            raise _wrong(
                table,
                ruled[0],
                say("only one may have {place}, and there would be {names}", place=say(place), names=there),
                hint=say("rule the other to another position too"),
            )
    return lead_on(field, table)


def _wrong(table: Table, name: str, what: Say, hint: Say | None = None) -> RecordWrong:
    path = f"{table.scene}.ruling.{name}"
    return RecordWrong(
        say("{path}: {what}", path=path, what=what), where=path, hint=hint or say("change the ruling, or leave it out")
    ).of(RULINGS, name)


def changes(ruling: Ruling) -> list[object]:
    """What a ruling does."""
    numbers = (
        (sentence("kiai {n}"), ruling.kiai),
        (sentence("bonus {n}"), ruling.bonus),
        (sentence("finish {n}"), ruling.finish),
    )
    parts: list[object] = [say(text, n=f"{amount:+d}") for text, amount in numbers if amount]
    parts += [ruling.position] if ruling.position else []
    return [*parts, say("out")] if ruling.out else parts


def _apply(field: Field, table: Table, name: str, ruling: Ruling) -> Field:
    runner = field[name]
    table.tell(say("ruling: {name}: {changes} ({why})", name=name, changes=changes(ruling), why=ruling.why))
    runner = runner.risen(ruling.kiai)._replace(bonus=runner.bonus + ruling.bonus)
    field = field.put(runner.owes(Effect(Word("ruling"), ruling.finish)))
    if ruling.position:
        field = _move(field, table, name, ruling.position)
    if ruling.out:
        others = [other for other in field if other.name != name]
        out = sorted((*field.out, field[name]), key=lambda runner: runner.number)
        field = field.in_order(others).replace(out=tuple(out))
    return field


def _move(field: Field, table: Table, name: str, position: Position) -> Field:
    """M1: who is moved stands behind those in the position."""
    if field[name].position is None or table.scene == "finish":
        raise _wrong(table, name, say("no position can be ruled here"))
    runner = field[name]._replace(position=position)
    others = [other for other in field if other.name != name]
    ahead = [other for other in others if other.position and other.position.rank <= position.rank]
    return field.in_order([*ahead, runner, *others[len(ahead) :]])


def lead_on(field: Field, table: Table) -> Field:
    """P4: if a ruling empties the front, the first in the running order is front-runner at once, free of charge."""
    first = next(iter(field), None)
    if first is None or first.position is None or first.position.rank == 0:
        return field
    table.tell(say("{name} is first now, and front-runner", name=first.name))
    return field.put(first._replace(position=Position.FRONT_RUNNER))
