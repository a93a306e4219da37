"""What people write in English, Japanese and Chinese, and the ids that the files hold for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from uma_cli.race import GRANTS
from uma_cli.voice import ORDINALS

IDS: Mapping[str, str] = {
    "runaway": "runaway 大逃げ 大逃",
    "front-runner": "front-runner frontrunner 逃げ 逃 領頭",
    "pace-chaser": "pace-chaser pacechaser 先行 前列",
    "late-surger": "late-surger latesurger 差し 差 居中",
    "end-closer": "end-closer endcloser 追い込み 追込 追 後追",
    "late-start": "late-start latestart 出遅れ 慢閘",
}
POSITIONS = {word: position for position, words in IDS.items() for word in words.split()}


def _table(**words: str) -> dict[str, str]:
    return {word: answer for answer, many in words.items() for word in many.split()}


MOVES = _table(forward="forward 前 前へ 向前 前進", back="back 後 後ろ 向後 後退", stay="stay 維持 不變更 不変更")
PACES = _table(
    fast="fast ハイ ハイペース 快 快節奏",
    average="average 平均 平均ペース 平均節奏",
    slow="slow スロー スローペース 慢 慢節奏",
)
STYLES = {
    **{word: position for word, position in POSITIONS.items() if position in GRANTS},
    **dict.fromkeys(("none", "なし", "無", "无"), "none"),
}
PASS = dict.fromkeys(("pass", "パス", "なし", "不使用", "跳過", "無"), "pass")
REST_WORDS = ("rest", "残り", "其餘", "其他")
ENDS = _table(front="front 先頭 最前 最前面", back="back 最後尾 最後 最後面")
SCENES = {
    "gate": "gate 出走 出閘",
    "finish": "finish ゴール前 ゴール 終點前",
}
SCENE_WORDS = {word: scene for scene, words in SCENES.items() for word in words.split()}
CORNERS = r"(?:corner[- ]?|第)([0-9]{1,4}|[一二三四五六七八九])(?:コーナー|彎道|弯道)?"
NUMERALS = "一二三四五六七八九"

PLACES = (
    ("ahead", r"ahead (.+)"),
    ("behind", r"behind (.+)"),
    ("ahead", r"(?i:(?:directly )?ahead (?:of )?)(.+)"),
    ("behind", r"(?i:(?:directly )?behind )(.+)"),
    ("ahead", r"(.+?)\s*(?:のすぐ前|の前|前面)"),
    ("behind", r"(.+?)\s*(?:のすぐ後ろ|の後ろ|の後|後面)"),
)

SIGNS = str.maketrans("＝，；：＠＋－　", "=,;:@+- ")
DIGITS = str.maketrans("０１２３４５６７８９", "0123456789")


def plain(text: str) -> str:
    """Full-width signs, digits and spaces as ASCII, and nothing else changed."""
    return text.translate(SIGNS).translate(DIGITS).strip()


def word(text: str, words: Mapping[str, str]) -> str | None:
    """The id that a word stands for, or None."""
    asked = unicodedata.normalize("NFKC", text).strip()
    return words.get(asked) or words.get(asked.casefold().replace(" ", "-"))


def places(text: str) -> Iterator[tuple[str, str]]:
    """What a place can mean: an end of the field and no name, or a side and a name; the plainest first."""
    end = word(text, ENDS)
    if end:
        yield end, ""
    for side, pattern in PLACES:
        match = re.fullmatch(pattern, text)
        if match:
            yield side, match[1].strip()


def scene(text: str) -> str:
    """The id of a scene: corner-2 for the second corner."""
    plain_text = unicodedata.normalize("NFKC", text).strip().casefold()
    match = re.fullmatch(CORNERS, plain_text)
    if match:
        number = NUMERALS.find(match[1]) + 1 or int(match[1])
        return f"corner-{number}"
    ordinal = plain_text.removesuffix(" corner")
    if ordinal in ORDINALS and ordinal != plain_text:
        return f"corner-{ORDINALS.index(ordinal) + 1}"
    return SCENE_WORDS.get(plain_text, text)


def dice(text: str) -> list[str]:
    """The faces of typed dice, `3+3+3`; nothing that was typed is dropped."""
    faces = [part for part in re.split(r"[\s+,、]+", plain(text)) if part]
    return faces[:-1] if faces[-1:] == ["hand"] else faces


def kiai(text: str) -> str:
    """A number of kiai as a file holds it, from `+2` or `kiai 2` too."""
    number = re.sub(r"^(?:kiai|気合|氣合)\s*", "", plain(text)).removeprefix("+")
    return number.lstrip("0") or "0"
