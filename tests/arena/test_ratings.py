"""Intervals and Elo ratings: worked out by hand, and against simulated truths."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from millebornes.arena.ratings import Estimate, elo, mean_of_ratio, share, student

CONTESTS, PAIRS = 1500, 60
ENOUGH = (0.94, 0.975)
"""How often an interval holds the truth: the two pairs added make it a little wider than 95 %."""


def against(wins: NDArray[np.float64], matches: int = 2) -> NDArray[np.float64]:
    """The scores of two bots, from the wins of the first in each pair."""
    scores = np.zeros((wins.size, 2, 2))
    scores[:, 0, 1], scores[:, 1, 0] = wins, matches - wins
    return scores


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (100, 1.984), (10**6, 1.960)],
)
def test_the_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=0.001)


def test_a_share_by_hand() -> None:
    found = share(np.array([1.0, 0.5, 0.5, 1.0]))
    # With 0 and 1 added: mean 4/6; squares of the deviations 16/36 + 3 * 4/36 + 2 * 1/36 = 30/36.
    half = student(5) * math.sqrt(30 / 36 / 5 / 6)
    assert found.value == 0.75
    assert found.low == pytest.approx(4 / 6 - half)
    assert found.high == 1.0


def test_a_bot_that_won_everything_is_not_said_to_win_always() -> None:
    few, many = share(np.ones(10)), share(np.ones(100))
    assert few.high == many.high == 1
    assert 0.7 < few.low < 0.8 < 0.96 < many.low < 1


def test_a_mean_of_hands_by_hand() -> None:
    found = mean_of_ratio(np.array([100.0, 260.0, 240.0]), np.array([1.0, 2.0, 3.0]))
    # The mean is 600/6; the residuals are 0, 60 and -60.
    half = student(2) * math.sqrt(7200 * 3 / 2) / 6
    assert found == pytest.approx((100, 100 - half, 100 + half))


def test_nothing_is_known_before_the_first_pair_and_no_error_after_one() -> None:
    nothing = np.zeros(0)
    assert all(map(math.isnan, share(nothing)))
    assert all(map(math.isnan, mean_of_ratio(nothing, nothing)))
    assert all(math.isnan(figure) for bot in elo(np.zeros((0, 3, 3)), 3) for figure in bot)
    value, low, high = mean_of_ratio(np.array([50.0]), np.array([2.0]))
    assert value == 25
    assert math.isnan(low)
    assert math.isnan(high)


def test_the_elo_of_two_bots_is_the_logarithm_of_their_odds() -> None:
    first, second = elo(against(np.array([2.0, 1.0, 1.0, 2.0, 1.5, 0.5, 2.0, 1.0])), 2)
    assert first.value - second.value == pytest.approx(400 * math.log10(11 / 5))
    assert first.value == pytest.approx(-second.value)
    assert first.low == pytest.approx(-second.high)


def test_the_elo_of_three_bots_is_that_of_their_odds_if_these_agree() -> None:
    """A wins 2 of 3 from B, and B 2 of 3 from C: so A wins 4 of 5 from C."""
    odds = np.array([[0, 10, 12], [5, 0, 10], [3, 5, 0]])
    ratings = elo(np.array([odds] * 4) / 5.0, 3)
    step = 400 * math.log10(2)
    assert [bot.value for bot in ratings] == pytest.approx([step, 0, -step], abs=1e-6)


def test_a_bot_that_lost_everything_has_a_rating() -> None:
    first, second = elo(against(np.full(20, 2.0)), 2)
    assert first.value - second.value == pytest.approx(400 * math.log10(40.5 / 0.5))
    almost, _ = elo(against(np.array([*[2.0] * 19, 1.0])), 2)
    assert 0 < almost.value < first.value


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), min_size=1, max_size=40))
def test_every_interval_holds_its_value(wins: list[float]) -> None:
    pairs = np.array(wins)
    for found in (share(pairs / 2), *elo(against(pairs), 2)):
        assert all(map(math.isfinite, found))
        assert found.low <= found.value <= found.high


def holds(found: Estimate, truth: float) -> bool:
    return found.low <= truth <= found.high


@pytest.mark.parametrize("chance", [0.5, 0.58, 0.8])
def test_intervals_of_shares_and_elo_hold_the_truth_as_often_as_they_say(chance: float) -> None:
    """The luck of the decks is shared by both matches of a pair."""
    rng = np.random.default_rng(14)
    luck = rng.uniform(-0.15, 0.15, (CONTESTS, PAIRS, 1)) * [1, -1]
    wins = (rng.random((CONTESTS, PAIRS, 2)) < chance + luck).sum(axis=2)
    of_shares = np.mean([holds(share(pairs / 2), chance) for pairs in wins])
    assert ENOUGH[0] < of_shares < ENOUGH[1]
    truth = 200 * math.log10(chance / (1 - chance))
    of_elo = np.mean([holds(elo(against(pairs), 2)[0], truth) for pairs in wins[:500]])
    assert ENOUGH[0] < of_elo < ENOUGH[1]


def test_intervals_of_points_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(14)
    hands = rng.integers(6, 12, (CONTESTS, PAIRS)).astype(float)
    points = hands * rng.normal(1100, 200, (CONTESTS, PAIRS))
    held = [holds(mean_of_ratio(*pair), 1100) for pair in zip(points, hands, strict=True)]
    assert ENOUGH[0] < np.mean(held) < ENOUGH[1]


def test_intervals_of_three_bots_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(14)
    strengths = np.array([0.5, 0.1, -0.6])
    chances = 1 / (1 + np.exp(strengths - strengths[:, None]))
    held = []
    for _ in range(400):
        wins = np.triu(rng.binomial(3, chances, (PAIRS, 3, 3)), 1)
        scores = wins + np.tril(3 - wins.swapaxes(1, 2), -1)
        found = elo(scores.astype(float), 3)
        truths = 400 / math.log(10) * strengths
        held += [holds(bot, truth) for bot, truth in zip(found, truths, strict=True)]
    assert ENOUGH[0] < np.mean(held) < ENOUGH[1]
