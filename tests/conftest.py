"""What the tests share: a folder of its own for each, and uma called in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from uma_cli import file
from uma_cli.cli import invoke
from uma_cli.errors import Unreadable
from uma_cli.voice import Voice


class Called(NamedTuple):
    """What a call came to."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine speaks, the tests hear English."""
    monkeypatch.setenv("UMA_LANG", "en")


Uma = Callable[..., Called]


@pytest.fixture
def uma(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Uma:
    """Call uma in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Called:
        code = invoke(arguments)
        out, err = capsys.readouterr()
        return Called(code, out, err)

    return call


FOUR = """\
# the source's own four
format = 1
title = "源"
throws = "hand"

[runner."特別周"]   # number 1
kiai = 4
player = "@alice"

[runner."無聲鈴鹿"]
kiai = 4

[runner."神鷹"]
kiai = 4
x-sponsor = "tea"

[runner."春麗"]
kiai = 4
"""


@pytest.fixture
def four(tmp_path: Path) -> Path:
    """The source's four runners, before the gate."""
    path = tmp_path / "four.toml"
    path.write_text(FOUR, encoding="utf-8", newline="")
    return path


def refused(text: str) -> Unreadable:
    """The error of a text that is no race."""
    with pytest.raises(Unreadable) as caught:
        file.source_of("r.toml", text.encode())
    return caught.value


def told(error: Unreadable, language: str = "en") -> str:
    """An error and its hint in words."""
    voice = Voice(language)
    return voice.say(error.what) + (" / " + voice.say(error.hint, file="r.toml") if error.hint else "")
