"""The commands: read, one step, write, say. The only click."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import click

from uma_cli import __version__, file, new, options, streams, words
from uma_cli.errors import Misused, Refused, Say, UmaError, Unwritable, say
from uma_cli.race import Race
from uma_cli.replay import Played, Stand, replay
from uma_cli.run import Call, Outcome, run, stand_of
from uma_cli.table import Ask, unasked
from uma_cli.talk import ReaderGone, Talk, write
from uma_cli.text import clean, command
from uma_cli.voice import Voice

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 79}
FAULT = 1
USAGE = 2
READER_GONE = 141


class Commands(click.Group):
    """The group: without a command it shows its help as an error."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """In the order of a race."""
        return list(self.commands)


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click calls it so
    if wanted:
        python = ".".join(map(str, sys.version_info[:3]))
        click.echo(f"uma {__version__} (race format 1, Python {python})")
        ctx.exit()


@click.group(cls=Commands, context_settings=CONTEXT, no_args_is_help=True)
@click.option(
    "-V", "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show versions."
)
def uma() -> None:
    """Adjudicate the race scenes of a tabletop game of horse girls.

    \b
      uma new derby.toml --runner "Rice:kiai=4" --runner "Teio:kiai=5"
      uma gate derby.toml
      uma corner derby.toml --move Rice=forward
      uma finish derby.toml --auto
      uma show derby.toml

    A race waits in its file: each command goes on as far as it can, says whom
    it waits for, and which command answers.  This is an unofficial fan tool.
    """


@uma.command("new")
@click.argument("file_", metavar="FILE")
@click.option("--title", help="What the race is called.")
@click.option("--course", help="Where it is run.")
@click.option("--note", help="Words about the race.")
@click.option("--runner", "runners", multiple=True, metavar="NAME:KEY=VALUE,...", help="A runner; repeatable.")
@click.option("--corners", type=click.IntRange(0, 38), help="How many corners (2).")
@click.option("--scenes", multiple=True, help="The scenes by name instead.")
@click.option("--from", "roster", metavar="RACE", help="Runners and skills of another file.")
@click.option("--rules", metavar="RACE", help="Tables of another file.")
@click.option("--seed", help="Dice that anybody can throw again.")
@click.option("--throws", type=click.Choice(["tool", "hand"]), help="Who throws the dice (tool).")
@click.option("--ask", metavar="WORDS", help='Declarations to wait for: "kiai style".')
@click.option("--finish-checks", type=click.IntRange(1, 40), help="How many finish checks (1).")
@click.option("--photo", metavar="CM", help='Centimetres a point: "1" or "10 1".')
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("-n", "--dry-run", is_flag=True, help="Check all, write nothing.")
@click.option("-q", "--quiet", is_flag=True, help="No talk of success.")
@click.option("--json", is_flag=True, help="The race as a JSON object.")
@options.LANG
def new_command(
    file_: str, *, force: bool, dry_run: bool, quiet: bool, json: bool, lang: str | None, **keys: Any
) -> int:
    """Write a new race file.

    \b
      uma new derby.toml --runner "Rice:kiai=4,bonus=1,player=@alice"
      uma new derby.toml --from roster.toml --seed spring --corners 4
    """
    talk = Talk(options.voice(lang), json=json, quiet=quiet, stdout_taken=file_ == file.STDIO, saved=True)
    try:
        text = new.document(new.SetUp(**keys))
        if not dry_run:
            file.create(file_, text, force=force)
    except UmaError as error:
        talk.failed(file_, error)
        return error.code
    stand = replay(_race_of(text))
    if not dry_run and file_ != file.STDIO and not stand.race.entries:
        talk.result([talk.voice('{file} is written; add its runners: [runner."Name"]', file=file_)])
    elif not dry_run and file_ != file.STDIO:
        written = talk.voice("{file} is written", file=file_)
        talk.result([written, talk.voice("next:"), f"  {command(['uma', 'gate', file_])}"])
    talk.state(stand, file_)
    return 0


def _race_of(text: str) -> Race:
    from uma_cli.schema import read_race

    return read_race(file.parse(text)).race


def _scene_command(kind: str, about: str) -> None:
    @uma.command(kind, cls=options.SceneCommand, kind=kind, help=about)
    @click.argument("files", nargs=-1, required=True, metavar="FILE...")
    @options.common
    def play(files: tuple[str, ...], **keys: Any) -> int:
        return play_files(files, kind, **keys)


def play_files(
    files: Sequence[str], kind: str, *, json: bool, quiet: bool, ask: bool, lang: str | None, color: str, **keys: Any
) -> int:
    """Play a scene of each file, each on its own; the largest exit code."""
    taken = file.STDIO in files and not keys["dry_run"]
    talk = Talk(options.voice(lang), json=json, quiet=quiet, stdout_taken=taken, saved=True, color=color)
    try:
        call = options.call(kind, **keys)
        if ask and not all(stream and stream.isatty() for stream in (sys.stdin, sys.stderr)):
            raise Misused(say("--ask wants a terminal"))
        if ask and call.dry:
            raise Misused(say("--ask goes on playing, and --dry-run does not"))
    except UmaError as error:
        talk.failed(None, error)
        return error.code

    def play(path: str) -> None:
        outcome = run(path, call)
        _tell(talk, outcome, call, asking=ask)
        while ask and outcome.stand.waiting and (answers := _prompt(outcome.stand.waiting[0], talk.voice)):
            try:
                outcome = run(path, Call(kind, scene=outcome.stand.scene, answers=answers, strategy=call.strategy))
            except (Misused, Refused) as error:
                talk.failed(path, error)
            else:
                _tell(talk, outcome, call, asking=True)

    return _each(talk, options.expanded(files), play)


def _each(talk: Talk, files: Sequence[str], work: Callable[[str], None]) -> int:
    worst = 0
    for path in streams.counted(files):
        try:
            work(path)
        except UmaError as error:
            talk.failed(path, error)
            worst = max(worst, error.code)
        except (OSError, click.ClickException, click.Abort):
            raise
        except Exception as error:
            if os.environ.get("UMA_DEBUG") == "1":
                raise
            fault = UmaError(
                say("a fault in uma: {kind}: {what}", kind=type(error).__name__, what=str(error)),
                hint=say("UMA_DEBUG=1 shows where; the file is as it was"),
            )
            talk.failed(path, fault)
            worst = max(worst, FAULT)
    return worst


def _tell(talk: Talk, outcome: Outcome, call: Call, *, asking: bool) -> None:
    path = outcome.source.path
    talk.warn(path, outcome.source.warnings)
    for error in outcome.aside:
        talk.warn(path, [say("set aside: {why}", why=error.what)])
    if outcome.laid_out_anew:
        talk.warn(path, [say("{scene} was written in another shape and is laid out anew", scene=outcome.scene)])
    if outcome.played and outcome.played.done:
        talk.warn(path, _never_asked(outcome.stand, outcome.played))
    if not talk.json and not talk.quiet:
        talk.result(_talk(outcome, call, talk.voice, asking=asking and bool(outcome.stand.waiting)))
    talk.state(outcome.stand, path)


def _never_asked(stand: Stand, played: Played) -> list[Say]:
    choices = unasked(stand.race.record(played.scene).answers, played.trace)
    paths = [f"{played.scene}.{question}.{name}" for question, name in choices]
    return [say("{path}: nobody asked for it; it is kept", path=path) for path in paths]


def _talk(outcome: Outcome, call: Call, voice: Voice, *, asking: bool) -> list[str]:
    from uma_cli.show import asking as asks
    from uma_cli.show import grid, plain

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
    return lines if asking else [*lines, *asks.turn(outcome.stand, path, voice)]


def _told(outcome: Outcome, played: Played, voice: Voice) -> Iterator[str]:
    from uma_cli.show import story

    before, after = (race.record(played.scene) for race in (outcome.source.race, outcome.stand.race))
    yield from story.told(played, outcome.before, before, voice)
    if not played.done:
        for said in outcome.kept:
            parts = {"question": voice.word(said.question), "answer": voice.answer(said.text, said.question)}
            yield voice("{name} {question}: {answer} (ahead)", name=said.who, **parts)
        for name in after.rulings:
            if name not in before.rulings:
                yield voice("ruling on {name}: kept for its moment in the scene", name=name)
    for name, note in after.notes.items():
        if note != before.notes.get(name):
            yield voice("note of {name}: {words}", name=name, words=note.splitlines()[-1])


def _prompt(ask: Ask, voice: Voice) -> tuple[tuple[str, str], ...]:
    """Ask at the terminal; an empty line stops asking."""
    answers = [option.answer for option in ask.options()]
    if ask.dice:
        dice = {"question": voice.word(ask.question), "dice": ask.dice.faces}
        lines = [voice("{name}: {question} {dice}: type the faces, or roll", name=ask.runner, **dice)]
    else:
        lines = [f"{clean(ask.runner)}: {voice.word(ask.question)}"]
    for number, option in enumerate(ask.options(), 1):
        lines.append(f"  {number}) {voice.answer(option.answer, ask.question)}: {voice.say(option.means)}")
    write([*lines, voice("(Enter alone stops asking)")], error=True)
    sys.stderr.write("> ")
    sys.stderr.flush()
    said = sys.stdin.readline().strip()
    if not said:
        return ()
    if said.isdecimal() and said not in answers and 1 <= int(said) <= len(answers):
        said = answers[int(said) - 1]
    return ((ask.question, f"{ask.runner}={said}"),)


_scene_command(
    "gate",
    """Play the gate: the gate check, places, the first pace.

    \b
      uma gate derby.toml
      uma gate derby.toml --kiai Rice=2,Teio=1 --check Rice=3+3+3
      uma gate derby.toml --place Teio="ahead Rice"
    """,
)
_scene_command(
    "corner",
    """Play the next corner: an obstacle, moves, contests, a new pace.

    \b
      uma corner derby.toml
      uma corner derby.toml --scene corner-2 --move 1=forward,rest=stay
      uma corner derby.toml --ruling "Rice=kiai -1" --why "spooked"
    """,
)
_scene_command(
    "finish",
    """Play the finish: skills, the finish check, the photo finish.

    \b
      uma finish derby.toml
      uma finish derby.toml --skill "Rice=Last Spurt; Glare @ Teio"
      uma finish derby.toml --auto
    """,
)


@uma.command("show")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--log", is_flag=True, help="The whole race as a story.")
@click.option("--last", is_flag=True, help="Only the last scene of it.")
@click.option("--since", metavar="SCENE", help="Only from this scene on.")
@click.option("--chat", is_flag=True, help="Text to post: blocks that ping nobody.")
@click.option("--limit", type=click.IntRange(100, 100_000), default=2000, help="Characters a post may have (2000).")
@click.option("--part", type=click.IntRange(1), help="Only this one of the posts.")
@click.option("--markdown", is_flag=True, help="Text to post as Markdown.")
@click.option("--waiting", is_flag=True, help="A line for each race that waits.")
@click.option("--tsv", is_flag=True, help="A row for each runner, cells parted by tabs.")
@click.option("--svg", is_flag=True, help="A picture of one race.")
@click.option("--json", is_flag=True, help="A JSON object for each race.")
@options.COLOR
@options.LANG
def show_command(files: tuple[str, ...], *, json: bool, lang: str | None, color: str, **keys: Any) -> int:
    """Show where a race stands; it never writes.

    \b
      uma show derby.toml
      uma show --waiting *.toml
      uma show --log --since corner-2 derby.toml
      uma show --chat --last derby.toml
      uma show --svg derby.toml > derby.svg
    """
    from uma_cli.show import wish as wishes

    talk = Talk(options.voice(lang), json=json, color=color)
    since = keys["since"] and words.scene(keys["since"])
    wish = wishes.Wish(**{**keys, "since": since, "ascii": not streams.speaks_unicode()})
    paths = options.expanded(files)
    try:
        wishes.check(wish, json=json, files=len(paths))
    except UmaError as error:
        talk.failed(None, error)
        return error.code
    if wish.tsv:
        from uma_cli.show import rows

        talk.result([rows.head()])

    def show_one(path: str) -> None:
        source = file.read(path)
        stand = stand_of(source)
        talk.warn(path, source.warnings)
        talk.state(stand, path)
        if json:
            return
        if wish.view and (sys.stdout.isatty() or streams.coloured(color, sys.stdout)):
            _at_a_glance(stand, path, talk.voice, color)
        elif wish.waiting:
            talk.result([f"{line}\t{file.changed(path)}" for line in wishes.lines(stand, path, wish, talk.voice)])
        elif wish.log and sys.stdout.isatty() and not wish.chat and not wish.markdown:
            _paged(wishes.lines(stand, path, wish, talk.voice))
        else:
            talk.result(wishes.lines(stand, path, wish, talk.voice))

    return _each(talk, paths, show_one)


def _paged(lines: Iterable[str]) -> None:
    from uma_cli.show import terminal

    width = terminal.console(colour=False).width
    click.echo_via_pager(f"{line}\n" for line in terminal.wrapped(lines, width))


def _at_a_glance(stand: Stand, path: str, voice: Voice, color: str) -> None:
    from uma_cli.show import terminal

    boxed = sys.stdout.isatty()
    console = terminal.console(colour=streams.coloured(color, sys.stdout), width=None if boxed else terminal.UNCUT)
    console.print(terminal.view(stand, path, voice, console.width, boxed=boxed))


def invoke(arguments: Sequence[str]) -> int:
    """Run one call and return its exit code (RELIABILITY)."""
    try:
        code = uma.main(list(arguments), prog_name="uma", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        write([error.format_message()], error=True)
        return USAGE
    except click.ClickException as error:
        return _usage(error, arguments)
    return code if isinstance(code, int) else 0


def _usage(error: click.ClickException, arguments: Sequence[str]) -> int:
    context = getattr(error, "ctx", None)
    path = " ".join(["uma", *(name for name in arguments[:1] if name in uma.commands)])
    path = context.command_path if context else path
    what, near = _in_own_words(error)
    hint = say("did you mean `{near}`?", near=near) if near else say("{path} --help tells more", path=path)
    voice = options.voice(options.lang_in(arguments))
    Talk(voice, json="--json" in arguments).failed(None, Misused(what, hint=hint))
    return USAGE


def _in_own_words(error: click.ClickException) -> tuple[Say, str | None]:
    """What is wrong with a call, and what may have been meant."""
    possible = list(getattr(error, "possibilities", None) or ())
    if isinstance(error, click.NoSuchOption):
        return say("there is no option `{option}`", option=error.option_name), _nearest(error.option_name, possible)
    if command := getattr(error, "command_name", None):
        return say("there is no command `{command}`", command=command), _nearest(command, possible)
    if isinstance(error, click.MissingParameter) and error.param:
        return say("{what} is missing", what=(error.param.metavar or error.param.name or "").rstrip(".")), None
    message = error.format_message().rstrip(".")
    return say("{what}", what=message[:1].lower() + message[1:]), None


def _nearest(name: str, possible: Sequence[str]) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, possible, 1, 0.0)), None)


def main() -> None:
    """Run uma, and leave with its exit code."""
    streams.guard_streams()
    try:
        code = invoke(sys.argv[1:])
    except ReaderGone:
        code = READER_GONE
    except OSError:
        streams.silence()
        code = Unwritable.code
    except (KeyboardInterrupt, click.Abort, streams.Terminated) as error:
        streams.die_by(error)
        raise
    sys.exit(code)
