"""What is said to people, in English, Japanese or Traditional Chinese; nothing is said that is not clean."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from uma_cli.errors import Say, Word
from uma_cli.race import NOTHING, Effect, kind_of
from uma_cli.text import clean

LANGUAGES = ("en", "ja", "zh")
FOLDER = os.path.join(os.path.dirname(__file__), "languages")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
ENGLISH: Mapping[str, str] = {
    "-tie": "{question} roll-off",
    "-tie-N": "{question} roll-off {n}",
    "check-N": "finish check {n}",
    "contest-closer": "contest for end-closer",
    "contest-front": "contest for the front",
    "corner-N": "corner {n}",
    **{f"corner-{number}": f"{ordinal} corner" for number, ordinal in enumerate(ORDINALS, 1)},
    "finish check": "finish check",
    "gate check": "gate check",
    "npc": "fill-in",
    "obstacle": "obstacle check",
    "obstacle-check": "check against the obstacle",
    "obstacle-kind": "which obstacle",
    "order": "check for the order",
    "pace-die": "pace die",
    "photo": "photo finish",
    "photo-2": "second photo",
    "ready": "next",
    "rise-die": "pace rise die",
    "soften": "softened",
    "style": "placing",
}
"""What ids are called in English where it is not by themselves."""


class Voice:
    """One language: sentences by their English, and words by the ids that files hold."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.sentences: Mapping[str, str] = NOTHING
        self.words = ENGLISH
        self.kind = ""
        """The kind of scene that is spoken of."""
        if language != "en":
            catalogue = load(language)
            self.sentences = catalogue["sentences"]
            self.words = catalogue["words"]
        self.comma = ", " if language == "en" else "、"

    def __reduce__(self) -> tuple[type[Voice], tuple[str]]:
        """Another process loads the catalogue itself."""
        return Voice, (self.language,)

    def __call__(self, text: str, /, **parts: object) -> str:
        """A sentence with its parts put in, each of them clean."""
        sentence = self.sentences.get(text, text)
        return sentence.format(**{key: self.part(value) for key, value in parts.items()}) if parts else sentence

    def say(self, what: Say, **parts: object) -> str:
        """A sentence that came from elsewhere; `parts` are those that only the caller knows."""
        return self(what.text, **parts, **dict(what.parts))

    def within(self, scene: str) -> Voice:
        """The same voice speaking of a scene, where a question may have a name of its own: gate check, finish check."""
        voice = object.__new__(Voice)
        vars(voice).update(vars(self), kind=kind_of(scene))
        return voice

    def word(self, name: str) -> str:
        """What an id is called; those that are numbered without end (`corner-5`, `check-tie-2`) by rule."""
        return self._known(name) or self._numbered(name) or clean(name)

    def _known(self, name: str) -> str | None:
        return self.words.get(f"{self.kind} {name}") or self.words.get(name)

    def _numbered(self, name: str) -> str | None:
        question, tie, turn = name.partition("-tie")
        rolled_off = self._known(question) if tie else None
        if rolled_off and re.fullmatch("(-[0-9]+)?", turn):
            return self.words["-tie-N" if turn else "-tie"].format(question=rolled_off, n=turn[1:])
        kind, _, number = name.rpartition("-")
        rule = self.words.get(f"{kind}-N")
        return rule.format(n=number) if rule and number.isdecimal() else None

    def part(self, value: object) -> str:
        """A part of a sentence: a sentence itself, a word of the game, or several; else whatever it is, clean."""
        if isinstance(value, Say):
            return self.say(value)
        if isinstance(value, Effect):
            return f"{self.part(value.source)} {value.amount:+d}"
        if isinstance(value, StrEnum | Word):
            return self.word(value)
        if isinstance(value, Sequence) and not isinstance(value, str):
            return self.comma.join(self.part(part) for part in value)
        return clean(str(value))

    def answer(self, answer: str, question: str) -> str:
        """An answer as people say it: the words of the game, and what people wrote as they wrote it."""
        first, _, name = answer.partition(" ")
        match question:
            case "place" if name and first in ("ahead", "behind"):
                return self("ahead {name}", name=name) if first == "ahead" else self("behind {name}", name=name)
            case "npc" if name and first == "kiai":
                return self("kiai {n}", n=name)
            case "skill" if answer != "pass":
                return clean(answer)
        said, comma, more = answer.partition(",")
        more = f" {self.word(more[1:])}" if more == " hand" and question != "style" else clean(more)
        return (self.words.get(f"{question} {said}") or self.word(said)) + comma + more


def load(language: str) -> Mapping[str, Mapping[str, str]]:
    """The catalogue of a language: sentences and words."""
    import json

    with open(os.path.join(FOLDER, f"{language}.json"), encoding="utf-8") as file:
        catalogue: Mapping[str, Mapping[str, str]] = json.load(file)
    return catalogue


def language_of(wanted: str | None, environment: Mapping[str, str]) -> str:
    """The language to speak: the one that is asked for, `UMA_LANG`, or the locale's."""
    for name in (wanted, environment.get("UMA_LANG")):
        if name and (known := _known(name)):
            return known
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if name := environment.get(variable):
            return _known(name) or "en"
    return "en"


def _known(name: str) -> str | None:
    short = name.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return short if short in LANGUAGES else None
