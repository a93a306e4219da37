"""Where the tool's dice come from: the system's randomness, or the race's seed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from uma_cli.race import Race
from uma_cli.table import Ask
from uma_cli.tables import Dice


def faces(stream: Iterator[int], count: int, sides: int) -> tuple[int, ...]:
    """That many uniform faces from a stream of bytes; what would favour low faces is thrown away."""
    fair = 256 - 256 % sides
    return tuple(islice((byte % sides + 1 for byte in stream if byte < fair), count))


def _system_bytes() -> Iterator[int]:
    while True:
        yield from os.urandom(64)


def _seeded_bytes(*key: str) -> Iterator[int]:
    from hashlib import sha256  # only a seeded race pays for loading it

    start = sha256("\0".join(key).encode())
    block = 0
    while True:
        digest = start.copy()
        digest.update(block.to_bytes(8, "big"))
        yield from digest.digest()
        block += 1


class Chance:
    """Dice from the system: nobody can know one before it falls."""

    def throw(self, _scene: str, _question: str, _runner: str, dice: Dice, /) -> tuple[int, ...]:
        """The faces of dice that are asked for."""
        return faces(_system_bytes(), dice.number, dice.sides)

    def fallen(self, _scene: str, _question: str, _runner: str, _dice: Dice, /) -> None:
        """Only chance knows."""

    def pick(self, _ask: Ask, count: int) -> int:
        """One of so many options, each alike."""
        return int.from_bytes(os.urandom(16), "big") % count


class Seeded:
    """Dice from a seed: each depends on the seed, scene, question, runner and its index, and on nothing else."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def throw(self, scene: str, question: str, runner: str, dice: Dice, /) -> tuple[int, ...]:
        """The faces of dice that are asked for."""
        return faces(_seeded_bytes("dice", self.seed, scene, question, runner), dice.number, dice.sides)

    fallen = throw
    """What an unmarked throw must show."""

    def pick(self, ask: Ask, count: int) -> int:
        """One of so many options, each alike."""
        stream = _seeded_bytes("choice", self.seed, ask.scene, ask.question, ask.runner)
        return int.from_bytes(bytes(islice(stream, 16)), "big") % count


def draw(seed: str | None, many: int, few: int) -> list[int]:
    """So many of a number of things, in the order drawn: by a seed, or by chance; each draw is alike."""
    stream = _system_bytes() if seed is None else _seeded_bytes("field", seed)
    lots = [bytes(islice(stream, 16)) for _ in range(many)]
    return sorted(range(many), key=lots.__getitem__)[:few]


def dice_of(race: Race) -> Chance | Seeded:
    """The dice that the tool throws in a race."""
    return Chance() if race.seed is None else Seeded(race.seed)
