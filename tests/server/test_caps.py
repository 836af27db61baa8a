"""How long the log of a table may become: talk ends first, a match that has begun never does."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_args

import pytest

from millebornes.server.bot_workers import LocalThinkers
from millebornes.server.caps import BEGINS, PLAYS, TALKS, Caps, LogSize
from millebornes.server.clock import SystemClock
from millebornes.server.entropy import SystemEntropy
from millebornes.server.hub import Hub
from millebornes.server.log_replay import fold
from millebornes.server.room import Room
from millebornes.server.store.sqlite import SqliteStore
from millebornes.table import In, Outcome, inputs, messages_in, picture

from .local_app import local_app, open_table
from .memory_store import MemoryStore
from .rooms import (
    FOR_TWO,
    GUEST,
    HOST,
    PRACTICE,
    Listener,
    move_of,
    moves_of,
    refusal_code,
    until_asked,
)

CAPS = Caps(inputs=40)
FULL = "table_used_up"
STRANGER = "stranger"


@contextlib.asynccontextmanager
async def serving(caps: Caps, path: Path | None = None) -> AsyncIterator[Hub]:
    store: Any = MemoryStore() if path is None else SqliteStore(path)
    await store.open()
    hub = Hub(store, LocalThinkers(), SystemClock(), SystemEntropy(), caps)
    try:
        yield hub
    finally:
        await hub.stop()
        await store.close()


async def fill(room: Room, inputs_: int) -> None:
    """Add rows that are always accepted, up to this number."""
    while room._size.input_count < inputs_:
        is_here = room.table.members[0].connected
        message = inputs.Gone(HOST) if is_here else inputs.Arrived(HOST)
        assert refusal_code(await room.put(None, message)) is None


async def two_at(hub: Hub) -> Room:
    room = await hub.open(FOR_TWO, HOST, "Host")
    assert refusal_code(await room.put(GUEST, messages_in.Join("Guest"))) is None
    return room


def test_every_message_is_known_to_talk_to_begin_or_to_play() -> None:
    kinds = (*PLAYS, *BEGINS, *TALKS)
    assert set(kinds) == set(get_args(In))
    assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize("cap", ["inputs", "bytes"])
async def test_talk_is_refused_from_half_of_the_cap_on(cap: str) -> None:
    caps = Caps(inputs=40) if cap == "inputs" else Caps(bytes=20_000)
    async with serving(caps) as hub:
        room = await two_at(hub)
        said = 0
        while refusal_code(await room.put(HOST, messages_in.Chat("x" * 400))) is None:
            said += 1
        assert said == (18 if cap == "inputs" else 20_000 // 2 // (400 + 100))
        before = room.table
        for message in (
            messages_in.Chat("hello"),
            messages_in.Emote("bravo"),
            messages_in.Mute(1),
            messages_in.Stand(),
            messages_in.Sit(0),
            messages_in.Kick(1),
            messages_in.AddBot(1, "sunday-driver"),
            messages_in.Back(1),
        ):
            assert refusal_code(await room.put(HOST, message)) == FULL
        joins = messages_in.Join("Stranger")
        assert refusal_code(await room.put(STRANGER, joins)) == FULL
        assert room.table is before
        # A guest with a seat can return to it, and a match can still start.
        await room.put(None, inputs.Gone(GUEST))
        assert refusal_code(await room.put(GUEST, messages_in.Join("Guest"))) is None
        assert refusal_code(await room.put(HOST, messages_in.Start())) is None


async def test_no_match_begins_in_a_log_that_is_full() -> None:
    async with serving(CAPS) as hub:
        room = await two_at(hub)
        await fill(room, CAPS.inputs - 1)
        assert not room._size.is_full
        await fill(room, CAPS.inputs)
        assert room._size.is_full
        for message in (messages_in.Start(), messages_in.Rematch()):
            assert refusal_code(await room.put(HOST, message)) == FULL
        assert refusal_code(await room.put(HOST, messages_in.Leave())) is None


async def test_a_match_that_has_begun_goes_on_to_its_end_whatever_the_cap() -> None:
    async with serving(Caps(inputs=10)) as hub:
        room = await hub.open(PRACTICE, HOST, "Host")
        for message in (messages_in.AddBot(1, "sunday-driver"), messages_in.Start()):
            assert refusal_code(await room.put(HOST, message)) is None
        await until_asked(room)
        refused = await play_to_the_end(room)
        assert refused == []
        assert room._size.input_count > 10 * 5
        assert refusal_code(await room.put(HOST, messages_in.Rematch())) == FULL
        assert refusal_code(await room.put(HOST, messages_in.Back(1))) == FULL


async def play_to_the_end(room: Room) -> list[Outcome]:
    """A whole match of a person and a bot: leaving, coming back, every move; what was refused."""
    listener = Listener(HOST)
    room.listeners.append(listener)
    refused = []
    number = 0

    async def put(message: In) -> None:
        outcome = await room.put(HOST, message)
        if outcome.refused is not None:
            refused.append(outcome)

    await put(messages_in.Leave())
    await put(messages_in.Return())
    while room.table.phase != "over":
        number += 1
        shown = picture(room.table, HOST)
        assert shown.asked is not None
        if moves_of(room):
            await put(move_of(room, f"m{number}"))
        elif shown.asked.what == "next":
            await put(messages_in.Next(room.table.decision))
        else:
            await listener.after(room, room.table.decision)
    return refused


async def test_a_log_that_is_longer_than_the_cap_comes_back_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    async with serving(Caps(), path) as hub:
        room = await two_at(hub)
        for _ in range(30):
            await room.put(HOST, messages_in.Chat("hello"))
        size = (room._size.input_count, room._size.byte_count)
        assert size[0] == room.table.seq
        id_, seq = room.id, room.table.seq
    async with serving(Caps(inputs=20), path) as hub:
        await hub.restore_tables()
        found = hub.find(id_)
        assert found is not None
        rows = found._size.input_count - size[0]  # that time has passed is an input
        assert rows == found.table.seq - seq
        assert refusal_code(await found.put(HOST, messages_in.Chat("hello"))) == FULL


@pytest.mark.parametrize(
    "message",
    [
        messages_in.Join("Host"),
        messages_in.Join("Another name", watch=True),
        messages_in.Mute(1),
        messages_in.Mute(1, on=False),
        messages_in.Leave(),
    ],
)
async def test_what_changes_nothing_is_not_written_and_nobody_else_hears_of_it(message: In) -> None:
    async with serving(Caps()) as hub:
        room = await two_at(hub)
        await room.put(HOST, message)
        before, other = room.table, Listener(GUEST)
        room.listeners.append(other)
        assert refusal_code(await room.put(HOST, message)) == "already_done"
        assert room.table is before
        assert other.heard == []
        assert room._size.input_count + room._size._watcher_inputs == before.seq


async def test_watchers_cannot_use_up_what_the_players_need() -> None:
    async with serving(Caps(inputs=80)) as hub:
        room = await hub.open(FOR_TWO, HOST, "Host")
        assert refusal_code(await room.put(GUEST, messages_in.Join("Eve", watch=True))) is None
        seq = 0
        while room.table.seq > seq:  # coming and going, until that is no longer kept
            seq = room.table.seq
            await room.put(None, inputs.Gone(GUEST))
            await room.put(None, inputs.Arrived(GUEST))
        assert room.table.seq == 1 + 80 // 4
        for message in (messages_in.Chat("hello"), messages_in.Mute(0)):
            assert refusal_code(await room.put(GUEST, message)) == FULL
        stranger = messages_in.Join("Stranger", watch=True)
        assert refusal_code(await room.put(STRANGER, stranger)) == FULL
        # The host talks, and somebody who comes to play gets the seat.
        assert refusal_code(await room.put(HOST, messages_in.Chat("hello"))) is None
        assert refusal_code(await room.put(STRANGER, messages_in.Join("Stranger"))) is None
        assert refusal_code(await room.put(HOST, messages_in.Start())) is None
        assert room.table.phase == "playing"
        # A server that starts again counts the same.
        again, rows = LogSize(Caps(inputs=80)), await hub._store.log(room.id)
        for row, past in zip(rows, fold(rows, room._first()), strict=True):
            again.add_old(row, past.table)
        assert vars(again) == vars(room._size)


async def test_joining_once_more_by_rest_gives_the_table_and_writes_nothing() -> None:
    store = MemoryStore()
    async with local_app(store=store) as app:
        _, host = await app.guest()
        async with host:
            table = await open_table(host)
            first = (await host.get(f"/api/tables/{table}")).json()
            for _ in range(3):
                answer = await host.post(f"/api/tables/{table}/join", json={"name": "Ada"})
                assert (answer.status_code, answer.json()) == (200, first)
        assert len(store.logs[table]) == 1


async def test_whoever_is_refused_a_seat_at_a_table_used_up_is_told_what_to_do() -> None:
    async with local_app(store=MemoryStore(), inputs_per_table=100) as app:
        _, host = await app.guest()
        _, friend = await app.guest()
        async with host, friend:
            table = await open_table(host)
            room = app.server.hub.find(table)
            assert room is not None
            guest = room.table.members[0].guest
            while refusal_code(await room.put(guest, messages_in.Chat("hello"))) is None:
                pass
            assert room.table.seq == 50
            answer = await friend.post(f"/api/tables/{table}/join", json={"name": "Bea"})
            assert (answer.status_code, answer.json()["code"]) == (409, FULL)
            assert "new table" in answer.json()["sentence"]
