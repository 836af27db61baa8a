"""Secrets that are the same in every run."""

import hashlib
import itertools


class RepeatableEntropy:
    """The entropy of a server whose deals must not depend on chance."""

    def __init__(self) -> None:
        self._numbers = itertools.count()

    def _bytes(self, size: int) -> bytes:
        start = str(next(self._numbers)).encode()
        return b"".join(
            hashlib.sha256(start + bytes([part])).digest() for part in range(size // 32 + 1)
        )[:size]

    def hex(self, size: int) -> str:
        return self._bytes(size).hex()

    def urlsafe(self, size: int) -> str:
        return self._bytes(size).hex()[: 4 * size // 3 + 1]
