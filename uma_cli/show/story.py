"""What happened in a race: each die with its owner and arithmetic, each choice, each thing that came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from uma_cli import toml
from uma_cli.errors import say, sentence
from uma_cli.questions import CLOSINGS
from uma_cli.race import NO_RECORD, RISE, Race, Record, Ruling, Skill, Use, kind_of
from uma_cli.replay import Played, Stand
from uma_cli.scenes.rulings import changes
from uma_cli.scenes.skills import effects, scenes_of
from uma_cli.show import grid
from uma_cli.table import HAND, Chose, Event, Rolled, unasked
from uma_cli.tables import DEFAULT_TABLES, Tables
from uma_cli.text import clean, columns
from uma_cli.voice import Voice


def told(played: Played, before: Played | None, record: Record, voice: Voice) -> list[str]:
    """What happened in a scene since it was last played; choices that were recorded before are not told again."""
    events = list(played.events)
    known = list(before.events) if before else []
    while known and events and known[0] == events[0]:
        known.pop(0)
        events.pop(0)
    fresh = [event for event in events if not _recorded(event, record)]
    return [*happened(fresh, voice), *happened(_not_yet_told(played, played.given), voice)]


def _recorded(event: Event, record: Record) -> bool:
    return isinstance(event, Chose) and record.answers.get(event.question, {}).get(event.runner) == event.answer


def _not_yet_told(played: Played, answers: object) -> list[Event]:
    """Answers to a question that still waits for others: the scene tells of them when all are there."""
    told_of = {(event.question, event.runner) for event in played.events if isinstance(event, Rolled | Chose)}
    given = answers if isinstance(answers, dict) else {}
    return [
        Chose(question, name, text)
        for question, by_runner in given.items()
        for name, text in by_runner.items()
        if text and (question, name) not in told_of
    ]


DECLINED = {
    (RISE, "0"): sentence("no rise: {names}"),
    ("style", "none"): sentence("run the gate like the others: {names}"),
    ("skill", "pass"): sentence("no skill: {names}"),
    ("move", "stay"): sentence("no move: {names}"),
}
"""Answers by which nothing happens: all who give one are told on one line."""
CARRIED_OUT = (RISE, "move")
"""The questions whose answers a scene tells of itself, when all of them are there."""


def happened(events: Iterable[Event], voice: Voice, *, house: str = "") -> Iterator[str]:
    """What happened, line by line; `house` says whose the dice are that nobody threw by hand."""
    groups = [
        list(group) for _, group in groupby(events, key=lambda event: isinstance(event, Chose) and event.question)
    ]
    for turn, group in enumerate(groups, 1):
        declined: dict[str, list[str]] = {}
        for event in group:
            if isinstance(event, Rolled):
                yield _rolled(event, voice, house)
            elif not isinstance(event, Chose):
                yield voice.say(event)
            elif told := DECLINED.get((event.question, event.answer)):
                declined.setdefault(told, []).append(event.runner)
            elif turn == len(groups) or event.question not in CARRIED_OUT:
                yield _chosen(event.runner, event.question, event.answer, voice)
        yield from (voice(told, names=names) for told, names in declined.items())


def _chosen(name: str, question: str, answer: str, voice: Voice) -> str:
    if question == RISE:
        return voice("{name} raises kiai by {n}", name=name, n=answer)
    return f"{clean(name)} {voice.word(question)}: {voice.answer(answer, question)}"


def _rolled(event: Rolled, voice: Voice, house: str) -> str:
    """All of a throw: faces, row number, bonus, effects, score, and whose dice."""
    dice = event.dice.faces if event.kiai is None else voice("{dice} (kiai {n})", dice=str(event.dice), n=event.kiai)
    faces = " ".join(map(str, event.throw.faces)) + (f" {event.dice.plus:+d}" if event.dice.plus else "")
    parts = "".join(f", {voice.part(part)}" for part in event.parts)
    score = "" if event.score is None else f" = {event.score}"
    origin = event.throw.origin or house
    whose = f" ({voice.word(origin)})" if origin else ""
    return f"{clean(event.runner)} {voice.word(event.question)} {dice}: {faces}{parts}{score}{whose}"


Told = str | tuple[str, ...] | grid.Grid
"""A line of a story, lines that belong together, or a table that each view lays out in its own way."""
HEADING = "== "


def laid_out(told: Iterable[Told]) -> Iterator[str]:
    """A story as lines, its tables in columns."""
    for part in told:
        if isinstance(part, grid.Grid):
            yield from columns([part.head, *part.rows], part.right)
        else:
            yield from [part] if isinstance(part, str) else part


def log(stand: Stand, voice: Voice, since: str | None = None, *, last: bool = False) -> Iterator[Told]:
    """The whole race, scene by scene, or from a scene on, or only the last one; no answer of the file is missing."""
    race = stand.race
    scenes = [played.scene for played in stand.played]
    first = scenes.index(since) if since in scenes else max(0, len(scenes) - 1) if last else 0
    whole = not since and not last
    if whole:
        yield from _set_up(race, voice)
    for turn, played in enumerate(stand.played[first:]):
        if whole or turn:
            yield ""
        yield f"{HEADING}{voice.word(played.scene)} =="
        yield from scene(race, played, voice)
    for name in race.scenes[len(scenes) :]:
        if (record := race.record(name)) != NO_RECORD:
            yield from ("", f"{HEADING}{voice.word(name)} ==", *_ahead(record, voice.within(name)))


def _ahead(record: Record, voice: Voice) -> Iterator[str]:
    """What was said of a scene that is not begun."""
    for question, by_runner in record.answers.items():
        for name, text in by_runner.items():
            parts = {"question": voice.word(question), "answer": voice.answer(text, question)}
            yield voice("{name} {question}: {answer} (ahead)", name=name, **parts)
    for name, ruling in record.rulings.items():
        yield kept(name, ruling, voice)
    yield from _notes(record, voice)


def kept(name: str, ruling: Ruling, voice: Voice) -> str:
    """A ruling whose moment has not come."""
    parts = {"changes": changes(ruling), "why": ruling.why}
    return voice("ruling on {name}, kept for its moment in the scene: {changes} ({why})", name=name, **parts)


def _notes(record: Record, voice: Voice) -> Iterator[str]:
    for name, words in record.notes.items():
        yield from (voice("note of {name}: {words}", name=name, words=text) for text in words.splitlines())


def _set_up(race: Race, voice: Voice) -> Iterator[str]:
    yield from (clean(text) for text in (race.title, race.course, *race.note.splitlines()) if text)
    yield " > ".join(map(voice.word, race.scenes))
    if race.seed is not None:
        yield voice("seed: {seed}", seed=race.seed)
    if race.throws == HAND:
        yield voice("the dice are thrown by hand")
    if race.ask:
        yield voice("asked for: {questions}", questions=[voice.word(question) for question in race.ask])
    if race.finish_checks > 1:
        yield voice("{n} finish checks", n=race.finish_checks)
    if len(race.photo) > 1:
        yield voice("a point of the photo is {n} cm, and equals have a second one", n=race.photo[0])
    if own := list(differences(race.tables)):
        yield voice("own tables: {cells}", cells=own)
    if race.others:
        yield voice("other keys: {keys}", keys=[f"`{path} {value}`" for path, value in race.others])
    for entry in race.entries.values():
        runner = entry.runner
        about = [f"{voice('kiai')} {runner.kiai}", f"{voice.word('bonus')} {grid.signed(runner.bonus)}"]
        about = about if runner.bonus else about[:1]
        about += [clean(text) for text in (entry.player, *entry.note.splitlines()) if text]
        about += [f"`{entry.auto}`"] if entry.auto else []
        about += [voice.word(entry.throws)] if entry.throws else []
        about += [voice("NPC")] if runner.npc else []
        yield f"{runner.number}. {clean(runner.name)}: {voice.comma.join(about)}"
        for skill in runner.skills.values():
            yield f"   {clean(skill.name)}: {voice.part(_skill(skill))}"


def _skill(skill: Skill) -> list[object]:
    """All that a skill is, and can do."""
    parts = [*scenes_of(skill), *skill.position, *effects(Use("", skill))]
    parts += [say("cancels a skill")] if skill.cancels else []
    parts += [say("{n} times", n=skill.uses)] if skill.uses > 1 else []
    return [*parts, *skill.text.splitlines()]


def differences(tables: Tables) -> Iterator[str]:
    """The cells of a race's own tables, by key path, as far as they differ from ours."""
    ours = dict(_cells(DEFAULT_TABLES))
    yield from (f"`{path} {clean(cell)}`" for path, cell in _cells(tables) if ours.get(path) != cell)


def _cells(tables: Tables) -> Iterator[tuple[str, str]]:
    yield from ((f"kiai.{kiai}", str(row)) for kiai, row in enumerate(tables.kiai, 1))
    for pace, rises in tables.pace.items():
        yield from ((f"pace.{pace}.{position}", str(rise)) for position, rise in rises.items())
    for face, obstacle in tables.obstacle.items():
        keys = {**obstacle._asdict(), "who": " ".join(obstacle.who)}
        yield f"obstacle.{face}", ", ".join(f"{key} {value}" for key, value in keys.items() if value)
    for name, numbers in (("position", tables.position), ("cap", tables.cap)):
        yield from ((f"{name}.{key}", str(number)) for key, number in numbers.items())


def scene(race: Race, played: Played, voice: Voice) -> Iterator[Told]:
    """One scene: what was ruled at its start, what happened, notes, and how it left the field."""
    record = race.record(played.scene)
    voice = voice.within(played.scene)
    house = "tool" if race.seed is None else "seed"
    yield from happened(played.events, voice, house=house)
    yield from happened(_not_yet_told(played, dict(record.answers)), voice)
    if played.done:
        for question, name in unasked(record.answers, played.trace):
            yield voice("{name} {question}: never asked", name=name, question=voice.word(question))
    else:
        yield from (kept(name, ruling, voice) for name, ruling in record.rulings.items() if ruling.when == "end")
    yield from _notes(record, voice)
    if record.closing is not None:
        yield ""
        if CLOSINGS[kind_of(played.scene)] == "result":
            yield grid.result(played.field.finishes, played.field, voice, grid.reasons(race))
        else:
            yield grid.running_order(played.field, voice, grid.reasons(race))


def comments(text: str, voice: Voice) -> Iterator[str]:
    """What people wrote beside the race, each with its line."""
    for turn, (line, words) in enumerate(toml.comments(text)):
        if turn == 0:
            yield from ("", voice("comments of the file:"))
        yield f"  {line}: {clean(words)}"
