"""Many files in one call: lists of files, several cores, what failed, and stopping in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Called, Uma
from uma_cli import batch

UMA = (sys.executable, "-m", "uma_cli")


@pytest.fixture
def season(uma: Uma, tmp_path: Path) -> list[str]:
    """Forty seeded races before the gate, and one file in their middle that is none."""
    names = [f"race {n:02}.toml" for n in range(40)]
    for name in names:
        assert uma("new", name, "--seed", name, "--runner", "Rice:kiai=4", "--runner", "Teio:kiai=3").code == 0
    (tmp_path / names[20]).write_text("format = 2\n", "utf-8")
    return names


def files() -> dict[str, bytes]:
    """What is in the folder."""
    return {path.name: path.read_bytes() for path in Path().iterdir()}


@pytest.mark.parametrize(("end", "options"), [("\n", ()), ("\r\n", ()), ("\0", ("-0",))])
def test_files_are_taken_from_a_list(uma: Uma, season: list[str], end: str, options: tuple[str, ...]) -> None:
    """A name a line, or each ended with NUL; the same as named one by one."""
    Path("list").write_bytes("".join(f"{name}{end}" for name in season).encode())
    listed = uma("show", "--tsv", "--files-from", "list", *options)
    assert listed == uma("show", "--tsv", *season)
    assert listed.out.count("\n") == 1 + 39 * 2


def test_a_list_comes_through_stdin(uma: Uma, season: list[str]) -> None:
    """`find -print0 | uma --files-from - -0` works, with the files that are named beside it."""
    names = "\0".join(season[:3])
    called = subprocess.run(
        [*UMA, "show", "--json", season[5], "--files-from", "-", "--null"],
        input=names.encode(),
        capture_output=True,
        check=True,
    )
    assert [line.split('"file": "')[1][:12] for line in called.stdout.decode().splitlines()] == [
        season[5],
        *season[:3],
    ]


def test_an_empty_list_is_nothing_to_do(uma: Uma) -> None:
    """A search that finds nothing is no error, and no FILE at all is one."""
    Path("list").write_bytes(b"\n")
    assert uma("gate", "--files-from", "list") == (0, "", "")
    assert uma("gate").code == 2
    assert uma("show", "-0", "a.toml").code == 2
    assert uma("show", "--files-from", "missing").code == 3
    assert uma("show", "-", "--files-from", "-").code == 2


def test_on_windows_wildcards_are_expanded_in_files_and_nowhere_else(uma: Uma, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell does not do it there; a file whose name only looks like a wildcard is that file."""

    def on_windows(*arguments: str) -> Called:
        with monkeypatch.context() as system:
            system.setattr(os, "name", "nt")
            return uma(*arguments)

    names = ["G1.toml", "Ga.toml", "[G]a.toml"]
    for name in names:
        assert on_windows("new", name, "--title", "[G1]天皇賞*", "--runner", "Rice").code == 0
    assert sorted(files()) == names
    shown = on_windows("show", "--tsv", "G*.toml").out.splitlines()[1:]
    assert [line.split("\t")[0] for line in shown] == names[:2]
    assert on_windows("show", "--tsv", "[G]1.toml").out.splitlines()[1].startswith("G1.toml\t")
    assert on_windows("show", "--tsv", "[G]a.toml").out.splitlines()[1].startswith("[G]a.toml\t")
    assert "[G1]天皇賞*" in on_windows("show", "G1.toml").out
    assert on_windows("show", "X*.toml").code == 3


def test_what_failed_is_listed_at_the_end(uma: Uma, season: list[str]) -> None:
    """Many files: one that fails stops no other, is told of at once and again at the end, and gives the code."""
    called = uma("gate", "--auto", *season)
    assert called.code == 3
    assert called.err.splitlines()[-2] == "uma: 1 of 40 files are not done:"
    assert called.err.splitlines()[-1].startswith(f"  {season[20]}:")
    assert called.err.count(season[20]) == 2
    assert sum("[gate.standing]" in Path(name).read_text("utf-8") for name in season) == 39


@pytest.mark.parametrize("arguments", [("gate", "--auto"), ("gate", "--auto", "--json"), ("gate",)])
def test_several_cores_write_and_say_the_same(uma: Uma, season: list[str], arguments: tuple[str, ...]) -> None:
    """`--jobs` changes no byte of a file and none of the output, and what each says stays in order."""
    before = files()
    alone, written = uma(*arguments, *season), files()
    for name, data in before.items():
        Path(name).write_bytes(data)
    called = subprocess.run([*UMA, *arguments, "--jobs", "3", *season], capture_output=True, check=False)
    assert (called.returncode, called.stdout.decode(), called.stderr.decode()) == alone
    assert files() == written


def test_several_cores_show_the_same(uma: Uma, season: list[str]) -> None:
    """Views too."""
    called = subprocess.run([*UMA, "show", "--jobs", "2", *season], capture_output=True, check=False)
    assert (called.returncode, called.stdout.decode(), called.stderr.decode()) == uma("show", *season)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_is_stopped_says_how_many_are_done(
    uma: Uma, season: list[str], jobs: str, number: signal.Signals
) -> None:
    """It ends what it has begun, every file is the old or the new one, and a second run does the rest."""
    names = [f"{copy}{name}" for copy in range(4) for name in season if name != season[20]]
    for name in names:
        Path(name).write_bytes(Path(name[1:]).read_bytes())
    before = files()
    child = subprocess.Popen(
        [*UMA, "gate", "--auto", "--jobs", jobs, *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while not any("[gate.standing]" in Path(name).read_text("utf-8") for name in names):
        time.sleep(0.005)
    os.kill(child.pid, number)
    out, err = child.communicate(timeout=60)
    assert child.returncode == -number
    played = [name for name in names if "[gate.standing]" in Path(name).read_text("utf-8")]
    assert err.decode() == f"uma: stopped: {len(played)} of {len(names)} files are done\n"
    assert out.decode().count(": gate") == len(played)
    assert all(data == before[name] for name, data in files().items() if name not in played)
    assert uma("gate", "--auto", "--if-needed", *names).code == 0
    assert set(files()) == set(before)


def test_nobody_works_on_for_one_who_is_gone(season: list[str]) -> None:
    """When the process that was called is killed, those that it started end too."""
    many = [name for name in season if name != season[20]] * 200
    child = subprocess.Popen(
        [*UMA, "show", "--jobs", "2", *many], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert child.stdout is not None
    with child.stdout:
        child.stdout.read(1)
        child.kill()
    child.wait()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(child.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(child.pid, signal.SIGKILL)
    pytest.fail("processes were left")


def test_stdin_is_one_process_s_own(uma: Uma, season: list[str]) -> None:
    """A race on stdin and several cores do not go together, nor does asking at the terminal."""
    assert uma("gate", "--jobs", "2", "-", season[0]).code == 2


def test_a_race_is_played_through(uma: Uma, season: list[str], tmp_path: Path) -> None:
    """One call plays the scenes that are left one after another, with the same bytes as scene by scene."""
    assert uma("gate", "--auto", season[0]).code == 0
    Path("again.toml").write_bytes(Path(season[0]).read_bytes())
    through = uma("finish", "--through", "--auto", season[0])
    assert through.code == 0
    for scene in ("corner", "corner", "finish"):
        assert uma(scene, "--auto", "again.toml").code == 0
    assert Path("again.toml").read_bytes() == Path(season[0]).read_bytes()
    assert through.out.count(f"{season[0]}: ") == 3
    assert through.out.count("the race is over") == 1
    assert uma("finish", "--through", "--auto", season[0]).code == 4
    assert uma("finish", "--through", "--auto", "--if-needed", season[0]).code == 0


def test_a_race_that_waits_stops_a_call_that_plays_through(uma: Uma, four: Path) -> None:
    """What can be played is; then it says whom it waits for, as one object with `--json`."""
    written = four.read_text("utf-8").replace('throws = "hand"', 'throws = "tool"')
    four.write_text(written.replace("kiai = 4", 'kiai = 4\nauto = "steady"', 3), "utf-8")
    called = uma("finish", "--through", "--json", "four.toml")
    assert called.code == 0
    assert called.out.count("\n") == 1
    assert '"status": "waiting"' in called.out


def test_scenes_that_were_played_are_saved_though_a_later_one_is_refused(uma: Uma, four: Path) -> None:
    """Their dice have fallen: to throw them away would be to throw again."""
    rule = '[corner-2.ruling."{}"]\nposition = "end-closer"\nwhy = "fell back"\n'
    rules = "".join(rule.format(name) for name in ("特別周", "春麗"))
    four.write_text(four.read_text("utf-8").replace('throws = "hand"', 'throws = "tool"') + rules, "utf-8")
    called = uma("finish", "--through", "--auto", "four.toml")
    assert called.code == 4
    assert "four.toml: gate" in called.out
    assert "[gate.standing]" in four.read_text("utf-8")
    assert "[corner-2.standing]" not in four.read_text("utf-8")


@pytest.mark.parametrize("options", [("--check", "1=3"), ("--scene", "finish"), ("-n",), ("--note", "a=b")])
def test_what_belongs_to_one_scene_does_not_go_with_playing_through(
    uma: Uma, four: Path, options: tuple[str, ...]
) -> None:
    """It would not be clear which scene is meant."""
    assert uma("finish", "--through", *options, "four.toml").code == 2


def test_a_list_that_ends_its_names_with_nul_is_told_so(uma: Uma, season: list[str]) -> None:
    """Without `-0` it would be one name with NULs in it."""
    Path("list").write_bytes("\0".join(season).encode())
    called = uma("show", "--files-from", "list")
    assert called.code == 2
    assert "-0 reads them" in called.err


def test_workers_stop_between_two_files_too(uma: Uma, season: list[str]) -> None:
    """A signal is heard by each at once: no chunk of files is ended first."""
    names = [f"{copy}{name}" for copy in range(10) for name in season if name != season[20]]
    for name in names:
        Path(name).write_bytes(Path(name[1:]).read_bytes())
    child = subprocess.Popen(
        [*UMA, "finish", "--through", "--auto", "--jobs", "2", *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while not any("[gate.standing]" in Path(name).read_text("utf-8") for name in names[:3]):
        time.sleep(0.002)
    os.kill(child.pid, signal.SIGTERM)
    _, err = child.communicate(timeout=60)
    done = int(err.decode().split("stopped: ")[1].split()[0])
    assert done == sum("[finish.result]" in Path(name).read_text("utf-8") for name in names)
    assert done < 2 * 2 * batch.CHUNK
