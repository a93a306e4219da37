"""A corner: an obstacle, moves declared and carried out, contests, a new pace (C1-C7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from uma_cli.errors import Say, Word, say, sentence
from uma_cli.race import ALONE, LADDER, Effect, Field, Move, Position, Runner, moved
from uma_cli.scenes.checks import opponents, opposed, roll_die, uma_check
from uma_cli.scenes.frame import begin, end, fill_in
from uma_cli.scenes.skills import declare_kiai, use_at_once
from uma_cli.table import Choice, Table, offered
from uma_cli.tables import Obstacle

CONTESTS = {0: "contest-front", 3: "contest-closer"}
PUSHED = {0: Position.PACE_CHASER, 3: Position.LATE_SURGER}
"""Where who held the place goes when she loses it (C4)."""

Places = Mapping[str, Position]


def corner(field: Field, table: Table) -> Field:
    """From the obstacle to the new pace."""
    field = begin(field, table)
    field = meet_obstacle(field, table)
    field = declare_kiai(field, table)
    field = use_at_once(field, table)
    field, wanted = move(field, table)
    for rank in ALONE:
        field, wanted = contest(field, table, rank, wanted)
    field = arrange(field, wanted)
    field = run_away(field)
    field = fill_in(field, table)
    return end(field, table)


def meet_obstacle(field: Field, table: Table) -> Field:
    """C1: the leader rolls whether there is an obstacle, and which; who cannot resist it suffers it."""
    leader = next((runner for runner in field if table.takes_part("obstacle", runner.name)), None)
    if leader is None:
        return field
    if roll_die(field, table, "obstacle", [leader.name])[leader.name] >= 4:
        table.tell(say("4-6: no obstacle"))
        return field
    table.tell(say("1-3: an obstacle"))
    thrower = next((runner for runner in field if table.takes_part("obstacle-kind", runner.name)), None)
    if thrower is None:
        return field
    obstacle = field.tables.obstacle[roll_die(field, table, "obstacle-kind", [thrower.name])[thrower.name]]
    return suffer(field, table, obstacle)


def suffer(field: Field, table: Table, obstacle: Obstacle) -> Field:
    """C1: whom the obstacle meets, who resists it, and what it does to the others."""
    met = [runner.name for place, runner in enumerate(field) if _meets(obstacle, runner, leads=place == 0)]
    table.tell(_at_stake(obstacle, say("everybody") if len(met) == len(field) else met))
    hit = met
    if obstacle.resist:
        field, scores = uma_check(field, table, "obstacle-check", met)
        hit = [name for name in met if name not in scores or scores[name] < obstacle.resist]
        if resisting := [name for name in met if name not in hit]:
            table.tell(say("{names}: not held up", names=resisting))
        if hit:
            table.tell(say("{names}: {effects}", names=hit, effects=_effects(obstacle)))
    return field.put(*(_suffers(field[name], obstacle) for name in hit))


def _meets(obstacle: Obstacle, runner: Runner, *, leads: bool) -> bool:
    there = runner.position is not None and runner.position.within(obstacle.who)
    return "all" in obstacle.who or ("leader" in obstacle.who and leads) or there


def _suffers(runner: Runner, obstacle: Obstacle) -> Runner:
    runner = runner.risen(obstacle.kiai).feels(Effect(Word(obstacle.name), obstacle.check))
    return runner.owes(Effect(Word(obstacle.name), obstacle.finish))


def _at_stake(obstacle: Obstacle, met: object) -> Say:
    """Whom an obstacle meets, and what it does to them."""
    if not met:
        return say("{obstacle}: meets nobody", obstacle=Word(obstacle.name))
    stake = (
        say("{score} or more gets past it, else {effects}", score=obstacle.resist, effects=_effects(obstacle))
        if obstacle.resist
        else say("cannot be resisted, {effects}", effects=_effects(obstacle))
    )
    return say("{obstacle}: meets {names}; {stake}", obstacle=Word(obstacle.name), names=met, stake=stake)


def _effects(obstacle: Obstacle) -> list[object]:
    numbers = (
        (sentence("kiai {n}"), obstacle.kiai),
        (sentence("{n} on each check of this scene"), obstacle.check),
        (sentence("{n} on the finish score"), obstacle.finish),
    )
    return [say(text, n=f"{amount:+d}") for text, amount in numbers if amount] or [say("no effect")]


def move(field: Field, table: Table) -> tuple[Field, Places]:
    """C3: in running order each declares; a move costs 1 kiai. The positions that all of them want."""
    queue = [runner for runner in field if not runner.fill_in]
    moves: dict[str, Move] = {}
    for runner in field:

        def later(runner: Runner = runner) -> list[Choice[str]]:
            return [_move_choice(field, other, moves) for other in _after(queue, runner)]

        choice = _move_choice(field, runner, moves)
        answers = table.choose(field, "move", [choice], optional=runner.fill_in, later=later)
        moves.update({name: Move(answer) for name, answer in answers.items()})
    wanted = {runner.name: _place_after(runner, moves.get(runner.name, Move.STAY)) for runner in field}
    moving = [runner for runner in field if moves.get(runner.name, Move.STAY) is not Move.STAY]
    for runner in moving:
        table.tell(say("{name} moves to {position}, kiai +1", name=runner.name, position=wanted[runner.name]))
    places = {name: position for name, position in wanted.items() if position}
    return field.put(*(runner.risen(1) for runner in moving)), places


def _after(queue: list[Runner], runner: Runner) -> list[Runner]:
    return queue[queue.index(runner) + 1 :] if runner in queue else queue


def _place_after(runner: Runner, declared: Move) -> Position | None:
    return moved(runner.position, declared) if runner.position else None


def _move_choice(field: Field, runner: Runner, moves: Mapping[str, Move]) -> Choice[str]:
    there_are = [declared for declared in Move if _place_after(runner, declared)]
    return offered(runner.name, there_are, lambda declared: _means(field, runner, Move(declared), moves))


def _means(field: Field, runner: Runner, declared: Move, moves: Mapping[str, Move]) -> Say:
    """What a move leads to: the position, the price and the dice after it, and whom it challenges."""
    place = _place_after(runner, declared)
    assert place is not None
    if declared is Move.STAY:
        return say("stays {position}", position=place)
    means = say(
        "to {position}, kiai {now} becomes {then} ({dice})",
        position=place,
        now=runner.kiai,
        then=runner.kiai + 1,
        dice=str(field.tables.roll(runner.kiai + 1)),
    )
    rivals = list(_rivals(field, runner, place.rank, moves)) if place.rank in ALONE else []
    return say("{means}; a contest with {rivals}", means=means, rivals=rivals) if rivals else means


def _rivals(field: Field, runner: Runner, rank: int, moves: Mapping[str, Move]) -> Iterator[Say]:
    """Who else is to stand at a rank, as far as it is declared (C4)."""
    for other in field:
        place = _place_after(other, moves.get(other.name, Move.STAY))
        if other is runner or place is None or place.rank != rank:
            continue
        if other.name not in moves:
            yield say("{name} if she stays", name=other.name)
        elif moves[other.name] is Move.STAY:
            yield say("{name}, who stays", name=other.name)
        else:
            yield say("{name}, who comes too", name=other.name)


def contest(field: Field, table: Table, rank: int, wanted: Places) -> tuple[Field, Places]:
    """C4: where only one may stand, those who want to stand there contest it; the losers go where they can."""
    there = [name for name, position in wanted.items() if position.rank == rank]
    if len(there) < 2:
        return field, wanted
    question = CONTESTS[rank]
    field, ranks = opposed(field, table, question, [opponents(table, question, there)], best_only=True)
    staying = [name for name in there if not table.leaves(name)]
    winner = (ranks[0] or staying or there)[0]
    table.tell(say("{name} has {place}", name=winner, place=say(ALONE[rank])))
    losers = {name: _pushed(field[name], rank) for name in there if name != winner}
    for name, position in losers.items():
        moved_here = field[name].position is position
        lost = say("{name} loses and goes to {position}", name=name, position=position)
        table.tell(say("{lost}; the kiai stays spent", lost=lost) if moved_here else lost)
    return field, {**wanted, **losers}


def _pushed(loser: Runner, rank: int) -> Position:
    """C4: who came goes back to where she was; who held the place goes to the position beside it."""
    assert loser.position is not None
    return PUSHED[rank] if loser.position.rank == rank else loser.position


def arrange(field: Field, places: Places) -> Field:
    """C5: who comes from the front stands ahead of those in a position, who comes from behind stands behind them."""
    ranks: list[tuple[list[Runner], list[Runner], list[Runner]]] = [([], [], []) for _ in LADDER]
    for runner in field:
        assert runner.position is not None
        place = places[runner.name]
        coming_back, staying, coming_forward = ranks[place.rank]
        step = place.rank - runner.position.rank
        side = coming_back if step > 0 else coming_forward if step < 0 else staying
        side.append(runner._replace(position=place))
    return field.in_order([runner for rank in ranks for side in rank for runner in side])


def run_away(field: Field) -> Field:
    """S3: whom a skill granted it is runaway if she ends the moves at the front."""
    return field.put(
        *(runner._replace(position=Position.RUNAWAY) for runner in field.at(0) if runner.here.grant is Position.RUNAWAY)
    )
