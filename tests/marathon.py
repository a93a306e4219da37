"""Races by the thousand, each played to its end by the commands: `python -m tests.marathon 10000`."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import tomli_w
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fields import Cast, Toml, bound, races, stand_of
from uma_cli.cli import invoke
from uma_cli.race import kind_of
from uma_cli.replay import Stand

DONE, REFUSED = 0, 4


def call(*arguments: str) -> int:
    """The exit code of a call that talks to nobody."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        return invoke(arguments)


def played_by_the_tool(stand: Stand, strategy: str) -> list[str]:
    """A call that leaves nobody to be asked."""
    dice = ["--dice", "rest=roll"] if any(ask.dice for ask in stand.waiting) else []
    return ["--auto", "--strategy", strategy, *dice]


def said(stand: Stand, cast: Cast, luck: Random) -> list[str]:
    """What people say: all who are asked or may answer ahead, some of them, or nobody, and the tool plays on."""
    asks = [*stand.waiting, *(stand.open.ahead if stand.open else ())]
    mood = luck.choice(("all", "some", "steady", "random"))
    if mood in ("steady", "random") or not asks:
        return played_by_the_tool(stand, "random" if mood == "random" else "steady")
    answering = asks if mood == "all" else luck.sample(asks, luck.randint(1, len(asks)))
    return [part for question, text in map(cast.says, answering) for part in (f"--{question}", text)]


def run(race: Toml, cast: Cast, folder: Path) -> Counter[str]:
    """Play a race to its end, and count what its calls came to.

    Each call ends in a whole scene, in a wait that is named, or in a refusal that leaves the file as it was.
    """
    path = folder / "race.toml"
    path.write_bytes(tomli_w.dumps(race).encode())
    luck = cast.luck("calls")
    came: Counter[str] = Counter()
    code = DONE
    while (stand := stand_of(path.read_bytes().decode())).status != "finished":
        assert came.total() < bound(stand.race), "it comes to no end"
        before = path.read_bytes()
        answers = said(stand, cast, luck) if code == DONE else played_by_the_tool(stand, "steady")
        was, code = code, call(kind_of(stand.scene), "--scene", stand.scene, str(path), *answers)
        assert code == DONE or (code == REFUSED and was == DONE), (code, answers)
        assert (path.read_bytes() == before) == (code == REFUSED)
        came["done" if code == DONE else "refused"] += 1
    for record in stand.race.records.values():
        assert record.closing is not None
        assert all(text for by_runner in record.answers.values() for text in by_runner.values())
    assert call("show", str(path)) == DONE
    return came


def marathon(count: int) -> Counter[str]:
    """So many races of all kinds."""
    came: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:

        @settings(
            max_examples=count,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(races(), st.builds(Cast, st.integers(0, 10**6)))
        def races_on(race: Toml, cast: Cast) -> None:
            came.update(run(race, cast, Path(folder)))
            came["races"] += 1

        races_on()
    return came


if __name__ == "__main__":
    print(dict(marathon(int(sys.argv[1]))))  # noqa: T201 - a script for people
