"""One door for every string: nothing that hides gets out raw, and no view takes markup from data."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.conftest import FOUR, Uma
from uma_cli import file
from uma_cli.names import check_name
from uma_cli.replay import Stand
from uma_cli.run import stand_of
from uma_cli.show import post, rows, terminal, wish
from uma_cli.talk import Talk
from uma_cli.text import MAX_MARKS, clean, json_escaped
from uma_cli.voice import Voice

ENGLISH = Voice()
EVERY = range(0x110000)
IGNORED = (
    "00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF FFA0 FFF0-FFF8"
    " 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
)
"""What Unicode has ignored by default: joiners, bidirectional marks, variation selectors, fillers, tags."""
BLANK = {0x2800, 0x1D159, 0x16FE4, 0x13441, 0x13442}
"""What shows nothing, and is neither a space nor ignored."""


def _span(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first, 16), int(last or first, 16) + 1)


UNSEEN = {point for text in IGNORED.split() for point in _span(text)} | BLANK


def hides(point: int) -> bool:
    """Whether a character is a control, a format, a separator of lines, no character, or not to be seen."""
    nothing = point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF
    return nothing or point in UNSEEN or unicodedata.category(chr(point)) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


HIDES = {chr(point) for point in EVERY if hides(point)}
TELLING = sorted(char for char in HIDES if unicodedata.category(char) != "Cs" and not "\ue010" <= char <= "\uf8f0")
TELLING = [char for char in TELLING if ord(char) < 0xE0200 or ord(char) % 0x4000 in (0, 0x3FFE)]
"""All of them but the bulk of private use, of tags that are not assigned, and what UTF-8 cannot hold."""
SEEN = [
    chr(point) for point in range(0x21, 0x40000) if chr(point) not in HIDES and unicodedata.category(chr(point)) != "Cn"
]


def parts_of(chars: Sequence[str], size: int) -> list[str]:
    """Characters in words of at most so many."""
    return ["".join(chars[place : place + size]) for place in range(0, len(chars), size)]


def hidden_in(shown: str) -> set[str]:
    """What hides in something that was shown."""
    return set(shown) & HIDES


def test_nothing_that_hides_passes_the_door() -> None:
    """Of all of Unicode what can be seen stays as it is, and all else is shown by its number."""
    known = [char for char in map(chr, EVERY) if char not in HIDES and unicodedata.category(char) != "Cn"]
    seen = "".join(f"a{char} " for char in known)
    assert clean(seen) == seen
    assert not hidden_in(clean("".join(sorted(HIDES))))
    numbers = re.findall(r"\\x(..)|\\u(....)|\\U(........)", clean("".join(sorted(HIDES))))
    assert sorted(int("".join(number), 16) for number in numbers) == sorted(map(ord, HIDES))


def test_json_loses_nothing_and_hides_nothing() -> None:
    """What hides is escaped as JSON does it, so that a program reads what the file holds."""
    every = "".join(map(chr, EVERY))
    escaped = json_escaped(json.dumps(every, ensure_ascii=False))
    assert not hidden_in(escaped)
    assert json.loads(escaped) == json.loads(json.dumps(every))


@pytest.mark.parametrize("mark", ["\u0301", "\u0489", "\u20dd", "\u0e47", "\u064b"])
def test_marks_are_not_piled_up(mark: str) -> None:
    """A letter keeps the marks that it may need, and the others are shown by their number."""
    assert clean("a" + mark * MAX_MARKS) == "a" + mark * MAX_MARKS
    assert clean("a" + mark * 50 + "b").count(mark) == MAX_MARKS


WISHES: dict[str, dict[str, Any]] = {
    "show": {},
    "log": {"log": True},
    "chat": {"chat": True},
    "chat log": {"chat": True, "log": True},
    "markdown": {"markdown": True},
    "markdown log": {"markdown": True, "log": True},
    "tsv": {"tsv": True},
    "waiting": {"waiting": True},
    "svg": {"svg": True},
    "ascii svg": {"svg": True, "ascii": True},
}


def race_of(words: str, name: str = "Rice") -> Stand:
    """A race that waits, with words wherever somebody can write some."""
    words = words if words.strip() else "x"
    line = words.replace("\n", "")
    data: dict[str, Any] = {
        "format": 1,
        "title": line,
        "course": line,
        "note": words,
        "seed": line[:64],
        "throws": "hand",
        "runner": {
            name: {"player": line[:64], "note": words, "skill": {name: {"when": "gate", "text": words}}},
            "Teio": {"auto": "steady"},
        },
        "table": {"obstacle": {"1": {"name": line[:64]}}},
        f"x-{line}": words,
        "gate": {
            "style": {"Teio": f"runaway, {line}"[:2000]},
            "note": {line[:64]: words},
            "ruling": {"Teio": {"kiai": 1, "why": words, "when": "start"}, name: {"kiai": 1, "why": words}},
        },
    }
    return stand_of(file.source_of("r.toml", tomli_w.dumps(data).encode()))


def views(race: Stand, path: str) -> Iterator[tuple[str, str]]:
    """All that can be shown of a race: the name of each view, and what it shows."""
    for view, options in WISHES.items():
        yield view, "\n".join(wish.lines(race, path, wish.Wish(**options), ENGLISH))
    paper = terminal.console(colour=True, width=100)
    with paper.capture() as shown:
        paper.print(terminal.view(race, path, ENGLISH, 100))
    yield "terminal", re.sub(r"\x1b\[[0-9;]*m", "", shown.get())
    with redirect_stdout(io.StringIO()) as told:
        Talk(ENGLISH, json=True).state(race, path)
    yield "json", told.getvalue()


@pytest.mark.parametrize("part", range(8))
def test_no_view_lets_anything_out_that_hides(part: int) -> None:
    """Every code point in a title, a note, a player, a skill, a seed, a reason, a key and a path, in every view."""
    for words in parts_of([*TELLING, *SEEN], 1500)[part::8]:
        for view, shown in views(race_of(words), words):
            breaks = "\n\t" if view in ("tsv", "waiting") else "\n"
            assert not hidden_in(shown.translate(dict.fromkeys(map(ord, breaks)))), view


def test_every_hidden_character_is_told_in_a_note_wherever_it_is_shown() -> None:
    """Nothing is dropped in silence: a reader sees the number of what she cannot see."""
    words = "".join(char for char in TELLING if not char.isspace())
    shown = dict(views(race_of(words), "r.toml"))
    for view in ("show", "log", "chat", "terminal"):
        plain = re.sub(r"\s|```", "", shown[view]).replace("\\\\", "\\")
        assert set(re.findall(r"\\[xuU][0-9a-f]+", clean(words))) <= set(re.findall(r"\\[xuU][0-9a-f]+", plain)), view


@pytest.mark.parametrize("options", [(), ("--markdown",), ("--chat",), ("--tsv",), ("--json",), ("--color", "always")])
def test_no_table_of_a_season_lets_anything_out_that_hides(uma: Uma, tmp_path: Path, options: tuple[str, ...]) -> None:
    """Players are called by words of their own there."""
    (tmp_path / "r.toml").write_text("format = 1\nseed = 1\n[runner.Rice]\nplayer = 'PLAYER'\n[runner.Teio]\n", "utf-8")
    for kind in ("gate", "corner", "corner", "finish"):
        assert uma(kind, "r.toml", "--auto").code == 0
    text = (tmp_path / "r.toml").read_text("utf-8")
    for words in parts_of(TELLING, 60):
        player = "".join(f"\\U{ord(char):08x}" for char in words if char != "\n")
        (tmp_path / "r.toml").write_text(text.replace("'PLAYER'", f'"{player}"'), "utf-8")
        called = uma("show", "--table", "--by", "player", *options, "r.toml")
        assert called.code == 0
        shown = re.sub(r"\x1b\[[0-9;]*m|[\n\t]", "", called.out + called.err)
        assert not hidden_in(shown)
        assert "\\x85" in shown or "\\u" in shown or "\\U" in shown


OPTIONS = (
    *("--check", "--dice", "--kiai", "--place", "--style", "--skill", "--pace", "--pace-die", "--npc", "--auto-for"),
    *("--ruling", "--scene", "--strategy", "--check-tie", "--color", "--lang"),
)


@pytest.mark.parametrize("option", OPTIONS)
def test_no_refusal_repeats_what_hides(uma: Uma, four: Path, option: str) -> None:
    """Whatever is typed, a message about it is one line that can be read, in text and in JSON."""
    typed = "".join(char for char in TELLING if char != "\0")
    before = four.read_bytes()
    for value in (typed, f"1={typed}", f"{typed}=1", f"特別周=ahead {typed}", f"1={typed[:90]}@{typed[90:180]}:x"):
        for more in ((), ("--json",)):
            called = uma("gate", "four.toml", option, value, *more)
            assert called.code in (2, 4), called
            assert not hidden_in((called.out + called.err).replace("\n", ""))
            assert len((called.out + called.err).splitlines()) <= 2
    assert four.read_bytes() == before


def test_paths_and_words_that_hide_are_told_by_number(uma: Uma, tmp_path: Path) -> None:
    """In results, errors and warnings, for files that are there and files that are not."""
    names = [char for char in TELLING if char not in "\0/"] + [os.fsdecode(b"\xff"), os.fsdecode(b"\x80")]
    for name in parts_of(names, 50):
        path = f"{name}.toml"
        Path(path).write_text(FOUR.replace("kiai = 4\nx-sponsor", "kaii = 4\nx-sponsor"), "utf-8")
        calls = ("gate", "gate --auto", "show", "show --waiting", "show --tsv", "show --json", "corner", "new")
        for arguments in ([*call.split(), path] for call in calls):
            called = uma(*arguments)
            assert not hidden_in((called.out + called.err).replace("\n", "").replace("\t", "")), arguments
        assert json.loads(uma("show", "--json", path).out)["file"] == path


def test_words_of_a_call_are_written_and_told_by_number(uma: Uma, four: Path) -> None:
    """A note and a reason may hold what hides; the file keeps it, and the talk shows its number."""
    words = "".join(char for char in TELLING if char != "\0")[:900] + "end"
    called = uma("gate", "four.toml", "--note", f"me={words}", "--ruling", "1=out", "--why", words)
    assert called.code == 0, called.err
    assert not hidden_in((called.out + called.err).replace("\n", ""))
    assert "\\u202e" in called.out
    assert not hidden_in(uma("show", "--log", "four.toml").out.replace("\n", ""))


def test_a_terminal_is_not_driven_by_a_file(uma: Uma, four: Path) -> None:
    """A title with a raw C1 sequence, a note with a bare carriage return and an escaped one."""
    head = 'title = "\u009b2J源"\nnote = "a\\rb\\u001b]0;hacked\\u0007"\n'
    four.write_bytes(FOUR.replace('title = "源"\n', head).encode())
    for arguments in (("show",), ("show", "--log"), ("show", "--color", "always"), ("gate",), ("show", "--json")):
        called = uma(*arguments, "four.toml")
        assert called.code == 0
        shown = re.sub(r"\x1b\[[0-9;]*m", "", called.out + called.err)
        assert not hidden_in(shown.replace("\n", ""))
        assert "9b2J" in shown


# Markup


MARKUP = st.text("ab1 :./\\`*_{}[]()<>#+-!|~=&$^@'\";?%,\t馬", max_size=40)
RENDERED = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@given(MARKUP)
@settings(max_examples=300, deadline=None)
def test_markdown_shows_words_as_they_are(words: str) -> None:
    """As a paragraph, a heading, an item and a cell they are nothing but themselves."""
    escaped = post.escaped(words)
    wanted = clean(words).strip().replace("@", post.AT)
    for begin in ("", "## ", "- "):
        inline = [token for token in RENDERED.parse(begin + escaped) if token.type == "inline"]
        told = "".join(child.content for token in inline for child in token.children or [])
        assert told == wanted
        assert {child.type for token in inline for child in token.children or []} <= {"text", "text_special"}
        assert {token.type.partition("_")[0] for token in RENDERED.parse(begin + escaped)} <= {
            *("inline", "paragraph", "heading", "bullet", "list"),
        }
    cells = RENDERED.parse(f"| a | b |\n| --- | --- |\n| {escaped} | x |")
    assert len([token for token in cells if token.type == "td_open"]) == 2


@pytest.mark.parametrize(
    "words",
    ["@everyone", "@here", "<@&123>", "<@1>", "||x||", "www.evil.example", "https://evil.example", "a@b.example"],
)
def test_nothing_pings_or_links(words: str) -> None:
    """What a chat or a forum would make a mention, a link or a spoiler of is broken up."""
    escaped = post.escaped(words)
    for live in ("@", "<", "||", "www.", "://", "b.e"):
        assert live not in re.sub(r"\\[<|:]", "", escaped)


@given(MARKUP)
@settings(max_examples=60, deadline=None)
def test_a_picture_takes_no_xml_from_words(words: str) -> None:
    """It parses, and has the elements of a picture with other words."""
    drawn, plain = (dict(views(race_of(text), "r.toml"))["svg"] for text in (words or "x", "words"))
    tags = [[element.tag for element in ElementTree.fromstring(svg).iter()] for svg in (drawn, plain)]
    assert set(tags[0]) == set(tags[1])
    title = clean(words if words.strip() else "x").strip()
    assert title in "".join(ElementTree.fromstring(drawn).itertext())


@given(MARKUP)
@settings(max_examples=100, deadline=None)
def test_rows_stay_rows_in_a_spreadsheet(words: str) -> None:
    """Whether or not its reader knows quotes, a row has its cells, and none of them is a formula."""
    race = race_of(words)
    lines = [rows.head(), *rows.rows(race, words)]
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        read = list(csv.reader(io.StringIO("\n".join(lines)), "excel-tab", quoting=quoting))
        assert [len(row) for row in read] == [len(rows.HEAD)] * 3
        assert not any(cell.lstrip()[:1] in tuple("=+-@＝＋－＠\t\r") and cell.strip() for row in read for cell in row)


@given(MARKUP)
@settings(max_examples=60, deadline=None)
def test_a_chat_block_ends_where_it_ends(words: str) -> None:
    """Each post is one block and nothing else, whatever is in it."""
    race = race_of(words)
    for told in (post.standing(race, words, ENGLISH), post.last(race, words, ENGLISH)):
        for text in post.chat(told, 200):
            assert [token.type for token in RENDERED.parse(text)] == ["fence"]


NAMES = ("[/]", "[link https//e.example]馬[/link]", "[red]a", "a[", "${x}", "%s", "{0}", "<b>", "&lt", "a|b", "x`y")


@pytest.mark.parametrize("name", NAMES)
def test_markup_in_a_name_is_only_text(uma: Uma, four: Path, name: str) -> None:
    """A terminal shows it as it is: no style, no link, no emoji."""
    assert check_name(name) is None
    four.write_text(FOUR.replace("春麗", name), "utf-8")
    for arguments in (("show",), ("show", "--color", "always"), ("show", "--log"), ("gate",)):
        called = uma(*arguments, "four.toml")
        assert called.code == 0
        assert name in called.out
        assert "\x1b]8" not in called.out


@pytest.mark.parametrize("encoding", ["cp950", "cp936", "cp932", "latin-1", "ascii"])
def test_a_narrow_encoding_says_what_it_lacks(tmp_path: Path, encoding: str) -> None:
    """A race is made, played, shown and helped with; files are UTF-8 whatever the locale, and nothing raises."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C.UTF-8", "UMA_LANG": "zh"}

    def call(*arguments: str) -> str:
        ended = subprocess.run(
            [sys.executable, "-m", "uma_cli", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        assert b"Traceback" not in ended.stderr
        return ended.stdout.decode(encoding)

    call("new", "r.toml", "--runner", "スペシャルウィーク:kiai=4", "--runner", "草上飞", "--runner", "特別週")
    call("gate", "r.toml", "--auto")
    text = (tmp_path / "r.toml").read_bytes()
    assert "草上飞".encode() in text
    assert b"\r" not in text
    shown = call("show", "r.toml")
    for char in "スペシャルウィーク草上飞特別週":
        assert char in shown or f"\\u{ord(char):04x}" in shown
    assert json.loads(call("show", "--json", "r.toml"))["runners"]
    ElementTree.fromstring(call("show", "--svg", "r.toml"))
    assert "--place" in call("gate", "--help")
