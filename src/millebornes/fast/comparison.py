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

    Everything is a sum of whole numbers over all rollouts, so the result does not depend on how
    they were divided. Comparisons of the same view and moves can be added, if they have different
    rollouts: those of different seeds, or of different numbers (`first`).
    """

    side: int
    """The viewer's."""
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
        """From the points by rollout, move and side; `side` is the viewer's."""
        leads = points[:, :, side] - np.delete(points, side, axis=2).max(axis=2)
        return cls(
            side=side,
            moves=tuple(moves),
            count=len(points),
            sums=points.sum(axis=0),
            squares=(points * points).sum(axis=0),
            leads=leads.sum(axis=0),
            products=leads.T @ leads,
        )

    def __add__(self, other: "Comparison") -> "Comparison":
        if not isinstance(other, Comparison):
            return NotImplemented
        if (self.side, self.moves) != (other.side, other.moves):
            raise ValueError(
                "only comparisons of the same side and moves, in the same order, can be added"
            )
        return Comparison(
            self.side,
            self.moves,
            self.count + other.count,
            self.sums + other.sums,
            self.squares + other.squares,
            self.leads + other.leads,
            self.products + other.products,
        )

    def points(self, move: Move, side: int | None = None) -> Estimate:
        """The points of a side, by default the viewer's, if the viewer makes this move."""
        at = self._at(move)
        if side is None:
            side = self.side
        if not 0 <= side < self.sums.shape[1]:
            raise ValueError(f"side = {side}: must be from 0 to {self.sums.shape[1] - 1}")
        return self._estimate(int(self.sums[at, side]), int(self.squares[at, side]))

    def lead(self, move: Move) -> Estimate:
        """The viewer's points less those of the best opponent, if the viewer makes this move."""
        at = self._at(move)
        return self._estimate(int(self.leads[at]), int(self.products[at, at]))

    def gain(self, move: Move, over: Move) -> Estimate:
        """How much better the lead is with one move than with another.

        Both had the same hidden cards, and luck that helps both alike does not count. So the
        error is usually smaller than those of the two leads suggest.
        """
        one, two = self._at(move), self._at(over)
        products = self.products
        squares = products[one, one] + products[two, two] - 2 * products[one, two]
        return self._estimate(int(self.leads[one] - self.leads[two]), int(squares))

    def ranking(self) -> tuple[Move, ...]:
        """The moves, the one with the best lead first; equal ones in their order."""
        self._check_count(1)
        return tuple(self.moves[at] for at in np.argsort(-self.leads, kind="stable"))

    def _at(self, move: Move) -> int:
        if move not in self.moves:
            raise ValueError(f"{move} is not one of the moves that were compared")
        return self.moves.index(move)

    def _check_count(self, least: int) -> None:
        if self.count < least:
            raise ValueError(f"count = {self.count}: this needs at least {least}")

    def _estimate(self, total: int, squares: int) -> Estimate:
        self._check_count(2)
        # Whole numbers until the last step: nothing is lost where the sums are large.
        spread = self.count * squares - total * total
        return Estimate(total / self.count, sqrt(spread / (self.count - 1)) / self.count)
