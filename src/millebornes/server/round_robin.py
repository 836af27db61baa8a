"""A lock that is fair between clients, not between requests."""

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import AsyncIterator

__all__ = ["RoundRobinLock"]


class RoundRobinLock:
    """A lock that goes round-robin by name among those who wait.

    With a plain lock, an address with fifty requests would get fifty turns before the next one.
    """

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @contextlib.asynccontextmanager
    async def of(self, name: str) -> AsyncIterator[None]:
        """Hold the lock, taken in turn by name."""
        await self._take(name)
        try:
            yield
        finally:
            self._pass_on()

    async def _take(self, name: str) -> None:
        if not self._is_taken:
            self._is_taken = True
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(name, deque()).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # we got the lock just before the cancellation
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            name, line = next(iter(self._waiting.items()))
            next_one = line.popleft()
            if line:
                self._waiting.move_to_end(name)
            else:
                del self._waiting[name]
            if not next_one.done():  # otherwise it was cancelled
                next_one.set_result(None)
                return
        self._is_taken = False
