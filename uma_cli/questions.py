"""The questions that each kind of scene has, and which of them are answered by dice."""

import re

from uma_cli.race import GRANTS, Move, Pace, kind_of

CLOSINGS = {"gate": "standing", "corner": "standing", "finish": "result"}
"""The table that closes a scene of each kind."""

CHOICES = {
    "gate": ("kiai", "style", "skill", "place", "npc", "pace"),
    "corner": ("kiai", "skill", "move", "npc", "pace"),
    "finish": ("kiai", "skill"),
}
DICE = {
    "gate": ("check", "pace-die", "rise-die"),
    "corner": (
        "obstacle",
        "obstacle-kind",
        "obstacle-check",
        "contest-front",
        "contest-closer",
        "pace-die",
        "rise-die",
    ),
    "finish": ("order", "check", "photo"),
}
_NUMBERED = {
    "gate": r"check-tie(-[0-9]{1,4})?",
    "corner": r"contest-(front|closer)-tie(-[0-9]{1,4})?",
    "finish": r"order-tie(-[0-9]{1,4})?|check-[0-9]{1,4}|photo-2",
}

_FORMS = {
    "kiai": "[0-9]+",
    "style": rf"({'|'.join(GRANTS)}|none)\s*(,.*)?",
    "place": "front|back|(ahead|behind) .+",
    "move": "|".join(Move),
    "npc": "kiai [0-9]+",
    "pace": "|".join(Pace),
}


def is_dice(scene: str, question: str) -> bool:
    """Whether a question of a scene is answered by dice."""
    kind = kind_of(scene)
    if question in DICE[kind] or question in CHOICES[kind]:
        return question in DICE[kind]
    return "-" in question and re.fullmatch(_NUMBERED[kind], question) is not None


def is_question(scene: str, question: str) -> bool:
    """Whether a scene has such a question at all."""
    return question in CHOICES[kind_of(scene)] or is_dice(scene, question)


def has_form(question: str, text: str) -> bool:
    """Whether a text looks like an answer to a choice other than of skills, be it allowed or not."""
    return re.fullmatch(_FORMS[question], text, re.DOTALL) is not None
