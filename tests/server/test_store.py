"""The store on real SQLite files: what is durable, who wins, what fails alone."""

import asyncio
import os
import stat
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from millebornes.server import sqlite
from millebornes.server.sqlite import _OLD_GUESTS, SqliteStore
from millebornes.server.store import Conflict, FinishedGame, LogRow, StoreError, Summary, TableRow

HOST = "guest-of-the-host"


def table_row(number: int = 1, created: int = 1000) -> TableRow:
    return TableRow(f"table{number}", f"game{number}", created, b"{}", 1)


def log_row(seq: int, now: int = 1000, data: bytes = b"{}") -> LogRow:
    return LogRow(seq, HOST, now, data)


def on_store(path: Path, work: Callable[[SqliteStore], Awaitable[None]]) -> None:
    async def main() -> None:
        store = SqliteStore(path)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(main())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many jobs went into each transaction."""
    sizes: list[int] = []
    commit = SqliteStore._commit

    def counted(self: SqliteStore, jobs: list[sqlite._Job]) -> list[int | Exception]:
        sizes.append(len(jobs))
        return commit(self, jobs)

    monkeypatch.setattr(SqliteStore, "_commit", counted)
    return sizes


def test_what_is_written_is_there_after_a_restart(path: Path) -> None:
    row, rows = table_row(), [log_row(1), log_row(2, data=b'{"a":1}'), log_row(3)]

    async def write(store: SqliteStore) -> None:
        await store.add_table(row, rows[0])
        for one in rows[1:]:
            await store.append(row.id, one)

    async def read(store: SqliteStore) -> None:
        assert store.table(row.id) == row
        assert store.running_tables() == [row]
        assert store.tables_of(HOST) == [row]
        assert store.log(row.id) == rows
        assert store.log(row.id, 2) == rows[2:]

    on_store(path, write)
    on_store(path, read)


def test_every_connection_waits_for_the_disk(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        for connection in (store._writer, store._reader):
            assert connection.pragma("synchronous") == 2
            assert connection.pragma("journal_mode") == "wal"

    on_store(path, work)


@pytest.mark.parametrize("count", [40, 100])
def test_inputs_that_wait_together_share_one_commit(
    path: Path, commits: list[int], count: int
) -> None:
    async def work(store: SqliteStore) -> None:
        for number in range(count):
            await store.add_table(table_row(number), log_row(1))
        commits.clear()
        with store._lock:  # the writer is busy with something: what comes now waits
            writes = [
                asyncio.ensure_future(store.append(f"table{number}", log_row(2)))
                for number in range(count)
            ]
            await asyncio.sleep(0)  # all of them are asked for now
        await asyncio.gather(*writes)
        assert sum(commits) == count
        assert len(commits) <= 2
        assert all(len(store.log(f"table{number}")) == 2 for number in range(count))

    on_store(path, work)


def test_of_two_writers_of_one_table_the_second_is_told(path: Path) -> None:
    async def work(first: SqliteStore) -> None:
        second = SqliteStore(path)
        await first.add_table(table_row(), log_row(1))
        writes = [
            store.append("table1", log_row(2, data=data))
            for store, data in ((first, b"1"), (second, b"2"))
        ]
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert {type(one) for one in outcomes} == {type(None), Conflict}
        winner = b"1" if outcomes[0] is None else b"2"
        assert first.log("table1") == second.log("table1")
        assert [row.data for row in first.log("table1", 1)] == [winner]
        await second.append("table1", log_row(3))
        assert len(first.log("table1")) == 3
        await second.close()

    on_store(path, work)


def test_one_input_that_fails_does_not_fail_its_neighbours(path: Path, commits: list[int]) -> None:
    async def work(store: SqliteStore) -> None:
        for number in range(4):
            await store.add_table(table_row(number), log_row(1))
        commits.clear()
        with store._lock:
            writes = [
                asyncio.ensure_future(write)
                for write in (
                    store.append("table0", log_row(2)),
                    store.append("table1", log_row(1)),  # taken
                    store.append("table2", log_row(2**70)),  # no number of SQLite's
                    store.append("table3", log_row(2)),
                    store.append("no such table", log_row(2)),
                )
            ]
            await asyncio.sleep(0)  # all of them are asked for now
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(one) for one in outcomes] == [
            type(None),
            Conflict,
            StoreError,
            type(None),
            Conflict,
        ]
        assert [len(store.log(f"table{number}")) for number in range(4)] == [2, 1, 1, 2]
        assert len(commits) <= 2

    on_store(path, work)


def test_what_an_input_brings_stands_or_falls_with_it(path: Path) -> None:
    summary = Summary("winning-moves", ("Ada", "Léa"), (5000, 3200))
    game = FinishedGame("game1-1", "table1", 1000, "record", (HOST, "other"), summary)

    async def work(store: SqliteStore) -> None:
        await store.add_table(table_row(), log_row(1))
        with pytest.raises(Conflict):
            await store.append("table1", log_row(1), member="other", finished=game, closes=True)
        assert store.game(game.id) is None
        assert store.tables_of("other") == []
        assert store.running_tables() == [table_row()]
        await store.append("table1", log_row(2), member="other")
        assert store.tables_of("other") == [table_row()]
        await store.append("table1", log_row(3), finished=game, closes=True)
        assert store.game(game.id) == game
        assert store.games_of("other", 10) == [game]
        assert store.running_tables() == []

    on_store(path, work)


def test_a_match_that_ends_twice_keeps_its_last_end(path: Path) -> None:
    first = FinishedGame("game1-1", "table1", 1000, "first", (HOST,))
    second = first._replace(ended=2000, record="second")

    async def work(store: SqliteStore) -> None:
        await store.add_table(table_row(), log_row(1))
        await store.append("table1", log_row(2), finished=first)
        await store.append("table1", log_row(3), finished=second)
        assert store.games_of(HOST, 10) == [second]

    on_store(path, work)


def test_a_full_disk_refuses_writes_keeps_reads_and_recovers_by_itself(path: Path) -> None:
    big = b'"' + b"x" * 200_000 + b'"'

    async def work(store: SqliteStore) -> None:
        await store.add_table(table_row(), log_row(1))
        pages = store._writer.pragma("page_count")
        store._writer.pragma("max_page_count", pages + 4)
        with pytest.raises(StoreError):
            await store.append("table1", log_row(2, data=big))
        assert store.log("table1") == [log_row(1)]
        # A small input still fits, even when it waits together with one that does not.
        await store.add_table(table_row(2), log_row(1))
        with store._lock:
            writes = [
                asyncio.ensure_future(write)
                for write in (
                    store.append("table1", log_row(2, data=big)),
                    store.append("table2", log_row(2)),
                )
            ]
            await asyncio.sleep(0)  # all of them are asked for now
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert isinstance(outcomes[0], StoreError)
        assert outcomes[1] is None
        assert store.log("table2") == [log_row(1), log_row(2)]
        store._writer.pragma("max_page_count", pages + 1000)
        await store.append("table1", log_row(2, data=big))
        assert store.log("table1") == [log_row(1), log_row(2, data=big)]

    on_store(path, work)


def test_an_old_database_is_brought_to_the_newest_layout(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fill(store: SqliteStore) -> None:
        await store.add_table(table_row(), log_row(1))

    async def check(store: SqliteStore) -> None:
        assert store.log("table1") == [log_row(1)]
        assert store._reader.execute("SELECT * FROM later").fetchall() == [("table1",)]
        assert store._reader.pragma("user_version") == len(sqlite._MIGRATIONS)

    on_store(path, fill)
    later = "CREATE TABLE later (id TEXT); INSERT INTO later SELECT id FROM tables;"
    monkeypatch.setattr(sqlite, "_MIGRATIONS", (*sqlite._MIGRATIONS, later))
    on_store(path, check)
    on_store(path, check)


def test_a_step_that_fails_leaves_the_database_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(store: SqliteStore) -> None:
        assert store.running_tables() == []

    on_store(path, nothing)
    steps = sqlite._MIGRATIONS
    monkeypatch.setattr(sqlite, "_MIGRATIONS", (*steps, "CREATE TABLE later (id); bad step;"))
    with pytest.raises(StoreError, match="cannot open"):
        SqliteStore(path)
    monkeypatch.setattr(sqlite, "_MIGRATIONS", steps)
    on_store(path, nothing)
    with apsw.Connection(str(path)) as connection:
        assert connection.pragma("user_version") == len(steps)
    connection.close()


def test_several_servers_may_start_on_one_empty_file(path: Path) -> None:
    made: list[SqliteStore] = []
    failed: list[Exception] = []

    def start() -> None:
        try:
            made.append(SqliteStore(path))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []

    async def close() -> None:
        await asyncio.gather(*(store.close() for store in made))

    asyncio.run(close())


def test_a_database_of_a_newer_version_is_refused(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", len(sqlite._MIGRATIONS) + 1)
    connection.close()
    with pytest.raises(StoreError, match="newer version"):
        SqliteStore(path)


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"a letter to my aunt, not a database" * 100)
    with pytest.raises(StoreError, match=r"cannot open the database .*tables\.sqlite"):
        SqliteStore(path)
    assert path.read_bytes().startswith(b"a letter")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot open"):
        SqliteStore(tmp_path / "nowhere" / "tables.sqlite")


def test_what_ended_long_ago_is_forgotten(path: Path) -> None:
    old, new = 1000, 5000

    async def work(store: SqliteStore) -> None:
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
        assert store.table("table0") is None
        assert store.log("table0") == []
        assert len(store.log("table1")) == 2  # closed, but not long ago
        assert [row.id for row in store.running_tables()] == ["table2"]
        assert [game.id for game in store.games_of(HOST, 10)] == [f"game-{new}"]
        assert store.guest_of("hash of host") == HOST
        assert store.guest_of("hash of visitor") is None
        assert store.guest_of("hash of late visitor") == "late visitor"
        assert await store.forget(2000) == 0
        faults = store._reader.execute("PRAGMA foreign_key_check").fetchall()
        assert faults == []

    on_store(path, work)


def test_a_running_table_is_never_forgotten(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await store.add_table(table_row(), log_row(1))
        assert await store.forget(10**12) == 0
        assert store.log("table1") == [log_row(1)]

    on_store(path, work)


def test_many_old_tables_are_forgotten_in_small_steps(path: Path, commits: list[int]) -> None:
    async def work(store: SqliteStore) -> None:
        await asyncio.gather(*(store.add_table(table_row(n), log_row(1)) for n in range(200)))
        await asyncio.gather(*(store.close_table(f"table{n}") for n in range(200)))
        commits.clear()
        assert await store.forget(2000) == 200
        assert len(commits) == 4

    on_store(path, work)


def test_a_closed_store_refuses_instead_of_waiting_for_ever(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await store.close()
        with pytest.raises(StoreError):
            await store.add_table(table_row(), log_row(1))

    on_store(path, work)


def test_what_waits_when_the_store_closes_is_still_written(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        writes = [
            asyncio.ensure_future(store.add_table(table_row(number), log_row(1)))
            for number in range(50)
        ]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*writes)

    async def check(store: SqliteStore) -> None:
        assert len(store.running_tables()) == 50

    on_store(path, work)
    on_store(path, check)


def test_tokens_belong_to_guests(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await store.add_guest("guest", "hash 1", 1000)
        await store.add_token("guest", "hash 2", 1000)
        assert store.guest_of("hash 1") == store.guest_of("hash 2") == "guest"
        assert store.guest_of("hash 3") is None
        with pytest.raises(Conflict):
            await store.add_token("nobody", "hash 3", 1000)
        with pytest.raises(Conflict):
            await store.add_guest("thief", "hash 1", 1000)
        assert store.guest_of("hash 1") == "guest"

    on_store(path, work)


def test_only_the_owner_may_read_the_database_and_what_lies_beside_it(path: Path) -> None:
    before = os.umask(0o022)
    try:
        store = SqliteStore(path)
    finally:
        os.umask(before)

    async def work() -> None:
        await store.add_guest("ada", "hash", 1)
        kept = sorted(path.parent.glob(f"{path.name}*"))
        assert [file.name.removeprefix(path.name) for file in kept] == ["", "-shm", "-wal"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in kept} == {0o600}
        await store.close()

    asyncio.run(work())


class SeenBefore(SqliteStore):
    """Reads old guests as they were a moment ago, before they sat down."""

    def _read(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        found = super()._read(sql, values)
        return [("ada",), ("bea",)] if sql is _OLD_GUESTS else found


def test_a_guest_who_sits_down_while_old_guests_are_forgotten_is_kept(path: Path) -> None:
    async def work() -> None:
        store = SeenBefore(path)
        for guest in ("ada", "bea"):
            await store.add_guest(guest, f"hash of {guest}", 1)
        row = TableRow("table", "game", 5000, b"{}", 1)
        await store.add_table(row, LogRow(1, "ada", 5000, b"{}"))
        await store.forget(2000)
        assert store.guest_of("hash of ada") == "ada"
        assert store.guest_of("hash of bea") is None
        await store.close()

    asyncio.run(work())
