"""What who reads only the posts is told: what a choice comes to, what was declared, and why dice are thrown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Uma

RUNNERS = """\
[runner.Teio]
kiai = 5
player = "@tom"
[runner.Meek]
kiai = 13
[runner.Rice]
kiai = 4
"""
SPRINT = '[runner.Teio.skill.Sprint]\nwhen = "gate corner finish"\nuses = 9\nkiai = 1\ndice = 1\n'
BIG = '[runner.Teio.skill.Big]\nwhen = "corner"\nkiai = 4\n'
GLARE = '[runner.Meek.skill.Glare]\nwhen = "corner"\nuses = 9\ncancels = true\ntarget-bonus = -1\n'

Post = Callable[..., list[str]]


@pytest.fixture
def post(uma: Uma) -> Post:
    """Call uma for the race, and give the lines of the post after it."""

    def call(*words: str) -> list[str]:
        called = uma(*words, "r.toml")
        assert called.code == 0, called.err
        return uma("show", "--chat", "--last", "--limit", "9000", "r.toml").out.splitlines()

    return call


def begin(head: str, *more: str) -> None:
    """Write a race: what stands before its runners, and after."""
    Path("r.toml").write_text("".join(("format = 1\n", head, RUNNERS, *more)), "utf-8")


def test_a_rise_tells_the_dice_that_it_gives(post: Post) -> None:
    """One who is asked sees it beside each option; of several each has a line, and sees where dice become fewer."""
    begin('ask = "kiai"\n')
    several = post("gate")
    assert "Rice: kiai 4 (3D6); 1 gives 5 (3D6+1), 2 gives 6 (4D6), 3 gives 7 (5D6), 4 gives 8 (5D6+1)," in str(several)
    assert any(line.startswith("Meek: kiai 13 (5D6-2); 1 gives 14 (4D6-1), 2 gives 15 (4D6-2)") for line in several)
    assert "- 2: kiai 5 becomes 7 (5D6)" in post("gate", "--kiai", "Meek=0,Rice=0")


def test_a_rise_is_told_as_a_rise_and_who_declined_on_one_line(post: Post) -> None:
    """From what to what, and no number that could be taken for her kiai."""
    begin('ask = "kiai style"\nthrows = "hand"\n')
    told = post("gate", "--kiai", "Teio=3,rest=0", "--style", "rest=none")
    assert "Teio raises kiai by 3: 5 becomes 8" in told
    assert "no rise: Meek, Rice" in told
    assert "run the gate like the others: Teio, Meek, Rice" in told
    assert not any("kiai: " in line for line in told)


def test_what_waits_for_others_is_told_as_it_will_be(post: Post) -> None:
    """A rise and a refusal that are kept until all have answered are told by the same words."""
    begin('ask = "kiai"\n')
    told = post("gate", "--kiai", "Teio=3,Meek=0")
    assert "Teio raises kiai by 3" in told
    assert "no rise: Meek" in told


def test_a_skill_tells_what_her_dice_become_and_which_is_out_of_reach(post: Post) -> None:
    """Her kiai, its dice, and why another skill of hers cannot be used now."""
    begin("", SPRINT, BIG)
    assert "- Sprint: kiai 5 becomes 6, dice +1 (5D6)" in post("gate")
    post("gate", "--auto", "--skill", "Teio=pass", "--check", "Teio=6+6+6,Meek=1+1+1+1+1,Rice=1+1+1")
    assert "not now: Big (it costs 4 kiai, and 3 is left of the cap)" in post("corner", "--obstacle", "4")


def test_options_that_mean_something_else_to_each_are_told_of_each(post: Post) -> None:
    """Two who hold the same skill see what it makes of their own kiai, and who cannot use another."""
    stays = '[runner.Teio.skill.Stay]\nwhen = "gate"\nposition = "end-closer"\n'
    begin("", SPRINT, SPRINT.replace("Teio", "Rice"), stays)
    asked = post("gate")
    assert "Teio: not now: Stay (it needs the position end-closer)" in asked
    assert "Teio: Sprint: kiai 5 becomes 6, dice +1 (5D6)" in asked
    assert "Rice: Sprint: kiai 4 becomes 5, dice +1 (4D6+1)" in asked


def test_a_cancelled_skill_is_told_to_be_paid(post: Post) -> None:
    """It has no effect, and costs its kiai."""
    begin("", SPRINT, GLARE)
    post("gate", "--auto")
    told = post("corner", "--obstacle", "4", "--skill", "Teio=Sprint", "--skill", "Meek=Glare @ Teio")
    assert "Meek's Glare cancels Teio's Sprint" in told
    assert "Teio's Sprint has no effect; its kiai +1 is paid all the same" in told
    assert "Meek's Glare: -1 on each of Teio's checks in this scene" in told


def test_a_place_is_told_between_those_who_choose_none(post: Post) -> None:
    """A runaway stays ahead of `front` and an end-closer behind `back`; the order so far is there once."""
    begin('throws = "hand"\n', "[runner.Ace]\n[runner.Bell]\n")
    dice = "Teio=6+6+6,Meek=3+3+3+3+3,Rice=1+1+1,Ace=1,Bell=2"
    asked = post("gate", "--style", "Ace=runaway,Bell=end-closer", "--check", dice)
    assert asked.count("so far, front to back: (Ace) > Rice > (Bell); in brackets who chooses no place") == 1
    assert "- front / ahead Rice: first of those who choose, between Ace and Rice" in asked
    assert "- back / behind Rice: last of those who choose, between Rice and Bell" in asked
    base = "Rice has the lowest score of those who choose and is the base runner"
    assert f"{base}; the others choose from the lowest up: Meek, Teio" in asked
    assert asked[-2] == "answer with what stands before the colon, such as: behind Rice"


def test_dice_that_are_thrown_again_are_told_why(post: Post) -> None:
    """Who is tied, at what score; and how dice are posted."""
    begin('throws = "hand"\n')
    asked = post("gate", "--check", "Teio=3+3+3,Meek=3+3+3+2+1,Rice=1+1+1")
    assert "Teio gate check 3D6+1 (kiai 5): 3 3 3 +1 = 10 (hand)" in asked
    assert "tied at 10: Teio, Meek" in asked
    assert asked[-2] == "throw 3D6 and post the faces, such as 3+3+3"


def test_the_dice_of_a_pace_rise_are_told_with_their_rule(post: Post) -> None:
    """Once, before the first of them."""
    begin('throws = "hand"\n')
    post("gate", "--style", "Rice=runaway", "--check", "Teio=6+6+6,Meek=3+3+3+3+3,Rice=1+1+1", "--place", "Teio=back")
    told = post("gate", "--rise-die", "Teio=4")
    assert told.count("pace rise dice of everybody: 1-4 is kiai +1, 5-6 is kiai +2") == 1


def corner(post: Post, *obstacle: str) -> list[str]:
    """The second corner after a gate that leaves Teio, Meek and Rice in this order."""
    begin('throws = "hand"\n', SPRINT.replace('"gate corner finish"', '"finish"'))
    places = ("--place", "Meek=front", "--place", "Teio=front", "--pace", "slow")
    post("gate", "--check", "Teio=6+6+6,Meek=3+3+3+3+3,Rice=1+1+1", *places)
    return post("corner", *obstacle)


def test_an_obstacle_is_told_with_its_stake(post: Post) -> None:
    """What the leader's die means, whom the obstacle meets, and what resists it, before anybody rolls."""
    told = corner(post, "--obstacle", "Teio=2", "--obstacle-kind", "Teio=2")
    assert "1-3: an obstacle" in told
    assert "churned turf: meets everybody; 8 or more gets past it, else -2 on each check of this scene" in told
    assert "headwind: meets Teio, Meek; cannot be resisted, -1 on the finish score" in corner(
        post, "--obstacle", "Teio=1", "--obstacle-kind", "Teio=3"
    )
    assert "near miss: meets nobody" in corner(post, "--obstacle", "Teio=1", "--obstacle-kind", "Teio=6")
    assert "4-6: no obstacle" in corner(post, "--obstacle", "Teio=4")


def test_a_contest_is_told_by_what_is_declared_and_what_it_costs(post: Post) -> None:
    """Who stays for certain, who may, a move once, and what the loser has paid for."""
    corner(post, "--obstacle", "Teio=4")
    asked = post("corner", "--move", "Teio=stay")
    assert "- forward: to front-runner, kiai 13 becomes 14 (4D6-1); a contest with Teio, who stays" in asked
    told = post("corner", "--move", "Meek=forward,Rice=stay", "--contest-front", "Teio=6+6+6,Meek=1+1+1+1")
    assert "no move: Teio, Rice" in told
    assert [line for line in told if line.startswith("Meek move")] == ["Meek moves to front-runner, kiai +1"]
    assert "Meek loses and goes to pace-chaser; the kiai stays spent" in told


def test_a_ruling_that_is_kept_tells_what_it_will_do(post: Post) -> None:
    """Not only that there is one."""
    corner(post, "--obstacle", "Teio=4")
    ruled = post("corner", "--ruling", "Rice=kiai -1, bonus +1", "--why", "spooked")
    assert "ruling on Rice, kept for its moment in the scene: kiai -1, bonus +1 (spooked)" in ruled


def test_the_first_post_tells_who_runs_for_whom_and_where(post: Post, uma: Uma) -> None:
    """Before the gate; a race without a title is called by its file's name."""
    begin('course = "Nakayama"\n')
    lines = uma("show", "--chat", "--last", "r.toml").out.splitlines()[1:-1]
    assert lines == ["r", "Nakayama", "", "next: gate", "1. Teio (@tom)", "2. Meek", "3. Rice"]


def test_each_post_says_of_which_race_and_scene_it_is(post: Post, uma: Uma) -> None:
    """From the second on, with its number; and none is longer for it than a post may be."""
    corner(post, "--obstacle", "Teio=4")
    told = uma("show", "--chat", "--log", "--limit", "350", "r.toml").out
    first, *others = [text.splitlines()[1:] for text in told.split("---\n")[1:]]
    count = len(others) + 1
    assert first[0] != f"r (1/{count})"
    assert others[0][0] == f"r: gate (2/{count})"
    assert others[-1][0] == f"r: second corner ({count}/{count})"
    assert max(len("\n".join(post_)) for post_ in others) <= 350


def test_the_whole_story_tells_the_comments_of_the_file(uma: Uma, four: Path) -> None:
    """Each with its line, and no `#` of a name or a note; posts leave them to the game master."""
    four.write_text(four.read_text("utf-8").replace('player = "@alice"', 'player = "#1" # hers'), "utf-8")
    told = uma("show", "--log", "four.toml").out
    assert told.endswith("comments of the file:\n  1: the source's own four\n  6: number 1\n  8: hers\n")
    assert "hers" not in uma("show", "--log", "--chat", "four.toml").out
