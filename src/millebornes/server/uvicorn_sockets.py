"""uvicorn's WebSocket protocol with a limit on frames, and with the fast path.

All code that depends on internals of uvicorn's WebSocket protocol and of websockets is here;
`protocols` imports it, and does without the fast path if an internal is missing.
"""

import asyncio
import struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from millebornes.table.close_codes import CloseCode

from .fast_path import EXTENSION, never
from .frame_count import FrameCount
from .wire import Guarded

try:
    from websockets.speedups import apply_mask
except ImportError:  # not compiled for this machine
    from websockets.utils import apply_mask

__all__ = ["PARTS", "CountedSockets", "Sockets"]

_TEXT = 0x81
"""The first byte of an unfragmented text frame."""
_SHORT = 1024
"""Maximum bytes of a frame on the fast path."""
_WHY = b"too many frames"
_TOO_MANY_FRAMES = struct.pack("!BBH", 0x88, 2 + len(_WHY), CloseCode.TOO_MANY) + _WHY
"""A close frame (RFC 6455, 5.5.1)."""


class CountedSockets(Guarded, WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with a rate limit on frames before they are parsed.

    Each connection has a token bucket for frames that do not take the fast path. It is larger
    than the bucket for messages (in `Connection`), so a client within that limit never meets it.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._frames = FrameCount()
        self._may = self.wire.frames().take
        self._is_upgraded = False
        """The upgrade request has arrived; only frames follow."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Stop the timeout of HTTP: a WebSocket may be silent."""
        super().connection_made(transport)
        if self._place is not None:
            self._place.expects_nothing()

    def data_received(self, data: bytes) -> None:
        """Count the frames, and refuse if they are over the limit."""
        if not self._is_upgraded:  # uvicorn first replays the HTTP request
            self._is_upgraded = data.endswith(b"\r\n\r\n")
        elif not self._frames.count(data, self._may):
            self._refuse()
            return
        super().data_received(data)

    def _refuse(self) -> None:
        place = self._place
        if place is None or place.is_over:
            return
        self.wire.count_limited()
        # Before the handshake the client would not understand a frame.
        is_open = getattr(self, "handshake_complete", False)
        self._turn_away(place, _TOO_MANY_FRAMES if is_open else b"")


class Sockets(CountedSockets):
    """The same with the fast path, offered as an ASGI extension."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.take = never
        self._due: list[bytes] = []
        self._is_tidy = True
        """So far every packet was exactly one frame."""

    async def run_asgi(self) -> None:
        """Add the fast path to the scope, and run the application."""
        scope = getattr(self, "scope", None)  # set by the handshake, so PARTS cannot include it
        if scope is not None:
            scope.setdefault("extensions", {})[EXTENSION] = {"way": self}
        await super().run_asgi()

    def data_received(self, data: bytes) -> None:
        """Handle the usual packet, one short text frame, on the fast path."""
        if not (self._is_tidy and self.handshake_initiated and self._read(data)):
            super().data_received(data)

    def _read(self, data: bytes) -> bool:
        """Handle bytes that are one text frame; False if uvicorn must handle them."""
        start = _start_of_only_frame(data)
        if start is None:
            self._is_tidy = False
            return False
        is_text = data[0] == _TEXT and self.conn.state is State.OPEN
        return is_text and self._take(apply_mask(data[start:], data[start - 4 : start]))

    def handle_text(self, event: Frame) -> None:
        """Handle a text frame that uvicorn has parsed, or its first fragment."""
        if not (event.fin and self._take(bytes(event.data))):
            super().handle_text(event)

    def _take(self, data: bytes) -> bool:
        # Messages in the queue come first, and only the queue checks for valid UTF-8.
        is_free = not self.close_sent and self.queue.empty() and data.isascii()
        return is_free and self.take(data)

    def send_now(self, data: bytes) -> bool:
        """Send a text, unless the client is slow or gone."""
        if self.conn.state is not State.OPEN or not self.writable.is_set():
            return False
        if not self._due:
            # Write once per loop iteration: waking readers one by one costs more.
            self.loop.call_soon(self._write_due)
        self._due += (_head(len(data)), data)
        return True

    def drop(self) -> None:
        """Abort: a transport that only closes keeps unread data, and its file descriptor."""
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
"""The undocumented attributes of its base class that `Sockets` uses."""


def _start_of_only_frame(data: bytes) -> int | None:
    """Start of the payload if these bytes are exactly one short, masked frame; else None.

    Fragments of a longer message do not qualify (RFC 6455, 5.2).
    """
    if not 6 <= len(data) <= _SHORT or not data[0] & 0x80:
        return None
    start, size = 6, data[1] - 0x80
    if size == 126:
        start, size = 8, int.from_bytes(data[2:4], "big")
    return start if len(data) == start + size else None


def _head(size: int) -> bytes:
    """The header of an unmasked text frame with `size` bytes (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return struct.pack("!BBH", _TEXT, 126, size)
    return struct.pack("!BBQ", _TEXT, 127, size)
