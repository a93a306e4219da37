"""The example races against golden files, and the example script.

`UMA_GOLDEN=1 pytest tests/test_golden.py` writes the files in tests/golden anew; look at their diff before you keep it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from uma_cli.cli import uma
from uma_cli.file import Source, source_of
from uma_cli.questions import CLOSINGS
from uma_cli.race import kind_of
from uma_cli.replay import replay
from uma_cli.show.plain import view
from uma_cli.state import state
from uma_cli.voice import Voice

RACES = Path(__file__).parent.parent / "races"
GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.stem for path in RACES.glob("*.toml"))
WAITING = "waiting"
FINISHED = [name for name in NAMES if name != WAITING]


def race_file(name: str) -> Source:
    return source_of(f"{name}.toml", (RACES / f"{name}.toml").read_bytes())


def golden(file: str, now: str) -> str:
    path = GOLDEN / file
    if os.environ.get("UMA_GOLDEN") == "1":
        GOLDEN.mkdir(exist_ok=True)
        path.write_bytes(now.encode())
    return path.read_bytes().decode()


def closing(text: str, scene: str) -> tuple[int, int]:
    """Where the table that closes a scene begins, with the blank line before it, and where it ends."""
    start = text.index(f"\n[{scene}.{CLOSINGS[kind_of(scene)]}]\n")
    end = text.find("\n\n", start + 1)
    return start, len(text) if end < 0 else end + 1


@pytest.mark.parametrize("name", NAMES)
def test_shows_as_its_golden_text(name: str) -> None:
    """An example race is shown as its golden file has it."""
    now = "\n".join(view(replay(race_file(name).race), f"{name}.toml", Voice())) + "\n"
    assert now == golden(f"{name}.txt", now)


@pytest.mark.parametrize("name", NAMES)
def test_is_its_golden_state(name: str) -> None:
    """The JSON object of an example race is what its golden file has."""
    now = state(replay(race_file(name).race), f"{name}.toml")
    text = json.dumps(now, ensure_ascii=False, indent=2) + "\n"
    assert now == json.loads(golden(f"{name}.json", text))


def test_has_a_race_for_every_golden_file() -> None:
    """No golden file is left over from a race that is gone."""
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(
        f"{name}.{kind}" for name in NAMES for kind in ("txt", "json")
    )


@pytest.mark.parametrize("name", NAMES)
def test_reads_without_a_warning(name: str) -> None:
    """An example race has no key that nobody knows, and a note that says what to look at."""
    source = race_file(name)
    assert source.warnings == ()
    assert source.race.note


@pytest.mark.parametrize("name", FINISHED)
def test_is_finished(name: str) -> None:
    """An example race is played to its result."""
    assert replay(race_file(name).race).status == "finished"


def test_waits_in_the_middle_of_a_corner() -> None:
    """The race that waits has a blank for whom it waits, beside moves that were declared."""
    stand = replay(race_file(WAITING).race)
    moves = stand.race.record(stand.scene).answers["move"]
    assert stand.status == "waiting"
    assert [(ask.question, ask.runner) for ask in stand.waiting] == [
        ("move", name) for name, move in moves.items() if not move
    ]
    assert any(moves.values())


@pytest.mark.parametrize("name", FINISHED)
def test_plays_again_to_the_same_text(name: str, tmp_path: Path) -> None:
    """From its dice and choices alone a race is played by the commands to the same bytes, scene by scene."""
    text = race_file(name).text
    path = tmp_path / "race.toml"
    for scene in race_file(name).race.scenes:
        start, end = closing(text, scene)
        path.write_bytes(text[:start].encode())
        played = CliRunner().invoke(uma, [kind_of(scene), "--scene", scene, str(path)], standalone_mode=False)
        assert played.return_value == 0, played.output
        assert path.read_bytes().decode() == text[:end]


@pytest.mark.parametrize("name", FINISHED)
def test_closes_every_scene(name: str) -> None:
    """No scene of a finished race stands open, and none holds a blank."""
    source = race_file(name)
    record = tomllib.loads(source.text)
    for scene in source.race.scenes:
        assert CLOSINGS[kind_of(scene)] in record[scene]
    assert '= ""' not in source.text


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX script")
def test_runs_the_script(tmp_path: Path) -> None:
    """The script plays a whole race of eight from any folder, shows the result and leaves nothing behind."""
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    played = subprocess.run(
        ["sh", str(RACES / "derby.sh")],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "TMPDIR": str(tmp_path)},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert (played.returncode, played.stderr) == (0, "")
    shown = played.stdout.split("\n\n")
    assert shown[-2].startswith("place  no.  name")
    assert len(shown[-2].splitlines()) == 1 + len(race_file("derby").race.entries)
    assert shown[-1] == "the race is over\n"
    assert list(tmp_path.iterdir()) == []
