"""Runs bots in worker processes, so that they never block the event loop.

A worker that exceeds its timeout is killed and replaced; the simplest bot then makes the move.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from typing import Protocol, TypeVar

from millebornes.bots import BOTS, Advice, Adviser, SundayDriver
from millebornes.records.tokens import to_text
from millebornes.rules import Move, View

from .workers import NoAnswer, Workers

__all__ = ["LocalThinkers", "ProcessThinkers", "Thinkers", "advise", "choose"]

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


def choose(level: str | None, view: View) -> str:
    """A bot's move as a token. It is always legal, whatever the bot does."""
    return to_text(_asked(level, view, lambda bot: bot.choose(view), lambda move: move))


def advise(level: str | None, view: View) -> Advice:
    """The move that a bot would make, and why. It is always legal."""
    return _asked(level, view, lambda bot: bot.explain(view), lambda advice: advice.move)


def _asked(
    level: str | None,
    view: View,
    question: Callable[[Adviser], _T],
    move_of: Callable[[_T], Move],
) -> _T:
    """The answer of the bot of this level; of the simplest bot if it fails or is unknown."""
    if level is not None:
        try:
            answer = question(BOTS[level]())
        except Exception:
            _log.exception("the bot of level %s failed", level)
        else:
            if move_of(answer) in view.legal_moves:
                return answer
            _log.error("the bot of level %s chose an illegal move", level)
    return question(SundayDriver())


class Thinkers(Protocol):
    """Runs bots."""

    async def think(self, level: str | None, view: View) -> str:
        """A bot's move as a token."""
        ...

    async def advise(self, level: str | None, view: View) -> Advice:
        """The move that a bot would make, and why."""
        ...

    async def close(self) -> None:
        """Stop."""
        ...


class LocalThinkers:
    """Runs bots in the server's own process: for tests, and for bots that answer at once."""

    async def think(self, level: str | None, view: View) -> str:
        """A bot's move."""
        return choose(level, view)

    async def advise(self, level: str | None, view: View) -> Advice:
        """A bot's advice."""
        return advise(level, view)

    async def close(self) -> None:
        """Do nothing."""


class ProcessThinkers:
    """Runs bots in warm worker processes.

    `patience` is the timeout for one answer in seconds, from when a worker starts on it. The
    simplest bot also answers if no worker was free within that time.
    """

    def __init__(self, workers: int | None = None, patience: float = 10.0) -> None:
        count = workers or max(1, (os.cpu_count() or 2) - 1)
        self._workers = Workers("bot worker", choose, advise, count=count, patience=patience)
        self._is_closing = False

    async def think(self, level: str | None, view: View) -> str:
        """A bot's move; the simplest bot's if it takes too long."""
        return await self._answer(choose, level, view)

    async def advise(self, level: str | None, view: View) -> Advice:
        """A bot's advice; the simplest bot's if it takes too long."""
        return await self._answer(advise, level, view)

    async def _answer(
        self, ask: Callable[[str | None, View], _T], level: str | None, view: View
    ) -> _T:
        try:
            return await self._workers.ask(ask, level, view)
        except NoAnswer:
            if self._is_closing:
                return ask(None, view)
            _log.warning("a bot of level %s timed out or crashed", level)
            return await asyncio.to_thread(ask, None, view)

    async def close(self) -> None:
        """Stop the workers."""
        self._is_closing = True
        await self._workers.close()
