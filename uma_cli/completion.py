"""What TAB offers in bash, zsh and fish: words that no shell acts on, and silence where there is nothing to offer."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from itertools import islice
from typing import Any, NamedTuple

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from uma_cli import file, words
from uma_cli.errors import UmaError
from uma_cli.live import ANY_DICE, REST, ROLL
from uma_cli.parse import parse
from uma_cli.questions import is_dice
from uma_cli.race import MASTER, MAX_RUNNERS, MAX_SCENES, NAME_LENGTH, Position, Race, kind_of
from uma_cli.strategy import STRATEGIES
from uma_cli.tables import DEFAULT_TABLES
from uma_cli.text import clean

MAX_BYTES = 1 << 18
"""How much of the FILEs in a call is read for names: nobody waits long for TAB."""
MAX_ENTRIES = 10_000
"""How many entries of a folder are looked at."""
IN_NAMES = "-_."
IN_WORDS = f"{IN_NAMES}=,/"
IN_PATHS = f"{IN_WORDS}~ "


def is_safe(text: str, signs: str = IN_NAMES) -> bool:
    """Whether a text is letters, digits and such signs only, all to be seen: a shell takes it as it stands."""
    return all(char.isalnum() or char in signs for char in text) and clean(text) == text


def _is_name(text: object) -> bool:
    return isinstance(text, str) and 0 < len(text) <= NAME_LENGTH and text[0] != "-" and is_safe(text)


class Known(NamedTuple):
    """What the race files of a call know by names that can be offered."""

    runners: tuple[str, ...]
    skills: dict[str, tuple[str, ...]]
    scenes: tuple[str, ...]


def known(paths: Iterable[str]) -> Known:
    """The names in race files, as far as they can be read; the races need not be right."""
    runners: list[str] = []
    skills: dict[str, tuple[str, ...]] = {}
    scenes: list[str] = []
    for data in _readable(paths):
        entries = _table(data, "runner")
        runners += _names(entries)
        runners += _names(name for table in data.values() for name in _table(table, "npc"))
        skills.update({name: _names(_table(entries[name], "skill")) for name in _names(entries)})
        listed = data.get("scenes", Race().scenes)
        scenes += islice(filter(_is_name, listed if isinstance(listed, list | tuple) else ()), MAX_SCENES)
    return Known(tuple(dict.fromkeys(runners)), skills, tuple(dict.fromkeys(scenes)))


def _readable(paths: Iterable[str]) -> Iterator[dict[str, Any]]:
    left = MAX_BYTES
    for path in (os.path.expanduser(path) for path in paths if path != file.STDIO):
        with suppress(UmaError, OSError, ValueError):
            size = os.path.getsize(path)
            if size <= left:
                left -= size
                yield parse(file.decode(file.bytes_of(path)))


def _table(data: object, key: str) -> dict[str, Any]:
    table = data.get(key) if isinstance(data, dict) else None
    return table if isinstance(table, dict) else {}


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice(filter(_is_name, names), MAX_RUNNERS))


def candidates(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """What can stand at this place of an option's value."""
    names = known(ctx.params.get("files") or ())
    question = param.opts[0].removeprefix("--")
    kind = ctx.command.name or ""
    if question in ("scene", "since"):
        offered: Iterable[str] = (scene for scene in names.scenes if question == "since" or kind_of(scene) == kind)
    elif question == "strategy":
        offered = STRATEGIES
    elif question == "auto-for":
        offered = names.runners
    else:
        offered = _answers(kind, question, names, incomplete)
    return [text for text in offered if text.startswith(incomplete)]


def _answers(kind: str, question: str, names: Known, incomplete: str) -> Iterator[str]:
    """Answers such as `Rice=forward`; once it is clear whose, what she can answer."""
    if question in ("ruling", "note"):
        before, part = "", incomplete
    else:
        before, part = re.fullmatch("(.*,)?(.*)", incomplete, re.DOTALL).groups("")  # type: ignore[union-attr]
    who, sign, _ = part.partition("=")
    if sign:
        yield from (f"{before}{who}={value}" for value in _values(kind, question, names.skills.get(who, ())))
        return
    given = {answer.partition("=")[0] for answer in before.split(",")}
    whose = [name for name in _whose(question, names) if name not in given and name.startswith(part)]
    if question == "pace":
        yield from (before + pace for pace in _values(kind, question, ()))
    if len(whose) > 1:
        yield from (f"{before}{name}=" for name in whose)
        return
    for name in whose:
        values = _values(kind, question, names.skills.get(name, ()))
        # A shell sets a space after the only candidate there is; the bare `NAME=` keeps it from choosing for her.
        yield from (f"{before}{name}={value}" for value in (values if len(values) > 1 else ("", *values)))


def _whose(question: str, names: Known) -> Iterator[str]:
    if question != "pace-die":
        yield from names.runners
    if question in ("pace-die", ANY_DICE, "note"):
        yield MASTER
    if question not in ("pace-die", "npc", "ruling", "note"):
        yield REST


def _values(kind: str, question: str, skills: Sequence[str]) -> tuple[str, ...]:
    """What can follow `NAME=`."""
    if question == ANY_DICE or is_dice(kind, question):
        return (ROLL,)
    match question:
        case "move":
            return _ids(words.MOVES)
        case "pace":
            return _ids(words.PACES)
        case "style":
            return _ids(words.STYLES)
        case "place":
            return _ids(words.ENDS)
        case "skill":
            return (*skills, "pass")
        case "kiai":
            cap = DEFAULT_TABLES.cap["gate" if kind == "gate" else "scene"]
            return tuple(map(str, range(cap + 1)))
        case "ruling":
            return ("out", *Position)
        case _:
            return ()


def _ids(table: dict[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(table.values()))


class RaceFile(click.types.StringParamType):
    """The path of a race file: *.toml by name, or the shell's own way with paths where that is safer or more."""

    name = "race file"

    def shell_complete(self, _ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The race files that begin like this; folders are left to the shell, which goes on in them."""
        folder, base = os.path.split(incomplete)
        races, folders = [], []
        with suppress(OSError), os.scandir(os.path.expanduser(folder) or ".") as entries:
            for entry in islice(entries, MAX_ENTRIES):
                if entry.name.startswith(base) and not (entry.name.startswith(".") and not base):
                    if entry.name.endswith(".toml"):
                        races.append(entry.name)
                    elif entry.is_dir():
                        folders.append(entry.name)
        paths = sorted(os.path.join(folder, name) for name in races)
        if not paths or (base and folders) or not all(map(_is_name, races)) or not is_safe(folder, IN_WORDS):
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(path) for path in paths]


class SceneName(click.types.StringParamType):
    """A scene of the race files in the call."""

    name = "scene"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Scenes by their ids."""
        return [CompletionItem(scene) for scene in candidates(ctx, param, incomplete)]


TYPES: dict[str, click.types.StringParamType] = {
    "FILE": RaceFile(),
    "FILE...": RaceFile(),
    "RACE": RaceFile(),
    "SCENE": SceneName(),
}
"""What TAB knows of arguments and options by what their help calls them."""


class Answering(ShellComplete):
    """Completion of whole words of a shell, that never says anything but candidates."""

    def complete(self) -> str:
        """The candidates as the shell's script reads them; none if anything goes wrong."""
        with suppress(Exception), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            _set_types(self.cli)
            args, word = self.get_completion_args()
            before = ""
            if word.startswith("-") and "=" in word:
                before = word[: word.index("=") + 1]
            elif args and args[-1].startswith("--") and args[-1] != "--" and not word.startswith("-"):
                word = f"{args.pop()}={word}"
            if word.startswith("-") and "=" in word:
                # An option without its value at the end would make click forget the FILE before it.
                args.append(word[: word.index("=") + 1])
            return "\n".join(self._lines(before, self.get_completions(args, word)))
        return ""

    def piece(self, word: str) -> str:
        """The part of a whole word that the shell is to insert."""
        return word

    def _lines(self, before: str, items: Iterable[CompletionItem]) -> Iterator[str]:
        for item in items:
            if item.type == "plain":
                piece = self.piece(before + item.value)
                if piece and is_safe(piece, IN_WORDS):
                    yield self.format_completion(CompletionItem(piece, help=item.help))
            else:
                path = item.value if is_safe(item.value, IN_PATHS) else ""
                yield self.format_completion(CompletionItem(path, type=item.type))


def _set_types(group: click.Command) -> None:
    if not isinstance(group, click.Group):
        return
    context = click.Context(group)
    for command in filter(None, (group.get_command(context, name) for name in group.list_commands(context))):
        for param in command.params:
            param.type = TYPES.get(param.metavar or "", param.type)


class Bash(Answering, BashComplete):
    """Bash takes `Rice=forward` for three words, and wants only the one at the cursor."""

    cut = 0

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words with those around a `=` in one."""
        pieces = split_arg_string(os.environ["COMP_WORDS"])
        place = int(os.environ["COMP_CWORD"])
        pieces = [*pieces[:place], *(pieces[place : place + 1] or [""])]
        joined: list[str] = []
        self.cut = 0
        glued = False
        for piece in pieces:
            if joined and piece and (glued or piece == "="):
                self.cut = len(joined[-1]) + (piece == "=")
                joined[-1] += piece
            else:
                self.cut = 0
                joined.append(piece)
            glued = piece == "="
        return joined[1:-1], joined[-1]

    def piece(self, word: str) -> str:
        """What follows the `=` that the word is split at."""
        return word[self.cut :]


class Zsh(Answering, ZshComplete):
    """Zsh quotes what it inserts.

    It finds the script by itself and runs it as a function at every TAB. Click's asks whether it is the first time, and
    does not complete at the second; what tells the function from a script that is read is its name.
    """

    source_template = ZshComplete.source_template.replace(
        "$zsh_eval_context[-1] == loadautofunc", '"$funcstack[1]" == _%(prog_name)s'
    )


class Fish(Answering, FishComplete):
    """Fish quotes what it inserts. Click's script would cut a candidate at its first comma."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split --max 1 ","')


def register() -> None:
    """Let click answer TAB by these classes."""
    for shell in (Bash, Zsh, Fish):
        add_completion_class(shell)
