"""What a race waits for: who, what each option means, and the commands that answer."""

from __future__ import annotations

from collections.abc import Sequence

from uma_cli.replay import Played, Stand
from uma_cli.show.ways import MANY, more, ways
from uma_cli.state import argv, call
from uma_cli.table import Ask
from uma_cli.text import Whole, clean, command
from uma_cli.voice import Voice


def turn(stand: Stand, file: str, voice: Voice) -> list[str]:
    """What comes next: the questions that wait and the commands that answer them, or the command to play on."""
    if stand.status == "finished":
        return [voice("the race is over")]
    if stand.status == "ready":
        return [voice("next:"), Whole(f"  {command(call(stand.scene, file))}")]
    dice = [ask for ask in stand.waiting if ask.dice]
    lines = _dice(stand, dice, file, voice) if dice else []
    for group in alike([ask for ask in stand.waiting if not ask.dice]):
        lines += _choice(stand, group, file, voice)
    return lines + ahead(stand, voice)


def ahead(stand: Stand, voice: Voice) -> list[str]:
    """Who may answer already though it is not her turn."""
    asks = stand.open.ahead if stand.open else ()
    if not asks:
        return []
    names = [ask.runner for ask in asks]
    return [voice("may already answer ({question}): {names}", question=_question(asks[0], voice), names=names)]


def waits(stand: Stand, voice: Voice) -> str:
    """Scene, question and whom it waits for, on one line."""
    asks = stand.waiting
    names = voice.comma.join(clean(ask.runner) for ask in asks)
    return "\t".join((voice.word(asks[0].scene), _question(asks[0], voice), names))


def _question(ask: Ask, voice: Voice) -> str:
    return voice.within(ask.scene).word(ask.question)


def alike(asks: Sequence[Ask]) -> list[list[Ask]]:
    """Questions with the same answers together."""
    groups: dict[tuple[str, ...], list[Ask]] = {}
    for ask in asks:
        groups.setdefault(tuple(option.answer for option in ask.options()), []).append(ask)
    return list(groups.values())


def _dice(stand: Stand, asks: list[Ask], file: str, voice: Voice) -> list[str]:
    first = asks[0]
    typed = ",".join(f"{ask.runner}={'+'.join('N' * (ask.dice.number if ask.dice else 1))}" for ask in asks[:MANY])
    ways = [
        (voice("type them:"), [*call(first.scene, file), f"--{first.question}", typed]),
        (voice("or roll:"), argv(first, file, "roll")),
    ]
    if len(asks) > 1:
        ways.append((voice("or roll for all:"), [*call(first.scene, file), f"--{first.question}", "rest=roll"]))
    return [dice_wanted(stand, asks, voice), *(Whole(f"  {way} {command(words)}") for way, words in ways)]


def who(stand: Stand, name: str) -> str:
    """A runner, and the player who answers for her."""
    entry = stand.race.entries.get(name)
    return f"{name} ({entry.player})" if entry and entry.player else name


def dice_wanted(stand: Stand, asks: Sequence[Ask], voice: Voice) -> str:
    """Which dice a scene waits for, and whose."""
    first = asks[0]
    thrown = [f"{who(stand, ask.runner)} {ask.dice and ask.dice.faces}" for ask in asks]
    words = {"scene": voice.word(first.scene), "question": _question(first, voice)}
    return voice("{scene} waits for dice: {question} of {who}", **words, who=thrown)


def choice_wanted(stand: Stand, asks: Sequence[Ask], voice: Voice) -> str:
    """Who has to choose what."""
    names = [who(stand, ask.runner) for ask in asks]
    words = {"scene": voice.word(asks[0].scene), "question": _question(asks[0], voice)}
    return voice("{scene} waits for {names}: {question}", **words, names=names)


def _choice(stand: Stand, asks: list[Ask], file: str, voice: Voice) -> list[str]:
    first, choices = asks[0], ways(asks, voice)
    lines = [choice_wanted(stand, asks, voice), *(f"  {line}" for line in more(asks, voice))]
    for way in choices:
        lines.append(f"  {way}")
        if len(choices) <= MANY:
            lines.append(Whole(f"      {command(argv(first, file, way.answer))}"))
    if len(choices) > MANY:
        lines.append(Whole(f"  {command(argv(first, file, choices[0].answer))}"))
    if len(asks) > 1:
        rest = [*call(first.scene, file), f"--{first.question}", f"rest={choices[0].answer}"]
        lines.append(Whole(f"  {voice('the same for all:')} {command(rest)}"))
    return lines


def dry(played: Played, voice: Voice) -> list[str]:
    """What a dry run would go on with."""
    if played.done:
        return [voice("the scene would be closed")]
    first = played.asks[0]
    parts = {"question": _question(first, voice), "names": [ask.runner for ask in played.asks]}
    if first.dice:
        return [voice("next to be thrown: {question} of {names}", **parts)]
    return [voice("next to be chosen: {question} of {names}", **parts)]
