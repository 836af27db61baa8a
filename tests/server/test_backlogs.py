"""Reconnecting: what a client missed is read some rows at a time, as fast as it takes them."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from millebornes.server.log_replay import _BATCH
from millebornes.server.store import LogRow
from millebornes.table import messages_in
from tests.server_process import GENEROUS
from tests.virtual_time import on_virtual_time

from .local_app import LocalApp, Socket, open_table, room_of, virtual_app
from .memory_store import MemoryStore
from .rooms import FOR_TWO, GUEST, HOST, Listener, open_hub

WATCHERS = 20
LINES = 600
LONG = "x" * 500


class CountingStore(MemoryStore):
    """Counts the rows of logs that were read, and the most at once."""

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


async def table_with_a_long_log(app: LocalApp) -> tuple[str, list[str]]:
    """A table with a long log of chat; its id, and the tokens of its host and its spectators."""
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
        assert store.most_at_once <= _BATCH
        # Each waits with the first rows that it has not taken.
        assert store.rows_read <= 2 * WATCHERS * _BATCH < WATCHERS * LINES
        assert not any(wire.is_dropped for wire in wires)
        await asyncio.sleep(15)
        assert all(wire.is_dropped for wire in wires)
        async with app.http() as operator:
            text = (await operator.get("/metrics")).text
        assert f"connections_dropped_total {WATCHERS}\n" in text
        # A client that reads gets everything, still some rows at a time.
        async with app.socket(table, tokens[0], "?after=0") as reader:
            await asyncio.sleep(1)
            seqs = [json.loads(frame)["seq"] for frame in reader.frames]
            assert seqs == list(range(1, room_of(app, table).table.seq + 1))
        assert store.most_at_once <= _BATCH


@pytest.mark.usefixtures("no_grace")
async def test_missed_frames_are_those_that_others_heard_at_any_distance(path: Path) -> None:
    async with open_hub(path) as (_, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        live = Listener(HOST)
        room.listeners.append(live)
        for number in range(300):
            await room.put(HOST, messages_in.Chat(f"line {number}"))
        assert live.seqs() == list(range(2, 302))
        for after in (1, 2, 100, 292, 293, 294, 300, 301):
            missed = [frame async for frame in room.add(Listener(HOST), after)]
            assert missed == live.heard[after - 1 :]


@pytest.mark.usefixtures("no_grace")
async def test_whoever_has_seen_more_than_there_is_gets_the_table_as_it_is(path: Path) -> None:
    async with open_hub(path) as (_, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        for after in (None, 77):
            frames = [frame async for frame in room.add(Listener(HOST), after)]
            assert [frame.seq for frame in frames] == [room.table.seq]
            assert frames[0].events == ()


@pytest.mark.usefixtures("no_grace")
async def test_whoever_came_later_does_not_follow_what_was_before(path: Path) -> None:
    async with open_hub(path) as (_, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        await room.put(HOST, messages_in.Chat("a secret"))
        await room.put(GUEST, messages_in.Join("Guest"))
        frames = [frame async for frame in room.add(Listener(GUEST), 0)]
        assert [frame.seq for frame in frames] == [3]


@pytest.mark.usefixtures("no_grace")
async def test_only_some_logs_are_read_for_late_comers_at_once(path: Path) -> None:
    async with open_hub(path) as (_, hub):
        rooms = [await hub.open(FOR_TWO, HOST, "Host") for _ in range(2)]
        for room in rooms:
            for number in range(40):
                await room.put(HOST, messages_in.Chat(f"line {number}"))
        slow, other = (room.add(Listener(HOST), 0) for room in rooms)
        assert (await anext(slow)).seq == 1  # it takes one frame, and then no more for long
        assert [frame.seq async for frame in other] == list(range(1, 42))
        async with hub._folding.of(
            "another"
        ):  # somebody else reads: who needs no log does not wait
            recent = rooms[0].add(Listener(HOST), 40)
            assert [frame.seq async for frame in recent][:1] == [41]
            late = asyncio.ensure_future(anext(rooms[1].add(Listener(HOST), 0)))
            for _turn in range(20):
                await asyncio.sleep(0)
            assert not late.done()
        assert (await late).seq == 1
