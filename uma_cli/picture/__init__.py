"""A race as one picture: the running order and kiai over the scenes, and the finish to scale, as an SVG."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin

from uma_cli.picture.plan import (
    MARGIN,
    TOP,
    WIDEST,
    Label,
    Plan,
    breadth,
    described,
    heading,
    labels_of,
    plan_of,
    standing,
    title,
)
from uma_cli.picture.style import DASHES, LINES, STYLE
from uma_cli.race import Position, Runner
from uma_cli.replay import Stand
from uma_cli.tables import Tables
from uma_cli.text import cells, clean
from uma_cli.voice import Voice

ENGLISH = Voice()
NEWLINE = "\n"
SIGN = 62
"""The room for a sign of the legend."""
ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;"}


def picture(stand: Stand, voice: Voice = ENGLISH, name: str = "") -> str:
    """A race as one SVG that needs nothing else: as far as it got, the same for the same race; `name` is its file's."""
    plan = plan_of(stand, voice)
    labels = [*heading(stand, name, voice), *(label for name in plan.ways for label in labels_of(plan, name))]
    ends = [label.x + breadth(label.words, label.kind) for label in labels if "end" not in label.kind]
    width = max(640.0, *ends) + MARGIN
    legend, height = _legend(plan, width) if plan.ways else ([], plan.bottom)
    body = [
        *_backdrop(plan),
        *_finish(plan),
        *(_way(plan, index, name) for index, name in enumerate(plan.ways)),
        *(part for index, name in enumerate(plan.ways) for part in _nodes(plan, index, name)),
        *(_text(Label(plan.lanes + 8, band.top + 14, band.name, "band")) for band in plan.bands.values()),
        *map(_text, labels),
        *legend,
    ]
    size = f'width="{_n(width)}" height="{_n(height)}"'
    view = f"0 0 {_n(width)} {_n(height)}"
    access = 'role="img" aria-labelledby="uma-title uma-desc"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" class="uma" {access} {size} viewBox="{view}">
<title id="uma-title">{_shown(title(stand, name, voice))}</title>
<desc id="uma-desc">{_shown(described(plan))}</desc>
<style>{STYLE}</style>
<rect class="page" {size}/>
{NEWLINE.join(body)}
</svg>
"""


def _backdrop(plan: Plan) -> Iterator[str]:
    """The bands of the positions, and the names of the scenes."""
    left, last = plan.lanes, plan.end - 8
    for band in plan.bands.values():
        yield f'<rect class="lane" {_box(left, band.top, last - left, band.tall)} rx="8"/>'
    for index, column in enumerate(plan.columns if plan.ways else ()):
        yield _text(Label(plan.x(index), TOP - 32, plan.voice.word(column.scene), "head mid"))
        yield _text(Label(plan.x(index), TOP - 15, column.note, "note mid"))


def _finish(plan: Plan) -> Iterator[str]:
    """The axis of lengths, with the finishing line at 0."""
    if not plan.places:
        return
    room = 9 * len(str(plan.longest)) + 14
    step = next(step for e in range(8) for n in (1, 2, 5) if plan.at(0) - plan.at(step := n * 10**e) >= room)
    yield _text(Label(plan.at(0), TOP - 32, plan.voice("lengths behind the first"), "head end"))
    for lengths in range(0, plan.longest + 1, step):
        x = _n(plan.at(lengths))
        kind = "axis" if lengths else "axis wire"
        yield _text(Label(plan.at(lengths), TOP - 15, str(lengths), "note mid"))
        yield f'<path class="{kind}" d="M{x} {_n(TOP - 8)}V{_n(plan.bottom)}"/>'


def _way(plan: Plan, index: int, name: str) -> str:
    """A runner's line through her places, to where she was when the first came in."""
    spots = plan.ways[name]
    column, y = plan.late.get(name, (0, spots[0].y))
    at = (plan.x(column), y)
    path = f"M{_n(at[0])} {_n(at[1])}"
    stops = [(spot.x, spot.y) for spot in spots]
    stops += [(plan.end + plan.pitch - 54, plan.places[name])] if name in plan.places else []
    for x, y in stops:
        there = plan.lanes if at[0] < plan.lanes < x else x
        middle = _n((at[0] + there) / 2)
        path += f"C{middle} {_n(at[1])} {middle} {_n(y)} {_n(there)} {_n(y)}"
        path += f"L{_n(x)} {_n(y)}" if there < x else ""
        at = (x, y)
    for line in plan.finishes:
        path += f"H{_n(plan.at(line.lengths))}" if line.name == name else ""
    row, colour = divmod(index, len(LINES))
    return f'<path class="way line-{colour}" stroke-dasharray="{DASHES[(row + colour) % len(DASHES)]}" d="{path}"/>'


def _nodes(plan: Plan, index: int, name: str) -> Iterator[str]:
    """A runner's nodes: her kiai in each scene, how she joined or left, and where she came in."""
    line = f"line-{index % len(LINES)}"
    if name in plan.late:
        column, y = plan.late[name]
        yield f'<path class="node {line}" d="M{_n(plan.x(column) - 8)} {_n(y)}h16m-8 -8v16"/>'
    for spot in plan.ways[name]:
        said = plan.voice("out") if spot.gone else standing(spot.runner, plan.voice)
        yield f"<g><title>{_shown(f'{name}, {plan.voice.word(spot.scene)}: {said}')}</title>"
        if spot.gone:
            yield f'<path class="node {line}" d="M{_n(spot.x - 8)} {_n(spot.y - 8)}l16 16m0 -16l-16 16"/>'
        else:
            yield from _node(spot.x, spot.y, spot.runner, plan, line)
        yield "</g>"
    for came in plan.finishes:
        if came.name == name:
            x, y, round_ = plan.at(came.lengths), plan.places[name], 1 if came.npc else 7
            yield f'<rect class="node {line}" {_box(x - 7, y - 7, 14, 14)} rx="{round_}"/>'


def _heat(tables: Tables, kiai: int) -> str:
    """How a kiai lies to the best row of the table: `below`, `best`, `past` it, or `over` the last row."""
    best = max(row.mean for row in tables.kiai)
    if tables.overheated(kiai):
        return "over"
    if tables.roll(kiai).mean == best:
        return "best"
    return "past" if any(row.mean == best for row in tables.kiai[:kiai]) else "below"


def _node(x: float, y: float, runner: Runner, plan: Plan, line: str) -> Iterator[str]:
    """Kiai in a circle, an NPC's in a square; a ring, a broken ring or spikes about it; a sign for an injury check."""
    words = str(runner.kiai)
    half = max(13, 4.3 * len(words) + 5)
    heat = _heat(plan.stand.race.tables, runner.kiai)
    if heat == "over":
        spikes = [(half + (9 if turn % 2 else 2), 22 if turn % 2 else 15, turn * pi / 10) for turn in range(20)]
        points = " ".join(f"{_n(x + wide * cos(turn))},{_n(y + tall * sin(turn))}" for wide, tall, turn in spikes)
        yield f'<polygon class="spikes" points="{points}"/>'
    corner = 2 if runner.npc else 13
    if heat in ("best", "past"):
        yield f'<rect class="ring {heat}" {_box(x - half - 4, y - 17, 2 * half + 8, 34)} rx="{corner + 4}"/>'
    yield f'<rect class="node {line}" {_box(x - half, y - 13, 2 * half, 26)} rx="{corner}"/>'
    yield _text(Label(x, y + 4.5, words, "kiai mid"))
    if runner.injury:
        yield f'<path class="sign" d="M{_n(x + half + 12)} {_n(y - 22)}l8 14h-16zm0 4.5v5m0 1.5v1.5"/>'
    if runner.position is Position.RUNAWAY:
        yield _text(Label(x, y - 25, plan.voice.word(runner.position), "tag mid over"))


def _legend(plan: Plan, width: float) -> tuple[list[str], float]:
    """What the signs mean, in as many rows as it takes; and the height of the picture."""
    signs = list(_signs(plan))
    wide = SIGN + 20 + max(breadth(words, "note") for _, words in signs)
    in_row = max(1, int((width - MARGIN) // wide))
    parts: list[str] = []
    for index, (runner, words) in enumerate(signs):
        x, y = MARGIN + wide * (index % in_row), plan.bottom + 40 + 46 * (index // in_row)
        parts += [*_node(x + 20, y, runner, plan, "plain"), _text(Label(x + SIGN, y + 4, words, "note"))]
    return parts, plan.bottom + 40 + 46 * ((len(signs) - 1) // in_row) + 40


def _signs(plan: Plan) -> Iterator[tuple[Runner, str]]:
    """A runner for each sign in the picture, and what it means; what does not occur is not told."""
    tables, voice = plan.stand.race.tables, plan.voice
    seen = [spot.runner for way in plan.ways.values() for spot in way]
    shown = {_heat(tables, runner.kiai) for runner in seen}
    rows = {_heat(tables, kiai): kiai for kiai in range(len(tables.kiai) + 1, 0, -1)}
    meanings = {
        "below": voice("kiai"),
        "best": voice(
            "the sweet spot: kiai {n} rolls the most ({roll})", n=rows["best"], roll=str(tables.roll(rows["best"]))
        ),
        "past": voice("past the sweet spot"),
        "over": voice("overheating: above kiai {n}", n=len(tables.kiai)),
    }
    yield from ((Runner("", 0, rows[heat]), words) for heat, words in meanings.items() if heat in shown & set(rows))
    if any(runner.npc for runner in seen):
        yield Runner("", 0, npc=True), voice("NPC")
    if any(runner.injury for runner in seen):
        yield Runner("", 0, injury=True), voice("injury check")


def _text(label: Label) -> str:
    """A text, clean and escaped; one whose breadth nobody can foretell is fitted into the room reckoned for it."""
    words, room = clean(label.words), breadth(label.words, label.kind)
    known = room < WIDEST and all(char < "\u0530" or cells(char) == 2 for char in words)
    fit = "" if known else f' textLength="{_n(room)}" lengthAdjust="spacingAndGlyphs"'
    return f'<text class="{label.kind.strip()}" x="{_n(label.x)}" y="{_n(label.y)}"{fit}>{_shown(words)}</text>'


def _shown(words: str) -> str:
    return clean(words).translate(ESCAPES)


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'


def _n(number: float) -> str:
    """A number with one decimal at most."""
    return f"{number:.1f}".removesuffix(".0")
