"""Text to post and rows for programs: nothing in them comes to life, and nothing breaks their form."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import tomli_w
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.conftest import Uma
from uma_cli import file
from uma_cli.names import check_name
from uma_cli.replay import Stand
from uma_cli.run import stand_of
from uma_cli.scenes.skills import skill_choice
from uma_cli.show import post, rows, story, wish
from uma_cli.show.story import DECLINED
from uma_cli.show.ways import ways
from uma_cli.table import Ask
from uma_cli.text import clean
from uma_cli.voice import Voice

RACES = Path(__file__).parent.parent / "races"
NAMES = sorted(path.stem for path in RACES.glob("*.toml"))
ENGLISH = Voice()
HOSTILE = (
    "`" * 3 + "here",
    "everyone`s",
    "<&123>|x|",
    "[a](b)",
    "*bold*",
    "_x_",
    "# head",
    "| a | b |",
    "＠here",
    "=1+1",
)


def stand(name: str) -> Stand:
    """One of the example races."""
    return stand_of(file.read(str(RACES / f"{name}.toml")))


def with_words(words: str, name: str = "Rice") -> Stand:
    """A race before the gate, with words that somebody wrote."""
    runner = {name: {"player": words, "note": words}, "Teio": {}}
    data = {"format": 1, "title": words, "course": words, "note": words, "runner": runner}
    return stand_of(file.source_of("r.toml", tomli_w.dumps(data).encode()))


@pytest.mark.parametrize("limit", [512, 2000])
@pytest.mark.parametrize("name", NAMES)
def test_posts_keep_their_limit_and_lose_no_line(name: str, limit: int) -> None:
    """Each post is one block of at most so many characters, and together they hold the whole story."""
    told = list(story.log(stand(name), ENGLISH))
    posts = post.chat(told, limit)
    lines = [line.replace("`", post.GRAVE) for line in story.laid_out(told)]
    assert all(len(text) <= limit for text in posts)
    assert all(text.startswith("```\n") and text.endswith("\n```") and text.count("```") == 2 for text in posts)
    heads = {line for part in told if not isinstance(part, str) for line in list(story.laid_out([part]))[:1]}
    above = re.compile(r".+ \([2-9]\d*/\d+\)|.+ \(1\d+/\d+\)")
    held = "".join(
        line
        for text in posts
        for index, line in enumerate(text.splitlines()[1:-1])
        if line not in heads and not (index == 0 and above.fullmatch(line))
    )
    assert held == "".join(line for line in lines if line not in heads)
    assert not any(text.splitlines()[-2] in heads for text in posts)


WORDS = st.text(max_size=40).filter(lambda text: "\n" not in text and "\r" not in text) | st.sampled_from(
    ["@everyone", "```", "``` @here", "<@&123>|x|", "\\", "https://example.invalid", "a\u202eb", "\u200b@here"]
)


@given(WORDS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_words_leave_their_block_or_ping(words: str) -> None:
    """A chat block ends where it ends, and Markdown has no mention, link or extra cell."""
    race = with_words(words)
    for text in post.chat(post.standing(race, "r.toml", ENGLISH), 2000):
        assert text[4:-4].count("`") == 0
        assert all(clean(line) == line for line in text.split("\n"))
    lines = post.markdown(race, "r.toml", ENGLISH)
    assert "@" not in "".join(lines)
    assert not re.search(r"(?<!\\)://", "".join(lines))
    table = [line for line in lines if line.startswith("| ")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1


@pytest.mark.parametrize("name", [name for name in HOSTILE if check_name(name) is None])
def test_hostile_names_stay_names(name: str) -> None:
    """In a block, in a table and in a row a name is only a name."""
    race = with_words("x", name)
    assert all(text.count("`") == 6 for text in post.chat(post.standing(race, "r", ENGLISH), 2000))
    cells = [line.split("\t") for line in rows.rows(race, "r.toml")]
    assert {len(row) for row in cells} == {len(rows.HEAD)}
    assert not any(cell[:1] in ("=", "+", "@") for row in cells for cell in row)


@pytest.mark.parametrize("name", NAMES)
def test_the_story_misses_nothing_that_the_file_holds(name: str) -> None:
    """Every die, choice, ruling with its reason, note, standing and result is told."""
    path = RACES / f"{name}.toml"
    told = "\n".join(story.laid_out(story.log(stand(name), ENGLISH)))
    data = tomllib.loads(path.read_text("utf-8"))
    for scene in data["scenes"]:
        for question, by_runner in data.get(scene, {}).items():
            for runner, answer in by_runner.items():
                assert runner in told
                if question == "ruling":
                    assert answer["why"] in told
                elif question == "note":
                    assert all(line in told for line in answer.splitlines())
                elif question in ("standing", "result"):
                    number = re.search(r"(?:kiai|score) (-?\d+)", answer)
                    assert number is None or number[1] in told
                else:
                    assert any(said in told for said in _said(question, runner, str(answer).removesuffix(", hand")))


def _said(question: str, runner: str, answer: str) -> Iterator[str]:
    """How an answer may be told; a choice by its own words, or on the line of all who declined."""
    if question == "move" and answer != "stay":
        yield f"{runner} moves to "
    if question == "kiai" and answer != "0":
        yield f"{runner} raises kiai by {answer}: "
    yield DECLINED[question, answer].partition("{")[0] if (question, answer) in DECLINED else answer


def test_part_prints_one_post_and_the_others_are_divided_by_a_line(uma: Uma) -> None:
    """A game master copies one after another."""
    race = str(RACES / "derby.toml")
    whole = uma("show", "--chat", "--log", "--limit", "512", race).out
    posts = re.split(r"--- \d+/\d+ ---\n", whole)[1:]
    assert len(posts) > 3
    assert uma("show", "--chat", "--log", "--limit", "512", "--part", "2", race).out == posts[1]
    assert uma("show", "--chat", "--log", "--limit", "512", "--part", "99", race).code == 2


def test_the_next_players_are_asked_with_their_options(uma: Uma) -> None:
    """The post says whom, by the name of the player too, what, and what each option costs; no commands."""
    posted = uma("show", "--chat", "--last", str(RACES / "waiting.toml")).out
    assert "second corner waits for 留守番サチ (@chie): move" in posted
    assert "- forward: to front-runner, kiai 6 becomes 7" in posted
    assert "uma corner" not in posted


def test_since_begins_with_a_scene(uma: Uma) -> None:
    """In any language, and only with one that was played."""
    race = str(RACES / "derby.toml")
    told = uma("show", "--log", "--since", "第三彎道", race).out
    assert "== third corner ==" in told
    assert "== second corner ==" not in told
    assert uma("show", "--log", "--since", "corner-9", race).code == 2


def test_tsv_has_one_head_and_a_row_a_runner(uma: Uma) -> None:
    """For many files too."""
    lines = uma("show", "--tsv", str(RACES / "photo.toml"), str(RACES / "waiting.toml")).out.splitlines()
    assert lines[0].split("\t") == list(rows.HEAD)
    assert len(lines) == 1 + len(stand("photo").field) + len(stand("waiting").field)
    assert {line.count("\t") for line in lines} == {len(rows.HEAD) - 1}


@pytest.mark.parametrize(
    "options",
    [
        ("--chat", "--markdown"),
        ("--json", "--tsv"),
        ("--tsv", "--log"),
        ("--part", "1"),
        ("--waiting", "--since", "gate"),
    ],
)
def test_views_that_do_not_go_together_are_refused(uma: Uma, options: tuple[str, ...]) -> None:
    """It is said which."""
    called = uma("show", *options, str(RACES / "photo.toml"))
    assert called.code == 2
    assert "--" in called.err + called.out


def test_a_picture_is_of_one_race(uma: Uma) -> None:
    """Two do not fit into one SVG."""
    race = str(RACES / "photo.toml")
    assert uma("show", "--svg", race).out.startswith("<svg")
    assert uma("show", "--svg", race, race).code == 2
    assert not wish.Wish(svg=True).view


def test_tables_stay_tables_in_a_markdown_story(uma: Uma) -> None:
    """Each standing has a head, a rule and rows of as many cells."""
    told = uma("show", "--markdown", "--log", str(RACES / "skills.toml")).out
    tables = re.findall(r"(?:^\|.*\n)+", told, re.MULTILINE)
    assert len(tables) == 4
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1
        assert set(table.splitlines()[1]) <= set("|-: ")


def test_options_are_a_list_of_their_own_in_markdown(uma: Uma) -> None:
    """What follows the list is no part of its last item."""
    lines = uma("show", "--markdown", str(RACES / "waiting.toml")).out.splitlines()
    last = max(index for index, line in enumerate(lines) if line.startswith("- "))
    assert lines[last + 1] == ""
    assert lines[last + 2].startswith("may already answer")


def test_what_was_said_of_a_scene_to_come_is_told(uma: Uma, four: Path) -> None:
    """Answers, rulings and notes before their scene are in the story."""
    later = (
        '[corner-2.move]\n"春麗" = "forward"\n'
        '[finish.ruling."春麗"]\nbonus = 1\nwhy = "fair play"\n'
        '[gate.note]\nme = "hello"\n'
    )
    four.write_text(four.read_text("utf-8") + later, "utf-8")
    told = uma("show", "--log", "four.toml").out
    assert "春麗 move: forward (ahead)" in told
    assert "fair play" in told
    assert "note of me: hello" in told
    assert "`runner.神鷹.x-sponsor tea`" in told


@pytest.mark.parametrize("limit", [300, 512, 2000])
@pytest.mark.parametrize("name", NAMES)
def test_each_post_says_something(name: str, limit: int) -> None:
    """No post is a title, a scene's name or a table's head alone, or ends with one."""
    for told in (post.standing, post.last):
        posts = post.chat(told(stand(name), f"{name}.toml", ENGLISH), limit)
        for text in posts:
            lines = text.splitlines()[1:-1]
            assert len("".join(lines)) > limit / 4 or text in posts[-1:]
            assert not lines[-1].startswith("== ")


def many(count: int) -> Stand:
    """A race of so many, where the last but few choose their places."""
    names = "".join(f'[runner."Runner number {number}"]\nkiai = 4\n' for number in range(count))
    dice = "".join(
        f'"Runner number {number}" = "{1 + min(number, 5)} {1 + max(0, number - 5)} 1"\n' for number in range(count)
    )
    placed = "".join(f'"Runner number {number}" = "back"\n' for number in range(1, count - 4))
    text = f"format = 1\nthrows = 'hand'\n{names}[gate.check]\n{dice}[gate.place]\n{placed}"
    return stand_of(file.source_of("r.toml", text.replace(' 1"\n', ' 1, hand"\n').encode()))


def test_a_question_stands_in_one_post_with_its_options() -> None:
    """A player sees all that she can choose at once, and each way once that comes to the same."""
    posts = post.chat(post.last(many(9), "r.toml", ENGLISH), 1000)
    asked = [text for text in posts if "waits for" in text]
    assert len(asked) == 1
    options = [line for line in asked[0].splitlines() if line.startswith("- ")]
    assert options == [line for text in posts for line in text.splitlines() if line.startswith("- ")]
    meanings = [line.rpartition(": ")[2] for line in options]
    assert len(set(meanings)) == len(meanings) > 2


def test_a_softened_position_is_part_of_the_arithmetic(uma: Uma) -> None:
    """The position's number and the points taken off it are both told, and all parts make the score."""
    told = uma("show", "--chat", "--last", str(RACES / "skills.toml")).out
    assert (
        "Low Tide finish check 5D6 (kiai 7): 2 1 2 4 2, Home Straight +1, end-closer -2, softened +2 = 12 (seed)"
        in told
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_check_adds_up(name: str) -> None:
    """Faces and parts of each check in a story make its score."""
    told = [line for line in story.log(stand(name), ENGLISH) if isinstance(line, str)]
    arithmetic = r" \d+D\d+(?:[+-]\d+)? \(kiai \d+\): ([\d +-]+)(.*?) = (-?\d+)"
    checks = [match for line in told if (match := re.search(arithmetic, line))]
    assert checks or name == "waiting"
    for check in checks:
        numbers = [*check[1].split(), *re.findall(r" ([+-]\d+)(?=,|$)", check[2])]
        assert sum(map(int, numbers)) == int(check[3]), check[0]


def test_other_peoples_keys_are_told_wherever_they_stand(tmp_path: Path) -> None:
    """In the head, in a runner, among the runners, answers, rulings or rows of a table."""
    text = """\
format = 1
x-head = true
[runner]
x-team = "Spica"
[runner.A]
x-own = 1
[table.kiai]
x-source = "sheet"
[gate.kiai]
A = 1
x-why = "she said so"
[gate.ruling]
x-later = "none yet"
"""
    path = tmp_path / "r.toml"
    path.write_text(text, "utf-8")
    told = "\n".join(story.laid_out(story.log(stand_of(file.read(str(path))), ENGLISH)))
    for key in (
        "x-head true",
        "runner.x-team Spica",
        "runner.A.x-own 1",
        "table.kiai.x-source sheet",
        "gate.kiai.x-why she said so",
        "gate.ruling.x-later none yet",
    ):
        assert f"`{key}`" in told


STORIES = ((), ("--log",), ("--last",), ("--log", "--last"), ("--since", "gate"), ("--log", "--since", "gate"))


@pytest.mark.parametrize("shape", [(), ("--chat",), ("--markdown",)], ids=str)
@pytest.mark.parametrize("told", STORIES, ids=" ".join)
@pytest.mark.parametrize("name", ["waiting", "rulings"])
def test_a_story_goes_with_every_shape(uma: Uma, name: str, told: tuple[str, ...], shape: tuple[str, ...]) -> None:
    """Whole, from a scene on or only the last one, in lines, for a chat or as Markdown; it ends with what is asked."""
    out = uma("show", *told, *shape, str(RACES / f"{name}.toml")).out.replace("\\", "")
    heads = [line.strip("#= ") for line in out.splitlines() if line.startswith(("== ", "### "))]
    played = [ENGLISH.word(scene.scene) for scene in stand(name).played]
    assert heads == (played[-1:] if "--last" in told else played if told else [])
    asked = "waits for 留守番サチ" if name == "waiting" else "the race is over"
    assert asked.replace("@", "＠") in out


def test_the_last_scene_and_all_since_one_are_two_wishes(uma: Uma) -> None:
    """They are refused together."""
    assert uma("show", "--last", "--since", "gate", str(RACES / "derby.toml")).code == 2


def test_where_everybody_is_stands_beside_what_is_asked(uma: Uma, four: Path) -> None:
    """A post about an open scene has the running order; one about a closed scene says which is next."""
    waiting = uma("show", "--chat", "--last", str(RACES / "waiting.toml")).out
    assert waiting.index("no.  name") < waiting.index("waits for")
    dice = ("--check", "特別周=3+3+3,無聲鈴鹿=5+5+5,神鷹=4+4+4,春麗=2+2+2", "--auto")
    assert uma("gate", "four.toml", *dice).code == 0
    assert uma("show", "--chat", "--last", "four.toml").out.splitlines()[-2] == "next: second corner"


@pytest.mark.parametrize("view", [(), ("--last",), ("--log",)], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_markdown_is_read_as_it_is_meant(uma: Uma, name: str, view: tuple[str, ...]) -> None:
    """A title, a heading for each scene, tables, lists without numbers, and no code, quotation, link or picture."""
    where = stand(name)
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(
        uma("show", "--markdown", *view, str(RACES / f"{name}.toml")).out
    )
    kinds = [token.type for token in tokens] + [child.type for token in tokens for child in token.children or ()]
    assert set(kinds).isdisjoint(
        {"ordered_list_open", "code_block", "fence", "code_inline", "blockquote_open", "link_open", "image", "em_open"}
    )
    headings = [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]
    scenes = [ENGLISH.word(played.scene) for played in where.played]
    assert headings[0].startswith(where.race.title)
    assert headings[1:] == ([] if not view else scenes if "--log" in view else scenes[-1:])
    assert "table_open" in kinds


def hunters(count: int) -> Stand:
    """A race of so many, of whom the first holds a hindrance and a cancel, and the second any skill."""
    names = [f"R{number}x" for number in range(count)]
    runners = "".join(f'[runner."{name}"]\nkiai = 4\n' for name in names)
    skills = """\
[runner.R0x.skill.Glare]
when = "corner"
target-bonus = -1
[runner.R0x.skill.Hush]
when = "corner"
cancels = true
[runner.R1x.skill.Spurt]
"""
    return stand_of(file.source_of("r.toml", f"format = 1\n{runners}{skills}".encode()))


def test_many_targets_are_one_way_unless_they_differ() -> None:
    """Whom a skill can be used on is told in a word, and by name where it comes to something else."""
    field = hunters(12).field
    choice = skill_choice(field, "corner-2", field["R0x"])
    ask = Ask("corner-2", "skill", "R0x", field, options=choice.options)
    told = ways([ask], ENGLISH)
    assert [str(way) for way in told] == [
        "pass: no skill",
        "Glare @ another runner: -1 on each of the other's checks in this scene",
        "Hush @ R1x: cancels what she may still declare",
        "Hush @ " + " / ".join(f"R{number}x" for number in range(2, 12)) + ": no effect: she has no skill to cancel",
    ]
    for way in told:
        assert choice.read(way.answer) is not None
    few = hunters(3).field
    choice = skill_choice(few, "corner-2", few["R0x"])
    assert len(ways([ask._replace(field=few, options=choice.options)], ENGLISH)) == 5
