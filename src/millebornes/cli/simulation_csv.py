"""The file that `simulate --csv` writes: a heading, then one line for each hand or match."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import ScoreSheet
from millebornes.words import Words

from .bulk import writing

__all__ = ["CsvFile", "open_csv"]

_GAME = ("hands", "decisions", "winner", "extended", "extension_made")
_SIDE = ("total", "completed", "coups_fourres", "shut_outs")


class CsvFile:
    """A file that rows of a simulation are added to."""

    def __init__(self, file: TextIO, sides: int) -> None:
        self._writer = csv.writer(file)
        self._sides = sides
        self._written = 0
        names = ["index", *_GAME]
        for side in range(sides):
            names += [f"{name}_{side}" for name in _SIDE]
            names += [f"points_{line}_{side}" for line in ScoreSheet._fields]
        self._writer.writerow(names)

    def add(self, rows: NDArray[np.void]) -> None:
        """Write the rows that follow those written so far."""
        columns = [np.arange(self._written, self._written + rows.size)]
        columns += [rows[name] for name in _GAME]
        for side in range(self._sides):
            columns += [rows[name][:, side] for name in _SIDE]
            columns += list(rows["lines"][:, side].T)
        self._writer.writerows(np.column_stack(columns).tolist())
        self._written += rows.size


@contextmanager
def open_csv(path: Path, sides: int, words: Words) -> Iterator[CsvFile]:
    """Open a file for writing. Errors name the file."""
    with writing(path, words), path.open("w", newline="", encoding="utf-8") as file:
        yield CsvFile(file, sides)
