"""From the record to where the race stands: the scenes in order, each standing checked."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from uma_cli.dice import Chance, Seeded, dice_of
from uma_cli.errors import RecordWrong, Say, say
from uma_cli.questions import CLOSINGS, has_form, is_dice
from uma_cli.race import Field, Finish, Race, Record, kind_of, out_of_race, standing_line
from uma_cli.scenes import play
from uma_cli.table import Ask, Asked, Event, Nobody, Pending, Players, Table, unasked
from uma_cli.tables import Dice


class Played(NamedTuple):
    """One scene, as far as its answers carry it."""

    scene: str
    field: Field
    done: bool
    """Whether all is answered; closed it is only with its standing in the file."""
    asks: tuple[Ask, ...]
    ahead: tuple[Ask, ...]
    trace: Sequence[Asked]
    events: Sequence[Event]
    given: Mapping[str, Mapping[str, str]]

    def closing(self) -> dict[str, str]:
        """What closes the scene: its standing in running order, or its result by place."""
        if self.scene == "finish":
            return {line.name: str(line) for line in self.field.finishes}
        return {runner.name: standing_line(runner) for runner in self.field}


class Stand(NamedTuple):
    """Where a race stands."""

    race: Race
    played: tuple[Played, ...]
    """Every closed scene, then the open one if it was begun."""
    before: Field
    """The field as it was before the scene that can be played or is open."""
    field: Field
    scene: str
    """The scene that can be played or is open; when all is over the last one played."""
    status: str
    """`ready`, `waiting` or `finished`."""

    @property
    def open(self) -> Played | None:
        """The scene that was begun and is not closed."""
        last = self.played[-1] if self.played else None
        return last if last and self.race.record(last.scene).closing is None else None

    @property
    def waiting(self) -> tuple[Ask, ...]:
        """The questions that wait for a person."""
        scene = self.open
        return tuple(ask for ask in scene.asks if by_person(self.race, ask)) if scene else ()

    @property
    def result(self) -> tuple[Finish, ...] | None:
        """The finish; None until then. If all are out before it, the race is finished too (M2)."""
        if self.status != "finished":
            return None
        return self.field.finishes or out_of_race(self.field)


class _Reader(Nobody):
    """Nobody answers, but a seeded die is held to its seed."""

    def __init__(self, dice: Chance | Seeded) -> None:
        self.dice = dice

    def fallen(self, scene: str, question: str, runner: str, dice: Dice, /) -> tuple[int, ...] | None:
        return self.dice.fallen(scene, question, runner, dice)


def by_person(race: Race, ask: Ask) -> bool:
    """Whether a question waits for a person: the tool throws its own dice, and plays the NPCs."""
    if ask.dice:
        return race.throws_by_hand(ask.runner)
    return strategy_of(race, ask) is None


def strategy_of(race: Race, ask: Ask) -> str | None:
    """The strategy that the file gives a runner: her own, or `steady` for an NPC."""
    entry = race.entries.get(ask.runner)
    if entry and entry.auto:
        return entry.auto
    runner = ask.field.runners.get(ask.runner)
    return "steady" if runner and runner.npc else None


def play_scene(race: Race, scene: str, record: Record, field: Field, players: Players) -> Played:
    """Play a scene from its record as far as its answers and the players carry it.

    Raises:
        Refused: an answer is not allowed.
    """
    left = len(race.scenes) - 1 - race.scenes.index(scene)
    table = Table(scene, record, players, race.ask, left)
    asks: tuple[Ask, ...] = ()
    ahead: tuple[Ask, ...] = ()
    try:
        field = play(race, field, table)
    except Pending as pending:
        asks, ahead = pending.asks, pending.ahead
        field = table.now or field
    return Played(scene, field, not asks, asks, ahead, table.trace, table.events, table.given)


def replay(race: Race) -> Stand:
    """Where a race stands, by its record.

    Raises:
        RecordWrong: an answer, a die or a standing does not follow.
    """
    players = _Reader(dice_of(race))
    field = race.start()
    played: list[Played] = []
    for index, scene in enumerate(race.scenes):
        record = race.record(scene)
        if played and not len(field):
            _nothing_in(race, index)
            break
        if record.closing is None and not record.begun:
            _nothing_in(race, index)
            return Stand(race, tuple(played), field, field, scene, "ready")
        before = field
        now = play_scene(race, scene, record, before, players)
        _only_asked(race, now)
        played.append(now)
        field = now.field
        if record.closing is None:
            _nothing_in(race, index + 1)
            status = "waiting" if any(by_person(race, ask) for ask in now.asks) else "ready"
            return Stand(race, tuple(played), before, field, scene, status)
        _check_closing(now, record.closing)
    return Stand(race, tuple(played), field, field, played[-1].scene, "finished")


def _nothing_in(race: Race, index: int) -> None:
    """Scenes that cannot be played yet may hold choices given ahead, but no dice and no standing."""
    for scene in race.scenes[index:]:
        record = race.record(scene)
        if record.closing is not None:
            path = f"{scene}.{CLOSINGS[kind_of(scene)]}"
            raise RecordWrong(
                say("{path}: {scene} is closed, but the scene before it is not", path=path, scene=scene),
                where=path,
                hint=say("close the scene before it, or delete this table"),
            )
        _only_choices(race, scene, unasked(record.answers, ()))


def _only_asked(race: Race, now: Played) -> None:
    hint = None
    if now.asks:
        names = [ask.runner for ask in now.asks]
        hint = say(
            "{question} of {names} is asked first; answer it, or delete that line",
            question=now.asks[0].question,
            names=names,
        )
    _only_choices(race, now.scene, unasked(race.record(now.scene).answers, now.trace), hint)


def _only_choices(race: Race, scene: str, answers: list[tuple[str, str]], hint: Say | None = None) -> None:
    """What nobody asked for may be choices, but no dice, and nothing that the question could never be answered by."""
    for question, name in answers:
        path = f"{scene}.{question}.{name}"
        text = race.record(scene).answers[question][name]
        if is_dice(scene, question):
            raise RecordWrong(
                say("{path}: nobody asked for the dice `{text}`", path=path, text=text),
                where=path,
                hint=hint or say("delete that line, or put back the answer that led to it"),
            )
        if not _could_answer(race, question, name, text):
            raise RecordWrong(
                say("{path}: `{text}` is no answer to that question", path=path, text=text),
                where=path,
                hint=say("delete that line; a merge may have put it under another question than its own"),
            )


def _could_answer(race: Race, question: str, name: str, text: str) -> bool:
    if question != "skill":
        return has_form(question, text)
    hers = race.entries[name].runner.skills if name in race.entries else {}
    return text == "pass" or all(use.partition("@")[0].strip() in hers for use in text.split(";"))


def _check_closing(now: Played, closing: Mapping[str, str]) -> None:
    table = CLOSINGS[kind_of(now.scene)]
    path = f"{now.scene}.{table}"
    cure = say("put back what was changed before it, or delete from [{path}] on and play on", path=path)
    if now.asks:
        ask = now.asks[0]
        raise RecordWrong(
            say("{path}: the scene is closed, but {ask} has no answer", path=path, ask=ask.path), where=path, hint=cure
        )
    wanted = now.closing()
    for name in (*wanted, *closing):
        stands, follows = closing.get(name), wanted.get(name)
        if stands == follows:
            continue
        path = f"{path}.{name}"
        if stands is None:
            what = say(
                "{path}: `{follows}` follows from the answers, and nothing stands there", path=path, follows=follows
            )
        elif follows is None:
            what = say(
                "{path}: `{stands}` stands there, and nothing follows from the answers", path=path, stands=stands
            )
        else:
            what = say(
                "{path}: `{stands}` stands there, and `{follows}` follows from the answers",
                path=path,
                stands=stands,
                follows=follows,
            )
        raise RecordWrong(what, where=path, hint=cure)
    if list(wanted) != list(closing):
        order = " > ".join(wanted)
        raise RecordWrong(
            say(
                "{path}: the lines stand in another order than follows from the answers: {order}",
                path=path,
                order=order,
            ),
            where=path,
            hint=cure,
        )
