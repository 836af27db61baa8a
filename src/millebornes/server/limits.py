"""Rate limits: token buckets by guest and by address."""

from collections import Counter, OrderedDict
from weakref import WeakValueDictionary

from .clock import Clock

__all__ = ["Allowance", "Allowances", "Bucket", "Buckets", "decrement"]


def decrement(counts: Counter[str], key: str) -> None:
    """Decrement the count of a key, and drop the key at zero."""
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


class Bucket:
    """A token bucket."""

    __slots__ = ("__weakref__", "_burst", "_clock", "_level", "_rate", "_then")

    def __init__(self, clock: Clock, burst: float, rate: float) -> None:
        self._clock = clock
        self._burst = self._level = float(burst)
        self._rate = rate
        """Tokens per millisecond."""
        self._then = clock.now()

    def take(self, tokens: int = 1) -> bool:
        """Take tokens, but at most a full bucket. If there are too few, take none: False."""
        now = self._clock.now()
        if now != self._then:
            self._level = min(self._burst, self._level + (now - self._then) * self._rate)
            self._then = now
        if self._level >= tokens:
            self._level -= tokens
        elif self._level >= self._burst:  # more than the bucket can hold: take all
            self._level = 0.0
        else:
            return False
        return True


class Buckets:
    """One token bucket per key; the least recently used are evicted.

    Evicting a bucket refills it. A bucket that has not been used for as long as it takes to fill
    is full anyway, so an attacker would have to use `most` other keys within that time: some
    seconds, or a minute for new guests. One address cannot make that many requests. Many
    addresses can, but gain only what the next address would have had.
    """

    def __init__(self, clock: Clock, burst: float, per_second: float, most: int = 10_000) -> None:
        self._clock = clock
        self._burst = burst
        self._rate = per_second / 1000
        self._most = most
        self._kept: OrderedDict[str, Bucket] = OrderedDict()
        self._held: WeakValueDictionary[str, Bucket] = WeakValueDictionary()
        """All buckets in use, evicted or not: an open connection keeps using the same one."""

    def take(self, key: str) -> bool:
        """Take one token; False if there is none."""
        return self.of(key).take()

    def of(self, key: str) -> Bucket:
        """The bucket of a key; always the same one while anything refers to it."""
        bucket = self._kept.get(key)
        if bucket is None:
            bucket = self._held.get(key) or Bucket(self._clock, self._burst, self._rate)
            self._kept[key] = self._held[key] = bucket
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return bucket


class Allowance:
    """The rate limit of a guest at an address: tokens must be in both buckets."""

    __slots__ = ("own", "shared")

    def __init__(self, own: Bucket, shared: Bucket) -> None:
        self.own = own
        """The guest's bucket."""
        self.shared = shared
        """The bucket of the address, which its other guests share."""

    def take(self, tokens: int = 1) -> bool:
        """Take tokens from both; False if either has too few."""
        # Their own first: a guest over their limit must not use up their neighbours' tokens.
        return self.own.take(tokens) and self.shared.take(tokens)


class Allowances:
    """Rate limits per guest, across all connections, and per address, across all guests."""

    def __init__(self, guests: Buckets, addresses: Buckets) -> None:
        self._guests = guests
        self._addresses = addresses

    def of(self, guest: str, address: str) -> Allowance:
        """The rate limit of a guest at an address."""
        return Allowance(self._guests.of(guest), self._addresses.of(address))
