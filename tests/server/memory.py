"""A store in memory, without threads: everything in a test happens in the same order always."""

from collections.abc import Sequence

from millebornes.server.store import Conflict, FinishedGame, LogRow, TableRow


class MemoryStore:
    def __init__(self) -> None:
        self.tokens: dict[str, str] = {}
        self.rows: dict[str, TableRow] = {}
        self.logs: dict[str, list[LogRow]] = {}
        self.members: dict[str, list[str]] = {}
        self.games: dict[str, FinishedGame] = {}
        self.forgotten: list[int] = []

    async def add_guest(self, guest: str, token_hash: str, now: int) -> None:  # noqa: ARG002
        self.tokens[token_hash] = guest

    async def add_token(self, guest: str, token_hash: str, now: int) -> None:  # noqa: ARG002
        self.tokens[token_hash] = guest

    def guest_of(self, token_hash: str) -> str | None:
        return self.tokens.get(token_hash)

    async def add_table(self, row: TableRow, first: LogRow) -> None:
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
        if row.seq != len(self.logs[table]) + 1:
            raise Conflict(f"seq {row.seq} is taken")
        self.logs[table].append(row)
        if member is not None and member not in self.members[table]:
            self.members[table].append(member)
        if finished is not None:
            self.games[finished.id] = finished
        if closes:
            await self.close_table(table)

    async def close_table(self, table: str, finished: FinishedGame | None = None) -> None:
        self.rows[table] = self.rows[table]._replace(closed=True)
        if finished is not None:
            self.games[finished.id] = finished

    async def forget(self, before: int) -> int:
        self.forgotten.append(before)
        return 0

    def table(self, table: str) -> TableRow | None:
        return self.rows.get(table)

    def running_tables(self) -> Sequence[TableRow]:
        return [row for row in self.rows.values() if not row.closed]

    def tables_of(self, guest: str) -> Sequence[TableRow]:
        return [row for row in self.running_tables() if guest in self.members[row.id]]

    def log(self, table: str, after: int = 0) -> Sequence[LogRow]:
        return [row for row in self.logs.get(table, ()) if row.seq > after]

    def games_of(self, guest: str, most: int) -> Sequence[FinishedGame]:
        mine = [game for game in self.games.values() if guest in game.guests]
        return sorted(mine, key=lambda game: -game.ended)[:most]

    def game(self, game: str) -> FinishedGame | None:
        return self.games.get(game)

    async def close(self) -> None:
        pass
