"""Many races as one table: what is counted, how often, and that no order of races changes it."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from operator import add
from pathlib import Path
from random import Random

import pytest
import tomli_w
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Uma
from tests.fields import Cast, Toml, finished, races, stand_of
from uma_cli.errors import Misused
from uma_cli.race import Pace, Position
from uma_cli.replay import Stand
from uma_cli.season import GROUPINGS, POINTS, Key, Season, Tally, read_points

RACES = sorted((Path(__file__).parent.parent / "races").glob("*.toml"))

LEAGUE = """\
format = 1
throws = "hand"
scenes = ["gate", "finish"]
[table.position]
pace-chaser = 0
late-surger = 0
[table.kiai]
1 = "1D20"
2 = "1D20"
3 = "1D20"
[runner.Ann]
player = "@x"
auto = "steady"
[runner.Bea]
player = "@y"
auto = "random"
[runner.Cat]
player = "@x"
"""
"""Three who choose nothing that counts: each has the score that she throws at the finish."""

Scores = tuple[int | None, int | None, int | None]


def raced(uma: Uma, name: str, scores: Scores, photo: str = "") -> Stand:
    """A race with these finish scores of Ann, Bea and Cat; who has none is taken out."""
    Path(name).write_text(LEAGUE, "utf-8")
    thrown = [f"{who}={score}" for who, score in zip(("Ann", "Bea", "Cat"), scores, strict=True) if score]
    out = [who for who, score in zip(("Ann", "Bea", "Cat"), scores, strict=True) if not score]
    gate = ("--check", "Ann=3,Bea=2,Cat=1", "--place", "Bea=front", "--place", "Ann=front", "--pace", "slow")
    assert uma("gate", name, *gate).code == 0
    rulings = [word for who in out for word in ("--ruling", f"{who}=out, start", "--why", "a fall")]
    finish = ["--check", ",".join(thrown)] if thrown else []
    called = uma("finish", name, *finish, *(["--photo", photo] if photo else []), *rulings)
    assert called.code == 0, called.err
    stand = stand_of(Path(name).read_text("utf-8"))
    assert stand.status == "finished"
    return stand


def counted(stands: Iterable[Stand], points: Sequence[int] = POINTS) -> Season:
    return reduce(add, (Season.of(stand, points) for stand in stands), Season())


def rows(season: Season, by: str) -> dict[Key, Tally]:
    return {row.key: row.tally for row in season.rows(by)}


@pytest.fixture
def league(uma: Uma) -> list[Stand]:
    """Four races: one plain, one with a dead heat, one in which Cat falls, one in which Ann runs alone to the line."""
    return [
        raced(uma, "plain.toml", (12, 15, 7)),
        raced(uma, "heat.toml", (14, 9, 14), photo="Ann=4,Cat=4"),
        raced(uma, "fall.toml", (8, 11, None)),
        raced(uma, "alone.toml", (5, None, None)),
    ]


def test_a_little_season_adds_up(league: list[Stand]) -> None:
    """Starts, wins, places, points, places and lengths are those that can be read off the results."""
    season = counted(league)
    assert (season.races, season.unfinished) == (4, 0)
    third = Fraction(1, 3)
    assert rows(season, "runner") == {
        ("Ann",): Tally(4, 0, 0, 2, 4, 32, ranks=2 + 1 + 2 + 1, lengths=-3 + 0 - 3 + 0, expected=5 * third),
        ("Bea",): Tally(4, 1, 0, 2, 3, 24, ranks=1 + 3 + 1, lengths=3 - 5 + 3, expected=5 * third),
        ("Cat",): Tally(4, 2, 0, 1, 2, 14, ranks=3 + 1, lengths=-8 + 0, expected=5 * third),
    }


def test_who_comes_in_together_has_won(league: list[Stand]) -> None:
    """In a dead heat each has a win, the points of her place in full, and no lead; two wins were to be expected."""
    season = counted(league[1:2], (12, 8, 5))
    tally = rows(season, "runner")
    assert tally["Ann",] == tally["Cat",] == Tally(1, 0, 0, 1, 1, 12, ranks=1, lengths=0, expected=Fraction(2, 3))
    assert tally["Bea",] == Tally(1, 0, 0, 0, 1, 5, ranks=3, lengths=-5, expected=Fraction(2, 3))


def test_who_is_out_has_started(league: list[Stand]) -> None:
    """A start without a place counts in the rate of wins, and in no average."""
    cat = rows(counted(league[:3]), "runner")["Cat",]
    assert (cat.starts, cat.outs, cat.rate) == (3, 1, 1 / 3)
    assert (cat.average_place, cat.average_margin) == (2.0, -4.0)
    fallen = rows(counted(league[2:3]), "runner")["Cat",]
    assert (fallen.average_place, fallen.average_margin, fallen.rate) == (None, None, 0)


def test_where_all_are_out_nobody_was_to_win(uma: Uma) -> None:
    """A race without a winner expects none."""
    season = counted([raced(uma, "storm.toml", (None, None, None))])
    assert season.races == 1
    assert set(rows(season, "runner").values()) == {Tally(1, outs=1)}


def test_a_player_has_the_starts_of_all_her_runners(league: list[Stand]) -> None:
    """Two runners of one player in a race are two starts."""
    season = counted(league)
    runners, players = rows(season, "runner"), rows(season, "player")
    assert players == {("@x",): runners["Ann",].plus(runners["Cat",]), ("@y",): runners["Bea",]}


def test_a_strategy_is_the_one_of_the_file(league: list[Stand]) -> None:
    """Who has none of her own is counted under none, and that row is the last."""
    assert [row.key for row in counted(league).rows("strategy")] == [("steady",), ("random",), (None,)]


def test_a_race_that_is_not_over_is_only_mentioned(four: Path) -> None:
    """It counts in no row."""
    season = counted([stand_of(four.read_text("utf-8"))] * 3)
    assert season == Season(unfinished=3)


def test_a_fill_in_starts_like_anyone_and_plays_for_nobody() -> None:
    """She has a row, marked as NPC's; she has no player, and stood nowhere before she came."""
    stand = stand_of((RACES[0].parent / "fill-in.toml").read_text("utf-8"))
    newcomers = [runner.name for runner in stand.field if runner.fill_in]
    assert newcomers
    season = counted([stand])
    for name in newcomers:
        tally = rows(season, "runner")[name,]
        assert tally.npc == tally.starts == 1
    assert rows(season, "player")[None,].starts >= len(newcomers)
    at_the_gate = sum(tally.starts for (scene, _), tally in rows(season, "position").items() if scene == "gate")
    assert at_the_gate == len(stand.race.entries) < len(stand.result or ())


def tally_of(*starts: tuple[int, ...]) -> Season:
    """A season of runners a, b, c… with these points, wins and places."""
    season = Season(races=1)
    for name, (points, wins, place) in zip("abcdef", starts, strict=False):
        season.count(("runner", (name,)), Tally(2, wins=wins, points=points, ranks=2 * place, outs=0))
    return season


def test_the_best_is_first() -> None:
    """By points, then wins, then average place, then name; and who has no name is last whatever they won."""
    season = tally_of((5, 0, 3), (6, 0, 9), (5, 1, 9), (5, 0, 3), (5, 0, 2))
    season.count(("runner", ("out",)), Tally(1, outs=1))
    season.count(("runner", (None,)), Tally(9, wins=9, points=90, ranks=9))
    assert [row.key[0] for row in season.rows("runner")] == ["b", "c", "e", "a", "d", "out", None]


def test_scenes_paces_and_positions_have_an_order_of_their_own() -> None:
    """The tenth corner comes after the second, fast before slow, the front before the back."""
    season = Season(races=1)
    keys = [
        (scene, pace, position)
        for scene in ("gate", "corner-1", "corner-2", "corner-10")
        for pace in Pace
        for position in Position
    ]
    for key in Random(1).sample(keys, len(keys)):
        season.count(("pace", key), Tally(1, wins=Random(str(key)).randint(0, 1)))
    assert [row.key for row in season.rows("pace")] == keys


def test_above_chance_is_said_only_of_a_whole_interval() -> None:
    """Nine wins of sixty where five were to be expected may be luck; fifteen are not, and none is not either."""
    for wins, said in ((9, 0), (15, 1), (0, -1)):
        assert Tally(60, wins=wins, expected=Fraction(5)).beside_chance == said


POINTS_TABLES = {"12 8 5": (12, 8, 5), "10,6": (10, 6), "９　４，１": (9, 4, 1), "0": (0,), " 3, 2 ,1 ": (3, 2, 1)}


@pytest.mark.parametrize("text", POINTS_TABLES)
def test_points_are_read(text: str) -> None:
    """A number for each place, parted by spaces or commas."""
    assert read_points(text) == POINTS_TABLES[text]


@pytest.mark.parametrize("text", ["", " ", "x", "3 -1", "1.5", "²", "1000000", "3;2"])
def test_what_is_no_points_table_is_refused(text: str) -> None:
    """Nothing trailing is dropped, and nothing is guessed."""
    with pytest.raises(Misused):
        read_points(text)


def by_the_files(texts: Iterable[str]) -> dict[tuple[str, Key], list[int]]:
    """Starts, wins, places, points and outs of each row, read off the results and standings that the files hold."""
    sums: dict[tuple[str, Key], Counter[str]] = {}
    for text in texts:
        data = tomllib.loads(text)
        names = data.get("runner", {})
        last = [scene for scene in data["scenes"] if scene in data and "standing" in data[scene]]
        ran = dict.fromkeys([*names, *(name for scene in last for name in data[scene]["standing"])])
        result = data.get("finish", {}).get("result", {})
        for name in ran:
            word = result.get(name, "out").split(",")[0]
            place = None if word == "out" else int(word.removeprefix("place "))
            runner = names.get(name, {})
            keys: list[tuple[str, Key]] = [
                ("runner", (name,)),
                ("player", (runner.get("player") or None,)),
                ("strategy", (runner.get("auto"),)),
            ]
            stood = {scene: data[scene]["standing"][name] for scene in last if name in data[scene]["standing"]}
            keys += [("position", (scene, standing.split(",")[0])) for scene, standing in stood.items()]
            for key in keys:
                start = Counter(starts=1, wins=place == 1, places=place is not None and place <= 3, outs=place is None)
                start["points"] = POINTS[place - 1] if place and place <= len(POINTS) else 0
                sums.setdefault(key, Counter()).update(start)
    return {key: [sum_[name] for name in ("starts", "wins", "places", "points", "outs")] for key, sum_ in sums.items()}


def by_the_season(season: Season) -> dict[tuple[str, Key], list[int]]:
    return {
        (by, row.key): [row.tally.starts, row.tally.wins, row.tally.places, row.tally.points, row.tally.outs]
        for by in ("runner", "player", "strategy", "position")
        for row in season.rows(by)
    }


def test_the_examples_are_counted_as_their_files_say() -> None:
    """Every row has the sums that its results and standings have in the files."""
    texts = [path.read_text("utf-8") for path in RACES if path.stem != "waiting"]
    assert by_the_season(counted(map(stand_of, texts))) == by_the_files(texts)


SEASONS = st.lists(st.tuples(races(most=6), st.builds(Cast, st.integers(0, 10**6))), min_size=1, max_size=4)
SLOW = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@given(SEASONS, st.randoms(use_true_random=False))
@SLOW
def test_neither_the_order_nor_the_parts_matter(drawn: list[tuple[Toml, Cast]], luck: Random) -> None:
    """Whatever races there are: counted in any order and in two parts they come to the same, and to what is in them."""
    texts = [finished(race, cast) for race, cast in drawn] + [tomli_w.dumps(drawn[0][0])]
    stands = list(map(stand_of, texts))
    season = counted(stands)
    shuffled = luck.sample(stands, len(stands))
    half = luck.randint(0, len(stands))
    parts = counted(shuffled[:half]) + counted(shuffled[half:])
    assert parts == season
    assert all(parts.rows(by) == season.rows(by) for by in GROUPINGS)
    assert by_the_season(season) == by_the_files(texts[:-1])
    assert (season.races, season.unfinished) == (len(drawn), 1)
    for by in ("runner", "player", "strategy"):
        tallies = rows(season, by).values()
        assert sum(tally.wins for tally in tallies) == sum(tally.expected for tally in tallies)
    for by in ("position", "pace"):
        assert None not in {name for key in rows(season, by) for name in key}


def test_a_season_grows_with_its_runners_only(league: list[Stand]) -> None:
    """A hundred races of the same three are no larger than one of each kind."""
    once, often = counted(league), counted(league * 25)
    assert often.tallies.keys() == once.tallies.keys()
    assert often.races == 100
