"""What one address and one connection may take before anything they say is understood.

It leans on the public interfaces of asyncio only (`Protocol`, `Transport`), so it holds for every
protocol class of uvicorn's. A place is taken when a connection is accepted and given back when it
is lost, whatever it was in between: its transport is the same for HTTP and as a WebSocket.
"""

import asyncio
import functools
import ipaddress
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar, cast

from millebornes.table import Refused
from millebornes.table.rest import ErrorBody
from millebornes.words import words

from .admission import address_key
from .clock import Clock
from .config import Config
from .headers import put_headers
from .limits import Bucket, Buckets, count_off
from .metrics import Metrics
from .requests import as_json

__all__ = ["Guarded", "Place", "Wire", "WireLimits", "answer", "bound_to"]

_ASKS = 10
"""So many times `requests_per_second` may an address ask, files and new connections included."""
_FRAMES = 2
"""So many times `messages_per_second` are the frames of one WebSocket."""
_LEAST_TAKEN = 4096
"""Bytes that a client takes within `unread` seconds, unless fewer wait for it."""
_log = logging.getLogger(__name__)
_Act = Callable[[], None]


@dataclass(frozen=True, kw_only=True)
class WireLimits:
    """Bytes, counts and seconds. Tests bring smaller ones."""

    head: int = 16 * 1024
    """Bytes of a request's first line and headers."""
    headers: int = 100
    """Headers of a request: each is looked at again and again by whoever looks for another."""
    request: int = 48 * 1024
    """Bytes of a whole request; bodies have a smaller limit of their own."""
    pipelined: int = 8
    """Requests of one connection that wait for their answers."""
    in_time: float = 15.0
    """Seconds from the connection, or the first byte, to a whole request."""
    unread: float = 30.0
    """Seconds in which a client must take some of what waits for it."""
    linger: float = 1.0
    """Seconds in which a client may read why it is turned away."""
    look_every: float = 2.5
    """Seconds between two looks at all connections."""


class Place:
    """One open connection."""

    __slots__ = (
        "address",
        "due",
        "is_blocked",
        "is_over",
        "late",
        "stuck_at",
        "transport",
        "unsent",
    )

    def __init__(self, transport: asyncio.Transport, address: str | None) -> None:
        self.transport = transport
        self.address = address
        """As limits count it; None if its client is somewhere behind a proxy."""
        self.due: float | None = None
        """When a whole request must have come."""
        self.late: _Act | None = None
        """What is done if it has not."""
        self.is_blocked = False
        """More waits to be sent than its client takes."""
        self.is_over = False
        """It is turned away: whatever still comes is not looked at."""
        self.stuck_at: float | None = None
        self.unsent = 0

    def expects_nothing(self) -> None:
        """No request is awaited any more; nor is whoever awaited it kept in memory by this."""
        self.due = self.late = None


class Wire:
    """Every connection of a server, counted from its first moment to its last."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        metrics: Metrics,
        limits: WireLimits,
        descriptors: tuple[int, int] | None = None,
    ) -> None:
        """`descriptors`: how many this process may have, and how many of them for connections."""
        self.limits = limits
        self._metrics = metrics
        self._trusts_proxy = config.trust_proxy
        self._most_each = config.connections_per_address
        self._descriptors = descriptors
        self._clock = clock
        asks, frames = _ASKS * config.requests_per_second, _FRAMES * config.messages_per_second
        self._asks = Buckets(clock, burst=3 * asks, per_second=asks)
        self._most_frames = frames
        self._warnings = Bucket(clock, burst=1, rate=1 / 60_000)
        self._places: dict[asyncio.BaseTransport, Place] = {}
        self._addresses: Counter[str] = Counter()
        self._looking: asyncio.TimerHandle | None = None

    def enter(self, transport: asyncio.BaseTransport) -> Place | None:
        """Take a place; None if there is none, and then the connection ends at once."""
        known = self._places.get(transport)
        if known is not None:  # it was accepted for HTTP, and becomes a WebSocket
            return known
        wire = cast("asyncio.Transport", transport)
        address = self._address_of(wire)
        refusal = self._refusal(address)
        if refusal is not None:
            self._metrics.add("connections_refused_total")
            wire.write(refusal)
            wire.close()
            return None
        place = self._places[transport] = Place(wire, address)
        if address is not None:
            self._addresses[address] += 1
        self._metrics.set("connections_tcp", len(self._places))
        if self._looking is None:
            self._look_later()
        return place

    def leave(self, place: Place) -> None:
        """Give a place back."""
        if self._places.pop(place.transport, None) is None:
            return
        place.expects_nothing()
        if place.address is not None:
            count_off(self._addresses, place.address)
        self._metrics.set("connections_tcp", len(self._places))

    def _address_of(self, transport: asyncio.Transport) -> str | None:
        peer = transport.get_extra_info("peername")
        host = peer[0] if isinstance(peer, tuple) and peer else "unknown"
        return None if self._trusts_proxy and _is_loopback(host) else address_key(host)

    def _refusal(self, address: str | None) -> bytes | None:
        """Why there is no place; None if there is one."""
        if self._descriptors is not None and len(self._places) >= self._descriptors[1]:
            if self._warnings.take():
                _log.error(
                    "file descriptors run out: %d connections are open, and of the %d descriptors "
                    "of this process no more are for connections. New ones are refused. Raise the "
                    "limit: ulimit -n, or LimitNOFILE= of a systemd service",
                    len(self._places),
                    self._descriptors[0],
                )
            return answer(503, "server_full", self._descriptors[1])
        if address is None:
            return None
        if self._addresses[address] >= self._most_each:
            return answer(429, "too_many_connections", self._most_each)
        return None if self._asks.take(address) else answer(429, "too_many", 0)

    def may_ask(self, place: Place) -> bool:
        """One more request. Far above what the application allows: this only spares it the work."""
        return place.address is None or self._asks.take(place.address)

    def frames(self) -> Bucket:
        """For the frames of one WebSocket that are no ordinary message, and for its bytes."""
        return Bucket(self._clock, burst=3 * self._most_frames, rate=self._most_frames / 1000)

    def count_limited(self) -> None:
        """Somebody was turned away for asking too much."""
        self._metrics.add("rate_limited_total")

    def count_slow(self) -> None:
        """Somebody was dropped for being too slow."""
        self._metrics.add("connections_dropped_total")

    def _look_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._looking = loop.call_later(self.limits.look_every, self._look)

    def _look(self) -> None:
        """One look at all of them instead of timers for each: nothing has to be cancelled."""
        self._looking = None
        now = asyncio.get_running_loop().time()
        for place in list(self._places.values()):
            self._look_at(place, now)
        if self._places:
            self._look_later()

    def _look_at(self, place: Place, now: float) -> None:
        transport = place.transport
        if place.is_blocked or transport.is_closing():
            unsent = transport.get_write_buffer_size()
            if place.stuck_at is None or (
                now - place.stuck_at >= self.limits.unread and place.unsent - unsent >= _LEAST_TAKEN
            ):
                place.stuck_at, place.unsent = now, unsent
            elif now - place.stuck_at >= self.limits.unread:
                self.count_slow()
                transport.abort()  # a transport that only closes waits for its reader for ever
            return
        place.stuck_at = None
        if place.due is not None and now >= place.due:
            place.due = None
            self.count_slow()
            if place.late is not None:
                place.late()


class Guarded(asyncio.Protocol):
    """Goes before a protocol class: no connection without a place, no reading into full buffers."""

    wire: ClassVar[Wire]

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._place: Place | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection has come: serve it if there is a place."""
        self._place = self.wire.enter(transport)
        if self._place is not None:
            super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        if self._place is not None:
            self.wire.leave(self._place)
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        place = self._place
        if place is None:
            return
        if not place.is_over:
            super().data_received(data)
        if place.is_blocked or place.is_over:
            # uvicorn reads on when a message was taken, whether or not answers wait.
            place.transport.pause_reading()

    def pause_writing(self) -> None:
        """Answers wait to be read: take no more questions."""
        if self._place is not None:
            self._place.is_blocked = True
            self._place.transport.pause_reading()
            super().pause_writing()

    def resume_writing(self) -> None:
        """They have been read."""
        if self._place is not None:
            self._place.is_blocked = False
            super().resume_writing()
            if not self._place.is_over and not self._pauses_reading():
                self._place.transport.resume_reading()

    def _pauses_reading(self) -> bool:
        """Whether uvicorn has a reason of its own not to read."""
        return bool(getattr(self, "read_paused", False))

    def _turn_away(self, place: Place, last_words: bytes = b"", *, ends: bool = False) -> None:
        """Say why, read nothing more, and hang up when that can have been read.

        `ends`: nobody else writes any more, so the client need not wait for the end.
        """
        place.is_over = True
        place.due = None
        transport = place.transport
        if not last_words or transport.is_closing():
            transport.close()
            return
        transport.write(last_words)
        if ends and transport.can_write_eof():
            transport.write_eof()
        transport.pause_reading()
        # Closing while something is unread resets the connection, and the words may be lost.
        asyncio.get_running_loop().call_later(self.wire.limits.linger, transport.abort)


def bound_to(wire: Wire, protocol: type[Guarded]) -> type[asyncio.Protocol]:
    """A protocol class for uvicorn, which makes its objects itself, for this server."""
    return type(protocol.__name__, (protocol,), {"wire": wire})


@functools.cache
def answer(status: int, code: str, most: int) -> bytes:
    """The whole answer to a request that nobody has read, in the form of every error.

    `most` is the limit that it names, if it names one.
    """
    response = as_json(ErrorBody(code, words().sentence(Refused(code, {"most": most}))), status)
    put_headers(response.headers)
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()]
    lines += [name + b": " + value for name, value in response.raw_headers]
    return b"\r\n".join([*lines, b"connection: close", b"", bytes(response.body)])


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False
