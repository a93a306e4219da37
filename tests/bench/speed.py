"""How fast uma is, as ratios measured in one run on one machine.

`python -m tests.bench.speed` prints them as a table; `--quick` does less of everything.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import tomli_w

from uma_cli import file, schema
from uma_cli.replay import replay
from uma_cli.run import Call, advance

PYTHON = sys.executable
UMA = str(Path(sysconfig.get_path("scripts")) / "uma")
ENVIRONMENT = {**{key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}, "UMA_LANG": "en"}
BARE = [PYTHON, "-c", "import click, tomllib, tomli_w"]


class Row(NamedTuple):
    """One line of the table."""

    what: str
    measured: float
    wanted: float
    at_least: bool = False

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"| {self.what} | {self.measured:.2f} | {sign} {self.wanted:.2f} |"


def field(runners: int) -> str:
    """The tables of so many runners."""
    return "".join(f'\n[runner."Runner {n}"]\nkiai = {n % 5 + 1}\nplayer = "@player{n % 4}"\n' for n in range(runners))


def race(runners: int, corners: int = 2) -> str:
    """A race before its gate."""
    scenes = ["gate", *(f"corner-{n}" for n in range(1, corners + 1)), "finish"]
    return tomli_w.dumps({"format": 1, "scenes": scenes}) + field(runners)


def played(text: str, scenes: int | None = None) -> str:
    """A race with so many of its scenes played; None for all."""
    source = file.source_of("race.toml", text.encode())
    for scene in source.race.scenes[:scenes]:
        kind = scene.partition("-")[0]
        source = file.source_of("race.toml", advance(source, Call(kind, scene, auto=True)).text.encode())
    return source.text


def run(*command: str) -> None:
    """Run a process to its end."""
    subprocess.run(command, check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def medians(turns: int, *works: Callable[[], object]) -> list[float]:
    """How long several things take, in turns, so that what the machine does beside hits all alike."""
    taken = [[seconds(work) for work in works] for _ in range(turns)]
    return [statistics.median(each) for each in zip(*taken, strict=True)]


def best(turns: int, *works: Callable[[], object]) -> list[float]:
    """The shortest time of a core that several things take in memory, in turns; like a call, without collection."""

    def once(work: Callable[[], object]) -> float:
        begun = time.process_time()
        work()
        return time.process_time() - begun

    gc.disable()
    taken = [[once(work) for work in works] for _ in range(turns)]
    gc.enable()
    return [min(each) for each in zip(*taken, strict=True)]


@contextmanager
def folder() -> Iterator[Path]:
    """A folder of its own, on the disk that temporary files are on."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def write(path: Path, text: str) -> Callable[[], object]:
    """Put a text into a file, again and again."""
    return lambda: path.write_text(text, "utf-8")


def processes(turns: int) -> Iterator[Row]:
    """One call as a process, against a process that only imports what every call needs."""
    with folder() as here:
        path = here / "race.toml"
        text = played(race(8), 1)
        path.write_text(text, "utf-8")

        bare, helped, shown, stepped, _ = medians(
            turns,
            lambda: run(*BARE),
            lambda: run(UMA, "--help"),
            lambda: run(UMA, "show", "--json", str(path)),
            lambda: run(UMA, "corner", "--auto", str(path)),
            write(path, text),
        )
    yield Row("`uma --help`, against importing click, tomllib and tomli_w", helped / bare, 1.15)
    yield Row("`uma show --json` of an eight-runner race, likewise", shown / bare, 1.30)
    yield Row("one step of an eight-runner race, likewise", stepped / bare, 1.30)


def late_scenes(turns: int) -> Iterator[Row]:
    """A step at the twentieth scene, against one at the second."""
    text = race(8, corners=20)
    early, late = played(text, 1), played(text, 19)
    with folder() as here:
        path = here / "race.toml"
        _, first, _, last = medians(
            turns,
            write(path, early),
            lambda: run(UMA, "corner", "--auto", str(path)),
            write(path, late),
            lambda: run(UMA, "corner", "--auto", str(path)),
        )
    yield Row("a step at scene 20, against one at scene 2", last / first, 1.50)


def rewrite(paths: Sequence[Path]) -> None:
    """The bare loop: parse, dump, and replace each file with fsync."""
    for path in paths:
        data = tomllib.loads(path.read_text("utf-8"))
        beside = path.with_suffix(".new")
        with beside.open("wb") as out:
            out.write(tomli_w.dumps(data).encode())
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)


def many_files(count: int) -> Iterator[Row]:
    """A step each of many files in one process."""
    text = race(8)
    with folder() as here:
        paths = [here / f"race-{n:04}.toml" for n in range(count)]
        names = [str(path) for path in paths]

        def fresh() -> None:
            for path in paths:
                path.write_text(text, "utf-8")

        fresh()
        apart = sum(seconds(partial(run, UMA, "gate", "--auto", name)) for name in names)
        fresh()
        alone = seconds(lambda: run(UMA, "gate", "--auto", "--quiet", *names))
        fresh()
        double = seconds(lambda: run(UMA, "gate", "--auto", "--quiet", "--jobs", "2", *names))
        fresh()
        run(UMA, "gate", "--auto", "--quiet", *names)
        bare = seconds(lambda: rewrite(paths))
    yield Row(f"{count} files in one process, against {count} processes", alone / apart, 1 / 8)
    yield Row("the same, against a bare loop of parse, dump, fsync and replace", alone / bare, 3.00)
    if (os.cpu_count() or 1) > 1:
        yield Row("`--jobs 2`: how many times faster", alone / double, 1.70, at_least=True)


def replays(turns: int) -> Iterator[Row]:
    """A replay of a whole race, against parsing its file; and how it grows."""
    whole = played(race(18))
    known = schema.read_race(tomllib.loads(whole)).race
    parsed, again = best(turns, lambda: tomllib.loads(whole), lambda: replay(known))
    yield Row("replaying a race of 18 runners, against tomllib parsing its file", again / parsed, 0.50)
    fields = [8, 16, 32, 64]
    yield Row(
        "growth with runners: the exponent fitted to 8, 16, 32, 64", exponent(fields, _replayed(fields, turns)), 1.10
    )
    corners = [5, 10, 20, 38]
    grown = exponent(corners, _replayed([8] * len(corners), turns, corners))
    yield Row("growth with scenes: the exponent fitted to 5, 10, 20, 38 corners", grown, 1.10)


def _replayed(fields: Sequence[int], turns: int, corners: Sequence[int] = ()) -> list[float]:
    texts = [played(race(runners, *corners[n : n + 1])) for n, runners in enumerate(fields)]
    races = [schema.read_race(tomllib.loads(text)).race for text in texts]
    return best(turns, *(partial(replay, known) for known in races))


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """The power of its size that a time grows by: 1 is linear."""
    return statistics.linear_regression([*map(math.log, sizes)], [*map(math.log, times)]).slope


def memory(count: int) -> Iterator[Row]:
    """How much the largest memory of a call grows with each file."""
    with folder() as here:
        path = here / "race.toml"
        path.write_text(played(race(8)), "utf-8")
        few, many = (_peak(here, path, files) for files in (count // 10, count))
    yield Row("memory a further file takes, KB", (many - few) / (count - count // 10), 1.00)


def _peak(here: Path, path: Path, files: int) -> float:
    """KB."""
    listing = here / "list"
    listing.write_text(f"{path}\n" * files, "utf-8")
    command = [UMA, "show", "--json", "--files-from", str(listing)]
    child = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)


def main() -> None:
    """Measure all, and print a row as soon as it is known."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true", help="less of everything")
    quick = arguments.parse_args().quick
    sys.stdout.write("| what | measured | wanted |\n|---|---:|---:|\n")
    for rows in (
        processes(5 if quick else 40),
        late_scenes(5 if quick else 25),
        replays(5 if quick else 40),
        memory(200 if quick else 5000),
        many_files(30 if quick else 1000),
    ):
        for row in rows:
            sys.stdout.write(f"{row}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
