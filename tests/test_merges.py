"""What two have played is right after a merge, or is refused with the place and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import FOUR, Uma
from tests.trees import AGAIN, CHECKS, CORNER, GATE, Edit, Said, Tree, answer, edit


@pytest.fixture
def tree(tmp_path: Path, uma: Uma) -> Tree:
    """A race in git."""
    return Tree(tmp_path, uma)


def stashed(tree: Tree) -> None:
    """The other's play is on main, and one's own comes back from the stash."""
    tree.git("checkout", "-q", "-B", "mine", "one^")
    tree.git("checkout", "-q", "one", "--", "race.toml")
    tree.git("stash")
    tree.git("merge", "-q", "other")
    tree.git("stash", "pop", fails=True)


CONFLICTS: dict[str, Callable[[Tree], object]] = {
    "merge": lambda tree: tree.git("merge", "other", fails=True),
    "diff3": lambda tree: tree.git("-c", "merge.conflictStyle=diff3", "merge", "other", fails=True),
    "zdiff3": lambda tree: tree.git("-c", "merge.conflictStyle=zdiff3", "merge", "other", fails=True),
    "squash": lambda tree: tree.git("merge", "--squash", "other", fails=True),
    "rebase": lambda tree: tree.git("rebase", "other", fails=True),
    "cherry-pick": lambda tree: tree.git("cherry-pick", "other", fails=True),
    "stash pop": stashed,
    "long markers": lambda tree: (
        (tree.folder / ".gitattributes").write_text("*.toml conflict-marker-size=32\n"),
        tree.git("merge", "other", fails=True),
    ),
}


@pytest.mark.parametrize("ends", ["", "core.autocrlf"])
@pytest.mark.parametrize("way", CONFLICTS)
def test_one_scene_played_twice_is_named_as_a_conflict_until_it_is_settled(tree: Tree, way: str, ends: str) -> None:
    """File, line of the first marker and the cure (3), whatever git did; then either side plays on."""
    if ends:
        tree.git("config", ends, "true")
    tree.play(*GATE)
    tree.commit()
    tree.branch("other", AGAIN)
    tree.branch("one", CORNER)
    CONFLICTS[way](tree)
    lines = tree.text.splitlines()
    marker = next(number for number, line in enumerate(lines, 1) if line.startswith("<<<<<<<"))
    assert tree.refused(3, "git conflict", "resolves nothing") == marker
    for side in ("--ours", "--theirs"):
        tree.git("checkout", side, "--", "race.toml")
        assert "corner-3" in tree.uma("show", "race.toml").out


UNIONS: dict[str, tuple[Said | None, tuple[Said, ...], tuple[Said, ...], str]] = {
    "two answers of one runner": (
        ("gate",),
        (answer("神鷹"),),
        (("gate", "--check", "神鷹=1+1+1"),),
        "gate.check.神鷹",
    ),
    "an answer beside a blank": (("gate",), (answer("特別周"),), (answer("無聲鈴鹿"),), "gate.check.特別周"),
    "two standings": (
        GATE[:-2],
        (("gate", "--pace", "slow"),),
        (("gate", "--pace", "fast"),),
        "gate.standing.無聲鈴鹿",
    ),
    "two whole scenes": (GATE, (CORNER,), (AGAIN,), "corner-2.move.無聲鈴鹿"),
    "a scene begun and a scene closed": (GATE, (("corner", "--obstacle", "4"),), (CORNER,), "corner-2."),
    "two scenes of which one went further": (
        GATE,
        (CORNER, ("corner", "--obstacle", "4")),
        (AGAIN,),
        "corner-2.move.無聲鈴鹿",
    ),
}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("kind", UNIONS)
def test_what_a_union_merge_doubles_is_refused(tree: Tree, kind: str, swapped: bool) -> None:
    """The key or table that stands twice is named, with both lines and what to keep (3)."""
    start, one, other, path = UNIONS[kind]
    (tree.folder / ".gitattributes").write_text("*.toml merge=union\n")
    if start:
        tree.play(*start)
    tree.commit()
    tree.branch("one", *(other if swapped else one))
    tree.branch("other", *(one if swapped else other))
    tree.git("merge", "-q", "one")
    tree.refused(3, f"{path}", "twice", "keep one of the two")


def test_two_standings_are_refused_by_their_table(tree: Tree) -> None:
    """Also where nothing before them differs."""
    tree.play(*GATE)
    text = tree.text
    standing = text[text.index("\n[gate.standing]") :]
    tree.commit(text + standing)
    tree.refused(3, "gate.standing", "twice")


def test_a_marker_that_is_left_over_is_named(tree: Tree) -> None:
    """Somebody took out only some of the three."""
    for left, wanted in (("=======", "left over from a git conflict"), (">>>>>>> other", "git conflict marker")):
        tree.commit(FOUR.replace("\n[runner", f"\n{left}\n[runner", 1))
        assert tree.refused(3, wanted) == 6


NEWCOMER = '[runner."高尚駿逸"]\nkiai = 4\n\n[runner."春麗"]'
GO_ON = "put back what was changed before it, or delete from [{}] on and play on"
OPENED = (GATE, ("corner", "--obstacle", "4"))
PLAYED = ("corner", "--scene", "corner-2", "--move", "rest=stay", "--pace", "fast")
SILENT: dict[str, tuple[tuple[Said | Edit, ...], tuple[Said | Edit, ...], Said, str, str]] = {
    "an early die": (
        (GATE,),
        (edit('"4 4 4, hand"', '"4 4 1, hand"'),),
        CORNER,
        "gate.standing: the scene is closed, but gate.check-tie.特別周 has no answer",
        GO_ON.format("gate.standing"),
    ),
    "an early choice": (
        (GATE,),
        (edit('"ahead 春麗"', '"behind 春麗"'),),
        CORNER,
        "gate.standing: the scene is closed, but gate.pace.春麗 has no answer",
        GO_ON.format("gate.standing"),
    ),
    "a name in a choice": (
        (GATE,),
        (edit('"behind 特別周"', '"behind 無聲鈴鹿"'),),
        CORNER,
        "gate.place.神鷹: `behind 無聲鈴鹿` does not stand",
        "put it right in the file, or blank it",
    ),
    "kiai in the head": (
        (CHECKS,),
        (edit("kiai = 4\nplayer", "kiai = 3\nplayer"),),
        GATE,
        "gate.check.特別周: `3 3 3, hand` does not stand: want 2D6",
        "put it right in the file",
    ),
    "a table of one's own": (
        (GATE,),
        (edit("[runner", "[table.pace.fast]\nlate-surger = 3\n\n[runner"),),
        CORNER,
        "corner-2.standing.神鷹: ",
        GO_ON.format("corner-2.standing"),
    ),
    "a runner more": (
        (CHECKS,),
        (edit('[runner."春麗"]', NEWCOMER),),
        GATE,
        "gate.standing: the scene is closed, but gate.check.高尚駿逸 has no answer",
        GO_ON.format("gate.standing"),
    ),
    "a runner less": (
        (GATE,),
        (edit('[runner."春麗"]\nkiai = 4\n', ""),),
        CORNER,
        "gate.check.春麗: nobody asked for the dice `2 2 2, hand`",
        "delete that line, or put back the answer",
    ),
    "a scene played anew": (
        OPENED,
        (edit('"slow"', '"fast"'), edit('"front-runner, kiai 4"', '"front-runner, kiai 6"')),
        PLAYED,
        "gate.standing.特別周: ",
        GO_ON.format("gate.standing"),
    ),
    "a scene reopened": (
        OPENED,
        (edit('[gate.standing]\n"無聲鈴鹿" = "front-runner, kiai 4"\n', "[gate.x-standing]\n"),),
        PLAYED,
        "corner-2.standing: corner-2 is closed, but the scene before it is not",
        "close the scene before it, or delete this table",
    ),
    "a seed": (
        (edit('throws = "hand"', 'throws = "tool"'), ("gate", "--auto")),
        (edit('throws = "tool"', 'seed = "s"'),),
        ("corner", "--auto", "--obstacle", "4"),
        "does not stand: the seed throws",
        "mark dice thrown by hand",
    ),
}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("change", SILENT)
def test_what_git_merges_without_a_word_and_does_not_follow_is_refused(tree: Tree, change: str, swapped: bool) -> None:
    """One changed what the other's play rests on: the first place that does not follow is named, and the cure (4)."""
    start, steps, played, place, cure = SILENT[change]
    tree.do(*start)
    tree.commit()
    tree.branch("one", *(played,) if swapped else steps)
    tree.branch("other", *steps if swapped else (played,))
    tree.git("merge", "-q", "one")
    tree.refused(4, place, cure)


def test_a_runner_who_came_while_others_threw_is_asked(tree: Tree) -> None:
    """What a merge adds to an open question is asked like all else."""
    tree.play("gate")
    tree.commit()
    tree.branch("other", edit('[runner."春麗"]', NEWCOMER))
    tree.branch("one", CHECKS)
    tree.git("merge", "-q", "other")
    assert "--check 高尚駿逸=roll" in tree.uma("show", "race.toml").out
    tree.play("gate", "--check", "高尚駿逸=1+1+1")
