"""The rulebook: each scene is one function that asks the table and returns the field."""

from __future__ import annotations

from uma_cli.race import Field, Race, kind_of
from uma_cli.scenes.corner import corner
from uma_cli.scenes.gate import gate
from uma_cli.table import Table


def play(race: Race, field: Field, table: Table) -> Field:
    """Play the table's scene from the field it finds (G1).

    Raises:
        Pending: it waits for answers.
        Refused: an answer is not allowed.
    """
    match kind_of(table.scene):
        case "gate":
            return gate(field, table)
        case "corner":
            return corner(field, table)
        case _:
            from uma_cli.scenes.finish import finish  # most steps are not there yet

            return finish(field, table, race.finish_checks, race.photo)
