"""A race for people, as plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uma_cli.race import Field, Finish, Record, kind_of
from uma_cli.replay import Played, Stand
from uma_cli.state import argv, call
from uma_cli.table import Ask, Chose, Event, Rolled
from uma_cli.text import clean, columns, command, render

MANY = 8
"""Up to so many options are shown with a command each."""


def view(stand: Stand, file: str) -> list[str]:
    """The race at a glance: scenes, field, what waits, the result."""
    race = stand.race
    title = ", ".join(filter(None, (race.title, race.course))) or file
    lines = [clean(title), *map(clean, race.note.splitlines())]
    lines.append(" > ".join(_scene(stand, scene) for scene in race.scenes))
    if stand.field.pace:
        lines.append(f"pace: {stand.field.pace}")
    if not race.entries:
        return [*lines, "", "no runner yet"]
    lines += ["", *(result(stand.result, stand.field) if stand.result else field(stand.field))]
    return [*lines, "", *turn(stand, file)]


def _scene(stand: Stand, scene: str) -> str:
    if stand.race.record(scene).closing is not None:
        return f"{scene} (done)"
    return f"{scene} ({stand.status})" if scene == stand.scene else scene


def field(runners: Field) -> list[str]:
    """The running order: number, name, position, kiai and the dice it gives, skills left, flags."""
    rows = [("no.", "name", "position", "kiai", "roll", "bonus", "finish", "skills left", "")]
    for runner in runners:
        skills = ", ".join(
            clean(name) + (f" x{left}" if (left := runner.left(skill)) > 1 else "")
            for name, skill in runner.skills.items()
            if runner.left(skill) > 0
        )
        flags = [flag for flag, there in (("NPC", runner.npc), ("injury check", runner.injury)) if there]
        position = str(runner.position or "-")
        roll = str(runners.tables.roll(runner.kiai))
        row = (str(runner.number), clean(runner.name), position, str(runner.kiai), roll, _signed(runner.bonus))
        owed = _signed(sum(effect.amount for effect in runner.finish))
        rows.append((*row, owed, skills, ", ".join(flags)))
    for runner in runners.out:
        row = (str(runner.number), clean(runner.name), "out", str(runner.kiai), "", "")
        rows.append((*row, "", "", "NPC" if runner.npc else ""))
    return columns(_without_empty(rows), right=(0, 3))


def _signed(number: int) -> str:
    return f"{number:+d}" if number else ""


def _without_empty(rows: Sequence[tuple[str, ...]]) -> list[list[str]]:
    kept = [index for index in range(len(rows[0])) if index < 4 or any(row[index] for row in rows[1:])]
    return [[row[index] for index in kept] for row in rows]


def result(finishes: Iterable[Finish], runners: Field) -> list[str]:
    """The places, with scores, lengths, centimetres; dead heats share a place."""
    finishes = list(finishes)
    taken = [line.place for line in finishes]
    numbers = {runner.name: runner.number for runner in (*runners, *runners.out)}
    injured = {runner.name for runner in (*runners, *runners.out) if runner.injury}
    rows = [("place", "no.", "name", "score", "behind", "")]
    for line in finishes:
        number, name = str(numbers[line.name]), clean(line.name)
        notes = [
            note
            for note, there in (
                ("dead heat", line.place is not None and taken.count(line.place) > 1),
                ("NPC", line.npc),
                ("injury check", line.name in injured),
            )
            if there
        ]
        place = "out" if line.place is None else str(line.place)
        score = "" if line.score is None else str(line.score)
        rows.append((place, number, name, score, _behind(line), ", ".join(notes)))
    return columns(_without_empty(rows), right=(0, 1, 3))


def _behind(line: Finish) -> str:
    lengths = f"{line.lengths} length" + ("s" if line.lengths > 1 else "") if line.lengths else ""
    centimetres = f"{line.photo_cm} cm" if line.photo_cm else ""
    return " + ".join(filter(None, (lengths, centimetres)))


def turn(stand: Stand, file: str) -> list[str]:
    """What comes next: the questions that wait and the commands that answer them, or the command to play on."""
    if stand.status == "finished":
        return ["the race is over"]
    if stand.status == "ready":
        return ["next:", f"  {command(call(stand.scene, file))}"]
    dice = [ask for ask in stand.waiting if ask.dice]
    lines = _dice(dice, file) if dice else []
    for group in _alike([ask for ask in stand.waiting if not ask.dice]):
        lines += _choice(group, file)
    ahead = stand.open.ahead if stand.open else ()
    if ahead:
        names = ", ".join(clean(ask.runner) for ask in ahead)
        lines.append(f"may answer ahead ({ahead[0].question}): {names}")
    return lines


def waits(stand: Stand) -> str:
    """Scene, question and whom it waits for, on one line."""
    asks = stand.waiting
    return f"{asks[0].scene}\t{asks[0].question}\t{', '.join(clean(ask.runner) for ask in asks)}"


def _alike(asks: Sequence[Ask]) -> list[list[Ask]]:
    """Questions with the same answers together."""
    groups: dict[tuple[str, ...], list[Ask]] = {}
    for ask in asks:
        groups.setdefault(tuple(option.answer for option in ask.options()), []).append(ask)
    return list(groups.values())


def _dice(asks: list[Ask], file: str) -> list[str]:
    first = asks[0]
    who = ", ".join(f"{clean(ask.runner)} {ask.dice and ask.dice.faces}" for ask in asks)
    typed = ",".join(f"{ask.runner}={'+'.join('N' * (ask.dice.number if ask.dice else 1))}" for ask in asks[:MANY])
    lines = [
        f"{first.scene} waits for dice: {first.question} of {who}",
        f"  type them:  {command([*call(first.scene, file), f'--{first.question}', typed])}",
        f"  or roll:    {command(argv(first, file, 'roll'))}",
    ]
    if len(asks) > 1:
        lines.append(f"  or for all: {command([*call(first.scene, file), '--dice', 'rest=roll'])}")
    return lines


def _choice(asks: list[Ask], file: str) -> list[str]:
    first = asks[0]
    options = first.options()
    names = ", ".join(clean(ask.runner) for ask in asks)
    lines = [f"{first.scene} waits for {names}: {first.question}"]
    others = [ask.options() for ask in asks[1:]]
    for index, option in enumerate(options):
        same = all(theirs[index].means == option.means for theirs in others)
        meaning = render(option.means) if same else ""
        lines.append(f"  {clean(option.answer)}" + (f": {meaning}" if meaning else ""))
        if len(options) <= MANY:
            lines.append(f"      {command(argv(first, file, option.answer))}")
    if len(options) > MANY:
        lines.append(f"  {command(argv(first, file, options[0].answer))}")
    if others:
        rest = command([*call(first.scene, file), f"--{first.question}", f"rest={options[0].answer}"])
        lines.append(f"  for all at once: {rest}")
    return lines


def told(played: Played, before: Played | None, record: Record) -> list[str]:
    """What happened in a scene since it was last played; choices that were recorded before are not told again."""
    events = list(played.events)
    known = list(before.events) if before else []
    while known and events and known[0] == events[0]:
        known.pop(0)
        events.pop(0)
    lines = [event_line(event) for event in events if not _recorded(event, record)]
    shown = {(event.question, event.runner) for event in played.events if isinstance(event, Rolled | Chose)}
    for question, by_runner in played.given.items():
        lines += [
            f"{clean(name)} {question}: {clean(text)}"
            for name, text in by_runner.items()
            if (question, name) not in shown
        ]
    return lines


def _recorded(event: Event, record: Record) -> bool:
    return isinstance(event, Chose) and record.answers.get(event.question, {}).get(event.runner) == event.answer


def dry(played: Played) -> list[str]:
    """What a dry run would go on with."""
    if played.done:
        return ["the scene would be closed"]
    names = ", ".join(clean(ask.runner) for ask in played.asks)
    verb = "thrown" if played.asks[0].dice else "chosen"
    return [f"next to be {verb}: {played.asks[0].question} of {names}"]


def event_line(event: Event) -> str:
    """One thing that happened."""
    if isinstance(event, Rolled):
        return _rolled(event)
    if isinstance(event, Chose):
        return f"{clean(event.runner)} {event.question}: {clean(event.answer)}"
    return render(event)


def _rolled(event: Rolled) -> str:
    """All of a throw: faces, row number, bonus, effects, score, and by hand or not."""
    faces = " ".join(map(str, event.throw.faces))
    parts = "".join(f", {clean(part.source)} {part.amount:+d}" for part in event.parts)
    score = "" if event.score is None else f" = {event.score}"
    hand = f" ({event.throw.origin})" if event.throw.origin else ""
    return f"{clean(event.runner)} {event.question} {event.dice.faces}: {faces}{parts}{score}{hand}"


def closed(stand: Stand, scene: str) -> list[str]:
    """The field as a scene leaves it."""
    if kind_of(scene) == "finish" and stand.result:
        return result(stand.result, stand.field)
    return field(stand.field)
