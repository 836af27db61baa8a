"""The source of secret randomness."""

import secrets
from typing import Protocol

__all__ = ["Entropy", "SystemEntropy"]


class Entropy(Protocol):
    """A source of unguessable secrets. Tests inject their own."""

    def hex(self, size: int) -> str:
        """`size` random bytes as hexadecimal digits."""
        ...

    def urlsafe(self, size: int) -> str:
        """`size` random bytes in URL-safe characters."""
        ...


class SystemEntropy:
    """Randomness from the operating system."""

    def hex(self, size: int) -> str:
        """`size` random bytes as hexadecimal digits."""
        return secrets.token_hex(size)

    def urlsafe(self, size: int) -> str:
        """`size` random bytes in URL-safe characters."""
        return secrets.token_urlsafe(size)
