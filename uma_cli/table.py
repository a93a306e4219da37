"""The table that a scene is played at: the one door to dice and choices."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, NoReturn, Protocol, TypeVar

from uma_cli.errors import RecordWrong, Refused, Say, say
from uma_cli.race import MASTER, NOTHING, Answers, Effect, Field, Record, Ruling
from uma_cli.tables import MAX_SIDES, Dice

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
    """What one runner may choose, or has to throw: how her answer is read, and what can be answered."""

    runner: str
    read: Callable[[str], T]
    """Raises Refused, with what is wanted, for an answer that is not allowed."""
    options: Callable[[], Sequence[Option]] = tuple
    dice: Dice | None = None
    about: Callable[[], Sequence[Say]] = tuple
    """What else she has to know to choose."""


def offered(runner: str, answers: Sequence[str], means: Callable[[str], Say]) -> Choice[str]:
    """A choice among answers that can all be listed; what each means is worked out only for who is asked."""

    def read(text: str) -> str:
        if text not in answers:
            raise none_of(answers)
        return text

    return Choice(runner, read, lambda: [Option(answer, means(answer)) for answer in answers])


def none_of(answers: Iterable[str]) -> Refused:
    """The error that an answer is none of those that there are."""
    return Refused(say("want one of: {answers}", answers=", ".join(answers)))


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
    about: Callable[[], Sequence[Say]] = tuple
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

    @property
    def speak(self) -> bool:
        """Whether they may answer anything at all."""

    def answer(self, asks: Sequence[Ask], /) -> Mapping[str, str]:
        """The answers that there are to a question, by runner, as the file is to hold them."""

    def says(self, scene: str, question: str, runner: str, /) -> bool:
        """Whether there is an answer of hers that nobody has asked for yet."""

    def newcomers(self) -> Sequence[str]:
        """Names that the game master gives to fill-ins now."""

    def fallen(self, scene: str, question: str, runner: str, dice: Dice, /) -> tuple[int, ...] | None:
        """The faces that an unmarked throw must show, or None where only chance knows."""


class Nobody:
    """Players who never answer: with them a record is only read."""

    speak = False

    def answer(self, _asks: Sequence[Ask], /) -> Mapping[str, str]:
        """Nothing."""
        return {}

    def says(self, _scene: str, _question: str, _runner: str, /) -> bool:
        """Nobody says anything."""
        return False

    def newcomers(self) -> Sequence[str]:
        """None."""
        return ()

    def fallen(self, _scene: str, _question: str, _runner: str, _dice: Dice, /) -> tuple[int, ...] | None:
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
    """Somebody threw dice; the kiai of their row, what else was added and the score are there when it was a check."""

    question: str
    runner: str
    dice: Dice
    throw: Throw
    parts: tuple[Effect, ...] = ()
    score: int | None = None
    kiai: int | None = None


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
    written, comma, origin = text.partition(",")
    origin = origin.strip()
    if comma and origin != HAND:
        raise Refused(say("dice can only be marked `{mark}`", mark=HAND))
    faces = tuple([FACES.get(word, 0) for word in written.split()])
    if len(faces) != dice.number or min(faces) < 1 or max(faces) > dice.sides:
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
    return Throw(faces, origin)


FACES = {str(face): face for face in range(1, MAX_SIDES + 1)}
"""How a file writes the faces of a die."""


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
        return bool(self._recorded(question, runner)) or self.players.says(self.scene, question, runner)

    def leaves(self, runner: str) -> bool:
        """Whether she is ruled out in this scene (M2)."""
        ruling = self.rulings.get(runner)
        return ruling is not None and ruling.out

    def takes_part(self, question: str, runner: str) -> bool:
        """Whether she is asked: who is ruled out only if she has answered already (M2)."""
        return not self.record.rulings or not self.leaves(runner) or self.answers(question, runner)

    def newcomers(self) -> list[str]:
        """The names that the game master gave to fill-ins in this scene (C6)."""
        recorded = [name for name, answer in self.record.answers.get("npc", {}).items() if answer]
        return [*recorded, *self.players.newcomers()]

    def throw(self, field: Field, question: str, dice: Mapping[str, Dice]) -> dict[str, Throw]:
        """Dice from everybody named, all at once; who is ruled out and has thrown none is left out (M2).

        Raises:
            Pending: somebody's dice are not there yet.
            RecordWrong: recorded dice are out of range, or not what the seed gives.
            Refused: dice that were typed now are out of range.
        """
        choices = [
            Choice(name, _throw_reader(hers), dice=hers)
            for name, hers in dice.items()
            if name == MASTER or self.takes_part(question, name)
        ]
        return self._gather(field, question, choices)

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
            Refused: an answer that was given now is not allowed.
        """
        optional = optional and question not in self.ask
        if optional and not self.players.speak and not self.record.answers.get(question):
            choices = ()
        there = [choice for choice in choices if self.takes_part(question, choice.runner)]
        values = self._gather(field, question, there, optional=optional, later=later)
        for name in values:
            self.tell(Chose(question, name, self._text(question, name)))
        return values

    def _gather(
        self,
        field: Field,
        question: str,
        choices: Sequence[Choice[T]],
        *,
        optional: bool = False,
        later: Callable[[], Iterable[Choice[T]]] = tuple,
    ) -> dict[str, T]:
        self.now = field
        recorded = self.record.answers.get(question, NOTHING)
        unanswered = [choice for choice in choices if not recorded.get(choice.runner)]
        if unanswered and self.players.speak:
            asks = [self._ask(field, question, choice, optional=optional) for choice in unanswered]
            if given := self.players.answer(asks):
                self.given.setdefault(question, {}).update(given)
        values = {
            choice.runner: self._read(question, choice, text)
            for choice in choices
            if (text := recorded.get(choice.runner) or self._text(question, choice.runner))
        }
        self.trace.append(Asked(question, tuple(values)))
        missing = [choice for choice in unanswered if choice.runner not in values]
        if missing and not optional:
            asks = [self._ask(field, question, choice) for choice in missing]
            raise Pending(tuple(asks), self._ahead(field, question, later()))
        return values

    def _ahead(self, field: Field, question: str, choices: Iterable[Choice[T]]) -> tuple[Ask, ...]:
        waiting = []
        for choice in choices:
            if text := self._text(question, choice.runner):
                self._read(question, choice, text)
            elif not self.leaves(choice.runner):
                waiting.append(self._ask(field, question, choice))
        return tuple(waiting)

    def _ask(self, field: Field, question: str, choice: Choice[T], *, optional: bool = False) -> Ask:
        return Ask(
            self.scene,
            question,
            choice.runner,
            field,
            dice=choice.dice,
            options=choice.options,
            about=choice.about,
            optional=optional,
            scenes_left=self.scenes_left,
            check=choice.read,
        )

    def _text(self, question: str, runner: str) -> str:
        return self._recorded(question, runner) or self.given.get(question, NOTHING).get(runner, "")

    def _recorded(self, question: str, runner: str) -> str:
        answer: str = self.record.answers.get(question, NOTHING).get(runner, "")
        return answer

    def _read(self, question: str, choice: Choice[T], text: str) -> T:
        try:
            value = choice.read(text)
        except Refused as error:
            self._wrong(question, choice.runner, text, error)
        if choice.dice and isinstance(value, Throw) and not value.origin and self._recorded(question, choice.runner):
            fallen = self.players.fallen(self.scene, question, choice.runner, choice.dice)
            if fallen is not None and fallen != value.faces:
                seeds = say("the seed throws `{faces}`", faces=str(Throw(fallen)))
                cure = say("mark dice thrown by hand: `{text}, hand`", text=text)
                self._wrong(question, choice.runner, text, Refused(seeds, hint=cure))
        return value

    def _wrong(self, question: str, runner: str, text: str, error: Refused) -> NoReturn:
        path = f"{self.scene}.{question}.{runner}"
        what = say("{path}: `{text}` does not stand: {why}", path=path, text=text, why=error.what)
        if self._recorded(question, runner):
            hint = error.hint or say("put it right in the file, or blank it and answer anew")
            raise RecordWrong(what, where=path, hint=hint).of(question, runner)
        raise Refused(what, where=path, hint=error.hint).of(question, runner)


def _throw_reader(dice: Dice) -> Callable[[str], Throw]:
    return lambda text: read_throw(text, dice)


def unasked(answers: Answers, trace: Iterable[Asked]) -> list[tuple[str, str]]:
    """The recorded answers that no question came up for: question and runner."""
    asked = {(item.question, name) for item in trace for name in item.answered}
    return [
        (question, name)
        for question, by_runner in answers.items()
        for name, text in by_runner.items()
        if text and (question, name) not in asked
    ]
