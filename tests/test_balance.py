"""The script that measures the balance of the tables counts every start and every win, once."""

from __future__ import annotations

from collections import Counter

import pytest
from click.testing import CliRunner

from tests.bench.balance import RUNNERS, entered, main, races, table
from uma_cli.race import Race
from uma_cli.strategy import STRATEGIES

SCENES = Race().scenes[:-1]
TITLES = ("all", *(f"after {scene}" for scene in SCENES), "start kiai", "strategy")
COUNT = 20


def test_every_start_and_every_win_is_counted_in_each_part() -> None:
    """By position at each scene, by kiai and by strategy the starts and the wins add up to all of them."""
    runs = races(0, COUNT, "test", "kiai", list(STRATEGIES))
    starts: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    title = ""
    for row in table(runs, SCENES).rows:
        title = row[0] or title
        starts[title] += int(row[2])
        wins[title] += int(row[3])
    assert starts == dict.fromkeys(TITLES, COUNT * RUNNERS)
    assert wins == dict.fromkeys(TITLES, sum(run.won for run in runs))


def test_a_field_is_drawn_evenly() -> None:
    """As many runners of each strategy, and another field for another seed."""
    first, second = entered("a"), entered("b")
    assert set(Counter(entry.auto for entry in first.entries.values()).values()) == {RUNNERS // len(STRATEGIES)}
    assert first.entries != second.entries
    assert entered("a").entries == first.entries


def test_who_surely_wins_more_is_marked() -> None:
    """A share whose interval lies above the even share is marked, and one below it too."""
    runs = [run._replace(won=run.strategy == "steady") for run in races(0, COUNT, "test", "", ["steady", "random"])]
    marks = {row[1]: row[-1] for row in table(runs, SCENES).rows}
    assert (marks["steady"], marks["random"], marks[""]) == ("more", "less", "")


def test_the_same_races_on_any_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two jobs print what one does, for batches come back in their order."""
    monkeypatch.setattr("tests.bench.balance.BATCH", 3)
    one, two = (CliRunner().invoke(main, ["--races", "7", "--jobs", jobs]).output for jobs in "12")
    assert one == two
    assert one.startswith("7 races")
