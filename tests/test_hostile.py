"""Files that were made to keep uma busy, or to make it hang: each is answered soon."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import told
from uma_cli import file
from uma_cli.errors import Unreadable
from uma_cli.voice import Voice

HEAD = "format = 1\n"

CPU_SECONDS = 2.0 if sys.gettrace() is None else 20.0
"""Far more than it takes, for the machine may be busy with more than a test, or a tracer count what is covered."""
MEGABYTES = 100


def filled(unit: str, head: str = "", tail: str = "") -> str:
    """A text of all the bytes that a file may have."""
    room = file.MAX_BYTES - len((HEAD + head + tail).encode())
    return HEAD + head + unit * (room // len(unit.encode())) + tail


def numbered(unit: str, head: str = "", most: int = 10**6) -> str:
    """A text of units that differ by a number, as many as there is room for."""
    text, number = [HEAD, head], 0
    room = file.MAX_BYTES - len((HEAD + head).encode())
    while (part := unit.replace("@", str(number))) and len(part.encode()) <= room and number < most:
        text.append(part)
        room -= len(part.encode())
        number += 1
    return "".join(text)


HOSTILE = {
    **{f"only {unit!r}": filled(unit) for unit in ("a.", '"', "'", "#", "#\n", "\n", "\r\n", " ", "\\", "[", "=", "<")},
    **{
        f"a value of {unit!r}": filled(unit, "x = ") for unit in ('"', '"""', "'''", "[[", "{a=", "9", "1_", "1:", "a.")
    },
    **{
        f"a list of {unit!r}": filled(unit, "x = [", "]")
        for unit in ("1,", '"",', "[],", "{},", "1979-05-27,", "{a=1},")
    },
    **{f"quotes of {unit!r}": filled(unit, 'x = "', '"') for unit in ('\\"', "\\u0041", "\u0301", "馬", "\\\\")},
    **{
        f"lines of {unit!r}": filled(unit, 'x = """', '"""')
        for unit in ('\\"', "\\\n", "\\ \n ", '""a', "\n", "<<<<<<\n")
    },
    **{f"no end of {unit!r}": filled(unit, 'x = """') for unit in ('\\"', "a", '\\"""\n', "\\\\", '"" ')},
    "openings that are escaped": filled('\\"""\n'),
    **{f"as many {unit!r}": numbered(unit) for unit in ("a@=1\n", "[a@]\n", "[runner.a@]\n", "x-@ = 1\n")},
    **{
        f"some thousand {unit!r}": numbered(unit, most=16_000) for unit in ("a@=1\n", "[a@]\n", "[runner.A.skill.s@]\n")
    },
    "keys of a runner": numbered("k@ = 1\n", "[runner.A]\n", 16_000),
    "deep keys": numbered("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o@=1\n", most=3000),
    "answers": numbered('a@ = "1"\n', "[runner.A]\n[gate.check]\n", 16_000),
    "names that nobody has": numbered('"春@" = "front"\n', "[gate.place]\n", 104),
    "fill-ins": numbered('a@ = "kiai 1"\n', "[runner.A]\n[corner-2.npc]\n", 16_000),
    "questions": numbered("check-@ = {}\n", "[runner.A]\n[finish]\n", 10_000),
    "rulings": numbered('[gate.ruling.a@]\nwhy="x"\n', "[runner.A]\n", 8_000),
    "a skill used without end": filled("S;", '[runner.A.skill.S]\nwhen="gate"\n[gate.skill]\nA = "', '"'),
    "a name without end": filled("\ufdfa", '[runner."', '"]'),
    "a far row": HEAD + '[table.kiai]\n9999 = "1D6"\n',
    "the same key": filled("kiai = 1\n", "[runner.A]\n"),
    "the same table": filled("[a]\n"),
    "a list of tables": filled("[[a]]\n"),
    "many dice": HEAD + '[table.kiai]\n1 = "1000000000D1000000000"\n',
    "a great exponent": HEAD + "[runner.A]\nkiai = 4e111111111\n",
    "a great number": HEAD + "[runner.A]\nnumber = 4111111111111111111111\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_answered_soon(name: str) -> None:
    """However it was made, reading it is work that grows with its bytes, and these are few."""
    begun = time.process_time()
    said: list[str] = []
    try:
        said += map(Voice().say, file.source_of("r.toml", HOSTILE[name].encode()).warnings)
    except Unreadable as error:
        said.append(told(error))
    assert time.process_time() - begun < CPU_SECONDS
    assert sum(map(len, said)) < 10_000


LITTLE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv.pop(1)) << 20,) * 2)
from uma_cli.__main__ import main
main()
"""


def test_hostile_files_take_little_memory(tmp_path: Path) -> None:
    """Every second of them in one call: each is answered by a line, and the process stays small."""
    for number, text in enumerate(list(HOSTILE.values())[::2]):
        (tmp_path / f"{number}.toml").write_text(text, "utf-8", newline="")
    names = sorted(path.name for path in tmp_path.iterdir())
    argv = [sys.executable, "-c", LITTLE, str(MEGABYTES), "show", "--waiting", *names]
    ended = subprocess.run(argv, cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 3
    assert b"fault" not in ended.stderr
