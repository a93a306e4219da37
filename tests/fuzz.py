"""Throws bytes, bent race files and random TOML at uma: `python -m tests.fuzz 100000 --seed 1`.

Whatever a file holds, a call ends soon and without a fault, shows nothing that a terminal would act on, and leaves the
file as it was or as one that replays. What does not is kept in the folder that `--keep` names, and told by its number,
which `--only` tries again.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import NamedTuple

from uma_cli import file
from uma_cli.cli import invoke
from uma_cli.run import stand_of
from uma_cli.text import is_hidden

HERE = Path(__file__).parent
RACES = sorted([*(HERE.parent / "races").glob("*.toml"), *(HERE / "races").rglob("*.toml")])
NAME = "race.toml"
CODES = {0, 2, 3, 4}
CPU_SECONDS = 2.0
"""What a call may take of the processor; it is far less but for the longest races."""
HANG_SECONDS = 60
VIEWS = (
    *((), ("--log",), ("--log", "--last"), ("--chat",), ("--chat", "--log", "--limit", "100"), ("--markdown",)),
    *(("--markdown", "--log"), ("--tsv",), ("--json",), ("--svg",), ("--waiting",), ("--color", "always")),
    *(("--table",), ("--table", "--by", "player", "--markdown"), ("--table", "--tsv")),
)
STEPS = (
    *((), ("--auto",), ("--dry-run",), ("--auto", "--json"), ("--kiai", "rest=1"), ("--dice", "rest=roll")),
    *(
        ("--ruling", "1=out", "--why", "fell"),
        ("--note", "me=words"),
        ("--npc", "Pace Maker=3"),
        ("--check", "1=3+3+3"),
    ),
)
SNIPPETS = (
    *('"', '"""', "'''", "\\", "[", "]]", "{", "}", "=", ".", ",", "#", "\n", "\r\n", "\r", "\0", "\t", " ", "-", "0"),
    *("true", "4.0", "1e999", "0x7f", "-1", "1000001", "nan", "inf", "1979-05-27", "07:32", '""', "[]", "{}", "'x'"),
    *('"\\u202e"', "\u202e", "\u200b", "\ufeff", "\u3000", "\uff14", "\u201c", "\u0301", "\u0085", "\u2028", "馬"),
    *(
        "<<<<<<< a\n",
        "=======\n",
        ">>>>>>> b\n",
        "||||||| c\n",
        '"=1+1"',
        '"@everyone"',
        '"```"',
        '"[/]"',
        '"{}"',
        "%s",
    ),
    *("format = 1\n", "x-a = 1\n", "[gate]\n", "[finish.check]\n", '[corner-2.ruling."A"]\n', "[table.kiai]\n"),
)
VOCABULARY = """
format title course note scenes seed throws ask finish-checks photo runner table gate corner-2 corner-3 finish number
player kiai bonus npc auto skill when uses position dice soften place cancels target-kiai target-bonus text pace
obstacle cap check move style order standing result ruling why out rise-die contest-front fast runaway front-runner
1 2 16 A B GM rest x-a steady forward pass
"""
WORDS = VOCABULARY.split()


def random_bytes(luck: Random) -> bytes:
    """Bytes of any kind, at times after a head that is right."""
    head = b"format = 1\n" if luck.random() < 0.5 else b""
    return head + luck.randbytes(luck.choice((0, 1, 3, 20, 300)))


def bent(luck: Random) -> bytes:
    """A race file with a few changes, such as people, editors and merges make."""
    raw = luck.choice(RACES).read_bytes()
    if luck.random() < 0.6:
        scenes = [place.start() for place in re.finditer(rb"^\[(?:gate|corner|finish)", raw, re.MULTILINE)]
        raw = raw[: luck.choice(scenes or [len(raw)])]
    for _ in range(luck.choice((0, 1, 1, 1, 2, 5))):
        raw = luck.choice(BENDS)(raw, luck)
    return raw


def _flip(raw: bytes, luck: Random) -> bytes:
    place = luck.randrange(len(raw) + 1)
    return raw[:place] + luck.randbytes(1) + raw[place + luck.randrange(2) :]


def _cut(raw: bytes, luck: Random) -> bytes:
    first, last = sorted(luck.randrange(len(raw) + 1) for _ in range(2))
    return raw[:first] + raw[min(last, first + luck.choice((1, 5, 50, 5000))) :]


def _insert(raw: bytes, luck: Random) -> bytes:
    place = luck.randrange(len(raw) + 1)
    return raw[:place] + luck.choice(SNIPPETS).encode() * luck.choice((1, 1, 1, 3, 50)) + raw[place:]


def _lines(raw: bytes, luck: Random) -> bytes:
    """Lines that are lost, doubled, moved, or come from another file."""
    lines = raw.splitlines(keepends=True) or [b""]
    other = luck.choice(RACES).read_bytes().splitlines(keepends=True)
    one, two = luck.randrange(len(lines)), luck.randrange(len(lines))
    match luck.randrange(5):
        case 0:
            del lines[one : one + luck.choice((1, 1, 4))]
        case 1:
            lines.insert(two, lines[one])
        case 2:
            lines[one], lines[two] = lines[two], lines[one]
        case 3:
            lines[one:one] = other[luck.randrange(len(other)) :][: luck.choice((1, 3, 10))]
        case _:
            lines[one] = lines[one].partition(b"=")[0] + b"= " + lines[two].rpartition(b"= ")[2]
    return b"".join(lines)


def _value(raw: bytes, luck: Random) -> bytes:
    """The value of some line, replaced."""
    places = [place for place in range(len(raw)) if raw.startswith(b" = ", place)]
    if not places:
        return raw
    place = luck.choice(places) + 3
    end = raw.find(b"\n", place) % (len(raw) + 1)
    return raw[:place] + value(luck, 2).encode("utf-8", "replace") + raw[end:]


def _number(raw: bytes, luck: Random) -> bytes:
    """A digit of some number or answer, replaced."""
    places = [place for place, byte in enumerate(raw) if 0x30 <= byte <= 0x39]
    if not places:
        return raw
    place = luck.choice(places)
    return raw[:place] + luck.choice((b"0", b"1", b"6", b"9", b"-1", b"99999999", b"")) + raw[place + 1 :]


BENDS: tuple[Callable[[bytes, Random], bytes], ...] = (_flip, _cut, _insert, _lines, _lines, _value, _value, _number)


def random_toml(luck: Random) -> bytes:
    """Statements in the words of race files, most of them sound TOML."""
    lines = ["format = 1"] if luck.random() < 0.9 else []
    for _ in range(luck.choice((1, 3, 10, 40))):
        key = ".".join(_key(luck) for _ in range(luck.choice((1, 1, 2, 3))))
        if luck.random() < 0.4:
            lines.append(f"[{key}]" if luck.random() < 0.9 else f"[[{key}]]")
        else:
            lines.append(f"{key} = {value(luck, 3)}")
    return "\n".join(lines).encode("utf-8", "replace")


def _key(luck: Random) -> str:
    word = luck.choice(WORDS)
    return word if word.replace("-", "").isalnum() and luck.random() < 0.8 else f'"{word}"'


def value(luck: Random, depth: int) -> str:
    """A TOML value, at times one that only newer parsers accept, or none does."""
    kind = luck.randrange(12 if depth else 9)
    match kind:
        case 0 | 1 | 2:
            return f'"{luck.choice(WORDS)}"'
        case 3:
            return str(luck.choice((0, 1, 2, 7, -1, 100, 1_000_000, 1_000_001, 10**30)))
        case 4:
            return luck.choice(("true", "false", "1.5", "-0.0", "inf", "1979-05-27T07:32:00Z", "07:32", "0o17", "1_0"))
        case 5:
            return '"' + "".join(luck.choices(("a", "馬", "\\n", "\\u0007", "\\e", "\\x1b", "\u202e"), k=3)) + '"'
        case 6:
            return '"""\n' + luck.choice(SNIPPETS).replace('"""', "") + '\n"""'
        case 7:
            return luck.choice(SNIPPETS)
        case 8:
            return f"'{luck.choice(WORDS)}'"
        case 9:
            items = ", ".join(value(luck, depth - 1) for _ in range(luck.randrange(4)))
            return f"[{items}{luck.choice(ENDS)}]"
        case _:
            pairs = ", ".join(f"{_key(luck)} = {value(luck, depth - 1)}" for _ in range(luck.randrange(4)))
            return f"{{{pairs}{luck.choice(ENDS)}}}"


ENDS = ("", "", "", ",", "\n", ",\n", " # end\n")


KINDS: tuple[Callable[[Random], bytes], ...] = (bent, bent, bent, bent, random_toml, random_toml, random_bytes)


class Fault(NamedTuple):
    """What went wrong with an input."""

    number: int
    why: str
    raw: bytes


class Hang(BaseException):
    """A call does not come to its end."""


def _hang(_signal: int, _frame: object) -> None:
    raise Hang


def tried(raw: bytes, luck: Random) -> None:
    """See how uma takes a file that holds this, in a folder of its own.

    Raises:
        BaseException: something is wrong with it.
    """
    Path(NAME).write_bytes(raw)
    _call(("show", *luck.choice(VIEWS), NAME))
    assert Path(NAME).read_bytes() == raw, "show wrote"
    for kind in luck.sample(("gate", "corner", "finish"), 3):
        code = _call((kind, *luck.choice(STEPS), NAME))
        if Path(NAME).read_bytes() != raw:
            assert code == 0, "a step that was refused wrote"
            stand_of(file.read(NAME))
            return


def _call(arguments: tuple[str, ...]) -> int:
    """A call that has to end soon, say nothing that hides, and leave no litter; a show leaves the file's time too."""
    begun, before = time.process_time(), os.stat(NAME)
    words = io.StringIO()
    with redirect_stdout(words), redirect_stderr(words):
        code = invoke(arguments)
    took = time.process_time() - begun
    assert code in CODES, f"{arguments}: code {code}: {words.getvalue()}"
    assert took < CPU_SECONDS, f"{arguments}: {took:.1f} s"
    hidden = next(filter(is_hidden, re.sub(r"\x1b\[[0-9;]*m|[\n\t]", "", words.getvalue())), None)
    assert not hidden, f"{arguments}: {hidden} is shown"
    assert os.listdir() == [NAME], f"{arguments}: litter"
    if code or arguments[0] == "show":
        now = os.stat(NAME)
        assert (now.st_mtime_ns, now.st_ino) == (before.st_mtime_ns, before.st_ino), f"{arguments}: it was written"
    return code


def fuzz(count: int, seed: str, first: int = 0) -> Iterator[Fault]:
    """Try so many inputs, and give those that something is wrong with."""
    before = signal.signal(signal.SIGALRM, _hang)
    os.environ["UMA_DEBUG"] = "1"
    try:
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            for number in range(first, first + count):
                luck = Random(f"{seed} {number}")
                raw = luck.choice(KINDS)(luck)
                signal.alarm(HANG_SECONDS)
                try:
                    tried(raw, luck)
                except (Exception, Hang):  # noqa: BLE001 - whatever it is, it is at fault
                    yield Fault(number, traceback.format_exc(), raw)
                signal.alarm(0)
    finally:
        signal.signal(signal.SIGALRM, before)
        del os.environ["UMA_DEBUG"]


def main() -> int:
    """Fuzz as told, and say what was found; 1 if anything was."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int, default=0, metavar="N", help="begin with this input")
    parser.add_argument("--keep", type=Path, help="where to put what is at fault")
    told = parser.parse_args()
    faults = 0
    for fault in fuzz(told.count, told.seed, told.only):
        faults += 1
        sys.stdout.write(f"{told.seed} {fault.number}: {fault.why}\n")
        sys.stdout.flush()
        if told.keep:
            told.keep.mkdir(parents=True, exist_ok=True)
            (told.keep / f"{told.seed}-{fault.number}.toml").write_bytes(fault.raw)
    sys.stdout.write(f"{told.count} inputs, {faults} faults\n")
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
