"""Work that takes long is done in processes of its own, so that no table is held up.

A worker that overruns or dies is killed and replaced.
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

__all__ = ["Asked", "LocalWorkers", "NoAnswer", "Workers"]

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_spawn = multiprocessing.get_context("spawn")
_START = 60.0
"""Seconds that a new worker may take to import what it needs."""
_NICENESS = 10
"""How much a process that is started on demand steps back behind the server and its bots."""


class NoAnswer(Exception):  # noqa: N818 (says it best)
    """A worker overran, failed or died, or there is none; or nobody took up the question."""


class Asked(Protocol):
    """Whoever can be asked to do long work."""

    async def ask(self, function: Callable[..., _T], *args: Any) -> _T:
        """What the function gives; `NoAnswer` if that cannot be."""
        ...

    async def close(self) -> None:
        """Let go."""
        ...


class LocalWorkers:
    """Work in the server's own process: for tests."""

    async def ask(self, function: Callable[..., _T], *args: Any) -> _T:
        """Do it at once."""
        return function(*args)

    async def close(self) -> None:
        """Nothing to end."""


class _Question(NamedTuple):
    function: Callable[..., Any]
    args: tuple[Any, ...]
    asked: float
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


class Workers:
    """Worker processes, each with a thread here that waits for it.

    `functions` are what they will be asked for: whatever these need is imported at the start.
    `patience` is for one question, in seconds, from when a worker begins with it; a question
    that no worker took up in that time gets no answer either.

    Processes are started at once and kept warm. With `idle` they are started by the first
    question instead and end after so many seconds without one; a question whose asker goes
    away is then given up even if it has begun, at the price of a new process for the next.
    """

    def __init__(
        self,
        name: str,
        *functions: Callable[..., Any],
        count: int,
        patience: float,
        idle: float | None = None,
    ) -> None:
        self._name = name
        self._patience = patience
        self._idle = idle
        self._questions: queue.SimpleQueue[_Question | None] = queue.SimpleQueue()
        self._is_closing = False
        self._workers = [_Worker(name, functions, is_warm=idle is None) for _ in range(count)]
        self._threads: list[threading.Thread] = []
        if idle is None:
            self._begin()

    def _begin(self) -> None:
        for worker in self._workers:
            thread = threading.Thread(
                target=self._serve, args=(worker,), name=self._name, daemon=True
            )
            self._threads.append(thread)
            thread.start()

    async def ask(self, function: Callable[..., _T], *args: Any) -> _T:
        """What the function gives in a worker: it and all values are pickled."""
        if self._is_closing:
            raise NoAnswer
        if not self._threads:
            self._begin()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[_T] = loop.create_future()
        question = _Question(function, args, time.monotonic(), loop, answer)
        self._questions.put(question)
        try:
            return await answer
        except asyncio.CancelledError:
            if self._idle is not None:
                for worker in self._workers:
                    worker.give_up(question)
            raise

    def _serve(self, worker: "_Worker") -> None:
        """Pass questions on to one worker, until there are no more."""
        while True:
            try:
                question = self._questions.get(timeout=self._idle if worker.is_there else None)
            except queue.Empty:
                worker.rest()
                continue
            if question is None:
                return
            if question.answer.done():  # whoever asked has gone
                continue
            waited = time.monotonic() - question.asked
            said: Any = None
            failure: NoAnswer | None = None
            try:
                if waited >= self._patience:
                    raise NoAnswer
                said = worker.ask(question, self._patience)
            except NoAnswer as error:
                failure = error
            except Exception:  # the thread must live on, whatever this was
                _log.exception("a worker failed")
                failure = NoAnswer()
            with contextlib.suppress(RuntimeError):  # its loop may be gone
                question.loop.call_soon_threadsafe(_settle, question.answer, said, failure)

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

    def __init__(
        self, name: str, functions: tuple[Callable[..., Any], ...] = (), *, is_warm: bool = True
    ) -> None:
        self._name = name
        self._functions = functions
        self._keeps_warm = is_warm
        self._is_over = False
        self._lock = threading.Lock()
        """Held while a process is started or ended."""
        self.is_there = False
        self._at: _Question | None = None
        """What it works at; `_at_lock` is held for moments only."""
        self._at_lock = threading.Lock()
        if is_warm:
            self._start()

    def _start(self) -> None:
        self.is_there = self._is_ready = False
        self._pipe, theirs = _spawn.Pipe()
        try:
            niceness = 0 if self._keeps_warm else _NICENESS
            self._process = _spawn.Process(
                target=_work, args=(theirs, niceness, self._functions), name=self._name, daemon=True
            )
            self._process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            # With this end closed here, the pipe breaks when either side dies: no worker is
            # left behind by a server that was killed.
            theirs.close()
        self.is_there = True

    def ask(self, question: _Question, patience: float) -> Any:
        """The answer; `NoAnswer` if the worker overran, failed or died, or there is none.

        Where a new one could not be started (no memory, no descriptors), the next question
        tries again.
        """
        if not self.is_there:
            with self._lock:
                if self._is_over:
                    raise NoAnswer
                self._start()
        try:
            if not self._is_ready:
                if not self._pipe.poll(_START):
                    raise TimeoutError
                self._pipe.recv()
                self._is_ready = True
            with self._at_lock:
                if question.answer.done():
                    raise NoAnswer
                self._at = question
            try:
                self._pipe.send((question.function, question.args))
                if not self._pipe.poll(patience):
                    raise TimeoutError
                is_done, said = self._pipe.recv()
            finally:
                with self._at_lock:
                    self._at = None
        except (OSError, EOFError):
            with self._lock:
                self._kill()
                if self._keeps_warm and not self._is_over:
                    self._start()
            raise NoAnswer from None
        if not is_done:
            _log.error("a question to a worker failed: %s", said)
            raise NoAnswer
        return said

    def give_up(self, question: _Question) -> None:
        """Nobody wants this answer any more: end whoever works at it."""
        with self._at_lock:
            if self._at is question:
                self._process.kill()

    def rest(self) -> None:
        """End the process until there is another question."""
        with self._lock:
            if not self._is_over:
                self._kill()

    def end(self) -> None:
        """Kill it; there will be no other."""
        with self._lock:
            self._is_over = True
            if self.is_there:
                self._process.kill()

    def _kill(self) -> None:
        self.is_there = False
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: Connection, niceness: int, _functions: tuple[Callable[..., Any], ...]) -> None:
    """What a worker does until the other side is gone. The functions are imported by now."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server is told, and ends its workers
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    with contextlib.suppress(OSError, EOFError):
        pipe.send(None)
        while True:
            function, args = pipe.recv()
            try:
                said = True, function(*args)
            except Exception as error:
                # Only its kind: the text of an error may quote a hidden card.
                said = False, type(error).__name__
            pipe.send(said)


def _settle(answer: "asyncio.Future[Any]", said: object, failure: NoAnswer | None) -> None:
    if answer.done():
        return
    if failure is None:
        answer.set_result(said)
    else:
        answer.set_exception(failure)
