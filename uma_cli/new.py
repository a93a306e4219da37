"""A new race file from what `uma new` was told, or many of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from uma_cli import file, names, schema, words
from uma_cli.dice import draw
from uma_cli.errors import Misused, Unreadable, say
from uma_cli.layout import dumps
from uma_cli.parse import parse

NUMBERS = ("number", "kiai", "bonus")
TEXTS = ("player", "throws", "auto", "note")
PLACE = r"\{n(?::0?([1-9]))?\}"
"""Where a name has its number: `{n}`, or `{n:04}` with so many digits."""


class SetUp(NamedTuple):
    """What a new race is made of; None and nothing mean the default."""

    title: str | None = None
    course: str | None = None
    note: str | None = None
    runners: tuple[str, ...] = ()
    scenes: tuple[str, ...] = ()
    corners: int | None = None
    roster: str | None = None
    field: int | None = None
    """How many runners are drawn from the roster; None for all."""
    rules: str | None = None
    seed: str | None = None
    throws: str | None = None
    ask: str | None = None
    finish_checks: int | None = None
    photo: str | None = None


class Material(NamedTuple):
    """What other files give to a new race: the runners of a roster, and tables; read once for however many races."""

    runners: Mapping[str, Mapping[str, Any]]
    tables: Mapping[str, Any]


def material(set_up: SetUp) -> Material:
    """What a set-up takes from other files.

    Raises:
        Misused: there are not as many runners as are to be drawn.
        Unreadable: the roster or the rules cannot be read.
    """
    runners = {} if set_up.roster is None else _data(set_up.roster).get("runner", {})
    tables = {} if set_up.rules is None else _data(set_up.rules).get("table", {})
    if set_up.seed is not None and not set_up.seed.strip():
        raise Misused(say("a blank seed is no seed"), hint=say("leave --seed out for dice of chance"))
    if set_up.field is not None and not set_up.roster:
        raise Misused(say("--field draws from a roster"), hint=say("name it with --from"))
    if set_up.field is not None and set_up.field > len(runners):
        raise Misused(say("the roster has {n} runners, fewer than --field wants", n=len(runners)))
    return Material(runners, tables)


def numbered(text: str, n: int) -> str:
    """A text with its number in its place: `{n:04}` becomes 0007."""
    return re.sub(PLACE, lambda match: f"{n:0{match[1] or 1}}", text)


def one_of_many(set_up: SetUp, name: str, n: int) -> SetUp:
    """The set-up of one race of many: with its own title, and a seed of its own such as `league/0007`.

    Raises:
        Misused: the name has no place for the number.
    """
    place = re.search(PLACE, name)
    if place is None or re.search("[{}]", re.sub(PLACE, "", name)):
        raise Misused(say("--name has no place for the number"), hint=say("put it in: {name}", name="race-{n:04}.toml"))
    return set_up._replace(
        title=set_up.title and numbered(set_up.title, n),
        seed=set_up.seed and f"{set_up.seed}/{numbered(place[0], n)}",
    )


def document(set_up: SetUp, given: Material) -> str:
    """The text of a new race file.

    Raises:
        Misused: a runner or a scene cannot be understood, or the result would be no race.
    """
    head = {
        "format": schema.FORMAT,
        "title": set_up.title,
        "course": set_up.course,
        "note": set_up.note,
        "scenes": list(_scenes(set_up)),
        "seed": set_up.seed,
        "throws": set_up.throws,
        "ask": set_up.ask and " ".join(re.split(r"[\s,，]+", set_up.ask.strip())),
        "finish-checks": set_up.finish_checks,
        "photo": set_up.photo,
    }
    data: dict[str, Any] = {key: value for key, value in head.items() if value is not None}
    runners = _field(set_up, given)
    for text in set_up.runners:
        name, keys = read_runner(text)
        if name in runners:
            raise Misused(say("{name} is there twice", name=name))
        runners[name] = keys
    if runners:
        data["runner"] = runners
    if given.tables:
        data["table"] = given.tables
    text = dumps(data)
    try:
        schema.read_race(parse(text))
    except Unreadable as error:
        raise Misused(error.what, hint=error.hint) from None
    return text


def _field(set_up: SetUp, given: Material) -> dict[str, Mapping[str, Any]]:
    """The roster, or those drawn from it in the order drawn; their numbers are those of this race."""
    if set_up.field is None:
        return dict(given.runners)
    names = list(given.runners)
    drawn = [names[place] for place in draw(set_up.seed, len(names), set_up.field)]
    return {name: {key: value for key, value in given.runners[name].items() if key != "number"} for name in drawn}


def _data(path: str) -> dict[str, Any]:
    """The tables of another race, a roster or a file of tables; it needs no format of its own."""
    try:
        data = parse(file.decode(file.bytes_of(path)))
        taken: dict[str, Any] = {key: data[key] for key in ("format", "runner", "table") if key in data}
        schema.read_race({"format": schema.FORMAT, **taken})
    except Unreadable as error:
        error.file = path
        raise
    return data


def _scenes(set_up: SetUp) -> tuple[str, ...]:
    """G1: as named, or by the number of corners: one is the third, two are the second and third."""
    if set_up.scenes and set_up.corners is not None:
        raise Misused(say("give --corners or --scenes, not both"))
    if set_up.scenes:
        scenes = [words.scene(scene) for text in set_up.scenes for scene in re.split(r"[\s,，]+", text) if scene]
        return schema.check_scenes(scenes, lambda what: Misused(say("--scenes: {what}", what=what)))
    corners = 2 if set_up.corners is None else set_up.corners
    numbers = {1: [3], 2: [2, 3]}.get(corners, list(range(1, corners + 1)))
    scenes = ["gate", *(f"corner-{number}" for number in numbers), "finish"]
    return schema.check_scenes(scenes, lambda what: Misused(say("--corners: {what}", what=what)))


def read_runner(text: str) -> tuple[str, dict[str, Any]]:
    """`Name:kiai=4,bonus=1,player=@alice` as a name and its keys.

    Raises:
        Misused: it is no such thing.
    """
    name, _, rest = text.replace("：", ":").partition(":")
    name = names.nfc(name.strip())
    why = names.check_name(name)
    if why:
        raise Misused(say("--runner `{name}`: {why}", name=name, why=why))
    keys: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in re.split("[,，]", rest))):
        key, _, value = part.replace("＝", "=").partition("=")
        if key.strip() in keys:
            raise Misused(say("--runner {name}: `{key}` is there twice", name=name, key=key.strip()))
        keys[key.strip()] = _value(name, key.strip(), value.strip())
    return name, keys


def _value(name: str, key: str, value: str) -> Any:
    if key in NUMBERS and re.fullmatch(r"[+-]?[0-9]{1,9}", words.plain(value)):
        return int(words.plain(value))
    if key == "npc" and value in ("", "true"):
        return True
    if key in TEXTS and value:
        return value
    known = ", ".join((*NUMBERS, *TEXTS, "npc"))
    raise Misused(
        say("--runner {name}: `{key}={value}` cannot be understood", name=name, key=key, value=value),
        hint=say('such as --runner "{name}:kiai=4,bonus=1"; keys: {known}', name=name, known=known),
    )
