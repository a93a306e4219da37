"""A new race file from what `uma new` was told."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, NamedTuple

import tomli_w

from uma_cli import file, schema, words
from uma_cli.errors import Misused, Unreadable, say

NUMBERS = ("number", "kiai", "bonus")
TEXTS = ("player", "throws", "auto", "note")


class SetUp(NamedTuple):
    """What a new race is made of; None and nothing mean the default."""

    title: str | None = None
    course: str | None = None
    note: str | None = None
    runners: tuple[str, ...] = ()
    scenes: tuple[str, ...] = ()
    corners: int | None = None
    roster: str | None = None
    rules: str | None = None
    seed: str | None = None
    throws: str | None = None
    ask: str | None = None
    finish_checks: int | None = None
    photo: str | None = None


def document(set_up: SetUp) -> str:
    """The text of a new race file.

    Raises:
        Misused: a runner or a scene cannot be understood, or the result would be no race.
        Unreadable: the roster or the rules cannot be read.
    """
    head = {
        "format": schema.FORMAT,
        "title": set_up.title,
        "course": set_up.course,
        "note": set_up.note,
        "scenes": list(_scenes(set_up)),
        "seed": set_up.seed,
        "throws": set_up.throws,
        "ask": set_up.ask,
        "finish-checks": set_up.finish_checks,
        "photo": set_up.photo,
    }
    data: dict[str, Any] = {key: value for key, value in head.items() if value is not None}
    runners = _data(set_up.roster).get("runner", {}) if set_up.roster else {}
    for text in set_up.runners:
        name, keys = read_runner(text)
        if name in runners:
            raise Misused(say("{name} is there twice", name=name))
        runners[name] = keys
    if runners:
        data["runner"] = runners
    if set_up.rules and (table := _data(set_up.rules).get("table")):
        data["table"] = table
    text = tomli_w.dumps(data)
    try:
        schema.read_race(file.parse(text))
    except Unreadable as error:
        raise Misused(error.what, hint=error.hint) from None
    return text


def _data(path: str) -> dict[str, Any]:
    """The tables of another race, a roster or a file of tables; it needs no format of its own."""
    try:
        data = file.parse(file.decode(file.bytes_of(path)))
        schema.read_race({"format": schema.FORMAT, **{key: data[key] for key in ("runner", "table") if key in data}})
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
    name = unicodedata.normalize("NFC", name.strip())
    why = schema.check_name(name)
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
