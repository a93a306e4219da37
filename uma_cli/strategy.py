"""Strategies that play for a runner, seen from what a player at the table would know.

All but `random` are one valuation with other tastes. Another of that kind is a subclass of `Steady` that changes a few
of its numbers; one that thinks in its own way is any class that takes the same and has an `answer`. Listed in
`STRATEGIES` it is offered wherever a strategy can be named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from itertools import combinations
from typing import Protocol

from uma_cli.errors import Refused
from uma_cli.race import LADDER, Move, Pace, Position, Runner, Skill, Use, kind_of, moved
from uma_cli.table import Ask
from uma_cli.tables import Dice

Pick = Callable[[Ask, int], int]
"""Draws one of so many options."""

SPEED = {Pace.FAST: 1, Pace.AVERAGE: 0, Pace.SLOW: -1}


class Strategy(Protocol):
    """Thinks about one question; made with the question, and with what draws."""

    def answer(self) -> str:
        """One of the answers that the question allows, as the file is to hold it."""


class Random:
    """Each option alike; in a seeded race drawn from the seed."""

    def __init__(self, ask: Ask, pick: Pick) -> None:
        self.ask = ask
        self.pick = pick

    def answer(self) -> str:
        """Any option."""
        options = self.ask.options()
        return options[self.pick(self.ask, len(options))].answer


class Steady:
    """What gives the highest expected score at the finish; of equals the first that is offered.

    Its numbers are points of that score. They are small beside what kiai and position give, so that a taste decides
    between what comes to about the same, and never for what is plainly worse.
    """

    RISE = 1.2
    """The rise of kiai that a scene still to come is expected to bring."""
    SOON: Mapping[str, float] = {"gate": 0.1, "corner": 0.0}
    """What a point that her kiai brings to the checks of this very scene is worth."""
    FORWARD = 0.0
    """What it is worth to stand a position further forward while corners are left; below 0 further back."""
    TEMPO = 0.0
    """What it is worth to have set a fast pace, not an average one; below 0 a slow one."""
    KEEP = 1.0
    """How much of what a skill would bring at the finish counts against using it up before."""
    HINDER = 0.3
    """How much of what a rival loses counts before the finish; at the finish it is 0.6."""

    def __init__(self, ask: Ask, _pick: Pick) -> None:
        self.ask = ask
        self.field = ask.field
        self.tables = ask.field.tables
        self.runner = ask.field[ask.runner]
        self.scenes = ask.scenes_left
        self.mean = _mean_of(ask.field.tables.kiai)
        self._lasting: dict[str, list[Skill]] = {}

    def answer(self) -> str:
        """The option with the highest worth."""
        if self.ask.question == "skill":
            return self._skills()
        answers = [option.answer for option in self.ask.options()]
        return max(answers, key=self._worths(answers))

    def _worths(self, answers: list[str]) -> Callable[[str], float]:
        match self.ask.question:
            case "kiai":
                return self._rises(len(answers) - 1)
            case "style":
                return self._style
            case "place":
                return self._places(answers)
            case "move":
                return self._move
            case _:
                return self._pace

    def score(self, runner: Runner, kiai: float, position: Position | None, scenes: int) -> float:
        """Her expected score at the finish, skills for it included, with so many scenes to come."""
        last = kiai + self.RISE * scenes
        number = self.tables.position[position] if position else 0
        skills = sum(
            gain
            for skill in self._for_finish(runner)
            if (not skill.position or (position is not None and position.within(skill.position)))
            and (gain := self.gain(last, number, skill)) > 0
        )
        return self.mean(last) + number + skills + runner.bonus + sum(effect.amount for effect in runner.finish)

    def hope(self, kiai: float, position: Position | None, scenes: int) -> float:
        """What she herself can come to, and how she likes to stand until then."""
        liking = self.FORWARD * (2 - position.rank) if position and scenes else 0.0
        return self.outlook(kiai, position, scenes) + liking

    def outlook(self, kiai: float, position: Position | None, scenes: int) -> float:
        """What she herself can come to: the score as things are."""
        return self.score(self.runner, kiai, position, scenes)

    def gain(self, kiai: float, number: int, skill: Skill) -> float:
        """What a skill adds to a check of hers."""
        softened = min(skill.soften, -number) if number < 0 else 0
        return self.mean(kiai + skill.kiai) - self.mean(kiai) + 3.5 * skill.dice + skill.bonus + softened

    def _for_finish(self, runner: Runner) -> list[Skill]:
        """The skills that she can still use there."""
        if runner.name not in self._lasting:
            skills = [skill for skill in runner.skills.values() if "finish" in skill.when]
            self._lasting[runner.name] = [skill for skill in skills if runner.left(skill) > 0]
        return self._lasting[runner.name]

    def _rises(self, most: int) -> Callable[[str], float]:
        """What she can still come to at the finish, and what the rise brings at once; above the last row all is one."""
        kiai, position, scenes = self.runner.kiai, self.runner.position, self.scenes
        later = self.tables.cap["scene"] * scenes
        highest = min(most + later, len(self.tables.kiai))
        ends = [self.hope(kiai + rise, position, scenes) for rise in range(highest + 1)]
        soon = self.SOON.get(kind_of(self.ask.scene), 0.0)

        def worth(answer: str) -> float:
            rise = min(int(answer), highest)
            return max(ends[rise : rise + later + 1]) + self.mean(kiai + rise) * soon

        return worth

    def _style(self, style: str) -> float:
        kiai, scenes = self.runner.kiai, self.scenes
        if style == "none":
            places = (Position.FRONT_RUNNER, Position.PACE_CHASER, Position.LATE_SURGER)
            return sum(self.hope(kiai, place, scenes) for place in places) / len(places)
        position = Position(style)
        rise = self.tables.pace["runaway"][position].mean if position is Position.RUNAWAY else 1.0
        return self.hope(kiai + rise - 1, position, scenes)

    def _places(self, answers: list[str]) -> Callable[[str], float]:
        placed = [answer.partition(" ")[2] for answer in answers if answer.startswith("ahead ")]
        slots = {"front": 0, "back": len(placed)}
        for slot, name in enumerate(placed):
            slots |= {f"ahead {name}": slot, f"behind {name}": slot + 1}
        hopes = [self.hope(self.runner.kiai, position, self.scenes) for position in LADDER[:3]]
        return lambda place: hopes[min(slots[place], 2)]

    def _move(self, answer: str) -> float:
        move, here = Move(answer), self.runner.position
        assert here is not None
        kiai = self.runner.kiai + (move is not Move.STAY)
        stays = self._after_scene(kiai, here)
        place = moved(here, move)
        if place is None or place is here:
            return stays
        holders = self.field.at(place.rank) if place.rank in (0, 3) else []
        chance = math.prod(map(self._wins, holders))
        return chance * self._after_scene(kiai, place) + (1 - chance) * stays

    def _after_scene(self, kiai: float, position: Position) -> float:
        pace = self.field.pace or Pace.AVERAGE
        return self.hope(kiai + self.tables.pace[pace][position].mean, position, self.scenes - 1)

    def _wins(self, other: Runner) -> float:
        runner = self.runner
        mine, hers = self.tables.roll(runner.kiai + 1), self.tables.roll(other.kiai)
        margin = mine.mean + runner.bonus + runner.here.bonus - hers.mean - other.bonus - other.here.bonus
        return (1 + math.erf(margin / math.sqrt(2 * (mine.variance + hers.variance)))) / 2

    def _pace(self, answer: str) -> float:
        pace = Pace(answer)
        row = self.tables.pace[pace]

        def worth(runner: Runner) -> float:
            position = runner.position or Position.LATE_START
            return self.score(runner, runner.kiai + row[position].mean, position, self.scenes - 1)

        rivals = [worth(other) for other in self.field if other is not self.runner]
        ahead = worth(self.runner) - (sum(rivals) / len(rivals) if rivals else 0)
        return ahead + self.TEMPO * SPEED[pace]

    def _skills(self) -> str:
        """The set of skills that gains most together, each on its best target; nothing that only costs."""
        best: dict[str, tuple[float, str]] = {}
        gains = cache(self._alone)
        hinder = 0.6 if self.ask.scene == "finish" else self.HINDER
        for option in self.ask.options()[1:]:
            name, _, target = option.answer.partition(" @ ")
            skill = self.runner.skills[name]
            worth = gains(name) + (self._harm(skill, target) * hinder if target else 0.0)
            if worth > best.get(name, (0.0, ""))[0]:
                best[name] = (worth, option.answer)
        chosen = sorted(best.values(), reverse=True)[:6]
        for size in range(len(chosen), 0, -1):
            for some in combinations(chosen, size):
                answer = "; ".join(text for _, text in some)
                if allowed(self.ask, answer):
                    return answer
        return "pass"

    def _alone(self, name: str) -> float:
        """What a skill of hers brings, whomever else it meets."""
        runner, skill = self.runner, self.runner.skills[name]
        position = runner.position or Position.LATE_SURGER
        gain = self.gain(runner.kiai, self.tables.position[position], skill)
        if self.ask.scene == "finish":
            return gain
        now = self.hope(runner.kiai, position, self.scenes)
        then = self.hope(runner.kiai + skill.kiai, skill.place or position, self.scenes)
        if "finish" in skill.when and runner.left(skill) == 1:
            then -= max(0.0, gain) * self.KEEP
        return then - now + (3.5 * skill.dice + skill.bonus) / (2 if self.ask.scene == "gate" else 6)

    def _harm(self, skill: Skill, aim: str) -> float:
        """What a rival loses, weighed by how much she stands in the way."""
        name, _, wanted = aim.partition(":")
        target = self.field[name]
        harm = self.mean(target.kiai) - self.mean(target.kiai + skill.target_kiai) - skill.target_bonus
        hers = (use for use in self.field.uses if use.user == name and wanted in ("", use.skill.name))
        declared = next(hers, None)
        if skill.cancels and declared:
            harm += max(0.5, self._at_stake(target, declared))
        return harm / (1 + self._rank[name] / 4)

    @cached_property
    def _rank(self) -> Mapping[str, int]:
        """Who stands how far ahead if the finish were now, from 0."""
        ranked = sorted(self.field, key=lambda other: -self.score(other, other.kiai, other.position, 0))
        return {other.name: rank for rank, other in enumerate(ranked)}

    def _at_stake(self, target: Runner, use: Use) -> float:
        number = self.tables.position[target.position] if target.position else 0
        return 3.5 * use.skill.dice + use.skill.bonus + min(use.skill.soften, max(0, -number))


class Bold(Steady):
    """Early kiai, the front at once and a fast pace there, and skills as soon as they can be used."""

    RISE = 1.8
    SOON: Mapping[str, float] = {"gate": 0.4, "corner": 0.1}
    FORWARD = 0.6
    TEMPO = 2.0
    KEEP = 0.0
    HINDER = 0.6


class Patient(Steady):
    """Kiai and skills kept for the finish, a place behind until the corners run out, a slow pace where she leads."""

    SOON: Mapping[str, float] = {"gate": -0.01, "corner": -0.01}
    FORWARD = -0.2
    TEMPO = -1.5
    HINDER = 0.0

    def outlook(self, kiai: float, position: Position | None, scenes: int) -> float:
        """She counts on moving up in the corners that are left, as far as it pays and nobody has to be beaten."""
        ways = [(kiai, position)]
        if position in (Position.LATE_SURGER, Position.END_CLOSER):
            corners = min(scenes, self.scenes - (self.ask.scene == "gate"))
            ways += [(kiai + up, LADDER[position.rank - up]) for up in range(1, min(corners, position.rank - 1) + 1)]
        return max(self.score(self.runner, *way, scenes) for way in ways)


def allowed(ask: Ask, answer: str) -> bool:
    """Whether the rules take an answer."""
    try:
        ask.check(answer)
    except Refused:
        return False
    return True


@lru_cache(maxsize=8)
def _mean_of(rows: tuple[Dice, ...]) -> Callable[[float], float]:
    """The expected sum of the dice of a kiai, between two rows in proportion; a season asks for few, and often."""
    means = [dice.mean for dice in rows]
    last = len(means) - 1

    @lru_cache(maxsize=4096)
    def mean(kiai: float) -> float:
        kiai = max(1.0, kiai)
        low = int(kiai)
        part = kiai - low
        return means[min(low - 1, last)] * (1 - part) + means[min(low, last)] * part

    return mean


STRATEGIES: dict[str, Callable[[Ask, Pick], Strategy]] = {
    "steady": Steady,
    "bold": Bold,
    "patient": Patient,
    "random": Random,
}
"""By the names that files and options have for them."""
