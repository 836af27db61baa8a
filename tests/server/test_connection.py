"""One WebSocket: slow readers, reconnecting, and the limits of a message."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect as connect_socket

from millebornes.server import connection as connection_module
from millebornes.server.connection import Connection
from millebornes.server.metrics import Metrics
from millebornes.server.wire import WireLimits
from millebornes.table import messages_in
from millebornes.table.close_codes import CloseCode
from millebornes.words import words
from tests.server_process import GENEROUS
from tests.virtual_time import on_virtual_time

from .local_app import (
    LocalApp,
    local_app,
    open_table,
    room_of,
    table_with_host,
    virtual_app,
)
from .memory_store import MemoryStore
from .rooms import FOR_TWO, GUEST, HOST, Listener, StubSocket, connect, open_hub, plenty
from .uvicorn_server import uvicorn_server


@pytest.mark.usefixtures("no_grace")
async def test_a_reader_that_stops_reading_is_dropped_and_delays_nobody(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("millebornes.server.connection._PATIENCE", 0)
    async with open_hub(path) as (_, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        await room.put(GUEST, messages_in.Join("Guest"))
        metrics = Metrics()
        slow, stuck = connect(room, HOST, metrics)
        stuck.reads.clear()
        serving_slow = asyncio.ensure_future(slow.run(None, *plenty()))
        other = Listener(GUEST)
        room.listeners.append(other)
        for number in range(200):
            await room.put(GUEST, messages_in.Chat(f"line {number}"))
        assert len(other.heard) >= 200  # while the slow one has not taken one of them
        async with asyncio.timeout(10):
            await serving_slow
        assert stuck.sent == []
        assert "connections_dropped_total 1" in metrics.text()
        # It comes back with what it had seen, and gets everything, more than a queue holds.
        await asyncio.gather(*room.driver._tasks)
        again, socket = connect(room, HOST, metrics)
        serving_again = asyncio.ensure_future(again.run(2, *plenty()))
        await room.put(GUEST, messages_in.Chat("after"))
        await asyncio.gather(*room.driver._tasks)  # the table knows that it is back
        async with asyncio.timeout(10):
            while len(socket.sent) < room.table.seq - 2:
                await socket.next_sent.wait()
        last = room.table.seq  # that it goes is an input, too
        socket.inbox.put_nowait({"type": "websocket.disconnect"})
        await serving_again
        seqs = [json.loads(text)["seq"] for text in socket.sent]
        assert seqs[: last - 2] == list(range(3, last + 1))
        assert "connections_dropped_total 1" in metrics.text()


@pytest.mark.usefixtures("no_grace")
async def test_the_newest_connection_of_a_guest_is_the_active_one_and_the_older_may_reclaim(
    path: Path,
) -> None:
    async with open_hub(path) as (_, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        connections = []
        for number in range(3):
            connection, socket = connect(room, HOST, Metrics())
            connections.append((socket, asyncio.ensure_future(connection.run(None, *plenty()))))
            while len(room.listeners) <= number and not socket.sent:
                await asyncio.sleep(0)
        for socket, served in connections[:2]:
            await served
            assert socket.closed == (CloseCode.SUPERSEDED, "superseded")
            assert '"superseded"' in socket.sent[-1]
        newest, served = connections[2]
        await room.put(HOST, messages_in.Chat("hello"))
        member = room.table.member_of(HOST)
        assert member is not None
        assert member.connected
        newest.inbox.put_nowait({"type": "websocket.disconnect"})
        await served
        await asyncio.gather(*room.driver._tasks)
        gone = room.table.member_of(HOST)
        assert gone is not None
        assert not gone.connected


@pytest.mark.usefixtures("no_grace")
async def test_what_a_superseded_connection_still_says_does_not_count(path: Path) -> None:
    async with open_hub(path) as (_, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        older, stuck = connect(room, HOST, Metrics())
        serving_older = asyncio.ensure_future(older.run(None, *plenty()))
        while older not in room.listeners:
            await asyncio.sleep(0)
        stuck.reads.clear()  # its writer does not finish soon
        newer, socket = connect(room, HOST, Metrics())
        serving_newer = asyncio.ensure_future(newer.run(None, *plenty()))
        while newer not in room.listeners:
            await asyncio.sleep(0)
        for one, text in ((stuck, "from the older"), (socket, "from the newer")):
            said = json.dumps({"type": "chat", "text": text})
            one.inbox.put_nowait({"type": "websocket.receive", "text": said})
            while not one.inbox.empty():
                await asyncio.sleep(0)
            await asyncio.sleep(0)
        while not any("from the newer" in text for text in socket.sent):
            await asyncio.sleep(0)
        assert not any("from the older" in text for text in socket.sent)
        stuck.reads.set()
        await serving_older
        socket.inbox.put_nowait({"type": "websocket.disconnect"})
        await serving_newer


class OneByOne(StubSocket):
    """A reader that takes one message in this number of seconds."""

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
        assert slower.closed == (CloseCode.TOO_SLOW, "too slow")


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
                connection.send("x" * size)
            assert waiting.qsize() == most
            assert connection._queued <= connection_module._QUEUE_BYTES


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
        for _ in range(600):
            await room.put(room.table.members[0].guest, messages_in.Chat("x" * 500))
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
            await app.server.connections._all_closed.wait()
            await server.emptied()
            client.transport.abort()


async def test_a_message_of_more_than_4_kib_is_refused_and_the_connection_goes_on() -> None:
    async with local_app() as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await wire.next()
            wire.say({"type": "chat", "text": "x" * 4096})
            assert (await wire.next("rejected"))["code"] == "message_too_long"
            wire.say({"type": "chat", "text": "x"})
            await wire.next()


@pytest.mark.parametrize("as_bytes", [False, True])
async def test_the_4_kib_of_a_message_are_bytes_and_not_characters(as_bytes: bool) -> None:
    def of_length(size: int) -> str | bytes:
        said = json.dumps({"type": "chat", "text": "é" * 400}, ensure_ascii=False)
        text = said + " " * (size - len(said.encode()))
        assert len(text) < 4096
        return text.encode() if as_bytes else text

    async with local_app() as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await wire.next()
            wire.say(of_length(4097))
            assert (await wire.next("rejected"))["code"] == "message_too_long"
            wire.say(of_length(4096))
            (event,) = (await wire.next())["events"]
            assert event["text"] == "é" * 400
            wire.say('{"type": "chat", "text": "\ud83d"}')
            assert (await wire.next("rejected"))["code"] == "bad_message"


async def test_chat_is_passed_on_as_text_composed_and_without_tricks() -> None:
    async with local_app() as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await wire.next()
            said = "<script>alert('e\u0301')</script>\u202e\u0000\u200b"
            wire.say({"type": "chat", "text": said})
            (event,) = (await wire.next())["events"]
            assert event["text"] == "<script>alert('\u00e9')</script>"
            wire.say({"type": "chat", "text": "x" * 501})
            assert (await wire.next("rejected"))["code"] == "bad_message"
            wire.say({"type": "chat", "text": "\u200b"})
            assert (await wire.next("rejected"))["code"] == "nothing_said"
