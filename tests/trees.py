"""A race in a git repository, and what two people do to it on two branches."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.conftest import FOUR, Uma

PAGE = (Path(__file__).parent.parent / "man" / "uma-race.5").read_text("utf-8")
FACES = {"特別周": "3+3+3", "無聲鈴鹿": "5+5+5", "神鷹": "4+4+4", "春麗": "2+2+2"}
CHECKS = ("gate", "--check", ",".join(f"{name}={faces}" for name, faces in FACES.items()))
GATE = (
    *CHECKS,
    *("--place", "特別周=ahead 春麗,神鷹=behind 特別周,無聲鈴鹿=ahead 特別周"),
    *("--pace", "slow"),
)
CORNER = ("corner", "--scene", "corner-2", "--obstacle", "5", "--move", "rest=stay", "--pace", "fast")
AGAIN = ("corner", "--scene", "corner-2", "--obstacle", "6", "--move", "特別周=back,rest=stay", "--pace", "slow")
Said = tuple[str, ...]
Edit = Callable[["Tree"], None]


def answer(name: str) -> Said:
    """One runner throws her dice."""
    return ("gate", "--check", f"{name}={FACES[name]}")


def edit(old: str, new: str) -> Edit:
    """An edit by hand."""
    return lambda tree: tree.change(old, new)


class Tree:
    """A git repository that holds the source's four, before the gate."""

    def __init__(self, folder: Path, uma: Uma) -> None:
        self.folder = folder
        self.path = folder / "race.toml"
        self.uma = uma
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Rice")
        self.git("config", "user.email", "rice@example.invalid")
        self.commit(FOUR)

    def git(self, *arguments: str, fails: bool | None = False) -> str:
        """Call git; it has to succeed, or to fail, or either."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true"},
            capture_output=True,
            check=False,
            encoding="utf-8",
        )
        assert fails is None or fails == (done.returncode != 0), done.stdout + done.stderr
        return done.stdout

    def play(self, kind: str, *answers: str) -> None:
        """A step that has to be done."""
        called = self.uma(kind, "race.toml", "--quiet", *answers)
        assert called.code == 0, called.err

    @property
    def text(self) -> str:
        """The race file."""
        return self.path.read_bytes().decode()

    def rewrite(self, text: str) -> None:
        """The whole file anew."""
        self.path.write_bytes(text.encode())

    def change(self, old: str, new: str) -> None:
        """An edit by hand."""
        assert old in self.text
        self.rewrite(self.text.replace(old, new, 1))

    def commit(self, text: str | None = None) -> None:
        """Keep what there is, or a text in its place."""
        if text is not None:
            self.rewrite(text)
        self.git("add", "--all")
        self.git("commit", "-q", "-m", "a step")

    def branch(self, name: str, *steps: Said | Edit) -> None:
        """A branch from where main is, on which somebody took these steps."""
        self.git("checkout", "-q", "-B", name, "main")
        self.do(*steps)
        self.commit()

    def do(self, *steps: Said | Edit) -> None:
        """Steps that have to be done, and edits by hand."""
        for step in steps:
            if callable(step):
                step(self)
            else:
                self.play(*step)

    def refused(self, code: int, *wanted: str) -> int:
        """Every command refuses the race with one line of it and a hint, and writes nothing; which line."""
        before = self.path.read_bytes()
        shown = re.search(r"^uma: race\.toml:([0-9]+): ", self.uma("show", "race.toml").err, re.MULTILINE)
        assert shown
        for arguments in (
            *(("show", "race.toml", *more) for more in ((), ("--json",), ("--log",), ("--waiting",))),
            *((kind, "race.toml", *more) for kind in ("gate", "corner", "finish") for more in ((), ("--dry-run",))),
            *(("new", "new.toml", option, "race.toml") for option in ("--from", "--rules") if code == 3),
        ):
            called = self.uma(*arguments)
            told = called.out if "--json" in arguments else called.err
            assert called.code == code, arguments
            assert (f'"line": {shown[1]}, "hint"' if "--json" in arguments else shown[0]) in told
            assert '"hint": "' in told or "\nhint: " in told
            assert all(word in told for word in wanted), told
        assert self.path.read_bytes() == before
        assert not (self.folder / "new.toml").exists()
        return int(shown[1])


def driver() -> list[str]:
    """The merge driver of the manual, and how git is told of it."""
    displays = re.findall(r"^\.Bd -literal -offset indent\n((?:.*\n)*?)\.Ed$", PAGE, re.MULTILINE)
    return [text.replace("\\-", "-").replace("\\e", "\\") for text in displays if "merge" in text]


def with_driver(tree: Tree) -> None:
    """The merge driver of the manual, set up as it says."""
    script, setting = driver()
    (tree.folder / "merge-races.sh").write_text(script, "utf-8")
    done = subprocess.run(["sh", "-e", "-c", setting], cwd=tree.folder, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    tree.commit()
