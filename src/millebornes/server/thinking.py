"""Bots think in processes of their own, so that a table is never held up.

A worker that overruns is killed and replaced; the move then comes from the simplest bot here.
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
    """A bot's move, as a token. Whatever a bot does, the move is one of the legal ones."""
    return to_text(_asked(level, view, lambda bot: bot.choose(view), lambda move: move))


def advise(level: str | None, view: View) -> Advice:
    """The move that a bot would make, and why. That move, too, is one of the legal ones."""
    return _asked(level, view, lambda bot: bot.explain(view), lambda advice: advice.move)


def _asked(
    level: str | None,
    view: View,
    question: Callable[[Adviser], _T],
    move_of: Callable[[_T], Move],
) -> _T:
    """What the bot of this level says; the simplest one, if there is none or it fails."""
    if level is not None:
        try:
            said = question(BOTS[level]())
        except Exception:
            _log.exception("the bot of level %s failed", level)
        else:
            if move_of(said) in view.legal_moves:
                return said
            _log.error("the bot of level %s chose a move that is not legal", level)
    return question(SundayDriver())


class Thinkers(Protocol):
    """Whoever thinks for the bots."""

    async def think(self, level: str | None, view: View) -> str:
        """A bot's move, as a token."""
        ...

    async def advise(self, level: str | None, view: View) -> Advice:
        """The move a bot would make, and why."""
        ...

    async def close(self) -> None:
        """Let go."""
        ...


class LocalThinkers:
    """Bots in the server's own process: for tests and for bots that answer at once."""

    async def think(self, level: str | None, view: View) -> str:
        """A bot's move."""
        return choose(level, view)

    async def advise(self, level: str | None, view: View) -> Advice:
        """A bot's advice."""
        return advise(level, view)

    async def close(self) -> None:
        """Nothing to end."""


class ProcessThinkers:
    """Bots in warm worker processes.

    `patience` is for one thought, in seconds, from when a worker begins with it; a question
    that no worker took up in that time is answered by the simplest bot, too.
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
            _log.warning("a bot of level %s overran or died", level)
            return await asyncio.to_thread(ask, None, view)

    async def close(self) -> None:
        """End the workers."""
        self._is_closing = True
        await self._workers.close()
