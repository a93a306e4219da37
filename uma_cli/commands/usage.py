"""A call that cannot be read: what is wrong with it in uma's own words, and what may have been meant."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import pairwise

import click

from uma_cli.errors import Misused, Say, UmaError, Unwritable, say
from uma_cli.near import nearest
from uma_cli.questions import CHOICES, is_question
from uma_cli.system import reason
from uma_cli.talk import Talk
from uma_cli.voice import Voice, language_of


def failed(error: click.ClickException, arguments: Sequence[str], commands: Sequence[str]) -> int:
    """Tell what is wrong with a call, and return its exit code."""
    context = getattr(error, "ctx", None)
    path = " ".join(["uma", *(name for name in arguments[:1] if name in commands)])
    path = context.command_path if context else path
    what, near = _in_own_words(error, arguments, commands)
    hint = say("did you mean `{near}`?", near=near) if near else say("{path} --help tells more", path=path)
    if isinstance(error, click.NoSuchOption) and (kind := _whose(error.option_name)):
        hint = say("`{option}` goes with `uma {kind}`", option=error.option_name, kind=kind)
    return _told(Misused(what, hint=hint), arguments)


def hindered(error: OSError, arguments: Sequence[str]) -> int:
    """Tell that the system does not let a call go on, and return its exit code."""
    return _told(Unwritable(say("the system does not let uma go on: {why}", why=reason(error))), arguments)


def _told(error: UmaError, arguments: Sequence[str]) -> int:
    json, color = "--json" in arguments, _value("--color", arguments) or "auto"
    Talk(Voice(language_of(_value("--lang", arguments), os.environ)), json=json, color=color).failed(None, error)
    return error.code


def _whose(option: str) -> str | None:
    """The scene that has a question of this name."""
    return next((kind for kind in CHOICES if is_question(kind, option.removeprefix("--"))), None)


def _value(option: str, arguments: Sequence[str]) -> str | None:
    """What an option says in a call that could not be read otherwise."""
    following = dict(pairwise(arguments))
    joined = (argument.partition("=")[2] for argument in arguments if argument.startswith(f"{option}="))
    return following.get(option) or next(joined, None)


def _in_own_words(
    error: click.ClickException, arguments: Sequence[str], commands: Sequence[str]
) -> tuple[Say, str | None]:
    """What is wrong with a call, and what may have been meant."""
    if isinstance(error, click.NoSuchOption):
        near = nearest(error.option_name, error.possibilities or (), 0)
        return say("there is no option `{option}`", option=error.option_name), near
    if command := getattr(error, "command_name", None):
        return say("there is no command `{command}`", command=command), nearest(command, commands)
    if isinstance(error, click.MissingParameter) and error.param:
        return say("{what} is missing", what=(error.param.metavar or error.param.name or "").rstrip(".")), None
    if isinstance(error, click.BadOptionUsage):
        given = any(argument.startswith(f"{error.option_name}=") for argument in arguments)
        wrong = say("`{option}` takes no value") if given else say("`{option}` wants a value")
        return say(wrong.text, option=error.option_name), None
    if isinstance(error, click.BadParameter) and error.param and (what := _wanted(error.param.type, error.message)):
        return say("{path}: {what}", path=error.param.opts[-1], what=what), None
    if extra := re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", error.message):
        return say("`{what}` is too much", what=extra[1]), None
    message = error.format_message().rstrip(".")
    return say("{what}", what=message[:1].lower() + message[1:]), None


def _wanted(kind: object, message: str) -> Say | None:
    """What a value could have been."""
    if isinstance(kind, click.IntRange):
        if kind.max is None:
            return say("want a number of at least {least}", least=kind.min)
        return say("want a number from {least} to {most}", least=kind.min, most=kind.max)
    if isinstance(kind, click.Choice):
        value = message.partition("' is not ")[0].lstrip("'")
        near = nearest(value, kind.choices)
        mean = say("; did you mean `{near}`?", near=near) if near else say("")
        return say("want one of {words}, not {value}{mean}", words=", ".join(kind.choices), value=value, mean=mean)
    return None
