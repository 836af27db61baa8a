"""What late comers missed is read some rows at a time, and only as fast as they take it."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from websockets.asyncio.client import connect as connect_socket

from millebornes.server import connection as connection_module
from millebornes.server.connection import Connection
from millebornes.server.metrics import Metrics
from millebornes.server.replaying import _STRIDE
from millebornes.server.room import Room
from millebornes.server.store import LogRow
from millebornes.server.turns import Turns
from millebornes.server.wire import WireLimits
from millebornes.table import messages_in
from millebornes.words import words
from tests.server_process import GENEROUS
from tests.virtual_time import on_virtual_time

from .local_app import LocalApp, Socket, local_app, virtual_app
from .memory_store import MemoryStore
from .test_api import open_table
from .test_room import StubSocket, plenty
from .uvicorn_server import uvicorn_server

WATCHERS = 20
LINES = 600
LONG = "x" * 500


class CountingStore(MemoryStore):
    """Knows how many rows of logs were read, and how many at once."""

    def __init__(self) -> None:
        super().__init__()
        self.rows_read = 0
        self.most_at_once = 0

    async def log(self, table: str, after: int = 0, most: int | None = None) -> Sequence[LogRow]:
        rows = await super().log(table, after, most)
        self.rows_read += len(rows)
        self.most_at_once = max(self.most_at_once, len(rows))
        return rows


class Idle(Socket):
    """A client that opens a socket and never reads."""

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.accept":
            await super()._send(message)
        else:
            await asyncio.get_running_loop().create_future()

    @property
    def is_dropped(self) -> bool:
        assert self._task is not None
        return self._task.done()


def room_of(app: LocalApp, table: str) -> Room:
    room = app.server.hub.find(table)
    assert room is not None
    return room


async def table_with_a_long_log(app: LocalApp) -> tuple[str, list[str]]:
    """A table, and the tokens of its host and of those who watch; all heard a lot of chat."""
    token, host = await app.guest()
    tokens = [token]
    async with host:
        table = await open_table(host)
        for number in range(WATCHERS):
            token, watcher = await app.guest()
            tokens.append(token)
            async with watcher:
                wanted = {"name": f"W{number}", "watch": True}
                answer = await watcher.post(f"/api/tables/{table}/join", json=wanted)
                assert answer.status_code == 200
    room = room_of(app, table)
    guest = room.table.members[0].guest
    for _ in range(LINES):
        assert (await room.put(guest, messages_in.Chat(LONG))).refused is None
    return table, tokens


@on_virtual_time
async def test_sockets_that_do_not_read_have_some_rows_read_for_them_and_are_dropped() -> None:
    store = CountingStore()
    settings: dict[str, Any] = {**GENEROUS, "store": store}
    async with virtual_app(**settings) as app:
        table, tokens = await table_with_a_long_log(app)
        path = f"/api/tables/{table}/socket?after=0"
        wires = [Idle(app.asgi, path, {"Authorization": f"Bearer {token}"}) for token in tokens[1:]]
        for wire in wires:
            await wire.__aenter__()
        await asyncio.sleep(20)
        assert store.most_at_once <= _STRIDE
        # Each waits with the first rows that it has not taken.
        assert store.rows_read <= 2 * WATCHERS * _STRIDE < WATCHERS * LINES
        assert not any(wire.is_dropped for wire in wires)
        await asyncio.sleep(15)
        assert all(wire.is_dropped for wire in wires)
        async with app.http() as operator:
            text = (await operator.get("/metrics")).text
        assert f"connections_dropped_total {WATCHERS}\n" in text
        # Whoever reads gets everything, still some rows at a time.
        async with app.socket(table, tokens[0], "?after=0") as reader:
            await asyncio.sleep(1)
            seqs = [json.loads(frame)["seq"] for frame in reader.frames]
            assert seqs == list(range(1, room_of(app, table).table.seq + 1))
        assert store.most_at_once <= _STRIDE


class OneByOne(StubSocket):
    """A reader that takes one message every so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    async def send(self, message: Any) -> None:
        await asyncio.sleep(self._seconds)
        await super().send(message)


async def serve_slowly(app: LocalApp, seconds: float) -> OneByOne:
    token, host = await app.guest()
    async with host:
        room = room_of(app, await open_table(host))
    assert token
    guest = room.table.members[0].guest
    for number in range(5):
        await room.put(guest, messages_in.Chat(f"line {number}"))
    slow = OneByOne(seconds)
    socket_: Any = slow
    connection = Connection(
        socket_, slow.send, room=room, guest=guest, address="", words=words(), metrics=Metrics()
    )
    serving = asyncio.ensure_future(connection.run(1, *plenty()))
    await asyncio.sleep(7 * seconds)
    slow.inbox.put_nowait({"type": "websocket.disconnect"})
    await serving
    return slow


@on_virtual_time
async def test_a_slow_reader_is_not_dropped_for_as_long_as_it_takes_something() -> None:
    async with virtual_app() as app:
        slow = await serve_slowly(app, 29)
        assert [json.loads(text)["seq"] for text in slow.sent][:5] == [2, 3, 4, 5, 6]
        slower = await serve_slowly(app, 31)
        assert slower.sent == []
        assert slower.closed == (connection_module.TOO_SLOW, "too slow")


async def test_what_waits_for_a_slow_reader_is_bounded_by_bytes_as_well_as_by_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_module, "_PATIENCE", 0)
    async with local_app(store=MemoryStore()) as app:
        token, host = await app.guest()
        assert token
        async with host:
            room = room_of(app, await open_table(host))
        for size, most in ((8192, 256 * 1024 // 8200), (10, 128)):
            stuck: Any = StubSocket()
            stuck.reads.clear()
            connection = Connection(
                stuck,
                stuck.send,
                room=room,
                guest=room.table.members[0].guest,
                address="",
                words=words(),
                metrics=Metrics(),
            )
            waiting = connection._queue
            while not connection._end.done():
                connection.hear("x" * size)
            assert waiting.qsize() == most
            assert connection._queued <= connection_module._QUEUE_BYTES


async def take_turn(turns: Turns, name: str, done: list[str]) -> None:
    async with turns.of(name):
        done.append(name)


async def test_turns_go_round_by_name() -> None:
    turns, done = Turns(), list[str]()
    async with turns.of("a"):
        asked = [
            asyncio.ensure_future(take_turn(turns, name, done))
            for name in ("a", "a", "a", "b", "c", "b")
        ]
        await asyncio.sleep(0)
        assert done == []
    await asyncio.gather(*asked)
    assert done == ["a", "b", "c", "a", "b", "a"]
    async with turns.of("a"):  # nobody waits: it is free
        pass


@pytest.mark.parametrize("when", ["while waiting", "when it was given"])
@pytest.mark.timeout(10)
async def test_a_turn_of_somebody_who_has_gone_is_passed_on(when: str) -> None:
    turns, done = Turns(), list[str]()
    async with turns.of("a"):
        gone, waits = [
            asyncio.ensure_future(take_turn(turns, name, done)) for name in ("gone", "waits")
        ]
        await asyncio.sleep(0)
        if when == "while waiting":
            gone.cancel()
            await asyncio.sleep(0)
    gone.cancel()
    await asyncio.wait((gone, waits))
    assert done == ["waits"]
    async with turns.of("a"):
        pass


async def test_a_connection_that_reads_nothing_is_closed_at_once_when_it_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Over real sockets: closed without a word, or the system would keep it for hours."""
    monkeypatch.setattr(connection_module, "_STUCK", 0.2)
    monkeypatch.setattr(connection_module, "_PATIENCE", 0.05)
    settings: dict[str, Any] = dict(GENEROUS)
    async with local_app(**settings) as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
        room = room_of(app, table)
        for _ in range(LINES):
            await room.put(room.table.members[0].guest, messages_in.Chat(LONG))
        async with uvicorn_server(app.asgi, WireLimits(), send_buffer=8192) as server:
            narrow = await server.tcp(take=4096)
            client = await connect_socket(
                f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket?after=0",
                sock=narrow,
                additional_headers={"Authorization": f"Bearer {token}"},
                compression=None,
                ping_interval=None,
                max_queue=1,
            )
            client.transport.pause_reading()
            await app.server.connections._nobody.wait()
            await server.emptied()
            client.transport.abort()
