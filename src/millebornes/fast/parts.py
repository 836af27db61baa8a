"""Work in parts: any executor, results in order."""

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
    """The result of a function for each part, in the order of the parts.

    At most so many parts are submitted before the first of them is asked for, so that parts
    without end fill no memory. Whoever closes the iterator early, or gets the exception of a
    part, cancels all that have not begun. The executor stays open: it belongs to the caller.
    """
    if most_waiting < 1:
        raise ValueError(f"most_waiting = {most_waiting}: allowed is a whole number from 1")
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
