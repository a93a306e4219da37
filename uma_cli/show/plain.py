"""A race as plain lines, for a pipe: uncut, without boxes."""

from __future__ import annotations

from collections.abc import Iterator

from uma_cli.replay import Stand
from uma_cli.show import asking, grid
from uma_cli.text import cells, clean, columns
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
    pace = [voice("pace: {pace}", pace=stand.field.pace)] if stand.field.pace else []
    return [clean(title), *map(clean, race.note.splitlines()), Chain.of(stand, voice), *pace]


class Chain(str):
    """The scenes in a row, which is broken only before a `>`."""

    __slots__ = ()

    @classmethod
    def of(cls, stand: Stand, voice: Voice) -> Chain:
        """The scenes of a race, and how far it is."""
        return cls(" > ".join(_scene(stand, scene, voice) for scene in stand.race.scenes))

    def folded(self, width: int) -> Iterator[str]:
        """In lines of so many columns, where a scene has room."""
        first, *others = self.split(" > ")
        line = first
        for scene in others:
            if cells(f"{line} > {scene}") > width:
                yield line
                line = f"> {scene}"
            else:
                line += f" > {scene}"
        yield line


def _scene(stand: Stand, scene: str, voice: Voice) -> str:
    name = voice.word(scene)
    if stand.status == "finished":
        return name
    if stand.race.record(scene).closing is not None:
        return f"{name} ({voice('done')})"
    return f"{name} ({voice.word(stand.status)})" if scene == stand.scene else name


def table(of: grid.Grid) -> list[str]:
    """A table with its columns in line."""
    return columns([of.head, *of.rows], of.right)
