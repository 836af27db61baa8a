"""The file that `simulate --csv` writes: one line for each hand or match."""

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import ScoreSheet

__all__ = ["csv_heading", "csv_rows"]

_FIGURES = ("total", "completed", "coups_fourres", "shut_outs")


def csv_heading(sides: int) -> list[str]:
    """The names of the columns."""
    names = ["index", "hands", "decisions", "winner", "extended", "extension_made"]
    for side in range(sides):
        names += [f"{name}_{side}" for name in _FIGURES]
        names += [f"points_{line}_{side}" for line in ScoreSheet._fields]
    return names


def csv_rows(rows: NDArray[np.void], first: int, sides: int) -> list[list[int]]:
    """One line for each hand or match; `first` is the index of the first."""
    columns = [np.arange(first, first + rows.size)]
    columns += [rows[name] for name in ("hands", "decisions", "winner", "extended")]
    columns.append(rows["extension_made"])
    for side in range(sides):
        columns += [rows[name][:, side] for name in _FIGURES]
        columns += list(rows["lines"][:, side].T)
    table: list[list[int]] = np.column_stack(columns).tolist()
    return table
