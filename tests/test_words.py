"""Values are understood in English, Japanese and Chinese; the file holds the ids."""

from __future__ import annotations

import pytest

from uma_cli import words
from uma_cli.text import clean, quoted

POSITIONS = {
    "runaway": "Runaway 大逃げ 大逃",
    "front-runner": "front-runner 逃げ 逃 領頭",
    "pace-chaser": "Pace-Chaser 先行 前列",
    "late-surger": "late-surger 差し 差 居中",
    "end-closer": "end-closer 追い込み 追込 追 後追",
    "late-start": "late-start 出遅れ 慢閘",
}
PACES = {"fast": "fast ハイ 快", "average": "average 平均", "slow": "slow スロー 慢"}
MOVES = {"forward": "forward 前", "back": "back 後", "stay": "stay 維持 不變更"}
SCENES = {
    "gate": "gate 出走 出閘",
    "corner-2": "corner-2 第2コーナー 第二彎道 第２コーナー",
    "corner-3": "corner-3 第3コーナー 第三彎道",
    "finish": "finish ゴール前 終點前",
}
PLACES = {
    ("ahead", "春麗"): ("ahead 春麗", "ahead of 春麗", "春麗の前", "春麗前面"),
    ("behind", "春麗"): ("behind 春麗", "春麗の後", "春麗後面"),
    ("front", ""): ("front", "先頭", "最前"),
    ("back", ""): ("back", "最後尾", "最後"),
}


@pytest.mark.parametrize(("table", "known"), [(POSITIONS, words.POSITIONS), (PACES, words.PACES), (MOVES, words.MOVES)])
def test_every_word_of_the_rulebook_is_understood(table: dict[str, str], known: dict[str, str]) -> None:
    """Each language's words lead to the same id."""
    for answer, said in table.items():
        assert {words.word(word, known) for word in said.split()} == {answer}


def test_spoken_positions_may_have_a_space() -> None:
    """`Front Runner` is as good as the id."""
    assert words.word("Front Runner", words.POSITIONS) == "front-runner"


def test_scenes_are_understood_in_three_languages() -> None:
    """Corners by their number, in any digits."""
    for scene, said in SCENES.items():
        assert {words.scene(word) for word in said.split()} == {scene}


def test_places_are_understood_in_three_languages() -> None:
    """A side and a name, or an end of the field."""
    for place, said in PLACES.items():
        assert all(place in words.places(text) for text in said)


@pytest.mark.parametrize("text", ["6+4", "6,4", "６，４", "6,　4", "6 ,4", " 6 4 ", "6、4", "6 4, hand"])
def test_typed_dice_lose_nothing(text: str) -> None:
    """Full-width digits, signs and spaces are understood."""
    assert words.dice(text) == ["6", "4"]


def test_what_is_no_digit_is_not_made_one() -> None:
    """A superscript is no die."""
    assert words.dice("6,²") == ["6", "²"]


@pytest.mark.parametrize(
    ("argument", "shown"),
    [
        ("特別周=forward", "特別周=forward"),
        ("特別周=ahead 春麗", '"特別周=ahead 春麗"'),
        ("$(touch X)=back", "'$(touch X)=back'"),
        ("it's", '"it\'s"'),
        ("a!b", "'a!b'"),
        ("", '""'),
    ],
)
def test_a_proposed_argument_is_quoted_for_any_shell(argument: str, shown: str) -> None:
    """Bare where it may be, in double quotes where that is safe, in single ones where it is not."""
    assert quoted(argument) == shown


@pytest.mark.parametrize(
    "char", ["\x1b", "\x07", "\x9b", "\r", "\n", "\u202e", "\u200b", "\ufeff", "\u2028", "\U000e0041"]
)
def test_what_a_terminal_would_act_on_is_shown_as_an_escape(char: str) -> None:
    """Control, bidirectional and invisible characters never get out raw."""
    shown = clean(f"a{char}b")
    assert char not in shown
    assert shown.startswith("a\\")
    assert shown.isprintable()
