"""A race over days: calls that wait, answers in any order, minds that change, and what the file shows."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import pytest

from tests.conftest import Uma

AWAY = ("--check", "特別周=3+3+3,無聲鈴鹿=5+5+5,神鷹=4+4+4,春麗=2+2+2")
PLACES = ("--place", "特別周=ahead 春麗,神鷹=behind 特別周,無聲鈴鹿=ahead 特別周")
AT_CORNER = (*AWAY, *PLACES, "--pace", "slow")


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that a step took away, and those that it added."""
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    return [line[2:] for line in lines if line[0] == "-"], [line[2:] for line in lines if line[0] == "+"]


def test_the_example_of_the_source_plays_in_one_call(uma: Uma, four: Path) -> None:
    """Called with all answers, a scene is played in one go (A1-A7)."""
    assert uma("gate", "four.toml", *AT_CORNER).code == 0
    text = four.read_text("utf-8")
    assert text.endswith(
        "[gate.standing]\n"
        '"無聲鈴鹿" = "front-runner, kiai 4"\n'
        '"特別周" = "pace-chaser, kiai 4"\n'
        '"神鷹" = "late-surger, kiai 5"\n'
        '"春麗" = "late-surger, kiai 5"\n'
    )


CALLS = (
    ("gate",),
    ("gate", "--check", "2=5+5+5"),
    ("gate", "--check", "神=４＋４＋４", "--check", "特別周=3 3 3"),
    ("gate", "--check", "4=2,2,2"),
    ("gate", "--place", "無=特別周前面"),
    ("gate", "--place", "特別周=ahead 春麗"),
    ("gate", "--place", "神鷹=behind 特別周"),
    ("gate", "--pace", "無聲鈴鹿=慢"),
    ("corner", "--obstacle", "5"),
    ("corner", "--move", "春麗=維持", "--move", "特別周=前"),
    ("corner", "--move", "無聲鈴鹿=stay"),
    ("corner", "--move", "特別周=stay"),
    ("corner", "--move", "rest=stay"),
    ("corner", "--pace", "スロー"),
)


def test_a_race_over_many_calls_only_adds_lines_and_fills_blanks(uma: Uma, four: Path) -> None:
    """Whatever a step takes out of the file is a blank that was filled, or an answer that was changed by its giver."""
    for kind, *answers in CALLS:
        before = four.read_text("utf-8")
        called = uma(kind, "four.toml", *answers)
        assert called.code == 0, called.err
        gone, come = changed_lines(before, four.read_text("utf-8"))
        assert come
        assert all(line.endswith('= ""') for line in gone) or gone == ['"特別周" = "forward"']
    assert json.loads(uma("show", "--json", "four.toml").out)["scene"] == "corner-3"


def test_a_call_that_is_repeated_plays_nothing_twice(uma: Uma, four: Path) -> None:
    """Arrow-up and Enter after each step either changes nothing or is refused."""
    for kind, *answers in CALLS:
        scene = "gate" if kind == "gate" else "corner-2"
        uma(kind, "--scene", scene, "four.toml", *answers)
        before = four.read_bytes()
        again = uma(kind, "--scene", scene, "four.toml", *answers)
        assert four.read_bytes() == before
        assert again.code in (0, 4)


def test_every_proposed_command_runs(uma: Uma, four: Path) -> None:
    """Each command that the JSON proposes is taken as it stands."""
    uma("gate", "four.toml", *AWAY)
    while True:
        state = json.loads(uma("show", "--json", "four.toml").out)
        if state["scene"] != "gate":
            break
        for option in state["waiting"][0]["options"]:
            program, kind, *rest = option["argv"]
            assert program == "uma"
            assert uma(kind, *rest, "--dry-run").code == 0, option
        program, kind, *rest = state["waiting"][0]["options"][0]["argv"]
        assert uma(kind, *rest).code == 0


def test_who_may_answer_ahead_is_named_and_her_answer_is_kept(uma: Uma, four: Path) -> None:
    """An answer ahead of her turn stands in the file, and is used when she is asked."""
    waiting = uma("gate", "four.toml", *AWAY)
    assert "may already answer (place): 神鷹, 無聲鈴鹿" in waiting.out
    uma("gate", "four.toml", "--place", "無聲鈴鹿=front")
    assert '"無聲鈴鹿" = "front"' in four.read_text("utf-8")
    uma("gate", "four.toml", "--place", "特別周=front", "--place", "神鷹=back")
    assert json.loads(uma("show", "--json", "four.toml").out)["waiting"][0]["question"] == "pace"


def test_an_answer_ahead_that_cannot_be_is_refused_at_once(uma: Uma, four: Path) -> None:
    """Nobody can place herself ahead of one who is placed after her."""
    uma("gate", "four.toml", *AWAY)
    before = four.read_bytes()
    called = uma("gate", "four.toml", "--place", "神鷹=ahead 無聲鈴鹿")
    assert called.code == 4
    assert "gate.place.神鷹" in called.err
    assert four.read_bytes() == before


def test_a_mind_can_be_changed_while_nothing_rests_on_it(uma: Uma, four: Path) -> None:
    """A new answer replaces the old one, an empty one takes it back."""
    uma("gate", "four.toml", *AWAY, "--place", "特別周=front")
    assert uma("gate", "four.toml", "--place", "特別周=back").code == 0
    assert '"特別周" = "back"' in four.read_text("utf-8")
    assert uma("gate", "four.toml", "--place", "特別周=").code == 0
    assert '"特別周" = ""' in four.read_text("utf-8")


def test_a_mind_cannot_be_changed_once_a_later_question_is_answered(uma: Uma, four: Path) -> None:
    """What later answers rest on stands (4), with the answer that rests on it named."""
    uma("gate", "four.toml", *AT_CORNER)
    uma("corner", "four.toml", "--obstacle", "5", "--move", "特別周=forward,rest=stay", "--contest-front", "1=1+1+1")
    before = four.read_bytes()
    called = uma("corner", "--scene", "corner-2", "four.toml", "--move", "特別周=stay")
    assert called.code == 4
    assert "contest-front" in called.err
    assert four.read_bytes() == before


def test_a_declaration_comes_before_what_follows_it(uma: Uma, four: Path) -> None:
    """Kiai cannot be declared any more once a die of the check lies there."""
    uma("gate", "four.toml", "--check", "特別周=3+3+3")
    called = uma("gate", "four.toml", "--kiai", "春麗=2")
    assert called.code == 4
    assert "too late" in called.err


def test_dice_that_fell_cannot_be_typed_over(uma: Uma, four: Path) -> None:
    """A die of the tool stays; a typed one can be put right while nothing rests on it."""
    uma("gate", "four.toml", "--dice", "特別周=roll", "--check", "春麗=2+2+2")
    assert uma("gate", "four.toml", "--check", "特別周=6+6+6").code == 4
    assert uma("gate", "four.toml", "--check", "春麗=2+2+3").code == 0
    assert '"春麗" = "2 2 3, hand"' in four.read_text("utf-8")


def test_hand_dice_and_tool_dice_stand_side_by_side(uma: Uma, four: Path) -> None:
    """In one scene some throw by hand and some let the tool throw; the file tells which."""
    called = uma("gate", "four.toml", "--check", "特別周=3+3+3", "--dice", "rest=roll")
    assert called.code == 0
    check = four.read_text("utf-8").partition("[gate.check]\n")[2].partition("\n[")[0]
    assert check.count(", hand") == 1
    assert len(check.strip().splitlines()) == 4


def test_dice_serve_whatever_she_is_asked_for_in_asking_order(uma: Uma, four: Path) -> None:
    """`--dice` repeated is used in the order in which she is asked."""
    uma("gate", "four.toml", *AT_CORNER)
    called = uma(
        "corner", "four.toml", "--dice", "2=1", "--dice", "2=4", "--dice", "無聲鈴鹿=4+4+4", "--move", "rest=stay"
    )
    assert called.code == 0, called.err
    text = four.read_text("utf-8")
    assert '[corner-2.obstacle]\n"無聲鈴鹿" = "1, hand"' in text
    assert '[corner-2.obstacle-kind]\n"無聲鈴鹿" = "4, hand"' in text
    assert '[corner-2.obstacle-check]\n"無聲鈴鹿" = "4 4 4, hand"' in text


def test_dice_nobody_asked_for_are_refused(uma: Uma, four: Path) -> None:
    """A throw that is left over refuses the call; it does not lie in wait."""
    before = four.read_bytes()
    called = uma("gate", "four.toml", *AWAY, "--dice", "春麗=3+3")
    assert called.code == 4
    assert "nobody asked 春麗" in called.err
    assert four.read_bytes() == before


def test_a_value_without_a_name_is_for_the_one_who_is_asked(uma: Uma, four: Path) -> None:
    """With several asked at once a name is wanted."""
    called = uma("gate", "four.toml", "--check", "3+3+3")
    assert called.code == 4
    assert "say who" in called.err


def test_rest_is_all_who_have_not_answered(uma: Uma, four: Path) -> None:
    """`rest` leaves standing what was answered before it."""
    uma("gate", "four.toml", *AT_CORNER)
    uma("corner", "four.toml", "--obstacle", "6", "--move", "神鷹=forward")
    uma("corner", "four.toml", "--move", "rest=stay")
    moves = four.read_text("utf-8").partition("[corner-2.move]\n")[2].partition("\n[")[0]
    assert moves.count('"stay"') == 3
    assert '"神鷹" = "forward"' in moves


def test_what_was_said_for_a_case_that_did_not_arise_is_kept_and_told(uma: Uma, four: Path) -> None:
    """A choice that nobody asked for stays in the file, with a word to stderr."""
    uma("gate", "four.toml", *AT_CORNER)
    called = uma("corner", "four.toml", "--obstacle", "6", "--move", "rest=stay", "--pace", "無聲鈴鹿=slow,春麗=fast")
    assert called.code == 0
    assert "corner-2.pace.春麗: nobody asked for it; it is kept" in called.err
    assert '"春麗" = "fast"' in four.read_text("utf-8")
    assert uma("show", "four.toml").code == 0


def test_a_ruling_and_a_note_stay_with_their_scene(uma: Uma, four: Path) -> None:
    """The game master's word has its reason in the file, and a note its words."""
    called = uma(
        "gate",
        "four.toml",
        *AT_CORNER,
        *("--ruling", "特別周=kiai -1", "--why", "spooked", "--note", "特別周=the crowd!"),
    )
    assert called.code == 0, called.err
    text = four.read_text("utf-8")
    assert '[gate.ruling."特別周"]\nkiai = -1\nwhy = "spooked"\n' in text
    assert '[gate.note]\n"特別周" = "the crowd!"\n' in text
    assert '"特別周" = "pace-chaser, kiai 3"' in text


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("kiai -1", "kiai = -1"),
        ("kiai+1", "kiai = 1"),
        ("氣合 ＋２", "kiai = 2"),
        ("bonus 1, 先行", 'position = "pace-chaser"\nbonus = 1'),
        ("position late-surger", 'position = "late-surger"'),
        ("finish -2, start", "finish = -2"),
        ("out", "out = true"),
    ],
)
def test_a_ruling_is_understood_as_people_write_it(uma: Uma, four: Path, said: str, kept: str) -> None:
    """A change and its amount, a position in any language, and when it is carried out."""
    assert uma("gate", "four.toml", "--ruling", f"特別周={said}", "--why", "so").code == 0
    assert kept in four.read_text("utf-8")


def test_a_ruling_wants_a_reason(uma: Uma, four: Path) -> None:
    """Without `--why` the game master rules nothing."""
    assert uma("gate", "four.toml", "--ruling", "特別周=kiai -1").code == 2


def test_who_is_ruled_out_is_asked_no_more(uma: Uma, four: Path) -> None:
    """M2: her blank goes, and the scene goes on without her."""
    uma("gate", "four.toml", "--check", "特別周=3+3+3,無聲鈴鹿=5+5+5,神鷹=4+4+4")
    called = uma("gate", "four.toml", "--ruling", "春麗=out", "--why", "lame")
    assert called.code == 0
    assert '"春麗" = ""' not in four.read_text("utf-8")
    assert "特別周 has the lowest score and is the base runner" in called.out


@pytest.mark.parametrize("name", ["特別周", "1", "特", "１"])
def test_a_runner_is_found_by_name_number_or_beginning(uma: Uma, four: Path, name: str) -> None:
    """The exact name, then a number, then an unambiguous beginning."""
    assert uma("gate", "four.toml", "--check", f"{name}=3+3+3").code == 0
    assert '"特別周" = "3 3 3, hand"' in four.read_text("utf-8")


def test_a_dry_run_checks_rolls_nothing_and_writes_nothing(uma: Uma, tmp_path: Path) -> None:
    """A dry run tells what would be thrown, shows no die, and leaves the file alone."""
    uma("new", "dry.toml", "--runner", "Rice", "--runner", "Teio")
    before = (tmp_path / "dry.toml").read_bytes()
    called = uma("gate", "dry.toml", "-n", "--kiai", "Rice=3")
    assert called.code == 0
    assert "next to be thrown: gate check of Rice, Teio" in called.out
    assert "1D6:" not in called.out
    assert (tmp_path / "dry.toml").read_bytes() == before
    assert uma("gate", "dry.toml", "-n", "--kiai", "Rice=6").code == 4


def test_several_files_are_each_done_on_its_own(uma: Uma, tmp_path: Path) -> None:
    """One file that fails does not stop the others, and the largest code is returned."""
    for name in ("a", "b"):
        uma("new", f"{name}.toml", "--runner", "Rice", "--runner", "Teio", "--seed", name)
    called = uma("gate", "a.toml", "missing.toml", "b.toml", "--auto")
    assert called.code == 3
    assert "uma: missing.toml: there is no such file" in called.err
    for name in ("a", "b"):
        assert "[gate.standing]" in (tmp_path / f"{name}.toml").read_text("utf-8")


def test_a_seeded_race_with_auto_takes_one_call_a_scene(uma: Uma) -> None:
    """From the gate to the finish nobody has to be asked."""
    runners = [part for name in ("Rice", "Teio", "Maru", "春麗") for part in ("--runner", f"{name}:kiai=4")]
    uma("new", "auto.toml", "--seed", "spring", "--ask", "kiai style", *runners)
    for kind in ("gate", "corner", "corner", "finish"):
        assert uma(kind, "auto.toml", "--auto").code == 0
    state = json.loads(uma("show", "--json", "auto.toml").out)
    assert state["status"] == "finished"
    assert state["result"][0]["place"] == 1


def test_auto_for_plays_for_one_who_is_away(uma: Uma, four: Path) -> None:
    """Only she is played for; the others are asked."""
    uma("gate", "four.toml", *AT_CORNER)
    uma("corner", "four.toml", "--obstacle", "6", "--auto-for", "無聲鈴鹿", "--strategy", "random")
    state = json.loads(uma("show", "--json", "four.toml").out)
    assert [ask["runner"] for ask in state["waiting"]] == ["特別周"]


def test_scene_holds_a_call_and_if_needed_makes_a_closed_scene_fine(uma: Uma, four: Path) -> None:
    """A closed scene is refused, and with `--if-needed` left alone."""
    uma("gate", "four.toml", *AT_CORNER)
    before = four.read_bytes()
    assert uma("gate", "four.toml").code == 4
    assert uma("gate", "four.toml", "--if-needed").code == 0
    assert uma("corner", "four.toml", "--scene", "corner-3").code == 4
    assert uma("finish", "four.toml").code == 4
    assert uma("corner", "four.toml", "--if-needed").code == 2
    assert four.read_bytes() == before


def test_a_race_passes_through_stdin_and_stdout(uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `-` the race comes from stdin, the new race goes to stdout and the talk to stderr."""
    import io
    import sys

    class Bytes(io.TextIOWrapper):
        """A text stream over bytes in memory."""

    stdin = Bytes(io.BytesIO(four.read_bytes()), "utf-8")
    stdout = Bytes(io.BytesIO(), "utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    monkeypatch.setattr(sys, "stdout", stdout)
    called = uma("gate", "-", *AT_CORNER)
    assert called.code == 0
    assert "無聲鈴鹿 pace: slow" in called.err
    assert isinstance(stdout.buffer, io.BytesIO)
    assert stdout.buffer.getvalue().decode().startswith(four.read_text("utf-8"))


def test_an_answer_said_with_the_ruling_that_takes_her_out_stands(uma: Uma, four: Path) -> None:
    """M2: what she says in the very call is answered, in the file as in the call."""
    uma("gate", "four.toml", *AT_CORNER)
    called = uma(
        "corner",
        "four.toml",
        *("--obstacle", "6", "--move", "神鷹=back,rest=stay", "--pace", "fast"),
        *("--ruling", "神鷹=out", "--why", "lame"),
    )
    assert called.code == 0, called.err
    assert "神鷹 moves to end-closer" in called.out
    assert '"神鷹" = "back"' in four.read_text("utf-8")


def test_faces_are_each_runners_own(uma: Uma, four: Path) -> None:
    """`rest` may be rolled for, but has no faces; a tie would be thrown with the same for ever."""
    before = four.read_bytes()
    for option in ("--dice", "--check"):
        called = uma("gate", "four.toml", option, "rest=1+2+3")
        assert called.code == 2
        assert "rest=roll" in called.err
    assert four.read_bytes() == before


def test_dice_of_chance_that_fell_stay_whatever_else_is_wrong_with_the_call(uma: Uma, tmp_path: Path) -> None:
    """A refusal would let them be thrown again: what does not stand is set aside instead, and told."""
    for turn in range(8):
        path = tmp_path / f"{turn}.toml"
        uma("new", path.name, "--runner", "Ann:kiai=4", "--runner", "Bea:kiai=4")
        called = uma("gate", path.name, "--place", "Ann=ahead Bea", "--place", "Bea=ahead Ann", "--rise-die", "Ann=3")
        assert called.code == 0
        assert "not taken: " in called.err
        fallen = path.read_text("utf-8").partition("[gate.check]")[2]
        assert fallen
        uma("gate", path.name, "--rise-die", "Ann=3")
        assert path.read_text("utf-8").partition("[gate.check]")[2].startswith(fallen.split("[")[0].rstrip())


def test_in_a_seeded_race_a_wrong_call_is_refused_whole(uma: Uma, tmp_path: Path) -> None:
    """Its dice fall the same again, so nothing has to be kept."""
    uma("new", "s.toml", "--seed", "s", "--runner", "Ann:kiai=4", "--runner", "Bea:kiai=4")
    before = (tmp_path / "s.toml").read_bytes()
    assert uma("gate", "s.toml", "--rise-die", "Ann=3").code == 4
    assert (tmp_path / "s.toml").read_bytes() == before


def test_an_answer_ahead_that_cannot_stand_is_set_aside_when_her_turn_comes(uma: Uma, four: Path) -> None:
    """Nobody else's answer is refused for it; she is asked anew."""
    assert uma("gate", "four.toml", "--place", "特別周=ahead 無聲鈴鹿").code == 0
    called = uma("gate", "four.toml", *AWAY)
    assert called.code == 0
    assert "not taken: gate.place.特別周: `ahead 無聲鈴鹿` does not stand" in called.err
    assert "gate waits for 特別周 (@alice): place" in called.out
    assert '"特別周" = ""' in four.read_text("utf-8")


def test_nobody_is_placed_beside_herself(uma: Uma, four: Path) -> None:
    """What can never stand is refused when it is said."""
    assert uma("gate", "four.toml", "--place", "特別周=ahead 特別周").code == 2


def test_an_answer_that_somebody_has_named_stays(uma: Uma, four: Path) -> None:
    """Who is named in a later place cannot go elsewhere under it."""
    uma("gate", "four.toml", *AWAY, "--place", "特別周=front,神鷹=ahead 特別周")
    called = uma("gate", "four.toml", "--place", "特別周=back")
    assert called.code == 4
    assert "神鷹" in called.err
    assert "--place 神鷹=" in called.err
    uma("gate", "four.toml", "--place", "神鷹=")
    assert uma("gate", "four.toml", "--place", "特別周=back").code == 0


def test_a_proposed_throw_is_thrown_once(uma: Uma, four: Path) -> None:
    """The line that lets the tool throw names its question, so that repeating it throws nothing else."""
    uma("gate", "four.toml", *AT_CORNER)
    for _ in range(6):
        state = json.loads(uma("show", "--json", "four.toml").out)
        if state["scene"] != "corner-2" or not state["waiting"]:
            uma("corner", "--scene", "corner-2", "four.toml")
            continue
        _, kind, *rest = state["waiting"][0]["options"][0]["argv"]
        assert uma(kind, *rest).code == 0
        before = four.read_bytes()
        uma(kind, *rest)
        assert four.read_bytes() == before


def test_a_fill_in_may_only_be_named(uma: Uma, tmp_path: Path) -> None:
    """Her kiai is the lowest of the field then, and the file holds it (C6)."""
    uma("new", "n.toml", "--seed", "n", "--runner", "Ann:kiai=4", "--runner", "Bea:kiai=3")
    called = uma("gate", "n.toml", "--style", "Ann=late-start,Bea=late-start", "--npc", "旗手")
    assert called.code == 0, called.err
    assert '[gate.npc]\n"旗手" = "kiai 3"\n' in (tmp_path / "n.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("--kiai", "特別周=2,1=3"), "two answers for 特別周"),
        (("--strategy", "random"), "--strategy goes with --auto"),
        (("--ruling", "1=kiai -1", "--ruling", "1=bonus 1", "--why", "so"), "put them together"),
    ],
)
def test_a_call_that_contradicts_itself_is_refused(
    uma: Uma, four: Path, arguments: tuple[str, ...], wanted: str
) -> None:
    """What is not clear is not guessed (2)."""
    before = four.read_bytes()
    called = uma("gate", "four.toml", *arguments)
    assert called.code == 2
    assert wanted in called.err
    assert four.read_bytes() == before


def test_a_slip_of_a_name_is_named_though_the_record_is_refused(uma: Uma, four: Path) -> None:
    """The warning tells the cause, the error the effect."""
    uma("gate", "four.toml", *AT_CORNER)
    four.write_text(four.read_text("utf-8").replace('"神鷹" = "behind 特別周"', '"神膺" = "behind 特別周"'), "utf-8")
    called = uma("show", "four.toml")
    assert called.code == 4
    assert "nobody of that name is in the race; did you mean `神鷹`?" in called.err


def test_who_is_out_is_ruled_no_more(uma: Uma, four: Path) -> None:
    """The call is refused, and the file holds no ruling that would have to be taken out."""
    uma("gate", "four.toml", *AT_CORNER, "--ruling", "春麗=out", "--why", "lame")
    called = uma("corner", "four.toml", "--ruling", "春麗=kiai 1", "--why", "again")
    assert called.code == 4
    assert "out of the race" in called.err
