"""Splits work into parts, runs them on any executor, and yields the results in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

__all__ = ["in_order"]

Part = TypeVar("Part")
Result = TypeVar("Result")


def in_order(
    executor: Executor, function: Callable[[Part], Result], parts: Iterable[Part], most_waiting: int
) -> Iterator[Result]:
    """The results of a function for each part, in the order of the parts.

    At most `most_waiting` parts are in flight, so that an endless stream of parts does not fill
    the memory. Closing the iterator early, or an exception in a part, cancels all parts that
    have not started. The executor stays open: it belongs to the caller.
    """
    if most_waiting < 1:
        raise ValueError(f"most_waiting = {most_waiting}: must be a whole number, 1 or more")
    waiting: deque[Future[Result]] = deque()
    try:
        for part in parts:
            if len(waiting) == most_waiting:
                yield waiting.popleft().result()
            waiting.append(executor.submit(function, part))
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
