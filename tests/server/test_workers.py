"""Worker processes: one that overruns, fails or dies is replaced, and its caller gets an error."""

import asyncio
import errno
import os
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pytest

from millebornes.server import workers as module
from millebornes.server.workers import LocalWorkers, NoAnswer, Workers


def double(number: int) -> int:
    return 2 * number


def niceness() -> int:
    return os.nice(0)


def fail() -> None:
    raise ZeroDivisionError("a hidden card")


def say_and_wait(path: str) -> None:
    """Write our process id there, and never end."""
    descriptor = os.open(path, os.O_WRONLY)
    os.write(descriptor, str(os.getpid()).encode())
    os.close(descriptor)
    signal.pause()


async def ask(workers: Workers, function: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.wait_for(workers.ask(function, *args), 60)


def process_of(workers: Workers) -> Any:
    return workers._workers[0]._process


async def has_ended(process: Any) -> bool:
    """Wait for the end of a process, and leave its exit code to the thread that ended it.

    If two threads ask the system for it, one of them gets none.
    """
    return await asyncio.to_thread(wait, [process.sentinel], 60) != []


@pytest.fixture(scope="module")
def warm() -> Iterator[Workers]:
    workers = Workers("warm", double, count=1, patience=60)
    yield workers
    asyncio.run(workers.close())


async def test_a_question_is_answered_in_another_process(warm: Workers) -> None:
    assert await ask(warm, double, 21) == 42
    assert await ask(warm, os.getpid) == process_of(warm).pid != os.getpid()


async def test_a_worker_that_overruns_is_killed_and_replaced(warm: Workers) -> None:
    assert await ask(warm, double, 1) == 2
    first = process_of(warm)
    os.kill(first.pid, signal.SIGSTOP)  # it works and works
    worker = warm._workers[0]
    worker._pipe = Deaf(worker._pipe)  # type: ignore[assignment]
    with pytest.raises(NoAnswer):
        await ask(warm, double, 2)
    assert first.exitcode == -signal.SIGKILL
    assert await ask(warm, double, 3) == 6


class Deaf:
    """A pipe on which nobody answers in time."""

    def __init__(self, pipe: Any) -> None:
        self._pipe = pipe

    def poll(self, _patience: float) -> bool:
        return False

    def send(self, question: object) -> None:
        self._pipe.send(question)

    def close(self) -> None:
        self._pipe.close()


async def test_a_worker_that_dies_is_replaced(warm: Workers) -> None:
    assert await ask(warm, double, 1) == 2
    process_of(warm).kill()
    process_of(warm).join()
    with pytest.raises(NoAnswer):
        await ask(warm, double, 2)
    assert await ask(warm, double, 3) == 6


async def test_a_question_that_fails_ends_no_worker_and_only_its_kind_is_logged(
    warm: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    assert await ask(warm, double, 1) == 2
    first = process_of(warm)
    with pytest.raises(NoAnswer):
        await ask(warm, fail)
    assert await ask(warm, double, 3) == 6
    assert process_of(warm) is first
    assert "ZeroDivisionError" in caplog.text
    assert "hidden" not in caplog.text


async def test_a_question_that_waits_too_long_for_a_worker_gets_no_answer() -> None:
    workers = Workers("busy", double, count=1, patience=0)
    try:
        with pytest.raises(NoAnswer):
            await ask(workers, double, 1)
    finally:
        await workers.close()
    with pytest.raises(NoAnswer):
        await ask(workers, double, 1)


def count_lines(path: str) -> int:
    """How often it was called with this path, in any process."""
    file = Path(path)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(f"{os.getpid()}\n")
    return len(file.read_text(encoding="utf-8").splitlines())


@pytest.mark.timeout(120)
async def test_a_process_is_prepared_before_it_takes_questions_and_so_is_the_one_after_it(
    tmp_path: Path,
) -> None:
    prepare = partial(count_lines, str(tmp_path / "lines"))
    workers = Workers("warm", os.getpid, count=1, patience=60, prepare=prepare)
    try:
        assert not workers.is_warm
        await workers.settle()
        assert workers.is_warm
        assert workers.prepared == [1]
        process_of(workers).kill()
        with pytest.raises(NoAnswer):
            await ask(workers, os.getpid)
        assert await ask(workers, os.getpid) == process_of(workers).pid
        assert workers.prepared == [2]
        assert workers.replaced == 1
    finally:
        await workers.close()


@pytest.mark.timeout(120)
async def test_workers_that_cannot_be_prepared_are_broken_and_nobody_waits_for_them(
    caplog: pytest.LogCaptureFixture,
) -> None:
    workers = Workers("odd", double, count=2, patience=60, prepare=fail)
    try:
        await workers.settle()
        assert workers.is_broken
        with pytest.raises(NoAnswer):
            await workers.ask(double, 1)
    finally:
        await workers.close()
    assert caplog.text.count("odd: a process cannot be started: ZeroDivisionError") == 2


async def test_those_who_wait_for_workers_are_let_go_when_these_are_closed() -> None:
    workers = Workers("slow", double, count=1, patience=60, prepare=signal.pause)
    waiting = asyncio.ensure_future(workers.settle())
    await asyncio.sleep(0)
    await workers.close()
    await waiting
    assert not workers.is_warm


@pytest.mark.timeout(120)
async def test_nobody_works_at_a_question_whose_asker_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = Workers("warm", double, count=1, patience=60)
    worker = workers._workers[0]
    begins, may_go_on = threading.Event(), threading.Event()
    asked: list[Any] = []
    really = worker.ask

    def slow(question: Any, patience: float) -> Any:
        asked.append(question.args)
        begins.set()
        assert may_go_on.wait(60)
        return really(question, patience)

    monkeypatch.setattr(worker, "ask", slow)
    try:
        first = asyncio.ensure_future(ask(workers, double, 1))
        assert await asyncio.to_thread(begins.wait, 60)
        gone = asyncio.ensure_future(ask(workers, double, 2))
        await asyncio.sleep(0)
        gone.cancel()
        last = asyncio.ensure_future(ask(workers, double, 3))
        await asyncio.sleep(0)
        may_go_on.set()
        assert (await first, await last) == (2, 6)
        assert asked == [(1,), (3,)]
    finally:
        may_go_on.set()
        await workers.close()


@pytest.mark.timeout(120)
async def test_a_worker_that_cannot_be_started_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def too_many_files() -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(module, "_RETRY", 0.01)
    warm_again = threading.Event()
    workers = Workers("warm", double, count=1, patience=60)
    try:
        assert await ask(workers, double, 1) == 2
        first = process_of(workers)

        def note() -> None:
            if workers.is_warm:
                warm_again.set()

        monkeypatch.setattr(workers, "_note_change", note)
        first.kill()
        with monkeypatch.context() as patched:
            patched.setattr(module._spawn, "Pipe", too_many_files)
            for _ in range(3):
                with pytest.raises(NoAnswer):
                    await ask(workers, double, 2)
            assert workers.is_broken
            assert not workers.is_warm
        assert workers._threads[0].is_alive()
        assert await asyncio.to_thread(warm_again.wait, 60)
        assert await ask(workers, double, 3) == 6
        assert process_of(workers) is not first
        assert workers.replaced == 1
        assert caplog.text.count("cannot be started") == 1
    finally:
        await workers.close()


async def test_a_process_on_demand_is_started_by_a_question_and_steps_back_for_others() -> None:
    workers = Workers("demand", niceness, count=1, patience=60, idle=600)
    try:
        assert not workers._workers[0].is_running
        assert await ask(workers, niceness) == min(os.nice(0) + module._NICENESS, 19)
        assert workers._workers[0].is_running
    finally:
        await workers.close()


@pytest.mark.timeout(120)
async def test_a_process_on_demand_ends_when_nobody_asks_and_comes_back() -> None:
    workers = Workers("demand", double, count=1, patience=60, idle=0.01)
    try:
        assert await ask(workers, double, 1) == 2
        first = process_of(workers)
        assert await has_ended(first)
        assert await ask(workers, double, 2) == 4
        assert first.exitcode == -signal.SIGKILL
        assert await has_ended(process_of(workers))
    finally:
        await workers.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
@pytest.mark.timeout(120)
async def test_a_process_on_demand_is_killed_when_its_asker_goes_away(tmp_path: Path) -> None:
    path = tmp_path / "begun"
    os.mkfifo(path)
    workers = Workers("demand", say_and_wait, double, count=1, patience=600, idle=600)
    try:
        gone = asyncio.ensure_future(workers.ask(say_and_wait, str(path)))
        begun = await asyncio.to_thread(path.read_text)
        process = process_of(workers)
        assert begun == str(process.pid)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert await has_ended(process)
        assert await ask(workers, double, 3) == 6
        assert process.exitcode == -signal.SIGKILL
    finally:
        await workers.close()


async def test_work_of_this_process_is_done_at_once() -> None:
    workers = LocalWorkers()
    assert await workers.ask(double, 2) == 4
    await workers.close()
