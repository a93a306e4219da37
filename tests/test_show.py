"""What `show` tells people and programs; it never writes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Uma
from uma_cli.text import cells

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
    assert scene.startswith("corner-")
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
