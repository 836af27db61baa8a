"""What lies in a database before an attack begins: a guest, a long log, a finished match."""

import asyncio
from pathlib import Path

from millebornes.rules import RULES_VERSION, edition_named
from millebornes.server.admission import hash_token
from millebornes.server.clock import SystemClock
from millebornes.server.codec import encode_input, encode_settings
from millebornes.server.store import FinishedGame, LogRow, TableRow
from millebornes.server.store.sqlite import SqliteStore
from millebornes.table import Settings, messages_in
from tools.golden import PLAYTHROUGH, path_of

TOKENS = tuple(f"A-token-that-an-attacker-has-had-for-a-while-{n}" for n in range(80))
TOKEN = TOKENS[0]
MEMBERS = 50
"""How many of them sit at the table, or watch it."""
TABLE = "A-table-that-has-a-log"
GAME = "a-match-0"
_GUESTS = {f"{number:032x}": token for number, token in enumerate(TOKENS)}
_GUEST = next(iter(_GUESTS))
_TOGETHER = 2000
_LINE = 480
"""Characters of a line of talk."""


def plant(database: Path, *, rows: int = 0, games: int = 0) -> None:
    """Add guests, a table of theirs with `rows` chat lines in its log, and finished matches."""
    asyncio.run(_plant(database, rows, games))


async def _plant(database: Path, rows: int, games: int) -> None:
    store = SqliteStore(database)
    await store.open()
    try:
        # Now, so that nothing is old enough to be forgotten or closed.
        now = SystemClock().now()
        for guest, token in _GUESTS.items():
            await store.add_guest(guest, hash_token(token), now)
        if rows:
            await _talk(store, rows, now)
        for number in range(games):
            await store.close_table("", finished_match(f"a-match-{number}", (_GUEST,), now))
    finally:
        await store.close()


def finished_match(id_: str, guests: tuple[str, ...], ended: int | None = None) -> FinishedGame:
    """A whole match. Every match differs, so that no cache helps with the next."""
    text = path_of("winning-moves", 2).read_text(encoding="utf-8").split(PLAYTHROUGH)[0]
    text = text.replace("\nrules:", f'\nseat 0: "{id_}"\nseat 1: "Ben"\nrules:', 1)
    ended = SystemClock().now() if ended is None else ended
    return FinishedGame(id_, "", ended, text, guests)


async def _talk(store: SqliteStore, rows: int, now: int) -> None:
    settings = Settings(edition=edition_named("winning-moves"), players=2)
    row = TableRow(TABLE, "a-game", now, encode_settings(settings), RULES_VERSION)
    joins = [
        LogRow(seq, guest, now, encode_input(messages_in.Join(f"Eve the {seq}", watch=seq > 2)))
        for seq, guest in enumerate(list(_GUESTS)[:MEMBERS], start=1)
    ]
    await store.add_table(row, joins[0])
    for join in joins[1:]:
        await store.append(TABLE, join, member=join.guest)
    said = encode_input(messages_in.Chat("x" * _LINE))
    begin, end = len(joins) + 1, len(joins) + 1 + rows
    for start in range(begin, end, _TOGETHER):
        seqs = range(start, min(start + _TOGETHER, end))
        await asyncio.gather(*(store.append(TABLE, LogRow(s, _GUEST, now, said)) for s in seqs))
