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

from millebornes.server.store import Conflict, Device, LogRow, StoreError, TableRow, sqlite
from millebornes.server.store.sqlite import _OLD_GUESTS, SqliteStore

from .rows import log_row, table_row


def on_store(path: Path, work: Callable[[SqliteStore], Awaitable[None]]) -> None:
    async def main() -> None:
        store = SqliteStore(path, shared=True)
        await store.open()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(main())


def open_and_close(path: Path) -> None:
    async def nothing(_: SqliteStore) -> None:
        pass

    on_store(path, nothing)


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
        assert all([len(await store.log(f"table{number}")) == 2 for number in range(count)])

    on_store(path, work)


def test_of_two_writers_of_one_table_the_second_is_told(path: Path) -> None:
    async def work(first: SqliteStore) -> None:
        second = SqliteStore(path, shared=True)
        await second.open()
        await first.add_table(table_row(), log_row(1))
        writes = [
            store.append("table1", log_row(2, data=data))
            for store, data in ((first, b"1"), (second, b"2"))
        ]
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert {type(one) for one in outcomes} == {type(None), Conflict}
        winner = b"1" if outcomes[0] is None else b"2"
        assert await first.log("table1") == await second.log("table1")
        assert [row.data for row in await first.log("table1", 1)] == [winner]
        await second.append("table1", log_row(3))
        assert len(await first.log("table1")) == 3
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
        assert [len(await store.log(f"table{number}")) for number in range(4)] == [2, 1, 1, 2]
        assert len(commits) <= 2

    on_store(path, work)


def test_a_full_disk_refuses_writes_keeps_reads_and_recovers_by_itself(path: Path) -> None:
    big = b'"' + b"x" * 200_000 + b'"'

    async def work(store: SqliteStore) -> None:
        await store.add_table(table_row(), log_row(1))
        pages = store._writer.pragma("page_count")
        store._writer.pragma("max_page_count", pages + 4)
        with pytest.raises(StoreError):
            await store.append("table1", log_row(2, data=big))
        assert await store.log("table1") == [log_row(1)]
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
        assert await store.log("table2") == [log_row(1), log_row(2)]
        store._writer.pragma("max_page_count", pages + 1000)
        await store.append("table1", log_row(2, data=big))
        assert await store.log("table1") == [log_row(1), log_row(2, data=big)]

    on_store(path, work)


def test_an_old_database_is_brought_to_the_newest_layout(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fill(store: SqliteStore) -> None:
        await store.add_table(table_row(), log_row(1))

    async def check(store: SqliteStore) -> None:
        assert await store.log("table1") == [log_row(1)]
        assert store._reader.execute("SELECT * FROM later").fetchall() == [("table1",)]
        assert store._reader.pragma("user_version") == len(sqlite._MIGRATIONS)

    on_store(path, fill)
    later = "CREATE TABLE later (id TEXT); INSERT INTO later SELECT id FROM tables;"
    monkeypatch.setattr(sqlite, "_MIGRATIONS", (*sqlite._MIGRATIONS, later))
    on_store(path, check)
    on_store(path, check)


def test_tokens_of_an_old_database_are_devices_without_a_label(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fill(store: SqliteStore) -> None:
        store._writer.execute("INSERT INTO guests VALUES ('ada', 5)")
        store._writer.execute("INSERT INTO tokens VALUES ('hash', 'ada', 5)")

    async def check(store: SqliteStore) -> None:
        assert await store.devices_of("ada") == [Device("hash", "", 5, 5)]
        assert await store.guest_of("hash") == "ada"

    steps = sqlite._MIGRATIONS
    monkeypatch.setattr(sqlite, "_MIGRATIONS", steps[:2])
    on_store(path, fill)
    monkeypatch.setattr(sqlite, "_MIGRATIONS", steps)
    on_store(path, check)


def test_a_step_that_fails_leaves_the_database_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(store: SqliteStore) -> None:
        assert await store.running_tables() == []

    on_store(path, nothing)
    steps = sqlite._MIGRATIONS
    monkeypatch.setattr(sqlite, "_MIGRATIONS", (*steps, "CREATE TABLE later (id); bad step;"))
    with pytest.raises(StoreError, match="cannot open"):
        open_and_close(path)
    monkeypatch.setattr(sqlite, "_MIGRATIONS", steps)
    on_store(path, nothing)
    with apsw.Connection(str(path)) as connection:
        assert connection.pragma("user_version") == len(steps)
    connection.close()


def test_several_servers_may_start_on_one_empty_file(path: Path) -> None:
    failed: list[Exception] = []

    def start() -> None:
        try:
            open_and_close(path)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_database_of_a_newer_version_is_refused(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", len(sqlite._MIGRATIONS) + 1)
    connection.close()
    with pytest.raises(StoreError, match="newer version"):
        open_and_close(path)


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"a letter to my aunt, not a database" * 100)
    with pytest.raises(StoreError, match=r"cannot open the database .*tables\.sqlite"):
        open_and_close(path)
    assert path.read_bytes().startswith(b"a letter")


def test_many_old_tables_are_forgotten_in_small_steps(path: Path, commits: list[int]) -> None:
    async def work(store: SqliteStore) -> None:
        await asyncio.gather(*(store.add_table(table_row(n), log_row(1)) for n in range(200)))
        await asyncio.gather(*(store.close_table(f"table{n}") for n in range(200)))
        commits.clear()
        assert await store.forget(2000) == 200
        assert len(commits) == 4

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
        assert len(await store.running_tables()) == 50

    on_store(path, work)
    on_store(path, check)


def test_only_the_owner_may_read_the_database_and_what_lies_beside_it(path: Path) -> None:
    async def work() -> None:
        before = os.umask(0o022)
        try:
            store = SqliteStore(path)
            await store.open()
            await store.add_guest("ada", "hash", 1)
        finally:
            os.umask(before)
        kept = sorted(path.parent.glob(f"{path.name}*"))
        names = [file.name.removeprefix(path.name) for file in kept]
        assert names == ["", "-shm", "-wal", ".lock", ".lock-journal"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in kept} == {0o600}
        await store.close()

    asyncio.run(work())


class SeenBefore(SqliteStore):
    """Finds old guests as they were a moment ago, before they sat down."""

    async def _found(self, *asked: Any) -> list[tuple[Any, ...]]:
        found = await super()._found(*asked)
        return [("ada",), ("bea",)] if asked == (_OLD_GUESTS, (2000, "")) else found


def test_a_guest_who_sits_down_while_old_guests_are_forgotten_is_kept(path: Path) -> None:
    async def work() -> None:
        store = SeenBefore(path)
        await store.open()
        for guest in ("ada", "bea"):
            await store.add_guest(guest, f"hash of {guest}", 1)
        row = TableRow("table", "game", 5000, b"{}", 1)
        await store.add_table(row, LogRow(1, "ada", 5000, b"{}"))
        await store.forget(2000)
        assert await store.guest_of("hash of ada") == "ada"
        assert await store.guest_of("hash of bea") is None
        await store.close()

    asyncio.run(work())
