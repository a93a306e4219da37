"""A step edits in place: everything it does not have to touch stays byte for byte."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.conftest import FOUR, Uma
from uma_cli.toml import line_of, statements

CHECK = ("--check", "特別周=3+3+3,無聲鈴鹿=5+5+5,神鷹=4+4+4")


def test_a_line_is_added_at_the_end_of_its_table(uma: Uma, four: Path) -> None:
    """Comments, odd spacing and tables after the open scene stay where they are."""
    open_scene = (
        '\n[ gate . check ]   # by hand\n  "特別周"   =  "3 3 3, hand"  # lucky\n\n# theirs\n[x-club]\nname="tea"\n'
    )
    four.write_text(FOUR + open_scene, "utf-8")
    assert uma("gate", "four.toml", "--check", "春麗=2+2+2").code == 0
    wanted = open_scene.replace("# lucky\n", '# lucky\n"春麗" = "2 2 2, hand"\n"無聲鈴鹿" = ""\n"神鷹" = ""\n')
    assert four.read_text("utf-8") == FOUR + wanted


def test_a_blank_is_filled_where_it_stands(uma: Uma, four: Path) -> None:
    """Only the value of the blank changes on its line."""
    four.write_text(FOUR + "\n[gate.check]\n\"春麗\"='' # she writes tonight\n", "utf-8")
    assert uma("gate", "four.toml", "--check", "春麗=2+2+2").code == 0
    assert '"春麗"="2 2 2, hand" # she writes tonight\n' in four.read_text("utf-8")


def test_a_file_without_a_last_newline_gets_one_first(uma: Uma, four: Path) -> None:
    """A new table never lands on somebody's last line."""
    four.write_text(FOUR.rstrip("\n"), "utf-8")
    assert uma("gate", "four.toml", *CHECK).code == 0
    assert four.read_text("utf-8").startswith(FOUR + "\n[gate.check]\n")


def test_a_scene_in_another_shape_is_laid_out_anew_and_told(uma: Uma, four: Path) -> None:
    """Inline and dotted answers are read, and written as tables once something is added to them."""
    shapes = (
        'gate = { check = { "特別周" = "3 3 3, hand" }, x-mood = "calm" }\n',
        '[gate]\ncheck."特別周" = "3 3 3, hand"\nx-mood = "calm"\n',
        'gate.check."特別周" = "3 3 3, hand"\ngate.x-mood = "calm"\n',
    )
    for shape in shapes:
        head, runners = FOUR.split("\n\n", 1)
        text = f"{head}\n{shape}\n{runners}" if shape.startswith("gate") else FOUR + shape
        four.write_text(text, "utf-8")
        called = uma("gate", "four.toml", "--check", "春麗=2+2+2")
        assert called.code == 0, called.err
        assert "is laid out anew" in called.err
        after = four.read_text("utf-8")
        assert '[gate.check]\n"特別周" = "3 3 3, hand"\n"春麗" = "2 2 2, hand"\n' in after
        assert tomllib.loads(after)["gate"]["x-mood"] == "calm"


def test_a_step_with_nothing_to_do_leaves_the_time_of_the_file(uma: Uma, four: Path) -> None:
    """Nothing is written where nothing changed."""
    uma("gate", "four.toml")
    before = four.stat().st_mtime_ns, four.stat().st_ino
    assert uma("gate", "four.toml").code == 0
    assert (four.stat().st_mtime_ns, four.stat().st_ino) == before


def test_every_statement_is_found_where_it_stands() -> None:
    """Headers, dotted keys, and values over several lines, with brackets and quotes in strings."""
    text = 'a = 1\nb . "c" = [ # ]\n  "]", 2,\n]\n[t."x.y"]\nd = """\n[no]\ne = 3\n"""\n[[u]]\nf = { g = \'}\' }'
    found = [(statement.path, statement.line, text[slice(*statement.value)]) for statement in statements(text)]
    assert found == [
        (("a",), 1, "1"),
        (("b", "c"), 2, '[ # ]\n  "]", 2,\n]'),
        (("t", "x.y"), 5, ""),
        (("t", "x.y", "d"), 6, '"""\n[no]\ne = 3\n"""'),
        (("u",), 10, ""),
        (("u", "f"), 11, "{ g = '}' }"),
    ]


def test_the_line_of_a_key_is_found_or_that_of_its_table() -> None:
    """A key that is not there has the line of the table it would stand in."""
    text = 'format = 1\n\n[runner."春麗"]\nkiai = 4\n'
    assert line_of(text, "runner.春麗.kiai") == 4
    assert line_of(text, "runner.春麗.bonus") == 3
    assert line_of(text, "title") is None


WRITTEN_BY_HAND = """\
# our cup
format = 1   # of the file
scenes = ["gate", "corner-2", "finish"]
x-sponsor = "tea"

[runner.Rice]
kiai = 4
skill = { "Last Spurt" = { dice = 1 } }   # one line

[table.pace.fast]
front-runner = 3    # a strong front
x-why = ""

[runner.Teio]
kiai=5
x-list = [ 1,
  2 ]

[gate.check]   # thrown on Friday
Rice = "3 3 3, hand"

[gate.x-mood]
Rice = ""

[corner-2.move]  # ahead
Teio = "stay"

# she came late
[runner.Maru]
'kiai' = 3

[finish.x-weather]
sky = "grey"
"""


def test_a_file_written_by_hand_is_played_to_its_end_as_it_is(uma: Uma, tmp_path: Path) -> None:
    """Tables in any order: all that was there is there still, in its place, and scenes are all that came."""
    path = tmp_path / "cup.toml"
    path.write_text(WRITTEN_BY_HAND, "utf-8")
    for kind in ("gate", "corner", "finish"):
        called = uma(kind, "cup.toml", "--auto")
        assert called.code == 0, called.err
    after = path.read_text("utf-8")
    rest = iter(after.splitlines())
    assert all(line in rest for line in WRITTEN_BY_HAND.splitlines())

    def kept(old: object, new: object) -> bool:
        if isinstance(old, dict) and isinstance(new, dict):
            return all(key in new and kept(value, new[key]) for key, value in old.items())
        return old == new

    before, now = tomllib.loads(WRITTEN_BY_HAND), tomllib.loads(after)
    assert kept(before, now)
    assert {key: now[key] for key in before if key not in before["scenes"]} == {
        key: value for key, value in before.items() if key not in before["scenes"]
    }
    assert set(now) - set(before) <= set(before["scenes"])
    assert now["gate"]["x-mood"] == {"Rice": ""}


def test_a_comment_stays_where_its_line_goes(uma: Uma, four: Path) -> None:
    """A blank that is dropped, and a scene that is laid out anew, leave what people wrote beside them."""
    four.write_text(FOUR + '\n[gate.check]\n"春麗" = "" # at the pub\n', "utf-8")
    uma("gate", "four.toml", *CHECK, "--ruling", "春麗=out", "--why", "left")
    assert "# at the pub\n" in four.read_text("utf-8")
    four.write_text(FOUR + '\n[gate]\ncheck."春麗" = "2 2 2, hand" # lucky\n', "utf-8")
    uma("gate", "four.toml", *CHECK)
    assert "# lucky\n" in four.read_text("utf-8")


def test_a_scene_of_another_shape_keeps_keys_that_nobody_knows_whatever_their_order(uma: Uma, four: Path) -> None:
    """A table and then a key of the scene itself: both are there after it is laid out anew."""
    four.write_text(FOUR + '\n[gate.weather]\nsky = "clear"\n\n[gate]\nmood = "calm"\n', "utf-8")
    assert uma("gate", "four.toml", "--check", "1=3+3+3").code == 0
    after = four.read_text("utf-8")
    assert 'sky = "clear"' in after
    assert 'mood = "calm"' in after
    assert "[gate.check]" in after
