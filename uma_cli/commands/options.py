"""The options of the commands, one for every question of a scene."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

import click

from uma_cli import words
from uma_cli.errors import Misused, say
from uma_cli.live import ANY_DICE
from uma_cli.near import did_you_mean
from uma_cli.questions import CHOICES, DICE, is_question
from uma_cli.race import kind_of
from uma_cli.run import Call
from uma_cli.voice import LANGUAGES, Voice, language_of

F = TypeVar("F", bound=Callable[..., Any])

ABOUT = {
    "kiai": "Declare a rise of kiai: NAME=2.",
    "style": "Grant a placing: NAME=runaway.",
    "skill": 'Use skills: "NAME=SKILL; SKILL @ TARGET".',
    "place": 'Choose a place: NAME="ahead OTHER".',
    "npc": 'Name a fill-in: NAME="kiai 4".',
    "pace": "Set the pace: fast, average or slow.",
    "move": "Move: NAME=forward, back or stay.",
    "pace-die": "The pace die for an NPC: GM=5.",
    "obstacle": "The leader's obstacle die.",
    "obstacle-kind": "Her die for which obstacle.",
}
"""What the questions ask for; those that are absent are dice."""


ROLL_OFFS = {
    "gate": "A roll-off's dice have --check-tie, then --check-tie-2 and so on.",
    "corner": "A roll-off's dice have --contest-front-tie, then --contest-front-tie-2 and so on.",
    "finish": "Also --order-tie for a roll-off, --check-1, --check-2 for several checks, and --photo-2.",
}


def _name(question: str) -> str:
    return f"q_{question.replace('-', '_')}"


def _candidates(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from uma_cli import completion

    return completion.candidates(ctx, param, incomplete)


def _option(question: str, *, hidden: bool = False) -> click.Option:
    return click.Option(
        [f"--{question}", _name(question)],
        multiple=True,
        metavar="ANSWER",
        help=ABOUT.get(question, "Dice by hand: NAME=3+3+3."),
        hidden=hidden,
        shell_complete=_candidates,
    )


class SceneCommand(click.Command):
    """A command with an option for every question of its scene.

    Roll-offs and repeated checks are numbered without end (`--check-tie-2`): their options are made when they are used.
    """

    def __init__(self, *args: Any, kind: str, **keys: Any) -> None:
        super().__init__(*args, **{"epilog": ROLL_OFFS[kind], **keys})
        self.kind = kind
        self.params = [*(_option(question) for question in (*CHOICES[kind], *DICE[kind])), *self.params]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Make the options of the numbered questions that stand in the arguments."""
        known = {name for param in self.params for name in param.opts}
        for argument in args:
            name = argument.partition("=")[0]
            if name.startswith("--") and name not in known and is_question(self.kind, name[2:]):
                ctx.meta.setdefault("uma.numbered", []).append(name[2:])
                known.add(name)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All options, those of numbered questions too."""
        numbered = ctx.meta.get("uma.numbered", [])
        return [*super().get_params(ctx), *(_option(question, hidden=True) for question in numbered)]


_completed = partial(click.option, shell_complete=_candidates)
"""An option for whose value TAB has candidates."""

FILES = click.argument("files", nargs=-1, metavar="FILE...")
LANG = click.option("--lang", type=click.Choice(LANGUAGES), help="Speak English, Japanese or Chinese.")
COLOR = click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour: auto, always, never."
)
THROUGH = click.option("--through", is_flag=True, help="Play all the scenes that are left.")
COMMON = (
    _completed("--dice", "dice", multiple=True, metavar="NAME=FACES", help="Any dice of hers; NAME=roll rolls."),
    _completed("--scene", metavar="SCENE", help="Hold the call to this scene."),
    click.option("--if-needed", is_flag=True, help="Done already is fine."),
    click.option("--auto", is_flag=True, help="Answer every open choice."),
    _completed("--strategy", metavar="STRATEGY", help="How --auto plays (steady)."),
    _completed("--auto-for", multiple=True, metavar="NAME", help="Play for one who is away."),
    _completed("--ruling", multiple=True, metavar="NAME=CHANGE", help='Such as "NAME=kiai -1, start" or NAME=out.'),
    click.option("--why", multiple=True, help="The reason of a ruling."),
    _completed("--note", multiple=True, metavar="NAME=WORDS", help="Keep words with the scene."),
    click.option("--ask", is_flag=True, help="Prompt for each open choice."),
    click.option("-n", "--dry-run", is_flag=True, help="Check all, roll and write nothing."),
    click.option("-q", "--quiet", is_flag=True, help="No talk of success."),
    click.option("--json", is_flag=True, help="The race as a JSON object."),
)
"""The options that all scene commands share."""

MANY = (
    click.option("--files-from", metavar="LIST", help="More FILEs, a line each; - for stdin."),
    click.option("-0", "--null", "nul", is_flag=True, help="They end with NUL."),
    click.option("--jobs", type=click.IntRange(1, 256), default=1, metavar="N", help="Use so many cores (1)."),
)
"""The options of commands that take many files."""


def several(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several options in their order."""

    def decorated(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorated


def voice(lang: str | None) -> Voice:
    """The language to speak: the one asked for, `UMA_LANG`, or the locale's."""
    return Voice(language_of(lang, os.environ))


def call(kind: str, **keys: Any) -> Call:
    """What was called for.

    Raises:
        Misused: options do not go together.
    """
    scene = None if keys["scene"] is None else words.scene(keys["scene"])
    through = keys.get("through", False)
    if scene is not None and kind_of(scene) != kind:
        raise Misused(say("--scene {scene} is no scene of `uma {kind}`", scene=scene, kind=kind))
    if keys["strategy"] is not None:
        _known_strategy(keys["strategy"])
        if not (keys["auto"] or keys["auto_for"]):
            raise Misused(say("--strategy goes with --auto or --auto-for"))
    typed = [(_question(key), text) for key, texts in keys.items() if key.startswith("q_") for text in texts]
    typed += [(ANY_DICE, text) for text in keys["dice"]]
    if through and (typed or scene or keys["ruling"] or keys["note"] or keys["dry_run"]):
        raise Misused(
            say("--through plays one scene after another, and takes no answer, ruling, note, scene or dry run"),
            hint=say("leave them out, or play scene by scene"),
        )
    return Call(
        kind,
        scene=scene or (kind if kind != "corner" else None),
        if_needed=keys["if_needed"],
        answers=tuple(typed),
        rulings=tuple(_reasons(keys["ruling"], keys["why"])),
        notes=keys["note"],
        auto=keys["auto"],
        strategy=keys["strategy"] or "steady",
        auto_for=keys["auto_for"],
        dry=keys["dry_run"],
        through=through,
    )


def _known_strategy(name: str) -> None:
    from uma_cli.strategy import STRATEGIES

    if name not in STRATEGIES:
        there = say("the names are: {names}", names=", ".join(STRATEGIES))
        raise Misused(say("there is no strategy `{name}`", name=name), hint=did_you_mean(name, STRATEGIES) or there)


def _question(key: str) -> str:
    return key.removeprefix("q_").replace("_", "-")


def _reasons(rulings: Sequence[str], reasons: Sequence[str]) -> Iterator[tuple[str, str]]:
    if not rulings and reasons:
        raise Misused(say("--why goes with --ruling"))
    if len(reasons) not in (1, len(rulings)):
        raise Misused(say("a ruling wants a reason"), hint=say('add --why "...", one for all or one for each'))
    yield from zip(rulings, list(reasons) * (len(rulings) if len(reasons) == 1 else 1), strict=True)
