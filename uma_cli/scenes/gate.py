"""The gate: who gets away how, and where each then stands (A1-A7)."""

from __future__ import annotations

from collections.abc import Sequence

from uma_cli.errors import Refused, Say, say
from uma_cli.race import GRANTS, Field, Position, Runner
from uma_cli.scenes.checks import opposed
from uma_cli.scenes.frame import begin, end, fill_in
from uma_cli.scenes.skills import declare_kiai, use_at_once
from uma_cli.table import Choice, Option, Table, none_of

NO_STYLE = "none"
ENDS = ("front", "back")
SIDES = ("ahead", "behind")


def gate(field: Field, table: Table) -> Field:
    """From the gate to the first pace."""
    field = begin(field, table)
    field = declare_kiai(field, table)
    styles = declare_style(field, table)
    field = use_at_once(field, table)
    field = field.each(lambda runner: runner._replace(position=runner.here.grant or styles.get(runner.name)))
    field = line_up(field, table)
    field = fill_in(field, table)
    return end(field, table)


def declare_style(field: Field, table: Table) -> dict[str, Position | None]:
    """A5, A6: the placings that the game master grants before the roll, with the reason after a comma."""
    return table.choose(field, "style", map(_style_choice, field), optional=True)


def _style_choice(runner: Runner) -> Choice[Position | None]:
    def read(text: str) -> Position | None:
        style = text.partition(",")[0].strip()
        if style == NO_STYLE:
            return None
        if style not in GRANTS:
            wanted = ", ".join((NO_STYLE, *GRANTS))
            raise Refused(say("want one of: {wanted}; a reason may follow after a comma", wanted=wanted))
        return Position(style)

    def options() -> list[Option]:
        return [
            Option(NO_STYLE, say("runs the gate like the others")),
            Option(Position.RUNAWAY, say("at the very front; sets the runaway pace")),
            Option(Position.END_CLOSER, say("at the very back; chooses no place")),
            Option(Position.LATE_START, say("no gate check; stands behind everybody")),
        ]

    return Choice(runner.name, read, options)


def line_up(field: Field, table: Table) -> Field:
    """A2-A6: the gate check, the places chosen by it, and the positions that result."""
    late = [runner for runner in field if runner.position is Position.LATE_START]
    rolling = [runner.name for runner in field if runner.position is not Position.LATE_START]
    field, ranks = opposed(field, table, "check", [rolling])
    ranked = [field[name] for name in ranks[0]]
    front = _granted(ranked, Position.RUNAWAY)
    back = _granted(ranked, Position.END_CLOSER)
    choosers = [runner for runner in ranked if runner not in (*front, *back)]
    placed = choose_places(field, table, choosers, (front, [*back, *late]))
    order = [*front, *placed]
    positions = [Position.FRONT_RUNNER, Position.PACE_CHASER, *[Position.LATE_SURGER] * len(order)]
    lined_up = [runner._replace(position=position) for runner, position in zip(order, positions, strict=False)]
    lined_up[: len(front)] = front
    lined_up += [*back, *(field[runner.name] for runner in late)]
    there = {runner.name for runner in lined_up}
    absent = [runner._replace(position=Position.LATE_START) for runner in field if runner.name not in there]
    return field.in_order([*lined_up, *absent])


def _granted(ranked: list[Runner], position: Position) -> list[Runner]:
    """A5: of several who want the same placing the highest gate score has it."""
    return [runner for runner in ranked if runner.position is position][:1]


Around = tuple[Sequence[Runner], Sequence[Runner]]
"""Who stands ahead of all who choose, and who behind."""


def choose_places(field: Field, table: Table, choosers: list[Runner], around: Around = ((), ())) -> list[Runner]:
    """A3: the lowest is the base runner; from the second lowest upward each chooses her place."""
    if not choosers:
        return []
    *queue, base = choosers
    queue.reverse()
    placed = [base]
    of_whom = say(" of those who choose") if any(around) else say("")
    lowest = say("{name} has the lowest score{whom} and is the base runner", name=base.name, whom=of_whom)
    names = [runner.name for runner in queue]
    others = say("{lowest}; the others choose from the lowest up: {names}", lowest=lowest, names=names)
    table.tell(others if names else lowest)
    for turn, runner in enumerate(queue):

        def later(turn: int = turn) -> list[Choice[int]]:
            waiting = [(runner, [base, *queue[:place]]) for place, runner in enumerate(queue) if place > turn]
            return [_place_choice(runner, before, around) for runner, before in waiting]

        choice = _place_choice(runner, placed, around)
        slot = table.choose(field, "place", [choice], later=later).get(runner.name)
        if slot is not None:
            placed.insert(slot, runner)
    return placed


def _place_choice(runner: Runner, placed: Sequence[Runner], around: Around) -> Choice[int]:
    """A3: at either end, or directly ahead of or behind one who is placed; read as how many then stand ahead."""
    names = [other.name for other in placed]

    def read(text: str) -> int:
        side, _, name = text.partition(" ")
        if text in ENDS:
            return 0 if text == "front" else len(names)
        if side not in SIDES or name not in names:
            raise none_of(answers())
        return names.index(name) + (side == "behind")

    def answers() -> list[str]:
        return [*ENDS, *(f"{side} {name}" for name in names for side in SIDES)]

    def options() -> list[Option]:
        return [Option(answer, _place_means(names, read(answer), around)) for answer in answers()]

    return Choice(runner.name, read, options, about=lambda: _so_far(names, around))


def _so_far(names: list[str], around: Around) -> list[Say]:
    """The order as it is, once there is one."""
    front, back = ([f"({runner.name})" for runner in granted] for granted in around)
    order = say("so far, front to back: {order}", order=" > ".join([*front, *names, *back]))
    if front or back:
        return [say("{order}; in brackets who chooses no place", order=order)]
    return [order] if len(names) > 1 else []


def _place_means(names: list[str], slot: int, around: Around) -> Say:
    ahead = names[slot - 1] if slot else around[0][-1].name if around[0] else ""
    behind = names[slot] if slot < len(names) else around[1][0].name if around[1] else ""
    if not ahead:
        return say("first, ahead of {name}", name=behind)
    if not behind:
        return say("last, behind {name}", name=ahead)
    between = say("between {ahead} and {behind}", ahead=ahead, behind=behind)
    if slot == 0:
        return say("first of those who choose, {between}", between=between)
    return say("last of those who choose, {between}", between=between) if slot == len(names) else between
