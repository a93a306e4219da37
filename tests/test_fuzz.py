"""Whatever a file holds, uma ends soon, without a fault, and writes nothing that does not replay."""

from __future__ import annotations

import pytest

from tests.fuzz import fuzz


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_no_file_brings_uma_down(seed: str) -> None:
    """Some hundred inputs, always the same; `python -m tests.fuzz` tries as many others as are wanted."""
    assert list(fuzz(500, seed)) == []
