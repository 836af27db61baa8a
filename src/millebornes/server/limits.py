"""How much of something one may have: so many at once, and so many more each second."""

from collections import Counter, OrderedDict
from weakref import WeakValueDictionary

from .clock import Clock

__all__ = ["Allowance", "Allowances", "Bucket", "Buckets", "count_off"]


def count_off(counts: Counter[str], key: str) -> None:
    """One less of a key; one that has none left is forgotten."""
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


class Bucket:
    """So many at once, and so many more each second."""

    __slots__ = ("__weakref__", "_burst", "_clock", "_level", "_rate", "_then")

    def __init__(self, clock: Clock, burst: float, rate: float) -> None:
        self._clock = clock
        self._burst = self._level = float(burst)
        self._rate = rate
        """Each millisecond."""
        self._then = clock.now()

    def take(self, tokens: int = 1) -> bool:
        """Take so many tokens, at most a full bucket; False, and none taken, if there are fewer."""
        now = self._clock.now()
        if now != self._then:
            self._level = min(self._burst, self._level + (now - self._then) * self._rate)
            self._then = now
        if self._level >= tokens:
            self._level -= tokens
        elif self._level >= self._burst:  # more than it can ever hold: all of it
            self._level = 0.0
        else:
            return False
        return True


class Buckets:
    """One bucket for each key; when there are many, those not asked for longest are forgotten.

    Forgetting a bucket would fill it. But one that nobody has asked for in the time in which it
    fills is full anyway, so flushing a bucket takes `most` other keys within that time: some
    seconds, or a minute for new guests. One address cannot do that: it may not make so many
    requests. Many addresses can, and gain what the next of them would have had.
    """

    def __init__(self, clock: Clock, burst: float, per_second: float, most: int = 10_000) -> None:
        self._clock = clock
        self._burst = burst
        self._rate = per_second / 1000
        self._most = most
        self._kept: OrderedDict[str, Bucket] = OrderedDict()
        self._held: WeakValueDictionary[str, Bucket] = WeakValueDictionary()
        """Those that somebody has, too: whoever has a connection keeps using the same."""

    def take(self, key: str) -> bool:
        """Take one token; False if there is none."""
        return self.of(key).take()

    def of(self, key: str) -> Bucket:
        """The bucket of a key, for as long as anybody has it."""
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
    """What a guest may have where they are: their own bucket and their address's must have it."""

    __slots__ = ("own", "shared")

    def __init__(self, own: Bucket, shared: Bucket) -> None:
        self.own = own
        """The guest's."""
        self.shared = shared
        """The address's: that it is empty may be a neighbour's fault."""

    def take(self, tokens: int = 1) -> bool:
        """Take so many tokens of both; False if one of them has too few."""
        # First their own: whoever has used that up takes nothing from their neighbours.
        return self.own.take(tokens) and self.shared.take(tokens)


class Allowances:
    """So much for each guest, however they connect, and for each address, however many they are."""

    def __init__(self, guests: Buckets, addresses: Buckets) -> None:
        self._guests = guests
        self._addresses = addresses

    def of(self, guest: str, address: str) -> Allowance:
        """The allowance of a guest at an address."""
        return Allowance(self._guests.of(guest), self._addresses.of(address))
