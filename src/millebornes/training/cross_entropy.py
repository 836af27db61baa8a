"""The cross-entropy method on whole numbers: the same seed gives the same result everywhere.

Each generation draws candidates around a mean, keeps the best, and moves the mean to theirs. The
spread follows theirs slowly, or it would collapse before the mean has arrived.
"""

from collections.abc import Callable, Sequence
from math import isqrt
from random import Random
from typing import NamedTuple

__all__ = ["Cloud", "average", "next_cloud"]

_DICE = 12
_BITS = 16
"""The sum of this many uniform numbers of this many bits is nearly normal, without any float."""


_PARTS = 16
"""Means and spreads are counted in sixteenths of a weight."""


class Cloud(NamedTuple):
    """Where candidates are drawn: the mean and the spread of each weight, in sixteenths."""

    mean: tuple[int, ...]
    spread: tuple[int, ...]

    @classmethod
    def around(cls, weights: Sequence[int], spread: Sequence[int]) -> "Cloud":
        """A cloud around some weights."""
        return cls(
            tuple(_PARTS * weight for weight in weights), tuple(_PARTS * width for width in spread)
        )

    def weights(self) -> tuple[int, ...]:
        """The weights in the middle."""
        return tuple(_rounded(mean, _PARTS) for mean in self.mean)

    def draw(self, rng: Random) -> tuple[int, ...]:
        """One candidate."""
        return tuple(
            _rounded((mean << _BITS) + spread * _deviate(rng), _PARTS << _BITS)
            for mean, spread in zip(self.mean, self.spread, strict=True)
        )


def _deviate(rng: Random) -> int:
    """A nearly normal number with the standard deviation 1, times 2 ** `_BITS`."""
    return sum(rng.getrandbits(_BITS) for _ in range(_DICE)) - (_DICE << _BITS - 1)


def next_cloud(
    cloud: Cloud,
    rng: Random,
    judge: Callable[[Sequence[tuple[int, ...]]], Sequence[int]],
    *,
    candidates: int,
    best: int,
) -> Cloud:
    """The next generation. `judge` gives the points of all candidates, on the same decks."""
    drawn = [cloud.draw(rng) for _ in range(candidates)]
    points = judge(drawn)
    order = sorted(range(candidates), key=lambda number: -points[number])
    chosen = [drawn[number] for number in order[:best]]
    columns = list(zip(*chosen, strict=True))
    mean = tuple(_rounded(_PARTS * sum(column), best) for column in columns)
    spread = tuple(
        # 0.7 of the old spread and 0.3 of the new one, and never none.
        max(_PARTS, _rounded(7 * old + 3 * _deviation(column, middle), 10))
        for column, middle, old in zip(columns, mean, cloud.spread, strict=True)
    )
    return Cloud(mean, spread)


def average(clouds: Sequence[Cloud]) -> tuple[int, ...]:
    """The weights in the middle of several clouds."""
    columns = zip(*(cloud.mean for cloud in clouds), strict=True)
    return tuple(_rounded(sum(column), _PARTS * len(clouds)) for column in columns)


def _deviation(column: Sequence[int], middle: int) -> int:
    """The standard deviation around the middle; both in sixteenths."""
    return isqrt(sum((_PARTS * value - middle) ** 2 for value in column) // len(column))


def _rounded(total: int, count: int) -> int:
    """The nearest whole number: rounding down would let the mean drift."""
    return (2 * total + count) // (2 * count)
