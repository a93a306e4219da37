"""TOML that is none, or that only newer parsers accept: the line, the cure, and the same answer everywhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import refused, told
from tests.test_languages import latin
from uma_cli import file, schema
from uma_cli.parse import parse

HEAD = "format = 1\n"

WRONG_TOML = {
    "a key twice": ("a = 1\nb = 2\na = 3", 4, "a: it is there twice, in line 2 too / keep one of the two"),
    "a key of a table twice": ("[a]\nb = 1\nb = 1", 4, "a.b: it is there twice, in line 3 too"),
    "a table twice": ("[a]\n[b]\n[a]", 4, "a: it is there twice, in line 2 too"),
    "a table over a value": ("a = 1\n[a]", 3, "a: it is there twice"),
    "a value over a table": ("[a.b]\n[a]\nb = 1", 4, "a.b: it is there twice, in line 2 too"),
    "a key of braces twice": ("a = { b = 1, b = 2 }", 2, "a key or a table is there twice"),
    "a table over one in braces": ("a = {}\n[a.b]", 3, "a key or a table is there twice"),
    "a bare name": ("[runner.春麗]", 2, "`春` (U+6625) stands outside quotes / put names that are not ASCII in quotes"),
    "a bare name after others": ("[runner.Rice春]", 2, "`春` (U+6625) stands outside quotes"),
    "curly quotes": ("title = “x”", 2, "`“` (U+201C) stands outside quotes / use straight quotes"),
    "corner quotes": ("title = 「x」", 2, "use straight quotes"),
    "a full-width quote": ("title = ＂x＂", 2, "use straight quotes"),
    "full-width digits": ("kiai = ４", 2, "write numbers in ASCII digits"),
    "a full-width space": ("kiai =　4", 2, "`　` (U+3000) stands outside quotes / write signs and spaces in ASCII"),
    "a full-width sign": ("kiai ＝ 4", 2, "write signs and spaces in ASCII"),
    "a no-break space": ("kiai =\u00a04", 2, "(U+00A0) stands outside quotes / write signs and spaces in ASCII"),
    "a second byte order mark": ("\ufeffkiai = 4", 2, "(U+FEFF) stands outside quotes"),
    "no value": ("kiai =", 2, 'want a value / text stands in quotes: "..."'),
    "a word without quotes": ("title = spring", 2, 'want a value / text stands in quotes: "..."'),
    "words without quotes": ("title = 1 more", 2, "want a new line after a value"),
    "no equals sign": ("kiai 4", 2, "want `=` after a key"),
    "a key alone": ("kiai", 2, "want `=` after a key"),
    "no key": ("= 4", 2, "want a key, or a table in brackets"),
    "a table that does not close": ("[runner", 2, "want `]` at the end of the name of a table"),
    "a list that does not close": ('scenes = ["gate",\n', 2, "a list has no end / put `]` at its end"),
    "braces that do not close": ("gate = { a = 1", 2, "a table in braces has no end / put `}` at its end"),
    "quotes that do not close": ('title = "x\nkiai = 4', 2, "a text in quotes has no end / put the same quotes"),
    "single quotes that do not close": ("title = 'x\nkiai = 4", 2, "a text in quotes has no end"),
    "three quotes that do not close": ('note = """x\nkiai = 4\n', 2, "a text in quotes has no end"),
    "a control character": ("title = 'a\x00b'", 2, "the control character U+0000 cannot stand there"),
    "a control character in a comment": ("# \x1b[2J", 2, "the control character U+001B cannot stand there / delete it"),
    "old line ends": ("a = 1\rb = 2", 2, "the control character U+000D cannot stand there"),
    "an escape of Windows": ('course = "C:\\new\\dir"', 2, "`\\d` is no escape / a backslash is written twice"),
    "half an escape": ('title = "\\u12"', 2, "`\\u` is no escape"),
    "an escaped surrogate": ('title = "\\ud800"', 2, "`\\u` is no escape"),
    "an escape past the last character": ('title = "\\U00110000"', 2, "`\\U` is no escape"),
    "no such day": ("x-a = 2025-02-30", 2, "there is no such date or time"),
    "a conflict": ("<<<<<<< ours\na = 1\n=======\na = 2\n>>>>>>> theirs", 2, "there is a git conflict marker / settle"),
    "the end of a conflict": ("a = 1\n>>>>>>> theirs", 3, "git conflict marker"),
    "a conflict of three": ("a = 1\n||||||| base\n=======", 3, "git conflict marker"),
    "a conflict with CRLF": ("a = 1\r\n<<<<<<< ours\r\n", 3, "git conflict marker"),
    "a conflict in a text": ('note = """\n<<<<<<< ours\n"""', 3, "git conflict marker"),
    "a marker without a name": ("<<<<<<<\n", 2, "git conflict marker"),
}


@pytest.mark.parametrize("name", WRONG_TOML)
def test_wrong_toml_is_told_in_our_own_words(name: str) -> None:
    """The line, what is wrong and the cure; in no language is a word of the parser's left."""
    text, line, wanted = WRONG_TOML[name]
    error = refused(HEAD + text)
    assert wanted in told(error)
    assert error.line == line
    for language in ("ja", "zh"):
        assert latin(re.sub(r"U\+[0-9A-F]+", "", told(error, language))) == set()


@pytest.mark.parametrize("text", ["=======\n", "<<<<<< six\n", " <<<<<<< indented\n", "# <<<<<<< a comment\n"])
def test_what_only_looks_like_a_conflict_is_none(text: str) -> None:
    """A row of `=` and the like may stand in a note."""
    assert file.source_of("r.toml", f'{HEAD}note = """\n{text}"""\n'.encode()).race.note == text


NEWER_TOML = {
    "a line break in braces": ("a = {\n b = 1 }", "a table in braces stands on one line"),
    "a comment in braces": ("a = { b = 1 # one\n}", "a table in braces stands on one line"),
    "a line break in braces in a list": ("a = [\n { b = 1,\n c = 2 } ]", "a table in braces stands on one line"),
    "a comma at the end of braces": ("a = { b = 1, }", "there is a comma before `}`"),
    "the escape of Escape": ('a = "\\e"', "`\\e` is no escape"),
    "a short escape": ('a = "\\x41"', "`\\x` is no escape"),
    "a short escape over lines": ('a = """\n\\x41"""', "`\\x` is no escape"),
    "a time without seconds": ("a = 07:32", "a time has seconds: `07:32`"),
    "a day and a time without seconds": ("a = 1979-05-27T07:32", "a time has seconds"),
    "a day, a space and a time": ("a = 1979-05-27 07:32", "a time has seconds"),
    "a time of a zone": ("a = 1979-05-27T07:32Z", "a time has seconds"),
    "a time of another zone": ("a = 1979-05-27t07:32+09:00", "a time has seconds"),
    "a bare key of letters": ("größe = 1", "stands outside quotes"),
}
SOUND_TOML = (
    "a = { b = [\n1,\n2, # two\n] }",
    "a = [ { b = 1 }, { c = 2 }, ]",
    'a = "\\b\\t\\n\\f\\r\\"\\\\\\u00e9\\U0001f3c7"',
    'a = """\\\n   x\\\r\n y \\   \n z"""',
    "a = '\\x41\\e'",
    "a = '''\n\\x41 \"\"\" '' '''",
    'a = """"quoted"""""',
    "a = 07:32:00\nb = 1979-05-27T07:32:00.5+09:00\nc = 1979-05-27 07:32:00Z\nd = 1979-05-27",
    '"größe" = "größe" # größe',
    'a = { "}" = \'{\', b = """},\n""" }',
    "a.'b'.\"c\" = 0xff\nd = +1_000.5e-3",
    "\r\n# comment\r\na = 1\r\n\r\n",
)


@pytest.mark.parametrize("name", NEWER_TOML)
def test_toml_that_only_newer_parsers_accept_is_refused_by_us(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By our own look at it: a parser that took it would not be asked."""
    text, wanted = NEWER_TOML[name]
    monkeypatch.setattr(tomllib, "loads", lambda _: {"format": 1})
    error = refused(HEAD + text)
    assert wanted in told(error)
    assert error.line


@pytest.mark.parametrize("text", SOUND_TOML)
def test_sound_toml_is_read(text: str) -> None:
    """Our own look at it refuses nothing that TOML 1.0 has."""
    assert parse(text) == tomllib.loads(text)


def other_pythons() -> Iterator[str]:
    """Pythons of other versions that can be found and started."""
    names = [f"python3.{minor}" for minor in range(11, 20)]
    kept = sorted(map(str, Path("~/.pyenv/versions").expanduser().glob("3.*/bin/python3")))
    for name in [*filter(None, map(shutil.which, names)), *kept]:
        ran = subprocess.run(
            [name, "-c", "import sys; print(sys.version_info[:2] >= (3, 11))"], capture_output=True, check=False
        )
        if ran.stdout.strip() == b"True":
            yield name


SAYS = """
import sys, json
sys.path[:0] = json.loads(sys.argv[1])
from uma_cli.file import source_of
from uma_cli.errors import UmaError
from uma_cli.voice import Voice
def said(text):
    try:
        return source_of("r", text.encode()).race.title
    except UmaError as error:
        return [error.code, error.line, Voice().say(error.what)]
print(json.dumps([said(text) for text in json.load(sys.stdin)]))
"""


def test_every_python_gives_the_same_answer() -> None:
    """Right and wrong files, old and new TOML: code, line and words do not depend on the Python."""
    wrong = [text for text, _, _ in WRONG_TOML.values()] + [text for text, _ in NEWER_TOML.values()]
    values = ("0x_1", "1__0", "+-1", ".5", "nan", "1e", "00", "1979-13-01")
    texts = [HEAD + text for text in (*wrong, *SOUND_TOML, *(f"title = {value}" for value in values))]
    here = [str(Path(schema.__file__).parent.parent), *(path for path in sys.path if "site-packages" in path)]
    answers = {}
    for python in {sys.executable, *other_pythons()}:
        argv = [python, "-B", "-c", SAYS, json.dumps(here)]
        ran = subprocess.run(argv, input=json.dumps(texts), capture_output=True, text=True, check=True)
        answers[python] = json.loads(ran.stdout)
    assert [python for python, answer in answers.items() if answer != answers[sys.executable]] == []
    assert len(answers[sys.executable]) == len(texts)
