"""Who may talk to this server, how much, and what browsers are told about it."""

import hashlib
import ipaddress
import secrets
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .clock import Clock

__all__ = [
    "Bucket",
    "Buckets",
    "SecurityHeaders",
    "address_key",
    "hash_token",
    "is_origin_allowed",
    "new_token",
    "preferred_language",
    "put_headers",
]

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def new_token() -> str:
    """A guest's token: 256 bits."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """A token as it is kept at rest."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_origin_allowed(
    headers: Headers, scheme: str, allowed: Iterable[str], may_be_missing: bool
) -> bool:
    """Is this request from our own pages, or from a page the operator allows?

    Programs send no Origin; browsers always do when something could change. A page of ours is
    one whose address is the address that was asked for. An https page may reach us over http
    (a proxy ends the encryption), never the other way round.
    """
    origin = headers.get("origin")
    if origin is None:
        return may_be_missing
    if origin in allowed:
        return True
    host = headers.get("host", "")
    schemes = ("https",) if scheme in ("https", "wss") else ("http", "https")
    return bool(host) and origin in [f"{ours}://{host}" for ours in schemes]


def address_key(host: str) -> str:
    """The address that limits count by: whoever has one IPv6 address has its whole /64."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


def preferred_language(header: str, known: Sequence[str]) -> str | None:
    """The best language of an Accept-Language header that we speak."""
    best: tuple[float, str] | None = None
    for part in header[:1000].split(","):
        tag, _, rest = part.partition(";")
        language = tag.strip().lower().partition("-")[0]
        weight = 1.0
        if rest.strip().startswith("q="):
            try:
                weight = float(rest.strip()[2:])
            except ValueError:
                weight = 0.0
        if language in known and weight > 0 and (best is None or weight > best[0]):
            best = (weight, language)
    return None if best is None else best[1]


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


def put_headers(headers: MutableHeaders) -> None:
    """The security headers, where nothing else is said."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")


class SecurityHeaders:
    """Puts the security headers on every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, adding headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                put_headers(MutableHeaders(scope=message))
            await send(message)

        await self.app(scope, receive, send_with_headers)
