"""Counts and numbers that are typed: far too many are refused at once."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Uma
from uma_cli import file
from uma_cli.commands.prompt import prompt
from uma_cli.run import stand_of
from uma_cli.voice import Voice

RACES = Path(__file__).parent.parent / "races"

MANY = (str(10**9), str(-1), "9" * 400, "9" * 5000, "-" + "9" * 5000, "+" + "9" * 5000, "１" * 5000, "0" * 5000, "1e9")
PLAY = (
    *("--kiai 1={}", "--npc Cub={}", "--check 1={}", "--dice 1={}", "--dice {}=3", "--pace-die GM={}"),
    *("--check-{} 1=3", "--check-tie-{} 1=3", "--scene corner-{}", "--scene 第{}コーナー", "--auto-for {}"),
    *("--place 1=behind@{}", "--move {}=stay", "--note {}=words", "--skill 1={}@{}", "--kiai {}", "--check {}"),
)
RULE = ("1=kiai@{}", "1=bonus@{}", "1=finish@{}", "{}=out")
NEW = (
    "--corners {}",
    "--finish-checks {}",
    "--scenes gate,corner-{},finish",
    "--runner A:kiai={}",
    "--runner A:number={}",
)
SHOW = ("--chat --limit {}", "--chat --part {}", "--since corner-{}")
CALLS = (
    *(f"gate four.toml {call}" for call in PLAY),
    *(f"corner four.toml {call}" for call in PLAY),
    *(f"gate four.toml --why so --ruling {call}" for call in RULE),
    *(f"new new.toml {call}" for call in NEW),
    *(f"show four.toml {call}" for call in SHOW),
)


@pytest.mark.parametrize("call", CALLS)
def test_a_number_without_measure_is_refused_at_once(uma: Uma, four: Path, call: str) -> None:
    """In every option that takes one: no fault, no work, and the file as it was, or as one that replays."""
    before = four.read_bytes()
    for number in MANY:
        arguments = [word.replace("{}", number).replace("@", " ") for word in call.split()]
        begun = time.process_time()
        called = uma(*arguments)
        assert called.code in (0, 2, 3, 4), called
        assert time.process_time() - begun < 1
        if called.code:
            assert four.read_bytes() == before
        assert uma("show", "four.toml").code == 0
        four.write_bytes(before)
        Path("new.toml").unlink(missing_ok=True)


@pytest.mark.parametrize("number", MANY)
def test_a_number_without_measure_is_no_option_of_a_prompt(monkeypatch: pytest.MonkeyPatch, number: str) -> None:
    """It is taken for an answer, which is refused like any other that is none."""
    ask = stand_of(file.read(str(RACES / "waiting.toml"))).waiting[0]
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{number}\n"))
    assert prompt(ask, Voice()) == ((ask.question, f"{ask.runner}={number}"),)
