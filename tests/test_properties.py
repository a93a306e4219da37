"""What holds in every race, whoever runs and whatever is said: races are drawn, and driven to their end.

`HYPOTHESIS_PROFILE=thorough` draws thousands; with `CI` set the draws are the same each time.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections import Counter
from random import Random
from typing import Any

import pytest
import tomli_w
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from tests.fields import (
    TOML_TEXT,
    Book,
    Cast,
    Drive,
    Toml,
    closing_of,
    closings,
    finished,
    luck_of,
    plain,
    races,
    read,
    retold,
    set_up,
    stand_of,
)
from uma_cli.answers import names_of, read_answers
from uma_cli.errors import RecordWrong, UmaError
from uma_cli.file import Source, source_of
from uma_cli.live import Said
from uma_cli.questions import is_dice, is_question
from uma_cli.race import Finish, Position, kind_of
from uma_cli.replay import Played, Stand, replay
from uma_cli.run import Call, advance
from uma_cli.state import state
from uma_cli.table import HAND, Chose, Rolled

settings.register_profile(
    "default",
    max_examples=20,
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("default"), phases=[Phase.generate])
settings.register_profile("thorough", settings.get_profile("default"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

CASTS = st.builds(Cast, st.integers(0, 10**6))
LUCK = st.builds(Random, st.integers(0, 10**6))
POSITIONS = "|".join(Position)


def ends(stand: Stand) -> list[Played]:
    """The scenes that are closed."""
    return [played for played in stand.played if stand.race.record(played.scene).closing is not None]


@given(races(), CASTS)
def test_a_race_goes_on_until_it_is_finished(race: Toml, cast: Cast) -> None:
    """A call ends in a finished scene, a wait that names question and runner, or a refusal; answered, all races end."""
    drive = Drive(tomli_w.dumps(race), cast)
    for text, stand in drive:
        assert (stand.status == "waiting") == bool(stand.waiting)
        for ask in stand.waiting:
            assert is_question(ask.scene, ask.question)
            assert ask.dice is not None or [ask.check(option.answer) for option in ask.options()]
            assert tomllib.loads(text)[ask.scene][ask.question][ask.runner] == ""
    last = stand_of(drive.text)
    assert last.result is not None
    assert last.scene == last.race.scenes[-1] or len(last.field) == 0
    assert {line.name for line in last.result} >= set(race["runner"])


def shown(finish: Played) -> dict[str, tuple[int, ...]]:
    """What each runner has to show at the line: her score, and her photos where she needed them."""
    runs = {runner.name: [sum(part.amount for part in runner.finish)] for runner in finish.field}
    rolls = [event for event in finish.events if isinstance(event, Rolled) and event.runner in runs]
    for roll in rolls:
        added = roll.dice.plus + sum(part.amount for part in roll.parts)
        assert roll.score is None or roll.score == sum(roll.throw.faces) + added
        if re.fullmatch(r"check(-[0-9]+)?", roll.question):
            runs[roll.runner][0] += roll.score or 0
    for roll in rolls:
        if roll.question.startswith("photo"):
            runs[roll.runner].append(roll.score or 0)
    return {name: tuple(run) for name, run in runs.items()}


@given(races(), CASTS)
def test_places_follow_the_scores(race: Toml, cast: Cast) -> None:
    """The highest score is first, those alike in score and photos share a place, the next is counted on (F5-F7)."""
    stand = stand_of(finished(race, cast))
    result = stand.result or ()
    lines = [line for line in result if line.place is not None]
    assert list(result[len(lines) :]) == [Finish(out.name, None, None, 0, None, out.npc) for out in stand.field.out]
    if stand.scene != "finish":
        assert not lines
        return
    runs = shown(stand.played[-1])
    order = list(stand.field.runners)
    assert [line.name for line in lines] == sorted(order, key=lambda name: runs[name], reverse=True)
    best = max((run[0] for run in runs.values()), default=0)
    for line in lines:
        run = runs[line.name]
        assert line.place == 1 + sum(other > run for other in runs.values())
        assert line.score == run[0]
        assert line.lengths == best - run[0]
        rivals = [other for other in runs.values() if other[0] == run[0]]
        assert len(rivals) == 1 or len(run) > 1
        assert line.photo_cm == (centimetres(run, rivals, stand.race.photo) or None)


def centimetres(run: tuple[int, ...], rivals: list[tuple[int, ...]], photo: tuple[int, ...]) -> int:
    """How far behind the best of her score a runner is (F7)."""
    if len(run) == 1:
        return 0
    behind = (max(rival[1] for rival in rivals) - run[1]) * photo[0]
    if len(run) == 3:
        again = [rival[2] for rival in rivals if rival[1] == run[1]]
        behind += min(9, (max(again) - run[2]) * photo[1])
    return behind


@given(races(), CASTS)
def test_the_field_is_in_order_when_a_scene_ends(race: Toml, cast: Cast) -> None:
    """One runner leads at the front, one end-closer at most, and nobody stands ahead of a better position (C4, P4)."""
    for played in ends(stand_of(finished(race, cast))):
        ranks = [runner.position.rank for runner in played.field if runner.position]
        assert len(ranks) == len(played.field)
        assert ranks == sorted(ranks)
        assert ranks[:1] in ([], [0])
        assert ranks.count(0) <= 1
        assert ranks.count(3) <= 1


@given(races(), CASTS)
def test_rises_and_skills_keep_to_their_limits(race: Toml, cast: Cast) -> None:
    """Declared kiai and own skills stay within the cap, kiai is 1 at least, no skill is used up twice (G4, G6, S1)."""
    stand = stand_of(finished(race, cast))
    uses: Counter[tuple[str, str]] = Counter()
    for played in stand.played:
        rises: Counter[str] = Counter()
        for event in played.events:
            if isinstance(event, Chose) and event.question == "kiai":
                rises[event.runner] += int(event.answer)
            if isinstance(event, Chose) and event.question == "skill" and event.answer != "pass":
                names = [use.partition("@")[0].strip() for use in event.answer.split(";")]
                assert len(set(names)) == len(names)
                uses.update((event.runner, name) for name in names)
                hers = race["runner"][event.runner]["skill"]
                rises[event.runner] += sum(max(0, hers[name].get("kiai", 0)) for name in names)
        cap = race.get("table", {}).get("cap", {})
        most = cap.get("gate", 5) if played.scene == "gate" else cap.get("scene", 3)
        assert all(rise <= most for rise in rises.values())
        assert all(runner.kiai >= 1 for runner in (*played.field, *played.field.out))
    for (user, name), times in uses.items():
        assert times <= race["runner"][user]["skill"][name].get("uses", 1)
    for runner in (*stand.field, *stand.field.out):
        assert runner.used == {name: times for (user, name), times in uses.items() if user == runner.name}


def told(stand: Stand) -> list[object]:
    """All that can be seen of where a race stands."""
    return [state(stand, "r"), [scene_told(played) for played in stand.played]]


def scene_told(played: Played) -> list[object]:
    """All that can be seen of one scene."""
    asks = [(ask.question, ask.runner, ask.dice) for ask in played.asks]
    return [played.scene, played.done, asks, list(played.trace), list(played.events), list(played.closing().items())]


@given(races(), CASTS)
def test_a_record_replays_to_the_same_state(race: Toml, cast: Cast) -> None:
    """A file read again stands where it stood, and the scene in it is what the call played."""
    drive = Drive(tomli_w.dumps(race), cast)
    for text, stand in drive:
        again = stand_of(text)
        assert told(again) == told(stand)
        if drive.played:
            played = next(played for played in again.played if played.scene == drive.played.scene)
            assert scene_told(played) == scene_told(drive.played)


@given(races(most=8), CASTS)
def test_answers_alone_give_the_standings_again(race: Toml, cast: Cast) -> None:
    """A race without its standings, played scene by scene by the commands alone, gets the same standings."""
    text = finished(race, cast)
    data = tomllib.loads(text)
    again = set_up(text)
    for scene in closings(read(text).race):
        record = {question: answers for question, answers in data[scene].items() if question != closing_of(scene)}
        again = tomllib.loads(advance(read(tomli_w.dumps({**again, scene: record})), Call(kind_of(scene), scene)).text)
    assert closings(read(tomli_w.dumps(again)).race) == closings(read(text).race)
    assert plain(read(tomli_w.dumps(again)).race) == plain(read(text).race)


def cut(text: str, luck: Random) -> str:
    """A race's file without all that was answered from some point of the asking order on, and without its standings."""
    played = stand_of(text).played
    order = [
        (scene.scene, asked.question, name) for scene in played for asked in scene.trace for name in asked.answered
    ]
    assume(order)
    at = luck.randrange(len(order))
    here = order[at][0]
    data = tomllib.loads(text)
    scenes = data["scenes"]
    for scene in scenes[scenes.index(here) + 1 :]:
        data.pop(scene, None)
    del data[here][closing_of(here)]
    for scene, question, name in order[at:]:
        if scene == here:
            del data[here][question][name]
    return tomli_w.dumps(data)


@given(races(seeded=True), CASTS, LUCK, st.booleans())
def test_a_record_that_was_cut_grows_again(race: Toml, cast: Cast, luck: Random, by_scene: bool) -> None:
    """A file cut anywhere, and the same answers again, gives the same record."""
    text = finished(race, cast)
    again = retold(cut(text, luck), Book.of(text), luck, by_scene=by_scene)
    assert plain(read(again).race) == plain(read(text).race)
    assert closings(read(again).race) == closings(read(text).race)


@given(races(seeded=True, most=8), CASTS, LUCK)
def test_the_order_of_answering_does_not_matter(race: Toml, cast: Cast, luck: Random) -> None:
    """The same answers in one call or many, in any order and ahead of turn, give the same record, seeded dice too."""
    text = finished(race, cast)
    book = Book.of(text)
    for by_scene in (True, False):
        again = retold(tomli_w.dumps(race), book, luck, by_scene=by_scene)
        assert plain(read(again).race) == plain(read(text).race)
        assert closings(read(again).race) == closings(read(text).race)


@given(races(most=8), st.builds(Cast, st.integers(0, 10**6), st.just(value=False)))
def test_an_answer_taken_ahead_of_turn_stands_when_the_turn_comes(race: Toml, cast: Cast) -> None:
    """What a runner may answer before her turn is not refused at her turn."""
    text = tomli_w.dumps(race)
    while (stand := stand_of(text)).status != "finished":
        scene = stand.open
        ahead = [cast.says(ask) for ask in (scene.ahead if scene else ())]
        said = ahead or [cast.says(ask) for ask in stand.waiting]
        with luck_of(cast.seed):
            text = advance(read(text), Call(kind_of(stand.scene), stand.scene, answers=tuple(said))).text
            asks = (scene.asks if scene else ()) if ahead else ()
            said = [cast.says(ask) for ask in asks]
            if said and stand_of(text).status == "waiting":
                text = advance(read(text), Call(kind_of(stand.scene), stand.scene, answers=tuple(said))).text


@given(races(most=8), CASTS)
def test_a_step_with_nothing_to_do_leaves_the_bytes(race: Toml, cast: Cast) -> None:
    """While people are awaited a call without answers changes nothing, nor does --if-needed for a closed scene."""
    for text, stand in Drive(tomli_w.dumps(race), cast):
        if stand.status == "waiting":
            again = advance(read(text), Call(kind_of(stand.scene), stand.scene))
            assert again.text == text
            assert told(again.stand) == told(stand)
        for scene in closings(stand.race):
            assert advance(read(text), Call(kind_of(scene), scene, if_needed=True)).text == text


KEY = re.compile(r"""(\s*)("(?:[^"\\]|\\.)*"|[A-Za-z0-9_-]+)\s*=\s*(.*?)(\r?\n|)""", re.DOTALL)
BLANK = re.compile(r"""(\s*("(?:[^"\\]|\\.)*"|[A-Za-z0-9_-]+)\s*=\s*)""(\s*(?:#.*)?(?:\r?\n|))""", re.DOTALL)
HEADER = re.compile(r"\s*\[(.*)\]\s*(?:#.*)?(?:\r?\n|)", re.DOTALL)
TRAILS = ("", "", "  ", '\t# 註: "x" = "" \'y', " #", '  # [gate.check] "')
BEFORE = ("", "", "", "\n", "  \n", '# a comment = ""\n', "#\u2028 [runner]\n\n")
LONG = 'note = """\nsaid:\n[gate.check]\n"特別周" = ""\n[gate.standing]\n"""\n'


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends; only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def decorated(text: str, luck: Random) -> str:
    """A race's file as people may have left it: comments, odd spacing, keys of their own, tables after the scenes."""
    lines = []
    for line in lines_of(text):
        lines.append(luck.choice(BEFORE))
        pair = KEY.fullmatch(line)
        if pair and luck.random() < 0.5:
            space = luck.choice((" = ", "=", "   =  ", "\t= "))
            lines.append(f"{luck.choice(('', '  '))}{pair[2]}{space}{pair[3]}{luck.choice(TRAILS)}\n")
        elif line.startswith("[") and luck.random() < 0.5:
            lines.append(f"{luck.choice(('', '  '))}{line.rstrip()}{luck.choice(TRAILS)}\n")
        else:
            lines.append(line)
        if line.strip().startswith("[runner.") and luck.random() < 0.5:
            lines.append("x-mood = \"\"  # hers\nx-list = [\n  1, # one\n  '''[''',\n]\n")
    first, _, rest = "".join(lines).partition("format = 1\n") if "format = 1\n" in "".join(lines) else ("", "", "")
    decorated = f"{first}format = 1\n{luck.choice(('', LONG))}x-head = 'a = \"\"'\n{rest}" if rest else "".join(lines)
    after = ("", '[gate.x-mood]\n"特別周" = ""\n', '[gate]\nx-kept = ""\n', '\n[x-after]\n  what = "" # [', "# the end")
    decorated += luck.choice(after)
    ends = luck.choice(("\n", "\r\n", ""))
    if ends:
        return decorated.replace("\n", ends)
    return re.sub("\n", lambda _: luck.choice(("\n", "\r\n")), decorated)


def lines_that_stay(old: Source, new: Source, scene: str) -> list[str]:
    """The lines of a file as they must still stand, in this order, after a step: only blanks are filled or dropped."""
    answers = new.race.record(scene).answers
    table: list[str] = []
    stay = []
    in_text = False
    for line in lines_of(old.text):
        in_text ^= line.count('"""') % 2 == 1
        header, blank = HEADER.fullmatch(line), BLANK.fullmatch(line)
        if header and not in_text:
            table = path_of(header[0])
        if blank and not in_text and table[:1] == [scene] and is_question(scene, table[-1]):
            name = path_of(f"[{blank[2]}]")[0]
            text = answers.get(table[-1], {}).get(name)
            if text is None:
                continue
            value = text if table[-1] == "kiai" and text else tomli_w.dumps({"v": text})[4:-1]
            stay.append(f"{blank[1]}{value}{blank[3]}")
        else:
            stay.append(line)
    return stay


def path_of(header: str) -> list[str]:
    """The keys of a header."""
    table = tomllib.loads(header)
    path = []
    while table:
        key, table = next(iter(table.items()))
        path.append(key)
    return path


@given(races(most=6), CASTS, LUCK, st.booleans())
def test_a_step_only_adds_lines_and_fills_or_drops_blanks(race: Toml, cast: Cast, luck: Random, bom: bool) -> None:
    """Comments, spacing, line ends, a byte order mark, keys and tables of other people's: all stay byte for byte."""
    texts = [tomli_w.dumps(race), *(text for text, _ in Drive(tomli_w.dumps(race), cast))][:-1]
    text = luck.choice(texts)
    raw = (b"\xef\xbb\xbf" if bom else b"") + decorated(text, luck).encode()
    source = source_of("r", raw)
    assert plain(source.race) == plain(read(text).race)
    for call in range(8):
        stand = replay(source.race)
        if stand.status == "finished":
            break
        said = [cast.says(ask) for ask in stand.waiting]
        rest = luck.sample(said, luck.randint(0, len(said)))
        try:
            with luck_of(call):
                outcome = advance(source, Call(kind_of(stand.scene), stand.scene, answers=tuple(rest)))
        except UmaError:
            break
        raw = source.encoded(outcome.text)
        new = source_of("r", raw)
        assert raw.startswith(b"\xef\xbb\xbf") == bom
        assert not outcome.laid_out_anew
        if outcome.aside:  # an answer given ahead that cannot stand is asked anew, and told
            break
        assert_only_added(lines_that_stay(source, new, stand.scene), lines_of(new.text))
        source = new


def assert_only_added(stay: list[str], lines: list[str]) -> None:
    """All lines that must stay are there, in their order; the last may have got an end."""
    if stay and not stay[-1].endswith("\n"):
        stay[-1] += "\r\n" if f"{stay[-1]}\r\n" in lines else "\n" if f"{stay[-1]}\n" in lines else ""
    there = iter(lines)
    for line in stay:
        assert line in there, f"the line is gone: {line!r}"
    if all(line.endswith("\r\n") for line in stay):
        assert all(line.endswith("\r\n") for line in lines)


@given(TOML_TEXT, TOML_TEXT)
def test_different_seeds_throw_different_dice(one: str, other: str) -> None:
    """Two seeds differ in forty dice, and one throws the same again."""
    assume(one != other)

    def thrown(seed: str) -> str:
        race = {"format": 1, "seed": seed, "runner": {"A": {}, "B": {}}, "table": {"kiai": {"1": "40D6"}}}
        text = advance(read(tomli_w.dumps(race)), Call("gate", auto=True)).text
        check: dict[str, str] = tomllib.loads(text)["gate"]["check"]
        assert check["A"] != check["B"]
        return check["A"]

    assert thrown(one) == thrown(one)
    assert thrown(one) != thrown(other)


@given(races(seeded=True, most=8), CASTS, LUCK)
def test_a_seeded_die_cannot_be_changed(race: Toml, cast: Cast, luck: Random) -> None:
    """Each die of the tool's in a seeded race verifies, and one with another face is refused by its name."""
    data = tomllib.loads(finished(race, cast))
    dice = [
        (scene, question, name)
        for scene, question, name in leaves(data)
        if is_dice(scene, question) and HAND not in data[scene][question][name]
    ]
    assume(dice)
    for scene, question, name in luck.sample(dice, min(3, len(dice))):
        faces = data[scene][question][name].split()
        place = luck.randrange(len(faces))
        other = "1" if faces[place] != "1" else "2"
        changed = json.loads(json.dumps(data))
        changed[scene][question][name] = " ".join([*faces[:place], other, *faces[place + 1 :]])
        with pytest.raises(RecordWrong) as refused:
            stand_of(tomli_w.dumps(changed))
        assert refused.value.where == f"{scene}.{question}.{name}"


STANDING = re.compile(rf"({POSITIONS}), kiai ([1-9][0-9]*)(, injury check)?")
RESULT = re.compile(
    r"out|place ([1-9][0-9]*), score (-?[0-9]+)(?:, ([1-9][0-9]*) lengths?)?(?:, ([1-9][0-9]*) cm)?(, NPC)?"
)


@given(races(), CASTS)
def test_standings_and_results_say_what_follows(race: Toml, cast: Cast) -> None:
    """A standing parses back to position, kiai and mark, a result to place, score and distances, in their order."""
    stand = stand_of(finished(race, cast))
    for played in ends(stand):
        closing = stand.race.record(played.scene).closing or {}
        if played.scene == "finish":
            assert list(closing) == [line.name for line in played.field.finishes]
            for line in played.field.finishes:
                found = RESULT.fullmatch(closing[line.name])
                assert found
                numbers = [int(number or 0) for number in found.groups()[:4]]
                assert numbers == [line.place or 0, line.score or 0, line.lengths, line.photo_cm or 0]
                assert bool(found[5]) == (line.npc and line.place is not None)
            continue
        assert list(closing) == list(played.field.runners)
        for runner in played.field:
            found = STANDING.fullmatch(closing[runner.name])
            assert found
            assert (found[1], int(found[2]), bool(found[3])) == (runner.position, runner.kiai, runner.injury)


KEYS = {"uma", "file", "title", "scene", "status", "pace", "waiting", "ahead", "runners", "result"}
RUNNER_KEYS = {"name", "number", "position", "kiai", "roll", "npc", "out", "flags", "skills"}
RESULT_KEYS = {"place", "name", "score", "lengths", "photo_cm", "npc", "out"}
ASK_KEYS = {"scene", "question", "runner", "kind", "options"}


@given(races(), CASTS)
def test_the_state_has_the_keys_of_the_contract(race: Toml, cast: Cast) -> None:
    """The object for scripts has the documented keys at every moment of a race, and is plain JSON."""
    for _, stand in Drive(tomli_w.dumps(race), cast):
        shown: Toml = json.loads(json.dumps(state(stand, "r.toml")))
        assert set(shown) == KEYS
        assert shown["status"] in ("ready", "waiting", "finished")
        assert shown["pace"] in (None, "fast", "average", "slow", "runaway")
        assert (shown["result"] is not None) == (shown["status"] == "finished")
        assert bool(shown["waiting"]) == (shown["status"] == "waiting")
        for ask in shown["waiting"]:
            dice = {"dice"} if ask["kind"] == "dice" else set()
            assert set(ask) == ASK_KEYS | dice
            assert all(
                option["argv"][:4] == ["uma", kind_of(ask["scene"]), "--scene", ask["scene"]]
                for option in ask["options"]
            )
        assert all(set(ask) == {"question", "runner"} for ask in shown["ahead"])
        assert all(set(runner) == RUNNER_KEYS for runner in shown["runners"])
        assert all(set(line) == RESULT_KEYS for line in shown["result"] or ())


@given(races(awkward=True, most=6), CASTS)
def test_every_answer_that_is_proposed_is_understood_as_itself(race: Toml, cast: Cast) -> None:
    """Whatever runners and skills are called, an option typed as it is proposed is that option."""
    for _, stand in Drive(tomli_w.dumps(race), cast):
        for ask in stand.waiting:
            for option in ask.options():
                typed = f"{ask.runner}={option.answer}"
                said = list(read_answers(ask.scene, ask.question, typed, names_of(stand, ())))
                assert said == [Said(ask.question, ask.runner, option.answer)]


def leaves(data: Toml) -> list[tuple[str, str, str]]:
    """All recorded facts of a race: scene, question, runner."""
    return [
        (scene, question, name)
        for scene in data["scenes"]
        for question, by_runner in data.get(scene, {}).items()
        if question not in ("ruling", "note")
        for name in by_runner
    ]


def edited(data: Toml, luck: Random, junk: Any) -> tuple[str, str, str]:
    """Change one recorded fact; which it was."""
    facts = leaves(data)
    scene, question, name = luck.choice(facts)
    alike = sorted({str(data[s][q][n]) for s, q, n in facts if q == question} - {str(data[scene][question][name])})
    values = [
        junk,
        "",
        luck.choice(alike or ["1"]),
        luck.choice(alike or ["pass"]),
        " ".join(str(luck.randint(1, 6)) for _ in range(luck.randint(1, 4))),
        f"{data[scene][question][name]}, hand",
        luck.choice(("forward", "back", "front", "fast", "6", "1, hand", "pass", "0", "none", "late-start")),
    ]
    match luck.randrange(9):
        case 0:
            del data[scene][question][name]
        case 1:
            data[scene][question] = {f"{name}x": data[scene][question].pop(name), **data[scene][question]}
        case number:
            data[scene][question][name] = values[number - 2]
    return scene, question, name


JUNK = st.one_of(st.text(max_size=8), st.integers(-9, 99), st.booleans(), st.floats(0, 9), st.just([]), st.just({}))


@given(races(most=8), CASTS, LUCK, st.lists(JUNK, min_size=6, max_size=6))
def test_a_hand_edit_is_refused_or_does_not_matter(race: Toml, cast: Cast, luck: Random, junk: list[Any]) -> None:
    """One die, choice or standing changed by hand is refused, or no standing rests on it; nothing fails otherwise."""
    text = finished(race, cast)
    data = tomllib.loads(text)
    assume(leaves(data))
    closed = closings(read(text).race)
    for value in junk:
        changed = json.loads(json.dumps(data))
        scene, question, name = edited(changed, luck, value)
        hand_edited = tomli_w.dumps(changed)
        try:
            stand = stand_of(hand_edited)
        except UmaError:
            stand = None
        if stand is not None:
            assert changed == data or question != closing_of(scene), f"a standing was changed unseen: {name}"
            assert {played.scene: list(played.closing().items()) for played in stand.played} == closed
        for kind in ("gate", "finish"):
            with pytest.raises(UmaError):
                advance(read(hand_edited), Call(kind))
