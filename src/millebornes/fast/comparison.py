"""What rollouts tell about the moves of one seat, and about the difference between two of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import Move

__all__ = ["Comparison", "Estimate"]


class Estimate(NamedTuple):
    """A mean, and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several moves, each rolled out with the same hidden cards.

    Everything is a sum of whole numbers over all rollouts, so comparisons with the same moves can
    be added, and the result does not depend on how they were divided.
    """

    moves: tuple[Move, ...]
    count: int
    """The number of rollouts of each move."""
    sums: NDArray[np.int64]
    """By move and side: the points."""
    squares: NDArray[np.int64]
    """By move and side: the squares of the points."""
    leads: NDArray[np.int64]
    """By move: the viewer's points less those of the best opponent."""
    products: NDArray[np.int64]
    """By two moves: the product of their leads in the same rollout."""

    @classmethod
    def of(cls, moves: Sequence[Move], points: NDArray[np.int64], side: int) -> "Comparison":
        """From the points by move, rollout and side; `side` is the viewer's."""
        leads = points[:, :, side] - np.delete(points, side, axis=2).max(axis=2)
        return cls(
            moves=tuple(moves),
            count=points.shape[1],
            sums=points.sum(axis=1),
            squares=(points * points).sum(axis=1),
            leads=leads.sum(axis=1),
            products=leads @ leads.T,
        )

    def __add__(self, other: "Comparison") -> "Comparison":
        if self.moves != other.moves:
            raise ValueError("only comparisons of the same moves, in the same order, can be added")
        return Comparison(
            self.moves,
            self.count + other.count,
            self.sums + other.sums,
            self.squares + other.squares,
            self.leads + other.leads,
            self.products + other.products,
        )

    def points(self, move: Move, side: int) -> Estimate:
        """The points of a side if the viewer makes this move."""
        at = self._at(move)
        return self._estimate(int(self.sums[at, side]), int(self.squares[at, side]))

    def lead(self, move: Move) -> Estimate:
        """The viewer's points less those of the best opponent, if the viewer makes this move."""
        at = self._at(move)
        return self._estimate(int(self.leads[at]), int(self.products[at, at]))

    def gain(self, move: Move, over: Move) -> Estimate:
        """How much better the lead is with one move than with another.

        Both had the same hidden cards. So the error is smaller than those of the two leads
        suggest.
        """
        one, two = self._at(move), self._at(over)
        products = self.products
        squares = products[one, one] + products[two, two] - 2 * products[one, two]
        return self._estimate(int(self.leads[one] - self.leads[two]), int(squares))

    def ranking(self) -> tuple[Move, ...]:
        """The moves, the one with the best lead first; equal ones in their order."""
        return tuple(self.moves[at] for at in np.argsort(-self.leads, kind="stable"))

    def _at(self, move: Move) -> int:
        if move not in self.moves:
            raise ValueError(f"{move} is not one of the moves that were compared")
        return self.moves.index(move)

    def _estimate(self, total: int, squares: int) -> Estimate:
        if self.count < 2:
            raise ValueError(f"{self.count} rollouts: an estimate needs two or more")
        # Whole numbers until the last step: nothing is lost where the sums are large.
        spread = self.count * squares - total * total
        return Estimate(total / self.count, sqrt(spread / (self.count - 1)) / self.count)
