"""Asking at the terminal, for those who want it (`--ask`)."""

from __future__ import annotations

import sys

from uma_cli.table import Ask
from uma_cli.text import clean
from uma_cli.voice import Voice
from uma_cli.words import plain


def prompt(ask: Ask, voice: Voice) -> tuple[tuple[str, str], ...]:
    """Question and answer as typed; nothing where an empty line stops the asking."""
    voice = voice.within(ask.scene)
    options = ask.options()
    answers = [option.answer for option in options]
    if ask.dice:
        dice = {"question": voice.word(ask.question), "dice": ask.dice.faces}
        lines = [voice("{name}: {question} {dice}: type the faces, or roll", name=ask.runner, **dice)]
    else:
        lines = [f"{clean(ask.runner)}: {voice.word(ask.question)}", *(f"  {voice.say(what)}" for what in ask.about())]
    numbers = {} if all(map(str.isdecimal, answers)) else {str(n): answer for n, answer in enumerate(answers, 1)}
    for number, option in enumerate(options, 1):
        place = f"{number}) " if numbers else ""
        lines.append(f"  {place}{voice.answer(option.answer, ask.question)}: {voice.say(option.means)}")
    sys.stderr.write("\n".join([*lines, voice("(Enter alone stops asking)"), "> "]))
    sys.stderr.flush()
    said = sys.stdin.readline().strip()
    if not said:
        return ()
    if said not in answers:
        said = numbers.get(plain(said), said)
    return ((ask.question, f"{ask.runner}={said}"),)
