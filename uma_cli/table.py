"""The table that a scene is played at: the one door to dice and choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, NoReturn, Protocol, TypeVar

from uma_cli.errors import RecordWrong, Refused, Say, say
from uma_cli.race import MASTER, Answers, Effect, Field, Record, Ruling
from uma_cli.tables import Dice

T = TypeVar("T")

DECLARATIONS = ("kiai", "style", "npc")
"""The questions that are optional: taken when given, asked when the race's `ask` says so."""

RULINGS = "ruling"
"""Where the rulings at a scene's end stand among its questions."""

HAND = "hand"


class Option(NamedTuple):
    """One answer that a choice allows, and what it means and costs."""

    answer: str
    means: Say


class Choice(NamedTuple, Generic[T]):
    """What one runner may choose: how her answer is read, and what can be answered."""

    runner: str
    read: Callable[[str], T]
    """Raises Refused, with what is wanted, for an answer that is not allowed."""
    options: Callable[[], Sequence[Option]]


class Ask(NamedTuple):
    """One question to one runner."""

    scene: str
    question: str
    runner: str
    field: Field
    dice: Dice | None = None
    options: Callable[[], Sequence[Option]] = tuple
    optional: bool = False
    scenes_left: int = 0
    """How many scenes still end with a pace rise, this one included."""
    check: Callable[[str], object] = str
    """Reads an answer and throws the value away; raises Refused where it is not allowed."""

    @property
    def path(self) -> str:
        """The key path of its answer in the race file."""
        return f"{self.scene}.{self.question}.{self.runner}"


class Pending(BaseException):
    """A scene waits for these answers. It is no error, and no `except Exception` may swallow it."""

    def __init__(self, asks: tuple[Ask, ...], ahead: tuple[Ask, ...]) -> None:
        super().__init__(asks, ahead)
        self.asks = asks
        self.ahead = ahead
        """Who may answer already though it is not her turn."""


class Players(Protocol):
    """Where answers come from that the record does not hold."""

    def answer(self, asks: Sequence[Ask], /) -> Mapping[str, str]:
        """The answers that there are to a question, by runner, as the file is to hold them."""

    def says(self, scene: str, question: str, runner: str, /) -> bool:
        """Whether there is an answer of hers that nobody has asked for yet."""

    def newcomers(self) -> Sequence[str]:
        """Names that the game master gives to fill-ins now."""

    def fallen(self, ask: Ask, /) -> tuple[int, ...] | None:
        """The faces that an unmarked throw must show, or None where only chance knows."""


class Nobody:
    """Players who never answer: with them a record is only read."""

    def answer(self, _asks: Sequence[Ask], /) -> Mapping[str, str]:
        """Nothing."""
        return {}

    def says(self, _scene: str, _question: str, _runner: str, /) -> bool:
        """Nobody says anything."""
        return False

    def newcomers(self) -> Sequence[str]:
        """None."""
        return ()

    def fallen(self, _ask: Ask, /) -> tuple[int, ...] | None:
        """Nothing is known."""
        return None


class Throw(NamedTuple):
    """Dice as they fell, and whose they are: `hand`, or nothing for the tool's."""

    faces: tuple[int, ...]
    origin: str = ""

    def __str__(self) -> str:
        faces = " ".join(map(str, self.faces))
        return f"{faces}, {self.origin}" if self.origin else faces


class Rolled(NamedTuple):
    """Somebody threw dice; `parts` and `score` are there when it was a check."""

    question: str
    runner: str
    dice: Dice
    throw: Throw
    parts: tuple[Effect, ...] = ()
    score: int | None = None


class Chose(NamedTuple):
    """Somebody answered."""

    question: str
    runner: str
    answer: str


Event = Rolled | Chose | Say
"""What a scene tells, in the order in which it happens."""


class Asked(NamedTuple):
    """A question that came up, and who had answered it."""

    question: str
    answered: tuple[str, ...]


def read_throw(text: str, dice: Dice) -> Throw:
    """Read dice as a file holds them.

    Raises:
        Refused: they are not so many faces of such dice, or of an unknown origin.
    """
    faces, comma, origin = text.partition(",")
    origin = origin.strip()
    if comma and origin != HAND:
        raise Refused(say("dice can only be marked `{mark}`", mark=HAND))
    words = faces.split()
    digits = all(word.isascii() and word.isdigit() for word in words)
    if len(words) != dice.number or not digits or not all(1 <= int(word[:9]) <= dice.sides for word in words):
        like = " ".join(["3" if dice.sides > 2 else "1"] * min(dice.number, 3)) + (" ..." if dice.number > 3 else "")
        raise Refused(
            say(
                "want {dice}: {n} faces from 1 to {sides}, as `{like}`",
                dice=dice.faces,
                n=dice.number,
                sides=dice.sides,
                like=like,
            )
        )
    return Throw(tuple(map(int, words)), origin)


class Table:
    """A scene's questions, answered from its record, or now, or not yet (then Pending is raised)."""

    def __init__(
        self, scene: str, record: Record, players: Players, ask: tuple[str, ...] = (), scenes_left: int = 0
    ) -> None:
        self.scene = scene
        self.record = record
        self.players = players
        self.ask = ask
        """The declarations that are asked for and waited for."""
        self.scenes_left = scenes_left
        self.given: dict[str, dict[str, str]] = {}
        """Answers that were got now: question, runner, answer."""
        self.trace: list[Asked] = []
        self.events: list[Event] = []
        self.now: Field | None = None
        """The field as it was when the last question came up."""

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """The game master's rulings in this scene."""
        return self.record.rulings

    def tell(self, event: Event) -> None:
        """Put down what happened, for those who watch."""
        self.events.append(event)

    def reach(self, question: str) -> None:
        """Put down that a place among the questions is reached where nobody is asked."""
        self.trace.append(Asked(question, ()))

    def answers(self, question: str, runner: str) -> bool:
        """Whether there is an answer of hers to a question, in the record or now."""
        recorded = self.record.answers.get(question, {}).get(runner)
        return bool(recorded) or self.players.says(self.scene, question, runner)

    def leaves(self, runner: str) -> bool:
        """Whether she is ruled out in this scene (M2)."""
        ruling = self.rulings.get(runner)
        return ruling is not None and ruling.out

    def takes_part(self, question: str, runner: str) -> bool:
        """Whether she is asked: who is ruled out only if she has answered already (M2)."""
        return not self.leaves(runner) or self.answers(question, runner)

    def newcomers(self) -> list[str]:
        """The names that the game master gave to fill-ins in this scene (C6)."""
        recorded = [name for name, answer in self.record.answers.get("npc", {}).items() if answer]
        return [*recorded, *self.players.newcomers()]

    def throw(self, field: Field, question: str, dice: Mapping[str, Dice]) -> dict[str, Throw]:
        """Dice from everybody named, all at once; who is ruled out and has thrown none is left out (M2).

        Raises:
            Pending: somebody's dice are not there yet.
            RecordWrong: recorded dice are out of range, or not what the seed gives.
        """
        asks = []
        for name, hers in dice.items():
            if name == MASTER or self.takes_part(question, name):
                read = _throw_reader(hers)
                asks.append((Ask(self.scene, question, name, field, dice=hers, check=read), read))
        return self._gather(field, question, asks)

    def choose(
        self,
        field: Field,
        question: str,
        choices: Iterable[Choice[T]],
        *,
        optional: bool = False,
        later: Callable[[], Iterable[Choice[T]]] = tuple,
    ) -> dict[str, T]:
        """An answer from everybody named, all at once; who is ruled out and has given none is left out (M2).

        If it is `optional` nobody is waited for, and whoever has said nothing is left out. `later` gives the
        choices of those whose turn comes after, who may answer ahead.

        Raises:
            Pending: somebody has not answered yet.
            RecordWrong: a recorded answer is not allowed.
        """
        waits = not optional or question in self.ask
        asks = [
            (self._ask(field, question, choice, optional=not waits), choice.read)
            for choice in choices
            if self.takes_part(question, choice.runner)
        ]
        values = self._gather(field, question, asks, later=lambda: self._ahead(field, question, later()))
        for ask, _ in asks:
            if ask.runner in values:
                self.tell(Chose(question, ask.runner, self._recorded(ask)))
        return values

    def _ask(self, field: Field, question: str, choice: Choice[T], *, optional: bool = False) -> Ask:
        return Ask(
            self.scene,
            question,
            choice.runner,
            field,
            options=choice.options,
            optional=optional,
            scenes_left=self.scenes_left,
            check=choice.read,
        )

    def _gather(
        self,
        field: Field,
        question: str,
        asks: list[tuple[Ask, Callable[[str], T]]],
        later: Callable[[], tuple[Ask, ...]] = tuple,
    ) -> dict[str, T]:
        self.now = field
        values: dict[str, T] = {}
        missing = []
        open_asks = [ask for ask, _ in asks if not self._recorded(ask)]
        if open_asks and (given := self.players.answer(open_asks)):
            self.given.setdefault(question, {}).update(given)
        for ask, read in asks:
            text = self._recorded(ask)
            if text:
                values[ask.runner] = self._read(ask, text, read)
            elif not ask.optional:
                missing.append(ask)
        self.trace.append(Asked(question, tuple(values)))
        if missing:
            raise Pending(tuple(missing), later())
        return values

    def _ahead(self, field: Field, question: str, choices: Iterable[Choice[T]]) -> tuple[Ask, ...]:
        waiting = []
        for choice in choices:
            ask = self._ask(field, question, choice)
            text = self._recorded(ask)
            if text:
                self._read(ask, text, choice.read)
            elif not self.leaves(choice.runner):
                waiting.append(ask)
        return tuple(waiting)

    def _recorded(self, ask: Ask) -> str:
        recorded = self.record.answers.get(ask.question, {}).get(ask.runner)
        return recorded or self.given.get(ask.question, {}).get(ask.runner, "")

    def _in_record(self, ask: Ask) -> bool:
        return bool(self.record.answers.get(ask.question, {}).get(ask.runner))

    def _read(self, ask: Ask, text: str, read: Callable[[str], T]) -> T:
        try:
            value = read(text)
        except Refused as error:
            self._wrong(ask, text, error)
        if isinstance(value, Throw) and not value.origin and self._in_record(ask):
            fallen = self.players.fallen(ask)
            if fallen is not None and fallen != value.faces:
                seeds = say("the seed throws `{faces}`", faces=str(Throw(fallen)))
                self._wrong(ask, text, Refused(seeds, hint=say("mark dice thrown by hand: `{text}, hand`", text=text)))
        return value

    def _wrong(self, ask: Ask, text: str, error: Refused) -> NoReturn:
        what = say("{path}: `{text}` does not stand: {why}", path=ask.path, text=text, why=error.what)
        if self._in_record(ask):
            hint = error.hint or say("put it right in the file, or blank it and answer anew")
            raise RecordWrong(what, where=ask.path, hint=hint).of(ask.question, ask.runner)
        raise Refused(what, where=ask.path, hint=error.hint).of(ask.question, ask.runner)


def _throw_reader(dice: Dice) -> Callable[[str], Throw]:
    return lambda text: read_throw(text, dice)


class Offer(NamedTuple):
    """A choice among answers that can all be listed."""

    options: tuple[Option, ...]

    def read(self, text: str) -> str:
        """The answer, if it is one of those offered.

        Raises:
            Refused: it is not.
        """
        answers = [option.answer for option in self.options]
        if text not in answers:
            raise Refused(say("want one of: {answers}", answers=", ".join(answers)))
        return text


def unasked(answers: Answers, trace: Iterable[Asked]) -> list[tuple[str, str]]:
    """The recorded answers that no question came up for: question and runner."""
    asked = {(item.question, name) for item in trace for name in item.answered}
    return [
        (question, name)
        for question, by_runner in answers.items()
        for name, text in by_runner.items()
        if text and (question, name) not in asked
    ]
