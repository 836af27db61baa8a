"""Figures of a simulation against the same figures counted another way."""

import statistics
from collections import Counter

import numpy as np
import pytest

from millebornes.arena import Simulation, Tally
from millebornes.arena.tally import Column
from millebornes.rules import EDITIONS, ScoreSheet

COUNT = 3000
SIMULATION = Simulation(
    edition=EDITIONS["encyclopedia"], players=3, bots=("greedy", "random"), seed=11
)
ROWS = np.concatenate(list(SIMULATION.run(COUNT)))


def tallied(*sizes: int) -> Tally:
    """The rows taken in by pieces."""
    tally = Tally(3, [(0, 2), (1,)])
    for piece in np.split(ROWS, np.cumsum(sizes)):
        tally.add(piece)
    return tally


def test_it_does_not_matter_in_which_pieces_the_rows_come() -> None:
    assert tallied(1, 1000).as_json() == tallied(777, 1, 500).as_json()


def test_means_intervals_and_quantiles_are_those_of_the_scores() -> None:
    column = tallied(100).columns[0]
    scores = [int(score) for score in ROWS["total"][:, 0]]
    assert column.mean == pytest.approx(statistics.mean(scores))
    assert column.interval == pytest.approx(1.96 * statistics.stdev(scores) / COUNT**0.5)
    for percent in (5, 25, 50, 75, 95):
        value = column.quantile(percent)
        assert sum(score <= value for score in scores) >= percent / 100 * COUNT
        assert sum(score < value for score in scores) < percent / 100 * COUNT


def test_shares_cover_all_scores() -> None:
    column = tallied().columns[1]
    shares = column.shares(250)
    assert sum(shares.values()) == pytest.approx(1)
    between = sum(250 <= score < 500 for score in ROWS["total"][:, 1].tolist())
    assert shares[250] == pytest.approx(between / COUNT)


def test_the_lines_add_up_to_the_points() -> None:
    tally = tallied()
    assert len(ScoreSheet._fields) == tally.columns[0].lines.size
    for column in (*tally.columns, *tally.groups):
        assert column.lines.sum() == column.points


def test_sides_played_alike_are_taken_together() -> None:
    tally = tallied()
    together = tally.groups[0]
    assert together.sides == (0, 2)
    assert together.points == tally.columns[0].points + tally.columns[2].points
    assert together.wins == tally.columns[0].wins + tally.columns[2].wins
    means = [float(mean) for mean in ROWS["total"][:, [0, 2]].mean(axis=1)]
    assert together.interval == pytest.approx(1.96 * statistics.stdev(means) / COUNT**0.5)
    scores = ROWS["total"][:, [0, 2]].ravel().tolist()
    assert together.scores == dict(sorted(Counter(scores).items()))
    assert together.hands == 2 * COUNT
    assert together.completed == int(ROWS["completed"][:, [0, 2]].sum())
    assert together.mean == pytest.approx((tally.columns[0].mean + tally.columns[2].mean) / 2)


def test_wins_and_draws_are_all_the_hands() -> None:
    figures = tallied().as_json()
    assert sum(side["wins"] for side in figures["sides"]) + figures["draws"] == COUNT
    assert figures["hands_per_match"] == {"1": COUNT}


def test_one_row_has_no_interval() -> None:
    column = Column((0,))
    column.add(ROWS[:1])
    assert np.isnan(column.interval)
    tally = Tally(1)
    tally.add(ROWS[:1])
    assert tally.as_json()["sides"][0]["interval"] is None


def test_nothing_played_has_figures_too() -> None:
    figures = Tally(2).as_json()
    assert figures["hands"] == 0
    for side in figures["sides"]:
        assert side["interval"] is None
        assert set(side["quantiles"].values()) == {None}
        assert side["scores"] == {}
