"""From the tables of a race file to a race: every key, its exact type, its limits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from uma_cli.errors import Say, Unreadable, say
from uma_cli.near import nearest
from uma_cli.race import (
    GRANTS,
    MASTER,
    MAX_INTEGER,
    MAX_RUNNERS,
    MAX_SCENES,
    NAME_LENGTH,
    NOTE_LENGTH,
    RISE,
    Entry,
    Pace,
    Position,
    Race,
    Record,
    Ruling,
    Runner,
    Skill,
    kind_of,
)
from uma_cli.replay import CHOICES, CLOSINGS, DICE, is_question
from uma_cli.strategy import STRATEGIES
from uma_cli.tables import DEFAULT_TABLES, MAX_DICE, Dice, Obstacle, Rise, Tables, read_dice

FORMAT = 1
FORBIDDEN = '=,;:@"\\'
RESERVED = ("gm", "rest")
WHEN = ("gate", "corner", "finish")
THROWS = ("tool", "hand")
ASK = ("kiai", "style")
PHOTO = {"1": (1,), "10 1": (10, 1)}
HEAD = (
    "format",
    "title",
    "course",
    "note",
    "scenes",
    "seed",
    "throws",
    "ask",
    "finish-checks",
    "photo",
    "runner",
    "table",
)

Path = tuple[str, ...]


class Wrong(Unreadable):
    """A key does not hold what it should."""

    def __init__(self, path: Path, what: Say, hint: Say | None = None) -> None:
        where = ".".join(path)
        super().__init__(say("{path}: {what}", path=where, what=what), where=where, hint=hint)


class Read(NamedTuple):
    """A race, and what its file holds beside it."""

    race: Race
    warnings: tuple[Say, ...]


class Keys:
    """One table of the file, read key by key; what nobody asked for is unknown."""

    def __init__(self, data: object, path: Path, warnings: list[Say], others: list[tuple[str, str]]) -> None:
        if not isinstance(data, dict):
            raise Wrong(path, say("want a table"))
        self.data: dict[str, Any] = data
        self.path = path
        self.warnings = warnings
        self.others = others
        """The key paths that nobody knows, and what they hold."""
        self.known: list[str] = []

    def take(self, key: str) -> Any:
        """Whatever the key holds; from now on it is known."""
        self.known.append(key)
        return self.data.get(key)

    def wrong(self, key: str, what: Say, hint: Say | None = None) -> Wrong:
        """The error that a key does not hold what it should."""
        return Wrong((*self.path, key), what, hint)

    def text(self, key: str, default: str = "", *, longest: int = NOTE_LENGTH, one_line: bool = False) -> str:
        """A text."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(key, say("want text in quotes, not {value}", value=_shown(value)))
        if len(value) > longest:
            raise self.wrong(key, say("want at most {limit} characters", limit=longest))
        if one_line and "\n" in value:
            raise self.wrong(key, say("want one line"))
        return value

    def number(self, key: str, default: int = 0, *, least: int = -MAX_INTEGER, most: int = MAX_INTEGER) -> int:
        """A whole number; `true` and `4.0` are none."""
        value = self.take(key)
        if value is None:
            return default
        if type(value) is not int:
            raise self.wrong(key, say("want a whole number, not {value}", value=_shown(value)))
        if not least <= value <= most:
            raise self.wrong(key, say("want a number from {least} to {most}", least=least, most=most))
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.take(key)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise self.wrong(key, say("want true or false, not {value}", value=_shown(value)))
        return value

    def one_of(self, key: str, words: tuple[str, ...], default: str | None = None) -> str | None:
        """One of a few words."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, str) or value not in words:
            raise self.wrong(key, _want(value, words))
        return value

    def some_of(self, key: str, words: tuple[str, ...], default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Several of a few words, in one text."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(key, say("want words in one text, with spaces between, not {value}", value=_shown(value)))
        for word in value.split():
            if word not in words:
                raise self.wrong(key, _want(word, words))
        return tuple(value.split())

    def table(self, key: str) -> Keys:
        """A table in this one; an absent one is empty."""
        value = self.take(key)
        return Keys({} if value is None else value, (*self.path, key), self.warnings, self.others)

    def tables(self, key: str) -> dict[str, Keys]:
        """The tables of a table of tables."""
        inner = self.table(key)
        return {
            name: inner.table(name)
            for name in inner.data
            if not name.startswith("x-") or isinstance(inner.data[name], dict)
        }

    def rest(self) -> None:
        """Warn of every key that nobody knows; `x-` keys are nobody's business."""
        for key, value in self.data.items():
            if key in self.known:
                continue
            path = ".".join((*self.path, key))
            self.others.append((path, str(value)))
            if not key.startswith("x-"):
                near = nearest(key, self.known)
                hint = say("; did you mean `{near}`?", near=near) if near else say("")
                self.warnings.append(say("unknown key {path} is left alone{hint}", path=path, hint=hint))


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _want(value: object, words: tuple[str, ...]) -> Say:
    near = nearest(str(value)[:NAME_LENGTH], words)
    mean = say("; did you mean `{near}`?", near=near) if near else say("")
    return say("want one of {words}, not {value}{mean}", words=", ".join(words), value=_shown(value), mean=mean)


def read_race(data: Mapping[str, Any]) -> Read:
    """A race from the parsed file.

    Raises:
        Unreadable: a key is missing, of the wrong type or over a limit; the message names its path.
    """
    warnings: list[Say] = []
    others: list[tuple[str, str]] = []
    head = Keys(data, (), warnings, others)
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
    race = race._replace(records=records, others=tuple(others))
    return Read(race, (*warnings, *_strangers(race)))


def _strangers(race: Race) -> Iterator[Say]:
    """Answers by names that nobody in the race has: a slip of the pen, or left over."""
    fill_ins = {name for record in race.records.values() for name in record.answers.get("npc", {})}
    known = [MASTER, *race.entries, *fill_ins]
    for scene, record in race.records.items():
        for question, by_runner in record.answers.items():
            for name in by_runner:
                if name not in known and not re.fullmatch(r"NPC [0-9]+", name):
                    near = nearest(name, known, 0.5)
                    mean = say("; did you mean `{near}`?", near=near) if near else say("")
                    path = f"{scene}.{question}.{name}"
                    yield say("{path}: nobody of that name is in the race{mean}", path=path, mean=mean)


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


def check_scenes(scenes: list[str], wrong: Any) -> tuple[str, ...]:
    """G1: the gate first and once, the finish last and once, corners between."""
    if len(scenes) > MAX_SCENES:
        raise wrong(say("want at most {limit} scenes", limit=MAX_SCENES))
    if len(scenes) < 2 or scenes[0] != "gate" or scenes[-1] != "finish":
        raise wrong(say("want the gate first and the finish last"))
    for scene in scenes[1:-1]:
        if not re.fullmatch(r"corner-[0-9]{1,4}", scene):
            raise wrong(say("want corners such as corner-2 between gate and finish, not `{scene}`", scene=scene))
    if len(set(scenes)) < len(scenes):
        raise wrong(say("want each scene once"))
    return tuple(scenes)


def _read_seed(head: Keys) -> str | None:
    value = head.data.get("seed")
    if type(value) is int:
        return str(head.number("seed"))
    return head.text("seed", longest=NAME_LENGTH, one_line=True) if "seed" in head.data else head.take("seed")


def check_name(name: str) -> Say | None:
    """Why a name cannot be used, or None."""
    alike = unicodedata.normalize("NFKC", name)
    if not name.strip() or name != name.strip():
        return say("a name is not blank and has no space at its ends")
    if len(name) > NAME_LENGTH:
        return say("a name has at most {limit} characters", limit=NAME_LENGTH)
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in name):
        return say("a name has no control, invisible or line characters")
    if any(char in FORBIDDEN for char in alike):
        return say("a name has none of {characters}", characters=" ".join(FORBIDDEN))
    if alike.isdigit():
        return say("a name is more than digits")
    if alike.casefold() in RESERVED:
        return say("`{name}` has a meaning of its own", name=name)
    if name != unicodedata.normalize("NFC", name):
        return say("a name is written in NFC, each letter with its marks in one")
    return None


def look(name: str) -> str:
    """What a name looks like: two names may not look the same."""
    return unicodedata.normalize("NFKC", name).casefold()


def _check_names(names: list[str], path: Path) -> None:
    seen: dict[str, str] = {}
    for name in names:
        why = check_name(name)
        if why:
            raise Wrong((*path, name), why)
        twin = seen.setdefault(look(name), name)
        if twin != name:
            raise Wrong(
                (*path, name), say("it looks like `{twin}`", twin=twin), hint=say("give one of them another name")
            )


def _read_runners(head: Keys, tables: Tables) -> dict[str, Entry]:
    runners = head.tables("runner")
    if len(runners) > MAX_RUNNERS:
        raise head.wrong("runner", say("want at most {limit} runners", limit=MAX_RUNNERS))
    _check_names(list(runners), ("runner",))
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
            auto=keys.one_of("auto", tuple(STRATEGIES)),
            note=keys.text("note"),
        )
        keys.rest()
    return entries


def _read_skills(runner: Keys, tables: Tables) -> dict[str, Skill]:
    skills = runner.tables("skill")
    _check_names(list(skills), (*runner.path, "skill"))
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


def _read_tables(table: Keys) -> Tables:
    tables = DEFAULT_TABLES._replace(
        kiai=_read_kiai(table.table("kiai")),
        pace=_read_pace(table.table("pace")),
        obstacle=_read_obstacles(table.table("obstacle")),
        position=_read_numbers(table.table("position"), DEFAULT_TABLES.position),
        cap=_read_numbers(table.table("cap"), DEFAULT_TABLES.cap, least=0),
    )
    table.rest()
    return tables


def _read_kiai(table: Keys) -> tuple[Dice, ...]:
    rows = dict(enumerate(DEFAULT_TABLES.kiai, 1))
    for key in table.data:
        if key.startswith("x-"):
            continue
        if not re.fullmatch(r"[1-9][0-9]{0,3}", key):
            raise table.wrong(key, say("want the kiai of a row, such as 7"))
        try:
            rows[int(key)] = read_dice(table.text(key))
        except ValueError as error:
            raise table.wrong(
                key, say("{why}, not `{text}`", why=error.args[0], text=_shown(table.data[key]))
            ) from None
    for kiai in range(1, max(rows) + 1):
        if kiai not in rows:
            raise Wrong(table.path, say("the row of kiai {kiai} is missing", kiai=kiai))
    return tuple(rows[kiai] for kiai in sorted(rows))


def _read_pace(table: Keys) -> dict[str, dict[str, Rise]]:
    paces = {}
    for pace in Pace:
        row = table.table(pace)
        cells = dict(DEFAULT_TABLES.pace[pace])
        for position in Position:
            if position in row.data:
                cells[position] = _read_rise(row, position)
        row.known += list(Position)
        row.rest()
        paces[str(pace)] = cells
    table.rest()
    return paces


def _read_rise(row: Keys, position: str) -> Rise:
    if not isinstance(row.data[position], str):
        rise = row.number(position)
        return Rise(rise, rise)
    match = re.fullmatch(r"(-?[0-9]{1,7})~(-?[0-9]{1,7})", row.text(position))
    if match is None:
        raise row.wrong(
            position, say('want a number, or two such as "1~2", not `{text}`', text=_shown(row.data[position]))
        )
    return Rise(int(match[1]), int(match[2]))


def _read_obstacles(table: Keys) -> dict[int, Obstacle]:
    rows = dict(DEFAULT_TABLES.obstacle)
    for face, row in rows.items():
        if str(face) not in table.data:
            continue
        keys = table.table(str(face))
        rows[face] = Obstacle(
            keys.text("name", row.name, longest=NAME_LENGTH, one_line=True),
            keys.some_of("who", (*Position, "all", "leader", "nobody"), row.who),
            resist=keys.number("resist", row.resist),
            kiai=keys.number("kiai", row.kiai),
            check=keys.number("check", row.check),
            finish=keys.number("finish", row.finish),
        )
        keys.rest()
    table.known += [str(face) for face in rows]
    table.rest()
    return rows


def _read_numbers(table: Keys, default: Mapping[str, int], least: int = -MAX_INTEGER) -> dict[str, int]:
    numbers = {key: table.number(key, number, least=least) for key, number in default.items()}
    table.rest()
    return numbers


def _read_record(scene: str, keys: Keys, race: Race) -> Record:
    answers: dict[str, dict[str, str]] = {}
    closing = CLOSINGS[kind_of(scene)]
    for question in keys.data:
        if is_question(scene, question):
            table = keys.table(question)
            table.data = {name: text for name, text in table.data.items() if name in race.entries or name[:2] != "x-"}
            answers[question] = _rises(table) if question == RISE else _texts(table)
    record = Record(
        answers,
        rulings={name: _read_ruling(ruling) for name, ruling in keys.tables("ruling").items()},
        notes=_texts(keys.table("note"), longest=NOTE_LENGTH),
        closing=_texts(keys.table(closing)) if closing in keys.data else None,
    )
    keys.known += [closing, *CHOICES[kind_of(scene)], *DICE[kind_of(scene)]]
    keys.rest()
    return record


def _rises(table: Keys) -> dict[str, str]:
    """Declared rises are numbers, and blanks are texts like all others."""
    return {name: "" if value == "" else str(table.number(name)) for name, value in table.data.items()}


def _texts(table: Keys, longest: int = MAX_INTEGER) -> dict[str, str]:
    return {name: table.text(name, longest=longest) for name in table.data}


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


__all__ = [
    "ASK",
    "FORMAT",
    "MASTER",
    "PHOTO",
    "THROWS",
    "Keys",
    "Read",
    "Wrong",
    "check_name",
    "check_scenes",
    "look",
    "read_race",
]
