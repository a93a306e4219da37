"""The finish: skills from front to back, the finish check, the photo, the places (F1-F7)."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from uma_cli.errors import Word, say
from uma_cli.race import Effect, Field, Finish, Runner, Use, out_of_race
from uma_cli.scenes.checks import Ranks, opponents, opposed, photo_roll, uma_check
from uma_cli.scenes.frame import begin, close
from uma_cli.scenes.skills import carry_out, declare_kiai, declare_uses, hear_the_idle, skill_choice, usable
from uma_cli.table import Choice, Table

PHOTOS = ("photo", "photo-2")


class Run(NamedTuple):
    """What a runner has to show at the line, the weightier first."""

    score: int
    photos: tuple[int, ...] = ()


def finish(field: Field, table: Table, checks: int = 1, photo: tuple[int, ...] = (1,)) -> Field:
    """From the last skills to the places.

    Args:
        checks: how many finish checks the race has (F4).
        photo: centimetres that a point is worth, in each photo there is (F7).
    """
    field = begin(field, table)
    field, queue = declaring_order(field, table)
    field = declare_kiai(field, table)
    field = declare_skills(field, table, queue)
    field = carry_out(field, table)
    field, scores = finish_checks(field, table, checks)
    field = close(field, table)
    runs = photo_finish(field, table, add_up(field, table, scores), photo)
    if any(len(run.photos) > 1 for run in runs.values()):
        table.tell(say("the second photo counts for {n} cm at most", n=photo[0] - 1))
    return field.replace(finishes=(*places(field, runs, photo), *out_of_race(field)))


def declaring_order(field: Field, table: Table) -> tuple[Field, list[str]]:
    """F1: from front to back; those who share a position and hold a skill for here roll for it."""
    groups = [
        [runner.name for runner in sharing if usable(field, table.scene, runner)]
        for _, sharing in groupby(field, key=lambda runner: runner.position)
    ]
    rolling = [rolling for group in groups if len(group) > 1 and (rolling := opponents(table, "order", group))]
    ranks: Ranks = []
    if rolling:
        field, ranks = opposed(field, table, "order", rolling)
    won = {name: place for rank in ranks for place, name in enumerate(rank)}
    order = [name for group in groups for name in sorted(group, key=lambda name: won.get(name, len(won)))]
    if won:
        table.tell(say("skills are declared in this order: {names}", names=order))
    return field, order


def declare_skills(field: Field, table: Table, queue: list[str]) -> Field:
    """F1: one after another they declare the skills they use, cancels and hindrances too."""
    hear_the_idle(field, table, [name for name in queue if usable(field, table.scene, field[name])])
    for turn, name in enumerate(queue):
        if usable(field, table.scene, field[name]):
            now = field

            def later(turn: int = turn, now: Field = now) -> list[Choice[tuple[Use, ...]]]:
                waiting = [now[other] for other in queue[turn + 1 :]]
                return [skill_choice(now, table.scene, other) for other in waiting if usable(now, table.scene, other)]

            declared = table.choose(field, "skill", [skill_choice(field, table.scene, field[name])], later=later)
            field = declare_uses(field, declared.get(name, ()))
    return field


def finish_checks(field: Field, table: Table, checks: int) -> tuple[Field, dict[str, list[int]]]:
    """F3, F4: each check counts with the position's number; obstacles' and rulings' numbers wait for the sum."""
    numbers = {runner.name: position_numbers(field, runner) for runner in field}
    scores: dict[str, list[int]] = {}
    questions = [f"check-{turn}" for turn in range(1, checks + 1)] if checks > 1 else ["check"]
    for question in questions:
        field, rolled = uma_check(field, table, question, list(field.runners), numbers)
        for name, score in rolled.items():
            scores.setdefault(name, []).append(score)
    return field, scores


def add_up(field: Field, table: Table, scores: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """F4: obstacles' and rulings' finish numbers count once, on the sum of the checks."""
    totals = {}
    for runner in (*field, *field.out):
        if runner.name in scores:
            rolled = scores[runner.name]
            total = totals[runner.name] = sum(rolled) + sum(effect.amount for effect in runner.finish)
            if runner.finish or len(rolled) > 1:
                numbers = [" + ".join(map(str, rolled)), *runner.finish]
                table.tell(say("{name}: {numbers} = {total}", name=runner.name, numbers=numbers, total=total))
    return totals


def position_numbers(field: Field, runner: Runner) -> tuple[Effect, Effect]:
    """F3, S1: her position's number, and the points that skills take off one that is negative."""
    number = field.tables.position[runner.position] if runner.position else 0
    here = Effect(runner.position or Word("position"), number)
    return here, Effect(Word("soften"), min(runner.here.soften, max(0, -number)))


def photo_finish(field: Field, table: Table, scores: Mapping[str, int], photo: tuple[int, ...]) -> dict[str, Run]:
    """F6: equal scores roll the dice of their last kiai, as often as the race has photos."""
    ran = {runner.name: runner for runner in (*field, *field.out)}
    runs = {name: Run(score) for name, score in scores.items()}
    for index, question in enumerate(PHOTOS[: len(photo)]):
        alike: dict[Run, list[str]] = {}
        for name, run in runs.items():
            if len(run.photos) == index:
                alike.setdefault(run, []).append(name)
        equal = {run: opponents(table, question, names) for run, names in alike.items() if len(names) > 1}
        for run, names in equal.items():
            if names:
                cm = photo[index]
                table.tell(say("photo at {score}, {n} cm a point: {names}", score=run.score, n=cm, names=names))
        rolling = {name: ran[name] for names in equal.values() for name in names}
        for name, point in photo_roll(field, table, question, rolling).items():
            runs[name] = runs[name]._replace(photos=(*runs[name].photos, point))
    return {runner.name: runs[runner.name] for runner in field}


def places(field: Field, runs: Mapping[str, Run], photo: tuple[int, ...]) -> list[Finish]:
    """F5-F7: the highest first, the same place for a dead heat, and the distances behind."""
    order = sorted(runs, key=lambda name: runs[name], reverse=True)
    finishes: list[Finish] = []
    for index, name in enumerate(order):
        run = runs[name]
        dead_heat = index > 0 and run == runs[order[index - 1]]
        place = finishes[-1].place if dead_heat else index + 1
        lengths = runs[order[0]].score - run.score
        centimetres = _photo_distance(run, list(runs.values()), photo)
        finishes.append(Finish(name, place, run.score, lengths, centimetres, field[name].npc))
    return finishes


def _photo_distance(run: Run, runs: list[Run], photo: tuple[int, ...]) -> int | None:
    """F7: behind the best of the same score; a second photo counts at most what the first would round away."""
    rivals = [other for other in runs if other.score == run.score]
    distance = 0
    for index, point in enumerate(run.photos):
        behind = (max(other.photos[index] for other in rivals) - point) * photo[index]
        distance += min(behind, photo[index - 1] - 1) if index else behind
        rivals = [other for other in rivals if other.photos[index] == point]
    return distance or None
