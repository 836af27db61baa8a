"""Runs bots in worker processes, so that they never block the event loop.

There are two lanes. Levels that answer at once, and the base policies of levels that search, have
processes of their own and never queue behind a search. Searches run at a lower priority than the
server. A bot of the operator has processes of its own.
"""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, Protocol

from millebornes.bots import LEVELS, Advice, Adviser, Level, SundayDriver, playable, stand_in
from millebornes.records.tokens import to_text
from millebornes.rules import Move, View

from .outside_bots import Entrant, OutsideBot
from .sample import sample_turn
from .workers import NoAnswer, Workers

__all__ = [
    "CAP",
    "RESERVE",
    "SIMPLEST",
    "LocalThinkers",
    "ProcessThinkers",
    "State",
    "Thinkers",
    "advise",
    "choose",
]

CAP = 1500
"""Milliseconds that a table waits for a thought at most."""
RESERVE = 200
"""Of these, the last milliseconds: for the base policy of a level that is late."""
SIMPLEST = "sunday-driver"
"""The level that replaces a bot which has failed."""
_QUICK, _SEARCH = 10, 500
"""Slots, in milliseconds: of levels that answer at once, and of levels that search."""
_QUICK_WORKERS = 2
_PATIENCE = 5.0
"""Seconds until a worker that does not answer is killed: far more than any thought takes."""
_NICENESS = 15
"""Niceness of the searches: a move of a person must never wait for one."""

_log = logging.getLogger(__name__)
_Make = Callable[[], Adviser]


# These run in a worker. What they raise, the worker tells by its type only.


def choose(make: _Make, view: View) -> str:
    """The move of a bot as a token; an exception if the bot has failed."""
    return to_text(_legal(make().choose(view), view))


def advise(make: _Make, view: View) -> Advice:
    """The move of a bot, and why."""
    advice = make().explain(view)
    _legal(advice.move, view)
    return advice


def _legal(move: Move, view: View) -> Move:
    if move not in view.legal_moves:
        raise ValueError("an illegal move")
    return move


def load(levels: Mapping[str, Level]) -> Mapping[str, str]:
    """Make bots ready to play, which may compile what they need; which levels cannot, and why."""
    view, failed = sample_turn(), {}
    for name, level in levels.items():
        try:
            for make in (level.base, level.make):
                if make is not None:
                    advise(make, view)
        except Exception as error:  # whatever is wrong with the compiled engine
            failed[name] = f"{type(error).__name__}: {error}"
    return failed


# These run in the server


class State(NamedTuple):
    """A level that can be seated, or will be able to."""

    is_ready: bool
    is_outside: bool = False


class Thinkers(Protocol):
    """Runs bots."""

    @property
    def levels(self) -> Mapping[str, State]:
        """The levels that there are, weakest first, then the bots of the operator."""
        ...

    @property
    def processes(self) -> int:
        """How many worker processes there are."""
        ...

    @property
    def workers_replaced(self) -> int:
        """How many of them had to be replaced so far."""
        ...

    def slot(self, level: str | None) -> int:
        """The time that a thought takes to appear, in milliseconds, whatever the cards are.

        A thought that is not done by then appears one or more slots later.
        """
        ...

    async def settle(self, level: str) -> None:
        """Wait until a level is no longer warming up."""
        ...

    async def think(self, level: str | None, view: View) -> str:
        """The move of a level as a token; None stands in for a person. Raises `NoAnswer`."""
        ...

    async def think_at_once(self, level: str | None, view: View) -> str:
        """The same by the level's own policy without any search. Raises `NoAnswer`."""
        ...

    async def advise(self, view: View) -> Advice:
        """The move that the strongest level would make, and why."""
        ...

    async def close(self) -> None:
        """Stop."""
        ...


class LocalThinkers:
    """Runs bots in the server's own process, without slots: for tests."""

    processes = 0
    workers_replaced = 0

    def __init__(self, levels: Mapping[str, Level] | None = None) -> None:
        self._levels = _playable() if levels is None else levels

    @property
    def levels(self) -> Mapping[str, State]:
        """All are ready."""
        return {name: State(is_ready=True) for name in self._levels}

    def slot(self, _level: str | None) -> int:
        """A move appears as soon as it is known."""
        return 0

    async def settle(self, level: str) -> None:
        """All are ready."""

    async def think(self, level: str | None, view: View) -> str:
        """The move of a level."""
        known = self._levels.get(level or stand_in())
        if known is None:
            raise NoAnswer
        return _here(known.make, view)

    async def think_at_once(self, level: str | None, view: View) -> str:
        """The move of its base policy."""
        known = self._levels.get(level or SIMPLEST)
        if known is None:
            raise NoAnswer
        return _here(known.base or known.make, view)

    async def advise(self, view: View) -> Advice:
        """The advice of the strongest."""
        return advise(list(self._levels.values())[-1].make, view)

    async def close(self) -> None:
        """Do nothing."""


class ProcessThinkers:
    """Runs bots in warm worker processes.

    `workers` is the number of processes for searches. `outside` are the bots of the operator, and
    `levels` replaces our own.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        levels: Mapping[str, Level] | None = None,
        outside: Mapping[str, Entrant] = MappingProxyType({}),
    ) -> None:
        count = workers or max(1, (os.cpu_count() or 2) - 1)
        self._levels = _playable() if levels is None else levels
        self._warmed = {
            name: level for name, level in self._levels.items() if level.needs_kernel or level.base
        }
        """The levels that are not ready at once."""
        prepare = partial(load, self._warmed)
        self._quick = Workers(
            "bot worker",
            choose,
            advise,
            count=min(count, _QUICK_WORKERS),
            patience=_PATIENCE,
            prepare=prepare,
        )
        self._slow: Workers | None = None
        if any(level.base for level in self._levels.values()):
            # A search that cannot end in time is not begun.
            self._slow = Workers(
                "bot search",
                choose,
                advise,
                count=count,
                patience=_PATIENCE,
                waits=(CAP - RESERVE - _SEARCH) / 1000,
                niceness=_NICENESS,
                prepare=prepare,
            )
        self._outside = {name: OutsideBot(name, entrant) for name, entrant in outside.items()}
        self._is_told = False

    def _lanes(self) -> list[Workers]:
        ours = [self._quick] if self._slow is None else [self._quick, self._slow]
        return [*ours, *(bot.workers for bot in self._outside.values())]

    @property
    def processes(self) -> int:
        """How many worker processes there are."""
        return sum(lane.count for lane in self._lanes())

    @property
    def workers_replaced(self) -> int:
        """How many of them had to be replaced so far."""
        return sum(lane.replaced for lane in self._lanes())

    @property
    def levels(self) -> Mapping[str, State]:
        """Without those that this machine turned out not to be able to run."""
        failed = self._failed()
        ours = {name: State(self._is_ready(name)) for name in self._levels if name not in failed}
        others = {
            name: State(bot.workers.is_warm, is_outside=True) for name, bot in self._outside.items()
        }
        return {**ours, **others}

    def _is_ready(self, name: str) -> bool:
        level = self._warmed.get(name)
        if level is None:
            return True
        has_search = level.base is None or (self._slow is not None and self._slow.is_warm)
        return self._quick.is_warm and has_search

    def _failed(self) -> set[str]:
        """The levels that cannot be made ready. Why is logged once."""
        failed: dict[str, str] = {}
        for lane in self._lanes()[: 1 if self._slow is None else 2]:
            if lane.is_broken:
                failed |= dict.fromkeys(self._warmed, "no worker process can be started")
            for one in lane.prepared:
                failed |= one
        if failed and not self._is_told:
            self._is_told = True
            for name, why in failed.items():
                _log.error("the level %s is not offered, for it cannot be loaded: %s", name, why)
        return set(failed)

    def slot(self, level: str | None) -> int:
        """By how the level thinks."""
        if level in self._outside:
            return CAP
        known = self._levels.get(self._named(level))
        return _QUICK if known is None or known.base is None else _SEARCH

    def _named(self, level: str | None) -> str:
        """The level; or who stands in for a person now."""
        if level is not None:
            return level
        state = self.levels.get(stand_in())
        return stand_in() if state is not None and state.is_ready else SIMPLEST

    async def settle(self, level: str) -> None:
        """Wait for the first processes of its lanes."""
        if level in self._outside:
            await self._outside[level].workers.settle()
        elif level in self._warmed:
            await self._quick.settle()
            if self._slow is not None and self._warmed[level].base:
                await self._slow.settle()

    async def think(self, level: str | None, view: View) -> str:
        """In the lane of the level."""
        if level in self._outside:
            return await self._outside[level].choose(view)
        known = self._levels.get(self._named(level))
        if known is None:
            raise NoAnswer
        if known.base is not None and self._slow is not None:
            return await self._slow.ask(choose, known.make, view)
        if known.needs_kernel or self._quick.is_warm:
            return await self._quick.ask(choose, known.make, view)
        return await self.think_at_once(level, view)

    async def think_at_once(self, level: str | None, view: View) -> str:
        """In the quick lane, or here. For a person who is away the simplest level will do."""
        known = self._levels.get(level or SIMPLEST)
        if known is None:  # a bot of the operator has only one way to think
            raise NoAnswer
        make = known.base or known.make
        if known.needs_kernel:
            return await self._quick.ask(choose, make, view)
        # A thread holds up the event loop for less than a millisecond.
        return await asyncio.to_thread(_here, make, view)

    async def advise(self, view: View) -> Advice:
        """In a worker if one answers; while they warm up, at once and here."""
        ready = [name for name, state in self.levels.items() if state.is_ready]
        level = self._levels[[name for name in ready if name in self._levels][-1]]
        lane = self._quick if level.base is None or self._slow is None else self._slow
        if lane.is_warm:  # before that, a question would wait for a process to start
            with contextlib.suppress(NoAnswer, TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    return await lane.ask(advise, level.make, view)
        return await asyncio.to_thread(advise, SundayDriver, view)

    async def close(self) -> None:
        """Stop the workers."""
        await asyncio.gather(*(lane.close() for lane in self._lanes()))


def _playable() -> Mapping[str, Level]:
    return {name: LEVELS[name] for name in playable()}


def _here(make: _Make, view: View) -> str:
    """The move of a bot in this process."""
    try:
        return choose(make, view)
    except Exception as error:
        # Only the type: the text of an exception may quote a hidden card.
        _log.error("a bot has failed: %s", type(error).__name__)
        raise NoAnswer from None
