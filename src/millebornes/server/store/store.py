"""What every store can do, whatever stands behind it.

An input is appended and durable before anyone hears of it. Two writers of one table are told
apart by `UNIQUE(table, seq)`: the second gets `Conflict` and reads again.
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
"""How many milliseconds pass before the use of a token is written down again."""
DATABASE_NAMES = "a file path, :memory:, or a URL such as sqlite:///PATH"
"""The forms that a database name can have."""


class StoreError(Exception):
    """The store cannot do its work now: a full disk, a database that is away."""


class Conflict(StoreError):  # noqa: N818 (what it is, is no fault)
    """Someone else has written this table's next input."""


class LogRow(NamedTuple):
    """One accepted input of a table."""

    seq: int
    guest: str | None
    """Who put it in; None is the table's driver."""
    now: int
    """Server time in milliseconds."""
    data: bytes
    """The input as JSON."""


class Device(NamedTuple):
    """Where a guest is signed in: a token."""

    token_hash: str
    label: str
    """What people would call it; empty: not known."""
    created: int
    seen: int
    """When it was last used, to within a day."""


class TableRow(NamedTuple):
    """A table, without its log."""

    id: str
    game_id: str
    created: int
    settings: bytes
    """The settings as JSON, with the whole edition."""
    rules_version: int
    closed: bool = False


class Summary(NamedTuple):
    """What a list of games says about one of them."""

    edition: str
    names: tuple[str, ...]
    totals: tuple[int, ...]


class FinishedGame(NamedTuple):
    """A match that is over: played to its end, or left by everybody."""

    id: str
    table: str
    ended: int
    record: str
    guests: tuple[str, ...]
    summary: Summary | None = None
    """Kept beside the record, so that a list need not read records. None: it was written
    before that was done."""


class StoreState(NamedTuple):
    """How a store is doing, for the operator."""

    bytes: int = 0
    """What it takes on the disk, if it knows."""
    waiting: int = 0
    """Writes that wait, or are under way."""
    failed: int = 0
    """Writes that failed since it was opened; a conflict is none."""
    trouble: str | None = None
    """Why nothing can be written now: the last write failed, or the data have gone."""


class Store(Protocol):
    """Tables, their logs, guests and finished games.

    Every store passes the tests in `tests/server/store/test_contract.py`.
    """

    @property
    def place(self) -> str:
        """Where it is, for the operator; never a password."""
        ...

    async def open(self) -> None:
        """Check that it can be used, bring its layout up to date; `StoreError` says why not.

        Nothing else works before this, or after `close`.
        """
        ...

    async def add_guest(self, guest: str, token_hash: str, now: int, label: str = "") -> None:
        """A new guest with its first token."""
        ...

    async def add_token(self, guest: str, token_hash: str, now: int, label: str = "") -> None:
        """Another device of the same guest."""
        ...

    async def note_seen(self, token_hash: str, now: int) -> None:
        """A token has been used. Written once in `SEEN_EVERY` at most: reading stays reading."""
        ...

    async def devices_of(self, guest: str) -> Sequence[Device]:
        """Where a guest is signed in, the newest first."""
        ...

    async def remove_token(self, token_hash: str) -> None:
        """Signed out: the token is nobody's any more."""
        ...

    async def guest_of(self, token_hash: str) -> str | None:
        """The guest whose token this is."""
        ...

    async def add_table(self, row: TableRow, first: LogRow) -> None:
        """A new table with its first input, whose guest belongs to it."""
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

        What the input brings with it is written in the same commit: a guest who belongs to
        the table from now on, the record of a match it ended or left, the end of the table.
        After any other `StoreError` the input may or may not be there: read before answering.
        """
        ...

    async def close_table(self, table: str, finished: FinishedGame | None = None) -> None:
        """The table is over: it is not loaded at start any more. Its record may be kept."""
        ...

    async def forget(self, before: int) -> int:
        """Delete what ended before this time; how many tables and games.

        Guests who then have neither a table nor a game, and are older, are forgotten, too.
        """
        ...

    async def table(self, table: str) -> TableRow | None:
        """A table by its id."""
        ...

    async def running_tables(self) -> Sequence[TableRow]:
        """Every table that is not closed."""
        ...

    async def tables_of(self, guest: str, most: int = 100) -> Sequence[TableRow]:
        """The running tables that a guest belongs to, the newest first, at most so many.

        It must not take long for one who has been at thousands: it may look at those alone that
        they came to last.
        """
        ...

    async def log(self, table: str, after: int = 0, most: int | None = None) -> Sequence[LogRow]:
        """The inputs of a table after a seq, in order, at most so many.

        Logs can be long: whoever reads one reads it some rows at a time.
        """
        ...

    async def games_of(self, guest: str, most: int) -> Sequence[FinishedGame]:
        """A guest's finished games, the newest first.

        For a list, and records can be long: they are left out where there is a summary, and
        else end before the first deal. `game` has them whole.
        """
        ...

    async def game(self, game: str) -> FinishedGame | None:
        """A finished game by its public id."""
        ...

    def state(self) -> StoreState:
        """How it is doing, without waiting."""
        ...

    async def check(self) -> None:
        """Look whether it can be written again, and whether its data are still where they were.

        Called every few seconds. What is found is in `state`; it raises nothing.
        """
        ...

    async def close(self) -> None:
        """Finish what is under way and let go."""
        ...
