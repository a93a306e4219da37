"""Many calls of uma at once, all from one loaded process, so that they truly meet: `python -m tests.crowd`.

It reads a JSON list of calls, and beside it one that is called again and again meanwhile, or null; it prints the codes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import NamedTuple

from tests.points import HERE, end_of, fork, load_all


class Codes(NamedTuple):
    """How the calls ended, and those meanwhile."""

    calls: list[int]
    meanwhile: list[int]


def crowd(*calls: list[str], meanwhile: list[str] | None = None) -> Codes:
    """Call all of them at once, and one again and again until they have ended."""
    command = [sys.executable, "-m", "tests.crowd"]
    asked = json.dumps([calls, meanwhile])
    run = subprocess.run(command, input=asked, capture_output=True, check=True, text=True, cwd=HERE)
    return Codes(*json.loads(run.stdout))


def main(calls: list[list[str]], meanwhile: list[str] | None) -> Codes:
    """Fork them all, let them go, and wait."""
    load_all()
    gate, opens = os.pipe()

    def ready() -> None:
        os.close(opens)
        os.read(gate, 1)

    children = [fork(call, ready) for call in calls]
    os.close(opens)
    seen: list[int] = []
    codes: dict[int, int] = {}
    while len(codes) < len(children):
        if meanwhile:
            seen.append(end_of(fork(meanwhile)))
        for child in set(children) - set(codes):
            ended, status = os.waitpid(child, os.WNOHANG if meanwhile else 0)
            if ended:
                codes[child] = os.waitstatus_to_exitcode(status)
    return Codes([codes[child] for child in children], seen)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*json.load(sys.stdin))))
