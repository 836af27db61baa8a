"""One at a time, and whoever asks for much waits for themselves."""

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import AsyncIterator

__all__ = ["RoundRobinLock"]


class RoundRobinLock:
    """A lock that goes round by name: among those who wait, each name has its turn.

    With a plain lock, an address that asks fifty times would have fifty turns before the next.
    """

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @contextlib.asynccontextmanager
    async def of(self, name: str) -> AsyncIterator[None]:
        """Wait for a turn, and pass it on at the end."""
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
            if mine.done() and not mine.cancelled():  # it was given to us just before
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
            if not next_one.done():  # else they have gone
                next_one.set_result(None)
                return
        self._is_taken = False
