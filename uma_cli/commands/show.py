"""`uma show`: where a race stands, in whatever shape is wished for; it never writes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

import click

from uma_cli import batch, file, streams, words
from uma_cli.commands import options
from uma_cli.commands.help import HELP
from uma_cli.errors import UmaError
from uma_cli.run import stand_of
from uma_cli.show import story
from uma_cli.show import wish as wishes
from uma_cli.show.wish import Wish
from uma_cli.talk import Talk

BY = ("runner", "player", "strategy", "position", "pace")


@click.command("show", add_help_option=False)
@options.FILES
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
@click.option("--table", is_flag=True, help="One table of all races: wins, points, chances.")
@click.option("--by", type=click.Choice(BY), multiple=True, help="Whose rows it has (runner); repeatable.")
@click.option("--points", metavar="NUMBERS", help='Points by place ("10 6 4 3 2 1").')
@click.option("--json", is_flag=True, help="A JSON object for each race.")
@options.several(*options.MANY, options.COLOR, options.LANG, HELP)
def command(
    files: tuple[str, ...],
    *,
    json: bool,
    lang: str | None,
    color: str,
    files_from: str | None,
    nul: bool,
    jobs: int,
    **keys: Any,
) -> int:
    """Show where a race stands; it never writes.

    \b
      uma show derby.toml
      uma show --waiting *.toml
      uma show --log --since corner-2 derby.toml
      uma show --chat --last derby.toml
      uma show --svg derby.toml > derby.svg
      uma show --table --by player *.toml
    """
    talk = Talk(options.voice(lang), json=json, color=color)
    since = None if keys["since"] is None else words.scene(keys["since"])
    wish = Wish(**{**keys, "since": since, "ascii": not streams.speaks_unicode()})
    try:
        paths = batch.files_of(files, files_from, nul=nul)
        wishes.check(wish, json=json, files=len(paths))
        if wish.table:
            from uma_cli.commands import table

            return table.show(paths, wish, talk, jobs)
        if wish.tsv:
            from uma_cli.show import rows

            talk.result([rows.head()])
        paged = wish.pages and len(paths) == 1 and streams.is_terminal(sys.stdout)
        return batch.each(paths, Show(wish, paged=paged, first=next(iter(paths), "")), talk, jobs)
    except UmaError as error:
        talk.failed(None, error)
        return error.code


class Show(NamedTuple):
    """What `uma show` does with each of its files."""

    wish: Wish
    paged: bool = False
    first: str = ""
    """The first file; what is read is divided from it by a blank line."""

    def __call__(self, path: str, talk: Talk) -> None:
        """Show a race.

        Raises:
            UmaError: it cannot be shown.
        """
        source = file.read(path)
        stand = stand_of(source)
        talk.warn(path, source.warnings)
        if path != self.first and self.wish.read:
            talk.result([""])
        if talk.json:
            talk.state(stand, path)
        elif self.wish.view and (streams.is_terminal(sys.stdout) or streams.coloured(talk.color, sys.stdout)):
            from uma_cli.show import terminal

            talk.result(terminal.lines(stand, path, talk.voice, colour=streams.coloured(talk.color, sys.stdout)))
        elif self.wish.waiting:
            lines = wishes.lines(stand, path, self.wish, talk.voice)
            talk.result(f"{line}\t{file.changed(path)}" for line in lines)
        else:
            lines = wishes.lines(stand, path, self.wish, talk.voice)
            if self.wish.pages:
                lines = chain(lines, story.comments(source.text, talk.voice))
            if self.paged:
                _page(lines)
            else:
                talk.result(lines)


def _page(lines: Iterable[str]) -> None:
    import shlex

    from uma_cli.show import terminal

    if os.name == "posix" and os.environ.get("PAGER"):
        os.environ["PAGER"] = shlex.join(["sh", "-c", os.environ["PAGER"]])  # it is a line of the shell, as for man
    click.echo_via_pager(f"{line}\n" for line in terminal.wrapped(lines))
