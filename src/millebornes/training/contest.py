"""Plays some weights against others on the same decks, in every rotation of seats."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from millebornes.fast import Engine
from millebornes.rules import Edition

__all__ = ["Contest", "leads"]


class Contest(NamedTuple):
    """A game to train for."""

    edition: Edition
    players: int
    share: int = 1
    """How often it is played, in proportion to the others."""

    @property
    def sides(self) -> int:
        """The number of sides."""
        return self.edition.sides_at(self.players)

    @property
    def scale(self) -> int:
        """What to divide a figure of `leads` by, to get points per hand."""
        return self.sides * (self.sides - 1)


def leads(
    contest: Contest,
    own: Mapping[str, int],
    others: Mapping[str, int] | None,
    *,
    decks: int,
    seed: int,
) -> NDArray[np.int64]:
    """By how many points one side leads the mean of the others: for each deck, all rotations.

    The figures are whole: see `Contest.scale`. The others play by their weights or, if there
    are none, by the policy `greedy`.
    """
    sides = contest.sides
    found = np.zeros(decks, np.int64)
    for place in range(sides):
        is_own = [seat % sides == place for seat in range(contest.players)]
        weights = [own if mine or others is None else others for mine in is_own]
        bots = ["commuter" if mine or others is not None else "greedy" for mine in is_own]
        engine = Engine(contest.edition, contest.players, weights=weights)
        points = engine.hands(decks, seed=seed, bots=bots)["total"][:, :sides].astype(np.int64)
        found += sides * points[:, place] - points.sum(axis=1)
    return found
