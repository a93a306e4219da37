"""Kill a loop of steps at random moments, a thousand times or as often as one says: `python -m tests.kills 1000`."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from tests.conftest import FOUR
from tests.points import HERE, end_of, files, fork, lay_out, load_all, silent
from uma_cli.cli import invoke

NAMES = ("特別周", "無聲鈴鹿", "神鷹", "春麗")
STEPS = [["gate", "race.toml", "--check", f"{name}={face}+{face}+{face}"] for face, name in enumerate(NAMES, 2)]
STEPS += [["gate", "race.toml", "--note", f"春麗={number}"] for number in range(8)]


def kills(times: int) -> int:
    """Kill as often as that in a process of its own, and return how often it hit amid a write."""
    command = [sys.executable, "-m", "tests.kills", str(times)]
    called = subprocess.run(command, capture_output=True, check=False, text=True, cwd=HERE)
    assert called.returncode == 0, called.stderr
    return int(called.stdout.split()[-1])


def main(folder: str, times: int) -> int:
    """Play steps until a kill comes, look what it has left, and play on from there."""
    os.chdir(folder)
    load_all()
    states = [FOUR.encode()]
    lay_out(folder, {"race.toml": states[0]})
    begun = time.monotonic()
    for step in STEPS:
        assert end_of(fork(step)) == 0
        states.append(files(folder)["race.toml"])
    whole = time.monotonic() - begun
    assert len(set(states)) == len(states)
    at, amid = len(STEPS), 0
    for _ in range(times):
        if at == len(STEPS):
            lay_out(folder, {"race.toml": states[0]})
            at = 0
        loop = fork_loop(STEPS[at:])
        time.sleep(random.uniform(0, whole / 4))
        os.kill(loop, signal.SIGKILL)
        os.waitpid(loop, 0)
        left = files(folder)
        amid += len(left) > 1
        at = states.index(left["race.toml"], at)
        if at < len(STEPS):
            assert end_of(fork(STEPS[at])) == 0
            at += 1
            assert files(folder) == {"race.toml": states[at]}
    return amid


def fork_loop(steps: list[list[str]]) -> int:
    """A process that plays one step after another."""
    child = os.fork()
    if child:
        return child
    silent()
    for step in steps:
        if invoke(step):
            break
    os._exit(0)


if __name__ == "__main__":
    wanted = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        hit = main(place, wanted)
    sys.stdout.write(f"{wanted} kills, each left the old file or the new one; amid a write: {hit}\n")
