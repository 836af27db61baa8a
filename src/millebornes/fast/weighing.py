"""What the policy `commuter` finds in the moves of one seat: features, and what they weigh."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import Move

from .kernel.policies.commuter import FEATURES, WEIGHTS

__all__ = ["Weighing", "unit_weights"]


@dataclass(frozen=True, eq=False)
class Weighing:
    """The legal moves of a view, and the features of each.

    The sum of a move is exactly what the policy compares. It chooses the move with the highest
    sum; only a coup fourré is called without weighing.
    """

    names: tuple[str, ...]
    """The features; `commuter.FEATURES` tells what they mean."""
    moves: tuple[Move, ...]
    features: NDArray[np.int64]
    """By move and feature."""
    weights: NDArray[np.int64]
    """By feature."""

    @property
    def sums(self) -> NDArray[np.int64]:
        """What each move is worth."""
        return np.asarray(self.features @ self.weights)

    def parts(self, move: Move) -> dict[str, int]:
        """What a move is worth, by feature: those that are not zero, largest effect first."""
        if move not in self.moves:
            raise ValueError(f"{move} is not a legal move of this view")
        values = (self.features[self.moves.index(move)] * self.weights).tolist()
        found = {name: value for name, value in zip(self.names, values, strict=True) if value}
        return dict(sorted(found.items(), key=lambda part: -abs(part[1])))


@cache
def unit_weights() -> NDArray[np.void]:
    """For each feature, weights that are all zero, except one for this feature."""
    units = np.eye(len(FEATURES), dtype=np.int64).reshape(-1).view(WEIGHTS)
    units.flags.writeable = False
    return units
