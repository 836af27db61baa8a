"""Spreads the parts of a simulation or a contest over threads, processes, or any executor."""

import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from millebornes.fast.arguments import MOST_JOBS, check_jobs
from millebornes.fast.parts import in_order

__all__ = ["numbers_in_parts", "spread"]

Result = TypeVar("Result")
_MOST_ON_WINDOWS = 61
"""Windows cannot wait for more processes at once."""
_AHEAD = 4
"""Parts in flight for each worker: nobody waits for work, and little is lost by stopping."""
_AHEAD_ELSEWHERE = 256
"""Parts in flight on an executor of somebody else, whose number of workers is not known."""


def numbers_in_parts(first: int, count: int, size: int) -> Iterator[range]:
    """The numbers from `first` up to `count`, in parts of a size."""
    for start in range(first, count, size):
        yield range(start, min(start + size, count))


def spread(
    work: Callable[[range], Result],
    parts: Iterator[range],
    *,
    jobs: int,
    executor: Executor | None,
    in_threads: bool,
) -> Iterator[Result]:
    """The results of the parts, in order.

    They are computed by the executor, if there is one, else by `jobs` threads or processes.
    Processes are spawned, so the main module must be importable: see Python's `multiprocessing`.
    """
    check_jobs(jobs)
    if executor is not None:
        yield from in_order(executor, work, parts, _AHEAD_ELSEWHERE)
    elif jobs == 1:
        yield from map(work, parts)
    elif in_threads:
        with ThreadPoolExecutor(jobs) as pool:
            yield from in_order(pool, work, parts, _AHEAD * jobs)
    else:
        processes = min(jobs, _MOST_ON_WINDOWS if sys.platform == "win32" else MOST_JOBS)
        # Not forked: a thread of the caller, such as a progress bar, may hold a lock.
        with ProcessPoolExecutor(
            processes, mp_context=get_context("spawn"), initializer=_leave_interrupts_to_the_caller
        ) as pool:
            yield from in_order(pool, work, parts, _AHEAD * processes)


def _leave_interrupts_to_the_caller() -> None:
    # Ctrl-C reaches every process of a terminal. A worker finishes its part; the caller stops.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
