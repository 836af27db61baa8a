"""How much of something one may have: so many at once, and so many more each second."""

from collections import OrderedDict

from .clock import Clock

__all__ = ["Bucket", "Buckets"]


class Bucket:
    """So many at once, and so many more each second."""

    __slots__ = ("_burst", "_clock", "_level", "_rate", "_then")

    def __init__(self, clock: Clock, burst: float, rate: float) -> None:
        self._clock = clock
        self._burst = self._level = float(burst)
        self._rate = rate
        """Each millisecond."""
        self._then = clock.now()

    def take(self) -> bool:
        """Take one token; False if there is none."""
        now = self._clock.now()
        if now != self._then:
            self._level = min(self._burst, self._level + (now - self._then) * self._rate)
            self._then = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


class Buckets:
    """One bucket for each key; those not asked for longest are forgotten when there are many."""

    def __init__(self, clock: Clock, burst: float, per_second: float, most: int = 10_000) -> None:
        self._clock = clock
        self._burst = burst
        self._rate = per_second / 1000
        self._most = most
        self._kept: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str) -> bool:
        """Take one token; False if there is none."""
        bucket = self._kept.get(key)
        if bucket is None:
            bucket = self._kept[key] = self.new()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return bucket.take()

    def new(self) -> Bucket:
        """A full bucket that somebody keeps for themselves."""
        return Bucket(self._clock, self._burst, self._rate)
