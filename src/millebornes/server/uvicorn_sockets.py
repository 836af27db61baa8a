"""WebSockets of uvicorn whose frames are counted, and such that also offer the short way.

Everything that leans on uvicorn's and websockets' own parts is here; `protocols` imports it, and
goes without the short way where a part is missing.
"""

import asyncio
import struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from millebornes.table.close_codes import CloseCode

from .frame_count import FrameCount
from .short_way import EXTENSION, never
from .wire import Guarded

try:
    from websockets.speedups import apply_mask
except ImportError:  # it has none on this machine
    from websockets.utils import apply_mask

__all__ = ["PARTS", "CountedSockets", "Sockets"]

_TEXT = 0x81
"""The first byte of a text that is one frame."""
_SHORT = 1024
"""Most bytes of a frame that is read here."""
_WHY = b"too many frames"
_TOO_MANY_FRAMES = struct.pack("!BBH", 0x88, 2 + len(_WHY), CloseCode.TOO_MANY) + _WHY
"""A frame that closes (RFC 6455, 5.5.1)."""


class CountedSockets(Guarded, WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn's that counts every frame before it is parsed.

    A bucket of each connection counts what is not read the short way. It is wider than that of
    messages, which the connection counts itself: who keeps within that limit never meets this one.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._frames = FrameCount()
        self._may = self.wire.frames().take
        self._is_asked = False
        """The request for a WebSocket has come; only frames follow."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """What was HTTP becomes a WebSocket, and may be silent."""
        super().connection_made(transport)
        if self._place is not None:
            self._place.expects_nothing()

    def data_received(self, data: bytes) -> None:
        """Bytes have come: as many frames as this connection may still send."""
        if not self._is_asked:  # uvicorn gives the request that HTTP has read once more
            self._is_asked = data.endswith(b"\r\n\r\n")
        elif not self._frames.count(data, self._may):
            self._refuse()
            return
        super().data_received(data)

    def _refuse(self) -> None:
        place = self._place
        if place is None or place.is_over:
            return
        self.wire.count_limited()
        # Before the handshake nobody would understand a frame.
        is_open = getattr(self, "handshake_complete", False)
        self._turn_away(place, _TOO_MANY_FRAMES if is_open else b"")


class Sockets(CountedSockets):
    """A WebSocket of uvicorn's that offers its short way as an extension of ASGI."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.take = never
        self._due: list[bytes] = []
        self._is_tidy = True
        """Whatever has come so far came as one whole frame at a time."""

    async def run_asgi(self) -> None:
        """Let the application know of the short way, and run."""
        scope = getattr(self, "scope", None)  # made by the handshake: no probe can look for it
        if scope is not None:
            scope.setdefault("extensions", {})[EXTENSION] = {"way": self}
        await super().run_asgi()

    def data_received(self, data: bytes) -> None:
        """Bytes have come. Mostly they are one short text, and need no more than to be read."""
        if not (self._is_tidy and self.handshake_initiated and self._read(data)):
            super().data_received(data)

    def _read(self, data: bytes) -> bool:
        """Read bytes that are one text; False if somebody else has to."""
        start = _start_of_only_frame(data)
        if start is None:
            self._is_tidy = False
            return False
        is_text = data[0] == _TEXT and self.conn.state is State.OPEN
        return is_text and self._take(apply_mask(data[start:], data[start - 4 : start]))

    def handle_text(self, event: Frame) -> None:
        """A text has come, or its first part."""
        if not (event.fin and self._take(bytes(event.data))):
            super().handle_text(event)

    def _take(self, data: bytes) -> bool:
        # What waits already comes first. Whether it is UTF-8 at all, the long way looks.
        is_free = not self.close_sent and self.queue.empty() and data.isascii()
        return is_free and self.take(data)

    def send_now(self, data: bytes) -> bool:
        """Send a text, unless its reader is slow or gone."""
        if self.conn.state is not State.OPEN or not self.writable.is_set():
            return False
        if not self._due:
            # After whatever else is to be done now: readers woken one by one cost more.
            self.loop.call_soon(self._write_due)
        self._due += (_head(len(data)), data)
        return True

    def drop(self) -> None:
        """Close now: a transport that is closed keeps what nobody reads, and its descriptor."""
        self.transport.abort()

    def _write_due(self) -> None:
        data = b"".join(self._due)
        self._due.clear()
        if not self.transport.is_closing():
            self.transport.write(data)


PARTS = (
    *("loop", "transport", "close_sent", "handshake_initiated"),
    *("conn.state", "queue.empty", "writable.is_set"),
    *("data_received", "handle_text", "run_asgi"),
)
"""What `Sockets` uses of the class it is made from, and nobody has promised to keep."""


def _start_of_only_frame(data: bytes) -> int | None:
    """Where the content begins if these bytes are a short frame of a client, whole and no more.

    The first part of a longer message is none, nor is what follows it (RFC 6455, 5.2).
    """
    if not 6 <= len(data) <= _SHORT or not data[0] & 0x80:
        return None
    start, size = 6, data[1] - 0x80
    if size == 126:
        start, size = 8, int.from_bytes(data[2:4], "big")
    return start if len(data) == start + size else None


def _head(size: int) -> bytes:
    """What stands before a text of so many bytes: one frame, not masked (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return struct.pack("!BBH", _TEXT, 126, size)
    return struct.pack("!BBQ", _TEXT, 127, size)
