"""Checks every request: origin, token, rate limits."""

import contextlib
import hashlib
import ipaddress
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from .clock import Clock
from .config import Config
from .limits import Allowance, Allowances, Buckets, decrement
from .metrics import Metrics
from .requests import ApiError
from .store import Store, StoreError

__all__ = [
    "COOKIE",
    "Admission",
    "address_key",
    "address_of",
    "cookie_of",
    "hash_token",
    "is_origin_allowed",
    "token_hash",
]

COOKIE = "millebornes_guest"
_log = logging.getLogger(__name__)

Handler = Callable[[Request], Awaitable[Response]]


class Admission:
    """The origin, token and rate-limit checks of one server."""

    def __init__(self, config: Config, store: Store, clock: Clock, metrics: Metrics) -> None:
        self._store = store
        self._clock = clock
        self._metrics = metrics
        self._origins = config.origins
        requests, guests = config.requests_per_second, config.guests_per_minute
        self._requests = Buckets(clock, burst=3 * requests, per_second=requests)
        self._guests = Buckets(clock, burst=guests, per_second=guests / 60)
        tables, rules = config.tables_per_minute, config.house_rules_per_minute
        self._tables = Buckets(clock, burst=tables, per_second=tables / 60)
        self._rules = Buckets(clock, burst=rules, per_second=rules / 60)
        """By guest. Guests are free to create, so there is also a limit by address."""
        self._rules_by_address = Buckets(clock, burst=10 * rules, per_second=10 * rules / 60)
        judged = config.judgements_per_minute
        self._judged = Buckets(clock, burst=judged, per_second=judged / 60)
        self._judged_by_address = Buckets(clock, burst=10 * judged, per_second=10 * judged / 60)
        pads = config.score_pads_per_minute
        self._pads = Buckets(clock, burst=pads, per_second=pads / 60)
        self._pads_by_address = Buckets(clock, burst=10 * pads, per_second=10 * pads / 60)
        self._messages = _allowances(
            clock, 3, config.messages_per_second, config.messages_per_address
        )
        self._talk = _allowances(clock, 5, config.talk_per_second, config.talk_per_address)
        self._most_sockets = config.sockets_per_address
        self._sockets: Counter[str] = Counter()
        """Open WebSockets by address."""

    def guarded(self, handler: Handler) -> Handler:
        """The handler, wrapped in rate limit, origin check and error responses."""

        async def answer(request: Request) -> Response:
            try:
                self._count(self._requests, request)
                self._check_origin(request, reads_only=request.method in ("GET", "HEAD"))
                return await handler(request)
            except ApiError as error:
                return error.answer(request)
            except StoreError:
                _log.exception("the store failed")
                return ApiError(503, "cannot_write").answer(request)

        return answer

    @contextlib.contextmanager
    def socket_place(self, connection: HTTPConnection) -> Iterator[None]:
        """Count a WebSocket for as long as the context is open.

        Nothing is awaited before it is counted, so that concurrent requests cannot exceed the
        limit.
        """
        address = address_of(connection)
        self._count(self._requests, connection)
        self._require(self._sockets[address] < self._most_sockets)
        self._sockets[address] += 1
        try:
            self._check_origin(connection)
            yield
        finally:
            decrement(self._sockets, address)

    def count_guest(self, connection: HTTPConnection) -> None:
        """Count a new guest from this address; `ApiError` if it is over the limit."""
        self._count(self._guests, connection)

    def count_table(self, connection: HTTPConnection) -> None:
        """Count a new table from this address; `ApiError` if it is over the limit."""
        self._count(self._tables, connection)

    def count_house_rules(self, connection: HTTPConnection, guest: str) -> None:
        """Count house rules, which are slow to parse; `ApiError` if over the limit."""
        self._count(self._rules_by_address, connection)
        self._require(self._rules.take(guest))

    def count_judgement(self, connection: HTTPConnection, guest: str) -> None:
        """Count a position to judge; `ApiError` if over the limit."""
        self._count(self._judged_by_address, connection)
        self._require(self._judged.take(guest))

    def count_score_pad(self, connection: HTTPConnection, guest: str) -> None:
        """Count a score pad to compute; `ApiError` if over the limit."""
        self._count(self._pads_by_address, connection)
        self._require(self._pads.take(guest))

    def count_talk(self, guest: str, connection: HTTPConnection) -> None:
        """Count a join, which the table logs, as talk; `ApiError` if over the limit."""
        self._require(self._talk.of(guest, address_of(connection)).take())

    def allowances(self, guest: str, connection: HTTPConnection) -> tuple[Allowance, Allowance]:
        """The rate limits of a guest on a connection: for all messages, and for talk.

        The connection itself counts as talk, because the table logs who connects. It counts
        for the guest only, not for the address: neighbours who talk too much must not keep
        anyone from reconnecting to a match.
        """
        address = address_of(connection)
        talk = self._talk.of(guest, address)
        self._require(talk.own.take())
        return self._messages.of(guest, address), talk

    def _count(self, buckets: Buckets, connection: HTTPConnection) -> None:
        self._require(buckets.take(address_of(connection)))

    def _require(self, is_within_limit: bool) -> None:
        if not is_within_limit:
            self._metrics.add("rate_limited_total")
            raise ApiError(429, "too_many")

    def _check_origin(self, connection: HTTPConnection, *, reads_only: bool = False) -> None:
        """Require that the request comes from an allowed page or from a program."""
        _, bearer = _token(connection)
        scheme = connection.url.scheme
        if not is_origin_allowed(
            connection.headers, scheme, self._origins, may_be_missing=bearer or reads_only
        ):
            raise ApiError(403, "foreign_origin")

    async def guest_of(self, connection: HTTPConnection) -> str | None:
        """The guest who sent the request, if any."""
        hash_ = token_hash(connection)
        if hash_ is None:
            return None
        with contextlib.suppress(StoreError):  # reading works even with a full disk
            await self._store.note_seen(hash_, self._clock.now())
        # Looked up last: the token may have been revoked during the write.
        return await self._store.guest_of(hash_)

    async def need_guest(self, connection: HTTPConnection) -> str:
        """The guest who sent the request; `ApiError` if there is none."""
        guest = await self.guest_of(connection)
        if guest is None:
            raise ApiError(401, "no_guest")
        return guest


def _allowances(clock: Clock, burst: int, per_guest: int, per_address: int) -> Allowances:
    per_address = max(per_guest, per_address)  # an address gets at least as much as one guest
    return Allowances(
        Buckets(clock, burst=burst * per_guest, per_second=per_guest),
        Buckets(clock, burst=burst * per_address, per_second=per_address),
    )


def address_of(connection: HTTPConnection) -> str:
    """The client's address as rate limits count it."""
    return address_key(connection.client.host) if connection.client else "unknown"


def _token(connection: HTTPConnection) -> tuple[str | None, bool]:
    """A guest's token, and whether it came as a bearer token."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip(), True
    return cookie_of(connection), False


def cookie_of(connection: HTTPConnection) -> str | None:
    """The guest's token in the cookie header. No other code may parse cookies.

    Python's own parser unquotes values, which takes some versions minutes for 60 KiB of
    backslashes (CVE-2024-7592). A token needs no quotes.
    """
    found = None
    for part in connection.headers.get("cookie", "").split(";"):
        name, _, value = part.partition("=")
        if name.strip() == COOKIE:
            found = value.strip()
    return found


def token_hash(connection: HTTPConnection) -> str | None:
    """Hash of the token in the request; None: it has none."""
    token, _ = _token(connection)
    return hash_token(token) if token else None


def hash_token(token: str) -> str:
    """Hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_origin_allowed(
    headers: Headers, scheme: str, allowed: Iterable[str], may_be_missing: bool
) -> bool:
    """Is this request from our own pages, or from a page the operator allows?

    Programs send no Origin; browsers always do when a request could change something. A page
    is ours if its origin matches the requested host. An https page may reach us over http
    (behind a proxy that terminates TLS), but not the other way round.
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
    """The address that rate limits count by; for IPv6 the /64, which one client controls."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)
