"""Every key of a race file has its exact type."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import told
from uma_cli.errors import Unreadable
from uma_cli.keys import Keys
from uma_cli.schema import read_race

FULL: dict[str, Any] = {
    "format": 1,
    "title": "t",
    "course": "c",
    "note": "n",
    "seed": "s",
    "throws": "tool",
    "ask": "kiai",
    "photo": "1",
    "scenes": ["gate", "corner-2", "finish"],
    "finish-checks": 1,
    "runner": {
        "A": {
            "number": 1,
            "kiai": 1,
            "bonus": 1,
            "npc": False,
            "player": "p",
            "throws": "tool",
            "note": "n",
            "auto": "steady",
            "skill": {
                "S": {
                    "when": "gate",
                    "uses": 1,
                    "position": "end-closer",
                    "kiai": 1,
                    "dice": 1,
                    "bonus": 1,
                    "soften": 1,
                    "place": "runaway",
                    "cancels": False,
                    "target-kiai": 1,
                    "target-bonus": 1,
                    "text": "t",
                }
            },
        }
    },
    "table": {
        "kiai": {"1": "1D6"},
        "pace": {pace: {"front-runner": 1, "late-surger": "1~2"} for pace in ("fast", "average", "slow", "runaway")},
        "obstacle": {"1": {"name": "n", "who": "all", "resist": 1, "kiai": 1, "check": 1, "finish": 1}},
        "position": {"runaway": 1},
        "cap": {"gate": 1, "scene": 1},
    },
    "gate": {
        **{question: {"A": ""} for question in ("style", "skill", "check", "place", "npc", "pace", "pace-die")},
        "kiai": {"A": 1},
        "note": {"A": "n"},
        "standing": {"A": "s"},
        "ruling": {
            "A": {
                "kiai": 1,
                "bonus": 1,
                "finish": 1,
                "position": "end-closer",
                "out": False,
                "when": "end",
                "why": "w",
            }
        },
    },
}
VALUES: tuple[Any, ...] = (True, 7, 4.0, float("nan"), "\x07", ["a"], [1], [], {}, {"a": 1}, [{}])
VALUES += tuple(tomllib.loads("a = 1979-05-27T07:32:00Z\nb = 1979-05-27\nc = 07:32:00").values())
ALSO = {"seed": (int,), "front-runner": (str,), "late-surger": (int,), "title": (), "kiai": ()}
"""What else a key may hold than what it holds in the full race."""


def places(data: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of all keys, tables too."""
    for key, value in data.items():
        yield (*path, key)
        if isinstance(value, dict):
            yield from places(value, (*path, key))


@pytest.mark.parametrize("path", list(places(FULL)), ids=".".join)
def test_every_key_is_held_to_its_type(path: tuple[str, ...]) -> None:
    """`true` is no integer and `4.0` is none: the message names the key path and what stands there."""
    read_race(FULL)
    for value in VALUES:
        data = copy.deepcopy(FULL)
        table: Any = data
        for key in path[:-1]:
            table = table[key]
        if type(value) in (type(table[path[-1]]), *ALSO.get(path[-1], ())) or (value == [] and path == ("scenes",)):
            continue
        table[path[-1]] = value
        with pytest.raises(Unreadable) as caught:
            read_race(data)
        assert caught.value.where == ".".join(path), value
        assert told(caught.value).startswith(f"{'.'.join(path)}: want")


def test_the_full_race_has_every_key_that_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key is left out of the walk over all of them; of those that are alike one stands for all."""
    read: dict[tuple[str, ...], set[str]] = {}
    rest = Keys.rest
    monkeypatch.setattr(Keys, "rest", lambda keys: (read.update({keys.path: set(keys.known)}), rest(keys))[1])
    read_race(FULL)
    left_out = {(): {"corner-2", "finish"}, ("gate",): {"rise-die"}}
    alike = {("table", "kiai"), ("table", "position"), ("table", "obstacle"), ("corner-2",), ("finish",)}
    for path, known in read.items():
        if path[:2] != ("table", "pace") and path not in alike:
            table: Any = FULL
            for key in path:
                table = table[key]
            assert known - left_out.get(path, set()) == set(table), path
