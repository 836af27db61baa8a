"""Bots think in processes of their own, so that a table is never held up.

A worker that overruns is killed and replaced; the move then comes from the simplest bot here.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, Protocol, TypeVar

from millebornes.bots import BOTS, Advice, Adviser, SundayDriver
from millebornes.records.tokens import to_text
from millebornes.rules import Move, View

__all__ = ["LocalThinkers", "ProcessThinkers", "Thinkers", "advise", "choose"]

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_spawn = multiprocessing.get_context("spawn")
_START = 60.0
"""Seconds that a new worker may take to import what it needs."""


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


Ask = Callable[[str | None, View], Any]
"""`choose` or `advise`: what a worker is asked to do."""


class _Question(NamedTuple):
    ask: Ask
    level: str | None
    view: View
    asked: float
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


class ProcessThinkers:
    """Bots in warm worker processes, each with a thread here that waits for it.

    `patience` is for one thought, in seconds, from when a worker begins with it; a question
    that no worker took up in that time is answered by the simplest bot, too.
    """

    def __init__(self, workers: int | None = None, patience: float = 10.0) -> None:
        self._patience = patience
        self._questions: queue.SimpleQueue[_Question | None] = queue.SimpleQueue()
        self._is_closing = False
        self._workers = [_Worker() for _ in range(workers or max(1, (os.cpu_count() or 2) - 1))]
        self._threads = [
            threading.Thread(target=self._ask, args=(worker,), name="bot worker", daemon=True)
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()

    async def think(self, level: str | None, view: View) -> str:
        """A bot's move; the simplest bot's if it takes too long."""
        return await self._answer(choose, level, view)

    async def advise(self, level: str | None, view: View) -> Advice:
        """A bot's advice; the simplest bot's if it takes too long."""
        return await self._answer(advise, level, view)

    async def _answer(
        self, ask: Callable[[str | None, View], _T], level: str | None, view: View
    ) -> _T:
        if self._is_closing:
            return ask(None, view)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[_T] = loop.create_future()
        self._questions.put(_Question(ask, level, view, time.monotonic(), loop, answer))
        return await answer

    def _ask(self, worker: "_Worker") -> None:
        while (question := self._questions.get()) is not None:
            if question.answer.done():  # whoever asked has gone
                continue
            waited = time.monotonic() - question.asked
            said = None
            if waited < self._patience:
                try:
                    said = worker.think(question.ask, question.level, question.view, self._patience)
                except Exception:  # the thread must live on, whatever this was
                    _log.exception("a bot worker failed")
            if said is None:
                if not self._is_closing:
                    _log.warning("a bot of level %s overran or died", question.level)
                said = question.ask(None, question.view)
            with contextlib.suppress(RuntimeError):  # its loop may be gone
                question.loop.call_soon_threadsafe(_settle, question.answer, said)

    async def close(self) -> None:
        """End the workers."""
        if self._is_closing:
            return
        self._is_closing = True
        for _ in self._threads:
            self._questions.put(None)
        for worker in self._workers:
            worker.end()
        loop = asyncio.get_running_loop()
        for thread in self._threads:
            await loop.run_in_executor(None, thread.join)


class _Worker:
    """One process, and the pipe to it; another process after it had to be killed."""

    def __init__(self) -> None:
        self._is_over = False
        self._lock = threading.Lock()
        self._start()

    def _start(self) -> None:
        self._is_there = self._is_warm = False
        self._pipe, theirs = _spawn.Pipe()
        try:
            self._process = _spawn.Process(target=_work, args=(theirs,), name="bot", daemon=True)
            self._process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            # With this end closed here, the pipe breaks when either side dies: no worker is
            # left behind by a server that was killed.
            theirs.close()
        self._is_there = True

    def think(self, ask: Ask, level: str | None, view: View, patience: float) -> Any:
        """What was asked for, or None if the worker overran or died, or there is none.

        Where a new one could not be started (no memory, no descriptors), the next question
        tries again.
        """
        if not self._is_there:
            with self._lock:
                if self._is_over:
                    return None
                self._start()
        try:
            if not self._is_warm:
                if not self._pipe.poll(_START):
                    raise TimeoutError
                self._pipe.recv()
                self._is_warm = True
            self._pipe.send((ask, level, view))
            if self._pipe.poll(patience):
                return self._pipe.recv()
        except (OSError, EOFError):
            pass
        with self._lock:
            self._kill()
            if not self._is_over:
                self._start()
        return None

    def end(self) -> None:
        """Kill it; there will be no other."""
        with self._lock:
            self._is_over = True
            self._process.kill()

    def _kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: Connection) -> None:
    """What a worker does until the other side is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server is told, and ends its workers
    with contextlib.suppress(OSError, EOFError):
        pipe.send(None)
        while True:
            ask, level, view = pipe.recv()
            pipe.send(ask(level, view))


def _settle(answer: "asyncio.Future[Any]", said: object) -> None:
    if not answer.done():
        answer.set_result(said)
