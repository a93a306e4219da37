"""Japanese and Traditional Chinese: the catalogues are whole, and nothing English is left in what they say.

What Python or the TOML reader says of an error is quoted as it is, in backticks; so is what the system says, where it
has no words of ours.
"""

from __future__ import annotations

import ast
import errno
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from xml.etree import ElementTree

import pytest

import uma_cli
from tests.conftest import Uma
from uma_cli import system, words
from uma_cli import voice as voices
from uma_cli.file import source_of
from uma_cli.questions import CHOICES, DICE
from uma_cli.race import GRANTS, Move, Pace, Position, Race
from uma_cli.show.grid import RESULT, RUNNING
from uma_cli.show.post import escaped
from uma_cli.tables import DEFAULT_TABLES
from uma_cli.text import clean
from uma_cli.voice import FOLDER, Voice, language_of, load

ROOT = Path(uma_cli.__file__).parent
RACES = sorted((Path(__file__).parent.parent / "races").glob("*.toml"))
OTHERS = ("ja", "zh")
SPEAKS = ("say", "voice", "sentence", "self")
"""What a sentence is the first argument of; `self` within the voice itself."""


def calls(name: str | tuple[str, ...]) -> Iterator[ast.expr]:
    """The first argument of every call of a function or method of that name in the package."""
    wanted = (name,) if isinstance(name, str) else name
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                function = node.func
                called = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
                if called in wanted:
                    yield node.args[0]


def literals(name: str | tuple[str, ...]) -> set[str]:
    return {
        argument.value
        for argument in calls(name)
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


SENTENCES = literals(SPEAKS) - {""}
RULES = {"corner-N", "check-N", "-tie", "-tie-N"}
"""How the ids are said that are numbered without end."""
QUESTIONS = {question for table in (CHOICES, DICE) for questions in table.values() for question in questions} - {
    "check"
}
CHECKS = {"gate check", "finish check"}
"""The question that has a name of its own in each kind of scene."""
IDS = {
    *(str(word) for kind in (Position, Pace, Move) for word in kind),
    *QUESTIONS,
    *CHECKS,
    "photo-2",
    *literals("Word"),
    *(obstacle.name for obstacle in DEFAULT_TABLES.obstacle.values()),
    *("gate", "finish"),
    *("front", "place back", "pass", "none"),
    *("ready", "waiting", "finished"),
    *("hand", "tool", "seed"),
    *RULES,
}
KEPT = {"NPC", "GM", "cm", "TOML", "UTF", "ASCII", "NFC", "git", "uma", "Enter"}
"""What Japanese and Taiwanese players write in Latin letters too."""


def latin(text: str) -> set[str]:
    """The words in Latin letters that are not quoted in backticks, and are no dice."""
    text = re.sub(r"`[^`]*`", " ", text)
    text = re.sub(r"\b[0-9]+D[0-9]+", " ", text)
    return set(re.findall(r"[A-Za-z]{2,}", text)) - KEPT


def english(shown: str, names: set[str]) -> set[str]:
    """The English words in what was shown, beside names and commands to copy."""
    shown = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    if shown.startswith("<svg "):
        shown = " ".join(text for text in ElementTree.fromstring(re.sub("<style>.*</style>", "", shown)).itertext())
    shown = re.sub(r"(?m)^(.*?)\buma (?:new|gate|corner|finish|show) .*$", r"\1", shown)
    for name in sorted({*names, *map(escaped, names)}, key=len, reverse=True):
        shown = shown.replace(name, " ")
    return latin(shown)


def written(race: Race) -> Iterator[str]:
    """All that people have written in a race file in words of their own."""
    yield from (race.title, race.course, *race.note.splitlines(), race.seed or "")
    yield from (
        obstacle.name for obstacle in set(race.tables.obstacle.values()) - set(DEFAULT_TABLES.obstacle.values())
    )
    for name, entry in race.entries.items():
        yield from (name, entry.player, *entry.note.splitlines())
        for skill in entry.runner.skills.values():
            yield from (skill.name, skill.text)
    for record in race.records.values():
        yield from record.answers.get("npc", {})
        yield from (answer.partition(",")[2] for answer in record.answers.get("style", {}).values())
        yield from (ruling.why for ruling in record.rulings.values())
        yield from (line for note in record.notes.values() for line in note.splitlines())


def names_of(path: Path) -> set[str]:
    names = {clean(text) for text in written(source_of(path.name, path.read_bytes()).race)}
    names |= {part for name in names for part in re.split(r"; ?", name)}
    return ({escaped(name) for name in names} | names | {str(path), path.name}) - {""}


@pytest.fixture(params=OTHERS)
def lang(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each other language, which now refuses to say what it has no translation of."""

    class Strict(dict[str, str]):
        def get(self, text: str, default: object = None) -> str:
            return "" if text == "" else self[text]

    def strict(language: str) -> Mapping[str, Mapping[str, str]]:
        catalogue = load(language)
        return {"sentences": Strict(catalogue["sentences"]), "words": catalogue["words"]}

    monkeypatch.setattr(voices, "load", strict)
    return str(request.param)


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated_and_no_other(language: str) -> None:
    """The catalogue has the sentences of the source: none is missing, none is left over."""
    sentences = load(language)["sentences"]
    assert sorted(SENTENCES - set(sentences)) == []
    assert sorted(set(sentences) - SENTENCES) == []


def test_what_is_said_by_a_name_is_marked_where_it_is_written() -> None:
    """A sentence that is passed on comes from one that the source marks, or carries no text of its own."""
    assert not [ast.unparse(argument) for argument in calls("say") if isinstance(argument, ast.JoinedStr | ast.BinOp)]
    assert {*RUNNING, *RESULT} - {""} <= SENTENCES


@pytest.mark.parametrize("language", OTHERS)
def test_every_word_is_translated_and_no_other(language: str) -> None:
    """Positions, paces, moves, scenes, questions, sources, obstacles, states: each id has its name."""
    known = load(language)["words"]
    numbered = {word for word in known if re.fullmatch(r"corner-[0-9]+", word)}
    assert sorted(IDS - set(known)) == []
    assert sorted(set(known) - IDS - numbered) == []
    assert all(known.values())


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_parts_of_the_sentence(language: str) -> None:
    """The same placeholders, whatever their order; the rules for ids have their number and question."""

    def parts(text: str) -> set[str]:
        return {name for _, name, spec, conversion in Formatter().parse(text) if name is not None}

    catalogue = load(language)
    for sentence, translation in catalogue["sentences"].items():
        assert parts(translation) == parts(sentence), sentence
    rules = {"corner-N": {"n"}, "check-N": {"n"}, "-tie": {"question"}, "-tie-N": {"question", "n"}}
    for word, translation in catalogue["words"].items():
        assert parts(translation) == rules.get(word, set()), word


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_english_is_left_in_a_catalogue(language: str) -> None:
    """Options, commands, keys and ids stand in backticks; everything else is translated."""
    catalogue = load(language)
    texts = (*catalogue["sentences"].values(), *catalogue["words"].values())
    bare = {text: latin(re.sub(r"\{[a-z]+\}", "", text)) for text in texts}
    assert {text: left for text, left in bare.items() if left} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_quoted_in_english_is_quoted_in_the_translation(language: str) -> None:
    """No option of a sentence is lost: what has to be typed is typed alike in every language."""
    for sentence, translation in load(language)["sentences"].items():
        assert set(re.findall(r"--[a-z{][a-z}-]*", sentence)) == set(re.findall(r"--[a-z{][a-z}-]*", translation))


@pytest.mark.parametrize("language", OTHERS)
def test_no_sign_has_a_width_that_terminals_disagree_on(language: str) -> None:
    """East Asian ambiguous signs would put columns out of line."""
    text = (Path(FOLDER) / f"{language}.json").read_text("utf-8")
    assert {char for char in text if unicodedata.east_asian_width(char) == "A"} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_the_heads_of_a_table_differ(language: str) -> None:
    """Two columns of one table never have the same head."""
    voice = Voice(language)
    for heads in (RUNNING, RESULT):
        assert len({voice(head) for head in heads if head}) == len([head for head in heads if head])


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_is_laid_out_for_diffs(language: str) -> None:
    """Sorted keys, an indent of two, letters as they are."""
    text = (Path(FOLDER) / f"{language}.json").read_text("utf-8")
    assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


@pytest.mark.parametrize("language", OTHERS)
def test_scenes_are_understood_as_they_are_said(language: str) -> None:
    """Corners have their name by their number, in any number."""
    scenes = ["gate", *(f"corner-{number}" for number in (*range(1, 39), 9999)), "finish"]
    assert [words.scene(Voice(language).word(scene)) for scene in scenes] == scenes
    corner = {"ja": "第2コーナー", "zh": "第二彎道"}[language]
    assert Voice(language).word("corner-2") == corner


@pytest.mark.parametrize("language", OTHERS)
def test_answers_are_understood_as_they_are_said(language: str) -> None:
    """What a player reads she can type."""
    voice = Voice(language)

    def heard(answers: object, question: str, known: Mapping[str, str]) -> list[str | None]:
        assert isinstance(answers, list)
        return [words.word(voice.answer(answer, question), known) for answer in answers]

    styles = ["none", *GRANTS]
    assert heard(list(Move), "move", words.MOVES) == list(Move)
    assert heard(["fast", "average", "slow"], "pace", words.PACES) == ["fast", "average", "slow"]
    assert heard(styles, "style", words.STYLES) == styles
    assert heard(["pass"], "skill", words.PASS) == ["pass"]
    assert heard(["front", "back"], "place", words.ENDS) == ["front", "back"]
    assert [words.word(voice.word(position), words.POSITIONS) for position in Position] == list(Position)
    for side in ("ahead", "behind"):
        assert (side, "春麗") in words.places(voice.answer(f"{side} 春麗", "place"))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("question", ["check-tie", "check-tie-2", "contest-front-tie-12", "order-tie", "check-7"])
def test_numbered_questions_are_said_by_rule(language: str, question: str) -> None:
    """A roll-off names what it rolls off, and the number of a question is in its name."""
    voice = Voice(language).within("finish" if question == "check-7" else "gate")
    said = voice.word(question)
    assert latin(said) == set()
    assert voice.word(question.partition("-tie")[0]) in said
    assert re.findall("[0-9]+", said) == re.findall("[0-9]+", question)


@pytest.mark.parametrize(
    ("language", "checks"),
    [
        ("en", ["gate check", "finish check", "finish check 2", "gate check roll-off 2"]),
        ("ja", ["出走判定", "入線判定", "2回目の入線判定", "出走判定の振り直し（2回目）"]),
        ("zh", ["出閘判定", "入線判定", "第2次入線判定", "出閘判定（同點重擲，第2次）"]),
    ],
)
def test_a_question_is_called_by_its_scene(language: str, checks: list[str]) -> None:
    """The check of the gate and that of the finish have names of their own, and so have their roll-offs."""
    asked = (("gate", "check"), ("finish", "check"), ("finish", "check-2"), ("gate", "check-tie-2"))
    assert [Voice(language).within(scene).word(question) for scene, question in asked] == checks


def test_english_has_its_words_too() -> None:
    """No question is told by its id where that is no plain word."""
    assert {question for question in QUESTIONS if "-" in question and Voice().word(question) == question} == set()
    assert [words.scene(Voice().word(f"corner-{number}")) for number in range(1, 40)] == [
        f"corner-{number}" for number in range(1, 40)
    ]


def test_a_skill_that_is_called_like_a_word_keeps_its_name(uma: Uma, tmp_path: Path) -> None:
    """What a number of a check comes from is what people called it."""
    skill = '[runner.B.skill.bonus]\nwhen = "gate"\nbonus = 1\n'
    (tmp_path / "r.toml").write_text(f"format = 1\n[runner.A]\n[runner.B]\n{skill}", "utf-8")
    assert "bonus +1 =" in uma("gate", "--lang", "ja", "--auto", "r.toml").out


@pytest.mark.parametrize("language", voices.LANGUAGES)
def test_what_people_wrote_is_said_as_they_wrote_it(language: str) -> None:
    """A skill, a reason or a name that looks like a word of the game is none."""
    voice = Voice(language)
    assert voice.answer("front", "skill") == "front"
    assert voice.answer("runaway, hand", "style").endswith(", hand")
    assert voice.answer("ahead back", "place").count("back") == 1
    assert voice.word("neck-tie") == "neck-tie"
    assert voice.word("corner-x") == "corner-x"


VIEWS = (
    (),
    ("--log",),
    ("--waiting",),
    ("--chat",),
    ("--chat", "--last"),
    ("--markdown",),
    ("--markdown", "--log"),
    ("--color", "always"),
    ("--svg",),
    ("--table",),
    ("--table", "--by", "pace", "--color", "always"),
)


@pytest.mark.parametrize("view", VIEWS, ids=" ".join)
@pytest.mark.parametrize("path", RACES, ids=lambda path: path.stem)
def test_a_race_is_shown_without_english(uma: Uma, lang: str, path: Path, view: tuple[str, ...]) -> None:
    """In every view of every example race only names and commands are left as they were."""
    called = uma("show", "--lang", lang, *view, str(path))
    assert (called.code, called.err) == (0, "")
    assert english(called.out, names_of(path)) == set()


FIELD = """\
format = 1
seed = "春"
ask = "kiai style"
[runner."特別周"]
kiai = 14
throws = "hand"
[runner."特別周".skill."末脚"]
when = "gate corner finish"
kiai = 1
dice = 1
place = "runaway"
[runner."春麗"]
kiai = 4
[runner."春麗".skill."八方"]
when = "gate corner finish"
uses = 9
cancels = true
target-kiai = -1
target-bonus = -1
soften = 1
[runner."神鷹"]
kiai = 4
"""
STEPS = (
    ("gate",),
    ("gate", "--dry-run"),
    ("gate", "--kiai", "特別周=2,rest=0", "--style", "神鷹=late-start,遅刻", "--style", "特別周=none,春麗=none"),
    ("gate", "--skill", "特別周=八方"),
    ("gate", "--skill", "特別周=末脚", "--skill", "春麗=八方 @ 特別周", "--note", "春麗=よし"),
    ("gate", "--check", "特別周=1+1+1+1"),
    ("gate", "--scene", "gate", "--if-needed"),
    ("corner", "--scene", "corner-2", "--obstacle", "特別周=1"),
    ("gate", "--ruling", "春麗=kiai -1, bonus +1, finish -1", "--why", "転倒"),
    ("gate", "--dice", "春麗=roll"),
)
"""The gate of a race: what is asked there, what is given ahead, what is refused and noted."""


def played_out(uma: Uma, lang: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each call until the race is over, and what was said: of the commands proposed now this one, now that one."""
    for turn in range(200):
        state = json.loads(uma("show", "--json", "race.toml").out)
        if state["status"] == "finished":
            return
        kind = state["scene"].partition("-")[0]
        call = [kind, "race.toml"]
        if state["waiting"]:
            options = state["waiting"][0]["options"]
            call = options[turn % len(options)]["argv"][1:]
        called = uma(*call, "--lang", lang)
        assert called.code == 0, called.err
        yield tuple(call), called.out + called.err
    raise AssertionError("the race does not end")


def test_a_race_is_played_without_english(uma: Uma, lang: str, tmp_path: Path) -> None:
    """Turns that wait, options with what they mean, refusals and hints: only names and commands are left."""
    (tmp_path / "race.toml").write_text(FIELD, "utf-8")
    codes = set()
    for step in STEPS:
        called = uma(*step, "--lang", lang, "race.toml")
        codes.add(called.code)
        assert english(called.out + called.err, {"race.toml"}) == set(), step
    assert codes == {0, 2, 4}
    for call, said in played_out(uma, lang):
        assert english(said, {"race.toml"}) == set(), call
    for view in VIEWS:
        called = uma("show", "--lang", lang, *view, "race.toml")
        assert english(called.out, {"race.toml", "race"}) == set(), view


WRONG = (
    ("gate", "--check", "誰か=3", "race.toml"),
    ("gate", "--check", "特別=x", "race.toml"),
    ("gate", "--check", "rest=3", "race.toml"),
    ("gate", "--place", "特別周=横", "race.toml"),
    ("gate", "--place", "特別周=behind 特別周", "race.toml"),
    ("gate", "--pace", "speed", "race.toml"),
    ("gate", "--pace-die", "特別周=3", "race.toml"),
    ("gate", "--skill", "春麗=何か", "race.toml"),
    ("gate", "--kiai", "特別周=6", "race.toml"),
    ("gate", "--ruling", "特別周=kiai -1", "race.toml"),
    ("gate", "--ruling", "特別周=??", "--why", "転倒", "race.toml"),
    ("gate", "--why", "転倒", "race.toml"),
    ("gate", "--note", "何か", "race.toml"),
    ("gate", "--scene", "corner-2", "race.toml"),
    ("gate", "--strategy", "random", "race.toml"),
    ("gate", "--ask", "race.toml"),
    ("corner", "race.toml"),
    ("corner", "--if-needed", "race.toml"),
    ("corner", "--scene", "corner-9", "race.toml"),
    ("gate", "missing.toml"),
    ("gate", "."),
    ("new", "race.toml"),
    ("new", "x.toml", "--runner", "12"),
    ("new", "x.toml", "--runner", "春麗:kiai=many"),
    ("new", "x.toml", "--scenes", "gate corner finish"),
    ("new", "x.toml", "--corners", "3", "--scenes", "gate finish"),
    ("show", "--chat", "--markdown", "race.toml"),
    ("show", "--log", "--tsv", "race.toml"),
    ("show", "--part", "1", "race.toml"),
    ("show", "--since", "corner-3", "race.toml"),
    ("show", "--table", "--log", "race.toml"),
    ("show", "--table", "--points", "many", "race.toml"),
    ("show", "--by", "pace", "race.toml"),
    ("show", "--limit", "5", "race.toml"),
    ("show", "--part", "0", "--chat", "race.toml"),
    ("show", "--part", "race.toml"),
    ("show", "--part"),
    ("show", "--color", "blue", "race.toml"),
    ("show", "--log=1", "race.toml"),
    ("show",),
    ("new", "x.toml", "--corners", "many"),
    ("new", "x.toml", "y.toml", "z.toml"),
    ("new", "x.toml", "--throws", "foot"),
    ("gate", "--no-such", "race.toml"),
    ("gat", "race.toml"),
)


@pytest.mark.parametrize("call", WRONG, ids=" ".join)
def test_an_error_is_told_without_english(uma: Uma, lang: str, tmp_path: Path, call: tuple[str, ...]) -> None:
    """What is wrong and the hint are translated; what has to be typed is quoted."""
    (tmp_path / "race.toml").write_text(FIELD, "utf-8")
    called = uma(*call, "--lang", lang)
    assert called.code in {2, 3, 4, 5, 6}
    assert called.err.startswith("uma: ")
    assert english(called.err, {"race.toml", "missing.toml", "x.toml"}) == set()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("show", "--limit", "5", "r"), "`--limit`: 100から100000までの数にしてください"),
        (("show", "--part", "0", "r"), "`--part`: 1以上の数にしてください"),
        (("show", "--part"), "`--part` には値が必要です"),
        (("show", "--log=1", "r"), "`--log` に値は付けられません"),
        (("show", "--color", "alway", "r"), "`always` のことですか"),
        (("new", "x", "y", "z"), "`y z` は余分です"),
    ],
    ids=str,
)
def test_a_call_that_cannot_be_read_is_told_in_own_words(uma: Uma, lang: str, call: tuple[str, ...], said: str) -> None:
    """What the command line parser found is said, not quoted, with the value that it should have been."""
    if lang == "ja":
        assert said in uma(call[0], "--lang", "ja", *call[1:]).err
    assert "`" in uma(call[0], "--lang", lang, *call[1:]).err


@pytest.mark.parametrize("language", voices.LANGUAGES)
def test_what_the_system_says_is_translated(language: str) -> None:
    """The usual reasons by their numbers; what is left is quoted."""
    voice = Voice(language)
    for name in system.REASONS:
        told = voice.say(system.reason(OSError(getattr(errno, name), "English")))
        assert "English" not in told
        assert language == "en" or latin(told) == set()
    assert "English" in voice.say(system.reason(OSError(errno.EOWNERDEAD, "English")))
    assert voice.say(system.reason(OSError("no number"))).strip("`") == "no number"


def test_nobody_else_quotes_the_system() -> None:
    """Its words pass through the one place that knows ours."""
    assert [path.name for path in ROOT.rglob("*.py") if "strerror" in path.read_text("utf-8")] == ["system.py"]


def test_a_file_that_cannot_be_reached_is_told_without_english(uma: Uma, lang: str, tmp_path: Path) -> None:
    """Names too long, links in a circle, folders that are files: real faults of a real disk."""
    (tmp_path / "race.toml").write_text(FIELD, "utf-8")
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for call in (("show", "x" * 300), ("show", "a"), ("show", "race.toml/x"), ("new", "nowhere/x"), ("new", "x" * 300)):
        called = uma(*call, "--lang", lang)
        assert called.code in {3, 6}
        assert english(called.err, {"race.toml/x", "nowhere/x", "x" * 300, "uma: a:"}) == set()


BAD = (
    'kiai = 0\n[x]\nformat = "1"',
    "format = 2\n",
    'format = 1\n[runner."春"]\nkiai = "3"\n',
    "format = 1\n[runner.春]\n",
    'format = 1\nscenes = ["gate"]\n',
    'format = 1\nthrows = "foot"\n',
    'format = 1\n[runner."春"]\nfoo = 1\nbonsu = 2\n',
    'format = 1\n[table.kiai]\n3 = "7"\n',
    'format = 1\n[table.kiai]\n3 = "700D6"\n',
    'format = 1\n[table.kiai]\n3 = "7D600"\n',
    'format = 1\n[table.pace.fast]\nfront-runner = "many"\n',
    'format = 1\n[runner."春"]\n[gate.standing]\n"春" = "pace-chaser, kiai 1"\n',
    'format = 1\n[runner."春"]\n[gate.check]\n"秋" = "9"\n"春" = "9"\n',
    'format = 1\n[runner."春"]\n[gate.pace]\n"春" = "quick"\n[gate.check]\n"春" = "3, hand"\n',
    "format = 1\n<<<<<<< ours\n",
    "\ufeff\udcff",
)


@pytest.mark.parametrize("text", BAD)
def test_a_bad_file_is_told_without_english(uma: Uma, lang: str, tmp_path: Path, text: str) -> None:
    """So are the errors of a file and its warnings."""
    (tmp_path / "bad.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    called = uma("show", "--lang", lang, "bad.toml")
    assert called.err.startswith("uma: ")
    assert english(called.out + called.err, {"bad.toml"}) == set()


def test_ids_json_and_files_are_the_same_in_all_languages(uma: Uma, tmp_path: Path) -> None:
    """A language changes what is said to people, and nothing else."""
    told = []
    for language in voices.LANGUAGES:
        path = tmp_path / "race.toml"
        path.write_text(FIELD, "utf-8")
        outs = []
        for step in STEPS:
            uma(*step, "--lang", language, "race.toml")
            outs += [uma("show", shape, "--lang", language, "race.toml").out for shape in ("--json", "--tsv")]
        outs += [" ".join(call) for call, _ in played_out(uma, language)]
        told.append((outs, path.read_bytes()))
        path.unlink()
        assert uma("new", "new.toml", "--lang", language, "--runner", "春麗:kiai=4", "--force").code == 0
        told[-1][0].append((tmp_path / "new.toml").read_text("utf-8"))
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize(
    ("wanted", "environment", "language"),
    [
        ("ja", {"UMA_LANG": "zh", "LC_ALL": "C"}, "ja"),
        (None, {"UMA_LANG": "zh", "LC_ALL": "ja_JP.UTF-8"}, "zh"),
        (None, {"UMA_LANG": "en", "LANG": "ja_JP.UTF-8"}, "en"),
        (None, {"UMA_LANG": "", "LANG": "ja_JP.UTF-8"}, "ja"),
        (None, {"UMA_LANG": "tlh", "LANG": "ja_JP.UTF-8"}, "ja"),
        (None, {"LC_ALL": "zh_TW", "LC_MESSAGES": "ja_JP.UTF-8", "LANG": "C"}, "zh"),
        (None, {"LC_MESSAGES": "ja_JP.UTF-8", "LANG": "zh_TW.UTF-8"}, "ja"),
        (None, {"LANG": "zh_TW.UTF-8"}, "zh"),
        (None, {"LANG": "zh-Hant"}, "zh"),
        (None, {"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}, "en"),
        (None, {"LC_ALL": "", "LANG": "ja"}, "ja"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_the_one_asked_for_or_the_nearest_setting(
    wanted: str | None, environment: dict[str, str], language: str
) -> None:
    """`--lang` over `UMA_LANG` over LC_ALL over LC_MESSAGES over LANG; a locale of no such language is English."""
    assert language_of(wanted, environment) == language


@pytest.mark.parametrize(
    ("options", "environment", "said"),
    [
        (("--lang", "zh"), {"UMA_LANG": "ja"}, "賽事已經結束"),
        ((), {"UMA_LANG": "ja", "LC_ALL": "zh_TW"}, "レースは終了しました"),
        ((), {"LC_ALL": "zh_TW", "LANG": "ja_JP.UTF-8"}, "賽事已經結束"),
        ((), {"LANG": "ja_JP.UTF-8"}, "レースは終了しました"),
        ((), {"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}, "the race is over"),
    ],
)
def test_the_commands_obey_the_language(
    uma: Uma, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], environment: dict[str, str], said: str
) -> None:
    """What is asked for on the command line or set around it is spoken."""
    for variable in ("UMA_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert uma("show", *options, str(RACES[0])).out.splitlines()[-1] == said
