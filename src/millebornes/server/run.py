"""Starting and stopping a server process."""

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
from .clock import Clock, SystemClock
from .config import Config
from .connection import MAX_MESSAGE
from .descriptors import room_for_connections
from .entropy import Entropy
from .logs import CalmHandler, set_up_logs
from .protocols import http_protocol, websocket_protocol
from .server import Server
from .store import StoreError
from .thinking import Thinkers
from .wire import Wire, WireLimits

__all__ = ["PortInUse", "StartError", "addresses", "bind", "prepare", "serve", "start", "url_of"]

_BACKLOG = 1024
_LOOK_EVERY = 30.0
_ENDED = 500
_COLLECT_AT_LEAST = 600.0
"""After so many ended connections, or seconds, everything is looked through for cycles."""
_COLLECT_SHARE = 0.002
"""The share of time that this may take."""
_PING = 20.0
"""Seconds between looks at whether a silent client is still there, and for its answer."""
_GRACE = 10
"""Seconds that requests get to end when the server stops."""
_log = logging.getLogger(__name__)


class StartError(Exception):
    """The server cannot start: says why and what to do."""


class PortInUse(StartError):  # noqa: N818 (a port in use need not be an error)
    """Another program listens there already."""


def prepare(
    config: Config,
    *,
    thinkers: Thinkers | None = None,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
) -> Server:
    """A server with these settings; a clear error if nothing can be kept where they say."""
    try:
        return Server(config, thinkers=thinkers, clock=clock, entropy=entropy)
    except StoreError as error:
        raise _no_store(error) from None


async def start(server: Server) -> None:
    """Have its tables ready; a clear error if that cannot be."""
    try:
        await server.start()
    except StoreError as error:
        raise _no_store(error) from None


def _no_store(error: StoreError) -> StartError:
    return StartError(f"{str(error).rstrip('.')}. --database chooses another place.")


def bind(host: str, port: int) -> socket.socket:
    """Take the address; a clear error if someone else has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere it would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # From here on nobody else can take the port; who calls early waits.
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                f"port {port} of {host} is in use. Stop the other program, or choose another "
                "port with --port (0 takes a free one)."
            ) from None
        why = error.strerror or str(error)
        raise StartError(f"cannot listen on {host}, port {port}: {why}") from None
    except OverflowError:
        listener.close()
        raise StartError(f"there is no port {port}") from None
    return listener


def addresses(listener: socket.socket) -> list[str]:
    """The web addresses under which a browser finds the server, the nearest first."""
    host, port = listener.getsockname()[:2]
    if not ipaddress.ip_address(host).is_unspecified:
        return [url_of(host, port)]
    found = [url_of(host, port)]
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe,
    ):
        # Nothing is sent: this only asks which of our addresses would be used.
        probe.connect(("192.0.2.1", 9))
        found.append(url_of(probe.getsockname()[0], port))
    return found


def url_of(host: str, port: int) -> str:
    """The web address of a server that listens here; every address includes this machine's own."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Uvicorn(uvicorn.Server):
    """Tells the tables' clients before their connections are closed; a signal is no failure."""

    def __init__(
        self,
        config: uvicorn.Config,
        server: Server,
        log: CalmHandler,
        on_ready: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._server = server
        self._log = log
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Tables first: a server that cannot have them must not say that it is there."""
        await start(self._server)
        for listener in sockets or ():
            _log.info("serving on %s", ", ".join(addresses(listener)))
        await super().startup(sockets)
        self._chores = (
            asyncio.create_task(_collect_garbage(self._server)),
            asyncio.create_task(_report_suppressed_lines(self._log)),
        )
        self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop. Being told twice changes nothing: the end takes seconds at most.

        The signal is not noted for uvicorn to raise again: being told to stop is a good end.
        """
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Halt the tables, say goodbye, let it be heard, then close."""
        await self._server.say_goodbye()
        for chore in self._chores:
            chore.cancel()
        await super().shutdown(sockets)


def _tune_garbage_collection() -> None:
    """Tables are values without cycles, so little is found by looking for cycles.

    What has them (tasks, errors) mostly dies young. A full collection walks over every table
    while all of them wait: measured, 0.5 s with 1,000 tables of four. The looks at what is new
    are many and short instead.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 10, 1_000_000_000)


async def _collect_garbage(server: Server) -> None:
    """Connections have cycles, too, and are old when they end: without this they would pile up.

    The more there is to look at, the longer everybody waits and the seldomer it is done.
    """
    ended, looked = 0, time.perf_counter()
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        began = time.perf_counter()
        if server.connections.ended - ended < _ENDED and began - looked < _COLLECT_AT_LEAST:
            continue
        gc.collect()
        ended, looked = server.connections.ended, time.perf_counter()
        await asyncio.sleep((looked - began) / _COLLECT_SHARE)


async def _report_suppressed_lines(log: CalmHandler) -> None:
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        log.look()


def serve(
    server: Server,
    listener: socket.socket,
    on_ready: Callable[[], None] = lambda: None,
    *,
    grace: int = _GRACE,
    ping: float = _PING,
    limits: WireLimits | None = None,
) -> None:
    """Serve until the process is told to stop (SIGINT, SIGTERM); a clear error if it cannot."""
    config = server.config
    log = set_up_logs(config.log_level)
    room = room_for_connections(config.bot_workers or os.cpu_count() or 1)
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
