"""Starts and stops a server process."""

import asyncio
import contextlib
import errno
import gc
import ipaddress
import logging
import os
import socket
import time
from collections.abc import Callable
from types import FrameType

import uvicorn

from .app import create_app
from .bot_workers import ProcessThinkers, Thinkers
from .clock import Clock, SystemClock
from .config import Config
from .connection import MAX_MESSAGE
from .descriptors import room_for_connections
from .entropy import Entropy
from .logs import RateLimitedHandler, set_up_logs
from .outside_bots import BadBot, find_outside_bots
from .protocols import http_protocol, websocket_protocol
from .server import Server
from .store import StoreError
from .store.opening import store_at
from .wire import Wire, WireLimits

__all__ = ["PortInUse", "StartError", "addresses", "bind", "prepare", "serve", "start", "url_of"]

_BACKLOG = 1024
_CHORES_EVERY = 30.0
_COLLECT_AFTER_ENDED = 500
_COLLECT_AFTER = 600.0
"""Collect all garbage after this many ended connections, or seconds."""
_COLLECT_SHARE = 0.002
"""Maximum share of time for full garbage collections."""
_PING = 3.75
"""Seconds between pings, and to answer one. With the two seconds after which a guest counts as
gone, the others learn within ten seconds that a line was cut."""
_GRACE = 10
"""Seconds that requests get to finish on shutdown."""
_log = logging.getLogger(__name__)


class StartError(Exception):
    """The server cannot start; the text says why and what to do."""


class PortInUse(StartError):  # noqa: N818 (a port in use need not be an error)
    """Another program already listens on the port."""


def prepare(
    config: Config,
    *,
    thinkers: Thinkers | None = None,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
) -> Server:
    """A server with these settings; `StartError` if its database or a bot cannot be used."""
    try:
        outside = find_outside_bots(config.bot)
        store = store_at(config.database)
    except BadBot as error:
        raise StartError(f"{error}. Use --bot NAME=BOT to add another.") from None
    except StoreError as error:
        raise _no_store(error) from None
    if thinkers is None:
        thinkers = ProcessThinkers(config.bot_workers or None, outside=outside)
    return Server(config, thinkers=thinkers, store=store, clock=clock, entropy=entropy)


async def start(server: Server) -> None:
    """Restore the tables; `StartError` if that fails."""
    try:
        await server.start()
    except StoreError as error:
        raise _no_store(error) from None


def _no_store(error: StoreError) -> StartError:
    return StartError(f"{str(error).rstrip('.')}. Use --database to choose another database.")


def bind(host: str, port: int) -> socket.socket:
    """Listen on an address; `PortInUse` or `StartError` if that is impossible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # on Windows it would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # The port is ours from here on; early clients wait in the backlog.
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                f"port {port} of {host} is in use. Stop the other program, or choose another "
                "port with --port (0 picks a free one)."
            ) from None
        why = error.strerror or str(error)
        raise StartError(f"cannot listen on {host}, port {port}: {why}") from None
    except OverflowError:
        listener.close()
        raise StartError(f"there is no port {port}") from None
    return listener


def addresses(listener: socket.socket) -> list[str]:
    """The URLs of the server, this machine's first."""
    host, port = listener.getsockname()[:2]
    if not ipaddress.ip_address(host).is_unspecified:
        return [url_of(host, port)]
    found = [url_of(host, port)]
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe,
    ):
        # This sends nothing: it only shows which local address would be used.
        probe.connect(("192.0.2.1", 9))
        found.append(url_of(probe.getsockname()[0], port))
    return found


def url_of(host: str, port: int) -> str:
    """The URL of a server that listens here; for a wildcard address, the loopback address."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Uvicorn(uvicorn.Server):
    """uvicorn, but clients are notified before shutdown, and a signal is not a failure."""

    def __init__(
        self,
        config: uvicorn.Config,
        server: Server,
        log: RateLimitedHandler,
        on_ready: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._server = server
        self._log_handler = log
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Restore the tables before listening: without them the server must not start."""
        await start(self._server)
        for listener in sockets or ():
            _log.info("serving on %s", ", ".join(addresses(listener)))
        await super().startup(sockets)
        self._chores = (
            asyncio.create_task(_collect_garbage(self._server)),
            asyncio.create_task(_report_suppressed_lines(self._log_handler)),
        )
        self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Begin the shutdown. A second signal changes nothing: it takes only seconds.

        The signal is not recorded, or uvicorn would raise it again: a stop on request is a
        success.
        """
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Halt the tables, notify clients, then close."""
        await self._server.say_goodbye()
        for chore in self._chores:
            chore.cancel()
        await super().shutdown(sockets)


def _tune_garbage_collection() -> None:
    """Make full garbage collections rare: they block all tables, for 0.5 s at 1,000 tables of four.

    Tables are values without cycles, and what has cycles (tasks, exceptions) mostly dies young,
    so frequent short collections of new objects find nearly everything.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 10, 1_000_000_000)


async def _collect_garbage(server: Server) -> None:
    """Collect all garbage now and then: ended connections are old and have cycles.

    The longer a collection takes, the longer the pause until the next one.
    """
    ended, collected = 0, time.perf_counter()
    while True:
        await asyncio.sleep(_CHORES_EVERY)
        began = time.perf_counter()
        if (
            server.connections.ended - ended < _COLLECT_AFTER_ENDED
            and began - collected < _COLLECT_AFTER
        ):
            continue
        gc.collect()
        ended, collected = server.connections.ended, time.perf_counter()
        await asyncio.sleep((collected - began) / _COLLECT_SHARE)


async def _report_suppressed_lines(log: RateLimitedHandler) -> None:
    while True:
        await asyncio.sleep(_CHORES_EVERY)
        log.report_suppressed()


def serve(
    server: Server,
    listener: socket.socket,
    on_ready: Callable[[], None] = lambda: None,
    *,
    grace: int = _GRACE,
    ping: float = _PING,
    limits: WireLimits | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; `StartError` if the server cannot start."""
    config = server.config
    log = set_up_logs(config.log_level)
    room = room_for_connections(server.bot_processes)
    wire = Wire(config, SystemClock(), server.metrics, limits or WireLimits(), room)
    runner = _Uvicorn(
        uvicorn.Config(
            create_app(server),
            http=http_protocol(wire),
            ws=websocket_protocol(wire),
            ws_max_size=4 * MAX_MESSAGE,
            ws_per_message_deflate=False,
            ws_ping_interval=ping,
            ws_ping_timeout=ping,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=config.trust_proxy,
            forwarded_allow_ips="127.0.0.1,::1",
            timeout_keep_alive=30,
            timeout_graceful_shutdown=grace,
        ),
        server,
        log,
        on_ready,
    )
    _tune_garbage_collection()
    runner.run(sockets=[listener])
    _log.info("stopped")
