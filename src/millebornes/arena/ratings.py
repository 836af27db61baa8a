"""Shares, means and Elo ratings, with 95 % intervals.

The unit is the *pair*: the matches of one pair share their decks, so only whole pairs are
independent of each other. All errors are those of sums over pairs.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Estimate", "elo", "mean_of_ratio", "share", "student"]

Floats = NDArray[np.float64]

_NORMAL = 1.959963984540054
_STUDENT = (math.nan, 12.7062, 4.3027, 3.1824, 2.7764)
"""For the fewest degrees of freedom, where the series is not good enough."""
_ELO = 400 / math.log(10)
_STEPS, _LONGEST, _CLOSE = 100, 2.0, 1e-10
"""How Newton's method ends, and the longest step that it takes."""


class Estimate(NamedTuple):
    """A figure and its 95 % interval; not a number where it is not known."""

    value: float
    low: float
    high: float


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t distribution."""
    if freedom < len(_STUDENT):
        return _STUDENT[freedom]
    z = _NORMAL  # the expansion of Cornish and Fisher
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(sum(term / freedom**power for power, term in enumerate(terms)))


def share(shares: Floats) -> Estimate:
    """The mean of shares from 0 to 1, one per pair.

    For the interval, two pairs are added, one won and one lost altogether. So a bot that has won
    ten pairs out of ten is not said to win always. Beyond some fifty pairs this hardly matters.
    """
    if not shares.size:
        return Estimate(math.nan, math.nan, math.nan)
    more = np.append(shares, (0.0, 1.0))
    centre = float(more.mean())
    half = student(more.size - 1) * float(more.std(ddof=1)) / math.sqrt(more.size)
    return Estimate(float(shares.mean()), max(0.0, centre - half), min(1.0, centre + half))


def mean_of_ratio(sums: Floats, counts: Floats) -> Estimate:
    """A mean over all hands, from the sums and the numbers of hands of each pair."""
    total = float(counts.sum())
    if not total:
        return Estimate(math.nan, math.nan, math.nan)
    value = float(sums.sum()) / total
    pairs = int((counts > 0).sum())
    if pairs < 2:
        return Estimate(value, math.nan, math.nan)
    # The usual error of a ratio: matches differ in length, and longer ones weigh more.
    residuals = sums - value * counts
    error = math.sqrt(float(residuals @ residuals) * pairs / (pairs - 1)) / total
    half = student(pairs - 1) * error
    return Estimate(value, value - half, value + half)


def elo(scores: Floats, matches: int) -> list[Estimate]:
    """Elo ratings by Bradley–Terry, with a mean of 0.

    `scores[p, i, j]` is what bot *i* scored against bot *j* in the `matches` of pair *p*; a draw
    is half. The value is the maximum of the likelihood. If that is not finite, because somebody
    has won or lost everything, half a win is added for each bot against each other. The errors
    are clustered by pairs (the sandwich estimator), with two pairs added for each two bots, one
    won by each, as in `share`.
    """
    pairs, bots, _ = scores.shape
    if not pairs:
        return [Estimate(math.nan, math.nan, math.nan)] * bots
    others = 1.0 - np.eye(bots)
    won, met = scores.sum(axis=0), pairs * matches * others
    if not _is_connected(won):
        won, met = won + others / 2, met + others
    values = _strengths(won, met)
    centre, half = _interval(scores, matches)
    # The pairs added draw the interval towards 0: it must not leave the value outside.
    low, high = np.minimum(values, centre - half), np.maximum(values, centre + half)
    return [Estimate(*(_ELO * each).tolist()) for each in np.stack([values, low, high], axis=1)]


def _is_connected(won: Floats) -> bool:
    """Whether everybody has won from everybody, directly or through others."""
    reach = (won > 0) | np.eye(len(won), dtype=bool)
    for _ in range(len(won)):
        reach = reach @ reach
    return bool(reach.all())


def _strengths(won: Floats, met: Floats) -> Floats:
    """The strengths of the largest likelihood, as natural logarithms, by Newton's method."""
    strengths = np.zeros(len(won))
    for _ in range(_STEPS):
        chances = _chances(strengths)
        step = _bread(chances, met) @ (won - met * chances).sum(axis=1)
        largest = float(np.abs(step).max())
        strengths += step * _LONGEST / max(_LONGEST, largest)
        if largest < _CLOSE:
            break
    return strengths - float(strengths.mean())


def _chances(strengths: Floats) -> Floats:
    """The chance of each bot against each other."""
    return np.asarray(1 / (1 + np.exp(strengths[None, :] - strengths[:, None])), np.float64)


def _bread(chances: Floats, met: Floats) -> Floats:
    """The inverse of the information, for strengths that add up to 0."""
    spread = met * chances * chances.T
    information = np.diag(spread.sum(axis=1)) - spread
    return np.asarray(np.linalg.pinv(information), np.float64)


def _interval(scores: Floats, matches: int) -> tuple[Floats, Floats]:
    """The centre of the interval of each strength, and half its width."""
    pairs, bots, _ = scores.shape
    added = np.zeros((bots * (bots - 1), bots, bots))
    places = [(one, other) for one in range(bots) for other in range(bots) if one != other]
    for pair, (winner, loser) in zip(added, places, strict=True):
        pair[winner, loser] = matches
    met = np.concatenate(
        [np.broadcast_to(matches * (1 - np.eye(bots)), scores.shape), added + added.swapaxes(1, 2)]
    )
    more = np.concatenate([scores, added])
    strengths = _strengths(more.sum(axis=0), met.sum(axis=0))
    chances = _chances(strengths)
    residuals = (more - met * chances).sum(axis=2)
    bread = _bread(chances, met.sum(axis=0))
    counted = pairs + 2
    error = np.sqrt(np.diag(bread @ residuals.T @ residuals @ bread) * counted / (counted - 1))
    return strengths, student(counted - 1) * error
