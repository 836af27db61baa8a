"""Nobody takes every table: places and new tables are counted for each address, too."""

import asyncio

from millebornes.server.store import LogRow, StoreError, TableRow
from millebornes.server.table_counts import TableCounts
from millebornes.table import inputs
from tests.virtual_time import ManualClock

from .local_app import error_code, local_app, open_table
from .memory_store import MemoryStore, SlowStore

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


async def test_one_address_opens_only_so_many_tables_whatever_its_guests() -> None:
    async with local_app(tables_per_address=3, tables_per_minute=1000) as app:
        guests = [await app.guest(HERE) for _ in range(4)]
        _, other = await app.guest(ELSEWHERE)
        opened = [
            client.post("/api/tables", json={"name": "Ada"}) for _, client in guests for _ in "12"
        ]
        answers = await asyncio.gather(*opened)
        assert sorted(a.status_code for a in answers) == [201] * 3 + [429] * 5
        refused = next(a for a in answers if a.status_code == 429)
        assert error_code(refused) == "too_many_tables_here"
        assert "3 tables" in refused.json()["sentence"]
        await open_table(other)
        room = app.server.hub.find(next(a for a in answers if a.status_code == 201).json()["table"])
        assert room is not None
        await room.put(None, inputs.Shut("idle"))
        await open_table(guests[0][1])
        for _, client in guests:
            await client.aclose()
        await other.aclose()


async def test_new_tables_are_limited_for_each_address_and_minute() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, tables_per_minute=2) as app:
        _, one = await app.guest(HERE)
        _, two = await app.guest(HERE)
        _, other = await app.guest(ELSEWHERE)
        async with one, two, other:
            await open_table(one)
            await open_table(two)
            refused = await one.post("/api/tables", json={"name": "Ada"})
            assert (refused.status_code, error_code(refused)) == (429, "too_many")
            await open_table(other)
            clock.advance(30)
            await open_table(two)
            assert (await one.post("/api/tables", json={"name": "Ada"})).status_code == 429


async def test_a_table_that_could_not_be_written_is_not_counted() -> None:
    class Full(MemoryStore):
        async def add_table(self, row: TableRow, first: LogRow) -> None:  # noqa: ARG002
            raise StoreError("the disk is full")

    async with local_app(store=Full()) as app:
        _, client = await app.guest(HERE)
        async with client:
            answer = await client.post("/api/tables", json={"name": "Ada"})
            assert (answer.status_code, error_code(answer)) == (503, "cannot_write")
        assert app.server.hub.table_counts.by_address(HERE) == 0
        assert not app.server.hub.table_counts._guests


async def test_thirty_people_behind_one_address_open_fifteen_tables_at_the_default_limits() -> None:
    async with local_app(clock=ManualClock()) as app:
        guests = [await app.guest(HERE) for _ in range(30)]
        for (_, host), (_, friend) in zip(guests[::2], guests[1::2], strict=True):
            table = await open_table(host)
            joined = await friend.post(f"/api/tables/{table}/join", json={"name": "Léa"})
            assert joined.status_code == 200, joined.text
        assert len(app.server.hub) == 15
        for _, client in guests:
            await client.aclose()


def test_table_counts_go_down_and_empty_ones_are_dropped() -> None:
    counts = TableCounts()
    counts.add("t1", "ada", HERE)
    counts.add("t2", "ada", ELSEWHERE)
    counts.add("t3", "léa", HERE)
    counts.add("t4", "léa")
    assert (counts.by_guest("ada"), counts.by_guest("léa"), counts.by_guest("cy")) == (2, 2, 0)
    assert (counts.by_address(HERE), counts.by_address(ELSEWHERE)) == (2, 1)
    for table in ("t1", "t1", "t2", "t3", "t4", "t5"):
        counts.remove(table)
    assert not counts._of
    assert not counts._guests
    assert not counts._addresses


async def test_one_guest_opens_only_so_many_tables_even_over_a_restart() -> None:
    store = MemoryStore()
    async with local_app(store=store, tables_per_guest=2) as app:
        token, host = await app.guest()
        _, other = await app.guest()
        async with host, other:
            opened = [host.post("/api/tables", json={"name": "Ada"}) for _ in range(4)]
            answers = await asyncio.gather(*opened)
            assert sorted(a.status_code for a in answers) == [201, 201, 429, 429]
            await open_table(other)
    async with (
        local_app(store=store, tables_per_guest=2) as app,
        app.http(Authorization=f"Bearer {token}") as host,
    ):
        again = await host.post("/api/tables", json={"name": "Ada"})
        assert (again.status_code, error_code(again)) == (429, "too_many_tables")
        room = next(iter(app.server.hub))
        await room.put(None, inputs.Shut("idle"))
        await open_table(host)


async def test_tables_opened_all_at_once_are_limited_while_the_store_takes_its_time() -> None:
    async with local_app(store=SlowStore(), max_tables=3) as app:
        guests = [client for _, client in [await app.guest() for _ in range(6)]]
        opened = [client.post("/api/tables", json={"name": "Ada"}) for client in guests]
        answers = await asyncio.gather(*opened)
        assert sorted(answer.status_code for answer in answers) == [201] * 3 + [503] * 3
        assert len(app.server.hub) == 3
        for client in guests:
            await client.aclose()
