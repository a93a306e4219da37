"""Each limit of a race file: what is at it is read, and what is over it is refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomli_w

from tests.conftest import Uma, refused, told
from uma_cli import file
from uma_cli.keys import MAX_WARNINGS
from uma_cli.parse import MAX_KEYS, MAX_NESTING, MAX_NUMBER, MAX_PARTS, parse
from uma_cli.race import MAX_INTEGER, MAX_RUNNERS, MAX_SCENES, NAME_LENGTH, NOTE_LENGTH
from uma_cli.schema import MAX_NAMES, MAX_QUESTIONS, MAX_SKILLS, read_race
from uma_cli.tables import MAX_DICE
from uma_cli.voice import Voice

HEAD = "format = 1\n"


def race(**more: Any) -> dict[str, Any]:
    return {"format": 1, "runner": {"A": {}}, **more}


def many(number: int, value: Any = None) -> dict[str, Any]:
    return {f"r{index}": {} if value is None else value for index in range(number)}


def ruling(**keys: Any) -> dict[str, Any]:
    return {"ruling": {"A": {"why": "w", **keys}}}


def corners(number: int) -> list[str]:
    return ["gate", *(f"corner-{index}" for index in range(1, number - 1)), "finish"]


LIMITS: dict[str, tuple[Any, int]] = {
    "runners": (lambda n: race(runner=many(n)), MAX_RUNNERS),
    "scenes": (lambda n: race(scenes=corners(n)), MAX_SCENES),
    "finish checks": (lambda n: race(**{"finish-checks": n}), MAX_SCENES),
    "dice of a row": (lambda n: race(table={"kiai": {"1": f"{n}D6"}}), MAX_DICE),
    "sides of a die": (lambda n: race(table={"kiai": {"1": f"1D{n}"}}), 100),
    "dice of skills": (lambda n: race(runner={"A": {"skill": {"S": {"dice": n - 6}}}}), MAX_DICE),
    "an integer": (lambda n: race(runner={"A": {"kiai": n}}), MAX_INTEGER),
    "a negative integer": (lambda n: race(runner={"A": {"bonus": -n}}), MAX_INTEGER),
    "a seed": (lambda n: race(seed=n), MAX_INTEGER),
    "a seed of text": (lambda n: race(seed="s" * n), NAME_LENGTH),
    "a rise": (lambda n: race(gate={"kiai": {"A": n}}), MAX_INTEGER),
    "a cell of the pace": (lambda n: race(table={"pace": {"fast": {"runaway": n}}}), MAX_INTEGER),
    "two cells of the pace": (lambda n: race(table={"pace": {"fast": {"runaway": f"0~{n}"}}}), MAX_INTEGER),
    "what a row adds": (lambda n: race(table={"kiai": {"1": f"1D6+{n}"}}), MAX_INTEGER),
    "a name": (lambda n: race(runner={"春" * n: {}}), NAME_LENGTH),
    "a skill's name": (lambda n: race(runner={"A": {"skill": {"春" * n: {}}}}), NAME_LENGTH),
    "an obstacle's name": (lambda n: race(table={"obstacle": {"1": {"name": "o" * n}}}), NAME_LENGTH),
    "a player": (lambda n: race(runner={"A": {"player": "p" * n}}), NAME_LENGTH),
    "a stranger's name": (lambda n: race(gate={"place": {"s" * n: ""}}), NAME_LENGTH),
    "a writer's name": (lambda n: race(gate={"note": {"@" * n: "hello"}}), NAME_LENGTH),
    "a title": (lambda n: race(title="t" * n), NOTE_LENGTH),
    "a note": (lambda n: race(note="春" * n), NOTE_LENGTH),
    "a note of a scene": (lambda n: race(gate={"note": {"A": "n" * n}}), NOTE_LENGTH),
    "a reason": (lambda n: race(gate=ruling(why="w" * n)), NOTE_LENGTH),
    "an answer": (lambda n: race(gate={"place": {"A": "a" * n}}), NOTE_LENGTH),
    "a standing": (lambda n: race(gate={"standing": {"A": "a" * n}}), NOTE_LENGTH),
    "skills": (lambda n: race(runner={"A": {"skill": many(n)}}), MAX_SKILLS),
    "names of a question": (lambda n: race(gate={"place": many(n, "")}), MAX_NAMES),
    "names of rulings": (lambda n: race(gate={"ruling": many(n, {"why": "w"})}), MAX_NAMES),
    "names of notes": (lambda n: race(gate={"note": many(n, "n")}), MAX_NAMES),
    "questions": (lambda n: race(finish={f"check-{index}": {} for index in range(n)}), MAX_QUESTIONS),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_held_and_named(name: str) -> None:
    """What is at the limit is read; one more is refused, and the message has the limit."""
    made, limit = LIMITS[name]
    read_race(parse(tomli_w.dumps(made(limit))))
    error = refused(tomli_w.dumps(made(limit + 1)))
    assert str(limit) in told(error)
    assert error.where


TEXT_LIMITS: dict[str, tuple[Any, int]] = {
    "parts of a key": (lambda n: ".".join("a" * n) + " = 1", MAX_KEYS),
    "parts of a header": (lambda n: f"[{'.'.join('a' * n)}]", MAX_KEYS),
    "spaced parts of a key": (lambda n: " . ".join(["'a'"] * n) + " = 1", MAX_KEYS),
    "brackets": (lambda n: f"x-a = {'[' * n}{']' * n}", MAX_NESTING),
    "braces": (lambda n: f"x-a = {'{a=' * n}1{'}' * n}", MAX_NESTING),
    "digits": (lambda n: f"x-a = {'9' * n}", MAX_NUMBER),
    "hexadecimal digits": (lambda n: f"x-a = [0x{'f' * (n - 2)}]", MAX_NUMBER),
    "decimals": (lambda n: f"x-a = 1.{'9' * n}", MAX_NUMBER),
    "signs": (lambda n: f"x-a = [{'1,' * ((n - 10) // 2)}1]" + "\n" * (n % 2), MAX_PARTS),
}


@pytest.mark.parametrize("name", TEXT_LIMITS)
def test_a_limit_of_the_text_is_held_and_named(name: str) -> None:
    """Before the parser sees it, for some of these would keep it busy for long."""
    made, limit = TEXT_LIMITS[name]
    file.source_of("r.toml", (HEAD + made(limit)).encode())
    error = refused(HEAD + made(limit + 8 if name == "signs" else limit + 1))
    assert str(limit) in told(error)
    assert error.line == 2


def test_a_file_of_a_mebibyte_is_read_and_no_more(uma: Uma, tmp_path: Path) -> None:
    """To the byte, from a file and from stdin."""
    whole = HEAD.encode() + b"#" * (file.MAX_BYTES - len(HEAD) - 1) + b"\n"
    (tmp_path / "whole.toml").write_bytes(whole)
    (tmp_path / "more.toml").write_bytes(whole + b"\n")
    assert uma("show", "whole.toml").code == 0
    called = uma("show", "more.toml")
    assert (called.code, called.err) == (3, "uma: more.toml: it is larger than 1048576 bytes\n")


def test_odd_keys_are_not_told_without_end() -> None:
    """The first ones by name, and how many more there are."""
    keys = "".join(f"a{number} = 1\n" for number in range(100))
    names = "".join(f'b{number} = "front"\n' for number in range(100))
    warnings = file.source_of("r.toml", f"{HEAD}{keys}[gate.place]\n{names}".encode()).warnings
    assert len(warnings) == MAX_WARNINGS + 1
    assert Voice().say(warnings[-1]) == "and 180 more like these"


def test_a_long_key_is_not_repeated_whole(uma: Uma, tmp_path: Path) -> None:
    """Whatever is wrong with it, a message stays a line."""
    long = "春" * 100_000
    scenes = f'scenes = ["gate", "{long}", "finish"]'
    for text in (f'"{long}" = 1', f'[runner."{long}"]', f'[gate.place]\n"{long}" = ""', scenes):
        (tmp_path / "r.toml").write_text(HEAD + text, "utf-8")
        assert len(uma("show", "r.toml").err) < 400
