"""Limits per address and per connection that apply before anything is parsed.

It depends only on public interfaces of asyncio (`Protocol`, `Transport`), so it works with every
protocol class of uvicorn. A connection has one place from accept to close, even if it turns from
HTTP into a WebSocket: the transport stays the same.
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
from .limits import Bucket, Buckets, decrement
from .metrics import Metrics
from .requests import as_json

__all__ = ["Guarded", "Place", "Wire", "WireLimits", "answer", "bound_to"]

_ASKS = 10
"""Multiple of `requests_per_second` for an address, including files and new connections."""
_FRAMES = 2
"""Multiple of `messages_per_second` for the frames of one WebSocket."""
_LEAST_TAKEN = 4096
"""Bytes that a client must read within `unread` seconds, unless fewer are waiting."""
_log = logging.getLogger(__name__)
_Act = Callable[[], None]


@dataclass(frozen=True, kw_only=True)
class WireLimits:
    """Bytes, counts and seconds. Tests inject smaller ones."""

    head: int = 16 * 1024
    """Maximum bytes of the request line and headers."""
    headers: int = 100
    """Maximum headers of a request: every lookup scans all of them."""
    request: int = 48 * 1024
    """Maximum bytes of a whole request; bodies have a smaller limit of their own."""
    pipelined: int = 8
    """Maximum pipelined requests on one connection."""
    in_time: float = 15.0
    """Seconds from the connection, or the first byte, to the complete request."""
    unread: float = 30.0
    """Seconds within which a client must read some of what is waiting for it."""
    linger: float = 1.0
    """Seconds in which a client can read why it is refused."""
    look_every: float = 2.5
    """Seconds between two checks of all connections."""


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
        """As rate limits count it; None if the client is behind a proxy."""
        self.due: float | None = None
        """Deadline of the current request."""
        self.late: _Act | None = None
        """Called when the deadline has passed."""
        self.is_blocked = False
        """The write buffer is full: the client reads too slowly."""
        self.is_over = False
        """The connection is refused: further bytes are ignored."""
        self.stuck_at: float | None = None
        self.unsent = 0

    def expects_nothing(self) -> None:
        """Clear the deadline, and the reference to the protocol that set it."""
        self.due = self.late = None


class Wire:
    """Counts every connection of a server, from accept to close."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        metrics: Metrics,
        limits: WireLimits,
        descriptors: tuple[int, int] | None = None,
    ) -> None:
        """`descriptors`: the limit of this process, and how many of them are for connections."""
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
        """Count a connection. None: it is over a limit, and has been refused."""
        known = self._places.get(transport)
        if known is not None:  # upgraded from HTTP to a WebSocket
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
        """Stop counting a connection."""
        if self._places.pop(place.transport, None) is None:
            return
        place.expects_nothing()
        if place.address is not None:
            decrement(self._addresses, place.address)
        self._metrics.set("connections_tcp", len(self._places))

    def _address_of(self, transport: asyncio.Transport) -> str | None:
        peer = transport.get_extra_info("peername")
        host = peer[0] if isinstance(peer, tuple) and peer else "unknown"
        return None if self._trusts_proxy and _is_loopback(host) else address_key(host)

    def _refusal(self, address: str | None) -> bytes | None:
        """The response that refuses a connection; None if there is room for it."""
        if self._descriptors is not None and len(self._places) >= self._descriptors[1]:
            if self._warnings.take():
                _log.error(
                    "out of file descriptors: %d connections are open, and the rest of the %d "
                    "descriptors of this process are reserved. New connections are refused. Raise "
                    "the limit with ulimit -n, or LimitNOFILE= in a systemd service",
                    len(self._places),
                    self._descriptors[0],
                )
            return answer(503, "server_full", self._descriptors[1])
        if address is None:
            return None
        if self._addresses[address] >= self._most_each:
            return answer(429, "too_many_connections", self._most_each)
        return None if self._asks.take(address) else answer(429, "too_many", 0)

    def allows_request(self, place: Place) -> bool:
        """Count a request. Far above the application's limit: this only saves it the work."""
        return place.address is None or self._asks.take(place.address)

    def frames(self) -> Bucket:
        """A bucket for the frames of one WebSocket that do not take the fast path."""
        return Bucket(self._clock, burst=3 * self._most_frames, rate=self._most_frames / 1000)

    def count_limited(self) -> None:
        """Count a client refused by a rate limit."""
        self._metrics.add("rate_limited_total")

    def count_slow(self) -> None:
        """Count a client dropped for being too slow."""
        self._metrics.add("connections_dropped_total")

    def _look_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._looking = loop.call_later(self.limits.look_every, self._look)

    def _look(self) -> None:
        """Check all connections at once, instead of a timer for each to set and cancel."""
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
                transport.abort()  # close() would wait for the reader forever
            return
        place.stuck_at = None
        if place.due is not None and now >= place.due:
            place.due = None
            self.count_slow()
            if place.late is not None:
                place.late()


class Guarded(asyncio.Protocol):
    """Mixin for protocol classes: counts the connection, and applies backpressure."""

    wire: ClassVar[Wire]

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._place: Place | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Serve a connection if it is within the limits."""
        self._place = self.wire.enter(transport)
        if self._place is not None:
            super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        if self._place is not None:
            self.wire.leave(self._place)
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on, unless the connection is refused."""
        place = self._place
        if place is None:
            return
        if not place.is_over:
            super().data_received(data)
        if place.is_blocked or place.is_over:
            # uvicorn resumes reading after each message, even if responses are waiting.
            place.transport.pause_reading()

    def pause_writing(self) -> None:
        """Stop reading while the client does not read its responses."""
        if self._place is not None:
            self._place.is_blocked = True
            self._place.transport.pause_reading()
            super().pause_writing()

    def resume_writing(self) -> None:
        """Resume reading: the client has read its responses."""
        if self._place is not None:
            self._place.is_blocked = False
            super().resume_writing()
            if not self._place.is_over and not self._pauses_reading():
                self._place.transport.resume_reading()

    def _pauses_reading(self) -> bool:
        """Whether uvicorn itself has paused reading."""
        return bool(getattr(self, "read_paused", False))

    def _turn_away(self, place: Place, last_words: bytes = b"", *, ends: bool = False) -> None:
        """Send the reason, stop reading, and close after a while in which it can be read.

        `ends`: nothing else writes to the connection, so the response can end at once.
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
        # Closing with unread bytes resets the connection, and the reason may be lost.
        asyncio.get_running_loop().call_later(self.wire.limits.linger, transport.abort)


def bound_to(wire: Wire, protocol: type[Guarded]) -> type[asyncio.Protocol]:
    """A subclass with the server's wire, for uvicorn, which creates the instances itself."""
    return type(protocol.__name__, (protocol,), {"wire": wire})


@functools.cache
def answer(status: int, code: str, most: int) -> bytes:
    """A complete HTTP error response, for requests that have not been parsed.

    `most` is the limit that the sentence mentions, if any.
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
