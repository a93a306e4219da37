"""Races drawn by hypothesis, and people who answer whatever a race asks them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest import mock

import tomli_w
from hypothesis import strategies as st

from uma_cli.errors import RecordWrong, Refused, UmaError
from uma_cli.file import Source, source_of
from uma_cli.questions import CLOSINGS, is_dice, is_question
from uma_cli.race import Position, Race, Record, Ruling, kind_of
from uma_cli.replay import Played, Stand, replay
from uma_cli.run import Call, advance
from uma_cli.strategy import STRATEGIES
from uma_cli.table import HAND, Ask, unasked

Toml = dict[str, Any]
Spoken = tuple[str, str]
"""A question and the text typed for it."""

NAMES = (
    "特別周",
    "無聲鈴鹿",
    "神鷹",
    "春麗",
    "Alice",
    "Al",
    "O'Dot. #1",
    "x-ray",
    "[Rice] {Shower}",
    "NPC 1",
    "front",
    "チーム１",
    "コパノ リッキー",
    "テイオー・",
    "Gold — Ship",
    "Maru(7)",
    "é",
    "Bob",
    "roll",
    "スズカ",
    "後",
)
AWKWARD_NAMES = (
    "of course",
    "ahead",
    "behind X",
    "先頭",
    "後ろ",
    "Xの前",
    "なし",
    "pass",
    "lowest",
    "+1",
    "-",
    "none",
    "dice",
)
"""Names that are words of the game, or nearly."""

SKILLS = ("末脚", "奇策", "八方睨み", "a.b #c", "Last Spurt", "pass on")
AWKWARD_SKILLS = ("なし", "無", "不使用", "on", "roll", "none", "Pass")
FILL_INS = ("旗手", "NPC 1", "NPC 2", "Rita")
REST = {"kiai": "0", "style": "none", "skill": "pass", "place": "back", "pace": "slow", "move": "stay"}
"""What all can answer."""

WHYS = ("because", "spooked, badly", 'she said "no"', "雨 = slow; #1")

TOML_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=6)


def sometimes(text: str) -> st.SearchStrategy[str]:
    """One of a few words."""
    return st.sampled_from(text.split(" | "))


@st.composite
def skills(draw: st.DrawFn, names: tuple[str, ...] = SKILLS) -> Toml:
    """The skills of one runner, of every kind."""
    skill = st.fixed_dictionaries(
        {"when": sometimes("finish | corner finish | gate corner finish | corner | gate")},
        optional={
            "uses": st.integers(1, 3),
            "position": sometimes(
                " | pace-chaser | front-runner runaway pace-chaser | late-surger end-closer late-start"
            ),
            "kiai": st.integers(-3, 3),
            "dice": st.integers(-3, 2),
            "bonus": st.integers(-3, 4),
            "soften": st.integers(0, 3),
            "place": sometimes("runaway | end-closer | late-start"),
            "cancels": st.just(value=True),
            "target-kiai": st.integers(-4, 3),
            "target-bonus": st.integers(-3, 2),
            "text": TOML_TEXT,
        },
    )
    return draw(st.dictionaries(st.sampled_from(names), skill, max_size=3))


@st.composite
def own_tables(draw: st.DrawFn) -> Toml:
    """A race's own tables; some make ties likely."""
    cell = st.sampled_from((0, 1, 2, -1, "1~2", "0~3"))
    row = st.dictionaries(st.sampled_from(list(map(str, Position))), cell, max_size=4)
    dice = st.sampled_from(("1D2", "1D6", "2D6", "3D6-2", "1D20+1"))
    kiai = st.one_of(
        st.dictionaries(st.integers(1, 16).map(str), dice, max_size=5),
        st.just({str(kiai): "1D2" for kiai in range(1, 16)}),
        st.just({str(kiai): "1D6" for kiai in range(1, 16)}),
    )
    obstacle = st.fixed_dictionaries(
        {},
        optional={
            "name": st.just("mud"),
            "who": sometimes("all | leader | nobody | late-surger pace-chaser"),
            "resist": st.sampled_from((0, 3, 8)),
            "kiai": st.integers(-2, 2),
            "check": st.integers(-2, 1),
            "finish": st.integers(-2, 1),
        },
    )
    return draw(
        st.fixed_dictionaries(
            {},
            optional={
                "kiai": kiai,
                "pace": st.dictionaries(sometimes("fast | average | slow | runaway"), row, max_size=3),
                "obstacle": st.dictionaries(sometimes("1 | 2 | 3 | 4 | 5 | 6"), obstacle, max_size=3),
                "position": st.dictionaries(st.sampled_from(list(map(str, Position))), st.integers(-3, 1), max_size=2),
                "cap": st.fixed_dictionaries({}, optional={"gate": st.integers(0, 6), "scene": st.integers(0, 4)}),
            },
        )
    )


@st.composite
def races(draw: st.DrawFn, *, seeded: bool = False, most: int = 18, awkward: bool = False) -> Toml:
    """The head and the field of a race, before the gate; in an awkward one people answer all, under odd names."""
    sizes = [size for size in (2, 3, 4, 4, 5, 1, 6, 8, 12, 18) if size <= most]
    names = draw(st.permutations(AWKWARD_NAMES + NAMES[:3] if awkward else NAMES))[: draw(st.sampled_from(sizes))]
    tool = {"npc": st.sampled_from((True, False, False)), "auto": st.sampled_from(list(STRATEGIES))}
    runner = st.fixed_dictionaries(
        {"kiai": st.integers(1, 16)},
        optional={
            "bonus": st.integers(-1, 3),
            "throws": sometimes("hand | tool"),
            "player": TOML_TEXT,
            "skill": skills(SKILLS[:2] + AWKWARD_SKILLS if awkward else SKILLS),
            **({} if awkward else tool),
        },
    )
    corners = draw(st.sampled_from((2, 1, 0, 1, 2, 3, 4)))
    head = draw(
        st.fixed_dictionaries(
            {"seed": st.one_of(TOML_TEXT, st.integers(-5, 5))} if seeded else {},
            optional={
                "title": TOML_TEXT,
                "throws": sometimes("hand | tool"),
                "ask": sometimes("kiai | style | kiai style"),
                "finish-checks": st.integers(1, 3),
                "photo": sometimes("1 | 10 1"),
                **({} if seeded else {"seed": TOML_TEXT}),
            },
        )
    )
    scenes = ["gate", *(f"corner-{number}" for number in range(1, corners + 1)), "finish"]
    race = {"format": 1, **head, "scenes": scenes, "runner": {name: draw(runner) for name in names}}
    table = draw(st.one_of(st.just({}), own_tables()))
    return {**race, "table": table} if table else race


@contextmanager
def luck_of(seed: int) -> Iterator[None]:
    """The system's randomness, the same each time."""
    with mock.patch("os.urandom", Random(seed).randbytes):
        yield


def read(text: str) -> Source:
    """A race file from its text."""
    return source_of("race.toml", text.encode())


def stand_of(text: str) -> Stand:
    """Where a race stands by the text of its file."""
    return replay(read(text).race)


def plain(race: Race) -> dict[str, Record]:
    """The records of a race as mappings, without tables that hold nothing and blanks that wait."""
    records = {}
    for scene, record in race.records.items():
        answers = {
            question: {name: text for name, text in by_runner.items() if text}
            for question, by_runner in record.answers.items()
        }
        answers = {question: by_runner for question, by_runner in answers.items() if by_runner}
        if answers or record.rulings or record.notes or record.closing is not None:
            records[scene] = Record(answers, record.rulings, record.notes, record.closing)
    return records


def closings(race: Race) -> dict[str, list[Spoken]]:
    """The standings and the result of a race, by scene, in their order."""
    return {scene: list(record.closing.items()) for scene, record in race.records.items() if record.closing is not None}


@dataclass(frozen=True)
class Cast:
    """People at the table: each answers a question in one way, whenever it is put to her."""

    seed: int
    rules: bool = True
    """Whether the game master makes rulings."""

    def luck(self, *about: object) -> Random:
        """Randomness that depends on what it is about and on nothing else."""
        return Random(f"{self.seed} {about}")

    def says(self, ask: Ask) -> Spoken:
        """What she who is asked says."""
        luck = self.luck(ask.scene, ask.question, ask.runner)
        if ask.dice:
            if luck.random() < 0.4:
                return "dice" if luck.random() < 0.5 else ask.question, f"{ask.runner}=roll"
            faces = "+".join(str(luck.randint(1, ask.dice.sides)) for _ in range(ask.dice.number))
            return ask.question, f"{ask.runner}={faces}"
        options = sorted(option.answer for option in ask.options())
        answer = self._skills(ask, options, luck) if ask.question == "skill" else luck.choice(options)
        if ask.question == "style" and luck.random() < 0.5:
            answer += ", at her own wish"
        return ask.question, f"{ask.runner}={answer}"

    def _skills(self, ask: Ask, options: list[str], luck: Random) -> str:
        """A few of her skills in any order; a cancel may name a skill."""
        if luck.random() < 0.15:
            return "pass"
        uses: dict[str, str] = {}
        for option in luck.sample(options, len(options)):
            if option != "pass":
                uses.setdefault(option.partition(" @ ")[0], option)
        chosen = luck.sample(list(uses.values()), min(len(uses), luck.randint(1, 3)))
        named = [self._with_skill(ask, use, luck) for use in chosen]
        for answer in ("; ".join(named), "; ".join(chosen), *chosen):
            if answer and _allows(ask, answer):
                return answer
        return "pass"

    @staticmethod
    def _with_skill(ask: Ask, use: str, luck: Random) -> str:
        name, at, target = use.partition(" @ ")
        cancels = at and ":" not in target and ask.field[ask.runner].skills[name].cancels
        if not cancels or luck.random() < 0.5:
            return use
        hers = sorted(ask.field[target].skills)
        return f"{use}:{luck.choice(hers)}" if hers else use

    def opens(self, stand: Stand) -> tuple[list[Spoken], list[Spoken], list[str]]:
        """What is said at the start of a scene unasked: declarations, rulings, notes."""
        luck = self.luck(stand.scene, "opening")
        names = [runner.name for runner in stand.field]
        fill_ins = [runner.name for runner in stand.field if runner.fill_in]
        said: list[Spoken] = []
        for name in names:
            if luck.random() < 0.15:
                said.append(("kiai", f"{name}={luck.randint(0, 3)}"))
            if stand.scene == "gate" and luck.random() < 0.15:
                style = luck.choice(("runaway", "end-closer", "late-start", "late-start, slow, as = ever", "none"))
                said.append(("style", f"{name}={style}"))
        if kind_of(stand.scene) == "corner":
            said += [("move", f"{name}={luck.choice(('back', 'stay'))}") for name in fill_ins if luck.random() < 0.3]
        if stand.scene != "finish" and luck.random() < 0.15:
            said.append(("npc", f"{luck.choice(FILL_INS)}=kiai {luck.randint(1, 9)}"))
        notes = [f"{name}=so she said" for name in names if luck.random() < 0.05]
        return said, self._rulings(stand, names, luck), notes

    def _rulings(self, stand: Stand, names: list[str], luck: Random) -> list[Spoken]:
        if not self.rules or not names or luck.random() < 0.6:
            return []
        if luck.random() < 0.06:
            return [(f"{name}=out", "the storm") for name in names]
        rulings = []
        for name in luck.sample(names, luck.randint(1, min(2, len(names)))):
            words = luck.sample(("kiai -1", "kiai +2", "bonus 1", "finish -1"), luck.randint(0, 2))
            if stand.scene != "finish" and luck.random() < 0.4:
                words.append(f"position {luck.choice(list(Position))}")
            if not words or luck.random() < 0.2:
                words.append("out")
            words += luck.choice(([], [], ["start"], ["end"]))
            rulings.append((f"{name}={', '.join(words)}", luck.choice(WHYS)))
        return rulings


def _allows(ask: Ask, answer: str) -> bool:
    try:
        ask.check(answer)
    except Refused:
        return False
    return True


@dataclass
class Drive:
    """A race on its way: call after call, until it is finished."""

    text: str
    cast: Cast
    calls: int = 0
    opened: set[str] = field(default_factory=set)
    plainly: bool = False
    """Whether the next call only answers what is asked."""
    played: Played | None = None
    """The scene as the last call played it."""

    def __iter__(self) -> Iterator[tuple[str, Stand]]:
        """The file after each call, and where the race stands by it."""
        stand = stand_of(self.text)
        while stand.status != "finished":
            self.calls += 1
            assert self.calls <= bound(stand.race), "it comes to no end"
            call = self.call(stand)
            try:
                with luck_of(self.cast.seed + self.calls):
                    outcome = advance(read(self.text), call)
                self.text, stand, self.played = outcome.text, outcome.stand, outcome.played
                self.plainly = False
            except RecordWrong as error:
                self.text, self.played = cured(self.text, call, error), None
                stand = stand_of(self.text)
                self.plainly = True
            except UmaError:
                assert not self.plainly, "an answer that is offered is refused"
                self.plainly = True
            yield self.text, stand

    def call(self, stand: Stand) -> Call:
        """The next call: what is said at the start of a scene, then answers to what is asked."""
        luck = self.cast.luck(self.calls, "mood")
        said: list[Spoken] = []
        rulings: list[Spoken] = []
        notes: list[str] = []
        if stand.scene not in self.opened:
            self.opened.add(stand.scene)
            said, rulings, notes = self.cast.opens(stand)
        waiting = list(stand.waiting)
        ahead = list(stand.open.ahead) if stand.open else []
        mood = "all" if self.plainly else luck.choice(("all", "all", "all", "auto", "away", "rest", "some", "plain"))
        away = tuple(ask.runner for ask in waiting if not ask.dice) if mood == "away" else ()
        if mood in ("auto", "away"):
            waiting = [ask for ask in waiting if ask.dice]
        if mood == "rest" and waiting:
            rest = REST[waiting[0].question] if not waiting[0].dice else "roll"
            said.append((waiting[0].question, f"rest={rest}"))
            waiting = []
        if mood == "some" and waiting:
            waiting = luck.sample(waiting, luck.randint(1, len(waiting)))
            ahead = luck.sample(ahead, luck.randint(0, len(ahead)))
        said += [self.cast.says(ask) for ask in (waiting if mood == "plain" else luck.sample(waiting, len(waiting)))]
        if mood in ("all", "some"):
            said += [self.cast.says(ask) for ask in ahead]
        return Call(
            kind_of(stand.scene),
            scene=stand.scene,
            answers=tuple(said),
            rulings=tuple(rulings),
            notes=tuple(notes),
            auto=mood == "auto",
            strategy=luck.choice(list(STRATEGIES)),
            auto_for=away,
        )


def bound(race: Race) -> int:
    """More calls than any race needs in which each call answers something, or is refused once and then answers."""
    runners = len(race.entries) + len(race.scenes)
    return len(race.scenes) * (60 + 16 * runners)


def cured(text: str, call: Call, error: RecordWrong) -> str:
    """The file as a game master puts it right who heeds the error: without the choice or the ruling named in it."""
    scene, question, name = error.where.split(".", 2)
    assert is_question(scene, question) or question == "ruling", f"no answer is at fault: {error}"
    assert not is_dice(scene, question), f"dice that were taken do not stand: {error}"
    data = tomllib.loads(text)
    if name not in data.get(scene, {}).get(question, {}):
        assert any(words.startswith(f"{name}=") for words, _ in call.rulings), f"nobody wrote that: {error}"
        return text
    del data[scene][question][name]
    return tomli_w.dumps(data)


def finished(race: Toml, cast: Cast) -> str:
    """A race's file when all is over."""
    drive = Drive(tomli_w.dumps(race), cast)
    for _ in drive:
        pass
    return drive.text


@dataclass(frozen=True)
class Book:
    """Everything that was said in a finished race, to be said again."""

    race: Race
    unasked: frozenset[tuple[str, str, str]]

    @classmethod
    def of(cls, text: str) -> Book:
        """The book of a race that is over."""
        stand = stand_of(text)
        kept = (
            (played.scene, question, name)
            for played in stand.played
            for question, name in unasked(stand.race.record(played.scene).answers, played.trace)
        )
        return cls(stand.race, frozenset(kept))

    def all(self, scene: str, race: Race) -> list[Spoken]:
        """All answers of a scene that a file does not hold yet, but those that the tool throws."""
        there = race.record(scene).answers
        return [
            said
            for question, by_runner in self.race.record(scene).answers.items()
            for name, text in by_runner.items()
            if text and not there.get(question, {}).get(name) and (said := self.said(scene, question, name))
        ]

    def said(self, scene: str, question: str, name: str) -> Spoken | None:
        """An answer as it is typed; None where nothing has to be said, for the tool throws."""
        text = self.race.record(scene).answers[question][name]
        if not is_dice(scene, question):
            return question, f"{name}={text}"
        faces, comma, _ = text.partition(f", {HAND}")
        if comma:
            return question, f"{name}={faces.replace(' ', '+')}"
        return (question, f"{name}=roll") if self.race.throws_by_hand(name) else None

    def opens(self, scene: str, race: Race) -> list[Spoken]:
        """The choices of a scene that nobody waits for: unasked, of those whom the tool plays, and of who is out."""
        rulings = self.race.record(scene).rulings
        return [
            (question, text)
            for question, text in self.all(scene, race)
            if not is_dice(scene, question)
            and (
                question == "npc"
                or (question in ("kiai", "style") and question not in self.race.ask)
                or self._played(name := text.partition("=")[0])
                or (name in rulings and rulings[name].out)
                or (scene, question, name) in self.unasked
            )
        ]

    def _played(self, name: str) -> bool:
        entry = self.race.entries.get(name)
        return entry is None or entry.auto is not None or entry.runner.npc

    def rulings(self, scene: str, race: Race) -> list[Spoken]:
        """The rulings of a scene that a file does not hold yet, as they are typed."""
        there = race.record(scene).rulings
        return [
            (f"{name}={typed(ruling)}", ruling.why)
            for name, ruling in self.race.record(scene).rulings.items()
            if name not in there
        ]

    def notes(self, scene: str, race: Race) -> list[str]:
        """The notes of a scene that a file does not hold yet, as they are typed."""
        there = race.record(scene).notes
        return [f"{name}={text}" for name, text in self.race.record(scene).notes.items() if name not in there]


def typed(ruling: Ruling) -> str:
    """A ruling as it is typed."""
    words = [f"{key} {getattr(ruling, key):+d}" for key in ("kiai", "bonus", "finish") if getattr(ruling, key)]
    words += [f"position {ruling.position}"] if ruling.position else []
    return ", ".join([*words, *(["out"] if ruling.out else []), ruling.when])


def retold(text: str, book: Book, luck: Random, *, by_scene: bool) -> str:
    """The file of a race when all of a book is said again: a scene in one call, or in bits and in any order."""
    opened: set[str] = set()
    calls = 0
    while (stand := stand_of(text)).status != "finished":
        calls += 1
        assert calls <= bound(stand.race), "it comes to no end"
        scene, race = stand.scene, stand.race
        rulings: list[Spoken] = []
        notes: list[str] = []
        said: list[Spoken] = []
        if scene not in opened:
            opened.add(scene)
            rulings, notes = book.rulings(scene, race), book.notes(scene, race)
            said = book.all(scene, race) if by_scene else book.opens(scene, race)
        elif not by_scene:
            asks = [*stand.waiting, *(stand.open.ahead if stand.open else ())]
            answers = [answer for ask in asks if (answer := book.said(scene, ask.question, ask.runner))]
            said = luck.sample(answers, luck.randint(1, len(answers)))
        luck.shuffle(said)
        call = Call(kind_of(scene), scene, answers=tuple(said), rulings=tuple(rulings), notes=tuple(notes))
        text = advance(read(text), call).text
    return text


def set_up(text: str) -> Toml:
    """A race's file before the gate."""
    data = tomllib.loads(text)
    for scene in data["scenes"]:
        data.pop(scene, None)
    return data


def closing_of(scene: str) -> str:
    """The table that closes a scene."""
    return CLOSINGS[kind_of(scene)]
