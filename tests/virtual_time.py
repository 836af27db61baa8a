"""Virtual time: an event loop that never waits, and server clocks for tests.

When nothing is left to do, time jumps to the next timer. Nothing here uses threads or the
network, so a test runs the same way every time, as fast as it can.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

_T = TypeVar("_T")
EPOCH = 1_700_000_000_000


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        super().__init__()
        self._virtual = 0.0

    def time(self) -> float:
        return self._virtual

    def _run_once(self) -> None:
        ready: Any = self._ready  # type: ignore[attr-defined]
        scheduled: Any = self._scheduled  # type: ignore[attr-defined]
        live = [handle.when() for handle in scheduled if not handle.cancelled()]
        if not ready and live:
            self._virtual = max(self._virtual, min(live))
        elif not ready and not self._stopping:  # type: ignore[attr-defined]
            raise RuntimeError("every task is waiting and no timer is set")
        super()._run_once()  # type: ignore[misc]


on_virtual_time = pytest.mark.loop(factory=VirtualLoop)
"""Decorates an `async def test_…`: it runs on a virtual loop. tests/conftest.py sees to it."""


class VirtualClock:
    """Server time in step with the running loop."""

    def now(self) -> int:
        return EPOCH + round(asyncio.get_running_loop().time() * 1000)


class ManualClock:
    """A clock that stands still until a test advances it."""

    def __init__(self, now: int = EPOCH) -> None:
        self.time = now

    def now(self) -> int:
        return self.time

    def advance(self, seconds: float) -> None:
        self.time += round(seconds * 1000)


def run_in_virtual_time(work: Coroutine[Any, Any, _T]) -> _T:
    """Run to the end in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
