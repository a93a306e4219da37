"""The manual pages say what the commands and the reader of race files know, and every formatter takes them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import click
import pytest

from uma_cli import cli, errors, words
from uma_cli.file import source_of
from uma_cli.keys import Keys
from uma_cli.questions import is_dice, is_question
from uma_cli.race import kind_of
from uma_cli.replay import Stand, replay
from uma_cli.schema import read_race
from uma_cli.season import GROUPINGS, POINTS, Season
from uma_cli.show import season as tables
from uma_cli.state import state
from uma_cli.table import Rolled

ROOT = Path(__file__).parent.parent
MAN = ROOT / "man"
PAGES = sorted(path.name for path in MAN.glob("uma*.[0-9]"))
COMMANDS = tuple(cli.COMMANDS)
SCENES = ("gate", "corner", "finish")


def source(page: str) -> str:
    """The source of a page."""
    return (MAN / page).read_text("utf-8")


def section(page: str, title: str) -> str:
    """What stands under a title, up to the next one of its rank."""
    mark = re.search(rf"^\.(S[hs]) {re.escape(title)}$", source(page), re.MULTILINE)
    assert mark, f"{page} has no {title}"
    after = source(page)[mark.end() :]
    return re.split(r"^\.Sh |^\.S[hs] " if mark[1] == "Ss" else r"^\.Sh ", after, maxsplit=1, flags=re.MULTILINE)[0]


def items(page: str, title: str) -> set[str]:
    """The words that are told of in the lists of a section, before its first part."""
    text = section(page, title).partition("\n.Ss ")[0]
    tags = re.findall(r"^\.It Cm ([a-z0-9_ ,-]+)", text, re.MULTILINE)
    return {word for tag in tags for word in tag.replace(",", " ").split()}


def shown(page: str) -> list[str]:
    """The displays of a page, as a reader sees them."""
    displays = re.findall(r"^\.Bd -literal.*\n((?:.*\n)*?)\.Ed$", source(page), re.MULTILINE)
    return [text.replace("\\-", "-").replace("\\e", "\\").replace("\\(ti", "~").replace("\\&", "") for text in displays]


def test_every_command_has_a_page() -> None:
    """One page for uma, one for each command, one for the file and one for the rules."""
    assert sorted(["uma.1", *(f"uma-{name}.1" for name in COMMANDS), "uma-race.5", "uma-rules.7"]) == PAGES


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_found_by_its_name(page: str) -> None:
    """The title, the section and the name in a page are those of its file."""
    name, _, number = page.rpartition(".")
    assert source(page).splitlines()[0].startswith(".Dd ")
    assert f"\n.Dt {name.upper()} {number}\n.Os\n.Sh NAME\n.Nm {name}\n" in source(page)


Option = tuple[tuple[str, ...], bool]
"""The ways to write an option, and whether it takes a value."""


def told(page: str) -> set[Option]:
    """The options that a page tells of."""
    options = set()
    for tag in re.findall(r"^\.It (Fl .*)", source(page), re.MULTILINE):
        names = [f"--{long}" if long else f"-{short}" for long, short in _FLAG.findall(tag)]
        options.add((tuple(sorted(names)), " Ar " in tag or " Cm " in tag))
    return options


_FLAG = re.compile(r"Fl Fl ([a-z0-9-]+)|Fl ([A-Za-z0-9])(?= )")


def taken(command: click.Command) -> set[Option]:
    """The options that a command takes, by click's own list."""
    with click.Context(command, **command.context_settings, parent=_group_context()) as context:
        params = command.get_params(context)
    return {
        (tuple(sorted(param.opts)), not param.is_flag)
        for param in params
        if isinstance(param, click.Option) and not param.hidden
    }


def _group_context() -> click.Context:
    return click.Context(cli.uma, **cli.uma.context_settings)


def command_of(name: str) -> click.Command:
    """A command by its name."""
    command = cli.uma.get_command(_group_context(), name)
    assert command
    return command


NUMBERED = {
    "gate": {"check-tie", "check-tie-2"},
    "corner": {"contest-front-tie", "contest-front-tie-2", "contest-closer-tie", "contest-closer-tie-2"},
    "finish": {"order-tie", "order-tie-2", "check-1", "photo-2"},
}
"""Questions that are numbered without end: their options are made when they are used, and help does not list them."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_tells_of_all_options_of_its_command_and_of_no_other(name: str) -> None:
    """What click takes is told, with its short form and whether it wants a value, and the other way round."""
    numbered: set[Option] = {((f"--{question}",), True) for question in NUMBERED.get(name, ())}
    assert told(f"uma-{name}.1") == taken(command_of(name)) | numbered


def test_the_page_of_uma_tells_of_its_own_options() -> None:
    """Those that stand before a command."""
    assert told("uma.1") == taken(cli.uma)


@pytest.mark.parametrize("kind", SCENES)
def test_the_numbered_questions_of_a_page_are_questions_of_its_scene(kind: str) -> None:
    """Each roll-off and repeated check that is told of is taken by the command."""
    command = command_of(kind)
    for question in NUMBERED[kind]:
        assert is_question(kind, question)
        assert is_dice(kind, question)
        with command.make_context(kind, [f"--{question}", "Rice=1", "race.toml"]) as context:
            assert context.params[f"q_{question.replace('-', '_')}"] == ("Rice=1",)


def test_the_page_of_uma_lists_the_commands() -> None:
    """All of them, in the order of a race."""
    listed = re.findall(r"^\.It Xr uma-([a-z]+) 1$", section("uma.1", "Commands"), re.MULTILINE)
    assert listed == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_commands_are_listed_by_what_their_own_help_begins_with(name: str) -> None:
    """The list is kept apart, for it loads no command."""
    assert (command_of(name).help or "").splitlines()[0] == cli.COMMANDS[name]


@pytest.mark.parametrize("page", [page for page in PAGES if page.endswith(".1")])
def test_the_examples_of_a_page_are_calls_that_uma_takes(page: str) -> None:
    """Each line of uma in a display has a command, and only options that this command has."""
    displays = "".join(shown(page)).replace("\\\n", "")
    calls = re.findall(r"^ *(uma [a-z].*)$", displays, re.MULTILINE)
    assert calls
    for call in calls:
        _, name, *arguments = shlex.split(call.partition(" | ")[0])
        options = {option for options, _ in taken(command_of(name)) for option in options}
        used = {argument for argument in arguments if re.fullmatch(r"--?[a-z].*", argument)}
        assert used <= options | {f"--{question}" for question in NUMBERED.get(name, ())}, call


VARIABLE = re.compile(
    r"""["'](UMA_\w+|LC_\w+|LANG|LANGUAGE|\w*COLOR|\w*COLOR_FORCE|TERM|COLUMNS|PAGER|EDITOR|TZ)["']"""
)
"""The names of variables that a program may go by."""


def test_the_page_of_uma_tells_of_what_is_read_from_the_environment() -> None:
    """Every variable whose name stands in the code, and those that click reads for it."""
    code = "".join(path.read_text("utf-8") for path in (ROOT / "uma_cli").rglob("*.py"))
    listed = re.findall(r"^\.It Ev (.+)$", section("uma.1", "ENVIRONMENT"), re.MULTILINE)
    by_click = {"_UMA_COMPLETE", "PAGER"} if "echo_via_pager" in code else {"_UMA_COMPLETE"}
    assert {name for names in listed for name in names.split(" , ")} == {*VARIABLE.findall(code)} | by_click


def test_the_page_of_uma_lists_the_exit_codes() -> None:
    """Success, every kind of error, and the reader that went away."""
    codes = {0, cli.USAGE, cli.READER_GONE}
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.UmaError)]
    codes |= {kind.code for kind in kinds}
    listed = re.findall(r"^\.It ([0-9]+)$", section("uma.1", "EXIT STATUS"), re.MULTILINE)
    assert list(map(int, listed)) == sorted(codes)


LANGUAGES = {
    "Positions and placings": [words.POSITIONS, {w: a for w, a in words.STYLES.items() if a == "none"}],
    "Moves": [words.MOVES],
    "Paces": [words.PACES],
    "To use none of her skills": [words.PASS],
    "All who have not answered": [dict.fromkeys(words.REST_WORDS, "rest")],
}


def listed_words(title: str) -> set[tuple[str, str]]:
    """Each other word that is listed, and the id that it is for."""
    found = re.findall(r"^\.It Cm ([a-z0-9-]+)(?: Ar X)?\n((?:[^.].*\n)+)", section("uma.1", title), re.MULTILINE)
    return {(word, answer) for answer, text in found for word in re.split(r",\s+", text.strip())}


@pytest.mark.parametrize("title", LANGUAGES)
def test_the_words_of_three_languages_are_those_that_are_understood(title: str) -> None:
    """Each word that is listed is taken, and each that is taken is listed."""
    known = {(word, answer) for table in LANGUAGES[title] for word, answer in table.items() if word != answer}
    assert listed_words(title) == known


def test_the_words_for_scenes_and_places_mean_what_is_listed() -> None:
    """These are read by patterns, so each word that is listed is tried."""
    scenes = listed_words("Scenes")
    assert {word for word, _ in scenes} >= set(words.SCENE_WORDS) - {"gate", "finish"}
    assert all(words.scene(word) == scene for word, scene in scenes)
    places = listed_words("Places at the gate")
    assert {word for word, _ in places} >= set(words.ENDS) - {"front", "back"}
    for word, place in places:
        assert (place, "X" if "X" in word else "") in words.places(word), word


Key = tuple[str, ...]

ALL_TABLES: dict[str, Any] = {
    "format": 1,
    "runner": {"A": {"skill": {"S": {}}}},
    "table": {"obstacle": {"1": {}}},
    "gate": {"ruling": {"A": {"why": "so"}}},
    "corner-2": {},
    "finish": {},
}
"""A race with one table of each kind, all of them as empty as they may be."""

TABLES: dict[str, Key] = {
    "The head": (),
    "Runners": ("runner", "A"),
    "Skills": ("runner", "A", "skill", "S"),
    "OWN TABLES": ("table",),
    "Pace rise": ("table", "pace"),
    "Pace by position": ("table", "pace", "fast"),
    "Obstacles": ("table", "obstacle", "1"),
    "Position numbers": ("table", "position"),
    "Caps": ("table", "cap"),
    "The gate": ("gate",),
    "A corner": ("corner-2",),
    "The finish": ("finish",),
    "Rulings": ("gate", "ruling", "A"),
}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> dict[Key, set[str]]:
    """The keys that the reader of race files knows, by table."""
    seen: dict[Key, set[str]] = {}

    def rest(keys: Keys) -> None:
        seen[keys.path] = set(keys.known)

    monkeypatch.setattr(Keys, "rest", rest)
    scenes = read_race(ALL_TABLES).race.scenes
    seen[()] -= set(scenes)
    return seen


@pytest.mark.parametrize("title", TABLES)
def test_the_page_of_the_file_has_the_keys_that_the_reader_knows(title: str, known: dict[Key, set[str]]) -> None:
    """Every key of each kind of table is told of, and none that is not read."""
    assert items("uma-race.5", title) == known[TABLES[title]]


def test_every_table_that_is_read_is_told_of(known: dict[Key, set[str]]) -> None:
    """Of tables that are alike one stands for all."""
    alike = {("table", "obstacle")} | {("table", "pace", pace) for pace in known["table", "pace"]}
    assert set(known) - alike == set(TABLES.values()) - alike


def example() -> str:
    """The whole race that the page of the file shows."""
    (race,) = [text for text in shown("uma-race.5") if text.startswith("format = 1\n")]
    return race


def played() -> Stand:
    """That race, replayed."""
    read = source_of("example.toml", example().encode())
    assert read.warnings == ()
    return replay(read.race)


def test_the_race_of_the_page_is_whole() -> None:
    """It is read without a warning, every standing in it follows, and it is finished."""
    stand = played()
    assert stand.status == "finished"


def seeded(seed: str, scene: str, question: str, name: str, sides: int) -> Iterator[int]:
    """Faces as the page tells another program to throw them."""
    text = b"\0".join(part.encode("utf-8") for part in ("dice", seed, scene, question, name))
    for block in count():
        for byte in sha256(text + block.to_bytes(8, "big")).digest():
            if byte < 256 - 256 % sides:
                yield byte % sides + 1


def test_seeded_dice_are_thrown_as_the_page_says() -> None:
    """By the page alone another program throws all dice of its race that are not by hand."""
    stand = played()
    assert stand.race.seed is not None
    thrown = 0
    for scene in stand.played:
        for event in scene.events:
            if isinstance(event, Rolled) and not event.throw.origin:
                stream = seeded(stand.race.seed, scene.scene, event.question, event.runner, event.dice.sides)
                assert tuple(next(stream) for _ in event.throw.faces) == event.throw.faces
                thrown += len(event.throw.faces)
    assert thrown >= 10


def test_the_answers_of_the_page_are_in_the_scenes_that_ask_them() -> None:
    """Each table of its race is a question, a ruling, a note or what closes the scene."""
    for scene, table in re.findall(r"^\[([a-z0-9-]+)\.([a-z0-9-]+)", example(), re.MULTILINE):
        if scene not in ("runner", "table"):
            assert is_question(scene, table) or table in ("ruling", "note", "standing", "result")
            assert kind_of(scene) in SCENES


def test_the_page_of_show_has_the_keys_of_its_json() -> None:
    """Every key of the object is told of, and none that it has not."""
    finished = state(played(), "example.toml")
    before_places, _, _ = example().partition("[gate.place]")
    before_checks, _, _ = example().partition("[gate.check]")
    asked: set[str] = set()
    for text in (before_places, f'{before_checks}[gate.check]\nTeio = ""\n'):
        (waiting,) = state(replay(source_of("part.toml", text.encode()).race), "part.toml")["waiting"]
        asked |= set(waiting)
    assert items("uma-show.1", "JSON") == set(finished)
    assert items("uma-show.1", "Of a question that waits") == asked
    assert items("uma-show.1", "Of a runner") == set(finished["runners"][0])
    assert items("uma-show.1", "Of a line of the result") == set(finished["result"][0])


def test_the_page_of_show_has_the_keys_and_the_columns_of_a_table() -> None:
    """Of the object and its rows, and what stands over the columns that people read."""
    season = tables.state(Season.of(played()), GROUPINGS, POINTS)
    assert items("uma-show.1", "Of a table") == set(season)
    assert isinstance(season["tables"], dict)
    assert items("uma-show.1", "Of a row of a table") == {key for rows in season["tables"].values() for key in rows[0]}
    assert items("uma-show.1", "THE TABLE") == set(GROUPINGS)
    heads = re.findall(r'^\.It Em "?([^"\n]+)"?$', section("uma-show.1", "THE TABLE"), re.MULTILINE)
    assert heads == list(tables.COUNTED)
    assert " ".join(map(str, POINTS)) in section("uma-show.1", "DESCRIPTION")


@pytest.mark.parametrize("page", PAGES)
def test_lines_are_short_and_mostly_ascii(page: str) -> None:
    """No line but that of a table is longer than 80 bytes, and only the words of three languages are not ASCII."""
    lines = [line for line in source(page).splitlines() if not line.startswith((".Bl -column ", ".It Em "))]
    assert all(len(line.encode()) <= 80 for line in lines)
    other = section("uma.1", "VALUES IN THREE LANGUAGES") if page == "uma.1" else ""
    assert source(page).replace(other, "").isascii()


def run(*arguments: str) -> str:
    """What a program says in the folder of the pages, or skip where it is not installed."""
    if shutil.which(arguments[0]) is None:
        pytest.skip(f"{arguments[0]} is not installed")
    done = subprocess.run(arguments, cwd=MAN, capture_output=True, text=True, encoding="utf-8", check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES)
def test_mandoc_finds_nothing_to_say_of_a_page(page: str) -> None:
    """Down to matters of style, references to other pages too."""
    assert run("mandoc", "-Tlint", "-W", "style", page) == ""


@pytest.mark.parametrize("page", PAGES)
def test_groff_finds_nothing_to_say_of_a_page(page: str) -> None:
    """With all its warnings, as a terminal shows it; on paper it would lack the fonts for the three languages."""
    assert run("groff", "-mandoc", "-ww", "-z", "-Kutf8", "-Tutf8", page) == ""


@pytest.mark.parametrize("page", PAGES)
def test_lexgrog_finds_the_name_of_a_page(page: str) -> None:
    """So that apropos does."""
    name = page.rpartition(".")[0]
    assert run("lexgrog", page).startswith(f'{page}: "{name} - ')


def test_the_wheel_installs_every_page() -> None:
    """Each page lies where man looks for it."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    pages = {key: value for key, value in build["shared-data"].items() if key.startswith("man/")}
    assert pages == {f"man/{page.name}": f"share/man/man{page.name[-1]}/{page.name}" for page in MAN.glob("uma*.[157]")}
