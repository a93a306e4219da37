"""A step of one file, or all that are left: read, play, prove the new text, write."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import NamedTuple

from uma_cli import disk, file, layout, schema, toml
from uma_cli.dice import dice_of
from uma_cli.errors import Misused, RecordWrong, Refused, UmaError, Unreadable, say
from uma_cli.live import ANY_DICE, Said, Words
from uma_cli.names import check_length, nfc
from uma_cli.parse import parse
from uma_cli.questions import CLOSINGS
from uma_cli.race import NOTE_LENGTH, Race, Record, kind_of
from uma_cli.replay import Played, Stand, replay
from uma_cli.step import next_scene, step


class Call(NamedTuple):
    """What a scene command was called with, the same for each of its files."""

    kind: str
    scene: str | None = None
    if_needed: bool = False
    answers: tuple[tuple[str, str], ...] = ()
    """Question and text, as typed."""
    rulings: tuple[tuple[str, str], ...] = ()
    """Ruling and reason, as typed."""
    notes: tuple[str, ...] = ()
    auto: bool = False
    strategy: str = "steady"
    auto_for: tuple[str, ...] = ()
    dry: bool = False
    through: bool = False
    """Whether all scenes that are left are played, and not this one only."""


class Outcome(NamedTuple):
    """What a step came to."""

    source: file.Source
    text: str
    """The file's text after it."""
    scene: str | None
    """None where nothing was left to do."""
    stand: Stand
    played: Played | None = None
    before: Played | None = None
    aside: tuple[Refused, ...] = ()
    """Why some answers were set aside, though the step is done."""
    kept: tuple[Said, ...] = ()
    """Choices said now that nobody has asked for yet."""
    laid_out_anew: bool = False

    @property
    def closed(self) -> bool:
        """Whether it closed a scene, and there is another."""
        return self.played is not None and self.played.done and self.stand.status != "finished"

    @property
    def follow(self) -> file.Source:
        """What the next step goes on from, though it is not written yet."""
        return self.source._replace(text=self.text, race=self.stand.race, warnings=())


def run(path: str, call: Call) -> Iterator[Outcome]:
    """Play a file on and write it, unless the call is dry; then tell what each scene came to.

    Raises:
        UmaError: a step is not done. Where it is the first the file is byte for byte what it was, else the steps
            before it are saved: their dice have fallen.
    """
    with nullcontext() if call.dry or path == file.STDIO else disk.held(path) as held:
        source = file.read(path)
        outcomes = [advance(source, call)]
        refused = None
        try:
            while call.through and outcomes[-1].closed:
                outcomes.append(advance(outcomes[-1].follow, call))
        except UmaError as error:
            refused = error
        text = outcomes[-1].text
        if not call.dry and (text != source.text or path == file.STDIO):
            file.save(held, source, text)
    yield from outcomes
    if refused:
        raise refused


def advance(source: file.Source, call: Call) -> Outcome:
    """Play one step of a race that was read; its new text is proved, and not written.

    Raises:
        UmaError: the step cannot be done.
    """
    if not source.race.entries:
        raise Refused(say("nobody runs in this race"), hint=say('add a table such as [runner."Name"] to the file'))
    stand = stand_of(source)
    through = call.through and stand.status != "finished"
    scene = stand.scene if through else next_scene(stand, call.kind, call.scene, if_needed=call.if_needed)
    if scene is None:
        return Outcome(source, source.text, None, stand)
    words = _words(stand, scene, call)
    with _located(source):
        stepped = step(stand, scene, words, dice_of(source.race))
    old = source.race.records.get(scene)
    text, anew, after = source.text, False, stand
    if stepped.record != source.race.record(scene):
        text, anew = layout.edit(source.text, scene, old, stepped.record, CLOSINGS[kind_of(scene)])
        try:
            after = _prove(source, text, scene, stepped.record)
        except Unreadable as error:
            raise Refused(error.what, where=error.where, hint=error.hint) from None
    return Outcome(source, text, scene, after, stepped.played, stand.open, stepped.aside, stepped.kept, anew)


def stand_of(source: file.Source) -> Stand:
    """Where a race stands that was read.

    Raises:
        RecordWrong: its record does not follow; the error knows the line.
    """
    with _located(source):
        return replay(source.race)


@contextmanager
def _located(source: file.Source) -> Iterator[None]:
    """An error of the record knows its line, and what else is odd about the file."""
    try:
        yield
    except RecordWrong as error:
        error.line = toml.line_of(source.text, error.where)
        error.warnings = source.warnings
        raise


def _prove(source: file.Source, text: str, scene: str, record: Record) -> Stand:
    """The new bytes read back as what was meant, all else as it was, and it replays."""
    race = schema.read_race(parse(file.decode(source.encoded(text)))).race
    meant = source.race._replace(records={**source.race.records, scene: record})
    if _plain(race.record(scene)) != _plain(record) or _set_up(race) != _set_up(meant):
        raise AssertionError("the new text does not read back as what was meant")
    if any(race.record(other) != meant.record(other) for other in race.scenes if other != scene):
        raise AssertionError("the new text changes another scene")
    return replay(race)


def _set_up(race: Race) -> Race:
    """A race without its scenes; where in the file other people's keys stand is no matter."""
    return race._replace(records={}, others=tuple(sorted(race.others)))


def _plain(record: Record) -> Record:
    """A record without tables that hold nothing, for a header may stay when its last line goes."""
    return record._replace(answers={question: answers for question, answers in record.answers.items() if answers})


def _words(stand: Stand, scene: str, call: Call) -> Words:
    if not (call.answers or call.rulings or call.notes or call.auto_for):
        return Words(auto=call.strategy if call.auto else None, dry=call.dry)
    from uma_cli.answers import names_of, newcomer_names, read_answers, read_ruling  # where something is typed

    names = names_of(stand, newcomer_names(text for question, text in call.answers if question == "npc"))
    heard = [said for question, text in call.answers for said in read_answers(scene, question, text, names)]
    said = tuple(one for place, one in enumerate(heard) if one.question == ANY_DICE or one not in heard[:place])
    _no_contradiction(said)
    return Words(
        said=said,
        rulings=tuple(read_ruling(text, why, names) for text, why in call.rulings),
        notes=tuple(_note(text, names.find) for text in call.notes),
        auto=call.strategy if call.auto else None,
        auto_for=frozenset(names.runner(name) for name in call.auto_for),
        strategy=call.strategy,
        dry=call.dry,
    )


def _no_contradiction(said: tuple[Said, ...]) -> None:
    given: dict[tuple[str, str | None], str] = {}
    for question, who, text in said:
        if question != ANY_DICE and given.setdefault((question, who), text) != text:
            raise Misused(say("--{question}: two answers for {who}", question=question, who=who or ""))


def _note(text: str, find: Callable[[str], str | None]) -> tuple[str, str]:
    who, sign, words = text.replace("＝", "=", 1).partition("=") if "=" not in text else text.partition("=")
    if not sign or not who.strip() or not words.strip():
        raise Misused(say("a note wants a name and words"), hint=say('such as --note "NAME=words"'))
    if len(words) > NOTE_LENGTH:
        raise Misused(say("a note has at most {limit} characters", limit=NOTE_LENGTH))
    if why := check_length(who.strip()):
        raise Misused(say("{what}", what=why))
    return find(who) or nfc(who.strip()), words.strip()
