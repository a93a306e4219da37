"""Slips at the command line: each is told for what it is, and costs nobody a die, a word or a right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Uma
from uma_cli.file import read
from uma_cli.run import stand_of
from uma_cli.season import Season
from uma_cli.show.season import intervals

UMA = (sys.executable, "-m", "uma_cli")
TOOL = ("new", "r.toml", "--runner", "Rice:kiai=4", "--runner", "Teio:kiai=4", "--runner", "Suzu:kiai=5", "--quiet")


@pytest.fixture
def race(uma: Uma, tmp_path: Path) -> Path:
    """Three runners, whose dice the tool throws."""
    assert uma(*TOOL).code == 0
    return tmp_path / "r.toml"


@pytest.mark.parametrize(
    ("arguments", "code", "wanted"),
    [
        (("gate", "r.toml", "--scene", ""), 2, "is no scene of"),
        (("gate", "r.toml", "--auto", "--strategy", ""), 2, "no strategy"),
        (("new", "b.toml", "--from", ""), 3, "there is no such file"),
        (("new", "b.toml", "--rules", ""), 3, "there is no such file"),
        (("new", "b.toml", "--seed", " "), 2, "a blank seed is no seed"),
        (("show", "--since", "", "r.toml"), 2, "has not been played"),
        (("gate", "r.toml", "--ruling", "Rice=kiai 1, kiai 2", "--why", "x"), 2, "says one thing twice"),
        (("gate", "r.toml", "--ruling", "Rice=late-surger, end-closer", "--why", "x"), 2, "says one thing twice"),
        (("gate", "r.toml", "--ruling", "Rice=kiai 1", "--why", "x" * 2001), 2, "a reason has at most"),
        (("gate", "r.toml", "--kiai", "Rice=1000001"), 2, "want a number"),
        (("gate", "r.toml", "--npc", "=kiai 3"), 2, "--npc"),
        (("gate", "r.toml", "--npc", "Flag=kiai 0"), 2, "the fill-in's kiai"),
        (("gate", "r.toml", "--npc", "Teio=kiai 3", "-n"), 4, "in the race already"),
        (("gate", "-", "-"), 2, "stdin is one race only"),
        (("gate", "r.toml", "--place", "Rice=front", "Teio=back"), 2, "looks like an answer"),
        (("gate", "r.toml", "--move", "Rice=stay"), 2, "goes with `uma corner`"),
        (("gate", "r.toml", "--pace-die", "Rice=3"), 2, "the pace die is the game master's"),
        (("new", "--dry-run", "r.toml"), 6, "there is such a file already"),
        (("new", "--count", "2", "--name", "d{n}/"), 6, "d1/"),
        (("new", "--count", "2", "--name", "r.toml/{n}"), 6, "r.toml"),
    ],
)
def test_a_slip_is_told_and_nothing_happens(
    uma: Uma, race: Path, arguments: tuple[str, ...], code: int, wanted: str
) -> None:
    """The code tells whose it is, one line what it is, and every file is what it was."""
    before = race.read_bytes()
    called = uma(*arguments)
    assert (called.code, called.out) == (code, "")
    assert wanted in called.err
    assert race.read_bytes() == before
    assert os.listdir() == ["r.toml"]


def test_what_could_never_stand_is_not_kept_for_later(uma: Uma, four: Path) -> None:
    """A rise over the cap is refused at once, though nobody is asked for it yet."""
    assert uma("gate", "four.toml", "--kiai", "1=6").code == 4
    assert "kiai" not in four.read_text("utf-8").partition("[gate")[2]


def test_a_ruling_that_does_not_stand_throws_no_dice_away(uma: Uma, race: Path) -> None:
    """The dice of chance have fallen: the ruling is left out and told, and a refusal lets nobody throw again."""
    called = uma(
        "gate", "r.toml", "--auto", "--ruling", "Rice=front-runner", "--ruling", "Teio=front-runner", "--why", "x"
    )
    assert called.code == 0
    assert "not taken: gate.ruling." in called.err
    assert "[gate.standing]" in race.read_text("utf-8")


def test_a_race_that_is_over_before_its_finish_is_done(uma: Uma, race: Path) -> None:
    """All were ruled out: with `--if-needed` there is nothing to do, whatever scene is named."""
    out = [part for name in ("Rice", "Teio", "Suzu") for part in ("--ruling", f"{name}=out")]
    assert uma("gate", "r.toml", "--auto", *out, "--why", "storm").code == 0
    for call in (("finish", "--through", "--auto"), ("finish",), ("corner", "--scene", "corner-3")):
        assert uma(*call, "--if-needed", "r.toml").code == 0
    assert uma("finish", "r.toml").code == 4


def test_the_same_words_can_be_noted_again(uma: Uma) -> None:
    """Yes, no, yes: only a call that is repeated adds nothing; a full-width sign parts name and words too."""
    noted = Path("n.toml")
    noted.write_text('format = 1\nthrows = "hand"\n[runner.Rice]\n[runner.Teio]\n', "utf-8")
    for words in ("=yes", "＝no", "=yes", "=yes"):
        assert uma("gate", "n.toml", "--note", f"Rice{words}").code == 0
    assert 'Rice = "yes\\nno\\nyes"' in noted.read_text("utf-8")


def test_the_same_answer_said_twice_is_one(uma: Uma, four: Path) -> None:
    """It contradicts nothing."""
    assert uma("gate", "four.toml", "--check", "1=3+3+3,1=3+3+3").code == 0


def test_rest_before_its_question_is_told_what_is_asked(uma: Uma, four: Path) -> None:
    """Nobody has answered it, and so nobody is left out."""
    called = uma("gate", "four.toml", "--place", "rest=back")
    assert called.code == 4
    assert "nobody is asked for" in called.err


def test_what_cannot_be_seen_is_written_as_an_escape(uma: Uma, race: Path) -> None:
    """A title, a name of a file that is copied from, a note: the bytes that uma writes can be read."""
    assert uma("new", "b.toml", "--title", "a\u202eb", "--runner", "春").code == 0
    assert 'title = "a\\u202eb"' in Path("b.toml").read_text("utf-8")
    assert uma("gate", "b.toml", "--auto", "--note", "春=\u200bx").code == 0
    assert '"春" = "\\u200bx"' in Path("b.toml").read_text("utf-8")


def test_a_warning_is_told_beside_json_too(uma: Uma, race: Path) -> None:
    """Objects on stdout, and on stderr what a script should know."""
    called = uma(
        "gate", "r.toml", "--auto", "--json", "--ruling", "Rice=runaway", "--ruling", "Teio=runaway", "--why", "x"
    )
    assert json.loads(called.out)["uma"] == 1
    assert "not taken" in called.err


def test_a_list_on_a_closed_stdin_is_told(race: Path) -> None:
    """No traceback."""
    called = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *UMA, "gate", "--files-from", "-"], capture_output=True, check=False
    )
    assert called.returncode == 3
    assert b"nothing can be read from stdin" in called.stderr


def test_a_system_that_does_not_go_on_is_told(race: Path) -> None:
    """Help to a full disk: the code and a line."""
    with open("/dev/full", "wb") as full:
        called = subprocess.run([*UMA, "--help"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert called.returncode == 6
    assert b"no space is left" in called.stderr


def test_workers_that_are_killed_end_the_call_with_a_word(uma: Uma, race: Path) -> None:
    """It does not wait for them for ever."""
    code = (
        "import os, sys, uma_cli.commands.show as show\n"
        "show.Show.__call__ = lambda *_: os._exit(9)\n"
        "from uma_cli.cli import invoke; sys.exit(invoke(sys.argv[1:]))"
    )
    called = subprocess.run(
        [sys.executable, "-c", code, "show", "--jobs", "2", *(["r.toml"] * 80)],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert called.returncode == 1
    assert b"was killed" in called.stderr
    assert b"Traceback" not in called.stderr


def test_a_row_that_lies_below_every_chance_is_drawn(uma: Uma) -> None:
    """Chance may lie beyond every interval there is."""
    favourites = ("--runner", "A:kiai=10,bonus=50", "--runner", "B")
    assert uma("new", "s.toml", "--seed", "s", *favourites).code == 0
    assert uma("finish", "--through", "--auto", "s.toml").code == 0
    one, season = Season.of(stand_of(read("s.toml"))), Season()
    for _ in range(200):
        season += one
    loser = Season()
    for row, tally in season.tallies.items():
        if row == ("runner", ("B",)):
            loser.count(row, tally)
    assert len(intervals(loser, "runner", 30)) == 1
