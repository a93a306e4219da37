"""Names: which can be used, which are twins, and how each is found in whatever form it is typed."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from tests.conftest import Uma, refused, told
from tests.test_output import HIDES
from uma_cli.answers import Names
from uma_cli.errors import Misused
from uma_cli.names import check_name
from uma_cli.text import clean, look
from uma_cli.voice import Voice

GOLD = "ゴールドシップ"
NAMES = (
    GOLD,
    "Café Noir",
    "スペシャルウィーク",
    "Ｒｉｃｅ",
    "ハル ウララ",
    "Straße",
    "ΟΔΟΣ",
    "특별주",
    "Nguyễn",
    "ปี่",
    "①番",
)
KNOWN = [chr(point) for point in (*range(0x40000), *range(0xE0000, 0xE0200)) if not 0xD800 <= point < 0xE000]


def typed(name: str) -> set[str]:
    """The forms in which a name may come from a keyboard, a file system, a chat or a clipboard."""
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in name)
    forms = {
        name,
        wide,
        name.upper(),
        name.lower(),
        name.swapcase(),
        f" {name} ",
        f"\u200b{name}\ufe0f",
        f"\ufeff{name}",
    }
    return {unicodedata.normalize(form, text) for text in forms for form in ("NFC", "NFD", "NFKC", "NFKD")}


def test_a_name_that_is_taken_can_be_seen_and_found() -> None:
    """Of every code point: a name that holds it is refused, or is shown as it is and found in every form."""
    for char in KNOWN:
        name = f"a{char}b"
        if check_name(name) is None:
            assert clean(name) == name
            assert unicodedata.normalize("NFC", name) == name
            for form in ("NFD", "NFKC", "NFKD"):
                assert look(unicodedata.normalize(form, name)) == look(name), hex(ord(char))
        elif unicodedata.category(char) != "Cn" and char not in HIDES:
            plain = unicodedata.normalize("NFKC", name)
            assert unicodedata.normalize("NFC", name) != name or set('=,;:@"\\') & set(plain), hex(ord(char))


@pytest.mark.parametrize("place", ["{}ab", "a{}b", "ab{}"])
def test_what_hides_is_refused_by_its_number(place: str) -> None:
    """Wherever it stands in a name; a space at an end is told as such."""
    for char in HIDES:
        why = check_name(place.format(char))
        assert why
        shown = Voice().say(why)
        assert f"U+{ord(char):04X}" in shown or (char.isspace() and "space at its ends" in shown)


REFUSED = {
    "": "not blank",
    " ": "not blank",
    "　": "not blank",
    " Rice": "no space at its ends",
    "Rice\u3000": "no space at its ends",
    "a" * 65: "at most 64 characters",
    "a\tb": "U+0009",
    "a\nb": "U+000A",
    "a\u2028b": "U+2028",
    "a\u202eb": "U+202E",
    "a\u200db": "U+200D",
    "葛\U000e0100": "U+E0100",
    "♥\ufe0f": "U+FE0F",
    "a\U000e0041": "U+E0041",
    "\u2800": "U+2800",
    "a\u3164": "U+3164",
    "a\ue000": "U+E000",
    "\u0301a": "begins with no mark",
    "Z" + "\u0334" * 5: "at most 4 of them",
    "か\u3099": "NFC",
    "a＝b": "none of",
    "a：b": "none of",
    "a；b": "none of",
    "１２": "more than digits",
    "²": "more than digits",
    "٣": "more than digits",
    "gm": "a meaning of its own",
    "ＧＭ": "a meaning of its own",
    "Rest": "a meaning of its own",
    "残り": "a meaning of its own",
    "其餘": "a meaning of its own",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_cannot_be_used_is_told_why(uma: Uma, tmp_path: Path, name: str) -> None:
    """For a runner, a skill, a fill-in and a new race alike."""
    quoted = "".join(f"\\U{ord(char):08x}" for char in name)
    for table in (
        f'[runner."{quoted}"]',
        f'[runner.A.skill."{quoted}"]',
        f'[runner.A]\n[corner-2.npc]\n"{quoted}" = ""',
    ):
        assert REFUSED[name] in told(refused(f"format = 1\n{table}\n"))
    if name == unicodedata.normalize("NFC", name.strip()):
        (tmp_path / "r.toml").write_text("format = 1\n[runner.A]\n[runner.B]\n", "utf-8")
        for call in (("new", "n.toml", "--runner", name), ("gate", "r.toml", "--npc", f"{name}=3")):
            called = uma(*call)
            assert called.code == 2, called
            assert sorted(path.name for path in tmp_path.iterdir()) == ["r.toml"]


TWINS = (
    *(("Rice", "rice"), ("Rice", "Ｒｉｃｅ"), ("スペ", "ｽﾍﾟ"), ("Straße", "STRASSE"), ("①", "①".upper()), ("ﬁn", "fin")),
    *(("ハル ウララ", "ハル　ウララ"), ("a b", "a\u00a0b"), ("Ωmega", "ωmega"), ("㈱", "(株)"), ("①番", "1番")),
)


@pytest.mark.parametrize(("one", "two"), TWINS)
def test_twins_are_refused(one: str, two: str) -> None:
    """Runners, skills of one runner, and a fill-in who looks like a runner."""
    if one == two:
        assert look(one) == look(two)
        return
    files = (
        f'[runner."{one}"]\n[runner."{two}"]',
        f'[runner.A.skill."{one}"]\n[runner.A.skill."{two}"]',
        f'[runner."{one}"]\n[corner-2.npc]\n"{two}" = "kiai 3"',
    )
    for text in files:
        error = refused(f"format = 1\n{text}\n")
        assert f"it looks like `{one}` / give one of them another name" in told(error)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "Ｒｉｃｅ"])
def test_a_name_is_found_in_every_form(name: str) -> None:
    """Decomposed, full-width, in another case, with what a clipboard brought along."""
    names = Names([name, "Other"], {}, {})
    for form in typed(name):
        assert names.find(form) == name, ascii(form)


@pytest.mark.parametrize("form", sorted(typed(GOLD)), ids=ascii)
def test_every_option_finds_a_name_in_every_form(uma: Uma, tmp_path: Path, form: str) -> None:
    """Whose answer, beside whom, on whom, which skill; the file holds the name as the file has it."""
    path = tmp_path / "r.toml"
    text = f"""format = 1
throws = "hand"
[runner."{GOLD}"]
[runner."{GOLD}".skill."{GOLD}"]
when = "gate"
target-kiai = -1
[runner.Rice]
[runner.Rice.skill."{GOLD}"]
when = "gate"
target-kiai = -1
"""
    path.write_text(text, "utf-8")
    dice = ("--check", f"{form}=3,Rice=4")
    place = ("--place", f"Rice=behind {form},{form}=front")
    skill = ("--skill", f"{form}={form} @ Rice", "--skill", f"Rice={form} @ {form}")
    more = ("--note", f"{form}=words", "--ruling", f"{form}=kiai +1", "--why", "so", "--auto-for", form)
    called = uma("gate", "r.toml", *dice, *place, *skill, *more)
    assert called.code == 0, called.err
    held = path.read_text("utf-8")
    assert form == GOLD or form not in held.replace(GOLD, "")
    assert f'"{GOLD}" = "{GOLD} @ Rice"' in held
    assert f'Rice = "{GOLD} @ {GOLD}"' in held
    assert f'[gate.ruling."{GOLD}"]' in held


def test_a_fill_in_is_written_as_names_are(uma: Uma, tmp_path: Path) -> None:
    """Typed decomposed she stands composed, and a runner typed for a fill-in is that runner."""
    path = tmp_path / "r.toml"
    path.write_text('format = 1\n[runner.Rice]\n[runner."Teio"]\n', "utf-8")
    for said, held in ((unicodedata.normalize("NFD", GOLD), GOLD), ("ｒｉｃｅ", "Rice")):
        called = uma("corner", "r.toml", "--npc", f"{said}=3")
        assert called.code == 4
        called = uma("gate", "r.toml", "--npc", f"{said}=3")
        if held == "Rice":
            assert (called.code, "Rice is in the race already" in called.err) == (4, True)
        else:
            assert called.code == 0, called.err
            assert f'"{held}" = "kiai 3"' in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "meant"),
    [("ゴールドシッブ", GOLD), ("ゴルドシップ", GOLD), ("Riec", "Rice"), ("ｒｉｅｃ", "Rice"), ("rcie", "Rice")],
)
def test_a_near_runner_is_suggested_and_never_taken(text: str, meant: str) -> None:
    """Whatever the case and the width."""
    skills: dict[str, dict[str, object]] = {GOLD: {}, "Rice": {}}
    with pytest.raises(Misused) as caught:
        Names([GOLD, "Rice"], {}, skills).runner(text)  # type: ignore[arg-type]
    assert caught.value.hint
    assert f"did you mean `{meant}`?" in Voice().say(caught.value.hint)


def test_a_skill_that_is_none_of_hers_is_reported(uma: Uma, tmp_path: Path) -> None:
    """One that differs by a mark is not hers, typed or written in the file; its full-width mark is the same."""
    path = tmp_path / "r.toml"
    skill = f'[runner."{GOLD}".skill."いいとこ入った"]\nwhen = "gate"\nkiai = 1\n'
    head = f'format = 1\n[runner.Rice]\n[runner."{GOLD}"]\n{skill}'
    path.write_text(head, "utf-8")
    called = uma("gate", "r.toml", "--skill", f"{GOLD}=いいとこ入った！")
    assert (called.code, path.read_text("utf-8")) == (2, head)
    assert f"{GOLD} has no skill `いいとこ入った!`\nhint: did you mean `いいとこ入った`?" in called.err.replace(
        "！", "!"
    )
    path.write_text(f'{head}[gate.skill]\n"{GOLD}" = "いいとこ入った！"\n', "utf-8")
    called = uma("gate", "r.toml")
    assert called.code == 4
    assert "`いいとこ入った！` is no skill of hers; she has: いいとこ入った" in called.err
    path.write_text(head.replace("いいとこ入った", "いいとこ入った！"), "utf-8")
    assert uma("gate", "r.toml", "--skill", f"{GOLD}=いいとこ入った!").code == 0
