"""From an option's text to answers: whose they are, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from uma_cli import words
from uma_cli.errors import Misused, Say, either, say
from uma_cli.live import ANY_DICE, LOWEST, REST, ROLL, Said
from uma_cli.names import check_name, nfc
from uma_cli.near import did_you_mean
from uma_cli.questions import is_dice
from uma_cli.race import MASTER, MAX_INTEGER, NOTE_LENGTH, Position, Ruling, Skill
from uma_cli.replay import Stand
from uma_cli.text import look, short


class Names:
    """The names that can be meant in a call."""

    def __init__(
        self, names: Iterable[str], numbers: Mapping[int, str], skills: Mapping[str, Mapping[str, Skill]]
    ) -> None:
        self.names = list(dict.fromkeys(names))
        self.present = [name for name in self.names if name in skills]
        self.numbers = numbers
        self.skills = skills

    def find(self, text: str) -> str | None:
        """The runner meant: the exact name, then a number, then an unambiguous beginning.

        Raises:
            Misused: several begin like that.
        """
        text = text.strip()
        if text in self.names:
            return text
        if text.isdigit() and (number := words.plain(text)).isascii():
            return next(
                (name for other, name in self.numbers.items() if str(other) == (number.lstrip("0") or "0")), None
            )
        wanted = look(text)
        same = [name for name in self.names if look(name) == wanted]
        beginning = [name for name in self.names if wanted and look(name).startswith(wanted)]
        for found in (same, beginning):
            if len(found) > 1:
                raise Misused(
                    say("`{text}` may be {names}", text=text, names=either(found)),
                    hint=say("say more of the name"),
                )
            if found:
                return found[0]
        return None

    def runner(self, text: str) -> str:
        """The runner meant.

        Raises:
            Misused: there is none.
        """
        name = self.find(text)
        if name is None:
            raise Misused(say("there is no runner `{text}`", text=text.strip()), hint=_near_or_all(text, self.present))
        return name


def _near_or_all(text: str, known: Sequence[str]) -> Say | None:
    every = say("the names are: {names}", names=", ".join(known)) if known else None
    return did_you_mean(text, known) or every


def names_of(stand: Stand, newcomers: Iterable[str]) -> Names:
    """The runners of a race, its fill-ins, and those that this call may bring."""
    field = stand.field
    runners = [*field, *field.out]
    named = [name for record in stand.race.records.values() for name in record.answers.get("npc", {})]
    free = next(name for name in (f"NPC {n}" for n in range(1, len(runners) + 2)) if name not in field.runners)
    skills = {runner.name: runner.skills for runner in runners}
    numbers = {runner.number: runner.name for runner in runners}
    return Names([*(runner.name for runner in runners), *named, *newcomers, free], numbers, skills)


def read_answers(scene: str, question: str, text: str, names: Names) -> Iterator[Said]:
    """The answers that an option's value gives.

    Raises:
        Misused: a name or a value is unknown.
    """
    for who, value in _parted(text, names, free=question == "style"):
        if question == "npc":
            yield _newcomer(who, value, names)
            continue
        runner = _whose(who, names, question)
        meant = meaning(scene, question, value.strip(), runner, names) if value.strip() else ""
        if runner == REST and meant != ROLL and (question == ANY_DICE or is_dice(scene, question)):
            raise Misused(say("dice are each runner's own"), hint=say("name whose they are, or say rest=roll"))
        yield Said(question, runner, meant)


def _newcomer(who: str | None, value: str, names: Names) -> Said:
    """A fill-in by her name, with her kiai or without (C6)."""
    name = nfc((value if who is None else who).strip())
    if why := check_name(name):
        raise Misused(say("--npc `{name}`: {why}", name=short(name), why=why))
    name = next(known for known in (*names.names, name) if look(known) == look(name))
    if who is None or not value.strip():
        return Said("npc", name, LOWEST)
    kiai = _number("npc", value)
    if kiai == "0":
        raise Misused(say("want the fill-in's kiai, such as `kiai 4`"))
    return Said("npc", name, f"kiai {kiai}")


def newcomer_names(texts: Iterable[str]) -> list[str]:
    """The names that `--npc` gives to fill-ins."""
    return [nfc(re.split("[=＝]", text)[0].strip()) for text in texts]


def _whose(who: str | None, names: Names, question: str) -> str | None:
    if who is None:
        return None
    if who in words.REST_WORDS:
        return REST
    if question == "pace-die" or look(who) == look(MASTER):
        if look(who) != look(MASTER) or (question not in ("pace-die", ANY_DICE)):
            raise Misused(say("the pace die is the game master's: GM=5"))
        return MASTER
    return names.runner(who)


def _parted(text: str, names: Names, *, free: bool) -> list[tuple[str | None, str]]:
    """`1=front,rest=stay` in its parts; a part that names nobody goes on with what was before it."""
    parts: list[tuple[str | None, str]] = []
    for piece in re.split("([,，])", text):
        if piece in (",", "，"):
            continue
        who, sign, value = re.split("([=＝])", piece, maxsplit=1) if re.search("[=＝]", piece) else ("", "", piece)
        if sign and not (free and parts and names.find(who) is None and who.strip() not in words.REST_WORDS):
            parts.append((who.strip(), value))
        elif parts:
            before, already = parts[-1]
            parts[-1] = (before, f"{already},{piece}")
        else:
            parts.append((None, piece))
    return parts


def meaning(scene: str, question: str, value: str, runner: str | None, names: Names) -> str:
    """A value as the file holds it.

    Raises:
        Misused: it names a skill or a runner that there is not.
    """
    if question == ANY_DICE or is_dice(scene, question):
        if value == ROLL:
            return ROLL
        faces = words.dice(value)
        if not all(face.isascii() and face.isdigit() for face in faces):
            raise Misused(say("--{question}: want faces such as 3+3+3, not `{value}`", question=question, value=value))
        return f"{' '.join(faces)}, hand"
    if question == "skill":
        return _skills(value, runner, names)
    if question == "place":
        return _place(value, runner, names)
    if question == "style":
        style, comma, why = [*re.split("([,，、])", value, maxsplit=1), "", ""][:3]
        return _word(question, style, words.STYLES) + (f", {why.strip()}" if comma else "")
    if question == "move":
        return _word(question, value, words.MOVES)
    if question == "pace":
        return _word(question, value, words.PACES)
    return _number(question, value)


def _number(question: str, value: str) -> str:
    number = words.kiai(value)
    if not (number.isascii() and number.isdecimal() and len(number) < 10 and int(number) <= MAX_INTEGER):
        raise Misused(say("--{question}: want a number, not `{value}`", question=question, value=short(value)))
    return number


def _word(question: str, value: str, known: Mapping[str, str]) -> str:
    word = words.word(value, known)
    if word is None:
        answers = list(dict.fromkeys(known.values()))
        raise Misused(
            say(
                "--{question}: `{value}` is none of {answers}",
                question=question,
                value=value,
                answers=", ".join(answers),
            ),
            hint=did_you_mean(value, answers),
        )
    return word


def _place(value: str, runner: str | None, names: Names) -> str:
    meant = list(words.places(words.plain(value)))
    if not meant:
        raise Misused(say("--place: want front, back, ahead NAME or behind NAME, not `{value}`", value=value))
    for side, name in meant:
        other = names.find(name) if name else ""
        if other and other == runner:
            raise Misused(say("--place: {runner} cannot be placed beside herself", runner=runner))
        if other is not None:
            return f"{side} {other}" if other else side
    return names.runner(meant[0][1])


def _skills(value: str, runner: str | None, names: Names) -> str:
    hers = names.skills.get(runner or "", {})
    if words.word(value, words.PASS) and value not in hers:
        return "pass"
    return "; ".join(_use(part, runner, names) for part in re.split("[;；]", value) if part.strip())


def _use(text: str, runner: str | None, names: Names) -> str:
    skill, _, on = words.plain(text).partition("@")
    target, _, other = on.partition(":")
    use = _skill(skill, runner, names)
    if target.strip():
        on_whom = names.runner(target)
        use += f" @ {on_whom}"
        if other.strip():
            use += f":{_skill(other, on_whom, names)}"
    return use


def _skill(text: str, runner: str | None, names: Names) -> str:
    """The skill meant; hers, where it is known whose it is."""
    text = text.strip()
    if runner in (None, REST):
        return text
    skills = list(names.skills.get(runner or "", {}))
    found = [name for name in skills if look(name) == look(text)]
    found = found or [name for name in skills if look(name).startswith(look(text))]
    if len(found) == 1:
        return found[0]
    raise Misused(say("{runner} has no skill `{text}`", runner=runner, text=text), hint=_near_or_all(text, skills))


RULING_WORDS = {
    "kiai": "kiai",
    "気合": "kiai",
    "氣合": "kiai",
    "bonus": "bonus",
    "finish": "finish",
    "position": "position",
}


def read_ruling(text: str, why: str, names: Names) -> tuple[str, Ruling]:
    """A ruling such as `Name=kiai -1, position late-surger, start`.

    Raises:
        Misused: it cannot be understood, or has no reason.
    """
    who, sign, value = (*re.split("[=＝]", text, maxsplit=1), "")[:3] if re.search("[=＝]", text) else (text, "", "")
    value = value or sign
    ruling = blank = Ruling(why=why.strip())
    for part in re.split("[,，]", value):
        before, ruling = ruling, _ruled(ruling, words.plain(part), text)
        if any(old not in (new, none) for old, new, none in zip(before, ruling, blank, strict=True)):
            raise Misused(say("the ruling `{text}` says one thing twice", text=text), hint=say("say each thing once"))
    if ruling == Ruling(why=ruling.why, when=ruling.when):
        raise _no_ruling(text)
    if not ruling.why:
        raise Misused(say("a ruling wants a reason"), hint=say('add --why "..."'))
    if len(ruling.why) > NOTE_LENGTH:
        raise Misused(say("a reason has at most {limit} characters", limit=NOTE_LENGTH))
    return names.runner(who), ruling


def _ruled(ruling: Ruling, part: str, text: str) -> Ruling:
    match = re.fullmatch(r"(\S+?)\s*([+-]?\s*[0-9]+)|(\S+)(?:\s+(.*))?", part)
    key, amount = (match[1] or match[3], match[2] or match[4] or "") if match else (part, "")
    key = RULING_WORDS.get(key, key)
    if part == "out":
        return ruling._replace(out=True)
    if part in ("start", "end"):
        return ruling._replace(when=part)
    position = words.word(amount if key == "position" else part, words.POSITIONS)
    if position:
        return ruling._replace(position=Position(position))
    if re.fullmatch(r"[+-]?[0-9]{1,6}", amount.replace(" ", "")):
        number = int(amount.replace(" ", ""))
        match key:
            case "kiai":
                return ruling._replace(kiai=number)
            case "bonus":
                return ruling._replace(bonus=number)
            case "finish":
                return ruling._replace(finish=number)
    raise _no_ruling(text)


def _no_ruling(text: str) -> Misused:
    return Misused(
        say("the ruling `{text}` cannot be understood", text=text),
        hint=say('such as --ruling "NAME=kiai -1", or bonus, finish, position, out; with start or end after a comma'),
    )
