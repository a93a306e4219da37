"""Strategies that play for a runner, seen from what a player at the table would know."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Protocol

from uma_cli.errors import Refused
from uma_cli.race import LADDER, Field, Move, Pace, Position, Runner, Skill, Use, moved
from uma_cli.table import Ask

Pick = Callable[[Ask, int], int]
"""Draws one of so many options."""


class Strategy(Protocol):
    """Answers a choice as the file is to hold it."""

    def answer(self, ask: Ask) -> str:
        """One of the answers that the question allows."""


class Random:
    """Each option alike; in a seeded race drawn from the seed."""

    def __init__(self, pick: Pick) -> None:
        self.pick = pick

    def answer(self, ask: Ask) -> str:
        """Any option."""
        options = ask.options()
        return options[self.pick(ask, len(options))].answer


class Steady:
    """What gives the highest expected score at the finish; of equals the first that is offered."""

    RISE = 1.2
    """The rise of kiai that a scene still to come is expected to bring."""

    def __init__(self, pick: Pick) -> None:
        """Nothing is drawn."""

    def answer(self, ask: Ask) -> str:
        """The option with the highest worth."""
        runner = ask.field[ask.runner]
        if ask.question == "skill":
            return self._skills(ask, runner)
        return max((option.answer for option in ask.options()), key=self._worths(ask, runner))

    def _worths(self, ask: Ask, runner: Runner) -> Callable[[str], float]:
        field, scenes = ask.field, ask.scenes_left
        match ask.question:
            case "kiai":
                return lambda rise: self._kiai(ask, runner, int(rise))
            case "style":
                return lambda style: self._style(field, runner, style, scenes)
            case "place":
                return lambda place: self._place(ask, runner, place)
            case "move":
                return lambda move: self._move(field, runner, Move(move), scenes)
            case _:
                return lambda pace: self._pace(field, runner, Pace(pace), scenes)

    def score(self, field: Field, runner: Runner, kiai: float, position: Position | None, scenes: int) -> float:
        """Her expected score at the finish, skills for it included, with so many scenes to come."""
        last = kiai + self.RISE * scenes
        number = field.tables.position[position] if position else 0
        skills = sum(
            gain
            for skill in runner.skills.values()
            if "finish" in skill.when
            and runner.left(skill) > 0
            and (not skill.position or (position is not None and position.within(skill.position)))
            and (gain := self.gain(field, last, number, skill)) > 0
        )
        return mean(field, last) + number + skills + runner.bonus + sum(effect.amount for effect in runner.finish)

    def gain(self, field: Field, kiai: float, number: int, skill: Skill) -> float:
        """What a skill adds to a check of hers."""
        softened = min(skill.soften, -number) if number < 0 else 0
        return mean(field, kiai + skill.kiai) - mean(field, kiai) + 3.5 * skill.dice + skill.bonus + softened

    def _kiai(self, ask: Ask, runner: Runner, rise: int) -> float:
        field, kiai = ask.field, runner.kiai + rise
        later = field.tables.cap["scene"] * ask.scenes_left
        best = max(
            self.score(field, runner, kiai + more, runner.position, ask.scenes_left) for more in range(later + 1)
        )
        soon = mean(field, kiai) if ask.scene == "gate" else 0.0
        return best + soon / 10

    def _style(self, field: Field, runner: Runner, style: str, scenes: int) -> float:
        if style == "none":
            places = (Position.FRONT_RUNNER, Position.PACE_CHASER, Position.LATE_SURGER)
            return sum(self.score(field, runner, runner.kiai, place, scenes) for place in places) / len(places)
        position = Position(style)
        rise = field.tables.pace["runaway"][position].mean if position is Position.RUNAWAY else 1.0
        return self.score(field, runner, runner.kiai + rise - 1, position, scenes)

    def _place(self, ask: Ask, runner: Runner, place: str) -> float:
        side, _, other = place.partition(" ")
        placed = [option.answer.partition(" ")[2] for option in ask.options() if option.answer.startswith("ahead ")]
        slot = {"front": 0, "back": len(placed)}.get(place, 0)
        if other:
            slot = placed.index(other) + (side == "behind")
        position = LADDER[min(slot, 2)]
        return self.score(ask.field, runner, runner.kiai, position, ask.scenes_left)

    def _move(self, field: Field, runner: Runner, move: Move, scenes: int) -> float:
        assert runner.position is not None
        place = moved(runner.position, move) or runner.position
        stays = self._after_scene(field, runner, runner.kiai + (move is not Move.STAY), runner.position, scenes)
        if move is Move.STAY:
            return stays
        gets = self._after_scene(field, runner, runner.kiai + 1, place, scenes)
        holders = [other for other in field.at(place.rank) if place.rank in (0, 3)]
        chance = math.prod(self._wins(field, runner, other) for other in holders)
        return chance * gets + (1 - chance) * stays

    def _after_scene(self, field: Field, runner: Runner, kiai: float, position: Position, scenes: int) -> float:
        pace = field.pace or Pace.AVERAGE
        return self.score(field, runner, kiai + field.tables.pace[pace][position].mean, position, scenes - 1)

    def _wins(self, field: Field, runner: Runner, other: Runner) -> float:
        mine, hers = field.tables.roll(runner.kiai + 1), field.tables.roll(other.kiai)
        margin = mine.mean + runner.bonus + runner.here.bonus - hers.mean - other.bonus - other.here.bonus
        return (1 + math.erf(margin / math.sqrt(2 * (mine.variance + hers.variance)))) / 2

    def _pace(self, field: Field, runner: Runner, pace: Pace, scenes: int) -> float:
        def worth(other: Runner) -> float:
            position = other.position or Position.LATE_START
            rise = field.tables.pace[pace][position].mean
            return self.score(field, other, other.kiai + rise, position, scenes - 1)

        rivals = [worth(other) for other in field if other is not runner]
        return worth(runner) - (sum(rivals) / len(rivals) if rivals else 0)

    def _skills(self, ask: Ask, runner: Runner) -> str:
        """The set of skills that gains most together, each on its best target; nothing that only costs."""
        best: dict[str, tuple[float, str]] = {}
        for option in ask.options()[1:]:
            name, _, target = option.answer.partition(" @ ")
            worth = self._skill(ask, runner, runner.skills[name], target)
            if worth > best.get(name, (0.0, ""))[0]:
                best[name] = (worth, option.answer)
        chosen = sorted(best.values(), reverse=True)[:6]
        for size in range(len(chosen), 0, -1):
            for some in combinations(chosen, size):
                answer = "; ".join(text for _, text in some)
                if allowed(ask, answer):
                    return answer
        return "pass"

    def _skill(self, ask: Ask, runner: Runner, skill: Skill, target: str) -> float:
        field = ask.field
        finish = ask.scene == "finish"
        position = runner.position or Position.LATE_SURGER
        if finish:
            worth = self.gain(field, runner.kiai, field.tables.position[position], skill)
        else:
            scenes = ask.scenes_left
            now = self.score(field, runner, runner.kiai, position, scenes)
            then = self.score(field, runner, runner.kiai + skill.kiai, skill.place or position, scenes)
            if "finish" in skill.when and runner.left(skill) == 1:
                then -= max(0.0, self.gain(field, runner.kiai, field.tables.position[position], skill))
            worth = then - now + (3.5 * skill.dice + skill.bonus) / (2 if ask.scene == "gate" else 6)
        if target:
            worth += self._harm(field, target, skill, finish=finish)
        return worth

    def _harm(self, field: Field, aim: str, skill: Skill, *, finish: bool) -> float:
        """What a rival loses, weighed by how much she stands in the way."""
        name, _, wanted = aim.partition(":")
        target = field[name]
        harm = mean(field, target.kiai) - mean(field, target.kiai + skill.target_kiai) - skill.target_bonus
        hers = (use for use in field.uses if use.user == name and wanted in ("", use.skill.name))
        declared = next(hers, None)
        if skill.cancels and declared:
            harm += max(0.5, self._at_stake(field, target, declared))
        rank = sorted(field, key=lambda other: -self.score(field, other, other.kiai, other.position, 0)).index(target)
        return harm * (0.6 if finish else 0.3) / (1 + rank / 4)

    def _at_stake(self, field: Field, target: Runner, use: Use) -> float:
        number = field.tables.position[target.position] if target.position else 0
        return 3.5 * use.skill.dice + use.skill.bonus + min(use.skill.soften, max(0, -number))


def mean(field: Field, kiai: float) -> float:
    """The expected sum of the dice of a kiai, between two rows in proportion."""
    kiai = max(1.0, kiai)
    low = int(kiai)
    part = kiai - low
    return field.tables.roll(low).mean * (1 - part) + field.tables.roll(low + 1).mean * part


def allowed(ask: Ask, answer: str) -> bool:
    """Whether the rules take an answer."""
    try:
        ask.check(answer)
    except Refused:
        return False
    return True


STRATEGIES: dict[str, Callable[[Pick], Strategy]] = {"steady": Steady, "random": Random}
