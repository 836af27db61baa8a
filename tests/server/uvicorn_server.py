"""A real uvicorn with our protocols in the event loop of a test; the application is the test's."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import uvicorn
import uvloop
from starlette.types import ASGIApp
from websockets.frames import Frame, Opcode

from millebornes.server.config import Config
from millebornes.server.metrics import Metrics
from millebornes.server.protocols import http_protocol, websocket_protocol
from millebornes.server.run import bind
from millebornes.server.wire import Place, Wire, WireLimits
from tests.server_process import PATIENCE
from tests.virtual_time import ManualClock

on_uvloop = pytest.mark.loop(factory=uvloop.new_event_loop)
"""An `async def test_…` on the loop that a server has."""
on_each_loop = pytest.mark.usefixtures("each_loop")
"""The same test on uvloop and on asyncio's own loop."""
LIMITS = WireLimits(linger=0.2, look_every=3600)
"""Tests call `look` themselves: timeouts then do not depend on the speed of the machine."""
UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


async def until(is_so: Callable[[], bool]) -> None:
    """Let all tasks run until a condition holds."""
    while not is_so():
        await asyncio.sleep(0.001)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_up.set()


class UvicornServer:
    """The server of one test. Its clock stands still, so buckets are never refilled."""

    def __init__(self, wire: Wire, metrics: Metrics, clock: ManualClock, port: int) -> None:
        self.wire = wire
        self.clock = clock
        self.peers: list[Peer] = []
        self._metrics = metrics
        self.port = port

    async def tcp(self, host: str | None = None, take: int | None = None) -> socket.socket:
        """A connection from an address of this machine; `take`: bytes that wait unread at most."""
        client = socket.socket()
        client.setblocking(False)
        if take is not None:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, take)
        if host is not None:
            client.bind((host, 0))
        await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", self.port))
        return client

    async def connect(self, host: str | None = None, take: int | None = None) -> "Peer":
        """The same, as a stream of bytes."""
        client = await self.tcp(host, take)
        peer = Peer(*await asyncio.open_connection(sock=client, limit=2**16))
        self.peers.append(peer)
        return peer

    def counted(self, name: str) -> int:
        """A metric."""
        line = next(
            line
            for line in self._metrics.text().splitlines()
            if line.startswith(f"millebornes_{name} ")
        )
        return int(line.split()[1])

    @property
    def places(self) -> list[Place]:
        return list(self.wire._places.values())

    def look(self) -> None:
        """Run the check for late connections that the server runs every few seconds."""
        self.wire._look()

    async def emptied(self) -> None:
        """Wait until every connection has given its place back."""
        await until(lambda: not self.places)
        assert not self.wire._addresses
        assert self.counted("connections_tcp") == 0


class Peer:
    """The other end of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def answer(self) -> tuple[int, bytes]:
        """Status and body of one answer."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        length = head.partition(b"content-length: ")[2].partition(b"\r")[0]
        return int(head.split()[1]), await self.reader.readexactly(int(length or b"0"))

    async def rest(self) -> bytes:
        """All data until the server closes the connection, in any way."""
        data = b""
        with contextlib.suppress(ConnectionError):
            while more := await self.reader.read(2**16):
                data += more
        return data

    async def upgraded(self) -> "Peer":
        """Upgrade the connection to a WebSocket."""
        self.send(UPGRADE)
        assert b" 101 " in await self.reader.readuntil(b"\r\n\r\n")
        return self

    def say(self, code: Opcode, data: bytes = b"", *, fin: bool = True) -> None:
        self.send(frame(code, data, fin=fin))

    async def hear(self) -> tuple[int, bytes]:
        """The next frame of the server: its opcode and content."""
        first, size = await self.reader.readexactly(2)
        if size >= 126:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
        return first & 0x0F, await self.reader.readexactly(size)

    def close(self) -> None:
        self.writer.close()

    def abort(self) -> None:
        self.writer.transport.abort()


def frame(code: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame of a client."""
    return Frame(code, data, fin=fin).serialize(mask=True)


@contextlib.asynccontextmanager
async def uvicorn_server(
    app: ASGIApp,
    limits: WireLimits | None = None,
    descriptors: tuple[int, int] | None = None,
    send_buffer: int | None = None,
    **settings: Any,
) -> AsyncIterator[UvicornServer]:
    """A server that is up. A test that hangs on it fails after `PATIENCE` seconds."""
    clock, metrics = ManualClock(), Metrics()
    wire = Wire(Config(**settings), clock, metrics, limits or LIMITS, descriptors)
    server = _Server(
        uvicorn.Config(
            app,
            http=http_protocol(wire),
            ws=websocket_protocol(wire),
            ws_max_size=16 * 1024,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
        )
    )
    listener = bind("127.0.0.1", 0)
    if send_buffer is not None:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await server.is_up.wait()
    up = UvicornServer(wire, metrics, clock, listener.getsockname()[1])
    try:
        async with asyncio.timeout(PATIENCE):
            yield up
    finally:
        for peer in up.peers:
            peer.abort()
        server.should_exit = True
        await serving
