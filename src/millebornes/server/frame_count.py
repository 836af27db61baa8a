"""How many frames are in the bytes of a WebSocket, told before anybody parses them."""

from collections.abc import Callable

__all__ = ["BYTES_PER_TOKEN", "FrameCount"]

BYTES_PER_TOKEN = 8192
"""Large frames are work, too: so many bytes count like one more frame."""


class FrameCount:
    """Walks from head to head (RFC 6455, 5.2), however the bytes are cut into packets."""

    __slots__ = ("_bytes", "_head", "_left")

    def __init__(self) -> None:
        self._head = bytearray()
        """What has come of a head that is not whole yet."""
        self._left = 0
        """Bytes of content until the next head."""
        self._bytes = 0
        """Bytes that no token was taken for so far."""

    def count(self, data: bytes, may: Callable[[], bool]) -> bool:
        """Ask `may` once for each frame that begins here and for every so many bytes.

        False at its first no: one packet may hold 40,000 empty frames, and walking over all of
        them would be what this is to prevent.
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
        """Read on in a head; where the reading ended."""
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
    """Bytes of a whole head, as far as its beginning tells."""
    if len(head) < 2:
        return 2
    size, mask = head[1] & 0x7F, 4 if head[1] & 0x80 else 0
    extended = 0 if size < 126 else 2 if size == 126 else 8
    return 2 + extended + mask
