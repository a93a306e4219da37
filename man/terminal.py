"""Draw the README's picture of a terminal: `python man/terminal.py` writes man/terminal.svg anew."""

from __future__ import annotations

import io
import re
from html import unescape
from pathlib import Path

from rich.console import Console

from uma_cli import file
from uma_cli.run import stand_of
from uma_cli.show.terminal import view
from uma_cli.text import cells
from uma_cli.voice import Voice

HERE = Path(__file__).parent
RACE = HERE.parent / "races" / "waiting.toml"
WIDTH = 88
CELL = 12.2
"""How wide the export draws a cell."""


def picture() -> str:
    """A race on a terminal, as an SVG that loads nothing from elsewhere."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), markup=False, emoji=False, highlight=False)
    console.print(view(stand_of(file.read(str(RACE))), RACE.name, Voice(), WIDTH))
    svg = console.export_svg(title=f"uma show {RACE.name}", unique_id="uma")
    svg = re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", svg, flags=re.DOTALL).replace(
        "Fira Code, monospace", "monospace"
    )
    return re.sub(r'textLength="[0-9.]+"([^>]*)>([^<]*)<', _wide, svg)


def _wide(match: re.Match[str]) -> str:
    """A piece of text as wide as its cells: the export counts a wide letter as one."""
    return f'textLength="{cells(unescape(match[2])) * CELL:g}"{match[1]}>{match[2]}<'


if __name__ == "__main__":
    (HERE / "terminal.svg").write_text(picture(), encoding="utf-8")
