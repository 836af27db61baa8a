"""Secrets: where the server's randomness comes from."""

import secrets
from typing import Protocol

__all__ = ["Entropy", "SystemEntropy"]


class Entropy(Protocol):
    """Gives secrets that nobody can guess. Tests bring their own."""

    def hex(self, size: int) -> str:
        """So many random bytes, as hexadecimal digits."""
        ...

    def urlsafe(self, size: int) -> str:
        """So many random bytes, in characters that a link can hold."""
        ...


class SystemEntropy:
    """The randomness of the operating system."""

    def hex(self, size: int) -> str:
        """So many random bytes, as hexadecimal digits."""
        return secrets.token_hex(size)

    def urlsafe(self, size: int) -> str:
        """So many random bytes, in characters that a link can hold."""
        return secrets.token_urlsafe(size)
