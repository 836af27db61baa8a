"""The life of a server: stopping, and forgetting old games."""

import asyncio
import json

import pytest

from tests.virtual_time import ManualClock, on_virtual_time

from .local_app import (
    error_code,
    local_app,
    open_table,
    table_with_host,
    virtual_app,
)
from .memory_store import MemoryStore, SlowStore


async def test_a_server_that_stops_tells_its_clients_first_and_takes_no_new_ones() -> None:
    async with local_app() as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await app.server.say_stopping()
            assert await wire.end() == (1012, "the server restarts")
            assert json.loads(wire.frames[-1]) == {"type": "stopping"}
            async with app.socket(table, token) as late:
                assert (late.accepted, late.denied) == (False, 503)


@pytest.mark.parametrize("awaited", ["a person with a clock", "bots"])
@on_virtual_time
async def test_a_server_that_stops_halts_its_tables_before_clients_hear_of_it(awaited: str) -> None:
    store = MemoryStore()
    async with virtual_app(store=store) as app:
        token, host = await app.guest()
        async with (
            host,
            app.socket(table := await open_table(host, practice=True, clock=5_000), token) as wire,
        ):
            wire.say({"type": "add_bot", "seat": 1, "level": "sunday-driver"})
            wire.say({"type": "start"})
            if awaited == "bots":
                wire.say({"type": "leave"})
            while not (hand := (await wire.next())["table"]["hand"]):
                pass
            while awaited != "bots" and not hand["legal_moves"]:
                hand = (await wire.next())["table"]["hand"]
            await app.server.say_stopping()
            rows = list(store.logs[table])
            assert json.loads(wire.frames[-1]) == {"type": "stopping"}
            await asyncio.sleep(600)  # nothing of this counts, nor that they have gone
            assert store.logs[table] == rows
            answer = await host.post("/api/tables", json={"name": "Ada"})
            assert (answer.status_code, error_code(answer)) == (503, "server_stopping")


async def test_a_socket_whose_guest_is_looked_up_while_the_server_stops_is_turned_away() -> None:
    store = SlowStore()
    async with local_app(store=store) as app:
        token, table = await table_with_host(app)
        opening = asyncio.ensure_future(app.socket(table, token).__aenter__())
        await asyncio.sleep(0)
        await app.server.say_stopping()
        wire = await opening
        assert (wire.accepted, wire.denied) == (False, 503)


async def test_old_games_are_forgotten_at_the_start_and_once_a_day() -> None:
    clock, store = ManualClock(), MemoryStore()
    start, day = clock.now(), 24 * 3600
    async with local_app(clock=clock, store=store, retention_days=30) as app:
        await asyncio.sleep(0)  # it is done while tables are served already
        assert store.forgotten == [start - 30 * day * 1000]
        clock.advance(day - 1)
        await app.server._delete_expired()
        assert len(store.forgotten) == 1
        clock.advance(1)
        await app.server._delete_expired()
        await app.server._delete_expired()
        assert store.forgotten[1:] == [start - 29 * day * 1000]
    store.forgotten.clear()
    async with local_app(clock=clock, store=store, retention_days=0):
        await asyncio.sleep(0)
        assert store.forgotten == []
