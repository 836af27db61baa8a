"""A store in memory, without threads: in a test everything always happens in the same order."""

import asyncio
from collections.abc import Sequence

from millebornes.server.store import (
    SEEN_EVERY,
    Conflict,
    Device,
    FinishedGame,
    LogRow,
    StoreError,
    StoreState,
    TableRow,
)


class MemoryStore:
    """It keeps its content when it is closed, as a disk does, and can be opened again."""

    place = "memory"

    def __init__(self) -> None:
        self.guests: dict[str, int] = {}
        """When each of them came."""
        self.tokens: dict[str, tuple[str, Device]] = {}
        """The guest of each token, and its device."""
        self.rows: dict[str, TableRow] = {}
        self.logs: dict[str, list[LogRow]] = {}
        self.members: dict[str, list[str]] = {}
        self.games: dict[str, FinishedGame] = {}
        self.forgotten: list[int] = []
        self.is_open = False

    async def open(self) -> None:
        self.is_open = True

    async def close(self) -> None:
        self.is_open = False

    def state(self) -> StoreState:
        return StoreState()

    async def check(self) -> None:
        pass

    async def _turn(self) -> None:
        """Every call awaits this: a slow store overrides it."""
        if not self.is_open:
            raise StoreError("the store is not open")

    async def add_guest(self, guest: str, token_hash: str, now: int, label: str = "") -> None:
        await self._turn()
        if guest in self.guests or token_hash in self.tokens:
            raise Conflict("there is such a guest or such a token")
        self.guests[guest] = now
        self.tokens[token_hash] = guest, Device(token_hash, label, now, now)

    async def add_token(self, guest: str, token_hash: str, now: int, label: str = "") -> None:
        await self._turn()
        if guest not in self.guests or token_hash in self.tokens:
            raise Conflict("there is no such guest, or such a token already")
        self.tokens[token_hash] = guest, Device(token_hash, label, now, now)

    async def note_seen(self, token_hash: str, now: int) -> None:
        await self._turn()
        if token_hash in self.tokens:
            guest, device = self.tokens[token_hash]
            if now - device.seen >= SEEN_EVERY:
                self.tokens[token_hash] = guest, device._replace(seen=now)

    async def devices_of(self, guest: str) -> Sequence[Device]:
        await self._turn()
        mine = [device for one, device in self.tokens.values() if one == guest]
        return sorted(mine, key=lambda device: (-device.created, device.token_hash))

    async def remove_token(self, token_hash: str) -> None:
        await self._turn()
        self.tokens.pop(token_hash, None)

    async def guest_of(self, token_hash: str) -> str | None:
        await self._turn()
        return self.tokens[token_hash][0] if token_hash in self.tokens else None

    async def add_table(self, row: TableRow, first: LogRow) -> None:
        await self._turn()
        if row.id in self.rows or row.game_id in {one.game_id for one in self.rows.values()}:
            raise Conflict(f"there is a table {row.id}")
        self.rows[row.id] = row
        self.logs[row.id] = [first]
        self.members[row.id] = [first.guest] if first.guest else []

    async def append(
        self,
        table: str,
        row: LogRow,
        *,
        member: str | None = None,
        finished: FinishedGame | None = None,
        closes: bool = False,
    ) -> None:
        await self._turn()
        log = self.logs.get(table)
        if log is None or row.seq in [one.seq for one in log]:
            raise Conflict(f"seq {row.seq} is taken")
        log.append(row)
        if member is not None and member not in self.members[table]:
            self.members[table].append(member)
        self._end(table, finished, closes)

    async def close_table(self, table: str, finished: FinishedGame | None = None) -> None:
        await self._turn()
        self._end(table, finished, closes=True)

    def _end(self, table: str, finished: FinishedGame | None, closes: bool) -> None:
        if finished is not None:
            self.games[finished.id] = finished
        if closes and table in self.rows:
            self.rows[table] = self.rows[table]._replace(closed=True)

    async def forget(self, before: int) -> int:
        await self._turn()
        self.forgotten.append(before)
        tables = [
            id_ for id_, row in self.rows.items() if row.closed and self.logs[id_][-1].now < before
        ]
        for id_ in tables:
            del self.rows[id_], self.logs[id_], self.members[id_]
        games = [id_ for id_, game in self.games.items() if game.ended < before]
        for id_ in games:
            del self.games[id_]
        known = {guest for members in self.members.values() for guest in members}
        known |= {guest for game in self.games.values() for guest in game.guests}
        for guest in [one for one, came in self.guests.items() if came < before]:
            if guest not in known:
                del self.guests[guest]
                self.tokens = {key: one for key, one in self.tokens.items() if one[0] != guest}
        return len(tables) + len(games)

    async def table(self, table: str) -> TableRow | None:
        await self._turn()
        return self.rows.get(table)

    async def running_tables(self) -> Sequence[TableRow]:
        await self._turn()
        return [row for row in self._by_age() if not row.closed]

    def _by_age(self) -> list[TableRow]:
        return sorted(self.rows.values(), key=lambda row: row.created)

    async def tables_of(self, guest: str, most: int = 100) -> Sequence[TableRow]:
        await self._turn()
        mine = [row for row in self._by_age() if not row.closed and guest in self.members[row.id]]
        return mine[::-1][:most]

    async def log(self, table: str, after: int = 0, most: int | None = None) -> Sequence[LogRow]:
        await self._turn()
        return [row for row in self.logs.get(table, ()) if row.seq > after][:most]

    async def games_of(self, guest: str, most: int) -> Sequence[FinishedGame]:
        await self._turn()
        mine = [game for game in self.games.values() if guest in game.guests]
        newest = sorted(mine, key=lambda game: -game.ended)[:most]
        return [game._replace(record=_heading(game)) for game in newest]

    async def game(self, game: str) -> FinishedGame | None:
        await self._turn()
        return self.games.get(game)


def _heading(game: FinishedGame) -> str:
    return "" if game.summary is not None else game.record.partition("\ndeal:")[0]


class SlowStore(MemoryStore):
    """A store that others wait for: every call lets everybody else have their turn first."""

    async def _turn(self) -> None:
        for _ in range(3):
            await asyncio.sleep(0)
        await super()._turn()
