"""A race as one picture: what stands in it, where, and that it can be read."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from itertools import combinations, pairwise
from math import dist
from operator import mul
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import tomli_w
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fields import Cast, Drive, Toml, races, stand_of
from uma_cli import file, run
from uma_cli.picture import _n, picture
from uma_cli.picture.plan import COLUMN, breadth
from uma_cli.picture.style import BAND, DASHES, INK, LINES, PAGE, SOFT
from uma_cli.race import Entry, Field, Finish, Position, Race, Runner
from uma_cli.replay import Played, Stand
from uma_cli.show import wish
from uma_cli.tables import DEFAULT_TABLES, Dice
from uma_cli.text import clean
from uma_cli.voice import Voice

FILES = sorted((Path(__file__).parent.parent / "races").glob("*.toml"))
SVG = "{http://www.w3.org/2000/svg}"
TAGS = ("svg", "title", "desc", "style", "rect", "path", "polygon", "g", "text")
NASTY = (
    "]]>",
    "<script>alert(1)</script>",
    "a & b",
    "\"'",
    "🐎🏇",
    "שלום",
    "السباق",
    "\u202eevil",
    "\x07\x1b[31m",
    "﷽",
)

several = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def drawn(path: str) -> ET.Element:
    """The picture of one of the races, parsed."""
    return ET.fromstring(picture(stand(path)))


def stand(path: str) -> Stand:
    """Where one of the races stands."""
    return run.stand_of(file.read(str(FILES[0].with_name(f"{path}.toml"))))


def texts(svg: ET.Element, kind: str = "") -> list[str]:
    """All texts of a kind."""
    return [
        "".join(text.itertext()) for text in svg.iter(f"{SVG}text") if kind in text.get("class", "").split() or not kind
    ]


def nodes(svg: ET.Element) -> list[tuple[str, float, float, str]]:
    """Each node: what it is called, where its kiai stands, and its kiai."""
    found = []
    for group in svg.iter(f"{SVG}g"):
        title, text = group.find(f"{SVG}title"), group.find(f"{SVG}text")
        if title is not None and text is not None:
            found.append((title.text or "", float(text.get("x", "")), float(text.get("y", "")), text.text or ""))
    return found


def rings(svg: ET.Element, name: str) -> list[str]:
    """What is about a runner's kiai, scene by scene."""
    found = []
    for group in svg.iter(f"{SVG}g"):
        if (group.findtext(f"{SVG}title") or "").startswith(f"{name}, "):
            classes = " ".join(part.get("class", "") for part in group)
            found.append(next((ring for ring in ("best", "past", "spikes") if ring in classes.split()), ""))
    return found


def finished(*names: str, tables: object = None) -> Stand:
    """A race of one scene that is over, without the names having passed a file: the second is out, the third an NPC."""
    runners = {
        name: Runner(name, place, npc=place == 3, injury=place == 1, position=Position.RUNAWAY)
        for place, name in enumerate(names, 1)
    }
    race = Race(title=names[0], course=names[-1], entries={name: Entry(runner) for name, runner in runners.items()})
    there = {name: runner for name, runner in runners.items() if runner.number != 2}
    lines = tuple(Finish(name, place, 9, place, place, npc=False) for place, name in enumerate(there, 1))
    out = tuple(runner for runner in runners.values() if runner.number == 2)
    field = Field(DEFAULT_TABLES, there, out, finishes=lines)
    played = Played("finish", field, True, (), (), (), (), {})
    return Stand(race, (played,), field, field, "finish", "finished")


@several
def test_it_is_one_svg_that_needs_nothing_else(path: Path) -> None:
    """No script, link, font, image or address but the namespace; a title and a description for who cannot see it."""
    text = picture(stand(path.stem))
    svg = ET.fromstring(text)
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} <= set(TAGS)
    assert re.findall(r"https?:[^\"]*|url\(|@import|href", text) == ["http://www.w3.org/2000/svg"]
    assert svg.get("role") == "img"
    ids = {element.get("id"): element.text for element in svg if element.get("id")}
    assert list(ids) == svg.get("aria-labelledby", "").split()
    assert all(ids.values())
    assert svg.get("viewBox") == f"0 0 {svg.get('width')} {svg.get('height')}"


@several
def test_the_same_race_is_the_same_picture(path: Path) -> None:
    """Byte for byte, with one decimal at most."""
    text = picture(stand(path.stem))
    assert text == picture(stand(path.stem))
    assert not re.search(r"[0-9]\.[0-9]{2}|[0-9]e[+-]?[0-9]|nan|inf", re.sub("<(g|title|desc|text|style).*", "", text))


@several
def test_every_runner_is_named_at_both_ends(path: Path) -> None:
    """Also who was taken out, and who joined."""
    svg = drawn(path.stem)
    where = stand(path.stem)
    names = texts(svg, "name")
    for runner in (*where.field, *where.field.out):
        assert names.count(clean(runner.name)) == 2


@several
def test_each_scene_shows_the_running_order_and_kiai(path: Path) -> None:
    """From front to back in each scene; scenes from left to right."""
    where, found = stand(path.stem), nodes(drawn(path.stem))
    columns = []
    for played in where.played:
        here = sorted((y, x, name, kiai) for name, x, y, kiai in found if f", {Voice().word(played.scene)}: " in name)
        assert [(name.split(", ")[0], kiai) for _, _, name, kiai in here] == [
            (clean(runner.name), str(runner.kiai)) for runner in played.field
        ]
        columns.append({x for _, x, _, _ in here})
    assert all(len(column) == 1 for column in columns)
    assert all(max(right) - max(left) >= COLUMN for left, right in pairwise(columns))


@several
def test_nothing_is_cut_and_no_row_stands_in_another(path: Path) -> None:
    """Each text has the room that it may take, within the picture; each node its own place."""
    svg = drawn(path.stem)
    for text in svg.iter(f"{SVG}text"):
        kind, words, x = text.get("class", ""), text.text or "", float(text.get("x", ""))
        room = breadth(words, kind)
        start = x - (room if "end" in kind else room / 2 if "mid" in kind else 0)
        assert 0 <= start <= start + room <= float(svg.get("width", ""))
        assert 0 < float(text.get("y", "")) < float(svg.get("height", ""))
    places = sorted((x, y) for _, x, y, _ in nodes(svg))
    assert all(below - above >= 50 for (left, above), (right, below) in pairwise(places) if left == right)


def test_positions_are_bands_with_names() -> None:
    """One for each position that anybody has, from front to back; a runaway is called so in the front-runner's."""
    svg = drawn("derby")
    assert texts(svg, "band") == ["front-runner", "pace-chaser", "late-surger", "end-closer"]
    assert texts(svg, "tag") == ["runaway"] * 4
    assert texts(drawn("late-start"), "band")[-1] == "late-start"


def test_kiai_is_marked_against_the_sweet_spot_and_the_overheating() -> None:
    """A ring at the best row of the table, a broken one past it, spikes above the last row."""
    svg = drawn("derby")
    assert rings(svg, "Quiet Harbour") == ["", "", "", "best", "best"]
    assert rings(svg, "Copper Lark") == ["", "", "past", "spikes", "spikes"]
    assert "the sweet spot: kiai 10 rolls the most (6D6)" in texts(svg)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_legend_tells_of_what_occurs_only(path: Path) -> None:
    """A sign that is nowhere in the picture needs no words."""
    where = stand(path.stem)
    fields = [where.race.start(), *(played.field for played in where.played)]
    hot = any(where.race.tables.overheated(runner.kiai) for field in fields for runner in field)
    assert any(text.startswith("overheating: ") for text in texts(drawn(path.stem))) == hot


def test_the_sweet_spot_is_that_of_the_races_own_table() -> None:
    """A race whose table has its best row elsewhere marks that one."""
    where = stand("derby")
    tables = where.race.tables._replace(kiai=(Dice(1), Dice(2), Dice(3), Dice(2), Dice(1)))
    svg = ET.fromstring(picture(where._replace(race=where.race._replace(tables=tables))))
    assert rings(svg, "霜月")[0] == "best"
    assert rings(svg, "秋聲")[0] == "past"
    assert rings(svg, "Midnight Ferry") == ["past", *["spikes"] * 4]


def test_flags_are_told_in_words() -> None:
    """NPC, injury check, out and joining stand in words at the ends of the way, not in colours only."""
    notes = texts(drawn("derby"), "note")
    assert "no. 8, NPC" in notes
    assert "score 15, 9 lengths, injury check" in notes
    assert "out in second corner" in texts(drawn("rulings"), "note")
    assert "joins in first corner, NPC" in texts(drawn("fill-in"), "note")


def test_photo_and_dead_heat_are_told_in_words() -> None:
    """Centimetres behind, who was first in the photo, and who shares a place."""
    notes = texts(drawn("ten-centimetres"), "note")
    assert {"score 20, first in the photo", "score 20, photo +9 cm", "score 20, photo +20 cm"} <= set(notes)
    svg = drawn("dead-heat")
    assert texts(svg, "note").count("score 18, dead heat") == 2
    assert [place for place in texts(svg, "head") if place.isdigit()] == ["1", "1", "3"]


@several
def test_lengths_are_drawn_to_scale(path: Path) -> None:
    """Each runner's way ends as many lengths before the line as she is behind, by the axis."""
    where, svg = stand(path.stem), drawn(path.stem)
    lines = {line.name: line for line in where.result or () if line.place is not None}
    ways = [way.get("d", "") for way in svg.iter(f"{SVG}path") if "way" in way.get("class", "").split()]
    ends = sorted(float(way.rpartition("H")[2]) for way in ways if "H" in way)
    assert len(ends) == len(lines)
    lengths = sorted((line.lengths for line in lines.values()), reverse=True)
    far = max(lengths, default=0)
    for end, behind in zip(ends, lengths, strict=True):
        assert end == pytest.approx(ends[-1] - behind / (far or 1) * (ends[-1] - ends[0]), abs=0.11)
    axis = [
        float(way.get("d", "")[1:].split(" ")[0]) for way in svg.iter(f"{SVG}path") if "axis" in way.get("class", "")
    ]
    assert axis[:1] == ends[-1:]


def test_a_race_that_waits_is_drawn_as_far_as_it_got() -> None:
    """The open scene is called waiting, and she who is to answer knows it."""
    svg = drawn("waiting")
    assert texts(svg, "head") == ["start", "gate", "second corner"]
    assert "waiting" in texts(svg, "note")
    assert "pace-chaser, kiai 6, to answer: move" in texts(svg, "note")
    assert "福島 1700 m · second corner is waiting · 2 more to come" in texts(svg, "note")


def test_a_race_before_the_gate_is_its_field() -> None:
    """By number, with the kiai that each has; a race of nobody says so."""
    svg = ET.fromstring(picture(stand_of("format = 1\n[runner.B]\nnumber = 2\nkiai = 4\n[runner.A]\nnumber = 1\n")))
    assert texts(svg, "name") == ["A", "B"]
    assert [kiai for _, _, _, kiai in nodes(svg)] == ["1", "4"]
    assert texts(ET.fromstring(picture(stand_of("format = 1\n")))) == [
        "A race",
        "next: gate · 3 more to come · no runner yet",
    ]


def test_many_runners_have_each_a_line_of_their_own_look() -> None:
    """Sixty-four colours and dashes, no two alike; the picture grows."""
    names = [f"Runner {number}" for number in range(64)]
    svg = ET.fromstring(picture(finished(*names)))
    ways = [way for way in svg.iter(f"{SVG}path") if "way" in way.get("class", "").split()]
    assert len({(way.get("class"), way.get("stroke-dasharray")) for way in ways}) == 64
    assert float(svg.get("height", "")) > 64 * 50
    assert len(DASHES) == len(LINES) == 8


def test_a_name_that_is_too_long_is_fitted() -> None:
    """The longest name that a file can hold has a column of its own breadth; beyond that it is pressed together."""
    svg = ET.fromstring(picture(finished("春" * 64, "\ue000" * 64)))
    long, pressed = (
        next(text for text in svg.iter(f"{SVG}text") if text.text == clean(name) and "name" in text.get("class", ""))
        for name in ("春" * 64, "\ue000" * 64)
    )
    assert long.get("textLength") is None
    assert pressed.get("textLength") == "1200"


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text(min_size=1, max_size=64), min_size=1, max_size=4, unique=True))
@example(list(NASTY))
@example(["\ud800", "\ufffe", "\u0301", "\u2028"])
def test_any_name_is_shown_clean_and_escaped(names: list[str]) -> None:
    """Whatever a name holds, it parses as XML, nothing invisible is raw, and the text is the cleaned name."""
    text = picture(finished(*names))
    assert not {unicodedata.category(char) for char in text.replace("\n", "")} & {
        "Cc",
        "Cf",
        "Cs",
        "Co",
        "Zl",
        "Zp",
    }
    svg = ET.fromstring(text.encode())
    assert sorted(texts(svg, "name")) == sorted(map(clean, names * 2))
    assert svg.findtext(f"{SVG}title") == clean(names[0])
    assert {element.tag.removeprefix(SVG) for element in svg.iter()}.isdisjoint(
        {"script", "image", "a", "foreignObject"}
    )


@settings(deadline=None, max_examples=8, suppress_health_check=list(HealthCheck))
@given(races(most=6), st.builds(Cast, st.integers(0, 10**6)))
def test_a_race_can_be_drawn_at_any_moment(race: Toml, cast: Cast) -> None:
    """Whatever waits, whoever is out or has joined: all are in the picture."""
    for _, where in Drive(tomli_w.dumps(race), cast):
        names = texts(ET.fromstring(picture(where)), "name")
        assert {clean(runner.name) for runner in (*where.field, *where.field.out)} <= set(names)


VISIONS = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
)
"""What full colour vision, deuteranopia, protanopia and tritanopia make of linear RGB (Machado and others, 2009)."""
SRGB = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0178, 0.1095, 0.8727))
"""Linear RGB to XYZ, with white at 1."""


def linear(colour: str) -> list[float]:
    """A colour as linear RGB."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def seen(colour: str, vision: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """A colour as somebody sees it, in CIE Lab."""
    rgb = [min(1, max(0, sum(map(mul, row, linear(colour))))) for row in vision]
    x, y, z = (max(1e-6, sum(map(mul, row, rgb))) ** (1 / 3) for row in SRGB)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("dark", [0, 1])
@pytest.mark.parametrize("vision", VISIONS)
def test_runners_are_told_apart_with_any_colour_vision(vision: tuple[tuple[float, ...], ...], dark: int) -> None:
    """Any two of their colours are ten times as far apart as can just be noticed."""
    for one, other in combinations((seen(pair[dark], vision) for pair in LINES), 2):
        assert dist(one, other) > 23


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG has it."""
    return float(sum(map(mul, SRGB[1], linear(colour))))


@pytest.mark.parametrize("dark", [0, 1])
def test_all_can_be_read_in_light_and_dark(dark: int) -> None:
    """Texts stand out 4.5 to 1 and lines 3 to 1, on the page and on a band (WCAG AA)."""

    def contrast(one: str, other: str) -> float:
        low, high = sorted((luminance(one), luminance(other)))
        return (high + 0.05) / (low + 0.05)

    for ground in (PAGE, BAND):
        assert all(contrast(ink[dark], ground[dark]) >= 4.5 for ink in (INK, SOFT))
        assert all(contrast(line[dark], ground[dark]) >= 3 for line in LINES)
    assert "@media (prefers-color-scheme:dark)" in picture(stand("derby"))


def test_numbers_are_short() -> None:
    """One decimal at most."""
    assert [_n(number) for number in (1, 1.0, 1.25, 12345.06)] == ["1", "1", "1.2", "12345.1"]


def test_loading_it_is_cheap() -> None:
    """It brings nothing along that the rulebook does not have already."""
    code = "import sys, uma_cli.replay; had = set(sys.modules); import uma_cli.picture; print(*set(sys.modules) - had)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded) <= {
        "uma_cli.picture",
        "uma_cli.picture.plan",
        "uma_cli.picture.style",
        "uma_cli.text",
        "uma_cli.voice",
        "_bisect",
        "bisect",
        "math",
        "unicodedata",
    }


def spots(path: str) -> list[tuple[float, float]]:
    """Points along a way, close together."""
    found: list[tuple[float, float]] = []
    for letter, numbers in re.findall("([MCLH])([^MCLH]*)", path):
        at = [float(number) for number in numbers.split()]
        if letter == "M":
            found.append((at[0], at[1]))
            continue
        points = (
            [found[-1], *zip(at[::2], at[1::2], strict=True)] if letter != "H" else [found[-1], (at[0], found[-1][1])]
        )
        if letter != "C":
            points = [points[0], points[0], points[1], points[1]]
        for step in range(1, 201):
            t = step / 200
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            x = sum(weight * point[0] for weight, point in zip(weights, points, strict=True))
            y = sum(weight * point[1] for weight, point in zip(weights, points, strict=True))
            found.append((x, y))
    return found


@several
def test_no_line_crosses_the_name_of_a_band(path: Path) -> None:
    """Lines run level where the names of the positions stand."""
    svg = drawn(path.stem)
    ways = [way.get("d", "") for way in svg.iter(f"{SVG}path") if "way" in way.get("class", "").split()]
    points = [point for way in ways for point in spots(way)]
    for text in svg.iter(f"{SVG}text"):
        if text.get("class") == "band":
            left, below = float(text.get("x", "")), float(text.get("y", ""))
            right = left + breadth(text.text or "", "band")
            assert not [(x, y) for x, y in points if left <= x <= right and below - 11 <= y <= below + 4]


@several
def test_no_two_texts_overlap(path: Path) -> None:
    """Whoever stands where: all names, notes and numbers have their own room."""
    boxes = []
    for text in drawn(path.stem).iter(f"{SVG}text"):
        kind, words, x, y = text.get("class", ""), text.text or "", float(text.get("x", "")), float(text.get("y", ""))
        room = breadth(words, kind)
        left = x - (room if "end" in kind.split() else room / 2 if "mid" in kind.split() else 0)
        boxes.append((left, left + room, y - 10, y + 2, words))
    for one, other in combinations(boxes, 2):
        apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
        assert apart, (one[4], other[4])


@several
def test_the_legend_stands_in_columns(path: Path) -> None:
    """Its signs are as far apart in every row."""
    svg = drawn(path.stem)
    plain = {
        float(node.get("x", "")) + float(node.get("width", "")) / 2
        for node in svg.iter(f"{SVG}rect")
        if node.get("class") == "node plain"
    }
    gaps = [round(right - left) for left, right in pairwise(sorted(plain))]
    assert max(gaps, default=0) - min(gaps, default=0) <= 1


def test_it_fits_into_the_window_that_shows_it() -> None:
    """Alone in a browser it is no wider than the window, on a page of its own colour; in a page it has its own size."""
    text = picture(stand("derby"))
    assert ".uma{max-width:100%;height:auto}" in text
    assert f".uma{{background:{PAGE[0]}}}" in text
    assert f".uma{{background:{PAGE[1]}}}" in text
    assert re.search(r'<svg [^>]*width="\d[\d.]*" height="\d[\d.]*"', text)


def test_a_race_without_a_title_is_called_by_its_file(tmp_path: Path) -> None:
    """The title of the picture says which race it is."""
    race = tmp_path / "spring cup.toml"
    race.write_text("format = 1\n[runner.A]\n", "utf-8")
    svg = ET.fromstring(
        "".join(wish.lines(run.stand_of(file.read(str(race))), str(race), wish.Wish(svg=True), Voice()))
    )
    assert svg.findtext(f"{SVG}title") == "spring cup"
    assert "spring cup" in texts(svg, "title")
