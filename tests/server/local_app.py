"""The server in this process: its app, with requests and sockets but without a network."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any, NamedTuple, Self

import httpx
from starlette.applications import Starlette

from millebornes.bots import BOTS
from millebornes.server.app import create_app
from millebornes.server.bot_workers import LocalThinkers, Thinkers
from millebornes.server.clock import Clock
from millebornes.server.config import Config
from millebornes.server.entropy import Entropy
from millebornes.server.pages import Pages
from millebornes.server.room import Room
from millebornes.server.server import Server
from millebornes.server.store import Store
from millebornes.server.workers import LocalWorkers, WorkerPool
from tests.virtual_time import VirtualClock, VirtualLoop

from .entropy import RepeatableEntropy
from .memory_store import MemoryStore

HOST = "table.test"
ORIGIN = f"http://{HOST}"
PROGRAM = {"Authorization": "Bearer none"}
"""The headers of a program that has no token yet."""
HOUSE_RULES = 'parent = "winning-moves"\nname = "Short"\nhands = 1\n'


class Socket:
    """One WebSocket, driven by the test; keeps what the server sent and how it closed."""

    def __init__(
        self,
        app: Starlette,
        path: str,
        headers: Mapping[str, str],
        *,
        address: str = "127.0.0.1",
        scheme: str = "ws",
    ) -> None:
        where, _, query = path.partition("?")
        pairs = {"host": HOST, **{name.lower(): value for name, value in headers.items()}}
        self._app = app
        self._scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": scheme,
            "path": where,
            "raw_path": where.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in pairs.items()],
            "client": (address, 1000),
            "server": (HOST, 80),
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._answered = asyncio.Event()
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.frames: list[str] = []
        self.came_at: list[float] = []
        """When each frame came, by the clock of the event loop."""
        self.looked_at = 0
        self.accepted = False
        self.denied: int | None = None
        self.denial = b""
        self.denial_headers: dict[str, str] = {}
        self.closed: tuple[int, str] | None = None

    async def __aenter__(self) -> Self:
        self._in.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.get_running_loop().create_task(
            self._app(self._scope, self._in.get, self._send)
        )
        self._task.add_done_callback(self._wake)
        await self._answered.wait()
        return self

    def _wake(self, _: "asyncio.Task[None]") -> None:
        self._answered.set()
        self._news.set()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.hang_up()

    async def hang_up(self) -> None:
        assert self._task is not None
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self._task

    async def _send(self, message: Any) -> None:
        kind = message["type"]
        if kind == "websocket.accept":
            self.accepted = True
        elif kind == "websocket.send":
            self.frames.append(message["text"])
            self.came_at.append(asyncio.get_running_loop().time())
        elif kind == "websocket.close":
            self.closed = (message.get("code", 1000), message.get("reason") or "")
            self._in.put_nowait({"type": "websocket.disconnect", "code": self.closed[0]})
        elif kind == "websocket.http.response.start":
            self.denied = message["status"]
            self.denial_headers = {
                name.decode().lower(): value.decode() for name, value in message["headers"]
            }
        elif kind == "websocket.http.response.body":
            self.denial += message.get("body", b"")
        if kind != "websocket.http.response.start":
            self._answered.set()
        self._news.set()

    def say(self, message: object) -> None:
        """Send JSON; a str or bytes is sent unchanged."""
        if isinstance(message, bytes):
            self._in.put_nowait({"type": "websocket.receive", "bytes": message})
        else:
            text = message if isinstance(message, str) else json.dumps(message)
            self._in.put_nowait({"type": "websocket.receive", "text": text})

    async def next(self, type_: str = "frame") -> dict[str, Any]:
        """The next message of this type that has not been asked for."""
        while True:
            while self._seen < len(self.frames):
                message: dict[str, Any] = json.loads(self.frames[self._seen])
                self._seen += 1
                if message["type"] == type_:
                    return message
            assert self.closed is None, f"closed: {self.closed}"
            assert self._task is not None
            assert not self._task.done(), "the connection has ended"
            self._news.clear()
            await self._news.wait()

    async def end(self) -> tuple[int, str]:
        """Wait until the server closes it; the code and the reason."""
        while self.closed is None:
            self._news.clear()
            await self._news.wait()
        return self.closed

    _seen = 0


class LocalApp:
    """A server app, its clients and its sockets."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.asgi = create_app(server)
        self.raises = True
        """An exception in the app fails the test, unless the test is about that exception."""

    def browser(self, address: str = "127.0.0.1", **headers: str) -> httpx.AsyncClient:
        """A client like a browser: with a cookie jar and the Origin of our own pages."""
        return self.http(address, Origin=ORIGIN, **headers)

    def http(self, address: str = "127.0.0.1", **headers: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(
            self.asgi, client=(address, 1000), raise_app_exceptions=self.raises
        )
        return httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers)

    async def guest(self, address: str = "127.0.0.1") -> tuple[str, httpx.AsyncClient]:
        """A new guest's token, and a program that uses it."""
        async with self.http(address) as stranger:
            answer = await stranger.post("/api/guests", json={}, headers=PROGRAM)
        assert answer.status_code == 201, answer.text
        token = answer.json()["token"]
        return token, self.http(address, Authorization=f"Bearer {token}")

    def socket(self, table: str, token: str, query: str = "", address: str = "127.0.0.1") -> Socket:
        headers = {"Authorization": f"Bearer {token}"}
        return self.wire(f"/api/tables/{table}/socket{query}", headers, address=address)

    def wire(self, path: str, headers: Mapping[str, str], **more: str) -> Socket:
        return Socket(self.asgi, path, headers, **more)


@contextlib.asynccontextmanager
async def local_app(
    *,
    store: Store | None = None,
    thinkers: Thinkers | None = None,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    pages: Pages | None = None,
    replays: WorkerPool | None = None,
    **settings: Any,
) -> AsyncIterator[LocalApp]:
    """A server that is up. Its default store is SQLite in memory, with threads."""
    config = Config(**{"database": ":memory:", "hosts": (HOST,), **settings})
    server = Server(
        config,
        store=store,
        thinkers=thinkers or LocalThinkers(),
        clock=clock,
        entropy=entropy,
        pages=pages,
        replays=replays or LocalWorkers(),
    )
    app = LocalApp(server)
    async with server.lifespan(app.asgi):
        yield app


@contextlib.asynccontextmanager
async def virtual_app(**settings: Any) -> AsyncIterator[LocalApp]:
    """A server on virtual time, for `@on_virtual_time`: everything happens in the same order."""
    assert isinstance(asyncio.get_running_loop(), VirtualLoop), "decorate with @on_virtual_time"
    given = {
        "store": MemoryStore(),
        "clock": VirtualClock(),
        "entropy": RepeatableEntropy(),
        **settings,
    }
    async with local_app(**given) as app:
        yield app


# What many tests do with it


async def open_table(client: httpx.AsyncClient, **settings: Any) -> str:
    """Open a table as this client; its id."""
    answer = await client.post("/api/tables", json={"name": "Ada", **settings})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


async def join(client: httpx.AsyncClient, table: str, name: str) -> None:
    """Take a seat at a table."""
    answer = await client.post(f"/api/tables/{table}/join", json={"name": name})
    assert answer.status_code == 200, answer.text


class Guest(NamedTuple):
    """A guest of the app: their token, and a client that sends it."""

    token: str
    client: httpx.AsyncClient


@contextlib.asynccontextmanager
async def host_and_guest() -> AsyncIterator[tuple[LocalApp, str, Guest, Guest]]:
    """On virtual time: a table, the guest who opened it, and another one who may join it."""
    async with virtual_app(requests_per_second=1000) as app:
        host, guest = Guest(*await app.guest()), Guest(*await app.guest())
        async with host.client, guest.client:
            yield app, await open_table(host.client), host, guest


async def table_with_host(app: LocalApp, address: str = "127.0.0.1") -> tuple[str, str]:
    """A guest's token and a table of theirs."""
    token, host = await app.guest(address)
    async with host:
        return token, await open_table(host)


async def watched_practice(
    app: LocalApp, token: str, host: httpx.AsyncClient, watcher: httpx.AsyncClient
) -> str:
    """A practice table of the host in its first hand, with somebody who watches."""
    table = await open_table(host, practice=True, seed="cut", pace=0, bot_window=0)
    await watcher.post(f"/api/tables/{table}/join", json={"name": "Cy", "watch": True})
    async with app.socket(table, token) as wire:
        wire.say({"type": "add_bot", "seat": 1, "level": next(iter(BOTS))})
        wire.say({"type": "start"})
        while not (await wire.next())["table"]["hand"]:
            pass
    return table


def room_of(app: LocalApp, table: str) -> Room:
    room = app.server.hub.find(table)
    assert room is not None
    return room


def error_code(answer: httpx.Response) -> str:
    """The code of an answer that refuses."""
    body = answer.json()
    assert set(body) - {"rule"} == {"code", "sentence"}
    assert body["sentence"].strip()
    return str(body["code"])
