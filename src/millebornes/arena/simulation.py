"""Plays hands or matches in bulk, one row of figures each.

If all bots are policies of the fast engine, the kernel plays everything, in threads. With any
other bot at the table the readable rules play, in processes, several hundred times slower.
"""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from millebornes.fast.packing import RESULT, Record
from millebornes.plugins import Entrant, find_bot
from millebornes.rules import Match

from .choosers import Clock, Players, chooser, dismiss_idle, is_policy
from .matches import hands_of
from .setup import Setup
from .workers import numbers_in_parts, spread

__all__ = ["Simulation"]

_PER_TASK, _PER_FAST_TASK = 8, 4096
"""Matches or hands in one part of the work, by the readable rules and by the kernel."""


@dataclass(frozen=True, kw_only=True)
class Simulation(Setup):
    """The game to simulate. The same values give the same rows on every machine.

    Raises `UnknownBot` if there is no bot of a name.
    """

    bots: tuple[str, ...]
    """The bots of the seats, repeated in turn."""
    of_matches: bool = False
    """True for whole matches, False for single hands."""
    entrants: tuple[Entrant, ...] = field(init=False, repr=False)
    """What the names of the seats stand for."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.bots) <= self.players:
            raise ValueError(
                f"{len(self.bots)} bots: must be from 1 to {self.players}, one per seat"
            )
        # Only once: to find a bot may start a process.
        found = {name: find_bot(name, in_arena=True) for name in dict.fromkeys(self.bots)}
        object.__setattr__(self, "entrants", tuple(found[name] for name in self.seats))

    @property
    def seats(self) -> tuple[str, ...]:
        """The bot of each seat."""
        return tuple(self.bots[seat % len(self.bots)] for seat in range(self.players))

    @property
    def is_fast(self) -> bool:
        """Whether the kernel can play all seats."""
        return all(map(is_policy, self.entrants))

    def prepare(self) -> None:
        """Compile the kernel if it is needed; the first time this takes some seconds."""
        if self.is_fast:
            self.engine().hands(1)
        elif any(map(is_policy, self.entrants)):
            self.compile_choices()

    def run(
        self, count: int, *, jobs: int = 1, executor: Executor | None = None
    ) -> Iterator[NDArray[np.void]]:
        """Play `count` hands or matches; yields rows of `RESULT` in order, in chunks.

        They are played by the executor, if there is one, else by `jobs` threads or processes.
        Processes are spawned, so the main module must be importable: see Python's
        `multiprocessing`. Raises `BrokenOff` if a bot fails.
        """
        if self.is_fast and executor is None:
            yield from self.engine().chunks(
                count, seed=self.seed, bots=self.seats, jobs=jobs, is_match=self.of_matches
            )
            return
        if jobs > 1 or executor is not None:
            self.prepare()  # so that processes find the kernel already compiled
        size = _PER_FAST_TASK if self.is_fast else _PER_TASK
        parts = numbers_in_parts(0, count, size)
        try:
            yield from spread(
                self.part, parts, jobs=jobs, executor=executor, in_threads=self.is_fast
            )
        finally:
            dismiss_idle()

    def part(self, numbers: range) -> NDArray[np.void]:
        """Play the hands or matches with these numbers."""
        if not self.is_fast:
            return self.rows(numbers)
        engine = self.engine()
        play = engine.matches if self.of_matches else engine.hands
        return play(len(numbers), seed=self.seed, bots=self.seats, first=numbers.start)

    def rows(self, numbers: range) -> NDArray[np.void]:
        """Play the hands or matches with these numbers by the readable rules."""
        rows = np.zeros(len(numbers), RESULT)
        with Players() as players:
            for row, index in zip(rows, numbers, strict=True):
                self._play(row, index, players)
        return rows

    def _play(self, row: Record, index: int, players: Players) -> None:
        choosers = [chooser(entrant, self, index, players, Clock()) for entrant in self.entrants]
        for match, decisions in hands_of(self, index, choosers):
            _add(row, match, decisions)
            if not self.of_matches:
                return


def _add(row: Record, match: Match, decisions: int) -> None:
    """Add a hand that has ended to a row, as the kernel does."""
    hand = match.hand
    assert hand is not None
    assert hand.sheets is not None
    row["hands"] += 1
    row["decisions"] += decisions
    row["extended"] += hand.caller is not None
    row["extension_made"] += hand.caller is not None and hand.caller == hand.completed_by
    if hand.completed_by is not None:
        row["completed"][hand.completed_by] += 1
    for side, sheet in enumerate(hand.sheets):
        row["coups_fourres"][side] += len(hand.tableaux[side].crosswise)
        row["shut_outs"][side] += sheet.shut_out > 0
        row["lines"][side] += np.array(sheet, np.int32)
    totals = match.totals
    row["total"][: len(totals)] = totals
    best = max(totals)
    row["winner"] = totals.index(best) if totals.count(best) == 1 else -1
