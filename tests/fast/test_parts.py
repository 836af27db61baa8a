"""Work in parts, on any executor: in order, never far ahead, and stopped when nobody wants it."""

import operator
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count
from multiprocessing import get_context
from threading import Event
from typing import Any

import pytest

from millebornes.fast.parts import in_order


class ByHand(Executor):
    """Runs submitted work only on request."""

    def __init__(self) -> None:
        self.submitted: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert not kwargs
        future: Future[Any] = Future()
        self.submitted.append((future, fn, args))
        return future

    def do(self, number: int) -> None:
        future, function, args = self.submitted[number]
        assert future.set_running_or_notify_cancel()
        try:
            future.set_result(function(*args))
        except ArithmeticError as error:
            future.set_exception(error)

    @property
    def cancelled(self) -> list[int]:
        return [at for at, (future, *_) in enumerate(self.submitted) if future.cancelled()]


class AtOnce(ByHand):
    """Runs everything as soon as it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn, *args, **kwargs)
        self.do(-1)
        return future


def processes() -> Executor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


@pytest.mark.parametrize("open_executor", [lambda: ThreadPoolExecutor(3), processes, AtOnce])
@pytest.mark.parametrize("most_waiting", [1, 3, 100])
def test_results_come_in_the_order_of_the_parts(
    open_executor: Callable[[], Executor], most_waiting: int
) -> None:
    with open_executor() as executor:
        found = list(in_order(executor, operator.neg, range(20), most_waiting))
    assert found == [-part for part in range(20)]


def test_a_part_that_is_done_early_waits_for_those_before_it() -> None:
    may_go_on = Event()

    def work(part: int) -> int:
        if part == 0:
            assert may_go_on.wait(60)
        elif part == 2:
            may_go_on.set()
        return part

    with ThreadPoolExecutor(2) as pool:
        assert list(in_order(pool, work, range(3), 3)) == [0, 1, 2]


def test_no_parts_give_no_results() -> None:
    assert list(in_order(ByHand(), operator.neg, [], 3)) == []


@pytest.mark.parametrize("most_waiting", [1, 2, 5])
def test_never_more_parts_wait_than_allowed(most_waiting: int) -> None:
    executor = AtOnce()
    taken = []

    def parts() -> Iterator[int]:
        for part in count():
            taken.append(part)
            yield part

    results = in_order(executor, operator.neg, parts(), most_waiting)
    assert executor.submitted == [], "nothing begins before anybody asks"
    for received in range(1, 50):
        assert next(results) == 1 - received
        assert len(executor.submitted) == received + most_waiting - 1
        assert len(taken) == received + most_waiting, "parts are taken as they are needed"


@pytest.mark.parametrize("most_waiting", [0, -1])
def test_at_least_one_part_must_be_allowed_to_wait(most_waiting: int) -> None:
    with pytest.raises(ValueError, match=f"most_waiting = {most_waiting}: must be .* 1 or more"):
        next(in_order(ByHand(), operator.neg, [1], most_waiting))


def test_closing_cancels_what_has_not_begun() -> None:
    executor = ByHand()

    def parts() -> Iterator[int]:
        yield from range(4)
        executor.do(0)
        executor.do(2)
        yield from range(4, 10)

    results = in_order(executor, operator.neg, parts(), 4)
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert executor.cancelled == [1, 3]
    assert len(executor.submitted) == 4


def test_the_exception_of_a_part_reaches_the_caller_in_its_place_and_cancels_the_rest() -> None:
    executor = ByHand()

    def parts() -> Iterator[int]:
        yield from (2, 0, 5, 1)
        for number in range(2):
            executor.do(number)

    results = in_order(executor, lambda part: 10 // part, parts(), 10)
    assert next(results) == 5
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert executor.cancelled == [2, 3]
    assert list(results) == []


def test_an_exception_of_the_parts_themselves_cancels_the_rest() -> None:
    executor = ByHand()

    def parts() -> Iterator[int]:
        yield 1
        raise LookupError

    with pytest.raises(LookupError):
        next(in_order(executor, operator.neg, parts(), 10))
    assert executor.cancelled == [0]


def test_the_executor_stays_open() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert list(in_order(pool, operator.neg, [1], 1)) == [-1]
        assert pool.submit(operator.neg, 2).result() == -2
