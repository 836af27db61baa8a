"""Replays a table's log: to restore it, to send missed frames, to make its record."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from millebornes.records import Game
from millebornes.records import game as game_text
from millebornes.table import Table, frame, receive
from millebornes.table.messages_out import Frame
from millebornes.table.table import Happening

from .codec import decode_input
from .round_robin import RoundRobinLock
from .store import FinishedGame, LogRow, Summary

__all__ = [
    "DoesNotReplay",
    "Snapshot",
    "batches",
    "fold",
    "frames_since",
    "record_of",
    "summary_of",
]

_BATCH = 16
"""Inputs read from a log at a time."""
_MOMENT = 0.001
"""Seconds of replaying before others get a turn. Most inputs take 0.15 milliseconds with their
frame; a long chat message with rare letters takes three times as much."""

ReadLog = Callable[[int, int], Awaitable[Sequence[LogRow]]]
"""Reads the rows of a log after a seq, up to a number of rows."""


class DoesNotReplay(Exception):  # noqa: N818 (says it best)
    """A log that does not reproduce its table under the current rules."""


class Snapshot(NamedTuple):
    """A table after one of its inputs, and the events of that input."""

    table: Table
    happened: tuple[Happening, ...]


def fold(rows: Sequence[LogRow], table: Table) -> Iterator[Snapshot]:
    """Replay inputs from this table on; yield the table after each."""
    for row in rows:
        try:
            outcome = receive(table, row.guest, decode_input(row.guest, row.data), row.now)
        except Exception as error:
            # A bad input in a log must affect only its own table. Name only the type of the
            # error: its text may quote a hidden card, and this message is logged.
            raise DoesNotReplay(f"input {row.seq} fails: {type(error).__name__}") from error
        if outcome.refused is not None:
            raise DoesNotReplay(f"input {row.seq} is refused: {outcome.refused.code}")
        if outcome.table.seq != row.seq:
            raise DoesNotReplay(f"input {row.seq} is missing or in the wrong place")
        table = outcome.table
        yield Snapshot(table, outcome.happened)


async def batches(
    read: ReadLog, after: int = 0, until: int | None = None
) -> AsyncIterator[Sequence[LogRow]]:
    """The rows of a log in batches, so that no log is ever in memory as a whole."""
    while until is None or after < until:
        most = _BATCH if until is None else min(_BATCH, until - after)
        rows = await read(after, most)
        if rows:
            yield rows
            after = rows[-1].seq
        if len(rows) < most:
            return


async def frames_since(
    after: int,
    guest: str,
    table: Table,
    recent: Sequence[Snapshot],
    *,
    first: Callable[[], Table],
    log: ReadLog,
    turns: RoundRobinLock,
    asks: str,
) -> AsyncIterator[Frame]:
    """The frames that a guest has missed since the input `after`, from the log if necessary.

    `first` returns the table before its first input. One log is replayed at a time; the lock
    goes round by `asks`, the address of the client.
    """
    member = table.member_of(guest)
    if member is not None:  # they may not see what happened before they joined
        after = max(after, member.since - 1)
    if after == table.seq or (recent and recent[0].table.seq <= after + 1):
        for one in recent:
            if one.table.seq > after:
                yield frame(one.table, one.happened, guest)
        return
    last = table.seq
    table = first()
    async for rows in batches(log, until=last):
        past = fold(rows, table)
        while table.seq < rows[-1].seq:
            missed = []
            # Neither one long log nor many at once may hold up other tables. Frames are sent
            # outside the lock, so that a slow reader holds up nobody.
            async with turns.of(asks):
                for one in _for_a_moment(past):
                    table = one.table
                    if table.seq > after:
                        missed.append(frame(table, one.happened, guest))
                await asyncio.sleep(0)
            for missed_frame in missed:
                yield missed_frame


def _for_a_moment(past: Iterator[Snapshot]) -> Iterator[Snapshot]:
    """As many as fit into `_MOMENT`, but at least one."""
    end = time.perf_counter() + _MOMENT
    for one in past:
        yield one
        if time.perf_counter() > end:
            return


def record_of(table_id: str, table: Table) -> FinishedGame | None:
    """The record of the last match of a table, finished or not."""
    if table.game is None:
        return None
    guests = tuple(m.guest for m in table.members if table.seat_of(m.number) is not None)
    id_ = f"{table.game_id}-{table.hands_dealt}"
    record = game_text.to_text(table.game)
    return FinishedGame(id_, table_id, table.last_input, record, guests, _summary(table.game))


def summary_of(finished: FinishedGame) -> Summary:
    """The summary of a game for lists."""
    if finished.summary is not None:
        return finished.summary
    # Parse only the heading, which has everything: the hands take long.
    heading, _, _ = finished.record.partition("\ndeal:")
    return _summary_from(heading)


@lru_cache(1000)
def _summary_from(heading: str) -> Summary:
    """Cached: a list of many old games would take some milliseconds each time."""
    return _summary(game_text.from_text(heading))


def _summary(game: Game) -> Summary:
    return Summary(game.edition.id, game.seats, game.result or ())
