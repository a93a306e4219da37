"""One step of a scene: what was said now is laid over the record, and the scene goes on as far as it can."""

from collections.abc import Sequence
from typing import NamedTuple

from uma_cli.dice import Chance, Seeded
from uma_cli.errors import Misused, RecordWrong, Refused, Say, say
from uma_cli.live import ANY_DICE, LOWEST, REST, ROLL, Live, Once, Said, Words
from uma_cli.questions import is_dice
from uma_cli.race import RISE, Record, Ruling, kind_of
from uma_cli.replay import Played, Stand, play_scene
from uma_cli.table import HAND, RULINGS, Ask, Asked


class Stepped(NamedTuple):
    """What a step came to."""

    record: Record
    played: Played
    kept: tuple[Said, ...]
    """Choices said now that nobody has asked for yet; in a closed scene nobody ever will."""
    aside: tuple[Refused, ...] = ()
    """Why some answers were set aside."""


def step(stand: Stand, scene: str, words: Words, dice: Chance | Seeded) -> Stepped:
    """Play a scene on from where the race stands.

    An answer that was given ahead and cannot stand now is set aside, and she is asked anew. So is what was said in this
    call once chance has thrown dice in it: they have fallen, and a refusal would let them be thrown again.

    Raises:
        Refused: something said is not allowed, or comes too late.
    """
    once = Once(dice)
    ahead: set[tuple[str, str]] = set()
    aside: list[Refused] = []
    while True:
        try:
            return _play_on(stand, scene, words, once, ahead)._replace(aside=tuple(aside))
        except Refused as error:
            without = _without(stand, scene, words, error, once)
            if without is None:
                raise
            aside.append(error)
            words = without
            if isinstance(error, RecordWrong) and error.answer and error.answer[1] and error.answer[0] != RULINGS:
                ahead.add((error.answer[0], error.answer[1]))


def _without(stand: Stand, scene: str, words: Words, error: Refused, once: Once) -> Words | None:
    """What was said without the answer that does not stand; None where the call has to be refused."""
    if error.answer is None:
        return None
    question, runner = error.answer
    if question == RULINGS:
        others = tuple((name, ruling) for name, ruling in words.rulings if name != runner)
        return words._replace(rulings=others) if once.by_chance and len(others) < len(words.rulings) else None
    if isinstance(error, RecordWrong):
        answered = {
            (asked.question, name) for asked in (stand.open.trace if stand.open else ()) for name in asked.answered
        }
        return None if is_dice(scene, question) or (question, runner) in answered else words
    if not once.by_chance:
        return None
    questions = (question, ANY_DICE) if is_dice(scene, question) else (question,)
    for who in (runner, None, REST):
        for said in words.said:
            if said.question in questions and said.who == who:
                return words._replace(said=tuple(other for other in words.said if other is not said))
    return None


def _play_on(stand: Stand, scene: str, words: Words, once: Once, ahead: set[tuple[str, str]]) -> Stepped:
    race = stand.race
    trace = stand.open.trace if stand.open else ()
    live = Live(race, words, once)
    record = race.record(scene)
    answers = {question: dict(by_runner) for question, by_runner in record.answers.items()}
    for question, name in ahead:
        answers[question][name] = ""
    for said in words.said:
        if _revise(answers, said, scene, trace):
            live.unused.remove(said)
    record = record._replace(
        answers=answers,
        rulings=_rulings(record, words, stand, scene, trace),
        notes=_notes(record, words),
    )
    played = play_scene(race, scene, record, stand.before, live)
    for question, by_runner in played.given.items():
        answers.setdefault(question, {}).update(by_runner)
    kept = _keep(answers, live, scene, played)
    _blanks(answers, played, stand.open)
    closing = played.closing() if played.done else None
    answers = {question: by_runner for question, by_runner in answers.items() if by_runner}
    return Stepped(record._replace(answers=answers, closing=closing), played, kept)


def _revise(answers: dict[str, dict[str, str]], said: Said, scene: str, trace: Sequence[Asked]) -> bool:
    """Take a said answer that was given before, or comes too late; whether it is dealt with."""
    if said.who in (None, REST) or said.question == ANY_DICE:
        return False
    assert said.who is not None
    by_runner = answers.get(said.question, {})
    old = by_runner.get(said.who, "")
    if said.text == old or (old and said.text in (LOWEST, ROLL)):
        return True
    path = f"{scene}.{said.question}.{said.who}"
    later = _answered_later(trace, said.question)
    if later:
        asked = later.question
        raise Refused(
            say(
                "{path}: too late: `{later}` of {who} is answered already and rests on it",
                path=path,
                later=asked,
                who=later.answered[0],
            ),
            where=path,
            hint=say("what has been played stays; the game master can make a ruling"),
        )
    if not old:
        return False
    named = next(
        (name for name, text in by_runner.items() if name != said.who and said.who in names_in(said.question, text)),
        None,
    )
    if named:
        raise Refused(
            say("{path}: too late: the answer of {who} names her", path=path, who=named),
            where=path,
            hint=say("take that answer back first: --{question} {who}=", question=said.question, who=named),
        )
    if is_dice(scene, said.question) and HAND not in old:
        raise Refused(
            say("{path}: the dice have fallen: `{old}`", path=path, old=old),
            where=path,
            hint=say("only dice thrown by hand can be typed anew"),
        )
    by_runner[said.who] = ""
    return not said.text


def names_in(question: str, text: str) -> list[str]:
    """The runners that an answer names."""
    if question == "place":
        return [text.partition(" ")[2]]
    if question == "skill":
        return [use.partition("@")[2].partition(":")[0].strip() for use in text.split(";")]
    return []


def _answered_later(trace: Sequence[Asked], question: str) -> Asked | None:
    places = [index for index, asked in enumerate(trace) if asked.question == question]
    if not places:
        return None
    later = [asked for asked in trace[places[-1] + 1 :] if asked.answered and asked.question != question]
    return later[0] if later else None


def _rulings(record: Record, words: Words, stand: Stand, scene: str, trace: Sequence[Asked]) -> dict[str, Ruling]:
    rulings = dict(record.rulings)
    out = [runner.name for runner in stand.before.out]
    for name, ruling in words.rulings:
        path = f"{scene}.{RULINGS}.{name}"
        if name in out:
            raise Refused(say("{path}: {name} is out of the race", path=path, name=name), where=path)
        if name in rulings and rulings[name] != ruling:
            if name not in record.rulings:
                raise Misused(
                    say("two rulings on {name} in one call", name=name),
                    hint=say('put them together: --ruling "{name}=kiai -1, bonus +1"', name=name),
                )
            raise Refused(
                say("{path}: a ruling on {name} stands in this scene already", path=path, name=name),
                where=path,
                hint=say("change it in the file"),
            )
        late = next((asked for asked in trace if asked.answered), None) if ruling.when == "start" else None
        if ruling.position and (scene == "finish" or (scene, ruling.when) == ("gate", "start")):
            raise Refused(say("{path}: no position can be ruled here", path=path), where=path)
        only_out = ruling == Ruling(ruling.why, ruling.when, out=True)
        if ruling.when == "end" and not only_out:
            late = _answered_later(trace, RULINGS)
        if late and name not in rulings:
            raise Refused(
                say("{path}: too late: `{later}` is answered already", path=path, later=late.question),
                where=path,
                hint=say("rule at the end of the scene, or in the next one"),
            )
        rulings[name] = ruling
    return rulings


def _notes(record: Record, words: Words) -> dict[str, str]:
    notes = dict(record.notes)
    for name, text in words.notes:
        old = notes.get(name, "")
        if text != old.rpartition("\n")[2]:
            notes[name] = f"{old}\n{text}" if old else text
    return notes


def _keep(answers: dict[str, dict[str, str]], live: Live, scene: str, played: Played) -> tuple[Said, ...]:
    """What was said and not asked for: choices are kept, for they may be asked later; dice are refused."""
    asked_questions = {asked.question for asked in played.trace}
    waits_for_tool = live.words.dry and any(ask.dice for ask in played.asks)
    kept = []
    for said in live.unused:
        dice = said.question == ANY_DICE or is_dice(scene, said.question)
        if said in live.served or (said.who == REST and said.question in asked_questions):
            continue
        if dice and waits_for_tool:
            continue
        if dice or said.who in (None, REST):
            raise _nobody_asked(said, scene, played)
        assert said.who is not None
        if said.text == LOWEST:
            raise Refused(
                say("nobody has to fill the front yet"),
                hint=say('say her kiai to name her ahead: --npc "{name}=kiai 4"', name=said.who),
            )
        if never := _never(said, scene, played):
            raise Refused(never).of(said.question, said.who)
        ahead = next((ask for ask in played.ahead if (ask.question, ask.runner) == (said.question, said.who)), None)
        if ahead:
            _allowed(ahead, said.text)
        answers.setdefault(said.question, {})[said.who] = said.text
        kept.append(said)
    return tuple(kept)


def _never(said: Said, scene: str, played: Played) -> Say | None:
    """Why a choice could never stand, whenever it is asked for (G4, C6)."""
    field = played.field
    if said.question == RISE and said.text and int(said.text) > field.tables.cap_in(scene):
        left = field.tables.cap_in(scene)
        return say("{left} is left of the cap on rises of kiai in this scene", left=left)
    if said.question == "npc" and said.who in (*field.runners, *(runner.name for runner in field.out)):
        return say("{name} is in the race already", name=said.who)
    return None


def _allowed(ask: Ask, text: str) -> None:
    try:
        ask.check(text)
    except Refused as error:
        what = say("{path}: `{text}` does not stand: {why}", path=ask.path, text=text, why=error.what)
        raise Refused(what, where=ask.path, hint=error.hint).of(ask.question, ask.runner) from None


def _nobody_asked(said: Said, scene: str, played: Played) -> Refused:
    what = say("{scene}: nobody is asked for {question}", scene=scene, question=said.question)
    if said.who == REST and said.question in {asked.question for asked in played.trace}:
        what = say("{scene}: nobody is left to answer {question}", scene=scene, question=said.question)
    elif said.who not in (None, REST):
        what = say(
            "{scene}: nobody asked {who} for {question} `{text}`",
            scene=scene,
            who=said.who,
            question=said.question,
            text=said.text,
        )
    hint = say("leave it out")
    if played.asks:
        names = [ask.runner for ask in played.asks]
        hint = say("{question} is asked now, of {names}", question=played.asks[0].question, names=names)
    return Refused(what, where=scene, hint=hint).of(said.question, said.who)


def _blanks(answers: dict[str, dict[str, str]], played: Played, before: Played | None) -> None:
    """A blank is a question that waits: those that are no longer asked go, those that are asked come."""
    came_up = {asked.question for asked in played.trace} | {ask.question for ask in (before.asks if before else ())}
    open_asks = {(ask.question, ask.runner) for ask in (*played.asks, *played.ahead)}
    for question, by_runner in answers.items():
        for name in [name for name, text in by_runner.items() if not text]:
            if (question, name) not in open_asks and (played.done or question in came_up):
                del by_runner[name]
    for ask in played.asks:
        answers.setdefault(ask.question, {}).setdefault(ask.runner, "")


def next_scene(stand: Stand, kind: str, wanted: str | None, *, if_needed: bool) -> str | None:
    """The scene that a command plays; None where nothing is left to do.

    Raises:
        Misused: it is not clear which scene is meant.
        Refused: it is not this scene's turn.
    """
    race = stand.race
    if wanted and wanted not in race.scenes:
        raise Refused(
            say("the race has no scene {scene}", scene=wanted),
            hint=say("its scenes: {scenes}", scenes=" ".join(race.scenes)),
        )
    scenes = [wanted] if wanted else [scene for scene in race.scenes if kind_of(scene) == kind]
    if if_needed and len(scenes) > 1:
        raise Misused(
            say("--if-needed wants --scene: the race has several corners"),
            hint=say("its scenes: {scenes}", scenes=" ".join(race.scenes)),
        )
    closed = [scene for scene in scenes if race.record(scene).closing is not None]
    if if_needed and (stand.status == "finished" or len(closed) == len(scenes)):
        return None
    turn = say("its turn is {scene}", scene=stand.scene)
    follow = say("uma {command} --scene {scene} {file} plays it", command=kind_of(stand.scene), scene=stand.scene)
    if stand.status == "finished":
        raise Refused(say("the race is over"), hint=say("uma show tells how it went"))
    if stand.scene in scenes:
        return stand.scene
    if not scenes:
        raise Refused(say("the race has no corner; {turn}", turn=turn), hint=follow)
    if len(closed) == len(scenes):
        raise Refused(say("{scene} is closed; {turn}", scene=scenes[-1], turn=turn), hint=follow)
    open_scene = next(scene for scene in scenes if scene not in closed)
    raise Refused(say("it is not yet the turn of {scene}; {turn}", scene=open_scene, turn=turn), hint=follow)
