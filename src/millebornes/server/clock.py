"""Server time: milliseconds that never jump back, whatever the wall clock does."""

import time
from typing import Protocol

__all__ = ["Clock", "SystemClock"]


class Clock(Protocol):
    """A source of time. Tests inject their own."""

    def now(self) -> int:
        """Milliseconds since 1970, by the wall clock at startup."""
        ...


class SystemClock:
    """The wall clock at startup plus monotonic time since."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return (time.monotonic_ns() + self._offset) // 1_000_000
