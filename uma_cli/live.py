"""Players of a running call: what was said to it, then the strategies, then the tool's dice."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from uma_cli.dice import Chance, Seeded
from uma_cli.errors import Refused, say
from uma_cli.questions import is_dice
from uma_cli.race import Race, Ruling, lowest_kiai
from uma_cli.replay import strategy_of
from uma_cli.table import DECLARATIONS, Ask, Throw
from uma_cli.tables import Dice

REST = "rest"
ANY_DICE = "dice"
ROLL = "roll"
LOWEST = "lowest"
"""What is said of a fill-in who is only named: she has the lowest kiai of the field (C6)."""


class Said(NamedTuple):
    """One answer given on the command line, as the file would hold it."""

    question: str
    """The question, or `dice` for whatever dice she is asked for."""
    who: str | None
    """A runner, `rest`, or None for the one who is asked."""
    text: str
    """Empty to blank the answer; `roll` to let the tool throw."""


class Words(NamedTuple):
    """All that a call says to a scene."""

    said: tuple[Said, ...] = ()
    rulings: tuple[tuple[str, Ruling], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    auto: str | None = None
    """The strategy that answers every open choice."""
    auto_for: frozenset[str] = frozenset()
    strategy: str = "steady"
    dry: bool = False
    """Check all, roll nothing."""


class Once:
    """The dice of one call: what has fallen stays, however often the call has to be thought over."""

    def __init__(self, dice: Chance | Seeded) -> None:
        self.dice = dice
        self.thrown: dict[tuple[str, str], tuple[int, ...]] = {}

    def throw(self, ask: Ask, dice: Dice) -> tuple[int, ...]:
        """The faces of the dice asked for."""
        key = (ask.question, ask.runner)
        if key not in self.thrown:
            self.thrown[key] = self.dice.throw(ask.scene, ask.question, ask.runner, dice)
        return self.thrown[key]

    @property
    def by_chance(self) -> bool:
        """Whether dice fell that nobody could know; to take them back would be to throw again."""
        return bool(self.thrown) and isinstance(self.dice, Chance)


class Live:
    """The players of a scene that is played now."""

    speak = True

    def __init__(self, race: Race, words: Words, dice: Once) -> None:
        self.race = race
        self.words = words
        self.once = dice
        self.dice = dice.dice
        self.unused = list(words.said)
        self.served: set[Said] = set()
        """What was said of the rest, and was somebody's answer."""

    def answer(self, asks: Sequence[Ask]) -> Mapping[str, str]:
        """The answers that there are to a question, by runner."""
        answers = {}
        for ask in asks:
            text = self._said(ask, alone=len(asks) == 1)
            if text is None or text == ROLL:
                text = self._throw(ask, ask.dice, asked_to=text == ROLL) if ask.dice else self._play(ask)
            if text:
                answers[ask.runner] = text
        return answers

    def says(self, scene: str, question: str, runner: str, /) -> bool:
        """Whether something was said for her that would answer a question."""
        questions = (question, ANY_DICE) if is_dice(scene, question) else (question,)
        return any(said.who == runner and said.question in questions for said in self.unused)

    def newcomers(self) -> Sequence[str]:
        """The names given with `--npc`."""
        return [said.who for said in self.unused if said.question == "npc" and said.who]

    def fallen(self, scene: str, question: str, runner: str, dice: Dice, /) -> tuple[int, ...] | None:
        """What the seed throws."""
        return self.dice.fallen(scene, question, runner, dice)

    def _said(self, ask: Ask, *, alone: bool) -> str | None:
        questions = (ask.question, ANY_DICE) if ask.dice else (ask.question,)
        mine = [said for said in self.unused if said.question in questions]
        for said in mine:
            if said.who == ask.runner:
                self.unused.remove(said)
                return f"kiai {lowest_kiai(ask.field)}" if said.text == LOWEST else said.text
        if ask.optional and ask.question not in DECLARATIONS:
            return None
        for said in mine:
            if said.who is None and not ask.optional:
                if not alone:
                    raise Refused(
                        say(
                            "several are asked for {question}, and `{text}` names nobody",
                            question=ask.question,
                            text=said.text,
                        ),
                        hint=say("say who: {runner}=...", runner=ask.runner),
                    ).of(ask.question, None)
                self.unused.remove(said)
                return said.text
        rest = next((said for said in mine if said.who == REST), None)
        if rest is None:
            return None
        self.served.add(rest)
        return rest.text

    def _throw(self, ask: Ask, dice: Dice, *, asked_to: bool) -> str | None:
        if self.words.dry or (self.race.throws_by_hand(ask.runner) and not asked_to):
            return None
        return str(Throw(self.once.throw(ask, dice)))

    def _play(self, ask: Ask) -> str | None:
        if ask.optional:
            return None
        name = strategy_of(self.race, ask)
        if name is None and ask.runner in self.words.auto_for:
            name = self.words.strategy
        name = name or self.words.auto
        if not name:
            return None
        from uma_cli.strategy import STRATEGIES  # only a step that is played by one pays for loading it

        return STRATEGIES[name](ask, self.dice.pick).answer()
