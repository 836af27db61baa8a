"""The contract that every store must pass. A new store is a line in `STORES`."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from millebornes.server.store import (
    SEEN_EVERY,
    Conflict,
    Device,
    FinishedGame,
    Store,
    StoreError,
    Summary,
)
from millebornes.server.store.sqlite import SqliteStore
from tests.server.memory_store import MemoryStore, SlowStore

from .rows import HOST, log_row, table_row

STORES: dict[str, Callable[[Path], Store]] = {
    "SQLite": lambda folder: SqliteStore(folder / "tables.sqlite"),
    "SQLite in memory": lambda _: SqliteStore(":memory:"),
    "memory": lambda _: MemoryStore(),
    "slow memory": lambda _: SlowStore(),
}
KEEPS = [name for name in STORES if name != "SQLite in memory"]
"""Stores that can be opened again."""


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return STORES[request.param](tmp_path)


@pytest.fixture(params=KEEPS)
def kept_store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return STORES[request.param](tmp_path)


@contextlib.asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    """The store, opened; at the end it is closed."""
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def test_it_says_where_it_is(store: Store) -> None:
    assert store.place


async def test_what_is_written_is_there_after_a_restart(kept_store: Store) -> None:
    row, rows = table_row(), [log_row(1), log_row(2, data=b'{"a":1}'), log_row(3)]

    async with opened(kept_store) as store:
        await store.add_table(row, rows[0])
        for one in rows[1:]:
            await store.append(row.id, one)
    async with opened(kept_store) as store:
        assert await store.table(row.id) == row
        assert await store.table("another") is None
        assert await store.running_tables() == [row]
        assert await store.tables_of(HOST) == [row]
        assert await store.log(row.id) == rows
        assert await store.log(row.id, 2) == rows[2:]
        assert await store.log("another") == []
        assert await store.log(row.id, 0, 2) == rows[:2]
        assert await store.log(row.id, 1, 1) == rows[1:2]
        assert await store.log(row.id, 1, 0) == []
        assert await store.log(row.id, 0, 99) == rows


async def test_of_two_who_write_the_same_input_the_second_is_told(store: Store) -> None:
    async with opened(store):
        await store.add_table(table_row(), log_row(1))
        writes = [store.append("table1", log_row(2, data=data)) for data in (b"1", b"2")]
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert {type(one) for one in outcomes} == {type(None), Conflict}
        winner = b"1" if outcomes[0] is None else b"2"
        assert [row.data for row in await store.log("table1", 1)] == [winner]
        await store.append("table1", log_row(3))
        assert len(await store.log("table1")) == 3


async def test_one_input_that_fails_does_not_fail_those_written_with_it(store: Store) -> None:
    async with opened(store):
        for number in range(3):
            await store.add_table(table_row(number), log_row(1))
        outcomes = await asyncio.gather(
            store.append("table0", log_row(2)),
            store.append("table1", log_row(1)),  # taken
            store.append("no such table", log_row(2)),
            store.append("table2", log_row(2)),
            return_exceptions=True,
        )
        assert [type(one) for one in outcomes] == [type(None), Conflict, Conflict, type(None)]
        assert [len(await store.log(f"table{number}")) for number in range(3)] == [2, 1, 2]
        assert await store.log("no such table") == []


async def test_what_an_input_brings_stands_or_falls_with_it(store: Store) -> None:
    summary = Summary("house-1", ("Ada", "Léa"), (5000, 3200), "At the lake")
    game = FinishedGame("game1-1", "table1", 1000, "record", (HOST, "other"), summary)

    async with opened(store):
        await store.add_table(table_row(), log_row(1))
        with pytest.raises(Conflict):
            await store.append("table1", log_row(1), member="other", finished=game, closes=True)
        assert await store.game(game.id) is None
        assert await store.tables_of("other") == []
        assert await store.running_tables() == [table_row()]
        await store.append("table1", log_row(2), member="other")
        await store.append("table1", log_row(3), member="other")  # once more changes nothing
        assert await store.tables_of("other") == [table_row()]
        await store.append("table1", log_row(4), finished=game, closes=True)
        assert await store.game(game.id) == game
        assert await store.games_of("other", 10) == [game._replace(record="")]
        assert await store.running_tables() == []
        assert await store.table("table1") == table_row()._replace(closed=True)


async def test_a_table_is_closed_with_its_record_or_without(store: Store) -> None:
    game = FinishedGame("game1-1", "table1", 1000, "record", (HOST,))

    async with opened(store):
        for number in (1, 2):
            await store.add_table(table_row(number), log_row(1))
        await store.close_table("table1", game)
        await store.close_table("table2")
        assert await store.running_tables() == []
        assert await store.tables_of(HOST) == []
        assert await store.game(game.id) == game
        assert await store.games_of(HOST, 10) == [game]


async def test_a_table_or_a_game_is_opened_once(store: Store) -> None:
    async with opened(store):
        await store.add_table(table_row(), log_row(1))
        for row in (table_row(), table_row(2)._replace(game_id="game1")):
            with pytest.raises(Conflict):
                await store.add_table(row, log_row(1))
        assert await store.running_tables() == [table_row()]
        assert await store.log("table2") == []


async def test_closing_a_table_that_is_not_there_changes_nothing(store: Store) -> None:
    async with opened(store):
        await store.close_table("no such table")
        assert await store.table("no such table") is None


async def test_a_list_of_games_leaves_the_hands_of_their_records_out(store: Store) -> None:
    game = FinishedGame("game1-1", "table1", 1000, "game: 1\n\ndeal: 1\ndeal: 2", (HOST,))

    async with opened(store):
        await store.add_table(table_row(), log_row(1))
        await store.append("table1", log_row(2), finished=game)
        assert await store.games_of(HOST, 10) == [game._replace(record="game: 1\n")]
        assert await store.game(game.id) == game


async def test_a_match_that_ends_twice_keeps_its_last_end(store: Store) -> None:
    first = FinishedGame("game1-1", "table1", 1000, "first", (HOST,))
    second = first._replace(ended=2000, record="second")

    async with opened(store):
        await store.add_table(table_row(), log_row(1))
        await store.append("table1", log_row(2), finished=first)
        await store.append("table1", log_row(3), finished=second)
        assert await store.games_of(HOST, 10) == [second]


async def test_the_newest_tables_and_games_of_a_guest_come_first(store: Store) -> None:
    async with opened(store):
        for number in (2, 1, 3):
            await store.add_table(table_row(number, created=1000 * number), log_row(1))
            game = FinishedGame(f"game{number}-1", f"table{number}", 1000 * number, "", (HOST,))
            await store.append(f"table{number}", log_row(2), finished=game)
        assert [row.id for row in await store.running_tables()] == ["table1", "table2", "table3"]
        assert [row.id for row in await store.tables_of(HOST)] == ["table3", "table2", "table1"]
        assert [game.id for game in await store.games_of(HOST, 2)] == ["game3-1", "game2-1"]
        assert [row.id for row in await store.tables_of(HOST, 2)] == ["table3", "table2"]


async def test_what_ended_long_ago_is_forgotten(store: Store) -> None:
    old, new = 1000, 5000

    async with opened(store):
        await store.add_guest(HOST, "hash of host", old)
        await store.add_guest("visitor", "hash of visitor", old)
        await store.add_guest("late visitor", "hash of late visitor", new)
        for number, (last, closes) in enumerate(((old, True), (new, True), (old, False))):
            await store.add_table(table_row(number, old), log_row(1, old))
            await store.append(f"table{number}", log_row(2, last), closes=closes)
        for ended in (old, new):
            game = FinishedGame(f"game-{ended}", "table0", ended, "record", (HOST,))
            await store.append("table2", log_row(ended), finished=game)
        assert await store.forget(2000) == 2  # a table and a game
        assert await store.table("table0") is None
        assert await store.log("table0") == []
        assert len(await store.log("table1")) == 2  # closed, but not long ago
        assert [row.id for row in await store.running_tables()] == ["table2"]
        assert [game.id for game in await store.games_of(HOST, 10)] == [f"game-{new}"]
        assert await store.guest_of("hash of host") == HOST
        assert await store.guest_of("hash of visitor") is None
        assert await store.guest_of("hash of late visitor") == "late visitor"
        assert await store.forget(2000) == 0


async def test_a_running_table_is_never_forgotten(store: Store) -> None:
    async with opened(store):
        await store.add_table(table_row(), log_row(1))
        assert await store.forget(10**12) == 0
        assert await store.log("table1") == [log_row(1)]


async def test_tokens_belong_to_guests(store: Store) -> None:
    async with opened(store):
        await store.add_guest("guest", "hash 1", 1000)
        await store.add_token("guest", "hash 2", 1000)
        assert await store.guest_of("hash 1") == await store.guest_of("hash 2") == "guest"
        assert await store.guest_of("hash 3") is None
        with pytest.raises(Conflict):
            await store.add_token("nobody", "hash 3", 1000)
        with pytest.raises(Conflict):
            await store.add_guest("thief", "hash 1", 1000)
        assert await store.guest_of("hash 1") == "guest"


async def test_a_guest_has_devices_and_signs_one_out(kept_store: Store) -> None:
    async with opened(kept_store) as store:
        await store.add_guest("guest", "hash 1", 1000, "Firefox, Linux")
        await store.add_token("guest", "hash 2", 2000)
        await store.add_guest("other", "hash 3", 3000, "Safari, iPhone")
    async with opened(kept_store) as store:
        first = Device("hash 1", "Firefox, Linux", 1000, 1000)
        assert await store.devices_of("guest") == [Device("hash 2", "", 2000, 2000), first]
        assert await store.devices_of("nobody") == []
        await store.remove_token("hash 2")
        await store.remove_token("hash 2")  # once more changes nothing
        assert await store.devices_of("guest") == [first]
        assert await store.guest_of("hash 2") is None
    async with opened(kept_store) as store:
        assert await store.guest_of("hash 1") == "guest"
        assert await store.guest_of("hash 2") is None
        assert [one.token_hash for one in await store.devices_of("other")] == ["hash 3"]


async def test_the_use_of_a_token_is_noted_once_a_day(store: Store) -> None:
    async with opened(store):
        await store.add_guest("guest", "hash 1", 1000)
        seen = []
        for now in (1000, 1000 + SEEN_EVERY - 1, 1000 + SEEN_EVERY, 2000 + SEEN_EVERY):
            await store.note_seen("hash 1", now)
            await store.note_seen("no such token", now)
            seen += [device.seen for device in await store.devices_of("guest")]
        assert seen == [1000, 1000, 1000 + SEEN_EVERY, 1000 + SEEN_EVERY]


async def test_a_store_that_is_well_says_so(store: Store) -> None:
    async with opened(store):
        await store.check()
        await store.add_table(table_row(), log_row(1))
        with pytest.raises(Conflict):
            await store.append("table1", log_row(1))  # that is no failure
        await store.check()
        state = store.state()
        assert (state.waiting, state.failed, state.trouble) == (0, 0, None)
        assert state.bytes >= 0


async def test_looking_at_a_store_that_is_not_open_raises_nothing(store: Store) -> None:
    await store.check()
    assert store.state().failed == 0


@pytest.mark.parametrize("when", ["before it is opened", "after it is closed"])
@pytest.mark.timeout(30)
async def test_a_store_that_is_not_open_refuses_instead_of_waiting_for_ever(
    store: Store, when: str
) -> None:
    if when == "after it is closed":
        await store.open()
        await store.close()
    with pytest.raises(StoreError):
        await store.add_table(table_row(), log_row(1))
    with pytest.raises(StoreError):
        await store.running_tables()
    await store.close()  # once more changes nothing
