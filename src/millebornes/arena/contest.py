"""A contest of bots: the same decks again and again, with the seats rotated.

The bots take the sides in turn, again from the first if there are more sides than bots. Each
rotation moves every bot on by one side, and there are as many rotations as bots. So every bot
plays every side of the same decks exactly once. All rotations of one set of decks are a *pair*:
the independent unit of all figures.

| sides | bots | rotations |
|---|---|---|
| 2 | A B | AB BA |
| 3 | A B | ABA BAB |
| 4 | A B C | ABCA BCAB CABC |
"""

from collections.abc import Generator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from millebornes.fast.arguments import check_jobs, check_number
from millebornes.fast.packing import MOST_SEATS, Record
from millebornes.plugins import BotFailure, Entrant, find_bot
from millebornes.plugins.player import Fault
from millebornes.rules import Edition, new_match

from .choosers import Clock, Players, chooser, dismiss_idle, is_policy
from .matches import BrokenOff, hands_of
from .setup import Setup
from .workers import numbers_in_parts, spread

__all__ = ["MATCH", "Contest", "Failure", "Part"]

_PER_TASK, _PER_FAST_TASK = 1, 512
"""Pairs in one part of the work, by the readable rules and by the kernel."""
_TIMED_PAIRS = 2
"""Pairs that are played again, by the readable rules, to time policies of the kernel."""

MATCH = np.dtype(
    [
        ("pair", "i8"),
        ("rotation", "i4"),
        ("hands", "i4"),
        ("failed", "i4"),  # the number of the bot that failed, or -1
        ("total", "i4", (MOST_SEATS,)),
    ],
    align=True,
)
"""The result of one match. If a bot failed, the hands and totals are those before that hand."""


class Failure(NamedTuple):
    """A bot that failed: where, and what it did."""

    bot: str
    pair: int
    rotation: int
    seat: int
    hand: int
    fault: Fault
    detail: str


class Part(NamedTuple):
    """Some pairs that have been played."""

    rows: NDArray[np.void]
    """One `MATCH` for each match, by pair and rotation."""
    failures: tuple[Failure, ...]
    seconds: tuple[float, ...]
    """How long each bot thought. The only figure that is not the same everywhere."""
    decisions: tuple[int, ...]
    """What it thought about in that time."""


@dataclass(frozen=True, kw_only=True)
class Contest(Setup):
    """The bots, and the game that they play. The same values give the same rows everywhere."""

    bots: tuple[Entrant, ...]

    def __post_init__(self) -> None:
        names = [bot.name for bot in self.bots]
        if not 2 <= len(names) <= self.sides:
            raise ValueError(f"{len(names)} bots: must be from 2 to {self.sides}, one per side")
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"{twice[0]} is named twice: must be different bots")

    @classmethod
    def of(
        cls,
        bots: Sequence[str | Entrant],
        *,
        edition: Edition,
        players: int = 2,
        seed: int = 0,
        short_trip: bool = False,
    ) -> "Contest":
        """The contest of these bots, or of the bots with these names. Raises `UnknownBot`."""
        entrants = tuple(
            find_bot(bot, in_arena=True) if isinstance(bot, str) else bot for bot in bots
        )
        new_match(edition, players, short_trip=short_trip)  # raises EditionError
        return cls(
            bots=entrants, edition=edition, players=players, seed=seed, short_trip=short_trip
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots."""
        return tuple(bot.name for bot in self.bots)

    @cached_property
    def seating(self) -> NDArray[np.intp]:
        """The number of the bot that plays each side: a row for each rotation."""
        rotations, sides = np.arange(len(self.bots)), np.arange(self.sides)
        return (rotations[:, None] + sides) % len(self.bots)

    def seats(self, rotation: int) -> tuple[int, ...]:
        """The number of the bot that plays each seat."""
        return tuple(int(self.seating[rotation, seat % self.sides]) for seat in range(self.players))

    @property
    def is_fast(self) -> bool:
        """Whether the kernel can play all bots."""
        return all(map(is_policy, self.bots))

    def prepare(self) -> None:
        """Compile the kernel if it is needed, and start every bot once.

        Raises `BrokenOff` if one cannot be started: the contest would be a walk-over.
        """
        self._warm_up()
        if self.is_fast:
            self.engine().matches(1)
        with Players() as players:
            for number, bot in enumerate(self.bots):
                if not is_policy(bot):
                    try:
                        players.of(bot)
                    except BotFailure as failure:
                        players.end(bot)
                        raise BrokenOff(0, number, 0, failure) from failure

    def run(
        self, pairs: int, *, first: int = 0, jobs: int = 1, executor: Executor | None = None
    ) -> Generator[Part, None, None]:
        """Play the pairs with the numbers from `first` up to `pairs`, in order.

        They are played by the executor, if there is one, else by `jobs` threads or processes.
        Processes are spawned, so the main module must be importable: see Python's
        `multiprocessing`. An executor is passed this contest, which can be pickled.
        """
        check_number("pairs", pairs, 1)
        check_jobs(jobs)
        if self.is_fast:
            yield self._timed(range(min(_TIMED_PAIRS, pairs)))
        size = _PER_FAST_TASK if self.is_fast else _PER_TASK
        parts = numbers_in_parts(first, pairs, size)
        try:
            yield from spread(
                self.part, parts, jobs=jobs, executor=executor, in_threads=self.is_fast
            )
        finally:
            dismiss_idle()

    def _timed(self, numbers: range) -> Part:
        """The time that policies take in a few pairs, and none of their results.

        A game in the kernel lasts microseconds and has no clock. What counts is the time that a
        policy takes to answer a view, as any other bot does.
        """
        played = self._by_readable_rules(numbers)
        return played._replace(rows=np.zeros(0, MATCH))

    def part(self, numbers: range) -> Part:
        """Play the pairs with these numbers."""
        return self._by_kernel(numbers) if self.is_fast else self._by_readable_rules(numbers)

    def _by_kernel(self, numbers: range) -> Part:
        engine = self.engine()
        rows = self._empty_rows(numbers)
        for rotation in range(len(self.bots)):
            policies = [self.names[bot] for bot in self.seats(rotation)]
            played = engine.matches(
                len(numbers), seed=self.seed, bots=policies, first=numbers.start
            )
            of_rotation = rows[rotation :: len(self.bots)]
            of_rotation["hands"] = played["hands"]
            of_rotation["total"] = played["total"]
        nothing = (0,) * len(self.bots)
        return Part(rows, (), nothing, nothing)

    def _by_readable_rules(self, numbers: range) -> Part:
        self._warm_up()
        rows = self._empty_rows(numbers)
        clocks = [Clock() for _ in self.bots]
        failures = []
        with Players() as players:
            for row in rows:
                try:
                    self._play(row, players, clocks)
                except BrokenOff as broken:
                    failures.append(self._failed(row, players, broken))
        seconds = tuple(clock.seconds for clock in clocks)
        decisions = tuple(clock.decisions for clock in clocks)
        return Part(rows, tuple(failures), seconds, decisions)

    def _warm_up(self) -> None:
        """Load what policies need, in each process, so that nobody's clock runs meanwhile."""
        if any(map(is_policy, self.bots)):
            self.compile_choices()

    def _empty_rows(self, numbers: range) -> NDArray[np.void]:
        rotations = len(self.bots)
        rows = np.zeros(len(numbers) * rotations, MATCH)
        rows["pair"] = np.repeat(np.arange(numbers.start, numbers.stop), rotations)
        rows["rotation"] = np.tile(np.arange(rotations), len(numbers))
        rows["failed"] = -1
        return rows

    def _play(self, row: Record, players: Players, clocks: list[Clock]) -> None:
        pair = int(row["pair"])
        choosers = [
            chooser(self.bots[bot], self, pair, players, clocks[bot])
            for bot in self.seats(int(row["rotation"]))
        ]
        for match, _ in hands_of(self, pair, choosers):
            row["hands"] += 1
            row["total"][: self.sides] = match.totals

    def _failed(self, row: Record, players: Players, broken: BrokenOff) -> Failure:
        rotation = int(row["rotation"])
        number = self.seats(rotation)[broken.seat]
        row["failed"] = number
        bot = self.bots[number]
        players.end(bot)
        fault, detail = broken.failure.fault, broken.failure.detail
        return Failure(
            bot.name, int(row["pair"]), rotation, broken.seat, broken.hand, fault, detail
        )
