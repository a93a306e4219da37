"""The tables of a season in every form: what they say, that names stay names, and that all has its place."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest

from tests.conftest import Uma
from tests.test_post import HOSTILE
from uma_cli.file import read
from uma_cli.race import Pace, Position
from uma_cli.run import stand_of
from uma_cli.season import GROUPINGS, POINTS, Season, Tally
from uma_cli.show import board, post, story
from uma_cli.show import season as tables
from uma_cli.show.terminal import console
from uma_cli.text import cells
from uma_cli.voice import Voice

RACES = Path(__file__).parent.parent / "races"
ENGLISH = Voice()


def season_of(*keys: str, by: str = "runner") -> Season:
    """A season in which each of these won one race of ten."""
    season = Season(races=10, unfinished=2)
    for key in keys:
        season.count((by, (key,)), Tally(10, 1, 0, 1, 4, 21, ranks=36, lengths=-40, expected=Fraction(10, 8)))
    return season


@pytest.fixture(scope="module")
def examples() -> Season:
    """All example races in one season."""
    season = Season()
    for path in sorted(RACES.glob("*.toml")):
        season += Season.of(stand_of(read(str(path))))
    return season


def plain(season: Season, *by: str) -> list[str]:
    return list(story.laid_out(tables.told(season, by or ("runner",), POINTS, ENGLISH)))


def test_a_table_says_what_there_is_to_say() -> None:
    """How many races there are, what a place is worth, and a line a row, its columns in line."""
    season = season_of("Rice", "無聲鈴鹿")
    season.count(("runner", ("NPC 1",)), Tally(2, npc=2, points=30, wins=2, ranks=2, expected=Fraction(1, 6)))
    assert plain(season) == [
        "races: 10; points by place: 10 6 4 3 2 1",
        "not finished, and so not counted: 2 of 12",
        "",
        "name      starts  wins  placed  points  avg place  margin  out  win %        95 %  chance %",
        "NPC 1          2     2       0      30        1.0    +0.0       100.0  34.2-100.0       8.3"
        "  above chance, NPC",
        "Rice          10     1       4      21        4.0    -4.4    1   10.0    1.8-40.4      12.5",
        "無聲鈴鹿      10     1       4      21        4.0    -4.4    1   10.0    1.8-40.4      12.5",
    ]


def test_only_who_has_a_name_is_called_an_npc() -> None:
    """A position that only NPCs have held is one like any other."""
    for by, key, end in (("runner", ("NPC 1",), "50.0  NPC"), ("position", ("gate", Position.RUNAWAY), "50.0")):
        season = Season(races=1)
        season.count((by, key), Tally(1, npc=1, wins=1, expected=Fraction(1, 2)))
        assert plain(season, by)[-1].endswith(end)


def test_nothing_that_was_run_is_no_table() -> None:
    """Where no race is over there is nothing to tell but that."""
    season = Season(unfinished=3)
    said = ["races: 0; points by place: 10 6 4 3 2 1", "not finished, and so not counted: 3 of 3"]
    assert plain(season) == list(board.lines(season, ["runner"], POINTS, ENGLISH, colour=False)) == said
    assert len(list(tables.tsv(season, ["runner"]))) == 1
    assert tables.state(season, ["runner"], POINTS)["tables"] == {"runner": []}


def test_the_words_of_the_game_are_spoken_in_each_language() -> None:
    """Scenes, positions and paces have their names, and what people wrote stays as it is."""
    season = season_of("fast")
    season.count(("pace", ("corner-2", Pace.FAST, Position.FRONT_RUNNER)), Tally(1, wins=1))
    lines = list(story.laid_out(tables.told(season, ["runner", "pace"], POINTS, Voice("ja"))))
    assert lines[4].startswith("fast ")
    assert lines[7].split()[:3] == ["第2コーナー", "ハイ", "逃げ"]


@pytest.mark.parametrize("by", GROUPINGS)
def test_every_form_has_every_row(examples: Season, by: str) -> None:
    """As lines, as Markdown, as rows, as an object and on a terminal a table has the same rows."""
    rows = len(examples.rows(by))
    assert len(plain(examples, by)) == rows + 4
    assert (
        sum(line.startswith("| ") for line in tables.markdown(tables.told(examples, [by], POINTS, ENGLISH))) == rows + 2
    )
    assert len(list(tables.tsv(examples, [by]))) == rows + 1
    assert len(list(board.lines(examples, [by], POINTS, ENGLISH, colour=False))) == rows + 4
    state = tables.state(examples, [by], POINTS)
    assert isinstance(state["tables"], Mapping)
    assert [tuple(row.values())[: len(GROUPINGS[by])] for row in state["tables"][by]] == [
        row.key for row in examples.rows(by)
    ]


@pytest.mark.parametrize("name", [*HOSTILE, "@everyone", "+1", "a\tb", "\u202eb", "\x1b[31m"])
@pytest.mark.parametrize("by", ["runner", "player"])
def test_hostile_names_stay_names(name: str, by: str) -> None:
    """No mention, cell, column, block or escape comes of a name."""
    season = season_of(name, "Rice", by=by)
    told = list(tables.told(season, [by], POINTS, ENGLISH))
    lines = list(tables.markdown(told))
    assert "@" not in "".join(lines)
    bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("| ")}
    assert len(bars) == 1
    (text,) = post.chat(told, 2000)
    assert text.count("`") == 6
    rows = [line.split("\t") for line in tables.tsv(season, [by])]
    assert len({len(row) for row in rows}) == 1
    assert not any(cell[:1] in ("=", "+", "@") for row in rows for cell in row)
    shown = "".join([*lines, *plain(season, by), *board.lines(season, [by], POINTS, ENGLISH, colour=False)])
    assert not any(char in shown for char in "\t\u202e\x1b")


def drawn(season: Season, by: str, width: int) -> Iterator[str]:
    paper = console(colour=False, width=width)
    paper.file = StringIO()
    paper.print(board.view(season, [by], POINTS, ENGLISH, width))
    yield from paper.file.getvalue().splitlines()


@pytest.mark.parametrize("by", GROUPINGS)
@pytest.mark.parametrize("width", [60, 90, 200])
def test_a_terminal_drops_columns_and_never_cuts_a_name(examples: Season, by: str, width: int) -> None:
    """Whatever its width, no line is wider, and each row is still named whole."""
    lines = list(drawn(examples, by, width))
    assert max(map(cells, lines)) <= width
    rows = examples.rows(by)
    for row, line in zip(rows, lines[-len(rows) :], strict=True):
        named = [ENGLISH.word(word or f"(no {by})") for word in row.key]
        assert named == re.split(r" {2,}", line.strip())[: len(named)]
    assert "win %" in "".join(lines)
    assert width < 90 or "95 %" in "".join(lines)


@pytest.mark.parametrize("by", ["position", "pace"])
def test_a_narrow_table_of_rates_keeps_the_rates(examples: Season, by: str) -> None:
    """The interval and what chance would give go after starts, wins and points: a rate says nothing without them."""
    head = next(line for line in drawn(examples, by, 70) if line.startswith("scene"))
    assert {"win %", "95 %", "chance %"} <= set(re.split(" {2,}", head.strip()))
    assert "points" not in head


def test_an_interval_is_drawn_to_scale() -> None:
    """From its low to its high bound, with the win rate and what chance would give."""
    season = Season(races=100)
    season.count(("strategy", ("bold",)), Tally(100, wins=50, expected=Fraction(10)))
    season.count(("strategy", ("steady",)), Tally(100, wins=10, expected=Fraction(10)))
    bold, steady = tables.intervals(season, "strategy", 61)
    assert (bold.index("|"), bold.index("-"), bold.index("o"), len(bold) - 1) == (10, 41, 50, 60)
    assert (steady.index("-"), steady.index("*"), len(steady) - 1) == (6, 10, 18)
    assert "|" not in steady


def test_an_object_tells_all_numbers() -> None:
    """The keys of the contract, shares from 0 to 1, and null where there is no average."""
    season = season_of("Rice")
    season.count(("runner", ("Teio",)), Tally(1, outs=1, expected=Fraction(1, 8)))
    state = tables.state(season, ["runner"], (3, 2, 1))
    rows = state.pop("tables")
    assert state == {"uma": 1, "races": 10, "unfinished": 2, "points": [3, 2, 1]}
    assert isinstance(rows, dict)
    rice, teio = rows["runner"]
    assert rice == {
        "runner": "Rice",
        "starts": 10,
        "npc": 0,
        "outs": 1,
        "wins": 1,
        "expected_wins": 1.25,
        "places": 4,
        "points": 21,
        "average_place": 4.0,
        "average_margin": -4.444444,
        "win_rate": 0.1,
        "win_rate_low": 0.017876,
        "win_rate_high": 0.404150,
        "expected_rate": 0.125,
    }
    assert (teio["average_place"], teio["average_margin"], teio["win_rate"]) == (None, None, 0.0)


FILES = sorted(map(str, RACES.glob("*.toml")))


POINTS_OF_ONES_OWN = (3, 1)


def counted(points: Sequence[int]) -> Season:
    season = Season()
    for path in FILES:
        season += Season.of(stand_of(read(path)), points)
    return season


def rows_of(season: Season, by: str) -> list[Tally]:
    return [row.tally for row in season.rows(by)]


def test_show_makes_one_table_of_many_files(uma: Uma, examples: Season) -> None:
    """By runner if nothing else is said; what is asked for twice is told once, in the order asked."""
    assert uma("show", "--table", *FILES).out.splitlines() == plain(examples)
    called = uma("show", "--table", "--by", "pace", "--by", "player", "--by", "pace", *FILES)
    assert (called.code, called.err) == (0, "")
    assert called.out.splitlines() == plain(examples, "pace", "player")


def test_each_shape_of_the_table_is_printed_alone(uma: Uma, examples: Season) -> None:
    """Markdown, posts, rows and one object, with points of one's own; rows say on stderr what they leave out."""
    season = counted(POINTS_OF_ONES_OWN)
    assert rows_of(season, "position") != rows_of(examples, "position")
    told = list(tables.told(season, ["position"], POINTS_OF_ONES_OWN, ENGLISH))
    options = ("show", "--table", "--by", "position", "--points", "3 1", *FILES)
    assert uma(*options, "--markdown").out.splitlines() == list(tables.markdown(told))
    assert uma(*options, "--chat", "--limit", "100000").out == post.chat(told, 100_000)[0] + "\n"
    called = uma(*options, "--tsv")
    assert called.out.splitlines() == list(tables.tsv(season, ["position"]))
    assert called.err == "uma: not finished, and so not counted: 1 of 16\n"
    called = uma(*options, "--json")
    assert json.loads(called.out) == tables.state(season, ["position"], POINTS_OF_ONES_OWN)
    assert called.err == ""


def test_a_race_that_cannot_be_read_leaves_the_others_counted(uma: Uma, tmp_path: Path) -> None:
    """It is an error, the table has the others, and the exit code is the error's."""
    (tmp_path / "bad.toml").write_text("format = 1\n[runner.a]\nkiai = 0\n", "utf-8")
    derby = str(RACES / "derby.toml")
    called = uma("show", "--table", "bad.toml", derby)
    assert called.code == 3
    assert called.err.startswith("uma: bad.toml:3:")
    assert called.out == uma("show", "--table", derby).out
    bad, table = map(json.loads, uma("show", "--table", "--json", "bad.toml", derby).out.splitlines())
    assert bad["error"]["code"] == 3
    assert table["races"] == 1


def test_neither_the_order_of_files_nor_the_language_changes_what_programs_read(uma: Uma) -> None:
    """The same bytes, whatever way round."""
    for shape in ("--json", "--tsv"):
        options = ("show", "--table", shape, *(word for by in GROUPINGS for word in ("--by", by)))
        outs = {uma(*options, *files).out for files in (FILES, FILES[::-1], [*FILES[5:], *FILES[:5]])}
        outs |= {uma(*options, "--lang", "ja", *FILES).out}
        assert len(outs) == 1


@pytest.mark.parametrize(
    "options",
    [
        *(("--table", wrong) for wrong in ("--log", "--last", "--waiting", "--svg")),
        ("--by", "player"),
        ("--points", "3 2 1"),
        ("--table", "--points", "some"),
        ("--table", "--by", "horse"),
        ("--table", "--tsv", "--markdown"),
        ("--table", "--part", "1"),
    ],
    ids=" ".join,
)
def test_what_does_not_go_with_a_table_is_refused(uma: Uma, options: tuple[str, ...]) -> None:
    """A usage error, and nothing on stdout."""
    called = uma("show", *options, FILES[0])
    assert (called.code, called.out) == (2, "")


def test_every_grouping_can_be_asked_for(uma: Uma) -> None:
    """The help names all there are."""
    assert f"[{'|'.join(GROUPINGS)}]" in re.sub(r"\s", "", uma("show", "--help").out)


@pytest.mark.parametrize("lang", ["ja", "zh"])
def test_a_terminal_with_colour_says_no_more_by_it(uma: Uma, lang: str) -> None:
    """Without its colours a table has the same words, in every language."""
    options = ("show", "--table", "--lang", lang, "--by", "position", *FILES)
    coloured = uma(*options, "--color", "always").out
    assert re.search(r"\x1b\[[0-9;]+m *[0-9]+\.[0-9]\x1b", coloured)
    plain_lines = uma(*options, "--color", "never").out.split()
    words = re.sub(r"\x1b\[[0-9;]*m", "", coloured).split()
    assert [word for word in words if not re.fullmatch(r"[-o|*]{1,30}", word)] == plain_lines


@pytest.mark.parametrize("shape", [(), ("--json",), ("--tsv",)], ids=str)
def test_two_processes_count_what_one_does(uma: Uma, tmp_path: Path, shape: tuple[str, ...]) -> None:
    """The same table, the same errors, the same exit code."""
    (tmp_path / "bad.toml").write_text("format = 2\n", "utf-8")
    files = [*FILES[:7], "bad.toml", *FILES[7:], *FILES]
    options = ("show", "--table", *shape, *(word for by in GROUPINGS for word in ("--by", by)))
    one = uma(*options, *files)
    assert one.code == 3
    command = [sys.executable, "-m", "uma_cli", *options, "--jobs", "2", *files]
    two = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (two.returncode, two.stdout, two.stderr) == one
