"""Thinking at a live table: when a bot's move appears, and whose move it is if a bot is late.

The time of a move follows from what everybody can see: the pace of the table, and the slot of the
level. A thought that ends earlier waits, so a hand that is easy to play looks like any other. Only
an overloaded server makes a move appear later: by whole slots, and at the cap at the latest.

A level that has no move in time plays by its own base policy. One that has none, or that is still
warming up after a restart, is replaced by the simplest level until the end of the hand, and the
table is told. Where nobody is connected, nobody waits: there a bot gets all the time to warm up.
"""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from math import ceil
from typing import Any

from millebornes.bots import LEVELS, Advice
from millebornes.rules import View
from millebornes.table import Refused, Think

from .bot_workers import CAP, RESERVE, SIMPLEST, Thinkers
from .clock import Clock
from .workers import NoAnswer

__all__ = ["Thinking", "ThoughtCounts"]

_INSURED = 650
"""Milliseconds after which a level that is still thinking is asked for its base policy, too."""
_LATEST = CAP - RESERVE
"""Milliseconds that a level may think."""
_FAILED = CAP - 50
"""Milliseconds after which a bot has failed. The rest is for the level that replaces it."""
_log = logging.getLogger(__name__)


@dataclass
class ThoughtCounts:
    """Thoughts of all tables since startup."""

    thoughts: int = 0
    """Moves and answers that bots were asked for."""
    late: int = 0
    """Those that appeared later than at the pace of their table."""
    capped: int = 0
    """Those that the base policy of a level made, because the level had none in time."""
    waited: int = 0
    """Those that had to wait for workers to warm up, after a restart."""
    replaced: int = 0
    """Bots that have failed or were not warm in time, and were replaced for the rest of a hand."""


async def _succeeds(thought: "asyncio.Future[str]", seconds: float | None) -> bool:
    """Whether there is a move within this time."""
    await asyncio.wait((thought,), timeout=seconds)
    if not thought.done():
        return False
    failure = thought.exception()
    if failure is not None and not isinstance(failure, NoAnswer):
        raise failure
    return failure is None


async def _either(*waits: Coroutine[Any, Any, object]) -> None:
    """Wait until one of them is over, and give up the others."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


def _give_up(thought: "asyncio.Future[str]") -> None:
    """Cancel a thought, and do not mind if it has failed."""
    thought.cancel()
    thought.add_done_callback(lambda done: done.cancelled() or done.exception())


class _Stopwatch:
    """Runs from now on, in milliseconds."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()

    @property
    def elapsed(self) -> float:
        return (self._loop.time() - self._began) * 1000

    def until(self, time: int) -> float:
        """The seconds left until it shows this time."""
        return max(time - self.elapsed, 0) / 1000

    async def reaches(self, time: int) -> None:
        if time > self.elapsed:
            await asyncio.sleep(self.until(time))


class Thinking:
    """Asks bots for their moves, for all tables."""

    def __init__(self, thinkers: Thinkers, clock: Clock) -> None:
        self._thinkers = thinkers
        self._clock = clock
        self.counts = ThoughtCounts()

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that a new table has."""
        return tuple(self._thinkers.levels)

    def why_not_seated(self, level: str) -> Refused | None:
        """Why a bot of this level cannot be seated now. The table knows which levels there are."""
        levels = self._thinkers.levels
        if level in levels:
            is_ready = levels[level].is_ready
            return None if is_ready else Refused("level_warming_up", {"level": level})
        if level in LEVELS:
            return Refused("level_needs_numba", {"level": level, "levels": ", ".join(levels)})
        return None

    async def move(self, think: Think, watched: asyncio.Event) -> str | None:
        """A bot's move, when it may appear; None if the bot has failed and must be replaced.

        `watched` is set while somebody is connected to the table.
        """
        level, counts = think.level, self.counts
        counts.thoughts += 1
        if level is not None and not self._is_ready(level):
            # Only after a restart: nobody can seat a level before it is ready.
            counts.waited += 1
            await _either(self._thinkers.settle(level), watched.wait())
        # Timed by the event loop: the milliseconds of the clock are too coarse, and what they
        # round off would depend on how long the bot has thought.
        stopwatch = _Stopwatch()
        due = slot = self._thinkers.slot(level)
        if think.purpose == "turn":  # an answer is held until the window closes, which waits for it
            due = max(due, think.not_before - self._clock.now())
        move = None
        if level is None or await self._is_warm(level, stopwatch):
            move = await self._in_time(level, think.view, stopwatch)
        if move is None:
            _log.warning("a bot of level %s is replaced: it has no move in time", level)
            counts.replaced += 1
            # Told at the same time, however soon it has failed.
            await stopwatch.reaches(_LATEST)
            return None
        late = stopwatch.elapsed - due
        if slot and late > 0:
            counts.late += 1
            due = max(due, min(due + ceil(late / slot) * slot, CAP))
        await stopwatch.reaches(due)
        return move

    async def _is_warm(self, level: str, stopwatch: _Stopwatch) -> bool:
        """Whether a level can think, if need be after a wait."""
        if self._is_ready(level):
            return True
        try:
            async with asyncio.timeout(stopwatch.until(_LATEST)):
                await self._thinkers.settle(level)
        except TimeoutError:
            return False
        return True

    def _is_ready(self, level: str) -> bool:
        state = self._thinkers.levels.get(level)
        return state is None or state.is_ready

    async def _in_time(self, level: str | None, view: View, stopwatch: _Stopwatch) -> str | None:
        """The move of a level, or of its base policy; None if it has neither in time."""
        thought = asyncio.ensure_future(self._thinkers.think(level, view))
        spare: asyncio.Future[str] | None = None
        try:
            if not await _succeeds(thought, stopwatch.until(_INSURED)):
                # Asked for early, so that it is there at the cap even if the machine is busy.
                spare = asyncio.ensure_future(self._thinkers.think_at_once(level, view))
            if await _succeeds(thought, stopwatch.until(_LATEST)):
                return thought.result()
            assert spare is not None
            # There is nobody simpler than the simplest, so the table waits.
            left = None if level in (None, SIMPLEST) else stopwatch.until(_FAILED)
            if await _succeeds(spare, left):
                self.counts.capped += 1
                return spare.result()
        finally:
            _give_up(thought)
            if spare is not None:
                _give_up(spare)
        if level in (None, SIMPLEST):
            raise NoAnswer
        return None

    async def advise(self, view: View) -> Advice:
        """The move that the strongest level would make, and why."""
        return await self._thinkers.advise(view)
