"""A new race file: what it holds, whom it takes from another file, and what it refuses."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Uma


def written(path: Path) -> dict[str, Any]:
    """The tables of a file."""
    return tomllib.loads(path.read_text("utf-8"))


def test_a_new_race_is_utf8_with_unix_lines_and_its_format_first(uma: Uma, tmp_path: Path) -> None:
    """The same bytes on any machine."""
    assert uma("new", "a.toml", "--title", "日本ダービー", "--runner", "特別周:kiai=4,bonus=1,player=@alice").code == 0
    assert (tmp_path / "a.toml").read_bytes() == (
        'format = 1\ntitle = "日本ダービー"\n'
        'scenes = [\n    "gate",\n    "corner-2",\n    "corner-3",\n    "finish",\n]\n\n'
        '[runner."特別周"]\nkiai = 4\nbonus = 1\nplayer = "@alice"\n'
    ).encode()


@pytest.mark.parametrize(
    ("corners", "scenes"),
    [
        ("0", ["gate", "finish"]),
        ("1", ["gate", "corner-3", "finish"]),
        ("2", ["gate", "corner-2", "corner-3", "finish"]),
        ("3", ["gate", "corner-1", "corner-2", "corner-3", "finish"]),
    ],
)
def test_corners_are_numbered_as_the_source_counts_them(
    uma: Uma, tmp_path: Path, corners: str, scenes: list[str]
) -> None:
    """One corner is the third, two are the second and third, more count from the first (G1)."""
    assert uma("new", "a.toml", "--corners", corners).code == 0
    assert written(tmp_path / "a.toml")["scenes"] == scenes


def test_scenes_can_be_named_in_three_languages(uma: Uma, tmp_path: Path) -> None:
    """The file holds the ids."""
    assert uma("new", "a.toml", "--scenes", "出閘 第2コーナー,corner-3", "--scenes", "ゴール前").code == 0
    assert written(tmp_path / "a.toml")["scenes"] == ["gate", "corner-2", "corner-3", "finish"]


def test_everything_of_the_head_has_an_option(uma: Uma, tmp_path: Path) -> None:
    """What is not said is left to its default."""
    head = {
        "title": "t",
        "course": "c",
        "note": "n",
        "seed": "league/0001",
        "throws": "hand",
        "ask": "kiai style",
        "finish-checks": 2,
        "photo": "10 1",
    }
    options = [part for key, value in head.items() for part in (f"--{key}", str(value))]
    assert uma("new", "a.toml", *options).code == 0
    data = written(tmp_path / "a.toml")
    assert {key: data[key] for key in head} == head


def test_runners_come_from_another_race_and_tables_from_a_third(uma: Uma, tmp_path: Path) -> None:
    """A roster needs no format; its skills and its unknown keys come along, its answers do not."""
    (tmp_path / "roster.toml").write_text(
        '[runner.Rice]\nkiai = 3\nx-club = "tea"\n[runner.Rice.skill.Dash]\ndice = 1\n', "utf-8"
    )
    (tmp_path / "rules.toml").write_text("[table.cap]\ngate = 4\n", "utf-8")
    called = uma("new", "a.toml", "--from", "roster.toml", "--rules", "rules.toml", "--runner", "Teio")
    assert called.code == 0
    data = written(tmp_path / "a.toml")
    assert data["runner"] == {"Rice": {"kiai": 3, "x-club": "tea", "skill": {"Dash": {"dice": 1}}}, "Teio": {}}
    assert data["table"] == {"cap": {"gate": 4}}


WRONG = {
    "a runner twice": (("--runner", "Rice", "--runner", "Rice"), 2, "Rice is there twice"),
    "twins": (("--runner", "Rice", "--runner", "ｒｉｃｅ"), 2, "looks like"),
    "an unknown key": (("--runner", "Rice:speed=3"), 2, "cannot be understood"),
    "a number that is none": (("--runner", "Rice:kiai=four"), 2, "cannot be understood"),
    "a kiai of nothing": (("--runner", "Rice:kiai=0"), 2, "runner.Rice.kiai"),
    "a name of digits": (("--runner", "12"), 2, "a name is more than digits"),
    "an unknown strategy": (("--runner", "Rice:auto=bald"), 2, "runner.Rice.auto"),
    "a race without a gate": (("--scenes", "finish"), 2, "want the gate first"),
    "corners and scenes": (("--corners", "1", "--scenes", "gate finish"), 2, "not both"),
    "too many corners": (("--corners", "1000000000"), 2, "corners"),
    "a missing roster": (("--from", "nobody.toml"), 3, "uma: nobody.toml: there is no such file"),
    "an unknown photo": (("--photo", "5"), 2, "photo"),
    "an unknown thing to ask": (("--ask", "kaii"), 2, "did you mean `kiai`?"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_would_be_no_race_is_not_written(uma: Uma, tmp_path: Path, name: str) -> None:
    """One clear line, and no file."""
    arguments, code, wanted = WRONG[name]
    called = uma("new", "a.toml", *arguments)
    assert called.code == code
    assert wanted in called.err
    assert not (tmp_path / "a.toml").exists()


def test_an_old_file_is_only_replaced_with_force(uma: Uma, tmp_path: Path) -> None:
    """Without `--force` it stays as it was (6)."""
    (tmp_path / "a.toml").write_text("mine", "utf-8")
    assert uma("new", "a.toml").code == 6
    assert (tmp_path / "a.toml").read_text("utf-8") == "mine"
    assert uma("new", "a.toml", "--force").code == 0
    assert written(tmp_path / "a.toml")["format"] == 1


def test_a_race_without_runners_waits_for_them(uma: Uma) -> None:
    """It can be shown, and says what to do before it can be run."""
    uma("new", "a.toml")
    assert "no runner yet" in uma("show", "a.toml").out
    called = uma("gate", "a.toml")
    assert called.code == 4
    assert "[runner." in called.err


ROSTER = ("new", "roster.toml", *(part for n in range(12) for part in ("--runner", f"R{n}:number={n + 20},kiai={n}")))
BULK = ("new", "--count", "12", "--name", "season/第{n:03}戦.toml", "--title", "第{n}戦", "--from", "roster.toml")


def test_many_races_are_made_in_one_call(uma: Uma, tmp_path: Path) -> None:
    """Folders are made, each race has its number, title and seed, and a field drawn by that seed; again the same."""
    assert uma(*(part.replace("kiai=0", "kiai=1") for part in ROSTER)).code == 0
    called = uma(*BULK, "--field", "5", "--seed", "league")
    assert called == (0, "12 races are written: season/第001戦.toml to season/第012戦.toml\n", "")
    races = [written(path) for path in sorted((tmp_path / "season").iterdir())]
    assert [race["title"] for race in races] == [f"第{n}戦" for n in range(1, 13)]
    assert [race["seed"] for race in races] == [f"league/{n:03}" for n in range(1, 13)]
    assert {len(race["runner"]) for race in races} == {5}
    assert len({tuple(race["runner"]) for race in races}) > 6
    assert {name for race in races for name in race["runner"]} == {f"R{n}" for n in range(12)}
    assert all(race["runner"][name]["kiai"] == max(1, int(name[1:])) for race in races for name in race["runner"])
    before = {path.name: path.read_bytes() for path in (tmp_path / "season").iterdir()}
    assert uma(*BULK, "--field", "5", "--seed", "league", "--force").code == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "season").iterdir()} == before
    assert uma("gate", "--auto", *(f"season/{name}" for name in before)).code == 0


def test_a_field_is_drawn_by_chance_where_there_is_no_seed(uma: Uma, tmp_path: Path) -> None:
    """Each race has its own, and no seed."""
    assert uma(*(part.replace("kiai=0", "kiai=1") for part in ROSTER)).code == 0
    assert uma(*BULK, "--field", "6").code == 0
    races = [written(path) for path in (tmp_path / "season").iterdir()]
    assert len({tuple(race["runner"]) for race in races}) > 6
    assert all("seed" not in race for race in races)


def test_one_name_that_is_taken_refuses_the_whole_call(uma: Uma, tmp_path: Path) -> None:
    """Nothing is written, not even a folder."""
    assert uma("new", "race-7.toml").code == 0
    called = uma("new", "--count", "9", "--name", "race-{n}.toml")
    assert (called.code, called.out) == (6, "")
    assert "race-7.toml" in called.err
    assert [path.name for path in tmp_path.iterdir()] == ["race-7.toml"]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("--count", "2", "--name", "race.toml"), "no place for the number"),
        (("--count", "2", "--name", "race-{m}.toml"), "no place for the number"),
        (("--count", "2", "--name", "race-{n.__class__}.toml"), "no place for the number"),
        (("--count", "2", "--name", "race-{n:9999}.toml"), "no place for the number"),
        (("--count", "2"), "give a FILE, or --count and --name"),
        (("--name", "race-{n}.toml"), "give a FILE, or --count and --name"),
        (("a.toml", "--count", "2", "--name", "race-{n}.toml"), "give a FILE, or --count and --name"),
        ((), "give a FILE, or --count and --name"),
        (("a.toml", "--field", "2"), "--field draws from a roster"),
        (("a.toml", "--field", "9", "--from", "four.toml"), "the roster has 4 runners"),
        (("--count", "2", "--name", "{n}.toml", "--runner", "=:"), "--runner"),
        (("--count", "2", "--name", "{n}.toml", "--seed", "x" * 63), "64 characters"),
    ],
)
def test_what_cannot_be_made_is_said_once(
    uma: Uma, tmp_path: Path, four: Path, arguments: tuple[str, ...], wanted: str
) -> None:
    """One error for the call, and nothing is written."""
    called = uma("new", *arguments)
    assert called.code == 2
    assert wanted in called.err
    assert called.err.count("uma:") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["four.toml"]


def test_many_races_that_were_not_all_made_are_made_by_the_same_call(uma: Uma, tmp_path: Path) -> None:
    """What is there stays as it is, played or not."""
    call = (
        "new",
        "--count",
        "5",
        "--name",
        "r{n}.toml",
        "--seed",
        "s",
        "--runner",
        "A",
        "--runner",
        "B",
        "--if-needed",
    )
    assert uma(*call).code == 0
    assert uma("gate", "--auto", "r2.toml").code == 0
    there = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / "r4.toml").unlink()
    assert uma(*call).code == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == there
    assert uma(*call) == (0, "", "")


@pytest.mark.parametrize("name", [".r.toml.lock", ".r.toml.tmp"])
def test_a_name_that_uma_needs_itself_is_no_race(uma: Uma, tmp_path: Path, name: str) -> None:
    """What lies beside a race is cleared away by the next step of it."""
    assert uma("new", name).code == 2
    assert list(tmp_path.iterdir()) == []
