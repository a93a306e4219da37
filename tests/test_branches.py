"""What git makes of two branches of a race: by itself, by the driver of the manual, and with other line ends."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
import tomli_w
from hypothesis import given

from tests.conftest import Uma
from tests.fields import Cast, Drive, Toml, races, read, stand_of
from tests.test_properties import CASTS, LUCK
from tests.trees import CORNER, FACES, GATE, Edit, Said, Tree, answer, driver, edit, with_driver
from uma_cli.errors import UmaError
from uma_cli.race import kind_of
from uma_cli.run import Call, advance
from uma_cli.run import stand_of as located


@pytest.fixture
def tree(tmp_path: Path, uma: Uma) -> Tree:
    """A race in git."""
    return Tree(tmp_path, uma)


def settled(text: str) -> str:
    """A conflict settled as the manual says: both sides' answers, and no blank beside them."""
    lines = [line for line in text.splitlines() if not re.match("[<=>]{7}", line)]
    answered = {line.partition(" = ")[0] for line in lines if not line.endswith('= ""')}
    return (
        "\n".join(line for line in lines if line.partition(" = ")[0] not in answered or not line.endswith('""')) + "\n"
    )


PAIRS = [("特別周", "神鷹"), ("特別周", "春麗"), ("無聲鈴鹿", "春麗"), ("特別周", "無聲鈴鹿"), ("神鷹", "春麗")]


@pytest.mark.parametrize("driver", [False, True])
@pytest.mark.parametrize("pair", [*PAIRS, *((two, one) for one, two in PAIRS)])
def test_different_runners_answers_merge_and_the_race_goes_on(tree: Tree, pair: tuple[str, str], driver: bool) -> None:
    """In both orders; neighbours' only by the driver of the manual, or by hand."""
    if driver:
        with_driver(tree)
    one, other = pair
    neighbours = abs(list(FACES).index(one) - list(FACES).index(other)) == 1
    tree.play("gate")
    tree.commit()
    tree.branch("other", answer(other))
    tree.branch("one", answer(one))
    tree.git("merge", "other", fails=neighbours and not driver)
    if neighbours and not driver:
        tree.refused(3, "git conflict")
        tree.commit(settled(tree.text))
    assert tree.text.count(", hand") == 2
    tree.play(*GATE)
    assert tree.text.count("gate.standing") == 1


BESIDES = {
    "a title": ('"源"', '"源の杯"'),
    "a comment": ("# number 1", "# number 1, and she knows it"),
    "a player": ("@alice", "@ben"),
    "a key of one's own": ('x-sponsor = "tea"', 'x-sponsor = "milk"'),
    "words about the race": ("throws", 'note = "in the rain"\nthrows'),
}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("besides", BESIDES)
def test_what_no_answer_rests_on_merges_with_play(tree: Tree, besides: str, swapped: bool) -> None:
    """Somebody plays on, somebody else writes, and both stand in the file."""
    old, new = BESIDES[besides]
    sides: list[Said | Edit] = [GATE, edit(old, new)]
    tree.branch("other", sides[swapped])
    tree.branch("one", sides[not swapped])
    tree.git("merge", "-q", "other")
    merged = tree.text
    assert new in merged
    assert "gate.standing" in merged
    tree.play(*CORNER)
    assert tree.text.startswith(merged)


def test_one_scene_of_a_seeded_race_played_on_both_branches_is_one_scene(tree: Tree) -> None:
    """The same dice make the same lines, and git has nothing to merge."""
    tree.change('throws = "hand"', 'seed = "spring"')
    tree.commit()
    tree.branch("other", ("gate", "--auto"), ("corner", "--auto"))
    tree.branch("one", ("gate", "--auto"), ("corner", "--auto"), edit("源", "杯"))
    tree.git("merge", "-q", "other")
    assert tree.text.count("[corner-2.standing]") == 1
    tree.play("corner", "--auto")


@pytest.mark.parametrize("driver", [False, True])
def test_an_answer_does_not_slide_under_the_next_question(tree: Tree, driver: bool) -> None:
    """Git alone takes a runner's later blank for the earlier one that both have answered; the driver does not."""
    if driver:
        with_driver(tree)
    tree.play("gate", "--check", "特別周=3+3+3,無聲鈴鹿=3+3+3,神鷹=4+4+4,春麗=2+2+2")
    tree.commit()
    tree.branch("other", ("gate", "--check-tie", "特別周=2+2+2,無聲鈴鹿=2+2+2"))
    tree.branch("one", ("gate", "--check-tie", "無聲鈴鹿=5+5+5"))
    tree.git("merge", "-q", "other", fails=driver)
    if driver:
        tree.refused(3, "git conflict")
    else:
        assert '"無聲鈴鹿" = "5 5 5, hand"' in tree.text.partition("[gate.check-tie-2]")[2]


@pytest.mark.parametrize(
    ("attributes", "settings", "ends"),
    [
        ("", (("core.autocrlf", "true"),), "\r\n"),
        ("", (("core.autocrlf", "input"),), "\n"),
        ("*.toml text eol=crlf\n", (), "\r\n"),
        ("*.toml text eol=lf\n", (("core.autocrlf", "true"),), "\n"),
        ("*.toml text=auto\n", (("core.eol", "crlf"), ("core.safecrlf", "false")), "\r\n"),
    ],
)
def test_line_ends_that_git_changes_stay_as_it_left_them(
    tree: Tree, attributes: str, settings: tuple[tuple[str, str], ...], ends: str
) -> None:
    """The race is the same race, a step keeps the ends that are there, and its diff has its own lines only."""
    tree.play("gate")
    tree.commit()
    (tree.folder / ".gitattributes").write_text(attributes)
    for setting in settings:
        tree.git("config", *setting)
    tree.commit()
    tree.path.unlink()
    tree.git("checkout", "--", "race.toml")
    for kind, *answers in (answer("特別周"), GATE, CORNER):
        tree.play(kind, *answers)
        raw = tree.path.read_bytes()
        assert raw.count(b"\n") == raw.count(ends.encode()) > 20
        added, removed, _ = tree.git("diff", "--numstat", "--", "race.toml").split()
        grown = raw.count(b"\n") - tree.git("show", "HEAD:race.toml").count("\n")
        assert int(removed) <= 4
        assert int(added) == grown + int(removed)
    tree.commit()
    assert tree.git("show", "HEAD:race.toml").count("gate.standing") == 1
    assert tree.git("status", "--porcelain") == ""


def test_ends_that_a_merge_mixed_are_no_fault(tree: Tree) -> None:
    """Of a file with both kinds each line stays as it is, and new ones end like the first."""
    tree.play(*GATE)
    tree.commit()
    tree.branch("other", CORNER, lambda tree: tree.rewrite(tree.text.replace("\n", "\r\n")))
    tree.branch("one", edit("four", "4"))
    tree.git("merge", "-q", "-Xignore-cr-at-eol", "other")
    before = tree.path.read_bytes()
    assert 0 < before.count(b"\r\n") < before.count(b"\n")
    tree.play("corner", "--obstacle", "4")
    assert tree.path.read_bytes().startswith(before)


def facts(text: str) -> dict[str, object]:
    """All that a race file says, by key path, without the blanks that wait."""

    def walk(table: Toml, path: str) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in table.items():
            found |= walk(value, f"{path}{key}\0") if isinstance(value, dict) else {f"{path}{key}": value}
        return found

    return {path: value for path, value in walk(tomllib.loads(text), "").items() if value != ""}


class Branches(NamedTuple):
    """A race, and what became of it on two branches."""

    base: str
    ours: str
    theirs: str

    def merged(self, folder: Path, script: str | None) -> tuple[str, bool]:
        """What git makes of it, by itself or by a driver, and whether it reports a conflict."""
        for name, text in zip(("base", "ours", "theirs"), self, strict=True):
            (folder / name).write_bytes(text.encode())
        arguments = ["sh", script] if script else ["git", "merge-file"]
        done = subprocess.run([*arguments, "ours", "base", "theirs"], cwd=folder, capture_output=True, check=False)
        return (folder / "ours").read_bytes().decode(), done.returncode != 0

    def expected(self) -> dict[str, object] | None:
        """Every fact as the branch has it that changed it; None if both changed one, each in her way."""
        base, ours, theirs = map(facts, self)
        merged = {}
        for path in {**base, **ours, **theirs}:
            old, one, other = base.get(path), ours.get(path), theirs.get(path)
            if one not in (old, other) and other not in (old, one):
                return None
            merged[path] = other if one == old else one
        return {path: value for path, value in merged.items() if value is not None}


def some_answers(text: str, cast: Cast, luck: Random) -> str:
    """A few of those who can answer do."""
    stand = stand_of(text)
    asks = [*stand.waiting, *(stand.open.ahead if stand.open else ())]
    said = tuple(cast.says(ask) for ask in luck.sample(asks, min(len(asks), luck.randint(1, 3))))
    call = Call(kind_of(stand.scene), stand.scene, answers=said, auto=luck.random() < 0.2)
    return advance(read(text), call).text


def by_hand(text: str, _cast: Cast, luck: Random) -> str:
    """Somebody edits the file: its head, a die, a choice, a comment, or the table that closed the last scene."""
    dice = [match.span(1) for match in re.finditer(r'^[^\n=]+ = "[0-9 ]*([1-6])(?:, hand)?"$', text, re.MULTILINE)]
    ends = [match.start() for match in re.finditer(r"^\[[a-z0-9-]+\.(standing|result)\]$", text, re.MULTILINE)]
    start, end = luck.choice(dice or [(0, 0)])
    return luck.choice(
        (
            text.replace("[runner", f"[runner.N{luck.randint(1, 2)}]\n\n[runner", 1),
            re.sub(r"^kiai = .*$", f"kiai = {luck.randint(1, 9)}", text, count=1, flags=re.MULTILINE),
            text[:start] + (str(luck.randint(1, 6)) if dice else "") + text[end:],
            text.replace("stay", luck.choice(("back", "forward")), 1),
            text.replace("]\n", f"]  # {luck.randint(1, 9)}\n", 1),
            text[: ends[-1]] if ends else text,
        )
    )


def refusal(text: str) -> UmaError | None:
    """Why a file is refused."""
    try:
        located(read(text))
    except UmaError as error:
        return error
    return None


@given(races(most=5), CASTS, LUCK)
def test_what_git_leaves_is_right_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, race: Toml, cast: Cast, luck: Random
) -> None:
    """Of any two branches: a conflict, a refusal with line and hint, or each fact as its branch has it."""
    folder = tmp_path_factory.mktemp("merge")
    script = folder / "merge.sh"
    script.write_text(driver()[0], "utf-8")
    race["throws"] = "hand"
    texts = [text for text, _ in Drive(tomli_w.dumps(race), cast)]
    for _ in range(3):
        base = luck.choice(texts)
        branches = []
        for who in (1, 2):
            text = base
            for step in luck.choices((some_answers, by_hand), (4, 1), k=luck.randint(1, 3)):
                try:
                    text = step(text, Cast(cast.seed + who), luck)
                except UmaError:
                    break
            branches.append(text)
        both = Branches(base, *branches)
        for way in (None, str(script)):
            text, conflict = both.merged(folder, way)
            error = refusal(text)
            assert conflict == (error is not None and "git conflict" in error.what.text)
            if error:
                assert error.code in (3, 4)
                assert error.line
                assert error.hint or "want " in str(error.what)
            elif way or both.expected():
                assert facts(text) == both.expected()
