"""All tables of this server: opens, finds and lists them, and restores them after a restart."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from msgspec import structs

from millebornes.rules import RULES_VERSION
from millebornes.table import (
    Refused,
    Settings,
    Table,
    admitted,
    messages_in,
    open_table,
    receive,
)

from .bot_workers import Thinkers
from .caps import Caps, LogSize
from .clock import Clock
from .codec import decode_settings, encode_input, encode_settings
from .entropy import Entropy
from .log_replay import DoesNotReplay, batches, fold, record_of
from .room import Room
from .round_robin import RoundRobinLock
from .store import FinishedGame, LogRow, Store, TableRow
from .table_counts import TableCounts
from .thinking import Thinking

__all__ = ["Hub"]

_log = logging.getLogger(__name__)
_AT_ONCE = 500
"""Tables that resume together after a restart."""


class Hub:
    """The rooms by table id."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        clock: Clock,
        entropy: Entropy,
        caps: Caps = Caps(),  # noqa: B008 (a value that cannot change)
    ) -> None:
        self._store = store
        self._caps = caps
        self._clock = clock
        self._entropy = entropy
        self.thinking = Thinking(thinkers, clock)
        self._rooms: dict[str, Room] = {}
        self.table_counts = TableCounts()
        self._folding = RoundRobinLock()
        self._opening = 0
        """Number of new tables being written."""
        self._is_restored = False
        self._is_stopping = False

    @property
    def is_ready(self) -> bool:
        """The tables are loaded and can be played."""
        return self._is_restored and not self._is_stopping

    def __iter__(self) -> Iterator[Room]:
        return iter(self._rooms.values())

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def places_taken(self) -> int:
        """Number of tables being served or opened."""
        return len(self._rooms) + self._opening

    def find(self, table_id: str) -> Room | None:
        """The room of the table with this id, if there is one."""
        return self._rooms.get(table_id)

    async def open(
        self, settings: Settings, guest: str, name: str, address: str | None = None
    ) -> Room:
        """Open a table. The guest becomes its host; guest and address are counted."""
        now = self._clock.now()
        row = TableRow(
            id=self._entropy.urlsafe(16),
            game_id=self._entropy.hex(8),
            created=now,
            settings=encode_settings(settings),
            rules_version=RULES_VERSION,
        )
        first = self._first(row, settings)
        join = admitted(first, guest, messages_in.Join(name), now)
        if isinstance(join, Refused):
            raise ValueError(join.code)
        outcome = receive(first, guest, join, now)
        assert outcome.refused is None
        # Count before the first await, or concurrent requests could exceed the limits.
        self.table_counts.add(row.id, guest, address)
        self._opening += 1
        size, input_ = LogSize(self._caps), LogRow(1, guest, now, encode_input(join))
        size.add(input_)
        try:
            await self._store.add_table(row, input_)
        except BaseException:
            self.table_counts.remove(row.id)
            raise
        finally:
            self._opening -= 1
        room = self._add(row, settings, outcome.table, size)
        room.start()
        return room

    def _first(self, row: TableRow, settings: Settings) -> Table:
        return open_table(settings, row.game_id, self.thinking.levels, row.created)

    def _add(self, row: TableRow, settings: Settings, table: Table, size: LogSize) -> Room:
        room = Room(
            row.id,
            table,
            store=self._store,
            thinking=self.thinking,
            clock=self._clock,
            entropy=self._entropy,
            first=lambda: self._first(row, settings),
            on_closed=self._forget,
            folding=self._folding,
            size=size,
        )
        self._rooms[row.id] = room
        if self._is_stopping:  # shutdown began while it was being written
            room.halt()
        return room

    def _forget(self, table_id: str) -> None:
        self._rooms.pop(table_id, None)
        self.table_counts.remove(table_id)

    async def restore_tables(self) -> None:
        """Load every running table from its log; downtime does not count against deadlines."""
        for row in await self._store.running_tables():
            await self._restore(row)
        rooms = list(self)
        for start in range(0, len(rooms), _AT_ONCE):  # together, so that they share commits
            await asyncio.gather(*(room.resume() for room in rooms[start : start + _AT_ONCE]))
        self._is_restored = True

    async def _restore(self, row: TableRow) -> None:
        table: Table | None = None
        size = LogSize(self._caps)
        opener: str | None = None
        try:
            settings = decode_settings(row.settings)
            table = self._first(row, settings)
            async for rows in batches(partial(self._store.log, row.id)):
                opener = opener or rows[0].guest  # a newcomer may take their place later
                for one, past in zip(rows, fold(rows, table), strict=True):
                    table = past.table
                    size.add_old(one, table)
            if row.rules_version != RULES_VERSION:
                raise DoesNotReplay(f"made by version {row.rules_version} of the rules")
        except (DoesNotReplay, ValueError, LookupError, TypeError) as error:
            # Under the current rules the table would continue differently, so it is closed. Its
            # record is kept, with the rules it was played by. Log only the type of any other
            # error: its text may quote the settings, such as a seed.
            why = error if isinstance(error, DoesNotReplay) else type(error).__name__
            _log.warning("table created at %s closed: %s", row.created, why)
            await self._store.close_table(row.id, _last_record(row, table))
            return
        if table.phase == "closed":
            await self._store.close_table(row.id)
            return
        self._add(row, settings, table, size)
        if opener is not None:
            self.table_counts.add(row.id, opener)

    def open_tables(self) -> list[Room]:
        """Public tables in the lobby phase, newest first."""
        return [
            room
            for room in reversed(self._rooms.values())
            if room.table.settings.is_open and room.table.phase == "lobby"
        ]

    async def stop(self) -> None:
        """Halt every table at once, then finish pending writes."""
        self._is_stopping = True
        for room in self:
            room.halt()
        await asyncio.gather(*(room.stop() for room in list(self)))


def _last_record(row: TableRow, table: Table | None) -> FinishedGame | None:
    if table is None or table.game is None or table.phase != "playing":
        return None  # nothing was played, or its record is already kept
    game = replace(table.game, rules_version=row.rules_version)
    return record_of(row.id, structs.replace(table, game=game))
