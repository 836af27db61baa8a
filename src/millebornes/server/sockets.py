"""The server's WebSockets, with a short way in and out.

By ASGI every message goes through a queue to a task that waits for it. Most need not wait:
they come and go by the short way, and no task must be woken for them. Whatever cannot go now
goes the long way, and what comes after it, too, until that is free.
"""

import struct
from collections.abc import Callable
from typing import Any, Protocol, cast

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

__all__ = ["NoShortWay", "ShortWay", "Sockets", "never", "short_way_of"]

_EXTENSION = "millebornes.short_way"
_TEXT = 0x81
"""The first byte of a text that is one frame."""


class ShortWay(Protocol):
    """Texts in UTF-8, in and out at once."""

    take: Callable[[bytes], bool]
    """Who takes what comes in. False: not now, it has to go the long way."""

    def send_now(self, data: bytes) -> bool:
        """Send. False: not now, it has to go the long way."""
        ...


def never(_: bytes) -> bool:
    """Not now."""
    return False


class NoShortWay:
    """Where the server has none, it is never free."""

    def __init__(self) -> None:
        self.take: Callable[[bytes], bool] = never
        self.send_now = never


def short_way_of(scope: Scope) -> ShortWay:
    """The short way of a connection."""
    extension = (scope.get("extensions") or {}).get(_EXTENSION)
    return NoShortWay() if extension is None else cast("ShortWay", extension["way"])


class Sockets(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn's that offers its short way as an extension of ASGI."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.take: Callable[[bytes], bool] = never
        self._due: list[bytes] = []

    async def run_asgi(self) -> None:
        """Let the application know of the short way, and run."""
        self.scope.setdefault("extensions", {})[_EXTENSION] = {"way": self}
        await super().run_asgi()

    def handle_text(self, event: Frame) -> None:
        """A text has come, or its first part."""
        data = bytes(event.data)
        # What waits already comes first. Whether it is UTF-8 at all, the long way looks.
        is_free = event.fin and not self.close_sent and self.queue.empty() and data.isascii()
        if not (is_free and self.take(data)):
            super().handle_text(event)

    def send_now(self, data: bytes) -> bool:
        """Send a text, unless its reader is slow or gone."""
        if self.conn.state is not State.OPEN or not self.writable.is_set():
            return False
        if not self._due:
            # After whatever else is to be done now: readers woken one by one cost more.
            self.loop.call_soon(self._write_due)
        self._due += (_head(len(data)), data)
        return True

    def _write_due(self) -> None:
        data = b"".join(self._due)
        self._due.clear()
        if not self.transport.is_closing():
            self.transport.write(data)


def _head(size: int) -> bytes:
    """What stands before a text of so many bytes: one frame, not masked (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return struct.pack("!BBH", _TEXT, 126, size)
    return struct.pack("!BBQ", _TEXT, 127, size)
