"""The SQLite store: one writer thread commits many inputs durably at once."""

import asyncio
import contextlib
import json
import logging
import os
import queue
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import msgspec

from .sqlite_file import Identity, Lock, check_file, create_for_owner, free_name, place_of
from .sqlite_schema import MIGRATIONS, migrate
from .store import (
    SEEN_EVERY,
    Conflict,
    Device,
    FinishedGame,
    LogRow,
    Store,
    StoreError,
    StoreState,
    Summary,
    TableRow,
)

__all__ = ["SqliteStore"]

_TOGETHER = 64
"""Maximum inputs in one statement."""
_FORGOTTEN_AT_ONCE = 64
"""Tables, games or guests deleted in one transaction, so that moves wait only briefly."""
_ROWS_AT_ONCE = 500
"""Inputs of one table deleted in one transaction; four times as many for several tables."""
_LOOKED_AT = 500
"""Number of tables that a guest joined last, among which running ones are searched."""
_SAVE_AGAIN = 60.0
"""Seconds until saving the data of a lost file is retried."""
_log = logging.getLogger(__name__)

_ROW = "SELECT id, game_id, created, settings, rules_version, closed FROM tables"
_GAME = "SELECT id, table_id, ended, record, guests, summary FROM games"
_LISTED = (
    "SELECT id, table_id, ended, CASE WHEN summary IS NOT NULL THEN '' "
    "ELSE substr(record, 1, coalesce(nullif(instr(record, char(10) || 'deal:'), 0) - 1, "
    "length(record))) END, guests, summary FROM games"
)
"""The same without the parts of records that a list does not need."""

_SIGN_IN = "INSERT INTO tokens VALUES (?1, ?2, ?3, ?4, ?3)"
_INPUT = "INSERT INTO log VALUES (?, ?, ?, ?, ?)"
_CLOSE = "UPDATE tables SET closed = 1 WHERE id = ?"
_LAST = "FROM log WHERE table_id = tables.id ORDER BY seq DESC LIMIT 1"
_OLD_TABLES = (
    f"SELECT created, id, (SELECT seq {_LAST}), (SELECT now {_LAST}) FROM tables "
    "WHERE closed = 1 AND created < ? AND (created, id) > (?, ?) "
    f"ORDER BY created, id LIMIT {_FORGOTTEN_AT_ONCE}"
)
"""A batch of tables that may be old enough, with number and time of their last input."""
_OLD_GAMES = f"SELECT id FROM games WHERE ended < ? LIMIT {_FORGOTTEN_AT_ONCE}"
_OLD_GUESTS = (
    "SELECT id FROM guests WHERE created < ? AND id > ? "
    "AND NOT EXISTS (SELECT 1 FROM members WHERE guest = guests.id) "
    "AND NOT EXISTS (SELECT 1 FROM players WHERE guest = guests.id) "
    f"ORDER BY id LIMIT {_FORGOTTEN_AT_ONCE}"
)
_PROBE = f"PRAGMA user_version = {len(MIGRATIONS)}"
"""Writes an unchanged value: one page, through to the disk."""

_IS_NOWHERE = (
    "NOT EXISTS (SELECT 1 FROM members WHERE guest = ?1) "
    "AND NOT EXISTS (SELECT 1 FROM players WHERE guest = ?1)"
)
"""Checked again on deletion: a guest may have joined a table since they were found."""

_Statement = tuple[str, tuple[Any, ...]]


class _Job(NamedTuple):
    """Statements to execute together, and the future that waits for them."""

    statements: Sequence[_Statement]
    done: asyncio.Future[int]


_Settled = tuple[asyncio.Future[int], int | Exception]


class SqliteStore(Store):
    """A file, or `:memory:` for tests that need no durability.

    Only one server can use a file, unless it is `shared`, which is for tests.
    """

    def __init__(
        self, path: str | Path = "", *, shared: bool = False, vfs: str | None = None
    ) -> None:
        self._path = place_of(str(path))
        self._vfs = vfs
        self._file = None if self._path == ":memory:" or vfs is not None else Path(self._path)
        """The file, if it is in the file system."""
        self._shared = shared
        self._is_open = False
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # guards the connection that :memory: shares
        self._is_broken = False
        """The writer's connection could not end a transaction."""
        self._identity: Identity | None = None
        self._failed = 0
        self._trouble: str | None = None
        """Why the last write failed, if it did."""
        self._lost: str | None = None
        """What happened to the file, if it is gone."""
        self._save_at = 0.0

    @property
    def place(self) -> str:
        """The path of the file."""
        return self._path

    async def open(self) -> None:
        """Lock the file, connect, migrate the schema."""
        with contextlib.ExitStack() as opened:
            if self._file is not None:
                check_file(self._file.absolute())
                if not self._shared:
                    opened.callback(Lock(self._file).close)
                create_for_owner(self._file)
            try:
                self._writer = self._connect()
                opened.callback(self._close_writer)
                migrate(self._writer)
                self._reader = self._writer
                if self._path != ":memory:":
                    self._reader = self._connect()
                    opened.callback(self._reader.close)
            except (apsw.Error, StoreError) as error:
                raise StoreError(f"cannot open the database {self._path}: {error}") from error
            self._identity = None if self._file is None else Identity(self._file.absolute())
            self._failed, self._trouble, self._lost = 0, None, None
            self._thread = threading.Thread(target=self._write, name="sqlite writer", daemon=True)
            self._thread.start()
            self._opened = opened.pop_all()
        self._is_open = True

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(self._path, vfs=self._vfs)
        try:
            connection.set_busy_timeout(5000)
            mode = connection.pragma("journal_mode", "wal")
            if mode != "wal" and self._path != ":memory:":
                raise StoreError("its file system does not support a write-ahead log")
            connection.pragma("synchronous", 2)  # FULL: a commit survives a power cut
            # On macOS a sync reaches the disk only with these; elsewhere they have no effect.
            connection.pragma("fullfsync", True)
            connection.pragma("checkpoint_fullfsync", True)
            connection.pragma("foreign_keys", True)
        except (apsw.Error, StoreError):
            connection.close()
            raise
        return connection

    def _connect_again(self) -> apsw.Connection:
        """Another connection; `StoreError` if the path now names another file."""
        gone = None if self._identity is None else self._identity.gone()
        if gone is not None:
            raise StoreError(_lost(gone))
        return self._connect()

    # Writing: many tables share one transaction

    def _write(self) -> None:
        is_last = False
        while not is_last:
            waiting = [self._jobs.get()]
            with contextlib.suppress(queue.Empty):
                while True:
                    waiting.append(self._jobs.get_nowait())
            is_last = None in waiting
            jobs = [job for job in waiting if job is not None]
            if not jobs:
                continue
            _resolve(jobs, self._outcomes(jobs))

    def _outcomes(self, jobs: Sequence[_Job]) -> list[int | Exception]:
        try:
            outcomes = self._commit(jobs)
        except Exception as error:  # the thread must survive any error
            if len(jobs) == 1 or isinstance(error, apsw.BusyError | StoreError):
                self._failed += len(jobs)
                self._trouble = str(error)
                return [StoreError(str(error)) for _ in jobs]
            # Together they could not be written. Retry one by one: some may succeed.
            return [outcome for job in jobs for outcome in self._outcomes([job])]
        self._trouble = None
        return outcomes

    def _commit(self, jobs: Sequence[_Job]) -> list[int | Exception]:
        """Write the jobs in one transaction; if this raises, none counts as written."""
        with self._lock:
            if self._lost is not None:
                raise StoreError(self._lost)
            if self._is_broken or self._writer.in_transaction:
                self._renew_writer()
            if self._insert_together(jobs):
                return [1] * len(jobs)
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                outcomes = [self._run(job) for job in jobs]
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    with contextlib.suppress(apsw.Error):
                        self._writer.execute("ROLLBACK")
                raise
            return outcomes

    def _close_writer(self) -> None:
        self._writer.close(True)  # the current one, it may have been renewed

    def _renew_writer(self) -> None:
        """Replace the writer's connection, whose transaction could not be ended.

        Everything written after it would be part of that transaction: it would look written,
        and be lost in the end.
        """
        if self._path == ":memory:":
            raise StoreError("a transaction in memory could not be ended")
        self._is_broken = True
        with contextlib.suppress(apsw.Error):
            self._close_writer()
        self._writer = self._connect_again()
        self._is_broken = False

    def _insert_together(self, jobs: Sequence[_Job]) -> bool:
        """Insert jobs that are only inputs with one statement, which is its own transaction.

        Each statement costs switches to and from the event loop's thread: one statement takes
        13 to 19 % less CPU (`benchmarks/store.py`: 0.87 of one by one for a single input, 0.81
        for forty). False: nothing is written, because there is more to write than inputs, or
        one of them does not fit.
        """
        if len(jobs) > _TOGETHER:
            return False
        values: list[Any] = []
        for job in jobs:
            sql, row = job.statements[0]
            if len(job.statements) > 1 or sql is not _INPUT:
                return False
            values += row
        try:
            self._writer.execute(_inputs(len(jobs)), values)
        except (apsw.ConstraintError, TypeError, ValueError, OverflowError):
            return False
        return True

    def _run(self, job: _Job) -> int | Exception:
        """Execute one job; if it fails, only its own statements are undone."""
        # A single statement is atomic anyway.
        has_more = len(job.statements) > 1
        if has_more:
            self._writer.execute("SAVEPOINT job")
        changed = 0
        failure: Exception | None = None
        try:
            for sql, values in job.statements:
                self._writer.execute(sql, values)
                changed += self._writer.changes()
        except apsw.ConstraintError as error:
            failure = Conflict(str(error))
        except (TypeError, ValueError, OverflowError) as error:  # a value that SQLite cannot store
            failure = StoreError(str(error))
        if has_more:
            if failure is not None:
                self._writer.execute("ROLLBACK TO job")
            self._writer.execute("RELEASE job")
        return changed if failure is None else failure

    async def _do(self, *statements: _Statement) -> int:
        self._check_open()
        if self._lost is not None:
            raise StoreError(self._lost)
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(statements, done))
        return await done

    async def add_guest(self, guest: str, token_hash: str, now: int, label: str = "") -> None:
        """Add a guest with their first token."""
        await self._do(
            ("INSERT INTO guests VALUES (?, ?)", (guest, now)),
            (_SIGN_IN, (token_hash, guest, now, label)),
        )

    async def add_token(self, guest: str, token_hash: str, now: int, label: str = "") -> None:
        """Add a token for another device of the same guest."""
        await self._do((_SIGN_IN, (token_hash, guest, now, label)))

    async def note_seen(self, token_hash: str, now: int) -> None:
        """Note that a token was used; written at most once per `SEEN_EVERY`."""
        due = "SELECT 1 FROM tokens WHERE hash = ? AND seen <= ?"
        if self._read(due, (token_hash, now - SEEN_EVERY)):
            await self._do(("UPDATE tokens SET seen = ? WHERE hash = ?", (now, token_hash)))

    async def remove_token(self, token_hash: str) -> None:
        """Revoke a token."""
        await self._do(("DELETE FROM tokens WHERE hash = ?", (token_hash,)))

    async def add_table(self, row: TableRow, first: LogRow) -> None:
        """Add a table with its first input, whose guest becomes a member."""
        await self._do(
            (
                "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?)",
                (row.id, row.game_id, row.created, row.settings, row.rules_version, row.closed),
            ),
            *_input(row.id, first, first.guest),
        )

    async def append(
        self,
        table: str,
        row: LogRow,
        *,
        member: str | None = None,
        finished: FinishedGame | None = None,
        closes: bool = False,
    ) -> None:
        """Write one input and its consequences. Durable when this returns."""
        statements = _input(table, row, member)
        if finished is not None:
            statements += _finished(finished)
        if closes:
            statements.append((_CLOSE, (table,)))
        await self._do(*statements)

    async def close_table(self, table: str, finished: FinishedGame | None = None) -> None:
        """Close a table, so that it is no longer restored; with the record of its last match."""
        await self._do((_CLOSE, (table,)), *([] if finished is None else _finished(finished)))

    async def forget(self, before: int) -> int:
        """Delete what ended before this time; return the number of tables and games."""
        self._check_open()
        gone = 0
        created, table = -1, ""
        while old := await self._found(_OLD_TABLES, (before, created, table)):
            created, table = old[-1][:2]
            ended = [(id_, seq or 0) for at, id_, seq, now in old if (now or at) < before]
            await self._forget_tables(ended)
            gone += len(ended)
        while old := await self._found(_OLD_GAMES, (before,)):
            await self._delete(
                old,
                "DELETE FROM players WHERE game_id = ?",
                "DELETE FROM games WHERE id = ?",
            )
            gone += len(old)
        guest = ""
        while old := await self._found(_OLD_GUESTS, (before, guest)):
            guest = old[-1][0]
            await self._delete(
                old,
                f"DELETE FROM tokens WHERE guest = ?1 AND {_IS_NOWHERE}",
                f"DELETE FROM guests WHERE id = ?1 AND {_IS_NOWHERE}",
            )
        return gone

    async def _found(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """A batch of rows to delete.

        The search may take long and would block every table, so it runs in a thread, with a
        connection of its own.
        """
        return await asyncio.to_thread(self._look_for, sql, values)

    def _look_for(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        if self._path == ":memory:":
            return self._rows(self._writer, sql, values)
        try:
            with contextlib.closing(self._connect_again()) as connection:
                return self._rows(connection, sql, values)
        except apsw.Error as error:
            raise StoreError(str(error)) from error

    async def _forget_tables(self, tables: Sequence[tuple[str, int]]) -> None:
        """Delete tables with their logs, which may be long, in batches, oldest rows first.

        So a table that is half deleted when the server stops still has its last input.
        """
        together: list[tuple[str]] = []
        rows = 0
        for table, last in tables:
            for seq in range(_ROWS_AT_ONCE, last, _ROWS_AT_ONCE):
                await self._do(("DELETE FROM log WHERE table_id = ? AND seq <= ?", (table, seq)))
            together.append((table,))
            rows += min(last, _ROWS_AT_ONCE)
            if rows >= 4 * _ROWS_AT_ONCE:
                await self._delete_tables(together)
                together, rows = [], 0
        if together:
            await self._delete_tables(together)

    async def _delete_tables(self, tables: Sequence[tuple[str]]) -> None:
        await self._delete(
            tables,
            "DELETE FROM members WHERE table_id = ?",
            "DELETE FROM log WHERE table_id = ?",
            "DELETE FROM tables WHERE id = ?",
        )

    async def _delete(self, keys: Sequence[tuple[Any, ...]], *deletes: str) -> None:
        await self._do(*((sql, key) for key in keys for sql in deletes))

    # Health

    def state(self) -> StoreState:
        """Its health, without waiting."""
        size = 0 if self._identity is None else self._identity.size()
        return StoreState(size, self._jobs.qsize(), self._failed, self._lost or self._trouble)

    async def check(self) -> None:
        """Check whether the file is still in place, and whether it can be written again."""
        if not self._is_open:
            return
        gone = None if self._identity is None else self._identity.gone()
        if gone is not None:
            await self._note_lost(gone)
        elif self._lost is not None:
            _log.warning("the database file %s is back in its place", self._path)
            self._lost = None
        if self._trouble is not None and self._lost is None:
            with contextlib.suppress(StoreError):
                await self._do((_PROBE, ()))

    async def _note_lost(self, gone: Path) -> None:
        """Accept no more inputs, and save everything that was acknowledged."""
        if self._lost is None:
            self._lost = _lost(gone)
            self._save_at = 0.0
            _log.error("%s: no more inputs are accepted. Do not stop the server yet.", self._lost)
        if time.monotonic() < self._save_at:
            return
        assert self._file is not None
        try:
            saved = await asyncio.to_thread(self._save, self._file.absolute())
        except (apsw.Error, OSError) as error:
            self._save_at = time.monotonic() + _SAVE_AGAIN
            _log.error(
                "its data could not be saved (%s); retrying in a minute. Do not stop the server "
                "before: everything would be lost.",
                error,
            )
            return
        self._save_at = float("inf")
        _log.error(
            "all of its data is saved in %s. Stop the server, put that file in place "
            "of %s, remove %s-wal and %s-shm, and start the server again.",
            *(saved, self._path, self._path, self._path),
        )

    def _save(self, file: Path) -> Path:
        """Copy all data of the open file to another file in the same folder."""
        file.parent.mkdir(parents=True, exist_ok=True)
        saved = free_name(file)
        create_for_owner(saved)
        try:
            with self._lock:
                self._writer.execute("VACUUM INTO ?", (str(saved),))
            with saved.open("rb+") as written:
                os.fsync(written.fileno())
        except BaseException:
            saved.unlink(missing_ok=True)
            raise
        return saved

    async def close(self) -> None:
        """Finish pending writes, and close the database."""
        if not self._is_open:
            return
        self._is_open = False
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        gone = None if self._identity is None else self._identity.gone()
        if gone is not None:
            await self._note_lost(gone)
        await asyncio.to_thread(self._let_go)

    def _let_go(self) -> None:
        with self._lock:  # wait for a save in progress
            self._opened.close()

    def _check_open(self) -> None:
        if not self._is_open:
            raise StoreError("the store is not open")

    # Reading, in the event loop: looking up a token takes 4 microseconds, in a thread 50.

    def _read(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        self._check_open()
        return self._rows(self._reader, sql, values)

    def _rows(
        self, connection: apsw.Connection, sql: str, values: tuple[Any, ...]
    ) -> list[tuple[Any, ...]]:
        try:
            with self._lock if connection is self._writer else contextlib.nullcontext():
                return list(connection.execute(sql, values))
        except apsw.Error as error:
            raise StoreError(str(error)) from error

    async def guest_of(self, token_hash: str) -> str | None:
        rows = self._read("SELECT guest FROM tokens WHERE hash = ?", (token_hash,))
        return rows[0][0] if rows else None

    async def devices_of(self, guest: str) -> Sequence[Device]:
        rows = self._read(
            "SELECT hash, label, created, seen FROM tokens WHERE guest = ? "
            "ORDER BY created DESC, hash",
            (guest,),
        )
        return [Device(*row) for row in rows]

    async def table(self, table: str) -> TableRow | None:
        rows = self._read(f"{_ROW} WHERE id = ?", (table,))
        return _table_row(rows[0]) if rows else None

    async def running_tables(self) -> Sequence[TableRow]:
        return [_table_row(row) for row in self._read(f"{_ROW} WHERE closed = 0 ORDER BY created")]

    async def tables_of(self, guest: str, most: int = 100) -> Sequence[TableRow]:
        rows = self._read(
            _ROW + " WHERE closed = 0 AND id IN "
            "(SELECT table_id FROM members WHERE guest = ? ORDER BY joined DESC LIMIT ?) "
            "ORDER BY created DESC LIMIT ?",
            (guest, _LOOKED_AT, most),
        )
        return [_table_row(row) for row in rows]

    async def log(self, table: str, after: int = 0, most: int | None = None) -> Sequence[LogRow]:
        rows = self._read(
            "SELECT seq, guest, now, data FROM log WHERE table_id = ? AND seq > ? "
            "ORDER BY seq LIMIT ?",
            (table, after, -1 if most is None else most),
        )
        return [LogRow(*row) for row in rows]

    async def games_of(self, guest: str, most: int) -> Sequence[FinishedGame]:
        rows = self._read(
            _LISTED + " WHERE id IN "
            "(SELECT game_id FROM players WHERE guest = ? ORDER BY ended DESC LIMIT ?) "
            "ORDER BY ended DESC",
            (guest, most),
        )
        return [_game_row(row) for row in rows]

    async def game(self, game: str) -> FinishedGame | None:
        rows = self._read(f"{_GAME} WHERE id = ?", (game,))
        return _game_row(rows[0]) if rows else None


def _input(table: str, row: LogRow, member: str | None) -> list[_Statement]:
    statements: list[_Statement] = [(_INPUT, (table, *row))]
    if member is not None:
        insert = "INSERT OR IGNORE INTO members VALUES (?, ?, ?)"
        statements.append((insert, (member, table, row.now)))
    return statements


def _lost(gone: Path) -> str:
    return f"{gone} was deleted or replaced while the server used it"


@cache
def _inputs(count: int) -> str:
    return _INPUT + ", (?, ?, ?, ?, ?)" * (count - 1)


def _finished(game: FinishedGame) -> list[_Statement]:
    # A practice table can go back from its end, and end again: the last end counts.
    summary = None if game.summary is None else msgspec.json.encode(game.summary)
    values = (game.id, game.table, game.ended, game.record, json.dumps(game.guests), summary)
    return [
        ("DELETE FROM players WHERE game_id = ?", (game.id,)),
        ("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?)", values),
        *(
            ("INSERT OR IGNORE INTO players VALUES (?, ?, ?)", (guest, game.ended, game.id))
            for guest in game.guests
        ),
    ]


def _resolve(jobs: Sequence[_Job], outcomes: Sequence[int | Exception]) -> None:
    """Resolve the futures, with one call per event loop for all that wait there."""
    waiting: dict[asyncio.AbstractEventLoop, list[_Settled]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        waiting.setdefault(job.done.get_loop(), []).append((job.done, outcome))
    for loop, settled in waiting.items():
        with contextlib.suppress(RuntimeError):  # the loop may be closed
            loop.call_soon_threadsafe(_settle, settled)


def _settle(settled: Sequence[_Settled]) -> None:
    for done, outcome in settled:
        if done.done():
            continue
        if isinstance(outcome, Exception):
            done.set_exception(outcome)
        else:
            done.set_result(outcome)


def _table_row(row: tuple[Any, ...]) -> TableRow:
    id_, game_id, created, settings, rules_version, closed = row
    return TableRow(id_, game_id, created, settings, rules_version, bool(closed))


def _game_row(row: tuple[Any, ...]) -> FinishedGame:
    id_, table, ended, record, guests, kept = row
    summary = None if kept is None else msgspec.json.decode(kept, type=Summary)
    return FinishedGame(id_, table, ended, record, tuple(json.loads(guests)), summary)
