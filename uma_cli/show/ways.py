"""What one can answer to a question: its options, those together that come to the same."""

from collections.abc import Container, Sequence
from typing import NamedTuple

from uma_cli.errors import Say, say
from uma_cli.race import RISE
from uma_cli.table import Ask, Option
from uma_cli.text import clean
from uma_cli.voice import Voice

MANY = 8
"""Up to so many are told one by one."""
AT = " @ "
"""What stands between a skill and whom it is used on."""


class Way(NamedTuple):
    """One thing to choose."""

    said: str
    """The answer, or the answers, as people say them."""
    means: str
    """What it means and costs; nothing where it is not the same for all who are asked."""
    answer: str
    """An answer as the file holds it."""

    def __str__(self) -> str:
        return f"{self.said}: {self.means}" if self.means else self.said


def ways(asks: Sequence[Ask], voice: Voice, *, together: bool = False) -> list[Way]:
    """What those who are asked the same can answer; many options, or all that are `together`, are told as few."""
    first, *others = (ask.options() for ask in asks)
    question = asks[0].question
    options = [
        option._replace(means=option.means if all(theirs[index] == option for theirs in others) else say(""))
        for index, option in enumerate(first)
    ]
    many = len(options) > MANY
    aimed = [option for option in options if many and question == "skill" and AT in option.answer]
    plain = [
        Way(voice.answer(option.answer, question), voice.say(option.means), option.answer)
        for option in options
        if option not in aimed
    ]
    return (_merged(plain) if many or together else plain) + _on_another(aimed, voice)


def more(asks: Sequence[Ask], voice: Voice) -> list[str]:
    """What else there is to know: of the question, and what an option means to each where that is not the same."""
    whose = {ask.runner: f"{clean(ask.runner)}: " if len(asks) > 1 else "" for ask in asks}
    about = [f"{whose[ask.runner]}{voice.say(what)}" for ask in asks for what in ask.about()]
    first, *others = (ask.options() for ask in asks)
    unlike = {option.answer for index, option in enumerate(first) if any(theirs[index] != option for theirs in others)}
    if not unlike:
        return about
    return [*about, *(f"{whose[ask.runner]}{_of_each(ask, unlike, voice)}" for ask in asks)]


def _of_each(ask: Ask, unlike: Container[str], voice: Voice) -> str:
    """What the options mean to one of those who are asked."""
    if ask.question == RISE:
        kiai, roll = ask.field[ask.runner].kiai, ask.field.tables.roll
        rises = [int(option.answer) for option in ask.options() if option.answer in unlike]
        gives = [voice("{n} gives {then} ({dice})", n=n, then=kiai + n, dice=str(roll(kiai + n))) for n in rises]
        return "; ".join([f"{voice('kiai {n}', n=kiai)} ({roll(kiai)})", voice.comma.join(gives)])
    options = [option for option in ask.options() if option.answer in unlike]
    return "; ".join(f"{voice.answer(option.answer, ask.question)}: {voice.say(option.means)}" for option in options)


def _merged(ways: Sequence[Way]) -> list[Way]:
    """Answers that mean the same are one way."""
    same: dict[str, list[Way]] = {}
    for way in ways:
        same.setdefault(way.means, []).append(way)
    return [group[0]._replace(said=" / ".join(way.said for way in group)) for group in same.values()]


def _on_another(options: Sequence[Option], voice: Voice) -> list[Way]:
    """A skill that can be used on many is one way, or one for each thing that it can come to."""
    same: dict[str, dict[str, list[Option]]] = {}
    for option in options:
        skill, _, target = option.answer.partition(AT)
        means = voice.say(_of_another(option.means, target.partition(":")[0]))
        same.setdefault(skill, {}).setdefault(means, []).append(option)
    return [
        Way(f"{clean(skill)}{AT}{_whom(group, voice, all_=len(groups) == 1)}", means, group[0].answer)
        for skill, groups in same.items()
        for means, group in groups.items()
    ]


def _whom(group: Sequence[Option], voice: Voice, *, all_: bool) -> str:
    if all_:
        return voice("another runner")
    return " / ".join(clean(option.answer.partition(AT)[2]) for option in group)


def _of_another(what: Say, target: str) -> Say:
    """A meaning that names nobody."""

    def part(value: object) -> object:
        if isinstance(value, Say):
            return _of_another(value, target)
        if isinstance(value, list):
            return [part(inner) for inner in value]
        return say("the other") if value == target else value

    return Say(what.text, tuple((key, part(value)) for key, value in what.parts))
