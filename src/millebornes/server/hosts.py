"""Checks the `Host` header: the server refuses requests for any name but its own.

Another website can point its own name to this machine (DNS rebinding): its visitors' browsers
then treat the server as part of that website. Only the `Host` header reveals this. IP addresses,
localhost and the name of this machine are safe, because nobody else can own them.
"""

import ipaddress
import logging
import socket
from collections.abc import Iterable, Iterator
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from .config import Config
from .headers import put_headers
from .requests import ApiError

__all__ = ["HostCheck", "Hosts", "hosts_of", "names_of_this_machine"]

_log = logging.getLogger(__name__)
_LONGEST = 253
_AT_HOME = ("local", "lan", "home", "home.arpa", "internal")
"""Domains of home networks. Nobody can register a name in them."""
_CACHED = 1000
_LOGGED = 20
"""Number of refused names that are logged, each once."""


def hosts_of(config: Config) -> "Hosts":
    """The host names of a server with these settings."""
    origins = (urlsplit(origin).hostname or "" for origin in config.origins)
    if config.trust_proxy and not config.hosts and not config.origins:
        _log.warning(
            "trust_proxy is set but hosts is empty: requests for the public name of this server "
            "are refused. Set its name, for example: --hosts play.example.org"
        )
    return Hosts([*config.hosts, *origins, config.host, *names_of_this_machine()])


def names_of_this_machine(name: str | None = None) -> Iterator[str]:
    """The name of this machine, also in the domains of home networks."""
    full = (socket.gethostname() if name is None else name).lower()
    short = full.partition(".")[0]
    yield full
    yield short
    for domain in _AT_HOME:
        yield f"{short}.{domain}"


class Hosts:
    """The host names that a request may use."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name.lower() for name in names) | {"localhost"}
        self._has = lru_cache(_CACHED)(self._look_up)

    def has(self, header: bytes) -> bool:
        """Is this `Host` header one of ours? The port does not matter: the client reached it."""
        # Do not cache values that are too long to be a name.
        return len(header) <= _LONGEST + len(":65535") and self._has(header)

    def _look_up(self, header: bytes) -> bool:
        text = header.decode("latin-1").strip().lower()
        if text.startswith("["):
            return _is_address(text[1:].partition("]")[0])
        name = text.partition(":")[0].removesuffix(".")
        return name in self._names or name.endswith(".localhost") or _is_address(name)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


class HostCheck:
    """Middleware that refuses requests and WebSockets for other host names.

    Requests without a `Host` header pass: every browser sends one, but old programs do not.
    """

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app = app
        self._hosts = hosts
        self._logged: set[bytes] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, or refuse."""
        if scope["type"] in ("http", "websocket"):
            for name, value in scope["headers"]:
                if name == b"host" and value and not self._hosts.has(value):
                    self._log_refusal(value)
                    await _refuse(scope, receive, send, value)
                    return
        await self.app(scope, receive, send)

    def _log_refusal(self, host: bytes) -> None:
        if len(self._logged) >= _LOGGED or host[:_LONGEST] in self._logged:
            return
        self._logged.add(host[:_LONGEST])
        _log.warning(
            "refused a request for %r, which is not a name of this server. If it should be, add it "
            "to the setting hosts",
            host[:_LONGEST].decode("latin-1"),
        )


async def _refuse(scope: Scope, receive: Receive, send: Send, host: bytes) -> None:
    error = ApiError(421, "foreign_host", {"host": host[:_LONGEST].decode("latin-1")})
    if scope["type"] == "websocket":
        socket_ = WebSocket(scope, receive, send)
        response = error.answer(socket_)
        put_headers(response.headers)
        await socket_.send_denial_response(response)
        return
    request = HTTPConnection(scope)
    answer: Response = error.answer(request)
    if not scope["path"].startswith("/api/"):  # for a person, not a program
        answer = PlainTextResponse(error.sentence(request), 421)
    await answer(scope, receive, send)
