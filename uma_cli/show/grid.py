"""The tables of a race as rows of cells, for every view to lay out in its own way."""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from uma_cli.errors import sentence
from uma_cli.race import NOTHING, Field, Finish, Race, Runner
from uma_cli.replay import Stand
from uma_cli.text import clean
from uma_cli.voice import Voice

RUNNING = (
    sentence("no."),
    sentence("name"),
    sentence("position"),
    sentence("kiai"),
    sentence("roll"),
    sentence("bonus"),
    sentence("finish"),
    sentence("skills left"),
    "",
)
RESULT = (sentence("place"), sentence("no."), sentence("name"), sentence("score"), sentence("behind"))


class Grid(NamedTuple):
    """A table: its head, its rows, and which of its columns are numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int]


def of(stand: Stand, voice: Voice) -> Grid:
    """The result where there is one, else the running order."""
    if stand.result:
        return result(stand.result, stand.field, voice, reasons(stand.race))
    return running_order(stand.field, voice, reasons(stand.race))


def running_order(field: Field, voice: Voice, why: Mapping[str, str] = NOTHING) -> Grid:
    """Number, name, position, kiai and the dice it gives, what she carries, skills left, flags, why she is out."""
    rows = [_running(field, runner, voice) for runner in field]
    rows += [
        (
            str(runner.number),
            clean(runner.name),
            "-",
            str(runner.kiai),
            *[""] * 4,
            voice.comma.join(filter(None, (_flags(runner, voice), out(why.get(runner.name), voice)))),
        )
        for runner in field.out
    ]
    return compact([voice(name) if name else "" for name in RUNNING], rows, right=(0, 3), always=4)


def _running(field: Field, runner: Runner, voice: Voice) -> tuple[str, ...]:
    return (
        str(runner.number),
        clean(runner.name),
        voice.word(runner.position) if runner.position else "-",
        str(runner.kiai),
        str(field.tables.roll(runner.kiai)),
        signed(runner.bonus),
        signed(sum(effect.amount for effect in runner.finish)),
        voice.comma.join(skills_left(runner)),
        _flags(runner, voice),
    )


def skills_left(runner: Runner) -> list[str]:
    """The skills that she can still use, and how often if more than once."""
    left = {name: runner.left(skill) for name, skill in runner.skills.items()}
    return [clean(name) + (f" x{times}" if times > 1 else "") for name, times in left.items() if times > 0]


def signed(number: int) -> str:
    """A number that is added, or nothing where it is none."""
    return f"{number:+d}" if number else ""


def _flags(runner: Runner, voice: Voice) -> str:
    flags = {sentence("NPC"): runner.npc, sentence("injury check"): runner.injury}
    return voice.comma.join(voice(flag) for flag, there in flags.items() if there)


def reasons(race: Race) -> Mapping[str, str]:
    """Why runners were taken out of the race (M1)."""
    ruled = [item for record in race.records.values() for item in record.rulings.items()]
    return {name: clean(ruling.why) for name, ruling in ruled if ruling.out}


def out(why: str | None, voice: Voice) -> str:
    """That a runner is out, and why."""
    return voice("out ({why})", why=why) if why else voice("out")


def result(finishes: Sequence[Finish], field: Field, voice: Voice, why: Mapping[str, str] = NOTHING) -> Grid:
    """Places, scores, lengths and centimetres; dead heats share a place, and who is out has the reason."""
    ran = {runner.name: runner for runner in (*field, *field.out)}
    places = [line.place for line in finishes]
    rows = []
    for line in finishes:
        runner = ran[line.name]
        notes = [_flags(runner, voice)]
        if line.place is not None and places.count(line.place) > 1:
            notes.insert(0, voice("dead heat"))
        if line.place is None:
            notes.append(why.get(line.name, ""))
        rows.append(
            (
                voice("out") if line.place is None else str(line.place),
                str(runner.number),
                clean(line.name),
                "" if line.score is None else str(line.score),
                behind(line, voice),
                voice.comma.join(filter(None, notes)),
            )
        )
    head = [voice(name) for name in RESULT]
    return compact([*head, ""], rows, right=(0, 1, 3), always=4)


def behind(line: Finish, voice: Voice) -> str:
    """The distance of a runner: lengths behind the first, centimetres behind the best of her score (F7)."""
    lengths = voice("1 length") if line.lengths == 1 else voice("{n} lengths", n=line.lengths)
    parts = [lengths] if line.lengths else []
    return " + ".join([*parts, f"{line.photo_cm} cm"] if line.photo_cm else parts)


def compact(head: Sequence[str], rows: Sequence[tuple[str, ...]], right: Container[int], always: int) -> Grid:
    """A table without the columns that hold nothing."""
    kept = [index for index in range(len(head)) if index < always or any(row[index] for row in rows)]
    return Grid(
        tuple(head[index] for index in kept),
        tuple(tuple(row[index] for index in kept) for row in rows),
        frozenset(place for place, index in enumerate(kept) if index in right),
    )
