"""A race as plain lines, for a pipe: uncut, without boxes."""

from __future__ import annotations

from uma_cli.replay import Stand
from uma_cli.show import asking, grid
from uma_cli.text import clean, columns
from uma_cli.voice import Voice


def view(stand: Stand, file: str, voice: Voice) -> list[str]:
    """The race at a glance: scenes, field, what waits, the result."""
    lines = [*heading(stand, file, voice), ""]
    if not stand.race.entries:
        return [*lines, voice("no runner yet")]
    return [*lines, *table(grid.of(stand, voice)), "", *asking.turn(stand, file, voice)]


def heading(stand: Stand, file: str, voice: Voice) -> list[str]:
    """Title and course, the note, the scenes done and to come, the pace."""
    race = stand.race
    title = voice.comma.join(filter(None, (race.title, race.course))) or file
    lines = [clean(title), *map(clean, race.note.splitlines())]
    lines.append(" > ".join(_scene(stand, scene, voice) for scene in race.scenes))
    return [*lines, voice("pace: {pace}", pace=stand.field.pace)] if stand.field.pace else lines


def _scene(stand: Stand, scene: str, voice: Voice) -> str:
    name = voice.word(scene)
    if stand.race.record(scene).closing is not None:
        return f"{name} ({voice('done')})"
    return f"{name} ({voice.word(stand.status)})" if scene == stand.scene else name


def table(of: grid.Grid) -> list[str]:
    """A table with its columns in line."""
    return columns([of.head, *of.rows], of.right)
