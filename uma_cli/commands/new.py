"""`uma new`: a new race file, or many of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import click

from uma_cli import batch, file, new, streams
from uma_cli.commands import options
from uma_cli.commands.help import HELP
from uma_cli.errors import Misused, UmaError, say
from uma_cli.parse import parse
from uma_cli.race import MAX_RUNNERS
from uma_cli.replay import Stand, replay
from uma_cli.schema import read_race
from uma_cli.state import named
from uma_cli.talk import Talk
from uma_cli.text import command as command_line


@click.command("new", add_help_option=False)
@click.argument("file_", metavar="FILE", required=False)
@click.option("--title", help="What the race is called.")
@click.option("--course", help="Where it is run.")
@click.option("--note", help="Words about the race.")
@click.option("--runner", "runners", multiple=True, metavar="NAME:KEY=VALUE,...", help="A runner; repeatable.")
@click.option("--corners", type=click.IntRange(0, 38), help="How many corners (2).")
@click.option("--scenes", multiple=True, help="The scenes by name instead.")
@click.option("--from", "roster", metavar="RACE", help="Runners and skills of another file.")
@click.option("--field", type=click.IntRange(1, MAX_RUNNERS), metavar="N", help="Draw so many of them.")
@click.option("--rules", metavar="RACE", help="Tables of another file.")
@click.option("--seed", help="Dice that anybody can throw again.")
@click.option("--throws", type=click.Choice(["tool", "hand"]), help="Who throws the dice (tool).")
@click.option("--ask", metavar="WORDS", help='Declarations to wait for: "kiai style".')
@click.option("--finish-checks", type=click.IntRange(1, 40), help="How many finish checks (1).")
@click.option("--photo", metavar="CM", help='Centimetres a point: "1" or "10 1".')
@click.option("--count", type=click.IntRange(1, 1_000_000), metavar="N", help="Write so many races, named by --name.")
@click.option("--name", metavar="NAME", help="Their files: 'season/race-{n:04}.toml'.")
@click.option("--if-needed", is_flag=True, help="Leave what is there, make the rest.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("-n", "--dry-run", is_flag=True, help="Check all, write nothing.")
@click.option("-q", "--quiet", is_flag=True, help="No talk of success.")
@click.option("--json", is_flag=True, help="The race as a JSON object.")
@options.LANG
@HELP
def command(
    file_: str | None,
    *,
    count: int | None,
    name: str | None,
    if_needed: bool,
    force: bool,
    dry_run: bool,
    quiet: bool,
    json: bool,
    lang: str | None,
    **keys: Any,
) -> int:
    """Write a new race file.

    \b
      uma new derby.toml --runner "Rice:kiai=4,bonus=1,player=@alice"
      uma new derby.toml --from roster.toml --seed spring --corners 4
      uma new --count 100 --name 'league/{n:03}.toml' \\
          --from roster.toml --field 8 --seed league
    """
    talk = Talk(options.voice(lang), json=json, quiet=quiet, stdout_taken=file_ == file.STDIO, saved=True)
    streams.unwind_on_signals()
    try:
        set_up = new.SetUp(**keys)
        set_ups = _set_ups(file_, set_up, count, name)
        if if_needed:
            set_ups = {path: each for path, each in set_ups.items() if not file.is_there(path)}
        if not set_ups:
            return 0
        given = new.material(set_up)
        if count:
            new.document(next(iter(set_ups.values())), given)  # what is wrong with all is said once
        if count or dry_run:
            file.check_free(set_ups, force=force)
        if count and not dry_run:
            file.make_folders(set_ups)
        make = Make(set_ups, given, force=force, dry=dry_run)
        code = batch.each(list(set_ups), make, talk)
    except UmaError as error:
        talk.failed(file_, error)
        return error.code
    if dry_run and code == 0:
        talk.result([talk.voice("dry run: nothing is written")])
    elif len(set_ups) > 1 and code == 0:
        first, *_, last = set_ups
        talk.result([talk.voice("{n} races are written: {first} to {last}", n=len(set_ups), first=first, last=last)])
    return code


def _set_ups(path: str | None, set_up: new.SetUp, count: int | None, name: str | None) -> dict[str, new.SetUp]:
    """The files to be written, and what each is made of."""
    if count is None and name is None and path is not None:
        return {path: set_up}
    if count is None or name is None or path is not None:
        raise Misused(say("give a FILE, or --count and --name"))
    return {new.numbered(name, n): new.one_of_many(set_up, name, n) for n in range(1, count + 1)}


class Make(NamedTuple):
    """What `uma new` does with each of its files."""

    set_ups: Mapping[str, new.SetUp]
    given: new.Material
    force: bool
    dry: bool

    def __call__(self, path: str, talk: Talk) -> None:
        """Write a new race and tell of it.

        Raises:
            UmaError: it is not written.
        """
        text = new.document(self.set_ups[path], self.given)
        if not self.dry:
            file.create(path, text, force=self.force)
        if talk.json or len(self.set_ups) == 1:
            stand = replay(read_race(parse(text)).race)
            if not self.dry and path != file.STDIO:
                _tell(talk, path, stand)
            talk.state(stand, path)


def _tell(talk: Talk, path: str, stand: Stand) -> None:
    if not stand.race.entries:
        talk.result([talk.voice('{file} is written; add its runners: [runner."Name"]', file=path)])
        return
    written = talk.voice("{file} is written", file=path)
    talk.result([written, talk.voice("next:"), f"  {command_line(['uma', 'gate', named(path)])}"])
