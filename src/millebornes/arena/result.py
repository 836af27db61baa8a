"""The figures of a contest.

- **Match wins**: the share of a match goes to the sides with the highest total; if several
  share it, each gets an equal part. Since every bot plays every side of a pair once, equal bots
  win one match out of as many as there are bots.
- **Points per hand**: the points of a side, per hand that it played.
- **Elo**: in each match every two bots are compared once, by the final totals of their sides.
  With several sides each, that is the mean over all their encounters.
- A match in which a bot **failed**: that bot has lost it to every other. The others share the
  win, and are level with each other. Its points do not count.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .contest import MATCH, Contest, Failure, Part
from .ratings import Estimate, elo, mean_of_ratio, share

__all__ = ["BotResult", "Result", "Scores"]


class BotResult(NamedTuple):
    """The figures of one bot."""

    name: str
    match_wins: Estimate
    """The share of matches won, from 0 to 1."""
    points_per_hand: Estimate
    elo: Estimate
    """The mean of all bots is 0."""
    ms_per_decision: float
    """The measured time: the only figure that is not the same on every machine."""
    failures: int

    def as_json(self) -> dict[str, Any]:
        """All figures, for programs; null where there is none."""
        return {
            "name": self.name,
            "match_wins": _rounded(self.match_wins.value, 6),
            "match_wins_interval": _rounded_interval(self.match_wins, 6),
            "points_per_hand": _rounded(self.points_per_hand.value, 3),
            "points_interval": _rounded_interval(self.points_per_hand, 3),
            "elo": _rounded(self.elo.value, 2),
            "elo_interval": _rounded_interval(self.elo, 2),
            "ms_per_decision": _rounded(self.ms_per_decision, 4),
        }


class Scores:
    """Adds up the pairs of a contest as they are played."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.failures: list[Failure] = []
        self._rows: list[NDArray[np.void]] = []
        self._seconds = [0.0] * len(contest.bots)
        self._decisions = [0] * len(contest.bots)
        self.matches = 0

    @property
    def pairs(self) -> int:
        """The number of pairs played so far."""
        return self.matches // len(self.contest.bots)

    def add(self, part: Part) -> None:
        """Add the pairs that follow those so far."""
        self._rows.append(part.rows)
        self.matches += len(part.rows)
        self.failures += part.failures
        for bot in range(len(self.contest.bots)):
            self._seconds[bot] += part.seconds[bot]
            self._decisions[bot] += part.decisions[bot]

    def result(self) -> "Result":
        """The figures so far."""
        contest = self.contest
        rows = np.concatenate([np.zeros(0, MATCH), *self._rows])
        sums = _Sums(contest, rows)
        ratings = elo(sums.against, len(contest.bots))
        bots = tuple(
            BotResult(
                name,
                share(sums.wins[:, bot]),
                mean_of_ratio(sums.points[:, bot], sums.hands[:, bot]),
                ratings[bot],
                1000 * self._seconds[bot] / self._decisions[bot]
                if self._decisions[bot]
                else math.nan,
                sum(failure.bot == name for failure in self.failures),
            )
            for bot, name in enumerate(contest.names)
        )
        return Result(contest, bots, self.pairs, self.matches, rows, tuple(self.failures))


class Result(NamedTuple):
    """The figures of a contest, and its matches."""

    contest: Contest
    bots: tuple[BotResult, ...]
    pairs: int
    matches: int
    rows: NDArray[np.void]
    """One `MATCH` for each match."""
    failures: tuple[Failure, ...]

    def as_json(self) -> dict[str, Any]:
        """All figures, for programs."""
        return {
            "bots": [bot.as_json() for bot in self.bots],
            "pairs": self.pairs,
            "matches": self.matches,
            "seed": self.contest.seed,
            "edition": self.contest.edition.id,
            "players": self.contest.players,
            "failures": [failure._asdict() for failure in self.failures],
        }


class _Sums:
    """What each bot scored in each pair."""

    def __init__(self, contest: Contest, rows: NDArray[np.void]) -> None:
        bots, sides = len(contest.bots), contest.sides
        pairs = len(rows) // bots
        self.wins = np.zeros((pairs, bots))
        """The mean share of the matches won."""
        self.points = np.zeros((pairs, bots))
        self.hands = np.zeros((pairs, bots))
        """Hands played, counted for each side."""
        self.against = np.zeros((pairs, bots, bots))
        """The scores of each two bots: see `ratings.elo`."""
        for rotation in range(bots):
            played = rows[rotation::bots]
            failed = played["failed"]
            totals = played["total"][:, :sides].astype(np.int64)
            owner = np.eye(bots)[contest.seating[rotation]]  # by side and bot
            is_valid = failed < 0
            best = totals == totals.max(axis=1, keepdims=True, initial=0)
            won = best @ owner / best.sum(axis=1, keepdims=True)
            above = _above(totals)
            met = np.outer(owner.sum(axis=0), owner.sum(axis=0))
            against = np.einsum("psq,si,qj->pij", above, owner, owner) / met
            for bot in range(bots):
                lost = failed == bot
                won[lost] = (1 - np.eye(bots)[bot]) / (bots - 1)
                against[lost] = 0.5
                against[lost, bot, :] = 0.0
                against[lost, :, bot] = 1.0
            against[:, range(bots), range(bots)] = 0.0
            self.wins += won / bots
            self.against += against
            self.points += is_valid[:, None] * (totals @ owner)
            self.hands += (is_valid * played["hands"])[:, None] * owner.sum(axis=0)


def _above(totals: NDArray[np.int64]) -> NDArray[np.float64]:
    """By row and two sides: 1 if the first has the higher total, a half if they are equal."""
    difference = totals[:, :, None] - totals[:, None, :]
    return np.asarray((np.sign(difference) + 1) / 2)


def _rounded(figure: float, digits: int) -> float | None:
    return None if math.isnan(figure) else round(figure, digits)


def _rounded_interval(estimate: Estimate, digits: int) -> list[float | None]:
    return [_rounded(estimate.low, digits), _rounded(estimate.high, digits)]
