"""A hub and its rooms on a real store, without a network, and what listens to them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, MutableMapping
from pathlib import Path
from typing import Any

from starlette.websockets import WebSocketState

from millebornes.bots import SundayDriver
from millebornes.rules import EDITIONS, view
from millebornes.server.bot_workers import LocalThinkers, choose
from millebornes.server.clock import SystemClock
from millebornes.server.connection import Connection
from millebornes.server.entropy import SystemEntropy
from millebornes.server.hub import Hub
from millebornes.server.limits import Allowance, Allowances, Buckets
from millebornes.server.metrics import Metrics
from millebornes.server.room import Room
from millebornes.server.store import LogRow, StoreError
from millebornes.server.store.sqlite import SqliteStore
from millebornes.table import Settings, messages_in, picture
from millebornes.words import words

HOST, GUEST = "host", "guest"
EDITION = EDITIONS["winning-moves"]
PRACTICE = Settings(
    edition=EDITION, players=2, practice=True, seed="1954", pace=0, bot_window=0, window=1000
)
FOR_TWO = Settings(edition=EDITION, players=2)


class Listener:
    """Listens, and can be waited for."""

    def __init__(self, guest: str) -> None:
        self.guest = guest
        self.heard: list[Any] = []
        self.ended: tuple[int, str] | None = None
        self._news = asyncio.Event()

    def send(self, message: object) -> None:
        self.heard.append(message)
        self._news.set()

    def end(self, code: int, why: str) -> None:
        self.ended = (code, why)

    async def until(self, is_there: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not is_there():
                self._news.clear()
                await self._news.wait()

    async def after(self, room: Room, decision: int) -> None:
        await self.until(lambda: room.table.decision > decision)

    def seqs(self) -> list[int]:
        return [message.seq for message in self.heard]


class TroubledStore(SqliteStore):
    """A real store whose appends can be held up, or fail in several ways."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, shared=True)
        self.gate = asyncio.Event()
        self.gate.set()
        self.fails = False
        self.forgets_to_answer = False
        self.cannot_read = False

    async def append(self, table: str, row: LogRow, **more: Any) -> None:
        await self.gate.wait()
        if self.fails:
            raise StoreError("the disk is full")
        await super().append(table, row, **more)
        if self.forgets_to_answer:
            raise StoreError("the connection was lost")

    async def log(self, table: str, after: int = 0, most: int | None = None) -> Any:
        if self.cannot_read:
            raise StoreError("the connection is lost")
        return await super().log(table, after, most)


@contextlib.asynccontextmanager
async def open_hub(path: Path, clock: Any = None) -> AsyncIterator[tuple[TroubledStore, Hub]]:
    store = TroubledStore(path)
    await store.open()
    hub = Hub(store, LocalThinkers(), clock or SystemClock(), SystemEntropy())
    try:
        yield store, hub
    finally:
        store.gate.set()
        await hub.stop()
        await store.close()


async def open_practice(hub: Hub) -> Room:
    """A practice table where the first move of a person is awaited."""
    room = await hub.open(PRACTICE, HOST, "Host")
    room.driver.retry_after = 0
    for message in (messages_in.AddBot(1, "sunday-driver"), messages_in.Start()):
        assert (await room.put(HOST, message)).refused is None
    await until_asked(room)
    return room


async def until_asked(room: Room) -> None:
    """Let the bots play until the person is asked."""
    listener = Listener(HOST)
    room.listeners.append(listener)
    await listener.until(lambda: bool(moves_of(room)))
    room.listeners.remove(listener)


def moves_of(room: Room) -> tuple[str, ...]:
    shown = picture(room.table, HOST)
    return shown.hand.legal_moves if shown.hand is not None else ()


def move_of(room: Room, id_: str = "m1") -> messages_in.Move:
    assert room.table.match is not None
    move = choose(SundayDriver, view(room.table.match, 0))
    return messages_in.Move(room.table.decision, id_, move)


def refusal_code(outcome: Any) -> str | None:
    return None if outcome.refused is None else str(outcome.refused.code)


class StubSocket:
    """The server's side of a WebSocket whose reader may stop to read."""

    def __init__(self) -> None:
        self.application_state = WebSocketState.CONNECTED
        self.reads = asyncio.Event()
        self.reads.set()
        self.sent: list[str] = []
        self.next_sent = asyncio.Event()
        self.closed: tuple[int, str] | None = None
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def send(self, message: MutableMapping[str, Any]) -> None:
        await self.reads.wait()
        self.sent.append(message["text"])
        self.next_sent.set()
        self.next_sent.clear()

    async def receive(self) -> dict[str, Any]:
        return await self.inbox.get()

    async def close(self, code: int, why: str) -> None:
        await self.reads.wait()
        self.closed = (code, why)


def connect(room: Room, guest: str, metrics: Metrics) -> tuple[Connection, StubSocket]:
    socket: Any = StubSocket()
    connection = Connection(
        socket, socket.send, room=room, guest=guest, address="", words=words(), metrics=metrics
    )
    return connection, socket


def plenty() -> tuple[Allowance, Allowance]:
    buckets = Buckets(SystemClock(), 10**6, 10**6)
    return (Allowances(buckets, buckets).of(HOST, ""),) * 2
