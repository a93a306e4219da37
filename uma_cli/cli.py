"""The command `uma`: which commands there are, and what a call is told that cannot be read."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from uma_cli import __version__, streams
from uma_cli.commands.help import HELP

CONTEXT = {"max_content_width": 79}
USAGE = 2
READER_GONE = 141

COMMANDS = {
    "new": "Write a new race file.",
    "gate": "Play the gate: the gate check, places, the first pace.",
    "corner": "Play the next corner: an obstacle, moves, contests, a new pace.",
    "finish": "Play the finish: skills, the finish check, the photo finish.",
    "show": "Show where a race stands; it never writes.",
}
"""The commands in the order of a race, and what each is for."""


class Commands(click.Group):
    """The group: it loads a command when that is called, and without one shows its help as an error."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """In the order of a race."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """The command of a name, loaded now."""
        match name:
            case "new":
                from uma_cli.commands import new

                return new.command
            case "gate" | "corner" | "finish":
                from uma_cli.commands import play

                return play.command(name)
            case "show":
                from uma_cli.commands import show

                return show.command
        return None

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """All commands, without loading one."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click calls it so
    if wanted:
        python = ".".join(map(str, sys.version_info[:3]))
        click.echo(f"uma {__version__} (race format 1, Python {python})")
        ctx.exit()


@click.group(cls=Commands, context_settings=CONTEXT, no_args_is_help=True, add_help_option=False)
@click.option(
    "-V", "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show versions."
)
@HELP
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


def invoke(arguments: Sequence[str]) -> int:
    """Run one call and return its exit code."""
    if "_UMA_COMPLETE" in os.environ:
        from uma_cli import completion

        completion.register()
    try:
        code = uma.main(list(arguments), prog_name="uma", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except click.ClickException as error:
        from uma_cli.commands import usage

        return usage.failed(error, arguments, list(COMMANDS))
    return code if isinstance(code, int) else 0


def run() -> int:
    """Run the call that this process is for, and return its exit code.

    Raises:
        KeyboardInterrupt: somebody pressed Ctrl-C.
    """
    if sys.getfilesystemencoding() == "ascii":  # names in a call would be no letters: begin again in UTF-8
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - it is this call
    try:
        return invoke(sys.argv[1:])
    except streams.ReaderGone:
        return READER_GONE
    except OSError as error:
        from uma_cli.commands import usage

        streams.silence(sys.stdout)
        return usage.hindered(error, sys.argv[1:])
    except click.Abort:
        raise KeyboardInterrupt from None
