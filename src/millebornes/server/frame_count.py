"""Counts the frames in the raw bytes of a WebSocket, before anything parses them."""

from collections.abc import Callable

__all__ = ["BYTES_PER_TOKEN", "FrameCount"]

BYTES_PER_TOKEN = 8192
"""Large frames cost more: every 8 KiB count as one more frame."""


class FrameCount:
    """Walks from header to header (RFC 6455, 5.2), however the bytes are split into packets."""

    __slots__ = ("_bytes", "_head", "_left")

    def __init__(self) -> None:
        self._head = bytearray()
        """The first bytes of an incomplete header."""
        self._left = 0
        """Payload bytes until the next header."""
        self._bytes = 0
        """Bytes not yet paid for with a token."""

    def count(self, data: bytes, may: Callable[[], bool]) -> bool:
        """Call `may` once for each frame that begins here and for every `BYTES_PER_TOKEN` bytes.

        Return False at its first False: one packet can hold 40,000 empty frames, and walking
        over all of them is the cost that this limit prevents.
        """
        self._bytes += len(data)
        while self._bytes >= BYTES_PER_TOKEN:
            self._bytes -= BYTES_PER_TOKEN
            if not may():
                return False
        at = 0
        while at < len(data):
            if self._left:
                step = min(self._left, len(data) - at)
                self._left -= step
                at += step
                continue
            if not self._head and not may():
                return False
            at = self._read_head(data, at)
        return True

    def _read_head(self, data: bytes, at: int) -> int:
        """Continue reading a header; return the position after it."""
        head = self._head
        while (missing := _size_of_head(head) - len(head)) > 0:
            more = data[at : at + missing]
            if not more:
                return at
            head += more
            at += len(more)
        size = head[1] & 0x7F
        if size > 125:
            size = int.from_bytes(head[2 : 4 if size == 126 else 10], "big")
        self._left = size
        head.clear()
        return at


def _size_of_head(head: bytearray) -> int:
    """Bytes in the whole header, as far as its first bytes determine it."""
    if len(head) < 2:
        return 2
    size, mask = head[1] & 0x7F, 4 if head[1] & 0x80 else 0
    extended = 0 if size < 126 else 2 if size == 126 else 8
    return 2 + extended + mask
