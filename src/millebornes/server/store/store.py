"""The interface of every store, whichever database it uses.

An input is appended and durable before anyone is told about it. `UNIQUE(table, seq)` detects two
writers of one table: the second gets `Conflict`, and reads the log again.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

__all__ = [
    "DATABASE_NAMES",
    "SEEN_EVERY",
    "Conflict",
    "Device",
    "FinishedGame",
    "LogRow",
    "Store",
    "StoreError",
    "StoreState",
    "Summary",
    "TableRow",
]

SEEN_EVERY = 24 * 3600 * 1000
"""Minimum milliseconds between two updates of a token's last use."""
DATABASE_NAMES = "a file path, :memory:, or a URL such as sqlite:///PATH"
"""The forms that a database name can have."""


class StoreError(Exception):
    """The store cannot work now: for example a full disk or an unreachable database."""


class Conflict(StoreError):  # noqa: N818 (not a fault)
    """Another writer has already written the next input of this table."""


class LogRow(NamedTuple):
    """One accepted input of a table."""

    seq: int
    guest: str | None
    """The guest who sent it; None: the table's driver."""
    now: int
    """Server time in milliseconds."""
    data: bytes
    """The input as JSON."""


class Device(NamedTuple):
    """A device where a guest is signed in, with its own token."""

    token_hash: str
    label: str
    """A readable label; empty: unknown."""
    created: int
    seen: int
    """When it was last used, to within a day."""


class TableRow(NamedTuple):
    """A table, without its log."""

    id: str
    game_id: str
    created: int
    settings: bytes
    """The settings as JSON, including the whole edition."""
    rules_version: int
    closed: bool = False


class Summary(NamedTuple):
    """The summary of a game in a list."""

    edition: str
    names: tuple[str, ...]
    totals: tuple[int, ...]
    edition_name: str | None = None
    """The name that house rules were given, which records do not keep. None: none, or written by
    a version that did not store it."""


class FinishedGame(NamedTuple):
    """A match that is over: finished, or abandoned by everyone."""

    id: str
    table: str
    ended: int
    record: str
    guests: tuple[str, ...]
    summary: Summary | None = None
    """Stored with the record, so that lists need not parse records. None: written by a version
    that did not store it."""


class StoreState(NamedTuple):
    """The health of a store, for the operator."""

    bytes: int = 0
    """Size on disk, if known."""
    waiting: int = 0
    """Writes queued or in progress."""
    failed: int = 0
    """Failed writes since it was opened; conflicts do not count."""
    trouble: str | None = None
    """Why nothing can be written now: the last write failed, or the data are lost."""


class Store(Protocol):
    """Tables, their logs, guests and finished games.

    Every store passes the tests in `tests/server/store/test_contract.py`.
    """

    @property
    def place(self) -> str:
        """Its location, for the operator; never includes a password."""
        ...

    async def open(self) -> None:
        """Open the database and migrate its schema; `StoreError` says why that failed.

        No other method works before this, or after `close`.
        """
        ...

    async def add_guest(self, guest: str, token_hash: str, now: int, label: str = "") -> None:
        """Add a guest with their first token."""
        ...

    async def add_token(self, guest: str, token_hash: str, now: int, label: str = "") -> None:
        """Add a token for another device of the same guest."""
        ...

    async def note_seen(self, token_hash: str, now: int) -> None:
        """Note that a token was used; written at most once per `SEEN_EVERY`."""
        ...

    async def devices_of(self, guest: str) -> Sequence[Device]:
        """The devices where a guest is signed in, newest first."""
        ...

    async def remove_token(self, token_hash: str) -> None:
        """Revoke a token."""
        ...

    async def guest_of(self, token_hash: str) -> str | None:
        """The guest with this token."""
        ...

    async def add_table(self, row: TableRow, first: LogRow) -> None:
        """Add a table with its first input, whose guest becomes a member."""
        ...

    async def append(
        self,
        table: str,
        row: LogRow,
        *,
        member: str | None = None,
        finished: FinishedGame | None = None,
        closes: bool = False,
    ) -> None:
        """Write one input. Durable when this returns; `Conflict` if its seq is taken.

        Its consequences are written in the same commit: a new member of the table, the record of
        a match that it ended, the end of the table. After any other `StoreError` the input may
        or may not have been written: read the log before answering.
        """
        ...

    async def close_table(self, table: str, finished: FinishedGame | None = None) -> None:
        """Close a table, so that it is no longer restored; with the record of its last match."""
        ...

    async def forget(self, before: int) -> int:
        """Delete what ended before this time; return the number of tables and games.

        Older guests who then have neither a table nor a game are deleted, too.
        """
        ...

    async def table(self, table: str) -> TableRow | None:
        """A table by its id."""
        ...

    async def running_tables(self) -> Sequence[TableRow]:
        """Every table that is not closed."""
        ...

    async def tables_of(self, guest: str, most: int = 100) -> Sequence[TableRow]:
        """Up to `most` running tables that a guest is a member of, newest first.

        It must be fast even for a guest of thousands of tables: it may consider only those that
        they joined last.
        """
        ...

    async def log(self, table: str, after: int = 0, most: int | None = None) -> Sequence[LogRow]:
        """Up to `most` inputs of a table after a seq, in order.

        Logs can be long: read them in batches.
        """
        ...

    async def games_of(self, guest: str, most: int) -> Sequence[FinishedGame]:
        """Up to `most` finished games of a guest, newest first.

        Meant for lists, so records are cut: empty if there is a summary, otherwise only the
        heading before the first deal. `game` returns the whole record.
        """
        ...

    async def game(self, game: str) -> FinishedGame | None:
        """A finished game by its public id."""
        ...

    def state(self) -> StoreState:
        """Its health, without waiting."""
        ...

    async def check(self) -> None:
        """Check whether it can be written again, and whether its data are still in place.

        Called every few seconds. The result is in `state`; it raises nothing.
        """
        ...

    async def close(self) -> None:
        """Finish pending writes, and close the database."""
        ...
