"""The keyed shuffle: a key gives one deck order, the same on every machine, in every release.

Fisher–Yates from the top index down, fed by HMAC-SHA512 in counter mode, with rejection
sampling, so that every order is equally likely. The caller supplies the key; nothing here is
random.
"""

import hashlib
import hmac
from collections.abc import Iterator

__all__ = ["key_from_seed", "shuffled"]

_WORD = 1 << 32


def key_from_seed(seed: str, hand: int) -> bytes:
    """The key of one hand of a match with a seed. Hands count from 1."""
    return hashlib.sha512(f"millebornes seed|{hand}|{seed}".encode(errors="surrogatepass")).digest()


def shuffled(key: bytes, size: int) -> tuple[int, ...]:
    """The order of a deck of `size` cards: indices into the canonical deck."""
    order = list(range(size))
    words = _words(key)
    for i in range(size - 1, 0, -1):
        j = _below(i + 1, words)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def _words(key: bytes) -> Iterator[int]:
    """An endless stream of 32-bit words: block n is HMAC-SHA512(key, n as 8 bytes)."""
    block = 0
    while True:
        digest = hmac.digest(key, block.to_bytes(8, "big"), "sha512")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """A uniform choice from 0 to bound - 1: rejects words that would favour small results."""
    limit = _WORD - _WORD % bound
    return next(word for word in words if word < limit) % bound
