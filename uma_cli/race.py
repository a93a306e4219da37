"""The words of the game and its frozen values: named tuples, and no annotation a string, for they load fast."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from uma_cli.errors import sentence
from uma_cli.tables import DEFAULT_TABLES, Tables

MASTER = "GM"
"""Who answers for the race itself: the pace die of an NPC who leads (P1)."""

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""What a mapping holds that nobody filled."""

RISE = "kiai"
"""The question that is answered by a number, not by a text."""

NAME_LENGTH = 64
NOTE_LENGTH = 2_000
MAX_RUNNERS = 64
MAX_SCENES = 40
MAX_INTEGER = 1_000_000


class Position(StrEnum):
    """Where a runner stands, from front to back; a runaway's place lies inside the front."""

    RUNAWAY = "runaway"
    FRONT_RUNNER = "front-runner"
    PACE_CHASER = "pace-chaser"
    LATE_SURGER = "late-surger"
    END_CLOSER = "end-closer"
    LATE_START = "late-start"

    def within(self, names: Iterable[str]) -> bool:
        """Whether a position is among those named; a runaway's lies inside the front-runner's."""
        return self in names or (self is Position.RUNAWAY and Position.FRONT_RUNNER in names)

    @property
    def rank(self) -> int:
        """0 at the front (a runaway too), 4 at the very back."""
        return RANKS[self]


RANKS = {
    Position.RUNAWAY: 0,
    Position.FRONT_RUNNER: 0,
    Position.PACE_CHASER: 1,
    Position.LATE_SURGER: 2,
    Position.END_CLOSER: 3,
    Position.LATE_START: 4,
}
LADDER = (
    Position.FRONT_RUNNER,
    Position.PACE_CHASER,
    Position.LATE_SURGER,
    Position.END_CLOSER,
    Position.LATE_START,
)
ALONE = {0: sentence("the front"), 3: sentence("the place of end-closer")}
"""The ranks where only one may stand (C4), and what they are called."""

GRANTS = (Position.RUNAWAY, Position.END_CLOSER, Position.LATE_START)
"""The placings that a skill or the game master can grant (A5, A6)."""


class Move(StrEnum):
    """What a runner declares in a corner (C3)."""

    FORWARD = "forward"
    BACK = "back"
    STAY = "stay"


class Pace(StrEnum):
    """How fast a scene is run (P1)."""

    FAST = "fast"
    AVERAGE = "average"
    SLOW = "slow"
    RUNAWAY = "runaway"


CHOSEN_PACES = (Pace.FAST, Pace.AVERAGE, Pace.SLOW)


def moved(position: Position, move: Move) -> Position | None:
    """The position that a move leads to, or None where there is no such move (C3)."""
    if move is Move.STAY:
        return position
    rank = position.rank + (1 if move is Move.BACK else -1)
    if rank < 0 or (move is Move.BACK and rank >= Position.LATE_START.rank):
        return None
    return LADDER[rank]


def kind_of(scene: str) -> str:
    """The kind of a scene, as a skill's `when` has it: gate, corner or finish."""
    return "corner" if scene.startswith("corner-") else scene


class Skill(NamedTuple):
    """What a skill does, as data (S1)."""

    name: str
    when: tuple[str, ...] = ("finish",)
    uses: int = 1
    position: tuple[Position, ...] = ()
    kiai: int = 0
    dice: int = 0
    bonus: int = 0
    soften: int = 0
    place: Position | None = None
    cancels: bool = False
    target_kiai: int = 0
    target_bonus: int = 0
    text: str = ""

    @property
    def hinders(self) -> bool:
        """Whether it puts something on one other runner."""
        return bool(self.target_kiai or self.target_bonus)

    @property
    def needs_target(self) -> bool:
        """Whether its user has to name a runner (F2)."""
        return self.cancels or self.hinders

    @property
    def cost(self) -> int:
        """The rise of her own kiai that counts toward the cap (G4)."""
        return max(0, self.kiai)


class Use(NamedTuple):
    """One skill as declared: by whom, on whom, and for a cancel on which of her skills (F2)."""

    user: str
    skill: Skill
    target: str | None = None
    target_skill: str | None = None

    def __str__(self) -> str:
        on = f" @ {self.target}" if self.target else ""
        return f"{self.skill.name}{on}" + (f":{self.target_skill}" if self.target_skill else "")


class Effect(NamedTuple):
    """A number on a runner's checks, and where it comes from."""

    source: str
    amount: int


class InScene(NamedTuple):
    """What holds for a runner in one scene only."""

    rise: int = 0
    """Declared rises of kiai so far, counted against the cap (G4)."""
    dice: int = 0
    effects: tuple[Effect, ...] = ()
    soften: int = 0
    grant: Position | None = None

    @property
    def bonus(self) -> int:
        """All that skills and obstacles add to her checks."""
        return sum(effect.amount for effect in self.effects)


QUIET = InScene()


class Runner(NamedTuple):
    """A horse girl in the race, as she stands at one moment."""

    name: str
    number: int
    kiai: int = 1
    bonus: int = 0
    npc: bool = False
    fill_in: bool = False
    skills: Mapping[str, Skill] = NOTHING
    used: Mapping[str, int] = NOTHING
    position: Position | None = None
    finish: tuple[Effect, ...] = ()
    """Numbers on the finish score, from obstacles and rulings (C1, M1)."""
    injury: bool = False
    here: InScene = QUIET

    def risen(self, amount: int) -> "Runner":
        """Herself with other kiai, never below 1 (G6)."""
        return self._replace(kiai=max(1, self.kiai + amount)) if amount else self

    def feels(self, effect: Effect) -> "Runner":
        """Herself with one more number on her checks in this scene."""
        if not effect.amount:
            return self
        return self._replace(here=self.here._replace(effects=(*self.here.effects, effect)))

    def owes(self, effect: Effect) -> "Runner":
        """Herself with one more number on her finish score."""
        return self._replace(finish=(*self.finish, effect)) if effect.amount else self

    def left(self, skill: Skill) -> int:
        """How often she can still use a skill in this race (S1)."""
        return skill.uses - self.used.get(skill.name, 0)


class Finish(NamedTuple):
    """One runner's line of the result (F5-F7)."""

    name: str
    place: int | None
    """None for who was taken out (M2)."""
    score: int | None
    lengths: int
    photo_cm: int | None
    """Centimetres behind the best of her score; None where there are none."""
    npc: bool

    def __str__(self) -> str:
        if self.place is None:
            return "out"
        parts = [f"place {self.place}", f"score {self.score}"]
        if self.lengths:
            parts.append(f"{self.lengths} length" + ("s" if self.lengths > 1 else ""))
        if self.photo_cm:
            parts.append(f"{self.photo_cm} cm")
        if self.npc:
            parts.append("NPC")
        return ", ".join(parts)


class Field:
    """All runners at one moment, in running order; before the gate by number. It is never changed."""

    __slots__ = ("finishes", "out", "pace", "runners", "tables", "uses")

    def __init__(
        self,
        tables: Tables,
        runners: Mapping[str, Runner],
        out: tuple[Runner, ...] = (),
        pace: Pace | None = None,
        uses: tuple[Use, ...] = (),
        finishes: tuple[Finish, ...] = (),
    ) -> None:
        self.tables = tables
        self.runners = runners
        self.out = out
        self.pace = pace
        self.uses = uses
        """The skills declared in this scene so far, in the order declared."""
        self.finishes = finishes

    def replace(
        self,
        *,
        runners: Mapping[str, Runner] | None = None,
        out: tuple[Runner, ...] | None = None,
        pace: Pace | None = None,
        uses: tuple[Use, ...] | None = None,
        finishes: tuple[Finish, ...] | None = None,
    ) -> "Field":
        """The field with something else in it; what is not named is as it was."""
        return Field(
            self.tables,
            self.runners if runners is None else runners,
            self.out if out is None else out,
            self.pace if pace is None else pace,
            self.uses if uses is None else uses,
            self.finishes if finishes is None else finishes,
        )

    def __iter__(self) -> Iterator[Runner]:
        return iter(self.runners.values())

    def __len__(self) -> int:
        return len(self.runners)

    def __getitem__(self, name: str) -> "Runner":
        return self.runners[name]

    def __contains__(self, name: object) -> bool:
        return name in self.runners

    def put(self, *runners: Runner) -> "Field":
        """The field with these runners as they are now, each in her place."""
        return self.replace(runners={**self.runners, **{runner.name: runner for runner in runners}})

    def each(self, change: Callable[[Runner], Runner]) -> "Field":
        """The field with every runner changed."""
        return self.replace(runners={name: change(runner) for name, runner in self.runners.items()})

    def in_order(self, runners: list[Runner]) -> "Field":
        """The field in a new running order."""
        return self.replace(runners={runner.name: runner for runner in runners})

    def at(self, rank: int) -> list[Runner]:
        """Who stands at a rank, in running order."""
        return [runner for runner in self if runner.position and runner.position.rank == rank]


def lowest_kiai(field: Field) -> int:
    """What a fill-in has unless the game master says otherwise (C6)."""
    return min(runner.kiai for runner in field)


def out_of_race(field: Field) -> tuple[Finish, ...]:
    """The lines of who was taken out: no place (M2), by number."""
    return tuple(Finish(runner.name, None, None, 0, None, runner.npc) for runner in field.out)


def standing_line(runner: Runner) -> str:
    """What a scene's standing says of a runner."""
    mark = ", injury check" if runner.injury else ""
    return f"{runner.position}, kiai {runner.kiai}{mark}"


class Ruling(NamedTuple):
    """What the game master does to one runner in a scene, and why (M1)."""

    why: str
    when: str = "end"
    kiai: int = 0
    position: Position | None = None
    bonus: int = 0
    finish: int = 0
    out: bool = False


class Entry(NamedTuple):
    """A runner as the race file enters her, before the race."""

    runner: Runner
    player: str = ""
    throws: str | None = None
    auto: str | None = None
    note: str = ""


Answers = Mapping[str, Mapping[str, str]]
"""Question, runner, answer: what a scene's record holds; an empty answer is a blank that waits."""


class Record(NamedTuple):
    """What the file holds of one scene."""

    answers: Answers = NOTHING
    rulings: Mapping[str, Ruling] = NOTHING
    notes: Mapping[str, str] = NOTHING
    closing: Mapping[str, str] | None = None
    """The standing (in the finish: the result) that closes the scene; None while it is open."""

    @property
    def begun(self) -> bool:
        """Whether anything was asked or answered; a blank counts."""
        return any(self.answers.values())


NO_RECORD = Record()


class Race(NamedTuple):
    """A race file: the set-up and every answer that was given."""

    title: str = ""
    course: str = ""
    note: str = ""
    scenes: tuple[str, ...] = ("gate", "corner-2", "corner-3", "finish")
    seed: str | None = None
    throws: str = "tool"
    ask: tuple[str, ...] = ()
    finish_checks: int = 1
    photo: tuple[int, ...] = (1,)
    """Centimetres that a point is worth in each photo there is (F7)."""
    entries: Mapping[str, Entry] = NOTHING
    tables: Tables = DEFAULT_TABLES
    records: Mapping[str, Record] = NOTHING
    others: tuple[tuple[str, str], ...] = ()
    """Keys of other people's: their paths, and what they hold."""

    def record(self, scene: str) -> Record:
        """What the file holds of a scene; nothing where it was not begun."""
        return self.records.get(scene, NO_RECORD)

    def throws_by_hand(self, name: str) -> bool:
        """Whether a runner's dice are thrown at the table and typed."""
        entry = self.entries.get(name)
        return ((entry and entry.throws) or self.throws) == "hand"

    def start(self) -> "Field":
        """The field before the gate, by number."""
        runners = sorted((entry.runner for entry in self.entries.values()), key=lambda runner: runner.number)
        return Field(self.tables, {runner.name: runner for runner in runners})
