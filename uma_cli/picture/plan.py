"""Where everything stands in the picture of a race."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from uma_cli.race import LADDER, Field, Finish, Runner, kind_of
from uma_cli.replay import Stand
from uma_cli.text import cells, clean
from uma_cli.voice import Voice

ROW, COLUMN, STRIP, MARGIN, TOP = 50, 140, 18, 24, 146
"""The pitch of rows and (at least) of scenes, the height of a band's heading, the margin, and where the rows begin."""

SIZES = {"title": 20, "name": 14, "kiai": 13, "head": 13, "note": 12, "tag": 11, "band": 11}
WIDEST = 1200
"""No text takes more room; a longer one is fitted."""
WIDE = frozenset("mwMW@%&")


class Column(NamedTuple):
    """The field before the race, or as a scene leaves it."""

    scene: str
    note: str
    field: Field


class Spot(NamedTuple):
    """Where a runner is seen, and what she is then."""

    x: float
    y: float
    runner: Runner
    scene: str
    gone: bool = False
    """Whether she was taken out here."""


class Band(NamedTuple):
    """The rows of one position."""

    name: str
    top: float
    tall: float


class Label(NamedTuple):
    """A text and where it stands; its kind is its size, and how it is set."""

    x: float
    y: float
    words: str
    kind: str


class Plan(NamedTuple):
    """Where everything stands in the picture."""

    stand: Stand
    voice: Voice
    columns: tuple[Column, ...]
    bands: Mapping[int, Band]
    ways: Mapping[str, tuple[Spot, ...]]
    """A runner's places from left to right, by name; the order gives each her colour."""
    late: Mapping[str, tuple[int, float]]
    """Who joins after the start: after which column, and at what height."""
    places: Mapping[str, float]
    """Who came to the line, and the height of her place."""
    finishes: Sequence[Finish]
    """The result without those who were taken out."""
    left: float
    gutter: float
    """The room for the names of the bands, which no line crosses."""
    pitch: float
    """How far the columns are apart: further where lines have far to climb."""
    bottom: float

    def x(self, column: int) -> float:
        """The middle of a column."""
        return self.left + (50 + self.gutter + self.pitch * column if column else 0)

    @property
    def lanes(self) -> float:
        """Where the bands begin: their names, then the first scene."""
        return self.x(1) - 34 - self.gutter

    @property
    def end(self) -> float:
        """Where the scenes end and the finish begins."""
        return self.x(len(self.columns) - 1) + 44

    @property
    def longest(self) -> int:
        """The lengths of the last behind the first, at least 1."""
        return max([1, *(line.lengths for line in self.finishes)])

    def at(self, lengths: float) -> float:
        """Where a runner is, so many lengths behind the first, to scale; at 0 stands the finishing line."""
        broad = max(160, min(280, 40 * self.longest))
        return self.end + self.pitch - 40 + broad - lengths * min(40, broad / self.longest)


def plan_of(stand: Stand, voice: Voice) -> Plan:
    """Where everything stands in the picture of a race."""
    columns = (Column(voice("start"), voice("by number"), stand.race.start()), *_columns(stand, voice))
    seen: dict[str, int] = {}
    gone: dict[str, int] = {}
    for index, column in enumerate(columns):
        for runner in (*column.field, *column.field.out):
            seen.setdefault(runner.name, index)
        for runner in column.field.out:
            gone.setdefault(runner.name, index)
    joining = sorted((name for name in seen if seen[name]), key=lambda name: -seen[name])
    leaving = sorted(gone, key=lambda name: -gone[name])
    late = _rows(joining, TOP)
    first = TOP + ROW * len(late)
    bands, under = _bands(columns, first, voice)
    finishes = [line for line in stand.result or () if line.place is not None]
    tall = max(under - first, ROW * len(columns[0].field), ROW * len(finishes))
    heights = _rows(list(columns[0].field.runners), first, tall)
    out = _rows(leaving, first + tall + 10)
    names = max([0.0, *(breadth(name, "name") for name in seen)])
    plan = Plan(
        stand=stand,
        voice=voice,
        columns=columns,
        bands=bands,
        ways=dict.fromkeys(seen, ()),
        late={name: (seen[name] - 1, late[name]) for name in joining},
        places=_rows([line.name for line in finishes], first, tall),
        finishes=finishes,
        left=MARGIN + ceil(max(names, 130)) + 36,
        gutter=ceil(max([0.0, *(breadth(band.name, "band") for band in bands.values())])),
        pitch=max(COLUMN, 100 + 3 * len(seen)),
        bottom=first + tall + 10 + ROW * len(out),
    )
    return plan._replace(ways={name: tuple(_spots(plan, name, heights, out)) for name in seen})


def _columns(stand: Stand, voice: Voice) -> Iterator[Column]:
    """The scenes that were begun: with the pace where one was set, and with what an open one does."""
    for played in stand.played:
        set_here = played.field.pace if kind_of(played.scene) != "finish" else None
        note = voice("{pace} pace", pace=set_here) if set_here else ""
        if played is stand.open:
            note = voice("waiting") if stand.status == "waiting" else voice("open")
        yield Column(played.scene, note, played.field)


def _rows(names: Sequence[str], top: float, tall: float = 0) -> dict[str, float]:
    """A row for each name, in the middle of the height that there is."""
    top += max(0, tall - ROW * len(names)) / 2 + ROW / 2
    return {name: top + ROW * index for index, name in enumerate(names)}


def _bands(columns: Sequence[Column], top: float, voice: Voice) -> tuple[dict[int, Band], float]:
    """A band for each position that anybody has, as high as the most who ever share it; and where they end."""
    bands = {}
    for rank, name in enumerate((*map(voice.word, LADDER), voice("not placed yet"))):
        rows = max([0, *(sum(_rank(runner) == rank for runner in column.field) for column in columns[1:])])
        if rows:
            bands[rank] = Band(name, top, STRIP + ROW * rows)
            top += bands[rank].tall + 4
    return bands, top


def _rank(runner: Runner) -> int:
    return runner.position.rank if runner.position else len(LADDER)


def _spots(plan: Plan, name: str, start: Mapping[str, float], out: Mapping[str, float]) -> Iterator[Spot]:
    """Where a runner is seen, from the start to the last scene or until she is taken out."""
    for index, column in enumerate(plan.columns):
        gone = next((runner for runner in column.field.out if runner.name == name), None)
        if gone:
            yield Spot(plan.x(index), out[name], gone, column.scene, gone=True)
            return
        if name in column.field:
            runner = column.field[name]
            y = start[name] if index == 0 else _height(plan, runner, column.field)
            yield Spot(plan.x(index), y, runner, column.scene)


def _height(plan: Plan, runner: Runner, field: Field) -> float:
    band = plan.bands[_rank(runner)]
    row = [other.name for other in field if _rank(other) == _rank(runner)].index(runner.name)
    return band.top + STRIP + ROW * (row + 0.5)


def title(stand: Stand, name: str, voice: Voice) -> str:
    """What the race is called, or else its file."""
    return stand.race.title or name or voice("A race")


def heading(stand: Stand, name: str, voice: Voice) -> tuple[Label, ...]:
    """The title, and under it the course and how far the race is."""
    race, scene = stand.race, voice.word(stand.scene)
    now = {
        "finished": voice("finished"),
        "waiting": voice("{scene} is waiting", scene=scene),
        "ready": voice("next: {scene}", scene=scene),
    }
    to_come = len(race.scenes) - 1 - race.scenes.index(stand.scene) if stand.status != "finished" else 0
    more = voice("{n} more to come", n=to_come) if to_come else ""
    nobody = "" if race.entries else voice("no runner yet")
    under = " · ".join(filter(None, (race.course, now[stand.status], more, nobody)))
    return Label(MARGIN, 44, title(stand, name, voice), "title"), Label(MARGIN, 70, under, "note")


def described(plan: Plan) -> str:
    """The picture in words."""
    stand, voice = plan.stand, plan.voice
    scenes = [voice.word(column.scene) for column in plan.columns[1:]] or voice("before the gate")
    about = voice(
        "The running order of {n} runners from front to back, and their kiai: {scenes}.",
        n=len(plan.ways),
        scenes=scenes,
    )
    ran = {runner.name: runner for runner in (*stand.field, *stand.field.out)}
    told = {name: standing(runner, voice) for name, runner in ran.items()}
    told |= {runner.name: voice("out") for runner in stand.field.out}
    told |= {line.name: _placed(plan, line, ran[line.name]) for line in plan.finishes}
    order = [line.name for line in stand.result or ()] or list(ran)
    return " ".join([about, *(f"{name}: {told[name]}." for name in order)])


def _placed(plan: Plan, line: Finish, runner: Runner) -> str:
    return plan.voice.comma.join((plan.voice("place {n}", n=line.place), _came(plan, line, runner)))


def standing(runner: Runner, voice: Voice) -> str:
    """What a node says of a runner."""
    parts = [voice.word(runner.position)] if runner.position else []
    parts += [voice("kiai {n}", n=runner.kiai), voice("injury check") if runner.injury else ""]
    return voice.comma.join(filter(None, parts))


def labels_of(plan: Plan, name: str) -> Iterator[Label]:
    """A runner's name at both ends of her way, and what there is to say of her there."""
    first, last = plan.ways[name][0], plan.ways[name][-1]
    column, y = plan.late.get(name, (0, first.y))
    voice = plan.voice
    joins = voice("joins in {scene}", scene=voice.word(first.scene))
    note = joins if name in plan.late else voice("no. {n}", n=first.runner.number)
    notes = [note, voice("NPC")] if first.runner.npc else [note]
    yield from _pair(plan.x(column) - 32, y, name, voice.comma.join(notes), "end")
    if name in plan.places:
        y = plan.places[name]
        line = next(line for line in plan.finishes if line.name == name)
        yield Label(plan.at(0) + 22, y + 5, str(line.place), "head")
        yield from _pair(plan.at(0) + 50, y, name, _came(plan, line, last.runner), "")
    elif last.gone:
        yield from _pair(last.x + 24, last.y, name, voice("out in {scene}", scene=voice.word(last.scene)), "over")
    elif len(plan.columns) > 1:
        asked = [voice.within(ask.scene).word(ask.question) for ask in plan.stand.waiting if ask.runner == name]
        waits = [voice("to answer: {question}", question=question) for question in asked]
        notes = [standing(last.runner, voice), *[voice("NPC")] * last.runner.npc, *waits]
        yield from _pair(plan.end + 4, last.y, name, voice.comma.join(notes), "")


def _pair(x: float, y: float, name: str, note: str, kind: str) -> Iterator[Label]:
    yield Label(x, y - 1, name, f"name {kind}")
    yield Label(x, y + 15, note, f"note {kind}")


def _came(plan: Plan, line: Finish, runner: Runner) -> str:
    """Score, lengths, centimetres and flags, as `show` has them."""
    equal = [other.place for other in plan.finishes if other.score == line.score]
    dead = equal.count(line.place) > 1
    voice = plan.voice
    lengths = voice("1 length") if line.lengths == 1 else voice("{n} lengths", n=line.lengths) if line.lengths else ""
    first = voice("first in the photo") if len(equal) > 1 and not dead else ""
    photo = voice("photo +{n} cm", n=line.photo_cm) if line.photo_cm else first
    flags = (dead and voice("dead heat"), line.npc and voice("NPC"), runner.injury and voice("injury check"))
    return voice.comma.join(part for part in (voice("score {n}", n=line.score), lengths, photo, *flags) if part)


def breadth(words: str, kind: str) -> float:
    """The room that a text may take, reckoned on the wide side."""
    words = clean(words)
    wide = cells(words) - len(words)
    ems = 0.62 * max(1, cells(words)) + 0.16 * sum(map(str.isupper, words)) + 0.3 * sum(map(WIDE.__contains__, words))
    ems -= 0.2 * max(0, wide)
    return min(WIDEST, SIZES[kind.split(maxsplit=1)[0]] * ems)
