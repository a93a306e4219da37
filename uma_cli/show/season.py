"""The tables of a season: for people as grids that each view lays out, for programs as rows and as an object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from uma_cli.errors import Say, say, sentence
from uma_cli.season import GROUPINGS, Row, Season, Tally
from uma_cli.show import grid, post, rows
from uma_cli.show.story import laid_out
from uma_cli.show.wish import Wish, parts
from uma_cli.state import VERSION
from uma_cli.text import clean
from uma_cli.voice import Voice

NAMED = {
    "runner": sentence("name"),
    "player": sentence("player"),
    "strategy": sentence("strategy"),
    "scene": sentence("scene"),
    "pace": sentence("pace"),
    "position": sentence("position"),
}
"""What names a row, and how it is called."""

COUNTED = {
    sentence("starts"): 18,
    sentence("wins"): 17,
    sentence("placed"): 8,
    sentence("points"): 16,
    sentence("avg place"): 6,
    sentence("margin"): 4,
    sentence("out"): 2,
    sentence("win %"): 15,
    sentence("95 %"): 12,
    sentence("chance %"): 13,
}
"""The columns, and which of them go first where a terminal has no room for all: the lowest."""

STANDINGS = ("runner", "player")
"""The groupings whose points and wins are what people look for; in the others it is the rates."""

NOBODY = {"player": sentence("(no player)"), "strategy": sentence("(no strategy)")}
"""What a row is called that nobody is named for."""
WORDS = ("scene", "pace", "position")
"""What is an id of the files."""


Part = str | grid.Grid
"""A line, or a table that each view lays out in its own way."""


def lines(season: Season, by: Sequence[str], points: Sequence[int], wish: Wish, voice: Voice) -> Iterator[str]:
    """The tables in the shape that is wished for, uncut.

    Raises:
        Misused: there is no such part.
    """
    tables = told(season, by, points, voice)
    if wish.tsv:
        yield from tsv(season, by)
    elif wish.chat:
        yield from parts(post.chat(tables, wish.limit), wish)
    elif wish.markdown:
        yield from markdown(tables)
    else:
        yield from laid_out(tables)


def told(season: Season, by: Iterable[str], points: Sequence[int], voice: Voice) -> Iterator[Part]:
    """What was counted, and a table for each grouping."""
    yield from heading(season, points, voice)
    for grouping in by if season.races else ():
        yield ""
        yield table(season, grouping, voice)


def heading(season: Season, points: Sequence[int], voice: Voice) -> Iterator[str]:
    """How many races were counted, how many were not, and what a place is worth."""
    numbers = " ".join(map(str, points))
    yield voice("races: {n}; points by place: {points}", n=season.races, points=numbers)
    if left_out := uncounted(season):
        yield voice.say(left_out)


def uncounted(season: Season) -> Say | None:
    """How many races are not over, if any."""
    if not season.unfinished:
        return None
    every = season.races + season.unfinished
    return say("not finished, and so not counted: {n} of {all}", n=season.unfinished, all=every)


def table(season: Season, by: str, voice: Voice) -> grid.Grid:
    """The table of one grouping; columns that hold nothing are left out."""
    names = GROUPINGS[by]
    cells = [
        (*_named(names, row, voice), *_counted(row.tally), _flags(row.tally, by, voice)) for row in season.rows(by)
    ]
    head = [voice(name) for name in (*(NAMED[name] for name in names), *COUNTED)]
    numbers = range(len(names), len(head))
    return grid.compact([*head, ""], cells, numbers, always=len(names))


def ranks(by: str) -> dict[str, int]:
    """Which columns of a table a terminal drops first; what names a row stays."""
    others = {"": 14} if by in STANDINGS else {"points": 5, "wins": 9, "starts": 10, "": 11}
    return {**COUNTED, **dict.fromkeys(NAMED.values(), 99), **others}


def _named(names: Sequence[str], row: Row, voice: Voice) -> Iterator[str]:
    for name, value in zip(names, row.key, strict=True):
        if value is None:
            yield voice(NOBODY[name]) if name in NOBODY else "-"
        else:
            yield voice.word(value) if name in WORDS else clean(value)


def _counted(tally: Tally) -> tuple[str, ...]:
    low, high = tally.bounds
    return (
        str(tally.starts),
        str(tally.wins),
        str(tally.places),
        str(tally.points),
        _decimal(tally.average_place),
        _decimal(tally.average_margin, "+.1f"),
        str(tally.outs or ""),
        _percent(tally.rate),
        f"{_percent(low)}-{_percent(high)}",
        _percent(tally.expected_rate),
    )


def _flags(tally: Tally, by: str, voice: Voice) -> str:
    """Whether she won more or less often than chance would have it, and is only ever an NPC."""
    beside = ("", voice("above chance"), voice("below chance"))[tally.beside_chance]
    npc = voice("NPC") if by in STANDINGS and tally.npc == tally.starts else ""
    return voice.comma.join(filter(None, (beside, npc)))


def _decimal(number: float | None, form: str = ".1f") -> str:
    return "" if number is None else format(number, form)


def _percent(share: float) -> str:
    return f"{share * 100:.1f}"


def intervals(season: Season, by: str, width: int) -> list[str]:
    """Each row's interval drawn to scale: `o` is its win rate, `|` what chance would give, `*` both."""
    tallies = [row.tally for row in season.rows(by)]
    scale = (width - 1) / max((max(tally.bounds[1], tally.expected_rate) for tally in tallies), default=1)
    lines = []
    for tally in tallies:
        low, high = (round(bound * scale) for bound in tally.bounds)
        line = [" "] * low + ["-"] * (high - low + 1) + [" "] * (width - 1 - high)
        rate, chance = round(tally.rate * scale), round(tally.expected_rate * scale)
        line[chance] = "|"
        line[rate] = "*" if rate == chance else "o"
        lines.append("".join(line).rstrip())
    return lines


def markdown(told: Iterable[Part]) -> Iterator[str]:
    """The tables as Markdown."""
    for part in told:
        if isinstance(part, str):
            yield f"{post.escaped(part)}  " if part else ""
        else:
            yield from post.table(part)


def tsv(season: Season, by: Iterable[str]) -> Iterator[str]:
    """The names of the columns, and each row of each grouping; ids are those of the files."""
    yield "\t".join(("by", *NAMED, *numbers(Tally(1))))
    for grouping in by:
        for row in season.rows(grouping):
            key = dict(zip(GROUPINGS[grouping], row.key, strict=True))
            cells = (grouping, *(key.get(name) for name in NAMED), *numbers(row.tally).values())
            yield "\t".join(map(rows.cell, cells))


def state(season: Season, by: Iterable[str], points: Sequence[int]) -> dict[str, object]:
    """One object for all tables. Keys are only ever added."""
    tables = {
        grouping: [
            {**dict(zip(GROUPINGS[grouping], row.key, strict=True)), **numbers(row.tally)}
            for row in season.rows(grouping)
        ]
        for grouping in by
    }
    counted = {"races": season.races, "unfinished": season.unfinished, "points": list(points)}
    return {"uma": VERSION, **counted, "tables": tables}


def numbers(tally: Tally) -> dict[str, float | None]:
    """The numbers of a row for programs; shares are from 0 to 1."""
    low, high = tally.bounds
    return {
        "starts": tally.starts,
        "npc": tally.npc,
        "outs": tally.outs,
        "wins": tally.wins,
        "expected_wins": _rounded(float(tally.expected)),
        "places": tally.places,
        "points": tally.points,
        "average_place": _rounded(tally.average_place),
        "average_margin": _rounded(tally.average_margin),
        "win_rate": _rounded(tally.rate),
        "win_rate_low": _rounded(low),
        "win_rate_high": _rounded(high),
        "expected_rate": _rounded(tally.expected_rate),
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)
