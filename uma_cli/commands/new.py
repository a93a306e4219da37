"""`uma new`: a new race file."""

from __future__ import annotations

from typing import Any

import click

from uma_cli import file, new, streams
from uma_cli.commands import options
from uma_cli.commands.help import HELP
from uma_cli.errors import UmaError
from uma_cli.replay import Stand, replay
from uma_cli.schema import read_race
from uma_cli.talk import Talk
from uma_cli.text import command as command_line


@click.command("new", add_help_option=False)
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
@HELP
def command(file_: str, *, force: bool, dry_run: bool, quiet: bool, json: bool, lang: str | None, **keys: Any) -> int:
    """Write a new race file.

    \b
      uma new derby.toml --runner "Rice:kiai=4,bonus=1,player=@alice"
      uma new derby.toml --from roster.toml --seed spring --corners 4
    """
    talk = Talk(options.voice(lang), json=json, quiet=quiet, stdout_taken=file_ == file.STDIO, saved=True)
    streams.unwind_on_sigterm()
    try:
        text = new.document(new.SetUp(**keys))
        if not dry_run:
            file.create(file_, text, force=force)
    except UmaError as error:
        talk.failed(file_, error)
        return error.code
    stand = replay(read_race(file.parse(text)).race)
    if not dry_run and file_ != file.STDIO:
        _tell(talk, file_, stand)
    talk.state(stand, file_)
    return 0


def _tell(talk: Talk, path: str, stand: Stand) -> None:
    if not stand.race.entries:
        talk.result([talk.voice('{file} is written; add its runners: [runner."Name"]', file=path)])
        return
    written = talk.voice("{file} is written", file=path)
    talk.result([written, talk.voice("next:"), f"  {command_line(['uma', 'gate', path])}"])
