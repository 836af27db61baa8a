"""All tables of a server: restarts, and logs that do not replay."""

import asyncio
import gc
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

from millebornes.records import game as game_text
from millebornes.rules import RULES_VERSION
from millebornes.server.codec import encode_input, encode_settings
from millebornes.server.store import LogRow, StoreError
from millebornes.table import inputs, messages_in
from millebornes.table.close_codes import CloseCode
from tests.virtual_time import ManualClock

from .rooms import (
    FOR_TWO,
    HOST,
    PRACTICE,
    Listener,
    open_hub,
    open_practice,
    refusal_code,
    until_asked,
)

pytestmark = pytest.mark.usefixtures("no_grace")


async def test_time_in_which_the_server_was_away_does_not_count(path: Path) -> None:
    clock = ManualClock()
    async with open_hub(path, clock) as (_, hub):
        room = await hub.open(replace(PRACTICE, clock=60_000), HOST, "Host")
        for message in (messages_in.AddBot(1, "sunday-driver"), messages_in.Start()):
            await room.put(HOST, message)
        await until_asked(room)
        clock.advance(20)
        await room.put(HOST, messages_in.Chat("hello"))
        id_, left = room.id, (room.table.answer_by or 0) - clock.now()
        await hub.stop()
        assert refusal_code(await room.put(HOST, messages_in.Chat("late"))) == "server_stopping"
    for away in (3600, -7200):  # the second time, the wall clock was set back
        clock.advance(away)
        async with open_hub(path, clock) as (_, hub):
            await hub.restore_tables()
            found = hub.find(id_)
            assert found is not None
            assert (found.table.answer_by or 0) - clock.now() == left


async def test_after_a_restart_nobody_is_connected_and_grace_runs_from_then(path: Path) -> None:
    clock = ManualClock()
    async with open_hub(path, clock) as (_, hub):
        id_ = (await hub.open(FOR_TWO, HOST, "Host")).id
    clock.advance(8 * 3600)
    async with open_hub(path, clock) as (_, hub):
        await hub.restore_tables()
        room = hub.find(id_)
        assert room is not None
        await asyncio.gather(*room.driver._tasks)
        assert [member.connected for member in room.table.members] == [False]
        assert [member.gone_since for member in room.table.members] == [clock.now()]


async def test_a_closed_table_is_forgotten_and_its_listeners_are_told(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        listener = Listener(HOST)
        room.listeners.append(listener)
        await room.put(None, inputs.Shut("idle"))
        assert listener.ended == (CloseCode.TABLE_CLOSED, "idle")
        assert hub.find(room.id) is None
        assert await store.running_tables() == []
        assert refusal_code(await room.put(HOST, messages_in.Chat("hello"))) == "table_closed"
        gone = weakref.ref(room)
        del room
        async with asyncio.timeout(20):
            while gone() is not None:
                await asyncio.sleep(0)
                gc.collect()


async def test_a_log_that_does_not_replay_closes_its_table_alone_and_keeps_its_record(
    path: Path,
) -> None:
    bad = b'{"type":"no_such_input"}'
    refused = encode_input(messages_in.Move(10**6, "id", "x25"))
    async with open_hub(path) as (store, hub):
        sound, unknown, wrong, early, odd = [await open_practice(hub) for _ in range(5)]
        await hub.stop()
        await store.append(unknown.id, LogRow(unknown.table.seq + 1, HOST, 0, bad))
        await store.append(wrong.id, LogRow(wrong.table.seq + 1, HOST, 0, refused))
        await store._do(("UPDATE tables SET rules_version = 99 WHERE id = ?", (early.id,)))
        await store._do(("UPDATE tables SET settings = '{' WHERE id = ?", (odd.id,)))
    async with open_hub(path) as (store, hub):
        await hub.restore_tables()
        assert [room.id for room in hub] == [sound.id]
        assert [row.id for row in await store.running_tables()] == [sound.id]
        listed = [await store.game(game.id) for game in await store.games_of(HOST, 10)]
        records = {game.table: game.record for game in listed if game is not None}
        assert records.keys() == {unknown.id, wrong.id, early.id}
        for table, record in records.items():
            game = game_text.from_text(record)
            assert game.result is None
            assert game.rules_version == (99 if table == early.id else RULES_VERSION)
        assert len(await store.log(unknown.id)) == unknown.table.seq + 1


async def test_the_log_names_what_failed_and_quotes_nothing_of_it(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An input or a setting may contain a card of a hand, or a seed."""
    hidden = b'{"type":"ROW in hand"}'
    async with open_hub(path) as (store, hub):
        played, again, set_up = [await open_practice(hub) for _ in range(3)]
        await store.append(again.id, LogRow(again.table.seq + 1, None, 0, hidden))
        assert refusal_code(await again.put(HOST, messages_in.Chat("hello"))) == "cannot_write"
        await hub.stop()
        await store.append(played.id, LogRow(played.table.seq + 1, None, 0, hidden))
        secret = encode_settings(PRACTICE).replace(b'"practice":true', b'"practice":false')
        change = "UPDATE tables SET settings = ? WHERE id = ?"
        await store._do((change, (secret, set_up.id)))
    async with open_hub(path) as (_, hub):
        await hub.restore_tables()
    assert caplog.text.count("fails: ValidationError") == 3
    assert caplog.text.count("closed: EditionError") == 1
    assert "ROW" not in caplog.text
    assert "seed" not in caplog.text


async def test_a_database_that_cannot_be_read_closes_no_table(path: Path) -> None:
    async with open_hub(path) as (_, hub):
        await hub.open(FOR_TWO, HOST, "Host")
    async with open_hub(path) as (store, hub):
        store.cannot_read = True
        with pytest.raises(StoreError):
            await hub.restore_tables()
        assert len(await store.running_tables()) == 1
