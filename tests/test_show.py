"""What `show` tells people and programs; it never writes."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tests.conftest import Uma
from uma_cli import file
from uma_cli.run import stand_of
from uma_cli.show import asking, terminal
from uma_cli.text import Whole, cells, folded
from uma_cli.voice import LANGUAGES, Voice

RACES = Path(__file__).parent.parent / "races"
KEYS = ["uma", "file", "title", "scene", "status", "pace", "waiting", "ahead", "runners", "result"]
RUNNER = ["name", "number", "position", "kiai", "roll", "npc", "out", "flags", "skills"]
FINISH = ["place", "name", "score", "lengths", "photo_cm", "npc", "out"]


def test_json_is_one_object_a_file_with_the_keys_of_the_contract(uma: Uma) -> None:
    """Every file has its line, whatever state its race is in."""
    files = [str(path) for path in sorted(RACES.glob("*.toml"))]
    lines = uma("show", "--json", *files).out.splitlines()
    assert [json.loads(line)["file"] for line in lines] == files
    for line in lines:
        state = json.loads(line)
        assert list(state) == KEYS
        assert {tuple(runner) for runner in state["runners"]} == {tuple(RUNNER)}
        assert {tuple(finish) for finish in state["result"] or []} <= {tuple(FINISH)}
        assert (state["result"] is None) == (state["status"] != "finished")
        for ask in state["waiting"]:
            assert list(ask)[:4] == ["scene", "question", "runner", "kind"]
            assert all(option["argv"][0] == "uma" for option in ask["options"])


def test_a_race_that_cannot_be_shown_is_an_error_object(uma: Uma, tmp_path: Path) -> None:
    """Under `--json` nothing but objects is printed, errors too."""
    (tmp_path / "bad.toml").write_text("format = 1\n[runner.a]\nkiai = 0\n", "utf-8")
    called = uma("show", "--json", "bad.toml", str(RACES / "derby.toml"))
    assert called.code == 3
    assert called.err == ""
    bad, good = (json.loads(line) for line in called.out.splitlines())
    assert bad["file"] == "bad.toml"
    assert bad["error"]["code"] == 3
    assert bad["error"]["line"] == 3
    assert good["status"] == "finished"


def test_waiting_is_a_line_a_race_that_waits(uma: Uma) -> None:
    """Scene, question and whom it waits for; races that wait for nobody are left out."""
    files = [str(path) for path in sorted(RACES.glob("*.toml"))]
    lines = uma("show", "--waiting", *files).out.splitlines()
    assert len(lines) == 1
    file, scene, question, who, _since = lines[0].split("\t")
    assert file.endswith("waiting.toml")
    assert scene == "second corner"
    assert question == "move"
    assert who


def test_columns_are_aligned_by_display_cells(uma: Uma, four: Path) -> None:
    """CJK names and Latin ones stand in line."""
    text = four.read_text("utf-8").replace('"春麗"', '"Rice Bowl"')
    four.write_text(text, "utf-8")
    table = [line for line in uma("show", "four.toml").out.splitlines() if " - " in line]
    assert len(table) == 4
    assert len({cells(line[: line.index(" - ")]) for line in table}) == 1


def test_a_name_is_never_cut_in_a_pipe(uma: Uma, four: Path) -> None:
    """A name of 40 characters is found whole."""
    name = "春" * 40
    four.write_text(four.read_text("utf-8").replace("春麗", name), "utf-8")
    assert uma("show", "four.toml").out.count(name) >= 1


def test_answers_of_strangers_are_warned_about(uma: Uma, four: Path) -> None:
    """A name that nobody has may be a slip of the pen."""
    four.write_text(four.read_text("utf-8") + '\n[gate.place]\n"春画" = "front"\n', "utf-8")
    assert "gate.place.春画: nobody of that name is in the race; did you mean `春麗`?" in uma("show", "four.toml").err


def test_show_never_writes(uma: Uma, four: Path) -> None:
    """Not even a lock."""
    before = sorted((path.name, path.stat().st_mtime_ns) for path in four.parent.iterdir())
    for options in ((), ("--waiting",), ("--json",)):
        assert uma("show", *options, "four.toml").code == 0
    assert sorted((path.name, path.stat().st_mtime_ns) for path in four.parent.iterdir()) == before


def painted(path: Path, width: int, language: str = "en", *, colour: bool = False) -> str:
    """A race on a terminal of so many columns."""
    console = Console(
        file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False, force_terminal=colour or None
    )
    stand = stand_of(file.read(str(path)))
    console.print(terminal.view(stand, path.name, Voice(language), width), crop=False)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


several = pytest.mark.parametrize("path", sorted(RACES.glob("*.toml")), ids=lambda path: path.stem)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_command_to_copy_is_one_line_on_any_terminal(width: int) -> None:
    """The terminal breaks it, not we: what is copied is the command."""
    path = RACES / "waiting.toml"
    lines = painted(path, width).splitlines()
    commands = [
        line for line in asking.turn(stand_of(file.read(str(path))), path.name, Voice()) if isinstance(line, Whole)
    ]
    assert commands
    assert set(commands) <= set(lines)


@several
def test_words_run_no_further_than_can_be_read(path: Path) -> None:
    """On a wide terminal sentences are broken, and set in where they go on."""
    for line in painted(path, 200).splitlines():
        assert cells(line) <= terminal.PROSE or "  " in line.strip() or " uma " in line or set(line) <= set("- ")


@several
def test_colours_can_be_read_on_a_light_page_and_a_dark_one(path: Path) -> None:
    """Only red and magenta, bold and dim: of the eight they alone stand out from both."""
    styles = {
        code for codes in re.findall(r"\x1b\[([0-9;]*)m", painted(path, 80, colour=True)) for code in codes.split(";")
    }
    assert styles <= {"", "0", "1", "2", "31", "35"}


@pytest.mark.parametrize("language", LANGUAGES)
@several
def test_no_sign_on_a_terminal_has_a_width_that_terminals_disagree_on(path: Path, language: str) -> None:
    """But for what people wrote themselves."""
    shown = painted(path, 80, language)
    ambiguous = {char for char in shown if unicodedata.east_asian_width(char) == "A"}
    assert ambiguous <= set(path.read_text("utf-8"))


def test_the_gauge_stays_where_skills_have_no_room(tmp_path: Path) -> None:
    """Kiai against the sweet spot goes before the position, which is told above; skills are broken before they go."""
    path = tmp_path / "race.toml"
    skills = "".join(f'[runner."Anne-Marie of the Long".skill."Skill number {number}"]\n' for number in range(6))
    path.write_text(f'format = 1\n[runner."Anne-Marie of the Long"]\nkiai = 4\n{skills}', "utf-8")
    shown = painted(path, 80)
    assert "####.....|....." in shown
    assert "# kiai, | best dice at 10 (* reached), ! above 15: injury check" in shown
    assert all(f"{number}" in shown for number in range(6))
    assert all(cells(line) <= 80 for line in shown.splitlines())


def test_who_moved_has_where_she_was(tmp_path: Path) -> None:
    """In words, in the row of the position that she has now."""
    shown = painted(RACES / "waiting.toml", 80)
    assert "(from " not in shown
    path = tmp_path / "race.toml"
    text = (RACES / "derby.toml").read_text("utf-8")
    path.write_text(text[: text.index("[corner-3.")], "utf-8")
    assert "(from late-surger)" in painted(path, 80).replace(terminal.NO_BREAK, " ")


@pytest.mark.parametrize(("bonus", "scale"), [(0, 1), (60, 2), (600, 11)])
def test_the_finish_is_drawn_to_scale_up_to_the_line(uma: Uma, tmp_path: Path, bonus: int, scale: int) -> None:
    """A dot is a length in every race, or so many as the heading says, and the line stands at the end."""
    path = tmp_path / "race.toml"
    path.write_text(f'format = 1\nseed = "1"\n[runner.A]\nkiai = 10\nbonus = {bonus}\n[runner.B]\n', "utf-8")
    assert uma("finish", "--through", "--auto", "race.toml").code == 0
    shown = painted(path, 100).splitlines()
    dots = [line.count(".") for line in shown if line.endswith("|")]
    behind = [line.lengths for line in stand_of(file.read(str(path))).result or ()]
    assert dots == [round(lengths / scale) for lengths in behind]
    head = next(line for line in shown if line.startswith("place"))
    assert head.endswith("a dot a length" if scale == 1 else f"a dot for {scale} lengths")


@pytest.mark.parametrize("width", range(30, 90, 3))
def test_a_finish_is_drawn_under_its_heading_or_not_at_all(width: int) -> None:
    """However wide a terminal is."""
    shown = painted(RACES / "skills.toml", width)
    assert ("|\n" in shown) == ("a dot " in shown)


def test_what_has_no_room_in_the_table_is_told_under_it(tmp_path: Path) -> None:
    """A bonus and the skills that are left are never left out without a word."""
    path = tmp_path / "race.toml"
    skill = '[runner."Anne-Marie of the Long".skill."Last Crossing of the Night"]\n'
    path.write_text(f'format = 1\n[runner."Anne-Marie of the Long"]\nkiai = 4\nbonus = 2\n{skill}', "utf-8")
    shown = painted(path, 46)
    assert "bonus: Anne-Marie of the Long (+2)" in shown
    assert "skills left: Anne-Marie of the Long (Last" in shown
    assert "bonus: " not in painted(path, 120)


def test_why_a_runner_is_out_stands_under_the_table() -> None:
    """No column is as wide as a reason."""
    lines = painted(RACES / "rulings.toml", 100).splitlines()
    assert f"Kettle Black: out ({OUT})" in lines
    assert not [line for line in lines if line.startswith("  out") and OUT[:4] in line]


def test_scenes_are_parted_between_them_only() -> None:
    """A line of scenes ends before a `>`; a finished race says of none that it is done."""
    lines = painted(RACES / "obstacles.toml", 50, "ja").splitlines()
    scenes = [line for line in lines if "コーナー" in line]
    assert len(scenes) > 1
    assert all(line.startswith("  > ") for line in scenes[1:])
    assert not [line for line in scenes if line.endswith(">") or "終了" in line]


@pytest.mark.parametrize("width", [40, 80])
def test_a_narrow_finish_says_what_each_number_is(width: int) -> None:
    """The score is called so, in a column or in words."""
    shown = painted(RACES / "photo.toml", width)
    assert "score" in shown
    assert width > 40 or re.search(r"place 1  .+\n  no\. \d+, score \d+", shown)


def test_who_is_out_has_the_reason(uma: Uma) -> None:
    """In the running order and in the result, wherever they are shown."""
    race = str(RACES / "rulings.toml")
    for options in ((), ("--chat", "--last"), ("--markdown",), ("--log",)):
        told = uma("show", *options, race).out
        line = next(line for line in told.splitlines() if "Kettle Black" in line and "out" in line)
        assert "ruling" in line or OUT in line
        assert OUT in told


OUT = next(
    ruling.why
    for record in stand_of(file.read(str(RACES / "rulings.toml"))).race.records.values()
    for ruling in record.rulings.values()
    if ruling.out
)


@given(st.text("ab c、。「」春麗+1e\u0301ー,()", max_size=60).map(str.strip), st.integers(2, 30))
def test_a_folded_line_loses_nothing_and_fits(text: str, width: int) -> None:
    """Every letter is there, in order, and no line is wider than it may be."""
    lines = list(folded(text, width))
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(cells(line) <= width for line in lines)


def test_a_line_is_broken_between_wide_letters_and_not_before_a_comma() -> None:
    """Japanese and Chinese have no spaces: a line is filled, and begins with no closing sign."""
    lines = list(folded("風に乗る: コーナー、逃げ、先行、気合 +1、「大逃げ」になれる", 14))
    assert all(cells(line) > 8 for line in lines[:-1])
    assert not [line for line in lines if line[0] in "、。」ー"]
    assert list(folded("no word is cut here", 9)) == ["no word", "is cut", "here"]


@pytest.mark.parametrize("options", [(), ("--log",), ("--chat",), ("--markdown",), ("--color", "always")], ids=str)
def test_a_blank_line_stands_between_two_races(uma: Uma, options: tuple[str, ...]) -> None:
    """Each is shown as it is alone; rows and lines of waiting races have none between."""
    files = [str(RACES / f"{name}.toml") for name in ("photo", "waiting", "rulings")]
    alone = [uma("show", *options, file).out for file in files]
    assert uma("show", *options, *files).out == "\n".join(alone)
    for rows in ("--tsv", "--waiting", "--json"):
        assert "\n\n" not in uma("show", rows, *files).out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [30, 40, 60])
def test_on_a_narrow_terminal_nothing_that_has_to_be_known_is_left_out(
    tmp_path: Path, language: str, width: int
) -> None:
    """Names, numbers, kiai, and who is out or hurt; where they have no room in a row, all has lines of its own."""
    text = re.sub("(?m)^seed = .*$", "", (RACES / "rulings.toml").read_text("utf-8"))
    path = tmp_path / "race.toml"
    path.write_text(text[: text.index("[corner-3.")].replace("Kettle Black", "Kettle Black of the Hills"), "utf-8")
    shown = painted(path, width, language)
    field = stand_of(file.read(str(path))).field
    table = " ".join(shown.split())
    for runner in (*field, *field.out):
        assert re.search(rf"(?<!\d){runner.number} {runner.name}.*? {runner.kiai} ", table)
    assert OUT.replace(" ", "") in table.replace(" ", "")
    assert all(cells(line) <= width for line in shown.splitlines() if " uma " not in line)


def test_a_number_stays_with_what_it_counts() -> None:
    """No line ends between a number and the wide letter beside it."""
    assert list(folded("第3コーナー 第2コーナー", 8)) == ["第3コー", "ナー", "第2コー", "ナー"]
