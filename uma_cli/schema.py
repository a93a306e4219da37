"""From the tables of a race file to a race: its head, its runners, its records."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from uma_cli.errors import Say, UmaError, say, sentence
from uma_cli.keys import Keys, Oddities, Wrong
from uma_cli.names import check_length, check_name, check_names
from uma_cli.questions import CHOICES, CLOSINGS, DICE, is_question
from uma_cli.race import (
    GRANTS,
    MASTER,
    MAX_RUNNERS,
    MAX_SCENES,
    NAME_LENGTH,
    RISE,
    Entry,
    Position,
    Race,
    Record,
    Ruling,
    Runner,
    Skill,
    kind_of,
)
from uma_cli.tables import DEFAULT_TABLES, MAX_DICE, Tables
from uma_cli.text import short

FORMAT = 1
MAX_SKILLS = 64
MAX_NAMES = MAX_RUNNERS + MAX_SCENES
"""How many names a table of answers may have: the runners, and a fill-in for each scene."""
MAX_QUESTIONS = 100
"""How many questions a scene may have: a roll-off is one of its own."""
WHEN = ("gate", "corner", "finish")
THROWS = ("tool", "hand")
ASK = ("kiai", "style")
PHOTO = {"1": (1,), "10 1": (10, 1)}


class Read(NamedTuple):
    """A race, and what its file holds beside it."""

    race: Race
    warnings: tuple[Say, ...]


def read_race(data: Mapping[str, Any]) -> Read:
    """A race from the parsed file.

    Raises:
        Unreadable: a key is missing, of the wrong type or over a limit; the message names its path.
    """
    odd = Oddities()
    head = Keys(data, (), odd)
    _read_format(head)
    scenes = _read_scenes(head)
    tables = _read_tables(head.table("table"))
    race = Race(
        title=head.text("title", one_line=True),
        course=head.text("course", one_line=True),
        note=head.text("note"),
        scenes=scenes,
        seed=_read_seed(head),
        throws=head.one_of("throws", THROWS, "tool") or "tool",
        ask=head.some_of("ask", ASK),
        finish_checks=head.number("finish-checks", 1, least=1, most=MAX_SCENES),
        photo=PHOTO[head.one_of("photo", tuple(PHOTO), "1") or "1"],
        entries=_read_runners(head, tables),
        tables=tables,
    )
    records = {scene: _read_record(scene, head.table(scene), race) for scene in scenes if scene in data}
    head.rest()
    race = race._replace(records=records, others=tuple(odd.others))
    _strangers(race, odd)
    return Read(race, odd.warnings())


def _strangers(race: Race, odd: Oddities) -> None:
    """Answers by names that nobody in the race has: a slip of the pen, or left over."""
    fill_ins = {name for record in race.records.values() for name in record.answers.get("npc", {})}
    known = [MASTER, *race.entries, *fill_ins]
    for scene, record in race.records.items():
        for question, by_runner in record.answers.items():
            for name in by_runner:
                if name not in known and not re.fullmatch(r"NPC [0-9]+", name):
                    nobody = sentence("{path}: nobody of that name is in the race{mean}")
                    odd.add(nobody, (scene, question, name), known, 0.5)


def _read_format(head: Keys) -> None:
    if "format" not in head.data:
        raise head.wrong("format", say("it is missing"), hint=say("a race file begins with `format = {n}`", n=FORMAT))
    number = head.number("format", least=1)
    if number > FORMAT:
        raise head.wrong("format", say("{n} is newer than this uma reads", n=number), hint=say("a newer uma is needed"))


def _read_scenes(head: Keys) -> tuple[str, ...]:
    value = head.take("scenes")
    if value is None:
        return Race().scenes
    if not isinstance(value, list) or not all(isinstance(scene, str) for scene in value):
        raise head.wrong("scenes", say("want a list of scenes in quotes"))
    return check_scenes(value, lambda what: head.wrong("scenes", what))


def check_scenes(scenes: list[str], wrong: Callable[[Say], UmaError]) -> tuple[str, ...]:
    """G1: the gate first and once, the finish last and once, corners between."""
    if len(scenes) > MAX_SCENES:
        raise wrong(say("want at most {limit} scenes", limit=MAX_SCENES))
    if len(scenes) < 2 or scenes[0] != "gate" or scenes[-1] != "finish":
        raise wrong(say("want the gate first and the finish last"))
    for scene in scenes[1:-1]:
        if not re.fullmatch(r"corner-[0-9]{1,4}", scene):
            raise wrong(say("want corners such as corner-2 between gate and finish, not `{scene}`", scene=short(scene)))
    if len(set(scenes)) < len(scenes):
        raise wrong(say("want each scene once"))
    return tuple(scenes)


def _read_seed(head: Keys) -> str | None:
    value = head.data.get("seed")
    if type(value) is int:
        return str(head.number("seed"))
    return head.text("seed", longest=NAME_LENGTH, one_line=True) if "seed" in head.data else head.take("seed")


def _read_runners(head: Keys, tables: Tables) -> dict[str, Entry]:
    runners = head.tables("runner")
    if len(runners) > MAX_RUNNERS:
        raise head.wrong("runner", say("want at most {limit} runners", limit=MAX_RUNNERS))
    check_names(list(runners), ("runner",))
    numbers: dict[int, str] = {}
    entries = {}
    for place, (name, keys) in enumerate(runners.items(), 1):
        number = keys.number("number", place, least=1)
        if number in numbers:
            raise keys.wrong(
                "number", say("{number} is the number of {other} too", number=number, other=numbers[number])
            )
        numbers[number] = name
        runner = Runner(
            name,
            number,
            kiai=keys.number("kiai", 1, least=1),
            bonus=keys.number("bonus"),
            npc=keys.flag("npc"),
            skills=_read_skills(keys, tables),
        )
        entries[name] = Entry(
            runner,
            player=keys.text("player", longest=NAME_LENGTH, one_line=True),
            throws=keys.one_of("throws", THROWS),
            auto=_read_auto(keys),
            note=keys.text("note"),
        )
        keys.rest()
    return entries


def _read_tables(table: Keys) -> Tables:
    if not table.data:
        return DEFAULT_TABLES
    from uma_cli.own_tables import read_tables  # only a race that has its own pays for loading it

    return read_tables(table)


def _read_auto(runner: Keys) -> str | None:
    if runner.take("auto") is None:
        return None
    from uma_cli.strategy import STRATEGIES  # only a race that is played by one pays for loading it

    return runner.one_of("auto", tuple(STRATEGIES))


def _read_skills(runner: Keys, tables: Tables) -> dict[str, Skill]:
    skills = runner.tables("skill")
    if len(skills) > MAX_SKILLS:
        raise runner.wrong("skill", say("want at most {limit} skills", limit=MAX_SKILLS))
    check_names(list(skills), (*runner.path, "skill"))
    dice = max(row.number for row in tables.kiai)
    read = {}
    for name, keys in skills.items():
        if name == "pass":
            raise Wrong(keys.path, say("`pass` has a meaning of its own"))
        place = keys.one_of("place", tuple(GRANTS))
        skill = Skill(
            name,
            when=keys.some_of("when", WHEN, ("finish",)),
            uses=keys.number("uses", 1, least=1),
            position=tuple(Position(word) for word in keys.some_of("position", tuple(Position))),
            kiai=keys.number("kiai"),
            dice=keys.number("dice", least=-MAX_DICE, most=MAX_DICE),
            bonus=keys.number("bonus"),
            soften=keys.number("soften", least=0),
            place=Position(place) if place else None,
            cancels=keys.flag("cancels"),
            target_kiai=keys.number("target-kiai"),
            target_bonus=keys.number("target-bonus"),
            text=keys.text("text"),
        )
        dice += max(0, skill.dice)
        if dice > MAX_DICE:
            raise keys.wrong(
                "dice", say("a roll has at most {limit} dice, and this could make {dice}", limit=MAX_DICE, dice=dice)
            )
        keys.rest()
        read[name] = skill
    return read


def _read_record(scene: str, keys: Keys, race: Race) -> Record:
    answers: dict[str, dict[str, str]] = {}
    closing = CLOSINGS[kind_of(scene)]
    for question in keys.data:
        if is_question(scene, question):
            table = _by_name(keys.table(question), race)
            answers[question] = _rises(table) if question == RISE else _texts(table)
    if len(answers) > MAX_QUESTIONS:
        raise Wrong(keys.path, say("want at most {limit} questions", limit=MAX_QUESTIONS))
    check_names(answers.get("npc", ()), (*keys.path, "npc"), race.entries)
    rulings = _by_name(keys.table("ruling"), race)
    record = Record(
        answers,
        rulings={name: _read_ruling(rulings.table(name)) for name in rulings.data},
        notes=_texts(_by_name(keys.table("note"), race, check_length)),
        closing=_texts(_by_name(keys.table(closing), race)) if closing in keys.data else None,
    )
    keys.known += [closing, *CHOICES[kind_of(scene)], *DICE[kind_of(scene)]]
    keys.rest()
    return record


def _by_name(table: Keys, race: Race, check: Callable[[str], Say | None] = check_name) -> Keys:
    """A table by names, without what is nobody's business; a name that no runner has could be somebody's at least."""
    table.leave(name for name in table.data if name not in race.entries)
    if len(table.data) > MAX_NAMES:
        raise Wrong(table.path, say("want at most {limit} names", limit=MAX_NAMES))
    for name in table.data:
        if name not in race.entries and name != MASTER and (why := check(name)):
            raise Wrong((*table.path, name), why)
    return table


def _rises(table: Keys) -> dict[str, str]:
    """Declared rises are numbers, and blanks are texts like all others."""
    return {name: "" if value == "" else str(table.number(name)) for name, value in table.data.items()}


def _texts(table: Keys) -> dict[str, str]:
    return {name: table.text(name) for name in table.data}


def _read_ruling(keys: Keys) -> Ruling:
    position = keys.one_of("position", tuple(Position))
    ruling = Ruling(
        why=keys.text("why"),
        when=keys.one_of("when", ("start", "end"), "end") or "end",
        kiai=keys.number("kiai"),
        position=Position(position) if position else None,
        bonus=keys.number("bonus"),
        finish=keys.number("finish"),
        out=keys.flag("out"),
    )
    if not ruling.why.strip():
        raise keys.wrong("why", say("a ruling has a reason"), hint=say('add why = "..."'))
    keys.rest()
    return ruling
