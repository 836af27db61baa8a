"""What late comers missed is read some rows at a time, and only as fast as they take it."""

import asyncio
import json
import socket
from collections.abc import Sequence
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect as connect_socket

from millebornes.server import connection as connection_module
from millebornes.server import wire as wire_module
from millebornes.server.clock import SystemClock
from millebornes.server.config import Config
from millebornes.server.connection import Connection
from millebornes.server.metrics import Metrics
from millebornes.server.protocols import http_protocol, websocket_protocol
from millebornes.server.replaying import _STRIDE
from millebornes.server.room import Room
from millebornes.server.store import LogRow
from millebornes.server.turns import Turns
from millebornes.table import messages_in
from millebornes.table.close_codes import CloseCode
from millebornes.words import words

from . import virtual
from .house import House, Wire, house
from .live import GENEROUS
from .memory import MemoryStore
from .test_api import open_table
from .test_room import StubSocket, plenty

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


class Idle(Wire):
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


def room_of(built: House, table: str) -> Room:
    room = built.server.hub.find(table)
    assert room is not None
    return room


async def table_with_a_long_log(built: House) -> tuple[str, list[str]]:
    """A table, and the tokens of its host and of those who watch; all heard a lot of chat."""
    token, host = await built.guest()
    tokens = [token]
    async with host:
        table = await open_table(host)
        for number in range(WATCHERS):
            token, watcher = await built.guest()
            tokens.append(token)
            async with watcher:
                wanted = {"name": f"W{number}", "watch": True}
                answer = await watcher.post(f"/api/tables/{table}/join", json=wanted)
                assert answer.status_code == 200
    room = room_of(built, table)
    guest = room.table.members[0].guest
    for _ in range(LINES):
        assert (await room.put(guest, messages_in.Chat(LONG))).refused is None
    return table, tokens


def test_sockets_that_do_not_read_have_some_rows_read_for_them_and_are_dropped() -> None:
    async def main() -> None:
        store = CountingStore()
        settings: dict[str, Any] = {**GENEROUS, "store": store}
        async with house(clock=virtual.VirtualClock(), **settings) as built:
            table, tokens = await table_with_a_long_log(built)
            path = f"/api/tables/{table}/socket?after=0"
            wires = [
                Idle(built.app, path, {"Authorization": f"Bearer {token}"}) for token in tokens[1:]
            ]
            for wire in wires:
                await wire.__aenter__()
            await asyncio.sleep(20)
            assert store.most_at_once <= _STRIDE
            # Each waits with the first rows that it has not taken.
            assert store.rows_read <= 2 * WATCHERS * _STRIDE < WATCHERS * LINES
            assert not any(wire.is_dropped for wire in wires)
            await asyncio.sleep(15)
            assert all(wire.is_dropped for wire in wires)
            async with built.http() as operator:
                text = (await operator.get("/metrics")).text
            assert f"connections_dropped_total {WATCHERS}\n" in text
            # Whoever reads gets everything, still some rows at a time.
            async with built.socket(table, tokens[0], "?after=0") as reader:
                await asyncio.sleep(1)
                seqs = [json.loads(frame)["seq"] for frame in reader.frames]
                assert seqs == list(range(1, room_of(built, table).table.seq + 1))
            assert store.most_at_once <= _STRIDE

    virtual.run(main())


class OneByOne(StubSocket):
    """A reader that takes one message every so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    async def send(self, message: Any) -> None:
        await asyncio.sleep(self._seconds)
        await super().send(message)


async def serve_slowly(built: House, seconds: float) -> OneByOne:
    token, host = await built.guest()
    async with host:
        room = room_of(built, await open_table(host))
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


def test_a_slow_reader_is_not_dropped_for_as_long_as_it_takes_something() -> None:
    async def main() -> None:
        async with house(store=MemoryStore(), clock=virtual.VirtualClock()) as built:
            slow = await serve_slowly(built, 29)
            assert [json.loads(text)["seq"] for text in slow.sent][:5] == [2, 3, 4, 5, 6]
            slower = await serve_slowly(built, 31)
            assert slower.sent == []
            assert slower.closed == (CloseCode.TOO_SLOW, "too slow")

    virtual.run(main())


def test_what_waits_for_a_slow_reader_is_bounded_by_bytes_as_well_as_by_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_module, "_PATIENCE", 0)

    async def main() -> None:
        async with house(store=MemoryStore()) as built:
            token, host = await built.guest()
            assert token
            async with host:
                room = room_of(built, await open_table(host))
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

    asyncio.run(main())


async def take_turn(turns: Turns, name: str, done: list[str]) -> None:
    async with turns.of(name):
        done.append(name)


def test_turns_go_round_by_name() -> None:
    async def main() -> None:
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

    asyncio.run(main())


@pytest.mark.parametrize("when", ["while waiting", "when it was given"])
def test_a_turn_of_somebody_who_has_gone_is_passed_on(when: str) -> None:
    async def main() -> None:
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

    asyncio.run(asyncio.wait_for(main(), 10))


def test_a_connection_that_reads_nothing_is_closed_at_once_when_it_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Over real sockets: closed without a word, or the system would keep it for hours."""
    monkeypatch.setattr(connection_module, "_STUCK", 0.2)
    monkeypatch.setattr(connection_module, "_PATIENCE", 0.05)

    async def main() -> None:
        settings: dict[str, Any] = dict(GENEROUS)
        async with house(**settings) as built:
            token, host = await built.guest()
            async with host:
                table = await open_table(host)
            room = room_of(built, table)
            for _ in range(LINES):
                await room.put(room.table.members[0].guest, messages_in.Chat(LONG))
            listener = socket.create_server(("127.0.0.1", 0))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
            port = listener.getsockname()[1]
            limits = wire_module.WireLimits()
            wire = wire_module.Wire(Config(), SystemClock(), Metrics(), limits)
            config = uvicorn.Config(
                built.app,
                http=http_protocol(wire),
                ws=websocket_protocol(wire),
                lifespan="off",
                log_config=None,
            )
            server = uvicorn.Server(config)
            serving = asyncio.ensure_future(server.serve(sockets=[listener]))
            narrow = socket.socket()
            narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            narrow.setblocking(False)
            await asyncio.get_running_loop().sock_connect(narrow, ("127.0.0.1", port))
            client = await connect_socket(
                f"ws://127.0.0.1:{port}/api/tables/{table}/socket?after=0",
                sock=narrow,
                additional_headers={"Authorization": f"Bearer {token}"},
                compression=None,
                ping_interval=None,
                max_queue=1,
            )
            client.transport.pause_reading()
            await built.server.connections._nobody.wait()
            for _ in range(1000):  # turns of the loop, not of the clock
                if not server.server_state.connections:
                    break
                await asyncio.sleep(0)
            assert not server.server_state.connections
            client.transport.abort()
            server.should_exit = True
            await serving

    asyncio.run(asyncio.wait_for(main(), 60))
