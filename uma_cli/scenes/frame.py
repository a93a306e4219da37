"""What every scene begins and ends with: rulings, the front that is filled, the pace and its rise."""

from __future__ import annotations

import re

from uma_cli.errors import Refused, Say, say
from uma_cli.race import CHOSEN_PACES, MASTER, MAX_INTEGER, QUIET, Field, Pace, Position, Runner, lowest_kiai
from uma_cli.scenes.checks import flag, master_die, roll_die
from uma_cli.scenes.rulings import END, START, rule
from uma_cli.table import RULINGS, Choice, Table, offered


def begin(field: Field, table: Table) -> Field:
    """What held for the last scene only is over; then the rulings at the start (M1)."""
    stirred = [runner for runner in field if runner.here is not QUIET]
    field = field.put(*(runner._replace(here=QUIET) for runner in stirred)).replace(uses=())
    return rule(field, table, START)


def end(field: Field, table: Table) -> Field:
    """A7, C7: the leader sets the pace, kiai rises by it, and the rulings at the end follow (M1)."""
    field = pace_rise(set_pace(field, table), table)
    return close(field, table)


def close(field: Field, table: Table) -> Field:
    """The rulings at the end (M1), and who ends the scene above the last row is flagged (G2)."""
    table.reach(RULINGS)
    field = rule(field, table, END)
    return flag(field, table, field.runners)


def fill_in(field: Field, table: Table) -> Field:
    """C6: if nobody is left at the front, a new runner fills it, at the head of the running order."""
    if field.at(0) or _all_leave(field, table):
        return field
    newcomers = table.newcomers()
    name, kiai = _next_name(field), lowest_kiai(field)
    if newcomers:
        name = newcomers[0]
        kiai = table.choose(field, "npc", [_newcomer(field, name)], optional=True)[name]
    number = max(runner.number for runner in (*field, *field.out)) + 1
    npc = Runner(name, number, kiai=kiai, npc=True, fill_in=True, position=Position.FRONT_RUNNER)
    table.tell(say("the front is empty: {name} fills it, an NPC with kiai {kiai}", name=name, kiai=kiai))
    return field.in_order([npc, *field])


def _next_name(field: Field) -> str:
    taken = {runner.name for runner in (*field, *field.out)}
    return next(name for name in (f"NPC {n}" for n in range(1, len(taken) + 2)) if name not in taken)


def _newcomer(field: Field, name: str) -> Choice[int]:
    def read(text: str) -> int:
        kiai = re.fullmatch("kiai ([0-9]{1,7})", text)
        if kiai is None or not 1 <= int(kiai[1]) <= MAX_INTEGER:
            raise Refused(say("want the fill-in's kiai, such as `kiai 4`"))
        if name in field or any(runner.name == name for runner in field.out):
            raise Refused(say("{name} is in the race already", name=name))
        return int(kiai[1])

    return Choice(name, read)


def set_pace(field: Field, table: Table) -> Field:
    """P1, P4: whoever holds the front now sets the pace, anew in each scene."""
    leader = next(iter(field), None)
    chooser = next((runner for runner in field if _chooses(field, table, runner)), None)
    if leader is None or chooser is None:
        return field
    if leader.position is Position.RUNAWAY:
        pace = Pace.RUNAWAY
        table.tell(say("{name} runs away: the runaway pace", name=leader.name))
    elif chooser.npc:
        face = master_die(field, table, "pace-die")
        pace = (Pace.SLOW, Pace.AVERAGE, Pace.FAST)[(face - 1) // 2]
        rule = say("1-2 slow, 3-4 average, 5-6 fast")
        table.tell(say("{name} sets a pace by the die: {pace} ({rule})", name=chooser.name, pace=pace, rule=rule))
    else:
        choice = offered(chooser.name, CHOSEN_PACES, lambda pace: _means(field, pace))
        pace = Pace(table.choose(field, "pace", [choice])[chooser.name])
    return field.replace(pace=pace)


def _chooses(field: Field, table: Table, runner: Runner) -> bool:
    """M2: a leader who is ruled out and has not chosen is passed over; but an NPC's die is the game master's."""
    if table.takes_part("pace", runner.name):
        return True
    leads = runner is next(iter(field))
    return runner.npc and (table.answers("pace-die", MASTER) or (leads and not _all_leave(field, table)))


def _all_leave(field: Field, table: Table) -> bool:
    return all(table.leaves(runner.name) for runner in field)


def pace_rise(field: Field, table: Table) -> Field:
    """P2: each runner's kiai rises by the pace and her position; P3: where the table has two numbers, by 1D6."""
    if field.pace is None:
        return field
    row = field.tables.pace[field.pace]
    cells = {runner.name: row[runner.position] for runner in field if runner.position}
    rolled = {name: cell for name, cell in cells.items() if cell.rolled}
    for cell in dict.fromkeys(rolled.values()):
        names = [name for name, hers in rolled.items() if hers == cell]
        whose = say("everybody") if len(names) == len(field) else names
        means = {"low": f"{cell.low:+d}", "high": f"{cell.high:+d}"}
        table.tell(say("pace rise dice of {names}: 1-4 is kiai {low}, 5-6 is kiai {high}", names=whose, **means))
    faces = roll_die(field, table, "rise-die", list(rolled))
    rises = {name: cell.by(faces.get(name, 1)) for name, cell in cells.items()}
    rises = {name: rise for name, rise in rises.items() if rise}
    if rises:
        table.tell(
            say(
                "pace rise: {rises}",
                rises=[say("{name} {n}", name=name, n=f"{rise:+d}") for name, rise in rises.items()],
            )
        )
    return field.put(*(field[name].risen(rise) for name, rise in rises.items()))


def _means(field: Field, pace: str) -> Say:
    row = field.tables.pace[pace]
    rises = [f"{runner.name} {row[runner.position].signed}" for runner in field if runner.position]
    return say("kiai at the end of the scene: {rises}", rises=rises)
