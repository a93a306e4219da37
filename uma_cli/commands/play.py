"""`uma gate`, `uma corner`, `uma finish`: one step of a scene, for each file."""

import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import click

from uma_cli import batch, file, streams
from uma_cli.commands import options
from uma_cli.commands.help import HELP
from uma_cli.errors import Misused, Refused, Say, UmaError, say
from uma_cli.replay import Played, Stand
from uma_cli.run import Call, Outcome, run
from uma_cli.show import asking as asks
from uma_cli.show import grid, plain, story
from uma_cli.table import unasked
from uma_cli.talk import Talk
from uma_cli.text import clean
from uma_cli.voice import Voice

ABOUT = {
    "gate": """Play the gate: the gate check, places, the first pace.

    \b
      uma gate derby.toml
      uma gate derby.toml --kiai Rice=2,Teio=1 --check Rice=3+3+3
      uma gate derby.toml --place Teio="ahead Rice"
    """,
    "corner": """Play the next corner: an obstacle, moves, contests, a new pace.

    \b
      uma corner derby.toml
      uma corner derby.toml --scene corner-2 --move 1=forward,rest=stay
      uma corner derby.toml --ruling "Rice=kiai -1" --why "spooked"
    """,
    "finish": """Play the finish: skills, the finish check, the photo finish.

    \b
      uma finish derby.toml
      uma finish derby.toml --skill "Rice=Last Spurt; Glare @ Teio"
      uma finish derby.toml --auto
      uma finish --through --auto --if-needed season/*.toml
    """,
}


@cache
def command(kind: str) -> click.Command:
    """The command that plays a kind of scene."""
    own = [options.THROUGH] if kind == "finish" else []

    @click.command(kind, cls=options.SceneCommand, kind=kind, help=ABOUT[kind], add_help_option=False)
    @options.FILES
    @options.several(*own, *options.COMMON, *options.MANY, options.COLOR, options.LANG, HELP)
    def play(files: tuple[str, ...], **keys: Any) -> int:
        return play_files(kind, files, **keys)

    return play


def play_files(
    kind: str,
    files: tuple[str, ...],
    *,
    json: bool,
    quiet: bool,
    ask: bool,
    lang: str | None,
    color: str,
    files_from: str | None,
    nul: bool,
    jobs: int,
    **keys: Any,
) -> int:
    """Play a scene of each file, each on its own; the largest exit code."""
    taken = file.STDIO in files and not keys["dry_run"]
    talk = Talk(options.voice(lang), json=json, quiet=quiet, stdout_taken=taken, saved=True, color=color)
    try:
        call = options.call(kind, **keys)
        if ask and not (streams.is_terminal(sys.stdin) and streams.is_terminal(sys.stderr)):
            raise Misused(say("--ask wants a terminal"))
        if ask and call.dry:
            raise Misused(say("--ask goes on playing, and --dry-run does not"))
        if ask and jobs > 1:
            raise Misused(say("--ask asks one after another, and --jobs does not"))
        streams.unwind_on_signals()
        return batch.each(batch.files_of(files, files_from, nul=nul), Play(call, asking=ask), talk, jobs)
    except UmaError as error:
        talk.failed(None, error)
        return error.code


class Play(NamedTuple):
    """What a scene command does with each of its files."""

    call: Call
    asking: bool = False

    def __call__(self, path: str, talk: Talk) -> None:
        """Play a step and tell of it; with `--ask`, then what is typed.

        Raises:
            UmaError: the step is not done.
        """
        for outcome in run(path, self.call):
            _tell(talk, outcome, self.call, asking=self.asking)
        talk.state(outcome.stand, path)
        if self.asking:
            self._ask(path, outcome.stand, talk)

    def _ask(self, path: str, stand: Stand, talk: Talk) -> None:
        from uma_cli.commands.prompt import prompt

        scene = stand.scene
        while stand.waiting and (self.call.through or stand.scene == scene):
            if not (answers := prompt(stand.waiting[0], talk.voice)):
                return
            try:
                call = self.call._replace(scene=stand.scene, if_needed=False, answers=answers, rulings=(), notes=())
                for outcome in run(path, call):
                    _tell(talk, outcome, self.call, asking=True)
                    stand = outcome.stand
            except (Misused, Refused) as error:
                talk.failed(path, error)
            else:
                talk.state(stand, path)


def _tell(talk: Talk, outcome: Outcome, call: Call, *, asking: bool) -> None:
    path = outcome.source.path
    talk.warn(path, outcome.source.warnings)
    for error in outcome.aside:
        talk.warn(path, [say("not taken: {why}", why=error.what)])
    if outcome.laid_out_anew:
        talk.warn(path, [say("{scene} was written in another shape and is laid out anew", scene=outcome.scene)])
    if outcome.played and outcome.played.done:
        talk.warn(path, _never_asked(outcome.stand, outcome.played))
    if not talk.json and not talk.quiet:
        talk.result(_talk(outcome, call, talk.voice, asking=asking and bool(outcome.stand.waiting)))


def _never_asked(stand: Stand, played: Played) -> list[Say]:
    choices = unasked(stand.race.record(played.scene).answers, played.trace)
    paths = [f"{played.scene}.{question}.{name}" for question, name in choices]
    return [say("{path}: nobody asked for it; it is kept", path=path) for path in paths]


def _talk(outcome: Outcome, call: Call, voice: Voice, *, asking: bool) -> list[str]:
    path = outcome.source.path
    if outcome.played is None or outcome.scene is None:
        return [voice("{file}: nothing to do", file=path), *asks.turn(outcome.stand, path, voice)]
    title = outcome.stand.race.title
    lines = [f"{clean(path)}: {voice.word(outcome.scene)}" + (f" ({clean(title)})" if title else "")]
    lines += [f"  {line}" for line in _told(outcome, outcome.played, voice)]
    if call.dry:
        return [*lines, *asks.dry(outcome.played, voice), voice("dry run: nothing is written")]
    if outcome.played.done:
        lines += ["", *plain.table(grid.of(outcome.stand, voice)), ""]
    if asking or (call.through and outcome.closed):
        return lines
    return [*lines, *asks.turn(outcome.stand, path, voice)]


def _told(outcome: Outcome, played: Played, voice: Voice) -> Iterator[str]:
    before, after = (race.record(played.scene) for race in (outcome.source.race, outcome.stand.race))
    voice = voice.within(played.scene)
    yield from story.told(played, outcome.before, before, voice)
    if not played.done:
        for said in outcome.kept:
            parts = {"question": voice.word(said.question), "answer": voice.answer(said.text, said.question)}
            yield voice("{name} {question}: {answer} (ahead)", name=said.who, **parts)
        for name, ruling in after.rulings.items():
            if name not in before.rulings:
                yield story.kept(name, ruling, voice)
    for name, note in after.notes.items():
        if note != before.notes.get(name):
            yield voice("note of {name}: {words}", name=name, words=note.splitlines()[-1])
