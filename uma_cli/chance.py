"""How sure a share of many races is."""

from __future__ import annotations

import math

Z = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


def interval(hits: int, trials: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share by Wilson's score, from 0 to 1; of no trials all of it."""
    if not trials:
        return 0.0, 1.0
    share, weight = hits / trials, Z**2 / trials
    centre = share + weight / 2
    half = Z * math.sqrt((share * (1 - share) + weight / 4) / trials)
    return max(0.0, (centre - half) / (1 + weight)), min(1.0, (centre + half) / (1 + weight))
