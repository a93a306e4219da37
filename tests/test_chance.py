"""An interval covers what it promises to cover."""

from __future__ import annotations

import random

import pytest

from uma_cli.chance import interval

KNOWN = {(0, 10): (0.0, 0.2775), (5, 10): (0.2366, 0.7634), (10, 10): (0.7225, 1.0), (81, 263): (0.2553, 0.3662)}
"""Newcombe (1998) and R's `prop.test(correct = FALSE)`."""


@pytest.mark.parametrize("sample", KNOWN)
def test_known_intervals(sample: tuple[int, int]) -> None:
    """The published intervals, to four places."""
    assert interval(*sample) == pytest.approx(KNOWN[sample], abs=5e-5)


def test_of_no_trials_anything_may_be() -> None:
    """Who never started has the whole range."""
    assert interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9])
def test_most_intervals_hold_the_true_share(share: float) -> None:
    """Of many samples about 95 in a hundred do."""
    draw = random.Random(8)
    held = 0
    for _ in range(1_000):
        low, high = interval(sum(draw.random() < share for _ in range(120)), 120)
        held += low <= share <= high
    assert 910 <= held <= 985
