"""Bad input: each wrong thing gets one clear line, the right code, and leaves the file as it was."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tests.conftest import FOUR, Uma

RUNNER = '[runner."春麗"]\nkiai = 4\n'

BAD_FILES = {
    "format = 2": ("format = 1", "format = 2", "format: 2 is newer than this uma reads"),
    "format as text": ("format = 1", 'format = "1"', "format: want a whole number"),
    "format as true": ("format = 1", "format = true", "format: want a whole number, not true"),
    "no format": ("format = 1\n", "", "format: it is missing"),
    "format = 0": ("format = 1", "format = 0", "format: want a number from 1"),
    "kiai with a point": (RUNNER, '[runner."春麗"]\nkiai = 4.0\n', "runner.春麗.kiai: want a whole number, not 4.0"),
    "kiai too large": (RUNNER, '[runner."春麗"]\nkiai = 4111111111111111111111\n', "runner.春麗.kiai: want a number"),
    "kiai below one": (RUNNER, '[runner."春麗"]\nkiai = 0\n', "runner.春麗.kiai: want a number from 1"),
    "unknown throws": ('throws = "hand"', 'throws = "hnad"', "did you mean `hand`?"),
    "unknown strategy": (RUNNER, RUNNER + 'auto = "steddy"\n', "did you mean `steady`?"),
    "scenes without a gate": ('throws = "hand"', 'scenes = ["finish"]', "scenes: want the gate first"),
    "a corner twice": (
        'throws = "hand"',
        'scenes = ["gate", "corner-2", "corner-2", "finish"]',
        "scenes: want each scene once",
    ),
    "a scene of another name": (
        'throws = "hand"',
        'scenes = ["gate", "bend", "finish"]',
        "scenes: want corners such as corner-2",
    ),
    "an unknown photo": ('throws = "hand"', 'photo = "5"', "photo: want one of 1, 10 1"),
    "a name of digits": ('"春麗"', '"12"', "runner.12: a name is more than digits"),
    "a name with a sign": ('"春麗"', '"a=b"', "a name has none of"),
    "a name with a full-width sign": ('"春麗"', '"a：b"', "a name has none of"),
    "a name of the master's": ('"春麗"', '"GM"', "has a meaning of its own"),
    "a blank name": ('"春麗"', '" "', "a name is not blank"),
    "a name with an invisible letter": (
        '"春麗"',
        '"春\u200b麗"',
        "no control or invisible characters, as U+200B",
    ),
    "a name in NFD": ('"春麗"', '"カ\u3099"', "NFC"),
    "two names alike": (RUNNER, RUNNER + "[runner.Rice]\n[runner.rice]\n", "runner.rice: it looks like `Rice`"),
    "two of one number": (RUNNER, RUNNER + "number = 1\n", "runner.春麗.number: 1 is the number of 特別周 too"),
    "an own row that is no dice": (RUNNER, RUNNER + '[table.kiai]\n7 = "5W6"\n', "table.kiai.7: want dice such as"),
    "a row of a billion dice": (RUNNER, RUNNER + '[table.kiai]\n1 = "1000000000D6"\n', "table.kiai.1: want dice"),
    "a row of no dice": (RUNNER, RUNNER + '[table.kiai]\n1 = "0D6"\n', "table.kiai.1: want 1 to 100 dice"),
    "a row that leaves a gap": (RUNNER, RUNNER + '[table.kiai]\n17 = "4D6"\n', "the row of kiai 16 is missing"),
    "a pace cell": (RUNNER, RUNNER + '[table.pace.fast]\nlate-surger = "1-2"\n', "table.pace.fast.late-surger: want"),
    "a cap": (RUNNER, RUNNER + "[table.cap]\nscene = -1\n", "table.cap.scene: want a number from 0"),
    "an obstacle's who": (
        RUNNER,
        RUNNER + '[table.obstacle.1]\nwho = "everyone"\n',
        "table.obstacle.1.who: want one of",
    ),
    "a skill's when": (
        RUNNER,
        RUNNER + '[runner."春麗".skill.a]\nwhen = "bend"\n',
        "runner.春麗.skill.a.when: want one",
    ),
    "a skill of many dice": (RUNNER, RUNNER + '[runner."春麗".skill.a]\ndice = 95\n', "at most 100 dice"),
    "a skill called pass": (RUNNER, RUNNER + '[runner."春麗".skill.pass]\n', "runner.春麗.skill.pass"),
    "a ruling without a reason": (RUNNER, RUNNER + '[gate.ruling."春麗"]\nkiai = 1\n', "gate.ruling.春麗.why"),
    "a table that is a value": (RUNNER, RUNNER + "[gate]\ncheck = 3\n", "gate.check: want a table"),
    "a bare name": ('[runner."春麗"]', "[runner.春麗]", 'put names that are not ASCII in quotes: "..."'),
    "curly quotes": ('throws = "hand"', "throws = \u201chand\u201d", "use straight quotes"),
    "full-width digits": (RUNNER, '[runner."春麗"]\nkiai = ４\n', "write numbers in ASCII digits"),
    "a conflict": (RUNNER, "<<<<<<< HEAD\n" + RUNNER + "=======\n>>>>>>> other\n", "git conflict marker"),
    "a key twice": (RUNNER, RUNNER + "kiai = 5\n", "19: runner.春麗.kiai: it is there twice, in line 18 too"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_no_race_is_refused_by_key_path(uma: Uma, four: Path, name: str) -> None:
    """The message names the file and what is wanted; nothing is written (3)."""
    old, new, wanted = BAD_FILES[name]
    assert old in FOUR
    four.write_text(FOUR.replace(old, new), "utf-8")
    before = four.read_bytes()
    for command in ("gate", "show"):
        called = uma(command, "four.toml")
        assert called.code == 3
        assert wanted in called.err
        assert called.err.startswith("uma: four.toml:")
        assert len(called.err.strip().splitlines()) <= 2
        assert called.out == ""
    assert four.read_bytes() == before


BYTES = {
    "UTF-16, little end first": (FOUR.encode("utf-16"), "it is UTF-16, and a race file is UTF-8"),
    "UTF-16, big end first": (b"\xfe\xff" + FOUR.encode("utf-16-be"), "it is UTF-16"),
    "UTF-16 without a mark": (FOUR.encode("utf-16-le"), "it is UTF-16"),
    "UTF-16 without a mark, big end first": (FOUR.encode("utf-16-be"), "it is UTF-16"),
    "UTF-32": (FOUR.encode("utf-32"), "it is UTF-16"),
    "Big5": (FOUR.encode("big5"), ":3: it is not UTF-8 at byte 44"),
    "GBK": (FOUR.replace("無", "无").encode("cp936"), ":6: it is not UTF-8 at byte 74"),
    "Shift JIS": (FOUR.replace("鹿", "か").encode("cp932", "replace"), ":3: it is not UTF-8 at byte 44"),
    "Latin-1": ("format = 1\n# größe\n".encode("latin-1"), ":2: it is not UTF-8 at byte 15"),
    "a lone surrogate": (b"format = 1\n\n# \xed\xa0\x80\n", ":3: it is not UTF-8 at byte 14"),
    "an overlong letter": (b"format = 1\n# \xc0\xaf\n", ":2: it is not UTF-8 at byte 13"),
    "past the last character": (b"format = 1\n# \xf4\x90\x80\x80\n", ":2: it is not UTF-8 at byte 13"),
    "a letter that is cut": ("format = 1\n# 馬".encode()[:-1], ":2: it is not UTF-8 at byte 13"),
    "an error after a byte order mark": (b"\xef\xbb\xbf# \xff", ":1: it is not UTF-8 at byte 5"),
    "nothing": (b"", "format: it is missing"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it is not UTF-8 at byte 0"),
    "an archive": (b"PK\x03\x04\x14\0\0\0", "the control character U+0003 cannot stand there"),
    "a page": (b"<!DOCTYPE html>\n<html>", ":1: want"),
    "JSON": (b'{"format": 1}', ":1: want"),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_no_race_are_refused(uma: Uma, tmp_path: Path, name: str) -> None:
    """Another encoding and other kinds of file are named, with the line and the byte."""
    raw, wanted = BYTES[name]
    (tmp_path / "bad.toml").write_bytes(raw)
    for command in ("gate", "show"):
        called = uma(command, "bad.toml")
        assert called.code == 3
        assert wanted in called.err
        assert len(called.err.splitlines()) <= 2
    assert (tmp_path / "bad.toml").read_bytes() == raw


@pytest.mark.parametrize("kind", ["folder", "pipe", "socket", "/dev/null", "/dev/zero", "link to a pipe"])
def test_only_a_regular_file_is_read(uma: Uma, tmp_path: Path, kind: str) -> None:
    """A folder, a pipe, a socket, a device: at once, and nothing is left beside them."""
    (tmp_path / "folder").mkdir()
    os.mkfifo("pipe")
    Path("link to a pipe").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
        before = sorted(os.listdir())
        for command in ("gate", "corner", "show"):
            called = uma(command, kind)
            assert (called.code, called.err) == (3, f"uma: {kind}: it is no regular file\n")
        assert sorted(os.listdir()) == before


def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(
    uma: Uma, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it comes between the look at the file and its opening."""
    seen = os.stat(four)
    four.unlink()
    os.mkfifo(four)
    monkeypatch.setattr(os, "stat", lambda *_, **__: seen)
    called = uma("show", "four.toml")
    assert (called.code, called.err) == (3, "uma: four.toml: it is no regular file\n")


@pytest.mark.parametrize("path", ["missing.toml", "four.toml/x", "n" * 300, "", "loop"])
def test_a_file_that_is_not_there_is_told(uma: Uma, four: Path, path: str) -> None:
    """A path that leads nowhere, or cannot be one."""
    Path("loop").symlink_to("loop")
    for command in ("gate", "show"):
        called = uma(command, path)
        assert called.code == 3
        assert called.err.startswith("uma: ")
        assert len(called.err.splitlines()) <= 2


FORMATS = {
    "2": "format: 2 is newer than this uma reads\nhint: a newer uma is needed",
    '"1"': 'format: want a whole number, not "1"',
    "0": "format: want a number from 1 to 1000000",
    "-1": "format: want a number from 1 to 1000000",
    "true": "format: want a whole number, not true",
    "1.0": "format: want a whole number, not 1.0",
    "[1]": "format: want a whole number, not [1]",
    "{}": "format: want a whole number, not {}",
    "": "want a value",
    None: "format: it is missing\nhint: a race file begins with `format = 1`",
}


@pytest.mark.parametrize("value", FORMATS)
def test_another_format_is_refused_and_nothing_written(uma: Uma, four: Path, value: str | None) -> None:
    """A file of a newer uma, of none, or of a wrong type; a roster may have none, but no other."""
    text = FOUR.replace("format = 1\n", "" if value is None else f"format = {value}\n")
    four.write_text(text, "utf-8")
    for command in ("gate", "corner", "finish", "show"):
        called = uma(command, "four.toml")
        assert called.code == 3
        assert FORMATS[value] in called.err
    assert uma("new", "four.toml").code == 6
    for option in ("--from", "--rules"):
        assert uma("new", "n.toml", option, "four.toml").code == (0 if value is None else 3)
        (four.parent / "n.toml").unlink(missing_ok=True)
    assert four.read_text("utf-8") == text


def test_a_byte_order_mark_and_crlf_stay(uma: Uma, four: Path) -> None:
    """A file from another editor is played on as it is."""
    raw = b"\xef\xbb\xbf" + FOUR.replace("\n", "\r\n").encode()
    four.write_bytes(raw)
    assert uma("gate", "four.toml", "--check", "特別周=3+3+3").code == 0
    after = four.read_bytes()
    assert after.startswith(raw)
    assert after.count(b"\n") == after.count(b"\r\n")


def test_unknown_keys_are_kept_and_warned_about(uma: Uma, four: Path) -> None:
    """The nearest known key is named; `x-` keys are nobody's business."""
    four.write_text(FOUR.replace("kiai = 4\nx-sponsor", "kaii = 4\nx-sponsor"), "utf-8")
    called = uma("gate", "four.toml")
    assert called.code == 0
    assert "unknown key runner.神鷹.kaii is left alone; did you mean `kiai`?" in called.err
    assert "x-sponsor" not in called.err
    assert "kaii = 4" in four.read_text("utf-8")


BROKEN_RECORDS = {
    "a die out of range": ('"3 3 3, hand"', '"3 3 7, hand"', "gate.check.特別周: `3 3 7, hand` does not stand"),
    "a die too few": ('"3 3 3, hand"', '"3 3, hand"', "want 3D6: 3 faces from 1 to 6"),
    "an unknown origin": ('"3 3 3, hand"', '"3 3 3, foot"', "dice can only be marked `hand`"),
    "a choice that is none": ('"ahead 春麗"', '"ahead 駿川"', "gate.place.特別周: `ahead 駿川` does not stand"),
    "a pace in another language": ('"slow"', '"慢"', "want one of: fast, average, slow"),
    "an answer taken away": ('"特別周" = "ahead 春麗"\n', "", "gate.place.特別周 has no answer"),
    "a standing altered": (
        '"late-surger, kiai 5"\n"春麗"',
        '"late-surger, kiai 6"\n"春麗"',
        "gate.standing.神鷹: `late-surger, kiai 6` stands there, and `late-surger, kiai 5` follows",
    ),
    "dice nobody asked for": (
        "[gate.standing]",
        '[gate.rise-die]\n"春麗" = "3"\n\n[gate.standing]',
        "gate.rise-die.春麗: nobody asked for the dice `3`",
    ),
}


@pytest.mark.parametrize("name", BROKEN_RECORDS)
def test_a_record_that_does_not_follow_is_refused_with_its_line_and_cure(uma: Uma, four: Path, name: str) -> None:
    """Scene, question, runner, what stands there, what is wanted, and what to do (4)."""
    check = ("--check", "特別周=3+3+3,無聲鈴鹿=5+5+5,神鷹=4+4+4,春麗=2+2+2")
    place = ("--place", "特別周=ahead 春麗,神鷹=behind 特別周,無聲鈴鹿=ahead 特別周")
    assert uma("gate", "four.toml", *check, *place, "--pace", "slow").code == 0
    old, new, wanted = BROKEN_RECORDS[name]
    text = four.read_text("utf-8")
    assert old in text
    four.write_text(text.replace(old, new), "utf-8")
    before = four.read_bytes()
    for command in ("corner", "show"):
        called = uma(command, "four.toml")
        assert called.code == 4
        assert wanted in called.err
        assert called.err.split(":")[2].isdigit()
        assert "hint: " in called.err
    assert four.read_bytes() == before


BAD_CALLS = {
    "an unknown runner": (("--check", "特別馬=3+3+3"), 2, "did you mean `特別周`?"),
    "an unknown number": (("--check", "9=3+3+3"), 2, "there is no runner `9`"),
    "too many faces": (("--check", "1=3+3+3+3"), 4, "want 3D6: 3 faces from 1 to 6"),
    "a face too high": (("--check", "1=3+3+7"), 4, "3 faces from 1 to 6"),
    "faces with a tail": (("--check", "1=3,3,3x"), 2, "want faces such as 3+3+3"),
    "a superscript": (("--check", "1=3+3+²"), 2, "want faces such as 3+3+3"),
    "a rise over the cap": (("--kiai", "1=6"), 4, "5 is left of the cap"),
    "a rise that is none": (("--kiai", "1=-1"), 2, "want a number"),
    "an unknown style": (("--style", "1=runwaay"), 2, "did you mean `runaway`?"),
    "an unknown skill": (("--skill", "1=末脚"), 2, "特別周 has no skill `末脚`"),
    "an unknown pace": (("--pace", "1=quick"), 2, "none of fast, average, slow"),
    "a pace die of a runner": (("--pace-die", "1=3"), 2, "GM=5"),
    "a scene of another command": (("--scene", "corner-2"), 2, "is no scene of `uma gate`"),
    "an unknown strategy": (("--strategy", "stedy"), 2, "steady"),
    "a reason without a ruling": (("--why", "so"), 2, "--why goes with --ruling"),
    "a ruling that is none": (("--ruling", "1=faster", "--why", "so"), 2, "cannot be understood"),
    "a note without words": (("--note", "特別周"), 2, "a note wants a name and words"),
    "an unknown option": (("--chekc", "1=3"), 2, "--check"),
    "asking without a terminal": (("--ask",), 2, "--ask wants a terminal"),
    "a position at the start": (("--ruling", "1=late-surger,start", "--why", "so"), 4, "no position can be ruled"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_a_wrong_call_gets_one_clear_line(uma: Uma, four: Path, name: str) -> None:
    """The code tells whose fault it is, and the file is untouched."""
    arguments, code, wanted = BAD_CALLS[name]
    before = four.read_bytes()
    called = uma("gate", "four.toml", *arguments)
    assert called.code == code
    assert wanted in called.err
    assert len(called.err.strip().splitlines()) <= 2
    assert four.read_bytes() == before
