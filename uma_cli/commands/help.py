"""The option that shows a command's help, in English like all help; click's own would look for a translation first."""

from __future__ import annotations

import click


def _show(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click calls it so
    if wanted and not ctx.resilient_parsing:
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


HELP = click.option(
    "-h",
    "--help",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show,
    help="Show this message and exit.",
)
