"""Nobody takes every table: places and new tables are counted for each address, too."""

import asyncio

from millebornes.server.store import LogRow, StoreError, TableRow
from millebornes.server.table_counts import TableCounts
from millebornes.table import inputs

from .house import house
from .memory import MemoryStore
from .test_api import code_of, open_table
from .virtual import SetClock

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


def test_one_address_opens_only_so_many_tables_whatever_its_guests() -> None:
    async def main() -> None:
        async with house(tables_per_address=3, tables_per_minute=1000) as built:
            guests = [await built.guest(HERE) for _ in range(4)]
            _, other = await built.guest(ELSEWHERE)
            opened = [
                client.post("/api/tables", json={"name": "Ada"})
                for _, client in guests
                for _ in "12"
            ]
            answers = await asyncio.gather(*opened)
            assert sorted(a.status_code for a in answers) == [201] * 3 + [429] * 5
            refused = next(a for a in answers if a.status_code == 429)
            assert code_of(refused) == "too_many_tables_here"
            assert "3 tables" in refused.json()["sentence"]
            await open_table(other)
            room = built.server.hub.find(
                next(a for a in answers if a.status_code == 201).json()["table"]
            )
            assert room is not None
            await room.put(None, inputs.Shut("idle"))
            await open_table(guests[0][1])
            for _, client in guests:
                await client.aclose()
            await other.aclose()

    asyncio.run(main())


def test_new_tables_are_limited_for_each_address_and_minute() -> None:
    async def main() -> None:
        clock = SetClock()
        async with house(clock=clock, tables_per_minute=2) as built:
            _, one = await built.guest(HERE)
            _, two = await built.guest(HERE)
            _, other = await built.guest(ELSEWHERE)
            async with one, two, other:
                await open_table(one)
                await open_table(two)
                refused = await one.post("/api/tables", json={"name": "Ada"})
                assert (refused.status_code, code_of(refused)) == (429, "too_many")
                await open_table(other)
                clock.move(30)
                await open_table(two)
                assert (await one.post("/api/tables", json={"name": "Ada"})).status_code == 429

    asyncio.run(main())


def test_a_table_that_could_not_be_written_is_not_counted() -> None:
    class Full(MemoryStore):
        async def add_table(self, row: TableRow, first: LogRow) -> None:  # noqa: ARG002
            raise StoreError("the disk is full")

    async def main() -> None:
        async with house(store=Full()) as built:
            _, client = await built.guest(HERE)
            async with client:
                answer = await client.post("/api/tables", json={"name": "Ada"})
                assert (answer.status_code, code_of(answer)) == (503, "cannot_write")
            assert built.server.hub.table_counts.by_address(HERE) == 0
            assert not built.server.hub.table_counts._guests

    asyncio.run(main())


def test_a_class_of_thirty_behind_one_address_opens_fifteen_tables_at_the_default_limits() -> None:
    async def main() -> None:
        async with house(clock=SetClock()) as built:
            guests = [await built.guest(HERE) for _ in range(30)]
            for (_, host), (_, friend) in zip(guests[::2], guests[1::2], strict=True):
                table = await open_table(host)
                joined = await friend.post(f"/api/tables/{table}/join", json={"name": "Léa"})
                assert joined.status_code == 200, joined.text
            assert len(built.server.hub) == 15
            for _, client in guests:
                await client.aclose()

    asyncio.run(main())


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
