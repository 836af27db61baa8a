"""The store on real SQLite files: what is durable, who wins, what fails alone."""

import asyncio
import contextlib
import os
import shutil
import stat
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from millebornes.server.store import (
    Conflict,
    Device,
    LogRow,
    StoreError,
    TableRow,
    sqlite,
    sqlite_schema,
)
from millebornes.server.store.sqlite import _OLD_GUESTS, SqliteStore

from .rows import log_row, table_row


@contextlib.asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteStore]:
    """A store that is open, and is closed at the end."""
    store = SqliteStore(path, shared=True)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def open_and_close(path: Path) -> None:
    async with opened(path):
        pass


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


async def test_every_connection_waits_for_the_disk(path: Path) -> None:
    async with opened(path) as store:
        for connection in (store._writer, store._reader):
            assert connection.pragma("synchronous") == 2
            assert connection.pragma("journal_mode") == "wal"
            # For macOS, where a sync alone does not reach the disk.
            assert connection.pragma("fullfsync") == 1
            assert connection.pragma("checkpoint_fullfsync") == 1


@pytest.mark.parametrize("count", [40, 100])
async def test_inputs_that_wait_together_share_one_commit(
    path: Path, commits: list[int], count: int
) -> None:
    async with opened(path) as store:
        for number in range(count):
            await store.add_table(table_row(number), log_row(1))
        commits.clear()
        with store._lock:  # the writer is busy: later writes wait
            writes = [
                asyncio.ensure_future(store.append(f"table{number}", log_row(2)))
                for number in range(count)
            ]
            await asyncio.sleep(0)  # all of them are asked for now
        await asyncio.gather(*writes)
        assert sum(commits) == count
        assert len(commits) <= 2
        assert all([len(await store.log(f"table{number}")) == 2 for number in range(count)])


async def test_of_two_writers_of_one_table_the_second_is_told(path: Path) -> None:
    async with opened(path) as first:
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


async def test_one_input_that_fails_does_not_fail_its_neighbours(
    path: Path, commits: list[int]
) -> None:
    async with opened(path) as store:
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


async def test_a_full_disk_refuses_writes_keeps_reads_and_recovers_by_itself(path: Path) -> None:
    big = b'"' + b"x" * 200_000 + b'"'

    async with opened(path) as store:
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


async def test_an_old_database_is_brought_to_the_newest_layout(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(store: SqliteStore) -> None:
        assert await store.log("table1") == [log_row(1)]
        assert store._reader.execute("SELECT * FROM later").fetchall() == [("table1",)]
        assert store._reader.pragma("user_version") == len(sqlite_schema.MIGRATIONS)

    async with opened(path) as store:
        await store.add_table(table_row(), log_row(1))
    later = "CREATE TABLE later (id TEXT); INSERT INTO later SELECT id FROM tables;"
    monkeypatch.setattr(sqlite_schema, "MIGRATIONS", (*sqlite_schema.MIGRATIONS, later))
    async with opened(path) as store:
        await check(store)
    async with opened(path) as store:
        await check(store)


async def test_tokens_of_an_old_database_are_devices_without_a_label(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = sqlite_schema.MIGRATIONS
    monkeypatch.setattr(sqlite_schema, "MIGRATIONS", steps[:2])
    async with opened(path) as store:
        store._writer.execute("INSERT INTO guests VALUES ('ada', 5)")
        store._writer.execute("INSERT INTO tokens VALUES ('hash', 'ada', 5)")
    monkeypatch.setattr(sqlite_schema, "MIGRATIONS", steps)
    async with opened(path) as store:
        assert await store.devices_of("ada") == [Device("hash", "", 5, 5)]
        assert await store.guest_of("hash") == "ada"


async def test_a_step_that_fails_leaves_the_database_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(path) as store:
        assert await store.running_tables() == []
    steps = sqlite_schema.MIGRATIONS
    monkeypatch.setattr(sqlite_schema, "MIGRATIONS", (*steps, "CREATE TABLE later (id); bad step;"))
    with pytest.raises(StoreError, match="cannot open"):
        await open_and_close(path)
    monkeypatch.setattr(sqlite_schema, "MIGRATIONS", steps)
    async with opened(path) as store:
        assert await store.running_tables() == []
    with apsw.Connection(str(path)) as connection:
        assert connection.pragma("user_version") == len(steps)
    connection.close()


def test_several_servers_may_start_on_one_empty_file(path: Path) -> None:
    failed: list[Exception] = []

    def start() -> None:
        try:
            asyncio.run(open_and_close(path))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


async def test_a_database_of_a_newer_version_is_refused(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", len(sqlite_schema.MIGRATIONS) + 1)
    connection.close()
    with pytest.raises(StoreError, match="newer version"):
        await open_and_close(path)


async def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"a letter to my aunt, not a database" * 100)
    with pytest.raises(StoreError, match=r"cannot open the database .*tables\.sqlite"):
        await open_and_close(path)
    assert path.read_bytes().startswith(b"a letter")


async def test_many_old_tables_are_forgotten_in_small_steps(path: Path, commits: list[int]) -> None:
    async with opened(path) as store:
        await asyncio.gather(*(store.add_table(table_row(n), log_row(1)) for n in range(200)))
        await asyncio.gather(*(store.close_table(f"table{n}") for n in range(200)))
        commits.clear()
        assert await store.forget(2000) == 200
        assert len(commits) == 4


async def test_a_long_log_is_forgotten_bit_by_bit(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_ROWS_AT_ONCE", 10)
    deleted: list[int] = []

    class Counting(SqliteStore):
        async def _do(self, *statements: sqlite._Statement) -> int:
            changed = await super()._do(*statements)
            if statements[0][0].startswith("DELETE"):
                deleted.append(changed)
            return changed

    store = Counting(path)
    await store.open()
    for number, inputs in enumerate((35, 10, 3, 9, 9, 9, 9)):
        await store.add_table(table_row(number), log_row(1))
        for seq in range(2, inputs + 1):
            await store.append(f"table{number}", log_row(seq), closes=seq == inputs)
    assert await store.forget(2000) == 7
    assert await store.running_tables() == []
    assert deleted[:3] == [10, 10, 10]  # the first table, but for its last rows
    # Each table is a row, too, and so is its host at it.
    assert max(deleted) <= 4 * 10 + 9 + 2 * 7
    assert sum(deleted) == 35 + 10 + 3 + 9 * 4 + 2 * 7
    await store.close()


async def test_what_is_old_is_looked_for_in_a_thread_and_only_some_at_a_time(path: Path) -> None:
    seen: list[tuple[int, bool]] = []

    class Watched(SqliteStore):
        def _look_for(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
            rows = super()._look_for(sql, values)
            seen.append((len(rows), threading.current_thread() is threading.main_thread()))
            return rows

    store = Watched(path)
    await store.open()
    await asyncio.gather(*(store.add_table(table_row(n), log_row(1)) for n in range(200)))
    # Half of them have an input of today: they are looked at, and stay.
    late = [store.append(f"table{n}", log_row(2, now=5000)) for n in range(100)]
    await asyncio.gather(*late)
    await asyncio.gather(*(store.close_table(f"table{n}") for n in range(200)))
    for number in range(200):
        await store.add_guest(f"guest{number}", f"hash{number}", 1)
    assert await store.forget(2000) == 100
    assert await store.table("table99") is not None
    assert await store.table("table100") is None
    assert await store.guest_of("hash199") is None
    await store.close()
    assert max(rows for rows, _ in seen) == 64
    assert sum(rows for rows, _ in seen) == 200 + 200
    assert not any(is_main for _, is_main in seen)


async def test_a_writer_that_cannot_end_a_transaction_is_replaced_before_the_next_write(
    path: Path,
) -> None:
    """Inputs written into a transaction that never ends would look written, and be lost."""
    failing = {(apsw.SQLITE_INSERT, "members"), (apsw.SQLITE_TRANSACTION, "ROLLBACK")}

    def deny(action: int, what: str | None, *_: str | None) -> int:
        return apsw.SQLITE_DENY if (action, what) in failing else apsw.SQLITE_OK

    async with opened(path) as store:
        await store.add_table(table_row(), log_row(1))
        spoilt = store._writer
        spoilt.authorizer = deny
        with pytest.raises(StoreError):
            await store.append("table1", log_row(2), member="another")
        assert spoilt.in_transaction
        await store.append("table1", log_row(2))
        assert store._writer is not spoilt
        with apsw.Connection(str(path)) as other:
            assert other.execute("SELECT seq FROM log").fetchall() == [(1,), (2,)]
        other.close()
        assert store.state().trouble is None


async def test_a_writer_that_cannot_be_replaced_yet_refuses_until_it_can(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(path) as store:
        await store.add_table(table_row(), log_row(1))
        store._writer.execute("BEGIN IMMEDIATE")
        with monkeypatch.context() as patched:
            patched.setattr(store, "_connect", _fail)
            for _ in range(2):
                with pytest.raises(StoreError, match="cannot be opened"):
                    await store.append("table1", log_row(2))
        await store.append("table1", log_row(2))
        assert await store.log("table1") == [log_row(1), log_row(2)]


def _fail() -> apsw.Connection:
    raise apsw.CantOpenError("the file cannot be opened")


# A file that is deleted or replaced


def _deleted(path: Path) -> None:
    path.unlink()


def _replaced(path: Path) -> None:
    other = path.with_name("backup.sqlite")
    other.write_bytes(b"")
    other.replace(path)


def _without_wal(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def _without_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


HARM = {
    "deleted": _deleted,
    "replaced": _replaced,
    "its log deleted": _without_wal,
    "its folder deleted": _without_folder,
}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """In its own folder."""
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "tables.sqlite"


def rows_in(path: Path) -> list[tuple[Any, ...]]:
    connection = apsw.Connection(str(path))
    found = connection.execute("SELECT seq FROM log ORDER BY seq").fetchall()
    connection.close()
    return list(found)


@pytest.mark.parametrize("found_by", ["a look", "the end"])
@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
async def test_what_was_in_a_file_that_has_gone_is_saved_beside_it(
    kept: Path, harm: Callable[[Path], None], found_by: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(kept) as store:
        await store.add_table(table_row(), log_row(1))
        harm(kept)
        await store.append("table1", log_row(2))  # nobody has noticed yet
        if found_by == "a look":
            await store.check()
            trouble = store.state().trouble
            assert trouble is not None
            assert "was deleted or replaced" in trouble
            with pytest.raises(StoreError, match="was deleted or replaced"):
                await store.append("table1", log_row(3))
            with pytest.raises(StoreError, match="was deleted or replaced"):
                await store.forget(10**9)
            assert len(await store.log("table1")) == 2
            await store.check()  # once more changes nothing
    (saved,) = kept.parent.glob("*.saved*")
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert rows_in(saved) == [(1,), (2,)]
    assert caplog.text.count("no more inputs are accepted") == 1
    assert caplog.text.count(f"is saved in {saved}") == 1


async def test_a_file_that_is_used_as_it_should_be_is_never_called_gone(kept: Path) -> None:
    async with opened(kept) as store:
        await store.add_table(table_row(), log_row(1))
    for _ in range(3):
        async with opened(kept) as store:
            seq = len(await store.log("table1"))
            for next_seq in range(seq + 1, seq + 20):
                await store.append("table1", log_row(next_seq))
                await store.check()
            for mode in ("passive", "full", "restart", "truncate"):
                store._reader.execute(f"PRAGMA wal_checkpoint({mode})")
                await store.check()
            other = apsw.Connection(str(kept))  # a backup, by another program
            other.execute("VACUUM INTO ?", (str(kept.with_name(f"backup{seq}")),))
            other.close()
            await store.check()
            store._writer.execute("VACUUM")
            await store.check()
            assert store.state().trouble is None


async def test_a_file_that_is_put_back_is_used_again(kept: Path) -> None:
    async with opened(kept) as store:
        await store.add_table(table_row(), log_row(1))
        away = kept.with_name("elsewhere")
        kept.rename(away)
        await store.check()
        assert store.state().trouble is not None
        away.rename(kept)
        await store.check()
        assert store.state().trouble is None
        await store.append("table1", log_row(2))
    assert rows_in(kept) == [(1,), (2,)]


async def test_what_cannot_be_saved_is_saved_later(
    kept: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(kept) as store:
        await store.add_table(table_row(), log_row(1))
        shutil.rmtree(kept.parent)
        kept.parent.write_text("no folder any more")
        for _ in range(3):
            await store.check()
        assert caplog.text.count("could not be saved") == 1  # it waits before it tries again
        kept.parent.unlink()
        store._save_at = 0
        await store.check()
        assert rows_in(kept.with_name("tables.sqlite.saved")) == [(1,)]


async def test_what_waits_when_the_store_closes_is_still_written(path: Path) -> None:
    async with opened(path) as store:
        writes = [
            asyncio.ensure_future(store.add_table(table_row(number), log_row(1)))
            for number in range(50)
        ]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*writes)
    async with opened(path) as store:
        assert len(await store.running_tables()) == 50


async def test_only_the_owner_may_read_the_database_and_what_lies_beside_it(path: Path) -> None:
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


class SeenBefore(SqliteStore):
    """Finds old guests as they were a moment ago, before they sat down."""

    async def _found(self, *asked: Any) -> list[tuple[Any, ...]]:
        found = await super()._found(*asked)
        return [("ada",), ("bea",)] if asked == (_OLD_GUESTS, (2000, "")) else found


async def test_a_guest_who_sits_down_while_old_guests_are_forgotten_is_kept(path: Path) -> None:
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
