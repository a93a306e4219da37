"""Uma checks, opposed checks with their roll-offs, and single dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from uma_cli.errors import Word, say
from uma_cli.race import MASTER, NOTHING, Effect, Field, Runner
from uma_cli.table import Rolled, Table
from uma_cli.tables import DIE, Dice

Ranks = list[list[str]]
"""Groups of names, each with the best first."""


def check_dice(field: Field, runner: Runner) -> Dice:
    """G3: the dice of her kiai's row and her skills; at least one."""
    row = field.tables.roll(runner.kiai)
    return row._replace(number=max(1, row.number + runner.here.dice)) if runner.here.dice else row


def uma_check(
    field: Field,
    table: Table,
    question: str,
    names: Sequence[str],
    numbers: Mapping[str, Sequence[Effect]] = NOTHING,
) -> tuple[Field, dict[str, int]]:
    """G3: everybody named rolls an uma check; the scores of those who take part (M2).

    The row's own number, her bonus and what this scene adds count; `numbers` are her position's (F3).
    Who rolls above the last row is flagged for an injury check (G2).
    """
    dice = {name: check_dice(field, field[name]) for name in names}
    scores = {}
    for name, throw in table.throw(field, question, dice).items():
        runner = field[name]
        parts = (Effect(Word("bonus"), runner.bonus), *runner.here.effects, *numbers.get(name, ()))
        scores[name] = sum(throw.faces) + dice[name].plus + sum([part.amount for part in parts])
        counted = tuple([part for part in parts if part.amount])
        table.tell(Rolled(question, name, dice[name], throw, counted, scores[name], runner.kiai))
    return flag(field, table, scores), scores


def flag(field: Field, table: Table, names: Iterable[str]) -> Field:
    """G2: who is above the last row of the kiai table is flagged for an injury check until the race ends."""
    flagged = [
        field[name]._replace(injury=True)
        for name in names
        if field.tables.overheated(field[name].kiai) and not field[name].injury
    ]
    for runner in flagged:
        table.tell(say("{name} runs above her limit: an injury check for the game master", name=runner.name))
    return field.put(*flagged) if flagged else field


def photo_roll(field: Field, table: Table, question: str, runners: Mapping[str, Runner]) -> dict[str, int]:
    """F6: only the dice of the last kiai, with the row's own number; no bonus, no position."""
    rows = {name: field.tables.roll(runner.kiai) for name, runner in runners.items()}
    scores = {}
    for name, throw in table.throw(field, question, rows).items():
        scores[name] = sum(throw.faces) + rows[name].plus
        table.tell(Rolled(question, name, rows[name], throw, score=scores[name], kiai=runners[name].kiai))
    return scores


def roll_die(field: Field, table: Table, question: str, names: Sequence[str]) -> dict[str, int]:
    """A plain 1D6 from everybody named; the faces."""
    throws = table.throw(field, question, dict.fromkeys(names, DIE))
    for name, throw in throws.items():
        table.tell(Rolled(question, name, DIE, throw))
    return {name: throw.faces[0] for name, throw in throws.items()}


def master_die(field: Field, table: Table, question: str) -> int:
    """A plain 1D6 of the game master's."""
    return roll_die(field, table, question, [MASTER])[MASTER]


def opposed(
    field: Field, table: Table, question: str, groups: Ranks, *, best_only: bool = False
) -> tuple[Field, Ranks]:
    """Uma checks within each group, roll-offs and all (G5); the groups, each with the best first.

    In a contest (`best_only`) only a tie for the best is rolled off.
    """
    field, scores = uma_check(field, table, question, [name for group in groups for name in group])
    keys: dict[str, tuple[int, ...]] = {name: (score,) for name, score in scores.items()}
    ranks = [[name for name in group if name in keys] for group in groups]
    turn = 1
    while tied := list(_tied(table, _tie(question, turn), keys, ranks, best_only=best_only)):
        for names in tied:
            table.tell(say("tied at {score}: {names}", score=keys[names[0]][-1], names=names))
        field, scores = uma_check(field, table, _tie(question, turn), [name for names in tied for name in names])
        for name, score in scores.items():
            keys[name] = (*keys[name], score)
        turn += 1
    return field, [sorted(group, key=lambda name: keys[name], reverse=True) for group in ranks]


def opponents(table: Table, question: str, names: Sequence[str]) -> list[str]:
    """Who rolls against each other: nobody has to who stands alone, unless her dice lie there already (M2)."""
    taking_part = [name for name in names if table.takes_part(question, name)]
    if len(taking_part) > 1 or any(table.answers(question, name) for name in taking_part):
        return taking_part
    return []


def _tie(question: str, turn: int) -> str:
    return f"{question}-tie" if turn == 1 else f"{question}-tie-{turn}"


def _tied(
    table: Table, question: str, keys: Mapping[str, tuple[int, ...]], ranks: Ranks, *, best_only: bool
) -> Iterator[list[str]]:
    """Those who are tied and roll again, each group by itself."""
    for group in ranks:
        alike: dict[tuple[int, ...], list[str]] = {}
        for name in group:
            alike.setdefault(keys[name], []).append(name)
        best = max(alike, default=())
        for key, names in alike.items():
            if len(names) > 1 and (key == best or not best_only) and (rolling := opponents(table, question, names)):
                yield rolling
