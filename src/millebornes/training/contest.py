"""Plays candidates against others on the same decks, in every rotation of seats."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from millebornes.fast import Engine
from millebornes.rules import Edition

__all__ = ["Table", "leads"]

Weights = Mapping[str, int]


class Table(NamedTuple):
    """A game to train for."""

    edition: Edition
    players: int


def leads(
    table: Table, own: Weights, others: Weights | None, *, decks: int, seed: int
) -> NDArray[np.int64]:
    """By how many points one side leads the mean of the others: for each deck, all rotations.

    The figures are multiplied by the number of the others, to stay whole. The others play by
    their weights or, without any, by the policy `greedy`.
    """
    sides = table.edition.sides_at(table.players)
    found = np.zeros(decks, np.int64)
    for place in range(sides):
        is_own = [seat % sides == place for seat in range(table.players)]
        weights = [own if mine or others is None else others for mine in is_own]
        bots = ["commuter" if mine or others is not None else "greedy" for mine in is_own]
        engine = Engine(table.edition, table.players, weights=weights)
        points = engine.hands(decks, seed=seed, bots=bots)["total"][:, :sides].astype(np.int64)
        found += sides * points[:, place] - points.sum(axis=1)
    return found
