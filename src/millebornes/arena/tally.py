"""Statistics over the rows of a simulation."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import ScoreSheet

__all__ = ["Column", "Tally"]

_POINTS = 25
"""All scores are multiples of this."""
QUANTILES = (5, 25, 50, 75, 95)


class Column:
    """The figures of one side, or of several sides with the same bots."""

    def __init__(self, sides: tuple[int, ...]) -> None:
        self.sides = sides
        self.rows = 0
        self.hands = 0
        self.points = 0
        self.completed = 0
        self.coups_fourres = 0
        self.shut_outs = 0
        self.wins = 0
        self.lines = np.zeros(len(ScoreSheet._fields), np.int64)
        self._scores = np.zeros(0, np.int64)
        self._squares = 0

    def add(self, rows: NDArray[np.void]) -> None:
        """Add rows of `RESULT`; only for a column of a single side."""
        (side,) = self.sides
        totals = rows["total"][:, side].astype(np.int64)
        self.rows += rows.size
        self.hands += int(rows["hands"].sum())
        self.points += int(totals.sum())
        self.completed += int(rows["completed"][:, side].sum())
        self.coups_fourres += int(rows["coups_fourres"][:, side].sum())
        self.shut_outs += int(rows["shut_outs"][:, side].sum())
        self.wins += int((rows["winner"] == side).sum())
        self.lines += rows["lines"][:, side].sum(axis=0, dtype=np.int64)
        self._scores = _added(self._scores, np.bincount(totals // _POINTS))
        self._squares += int(totals @ totals)

    @classmethod
    def of(cls, columns: Sequence["Column"], squares: int) -> "Column":
        """Several sides combined. `squares` is the sum of squares of their common points."""
        together = cls(tuple(side for column in columns for side in column.sides))
        together.rows = columns[0].rows
        for name in ("hands", "points", "completed", "coups_fourres", "shut_outs", "wins"):
            setattr(together, name, sum(getattr(column, name) for column in columns))
        for column in columns:
            together.lines += column.lines
            together._scores = _added(together._scores, column._scores)  # noqa: SLF001
        together._squares = squares
        return together

    @property
    def mean(self) -> float:
        """Mean points of a side per hand or match."""
        return self.points / max(1, self.rows * len(self.sides))

    @property
    def interval(self) -> float:
        """Half the 95 % confidence interval of the mean."""
        if self.rows < 2:
            return float("nan")
        # Sides of one table are correlated: only different tables are independent.
        variance = (self._squares - self.points**2 / self.rows) / (self.rows - 1)
        return 1.96 * math.sqrt(max(0.0, variance) / self.rows) / len(self.sides)

    @property
    def scores(self) -> dict[int, int]:
        """How often each total occurred."""
        return {int(at) * _POINTS: int(self._scores[at]) for at in np.flatnonzero(self._scores)}

    def quantile(self, percent: int) -> int:
        """The total that `percent` of all do not exceed; there must be at least one total."""
        so_far = np.cumsum(self._scores)
        return int(np.searchsorted(so_far, percent / 100 * so_far[-1])) * _POINTS

    def shares(self, step: int) -> dict[int, float]:
        """The share of totals in each interval of width `step`, by its lower bound."""
        shares: Counter[int] = Counter()
        for score, count in self.scores.items():
            shares[score // step * step] += count
        return {low: shares[low] / shares.total() for low in sorted(shares)}


class Tally:
    """The figures of a simulation, for each side and in total."""

    def __init__(self, sides: int, groups: Sequence[tuple[int, ...]] = ()) -> None:
        self.columns = tuple(Column((side,)) for side in range(sides))
        self._squares = dict.fromkeys(groups, 0)
        self.rows = 0
        self.hands = 0
        self.decisions = 0
        self.extended = 0
        self.extension_made = 0
        self.draws = 0
        self.lengths: Counter[int] = Counter()
        """How often a match had each number of hands."""

    def add(self, rows: NDArray[np.void]) -> None:
        """Add rows of `RESULT`."""
        for column in self.columns:
            column.add(rows)
        for sides in self._squares:
            points = rows["total"][:, list(sides)].sum(axis=1, dtype=np.int64)
            self._squares[sides] += int(points @ points)
        self.rows += rows.size
        self.hands += int(rows["hands"].sum())
        self.decisions += int(rows["decisions"].sum())
        self.extended += int(rows["extended"].sum())
        self.extension_made += int(rows["extension_made"].sum())
        self.draws += int((rows["winner"] < 0).sum())
        values, counts = np.unique(rows["hands"], return_counts=True)
        self.lengths.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))

    @property
    def groups(self) -> tuple[Column, ...]:
        """Sides with the same bots, combined."""
        return tuple(
            Column.of([self.columns[side] for side in sides], squares)
            for sides, squares in self._squares.items()
        )

    @property
    def completed(self) -> int:
        """Trips completed, by any side."""
        return sum(column.completed for column in self.columns)

    def as_json(self) -> dict[str, Any]:
        """All figures, for programs."""
        hands = max(1, self.hands)
        return {
            "hands": self.hands,
            "decisions_per_hand": _rounded(self.decisions / hands),
            "completed": _rounded(self.completed / hands),
            "extended": _rounded(self.extended / hands),
            "extension_made": _rounded(self.extension_made / hands),
            "coups_fourres_per_hand": _rounded(
                sum(column.coups_fourres for column in self.columns) / hands
            ),
            "shut_outs_per_hand": _rounded(
                sum(column.shut_outs for column in self.columns) / hands
            ),
            "hands_per_match": {str(n): self.lengths[n] for n in sorted(self.lengths)},
            "draws": self.draws,
            "sides": [self._column_json(column) for column in self.columns],
        }

    def _column_json(self, column: Column) -> dict[str, Any]:
        hands = max(1, column.hands)
        return {
            "points": _rounded(column.mean),
            "interval": None if np.isnan(column.interval) else _rounded(column.interval),
            "wins": column.wins,
            "completed": _rounded(column.completed / hands),
            "coups_fourres": _rounded(column.coups_fourres / hands),
            "shut_outs": _rounded(column.shut_outs / hands),
            "lines": {
                line: _rounded(points / hands)
                for line, points in zip(ScoreSheet._fields, column.lines.tolist(), strict=True)
            },
            "quantiles": {
                str(percent): column.quantile(percent) if column.rows else None
                for percent in QUANTILES
            },
            "scores": {str(score): count for score, count in column.scores.items()},
        }


def _added(some: NDArray[np.int64], more: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sums of two lists of counts, which may differ in length."""
    shorter, longer = sorted((some, more), key=len)
    sums = longer.copy()
    sums[: shorter.size] += shorter
    return sums


def _rounded(figure: float) -> float:
    return round(figure, 4)
