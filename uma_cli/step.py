"""One step of a scene: what was said now is laid over the record, and the scene goes on as far as it can."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from uma_cli.dice import Chance, Seeded
from uma_cli.errors import Misused, RecordWrong, Refused, say
from uma_cli.race import Race, Record, Ruling, kind_of, lowest_kiai
from uma_cli.replay import Played, Stand, is_dice, play_scene, strategy_of
from uma_cli.table import DECLARATIONS, HAND, RULINGS, Ask, Asked, Throw
from uma_cli.tables import Dice

REST = "rest"
ANY_DICE = "dice"
ROLL = "roll"
LOWEST = "lowest"
"""What is said of a fill-in who is only named: she has the lowest kiai of the field (C6)."""


class Said(NamedTuple):
    """One answer given on the command line, as the file would hold it."""

    question: str
    """The question, or `dice` for whatever dice she is asked for."""
    who: str | None
    """A runner, `rest`, or None for the one who is asked."""
    text: str
    """Empty to blank the answer; `roll` to let the tool throw."""


class Words(NamedTuple):
    """All that a call says to a scene."""

    said: tuple[Said, ...] = ()
    rulings: tuple[tuple[str, Ruling], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    auto: str | None = None
    """The strategy that answers every open choice."""
    auto_for: frozenset[str] = frozenset()
    strategy: str = "steady"
    dry: bool = False
    """Check all, roll nothing."""


class Once:
    """The dice of one call: what has fallen stays, however often the call has to be thought over."""

    def __init__(self, dice: Chance | Seeded) -> None:
        self.dice = dice
        self.thrown: dict[tuple[str, str], tuple[int, ...]] = {}

    def throw(self, ask: Ask, dice: Dice) -> tuple[int, ...]:
        """The faces of the dice asked for."""
        key = (ask.question, ask.runner)
        if key not in self.thrown:
            self.thrown[key] = self.dice.throw(ask.scene, ask.question, ask.runner, dice)
        return self.thrown[key]

    @property
    def by_chance(self) -> bool:
        """Whether dice fell that nobody could know; to take them back would be to throw again."""
        return bool(self.thrown) and isinstance(self.dice, Chance)


class Live:
    """Players of a running call: what was said, then the strategies, then the tool's dice."""

    speak = True

    def __init__(self, race: Race, words: Words, dice: Once) -> None:
        self.race = race
        self.words = words
        self.once = dice
        self.dice = dice.dice
        self.unused = list(words.said)
        self.served: set[Said] = set()
        """What was said of the rest, and was somebody's answer."""

    def answer(self, asks: Sequence[Ask]) -> Mapping[str, str]:
        """The answers that there are to a question, by runner."""
        answers = {}
        for ask in asks:
            text = self._said(ask, alone=len(asks) == 1)
            if text is None or text == ROLL:
                text = self._throw(ask, ask.dice, asked_to=text == ROLL) if ask.dice else self._play(ask)
            if text:
                answers[ask.runner] = text
        return answers

    def says(self, scene: str, question: str, runner: str, /) -> bool:
        """Whether something was said for her that would answer a question."""
        questions = (question, ANY_DICE) if is_dice(scene, question) else (question,)
        return any(said.who == runner and said.question in questions for said in self.unused)

    def newcomers(self) -> Sequence[str]:
        """The names given with `--npc`."""
        return [said.who for said in self.unused if said.question == "npc" and said.who]

    def fallen(self, scene: str, question: str, runner: str, dice: Dice, /) -> tuple[int, ...] | None:
        """What the seed throws."""
        return self.dice.fallen(scene, question, runner, dice)

    def _said(self, ask: Ask, *, alone: bool) -> str | None:
        questions = (ask.question, ANY_DICE) if ask.dice else (ask.question,)
        mine = [said for said in self.unused if said.question in questions]
        for said in mine:
            if said.who == ask.runner:
                self.unused.remove(said)
                return f"kiai {lowest_kiai(ask.field)}" if said.text == LOWEST else said.text
        if ask.optional and ask.question not in DECLARATIONS:
            return None
        for said in mine:
            if said.who is None and not ask.optional:
                if not alone:
                    raise Refused(
                        say(
                            "several are asked for {question}, and `{text}` names nobody",
                            question=ask.question,
                            text=said.text,
                        ),
                        hint=say("say who: {runner}=...", runner=ask.runner),
                    ).of(ask.question, None)
                self.unused.remove(said)
                return said.text
        rest = next((said for said in mine if said.who == REST), None)
        if rest is None:
            return None
        self.served.add(rest)
        return rest.text

    def _throw(self, ask: Ask, dice: Dice, *, asked_to: bool) -> str | None:
        if self.words.dry or (self.race.throws_by_hand(ask.runner) and not asked_to):
            return None
        return str(Throw(self.once.throw(ask, dice)))

    def _play(self, ask: Ask) -> str | None:
        if ask.optional:
            return None
        name = strategy_of(self.race, ask)
        if name is None and ask.runner in self.words.auto_for:
            name = self.words.strategy
        name = name or self.words.auto
        if not name:
            return None
        from uma_cli.strategy import STRATEGIES  # only a step that is played by one pays for loading it

        return STRATEGIES[name](ask, self.dice.pick).answer()


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
            if isinstance(error, RecordWrong) and error.answer and error.answer[1]:
                ahead.add((error.answer[0], error.answer[1]))


def _without(stand: Stand, scene: str, words: Words, error: Refused, once: Once) -> Words | None:
    """What was said without the answer that does not stand; None where the call has to be refused."""
    if error.answer is None:
        return None
    question, runner = error.answer
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
        if text not in old.split("\n"):
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
        ahead = next((ask for ask in played.ahead if (ask.question, ask.runner) == (said.question, said.who)), None)
        if ahead:
            _allowed(ahead, said.text)
        answers.setdefault(said.question, {})[said.who] = said.text
        kept.append(said)
    return tuple(kept)


def _allowed(ask: Ask, text: str) -> None:
    try:
        ask.check(text)
    except Refused as error:
        what = say("{path}: `{text}` does not stand: {why}", path=ask.path, text=text, why=error.what)
        raise Refused(what, where=ask.path, hint=error.hint).of(ask.question, ask.runner) from None


def _nobody_asked(said: Said, scene: str, played: Played) -> Refused:
    what = say("{scene}: nobody is asked for {question}", scene=scene, question=said.question)
    if said.who == REST:
        what = say("{scene}: nobody is left to answer {question}", scene=scene, question=said.question)
    elif said.who:
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
    if if_needed and len(closed) == len(scenes):
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
