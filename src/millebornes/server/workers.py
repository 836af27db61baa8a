"""Worker processes for long computations, so that they never block the event loop.

A worker that exceeds its timeout or crashes is replaced.
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

__all__ = ["LocalWorkers", "NoAnswer", "WorkerPool", "Workers"]

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_spawn = multiprocessing.get_context("spawn")
_START = 60.0
"""Maximum seconds for a new worker to import what it needs."""
_NICENESS = 10
"""Niceness of workers started on demand, which have a lower priority than server and bots."""


class NoAnswer(Exception):  # noqa: N818 (says it best)
    """The worker timed out, failed or crashed, or no worker was free in time."""


class WorkerPool(Protocol):
    """Runs functions elsewhere."""

    async def ask(self, function: Callable[..., _T], *args: Any) -> _T:
        """The result of the function; `NoAnswer` if there is none."""
        ...

    async def close(self) -> None:
        """Stop."""
        ...


class LocalWorkers:
    """Runs functions in the server's own process, for tests."""

    async def ask(self, function: Callable[..., _T], *args: Any) -> _T:
        """Call the function."""
        return function(*args)

    async def close(self) -> None:
        """Do nothing."""


class _Question(NamedTuple):
    function: Callable[..., Any]
    args: tuple[Any, ...]
    asked: float
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


class Workers:
    """Worker processes, each with a thread here that waits for it.

    `functions` are the functions they will run: workers import what these need at startup.
    `patience` is the timeout of one question in seconds, from when a worker starts on it; a
    question that no worker starts on within that time gets no answer either.

    Processes start at once and stay warm. With `idle` they start on demand and exit after that
    many seconds without a question. A cancelled question then kills the worker that runs it, at
    the price of a new process for the next question.
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
        """The result of the function in a worker. Function, arguments and result are pickled."""
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
        """Pass questions to one worker until closed. Runs in a thread."""
        while True:
            try:
                question = self._questions.get(timeout=self._idle if worker.is_running else None)
            except queue.Empty:
                worker.rest()
                continue
            if question is None:
                return
            if question.answer.done():  # cancelled
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
            except Exception:  # the thread must survive any error
                _log.exception("a worker failed")
                failure = NoAnswer()
            with contextlib.suppress(RuntimeError):  # its event loop may be closed
                question.loop.call_soon_threadsafe(_settle, question.answer, said, failure)

    async def close(self) -> None:
        """Stop the workers."""
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
    """One process and the pipe to it; a killed process is replaced by a new one."""

    def __init__(
        self, name: str, functions: tuple[Callable[..., Any], ...] = (), *, is_warm: bool = True
    ) -> None:
        self._name = name
        self._functions = functions
        self._keeps_warm = is_warm
        self._is_over = False
        self._lock = threading.Lock()
        """Held while a process is started or killed."""
        self.is_running = False
        self._at: _Question | None = None
        """The question in progress; `_at_lock` is only held briefly."""
        self._at_lock = threading.Lock()
        if is_warm:
            self._start()

    def _start(self) -> None:
        self.is_running = self._is_ready = False
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
            # With this end closed here, the pipe breaks when either side dies: a killed server
            # leaves no workers behind.
            theirs.close()
        self.is_running = True

    def ask(self, question: _Question, patience: float) -> Any:
        """The answer; `NoAnswer` if the worker timed out, failed or crashed, or there is none.

        If a new process cannot be started (no memory, no descriptors), the next question
        retries.
        """
        if not self.is_running:
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
        """Kill the process if it works on this cancelled question."""
        with self._at_lock:
            if self._at is question:
                self._process.kill()

    def rest(self) -> None:
        """Stop the process until the next question."""
        with self._lock:
            if not self._is_over:
                self._kill()

    def end(self) -> None:
        """Kill the process, and start no other."""
        with self._lock:
            self._is_over = True
            if self.is_running:
                self._process.kill()

    def _kill(self) -> None:
        self.is_running = False
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: Connection, niceness: int, _functions: tuple[Callable[..., Any], ...]) -> None:
    """The main loop of a worker. Unpickling its arguments has imported the functions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles it, and stops its workers
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    with contextlib.suppress(OSError, EOFError):
        pipe.send(None)
        while True:
            function, args = pipe.recv()
            try:
                said = True, function(*args)
            except Exception as error:
                # Only the type: the text of an exception may quote a hidden card.
                said = False, type(error).__name__
            pipe.send(said)


def _settle(answer: "asyncio.Future[Any]", said: object, failure: NoAnswer | None) -> None:
    if answer.done():
        return
    if failure is None:
        answer.set_result(said)
    else:
        answer.set_exception(failure)
