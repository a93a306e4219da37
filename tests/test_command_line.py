"""How uma behaves on a command line, promise by promise (tests/promises.toml)."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from tests.conftest import Uma
from uma_cli import file, streams
from uma_cli.run import stand_of
from uma_cli.show import terminal
from uma_cli.text import cells
from uma_cli.voice import Voice

UMA = (sys.executable, "-m", "uma_cli")
RACES = Path(__file__).parent.parent / "races"
README = Path(__file__).parent.parent / "README.md"
COMMANDS = ("new", "gate", "corner", "finish", "show")


def on_a_terminal(*arguments: str, **environment: str) -> bytes:
    """What a call writes to a terminal."""
    ours, theirs = pty.openpty()
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    child = subprocess.Popen(
        [*UMA, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env={**kept, "TERM": "xterm", **environment}
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        written += piece
    child.wait()
    os.close(ours)
    return written


def test_quiet_drops_the_talk_and_nothing_else(uma: Uma, four: Path) -> None:
    """The same file and code, and nothing on stdout."""
    loud = uma("gate", "four.toml")
    written = four.read_bytes()
    again = four.with_name("again.toml")
    again.write_bytes(four.read_bytes().partition(b"\n[gate")[0])
    quiet = uma("gate", "again.toml", "--quiet")
    assert (quiet.code, quiet.out) == (loud.code, "")
    assert again.read_bytes() == written


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ((), {}, True),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"NO_COLOR": ""}, True),
        ((), {"TERM": "dumb"}, False),
        ((), {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ((), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_what_was_asked_for_last(
    arguments: tuple[str, ...], environment: dict[str, str], coloured: bool
) -> None:
    """The option over the environment over the terminal, on stdout and stderr; off is not one ESC byte."""
    for files in ((str(RACES / "photo.toml"),), ("missing.toml",)):
        assert (b"\x1b" in on_a_terminal("show", *arguments, *files, **environment)) == coloured


@pytest.mark.parametrize("on_terminal", ["stdout", "stderr"])
def test_each_stream_is_asked_for_itself_whether_it_is_a_terminal(on_terminal: str) -> None:
    """Where only one of the two is, only that one has colour."""
    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [*UMA, "show", str(RACES / "photo.toml"), "missing.toml"],
        stdin=theirs,
        env={**environment, "TERM": "xterm"},
        stdout=theirs if on_terminal == "stdout" else subprocess.PIPE,
        stderr=theirs if on_terminal == "stderr" else subprocess.PIPE,
        check=False,
    )
    os.close(theirs)
    assert b"\x1b[" in os.read(ours, 65536)
    os.close(ours)
    piped = done.stderr if on_terminal == "stdout" else done.stdout
    assert piped
    assert b"\x1b" not in piped


def test_colour_can_be_forced_into_a_pipe_and_nothing_is_cut_there(four: Path) -> None:
    """A pipe with FORCE_COLOR gets colour, whole names and no boxes."""
    name = "春" * 40
    four.write_text(four.read_text("utf-8").replace("春麗", name), "utf-8")
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": "20"}
    shown = subprocess.run([*UMA, "show", str(four)], capture_output=True, check=True, env=environment).stdout.decode()
    assert "\x1b[" in shown
    assert name in shown
    assert "─" not in shown


VIEWS = ("", "--log", "--waiting", "--tsv", "--chat", "--markdown", "--json")


@pytest.mark.parametrize("columns", ["20", "80", ""])
@pytest.mark.parametrize("view", VIEWS)
def test_in_a_pipe_grep_finds_every_whole_name(four: Path, view: str, columns: str) -> None:
    """The longest names are uncut and unfolded in every view, however narrow the terminal behind the pipe is."""
    names = {
        "春麗": "春" * 40,
        "神鷹": "W" * 64,
        "無聲鈴鹿": "a long name of many words that could be folded at a space",
    }
    text = four.read_text("utf-8")
    for name, long in names.items():
        text = text.replace(name, long)
    four.write_text(text, "utf-8")
    subprocess.run([*UMA, "gate", str(four), "--quiet"], check=True)
    environment = {**os.environ, "COLUMNS": columns}
    arguments = [*UMA, "show", *([view] if view else []), str(four)]
    lines = subprocess.run(arguments, capture_output=True, check=True, env=environment).stdout.decode().splitlines()
    assert not any("…" in line or "..." in line for line in lines)
    for long in names.values():
        assert any(long in line for line in lines)


def painted(name: str, width: int) -> list[str]:
    """A race on a terminal of so many columns, without colour."""
    paper = io.StringIO()
    console = Console(file=paper, width=width, markup=False, emoji=False, highlight=False, color_system=None)
    stand = stand_of(file.read(str(RACES / f"{name}.toml")))
    console.print(terminal.view(stand, f"{name}.toml", Voice(), width), crop=False)
    return paper.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("name", sorted(path.stem for path in RACES.glob("*.toml")))
def test_columns_drop_before_a_name_is_cut(name: str, width: int) -> None:
    """Every line fits but a command to copy, every name is whole, nothing has an ellipsis."""
    lines = painted(name, width)
    assert all(cells(line) <= width for line in lines if " uma " not in line)
    assert "…" not in "".join(lines)
    for runner in stand_of(file.read(str(RACES / f"{name}.toml"))).field:
        assert any(runner.name in line for line in lines)


def test_hostile_names_are_only_text_on_a_terminal(tmp_path: Path) -> None:
    """Markup, links and emoji of a name stay letters."""
    names = ("[/]", "[link=https∶//example.invalid]特別週[/link]", "[red]a")
    path = tmp_path / "names.toml"
    path.write_text("format = 1\n" + "".join(f'[runner."{name.replace("=", "≡")}"]\n' for name in names), "utf-8")
    shown = on_a_terminal("show", str(path)).decode()
    assert "[/]" in shown
    assert "[red]a" in shown
    assert "\x1b]8" not in shown


@pytest.mark.parametrize("encoding", ["cp950", "cp932", "latin-1", "ascii"])
def test_a_stream_that_lacks_a_letter_shows_its_escape(encoding: str) -> None:
    """No traceback, and the letters that there are stay."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    for arguments in (("show", str(RACES / "derby.toml")), ("gate", "--help"), ("show", "無.toml")):
        called = subprocess.run([*UMA, *arguments], capture_output=True, check=False, env=environment)
        assert called.returncode in (0, 3)
        assert b"Traceback" not in called.stderr
        assert called.stdout or called.stderr


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("gaet", "four.toml"), "gate"),
        (("gate", "--limt", "four.toml"), "--"),
        (("gate", "four.toml", "--chekc", "1=3"), "--check"),
        (("gate", "four.toml", "--check", "特別馬=3+3+3"), "特別周"),
        (("gate", "four.toml", "--style", "1=runawya"), "runaway"),
    ],
)
def test_a_near_name_is_suggested_and_never_taken(uma: Uma, four: Path, arguments: tuple[str, ...], meant: str) -> None:
    """For commands, options, runners and positions; the file stays as it was."""
    before = four.read_bytes()
    called = uma(*arguments)
    assert called.code == 2
    assert "did you mean" in called.err.lower()
    assert meant in called.err
    assert four.read_bytes() == before


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_ascii_and_narrow_and_begins_with_examples(uma: Uma, command: str) -> None:
    """Both switches, examples before the options, at most 79 cells a line."""
    long, short = uma(command, "--help"), uma(command, "-h")
    assert long == short
    assert long.code == 0
    assert long.out.isascii()
    assert max(map(len, long.out.splitlines())) <= 79
    assert 0 < long.out.index(f"    uma {command}") < long.out.index("Options:")


def test_uma_alone_prints_its_help_as_an_error(uma: Uma) -> None:
    """Nothing was asked for: short help on stderr, code 2."""
    called = uma()
    assert (called.code, called.out) == (2, "")
    assert called.err.startswith("Usage: uma")


def test_the_version_tells_what_one_is_asked_for(uma: Uma) -> None:
    """Program, race format, Python."""
    assert uma("--version") == uma("-V")
    assert "race format 1" in uma("-V").out
    assert f"Python {sys.version_info[0]}.{sys.version_info[1]}" in uma("-V").out


def test_with_stdin_closed_every_command_ends(four: Path) -> None:
    """Nobody is ever waited for at a prompt that was not asked for."""
    for arguments in (("gate", str(four)), ("gate", str(four), "--ask"), ("show", str(four)), ("gate", "-")):
        called = subprocess.run(
            ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *UMA, *arguments], capture_output=True, check=False, timeout=20
        )
        assert b"Traceback" not in called.stderr
        assert called.returncode in (0, 2, 3)


def test_a_bar_is_shown_only_where_somebody_waits_for_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, for more than 20 files, after a second; gone when it is done."""

    class Terminal(io.StringIO):
        """Says that somebody looks."""

        def isatty(self) -> bool:
            return True

    clock = iter(range(1_000))
    for number, stream, wanted in ((25, Terminal(), True), (25, io.StringIO(), False), (20, Terminal(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr("uma_cli.streams.time.monotonic", lambda: next(clock))
        assert len(list(streams.counted(["a"] * number, number))) == number
        assert ("/25" in stream.getvalue()) == wanted
        assert not wanted or stream.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize("arguments", [("gate",), ("show",), ("show", "--json"), ("show", "--log")])
def test_a_step_loads_only_what_it_needs(four: Path, arguments: tuple[str, ...]) -> None:
    """rich is for a terminal, and nothing asks what is installed."""
    code = (
        "import sys; from uma_cli.cli import invoke; invoke(sys.argv[1:]);"
        "print([name for name in ('rich', 'importlib.metadata', 'tomlkit', 'socket') if name in sys.modules])"
    )
    called = subprocess.run(
        [sys.executable, "-c", code, *arguments, str(four)], capture_output=True, check=True, text=True
    )
    assert called.stdout.splitlines()[-1] == "[]"


def test_the_readme_tells_how_to_set_up_git() -> None:
    """Attributes, quotepath, hunk headers, and why never a union merge."""
    text = README.read_text("utf-8")
    for wanted in ("*.toml text eol=lf", "core.quotepath", "xfuncname", "union"):
        assert wanted in text


def test_a_usage_error_speaks_the_language_that_was_asked_for(uma: Uma) -> None:
    """What is wrong and the hint, in Japanese here."""
    for option in (("--lang", "ja"), ("--lang=ja",)):
        called = uma("gate", *option, "--nonsense", "a.toml")
        assert called.code == 2
        assert "hint: " not in called.err
        assert "`--nonsense` というオプションはありません" in called.err


@pytest.mark.parametrize("name", ["photo", "dead-heat", "derby", "rulings"])
def test_a_narrow_terminal_shows_the_whole_result(name: str) -> None:
    """Scores, lengths, centimetres, dead heats, NPC and injury checks are there in 30 columns too."""
    shown = " ".join(" ".join(painted(name, 30)).split())
    stand = stand_of(file.read(str(RACES / f"{name}.toml")))
    for line in stand.result or ():
        assert line.score is None or str(line.score) in shown
        assert not line.photo_cm or f"{line.photo_cm} cm" in shown
        assert not line.lengths or f"{line.lengths} length" in shown
    places = [line.place for line in stand.result or () if line.place]
    assert ("dead heat" in shown) == (len(set(places)) < len(places))


def test_a_story_is_broken_between_words() -> None:
    """On a terminal no word is cut, and no letter lost."""
    line = "夕凪 check 5D6: 1 2 3 4 5, row +1 = 16 (seed) and a word"
    lines = list(terminal.wrapped([line], 20))
    assert " ".join(map(str.strip, lines)) == line
    assert all(cells(part) <= 20 for part in lines)
    assert all(part.startswith(terminal.HANGING) for part in lines[1:])
