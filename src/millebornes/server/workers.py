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
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

__all__ = ["LocalWorkers", "NoAnswer", "WorkerPool", "Workers"]

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_spawn = multiprocessing.get_context("spawn")
_START = 120.0
"""Maximum seconds for a new worker to import what it needs, and to be prepared."""
_RETRY = 5.0
"""Seconds until a worker that could not be started is tried again."""
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

    `functions` are the functions they will run: workers import what these need at startup. If
    there is a `prepare`, each process calls it before its first question. `patience` is the
    timeout of one question in seconds, from when a worker starts on it; a question that no worker
    starts on within `waits` seconds (by default, the same) gets no answer either.

    Processes start at once and stay warm: one that was killed or has died is replaced, and takes
    questions again when the new one is prepared. With `idle` they start on demand and exit after
    that many seconds without a question. A cancelled question then kills the worker that runs it,
    at the price of a new process for the next question. A process that has to end gets `farewell`
    seconds to do so by itself.
    """

    def __init__(
        self,
        name: str,
        *functions: Callable[..., Any],
        count: int,
        patience: float,
        waits: float | None = None,
        idle: float | None = None,
        niceness: int = 0,
        prepare: Callable[[], Any] | None = None,
        farewell: float = 0.0,
    ) -> None:
        self._name = name
        self._patience = patience
        self._waits = patience if waits is None else waits
        self._idle = idle
        self._questions: queue.SimpleQueue[_Question | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        """Held while somebody begins to wait for a change, or is told of it."""
        self._waiters: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._has_settled = False
        is_warm = idle is None
        start = partial(_Worker, name, functions, prepare, niceness, farewell, is_warm=is_warm)
        self._workers = [start() for _ in range(count)]
        self._threads: list[threading.Thread] = []
        if is_warm:
            self._begin()

    def _begin(self) -> None:
        for worker in self._workers:
            thread = threading.Thread(
                target=self._serve, args=(worker,), name=self._name, daemon=True
            )
            self._threads.append(thread)
            thread.start()

    @property
    def count(self) -> int:
        """The number of processes."""
        return len(self._workers)

    @property
    def replaced(self) -> int:
        """How many processes had to be replaced so far."""
        return sum(worker.replaced for worker in self._workers)

    @property
    def has_settled(self) -> bool:
        """Whether each process has been prepared once, or could not be."""
        if not self._has_settled:
            self._has_settled = all(worker.state != "warming" for worker in self._workers)
        return self._has_settled

    @property
    def is_warm(self) -> bool:
        """Whether they answer: all have settled, and one or more are prepared now."""
        return self.has_settled and any(worker.state == "warm" for worker in self._workers)

    @property
    def is_broken(self) -> bool:
        """Whether no process can be started or prepared; they keep trying."""
        return all(worker.state == "broken" for worker in self._workers)

    @property
    def prepared(self) -> list[Any]:
        """What `prepare` has returned in the processes that are warm."""
        return [worker.prepared for worker in self._workers if worker.state == "warm"]

    async def settle(self) -> None:
        """Wait until they have settled, or are closed."""
        loop = asyncio.get_running_loop()
        while True:
            change: asyncio.Future[None] = loop.create_future()
            with self._lock:
                if self.has_settled or self._closing.is_set():
                    return
                self._waiters.append((loop, change))
            await change

    async def ask(self, function: Callable[..., _T], *args: Any) -> _T:
        """The result of the function in a worker. Function, arguments and result are pickled."""
        if self._closing.is_set() or self.is_broken:
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
        while not self._closing.is_set():
            if self._idle is None and worker.state != "warm":
                is_warm = worker.warm_up()
                self._note_change()
                if not is_warm:
                    if self.is_broken:
                        self._refuse_all()
                    self._closing.wait(_RETRY)
                    continue
            try:
                question = self._questions.get(timeout=self._idle if worker.is_running else None)
            except queue.Empty:
                worker.rest()
                continue
            if question is None:
                break
            if question.answer.done():  # cancelled
                continue
            self._answer(worker, question)
        worker.rest()

    def _answer(self, worker: "_Worker", question: _Question) -> None:
        waited = time.monotonic() - question.asked
        said: Any = None
        failure: NoAnswer | None = None
        try:
            if waited >= self._waits:
                raise NoAnswer
            said = worker.ask(question, self._patience)
        except NoAnswer as error:
            failure = error
        except Exception:  # the thread must survive any error
            _log.exception("a worker failed")
            failure = NoAnswer()
        with contextlib.suppress(RuntimeError):  # its event loop may be closed
            question.loop.call_soon_threadsafe(_settle, question.answer, said, failure)

    def _refuse_all(self) -> None:
        """Answer what is queued: no process is there for it."""
        with contextlib.suppress(queue.Empty):
            while (question := self._questions.get_nowait()) is not None:
                with contextlib.suppress(RuntimeError):
                    question.loop.call_soon_threadsafe(_settle, question.answer, None, NoAnswer())
            self._questions.put(None)  # for whom it was meant

    def _note_change(self) -> None:
        with self._lock:
            waiters, self._waiters = self._waiters, []
        for loop, change in waiters:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, change, None, None)

    async def close(self) -> None:
        """Stop the workers."""
        if self._closing.is_set():
            return
        self._closing.set()
        for _ in self._threads:
            self._questions.put(None)
        for worker in self._workers:
            worker.end()
        loop = asyncio.get_running_loop()
        for thread in self._threads:
            await loop.run_in_executor(None, thread.join)
        self._note_change()


class _Worker:
    """One process and the pipe to it; a process that was killed is replaced by a new one."""

    def __init__(
        self,
        name: str,
        functions: tuple[Callable[..., Any], ...],
        prepare: Callable[[], Any] | None,
        niceness: int,
        farewell: float,
        *,
        is_warm: bool,
    ) -> None:
        self._name = name
        self._functions = functions
        self._prepare = prepare
        self._niceness = niceness if is_warm else _NICENESS
        self._farewell = farewell
        """Seconds that a process gets to end by itself."""
        self._is_over = False
        self._lock = threading.Lock()
        """Held while a process is started or killed."""
        self.is_running = False
        self.state: Literal["warming", "warm", "broken"] = "warming"
        self.prepared: Any = None
        self.replaced = 0
        self._at: _Question | None = None
        """The question in progress; `_at_lock` is only held briefly."""
        self._at_lock = threading.Lock()
        if is_warm:
            self._start()

    def _start(self) -> None:
        self.is_running = False
        self._pipe, theirs = _spawn.Pipe()
        try:
            self._process = _spawn.Process(
                target=_work,
                args=(theirs, self._niceness, self._prepare, self._functions),
                name=self._name,
                daemon=True,
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

    def warm_up(self) -> bool:
        """Start a process if there is none, and wait until it is prepared."""
        was_broken = self.state == "broken"
        try:
            with self._lock:
                if self._is_over:
                    return False
                if not self.is_running:
                    self._start()
            self._receive_greeting()
        except (OSError, EOFError, _NotPrepared) as error:
            if not was_broken and not self._is_over:  # once, however often it fails
                why = str(error) or type(error).__name__
                _log.error("%s: a process cannot be started: %s", self._name, why)
            self.state = "broken"
            self._replace()
            return False
        self.state = "warm"
        return True

    def _receive_greeting(self) -> None:
        if not self._pipe.poll(_START):
            raise TimeoutError
        is_prepared, said = self._pipe.recv()
        if not is_prepared:
            raise _NotPrepared(said)
        self.prepared = said

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
            if self.state != "warm":
                self._receive_greeting()
                self.state = "warm"
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
        except (OSError, EOFError, _NotPrepared):
            self.state = "warming"
            self._replace()
            raise NoAnswer from None
        if not is_done:
            _log.error("a question to a worker failed: %s", said)
            raise NoAnswer
        return said

    def _replace(self) -> None:
        """Kill the process, which has failed; the next question or warm-up starts another."""
        with self._lock:
            if self.is_running:
                self.replaced += not self._is_over
                self._kill()

    def give_up(self, question: _Question) -> None:
        """Kill the process if it works on this cancelled question."""
        with self._at_lock:
            if self._at is question:
                self._process.kill()

    def rest(self) -> None:
        """Stop the process until the next question."""
        with self._lock:
            if self.is_running:
                self._kill()
                self.state = "warming"

    def end(self) -> None:
        """Begin to end the process, and start no other. Its thread does the rest."""
        with self._lock:
            self._is_over = True
            if self.is_running:
                self._process.terminate() if self._farewell else self._process.kill()

    def _kill(self) -> None:
        self.is_running = False
        if self._farewell:
            self._process.terminate()
            self._process.join(self._farewell)
        self._process.kill()
        self._process.join()
        self._pipe.close()


class _NotPrepared(Exception):  # noqa: N818 (says it best)
    """`prepare` has failed in the process."""


def _work(
    pipe: Connection,
    niceness: int,
    prepare: Callable[[], Any] | None,
    _functions: tuple[Callable[..., Any], ...],
) -> None:
    """The main loop of a worker. Unpickling its arguments has imported the functions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles it, and stops its workers
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    with contextlib.suppress(OSError, EOFError):
        pipe.send(_greeting(prepare))
        while True:
            function, args = pipe.recv()
            pipe.send(_said(function, *args))


def _greeting(prepare: Callable[[], Any] | None) -> tuple[bool, Any]:
    """Whether the process is prepared, and the result; or what is wrong."""
    try:
        return True, None if prepare is None else prepare()
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"  # there are no cards in it yet


def _said(function: Callable[..., Any], *args: Any) -> tuple[bool, Any]:
    """Whether it was done, and the result."""
    try:
        return True, function(*args)
    except Exception as error:
        # Only the type: the text of an exception may quote a hidden card.
        return False, type(error).__name__


def _settle(answer: "asyncio.Future[Any]", said: object, failure: NoAnswer | None) -> None:
    if answer.done():
        return
    if failure is None:
        answer.set_result(said)
    else:
        answer.set_exception(failure)
