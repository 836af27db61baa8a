"""Plays hands or matches in bulk, one row of figures each.

If all bots are policies of the fast engine, the kernel plays everything, in threads. With any
other bot at the table the readable rules play, in processes, about a thousand times slower.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from millebornes.bots import BOTS
from millebornes.fast import POLICIES, Engine
from millebornes.fast.arguments import MOST_JOBS, check_jobs
from millebornes.fast.decks import choice_seed, deck_of
from millebornes.fast.packing import RESULT, Record
from millebornes.fast.parts import in_order
from millebornes.rules import (
    Discard,
    Edition,
    Match,
    Move,
    Play,
    View,
    apply,
    awaited_seats,
    deal_cards,
    new_match,
    view,
)
from millebornes.rules.state import Deal, Over

__all__ = ["Simulation", "bot_names"]

_PER_TASK = 8
"""Matches or hands per task of a worker process."""
_MOST_ON_WINDOWS = 61
"""Windows cannot wait for more processes at once."""


def bot_names() -> tuple[str, ...]:
    """Every bot and policy that can play in a simulation."""
    return tuple(dict.fromkeys((*POLICIES, *BOTS)))  # some levels are policies, too


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """The game to simulate. The same values give the same rows on every machine."""

    edition: Edition
    players: int
    bots: tuple[str, ...]
    """The bots of the seats, repeated in turn."""
    seed: int = 0
    short_trip: bool = False
    of_matches: bool = False
    """True for whole matches, False for single hands."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.bots) <= self.players:
            raise ValueError(
                f"{len(self.bots)} bots: must be from 1 to {self.players}, one per seat"
            )
        for name in self.bots:
            if name not in bot_names():
                raise ValueError(f"there is no bot {name}: must be one of {', '.join(bot_names())}")

    @property
    def seats(self) -> tuple[str, ...]:
        """The bot of each seat."""
        return tuple(self.bots[seat % len(self.bots)] for seat in range(self.players))

    @property
    def is_fast(self) -> bool:
        """Whether the kernel can play all seats."""
        return set(self.seats) <= set(POLICIES)

    def engine(self) -> Engine:
        """The engine for this edition."""
        return Engine(self.edition, self.players, short_trip=self.short_trip)

    def prepare(self) -> None:
        """Compile the kernel if it is needed; the first time this takes some seconds."""
        engine = self.engine()
        if self.is_fast:
            engine.hands(1)
        elif not set(self.seats).isdisjoint(POLICIES):
            match = new_match(self.edition, self.players, short_trip=self.short_trip)
            dealt, _ = deal_cards(match, deck_of(self.edition, self.players, seed=0, index=0))
            (seat,) = awaited_seats(dealt)
            engine.choose(view(dealt, seat), POLICIES[0])

    def run(self, count: int, *, jobs: int = 1) -> Iterator[NDArray[np.void]]:
        """Play `count` hands or matches; yields rows of `RESULT` in order, in chunks.

        Processes are spawned, so the main module must be importable: see Python's
        `multiprocessing`.
        """
        check_jobs(jobs)
        if self.is_fast:
            yield from self.engine().chunks(
                count, seed=self.seed, bots=self.seats, jobs=jobs, is_match=self.of_matches
            )
        elif jobs == 1:
            yield from map(self.rows, _parts(count))
        else:
            yield from self._in_processes(count, jobs)

    def _in_processes(self, count: int, jobs: int) -> Iterator[NDArray[np.void]]:
        self.prepare()  # so that the processes find the kernel already compiled
        most = _MOST_ON_WINDOWS if sys.platform == "win32" else MOST_JOBS
        processes = min(jobs, most, -(-count // _PER_TASK))
        # Not forked: a thread of the caller, such as a progress bar, may hold a lock.
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            yield from in_order(pool, self.rows, _parts(count), 4 * processes)

    # With the readable rules

    def rows(self, numbers: range) -> NDArray[np.void]:
        """Play the hands or matches with these numbers by the readable rules."""
        rows = np.zeros(len(numbers), RESULT)
        engine = self.engine()
        for row, index in zip(rows, numbers, strict=True):
            self._play(row, index, engine)
        return rows

    def _play(self, row: Record, index: int, engine: Engine) -> None:
        dealer = index % self.players if self.edition.dealer == "rotates" else 0
        match = new_match(self.edition, self.players, dealer=dealer, short_trip=self.short_trip)
        choosers = [_chooser(name, engine, self.seed, index) for name in self.seats]
        hand = 0
        while True:
            deck = deck_of(self.edition, self.players, seed=self.seed, index=index, hand=hand)
            match, decisions = _play_hand(deal_cards(match, deck)[0], choosers)
            _add(row, match, decisions)
            hand += 1
            if not self.of_matches or isinstance(match.awaiting, Over):
                return


def _parts(count: int) -> Iterator[range]:
    """The numbers of `count` matches or hands, in chunks of one task each."""
    for first in range(0, count, _PER_TASK):
        yield range(first, min(first + _PER_TASK, count))


Chooser = Callable[[View, int], Move]
"""Chooses a move for a view; the number counts the decisions of a hand."""


def _chooser(name: str, engine: Engine, seed: int, index: int) -> Chooser:
    if name in POLICIES:

        def choose(seen: View, asked: int) -> Move:
            word = choice_seed(seed=seed, index=index, hand=seen.number - 1, asked=asked)
            return engine.choose(seen, name, seed=word)

        return choose
    bot = BOTS[name]()
    return lambda seen, _: bot.choose(seen)


def _play_hand(match: Match, choosers: Sequence[Chooser]) -> tuple[Match, int]:
    """The match after its hand, and the number of plays and discards."""
    made = asked = 0
    while not isinstance(match.awaiting, Deal | Over):
        seat = awaited_seats(match)[0]
        seen = view(match, seat)
        move = choosers[seat](seen, asked)
        asked += 1
        made += isinstance(move, Play | Discard)
        match, _ = apply(match, seat, move)
    return match, made


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
