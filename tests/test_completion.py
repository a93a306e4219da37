"""What TAB offers: the candidates by click's switch, and the shipped scripts in real shells on a real terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

import uma_cli
from uma_cli import completion
from uma_cli.cli import uma as group

PACKAGE = Path(uma_cli.__file__).parent
SCRIPTS = PACKAGE / "completions"
HOSTILE = "$(touch PWNED)x"
RACE = """\
format = 1
scenes = ["gate", "corner-1", "corner-2", "finish"]

[runner."$(touch PWNED)x"]
[runner."`touch PWNED`"]
[runner."Midnight Ferry"]
[runner."O'Quote"]
[runner."x;touch PWNED"]
[runner."x|touch PWNED"]
[runner."x&touch PWNED&"]
[runner."x>PWNED"]
[runner."x\\ttouch PWNED"]
[runner."Zephyr\\nZigzag"]
[runner."\\u001b]0;hacked\\u0007"]
[runner."~root"]
[runner."!!"]
[runner."#Sharp"]
[runner."*"]
[runner."-rf"]
[runner."invisible\u3164"]
[runner.Rice]
[runner.Rice.skill.Glare]
[runner.Rice.skill."$(touch PWNED)"]
[runner.Teio]
[runner."櫻庭疾風"]
[runner."St._No-1"]

[corner-1.npc]
"旗手" = "lowest"
"a;b" = "lowest"
"""
SAFE = ["Rice", "Teio", "櫻庭疾風", "St._No-1", "旗手"]

Tab = Callable[..., list[str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the race, and being there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "race.toml").write_text(RACE, encoding="utf-8")
    return tmp_path


def asked(shell: str, words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """What the classes answer to a shell whose cursor is in the last of the words."""
    classes: dict[str, type[ShellComplete]] = {
        "bash": completion.Bash,
        "zsh": completion.Zsh,
        "fish": completion.Fish,
    }
    monkeypatch.setenv("COMP_WORDS", ("\n" if shell == "bash" else " ").join(words))
    monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words) - 1))
    return classes[shell](group, {}, "uma", "_UMA_COMPLETE").complete()


@pytest.fixture
def tab(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Tab:
    """The candidates for the last of the words."""

    def press(*words: str, shell: str = "bash") -> list[str]:
        lines = asked(shell, ["uma", *words], monkeypatch).splitlines()
        if shell == "zsh":
            return [value for kind, value in zip(lines[::3], lines[1::3], strict=True) if kind == "plain"]
        plain = [line.removeprefix("plain,") for line in lines if line.startswith("plain,")]
        return [line.partition("\t")[0] for line in plain]

    return press


@pytest.mark.parametrize(
    ("name", "made_by"), [("uma.bash", completion.Bash), ("_uma", completion.Zsh), ("uma.fish", completion.Fish)]
)
def test_the_shipped_scripts_are_those_of_the_switch(name: str, made_by: type[ShellComplete]) -> None:
    """Each script is what click's switch gives now for a program called uma."""
    assert (SCRIPTS / name).read_text("utf-8") == made_by(group, {}, "uma", "_UMA_COMPLETE").source()


def test_the_wheel_puts_the_scripts_where_the_shells_look() -> None:
    """The build installs each script under the name that its shell loads by itself."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert {name: place for name, place in shared.items() if "completions" in name} == {
        "uma_cli/completions/uma.bash": "share/bash-completion/completions/uma",
        "uma_cli/completions/_uma": "share/zsh/site-functions/_uma",
        "uma_cli/completions/uma.fish": "share/fish/vendor_completions.d/uma.fish",
    }


def test_only_safe_names_are_offered(tab: Tab) -> None:
    """Runners and fill-ins of letters, digits, `-`, `_` and `.` are there, and no others."""
    assert tab("gate", "race.toml", "--auto-for", "") == SAFE
    assert tab("gate", "race.toml", "--kiai", "") == [f"{name}=" for name in (*SAFE, "rest")]
    assert tab("gate", "race.toml", "--skill", "Rice", "=") == ["Glare", "pass"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("corner", "race.toml", "--move", "Rice", "="), ["forward", "back", "stay"]),
        (("corner", "race.toml", "--move", "Rice", "=", "f"), ["forward"]),
        (("corner", "race.toml", "--move", "Ri"), ["Rice=forward", "Rice=back", "Rice=stay"]),
        (("corner", "race.toml", "--move", "re"), ["rest=forward", "rest=back", "rest=stay"]),
        (("corner", "race.toml", "--move", "=", "Rice", "=", "s"), ["stay"]),
        (
            ("corner", "race.toml", "--move", "Teio", "=", "stay,Ri"),
            ["stay,Rice=forward", "stay,Rice=back", "stay,Rice=stay"],
        ),
        (("corner", "race.toml", "--pace", "f"), ["fast"]),
        (("corner", "race.toml", "--pace", "Rice", "="), ["fast", "average", "slow"]),
        (("gate", "race.toml", "--style", "Rice", "="), ["runaway", "end-closer", "late-start", "none"]),
        (("gate", "race.toml", "--place", "Rice", "="), ["front", "back"]),
        (("gate", "race.toml", "--kiai", "Rice", "="), ["0", "1", "2", "3", "4", "5"]),
        (("corner", "race.toml", "--kiai", "Rice", "="), ["0", "1", "2", "3"]),
        (("gate", "race.toml", "--check", "Ri"), ["Rice=", "Rice=roll"]),
        (("gate", "race.toml", "--check-tie-2", "Teio", "=", "4,Ri"), ["4,Rice=", "4,Rice=roll"]),
        (("gate", "race.toml", "--dice", "GM", "="), ["roll"]),
        (("gate", "race.toml", "--pace-die", ""), ["GM=", "GM=roll"]),
        (("gate", "race.toml", "--npc", "Rice", "="), []),
        (("gate", "race.toml", "--note", "Ri"), ["Rice="]),
        (("gate", "race.toml", "--ruling", "Rice", "=", "o"), ["out"]),
        (("corner", "race.toml", "--scene", ""), ["corner-1", "corner-2"]),
        (("gate", "race.toml", "--scene", ""), ["gate"]),
        (("gate", "race.toml", "--strategy", "st"), ["steady"]),
        (("gate", "race.toml", "--auto", "r"), ["race.toml"]),
        (("show", ""), ["race.toml"]),
        (("new", "b.toml", "--from", ""), ["race.toml"]),
        (("ga",), ["gate"]),
        (("gate", "race.toml", "--auto-"), ["--auto-for"]),
        (("corner", "race.toml", "--move", "Rice", "=", ""), ["race.toml"]),
        (("gate", "--kiai", "Ri"), []),
        (("gate", "-V", "--kiai", "Ri"), []),
    ],
)
def test_what_bash_is_offered(tab: Tab, words: tuple[str, ...], offered: list[str]) -> None:
    """Each option has its own words, and bash gets the part at the cursor of what it splits at a `=`."""
    assert tab(*words) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_offered_whole_words(tab: Tab, shell: str) -> None:
    """Zsh and fish split at no `=`, so the candidate has all that stands before the cursor."""
    assert tab("corner", "race.toml", "--move", "Rice=f", shell=shell) == ["Rice=forward"]
    assert tab("corner", "race.toml", "--move=Rice=f", shell=shell) == ["--move=Rice=forward"]
    assert tab("corner", "race.toml", "--strategy=s", shell=shell) == ["--strategy=steady"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_several_answers_are_completed_after_a_comma(tab: Tab, shell: str) -> None:
    """The candidate is the whole word, those before the comma too."""
    assert tab("corner", "race.toml", "--move", "Rice=stay,rest=f", shell=shell) == ["Rice=stay,rest=forward"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    "typed", [f"'{HOSTILE}=f", f"'{HOSTILE}=forward,Te", f"'{HOSTILE}", '"`x`,Te', "'a\nplain,$(x)"]
)
def test_what_was_typed_in_quotes_is_not_given_back_without(tab: Tab, shell: str, typed: str) -> None:
    """A word that a shell would act on is not completed, even if its end could be."""
    assert tab("corner", "race.toml", "--move", typed, shell=shell) == []
    assert tab("show", typed, shell=shell) == []


def test_race_files_that_need_quotes_are_left_to_the_shell(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell completes paths its own way where a name is not safe, or a folder could be meant too."""
    assert asked("bash", ["uma", "show", "ra"], monkeypatch) == "plain,race.toml"
    (folder / "races").mkdir()
    assert asked("bash", ["uma", "show", "ra"], monkeypatch) == "file,ra"
    assert asked("bash", ["uma", "show", ""], monkeypatch) == "plain,race.toml"
    (folder / "races" / f"{HOSTILE}.toml").touch()
    assert asked("bash", ["uma", "show", "races/"], monkeypatch) == "file,races/"
    assert asked("bash", ["uma", "show", "'races/$("], monkeypatch) == "file,"
    assert asked("bash", ["uma", "show", "none/at/all"], monkeypatch) == "file,none/at/all"


UNREADABLE = {
    "nothing": b"",
    "binary": bytes(range(256)),
    "half": b'format = 1\n[runner."Rice"]\n[runner."Te',
    "deep": b"a = " + b"[" * 100_000,
    "dotted": b".".join([b"a"] * 20_000) + b" = 1",
    "types": b"runner = 3\nscenes = {a = 1}\ngate = [1]\n[corner-1]\nnpc = 2.5\n",
    "inner types": b'scenes = [1, [2], "$(x)"]\nrunner = [[1]]\n[gate.npc.q]\n',
    "large": b"".join(b"[runner.r%d]\n" % number for number in range(200_000)),
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_a_race_that_cannot_be_read_is_no_error(
    folder: Path, tab: Tab, capfd: pytest.CaptureFixture[str], data: bytes
) -> None:
    """Whatever the file holds, TAB is answered at once, with candidates only, and the file stays as it is."""
    (folder / "race.toml").write_bytes(data)
    begun = time.monotonic()
    assert set(tab("gate", "race.toml", "--auto-for", "")) <= {"q"}
    assert set(tab("gate", "race.toml", "--scene", "")) <= {"gate"}
    assert time.monotonic() - begun < 2
    assert capfd.readouterr() == ("", "")
    assert (folder / "race.toml").read_bytes() == data
    assert os.listdir(folder) == ["race.toml"]


@pytest.mark.parametrize("path", ["-", "none.toml", "pipe", "folder", "~nobody/a", "/dev/zero"])
def test_what_is_no_file_is_not_waited_for(folder: Path, tab: Tab, path: str) -> None:
    """No stdin, pipe or device is read."""
    os.mkfifo("pipe")
    (folder / "folder").mkdir()
    assert tab("gate", path, "--auto-for", "") == []
    assert tab("gate", path, "race.toml", "--auto-for", "") == SAFE


def test_completion_makes_no_noise_when_it_fails(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """An error of uma's own is no candidate either."""

    def broken(*_: object) -> completion.Known:
        raise RecursionError

    monkeypatch.setattr(completion, "known", broken)
    assert asked("bash", ["uma", "gate", "race.toml", "--auto-for", ""], monkeypatch) == ""


def called(folder: Path, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A Python of its own."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **variables}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_a_normal_run_loads_nothing_of_completion(folder: Path) -> None:
    """Only TAB pays for TAB."""
    code = """
import sys
from uma_cli.cli import invoke
invoke(["gate", "race.toml", "--dry-run"]), invoke(["show", "--waiting", "race.toml"])
assert not {"uma_cli.completion", "click.shell_completion"} & set(sys.modules)
"""
    ended = called(folder, code)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_clicks_own_switch_works(folder: Path, shell: str) -> None:
    """`_UMA_COMPLETE` gives the script, and the candidates by uma's own classes."""
    if shell != "bash" or shutil.which("bash"):
        script = called(folder, "from uma_cli.__main__ import main; main()", _UMA_COMPLETE=f"{shell}_source")
        assert script.stdout in [path.read_text("utf-8") for path in SCRIPTS.iterdir()]
    words = "uma corner race.toml --move=Rice=f"
    variables = {"COMP_WORDS": words, "COMP_CWORD": "--move=Rice=f" if shell == "fish" else "3"}
    answer = called(folder, "from uma_cli.__main__ import main; main()", _UMA_COMPLETE=f"{shell}_complete", **variables)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "--move=Rice=forward" in answer.stdout


STARTS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], ". '{scripts}/uma.bash'"),
    "zsh": (["zsh", "-f", "-i"], "fpath=('{scripts}' $fpath); autoload -U compinit; compinit -u -D"),
    "fish": (["fish", "--no-config", "-i"], "source '{scripts}/uma.fish'"),
}
LINE_BACK = "\x15"
PATIENCE = 30.0


class Terminal:
    """A shell at a terminal of its own, with uma and its script."""

    def __init__(self, shell: str, folder: Path) -> None:
        argv, start = STARTS[shell]
        home = folder.parent / f"{folder.name}-home"
        home.mkdir()
        (home / "uma").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m uma_cli "$@"\n')
        (home / "uma").chmod(0o755)
        environment = {
            "PATH": f"{home}:{os.environ['PATH']}",
            "PYTHONPATH": str(PACKAGE.parent),
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home),
            "TERM": "dumb" if shell == "bash" else "xterm",
            "LC_ALL": "C.UTF-8",
            "UMA_LANG": "en",
        }
        self.end, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("4H", 40, 160, 0, 0))
        # The leader of a new session gets the first terminal that it opens.
        opened = ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(other)]
        self.process = subprocess.Popen([*opened, *argv], cwd=folder, env=environment, start_new_session=True)
        self.marks = 0
        self.enter(start.format(scripts=SCRIPTS))
        os.close(other)

    def press(self, line: str, shows: str, *, once: bool = False) -> str:
        """Type a line with TAB after it, and take it back once it shows what is wanted; what the terminal showed.

        Bash lists candidates at the second TAB.
        """
        self._type(f"{line}\t")
        shown = self._until(lambda text: shows in text, PATIENCE if once else 2.0)
        if shows not in shown and not once:
            self._type("\t")
            shown += self._until(lambda text: shows in shown + text, PATIENCE)
        return shown + self.enter(LINE_BACK)

    def enter(self, keys: str) -> str:
        """Type keys and Enter, and wait until the shell has done all of it; what the terminal showed."""
        self.marks += 1
        mark = f"mark{self.marks}."
        self._type(f'{keys}\recho "mark"{self.marks}"."\r')
        shown = self._until(lambda text: mark in text, PATIENCE)
        assert mark in shown, shown
        return shown

    def _type(self, keys: str) -> None:
        os.write(self.end, keys.encode())

    def _until(self, met: Callable[[str], bool], seconds: float) -> str:
        shown = b""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and not met(_readable(shown)):
            if select.select([self.end], [], [], left)[0]:
                shown += os.read(self.end, 65536)
        return _readable(shown)

    def close(self) -> None:
        """End the shell."""
        self.process.kill()
        self.process.wait()
        os.close(self.end)


def _readable(shown: bytes) -> str:
    """What a terminal showed, without bells and movements."""
    return re.sub(r"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b[()].|\x1b[=>]|\x07", "", shown.decode(errors="replace"))


@pytest.fixture(params=["bash", "zsh", "fish"])
def terminal(request: pytest.FixtureRequest, folder: Path) -> Iterator[Terminal]:
    """Each shell that is there; bash has to be."""
    shell: str = request.param
    if shutil.which(shell) is None:
        assert shell != "bash", "bash is wanted for this test"
        pytest.skip(f"{shell} is not installed")
    terminal = Terminal(shell, folder)
    yield terminal
    terminal.close()


def test_tab_completes_harmless_names_and_runs_nothing(terminal: Terminal, folder: Path) -> None:
    """The harmless runner is completed, hostile ones are neither shown nor inserted, and no name is ever run."""
    shown = terminal.press("uma corner race.toml --move Ri", "Rice=")
    shown += terminal.press("uma corner race.toml --move Rice=f", "Rice=forward")
    shown += terminal.press("uma gate race.toml --auto-for ", "St._No-1")
    assert "Rice=forward" in shown
    assert "Teio" in shown
    assert "櫻庭疾風" in shown
    for part in ("touch", "PWNED", "Zigzag", "hacked", "~root", "Sharp", "Ferry", "Quote", "\u3164", "-rf", "a;b"):
        assert part not in shown
    for typed in ("'$(", '"$(t', "\\$\\(", "\\`", "'`", "Mid", "O", "'*"):
        terminal.enter(f"uma gate race.toml --auto-for {typed}\t{LINE_BACK}")
    assert not (folder / "PWNED").exists()


def test_hostile_names_of_files_run_nothing(terminal: Terminal, folder: Path) -> None:
    """A shell completes such a path in its own quotes, or not at all; what TAB leaves on the line is run here."""
    shutil.copy("race.toml", "plain.toml")
    os.rename("race.toml", f"{HOSTILE}.toml")
    Path("`touch PWNED`").mkdir()
    shutil.copy("plain.toml", "`touch PWNED`/a;touch PWNED.toml")
    for typed in ("", "\\$", "'$", "\\`", "'`", "$", "./", "\\`*/"):
        terminal.enter(f"uma show {typed}\t{LINE_BACK}")
    for typed in ("", "\\$", "pl"):
        terminal.enter(f"uma show --waiting {typed}\t")
    terminal.enter(f"uma gate '{HOSTILE}.toml' --auto-for \t{LINE_BACK}")
    found = [path.name for path in folder.rglob("*") if path.name == "PWNED"]
    assert found == []


def test_a_hostile_name_alone_is_not_inserted(terminal: Terminal, folder: Path) -> None:
    """TAB and Enter where she is the only runner run uma without her."""
    (folder / "race.toml").write_text(f'format = 1\n[runner."{HOSTILE}"]\n[runner."{HOSTILE}".skill."{HOSTILE}"]\n')
    terminal.enter("uma gate race.toml --auto-for \t")
    terminal.enter("uma gate race.toml --ruling \t")
    terminal.enter(f"uma gate race.toml --skill '{HOSTILE}'=\t")
    terminal.enter("uma gate race.toml --scene g\t --auto-for \t --dry-run")
    assert sorted(os.listdir(folder)) == ["race.toml"]


@pytest.mark.parametrize("typed", ["Rice=f", "Rice=stay,rest=f"])
def test_every_tab_completes(terminal: Terminal, typed: str) -> None:
    """The first of a session, the second and the third, also where several answers stand in one word."""
    for _ in range(3):
        shown = terminal.press(f"uma corner race.toml --move {typed}", f"{typed}orward", once=True)
        assert f"{typed}orward" in shown
