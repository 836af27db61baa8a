"""From a log to tables: what was, for whoever missed it, comes back, or wants the record."""

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

__all__ = ["DoesNotReplay", "Past", "fold", "frames_since", "record_of", "strides", "summary_of"]

_STRIDE = 16
"""Inputs read from a log at once."""
_MOMENT = 0.001
"""Seconds of folding before others get their turn. Most inputs take 0.15 milliseconds with their
frame; a long chat of rare letters three times as much."""

ReadLog = Callable[[int, int], Awaitable[Sequence[LogRow]]]
"""Gives the rows of a log after a seq, at most so many."""


class DoesNotReplay(Exception):  # noqa: N818 (says it best)
    """A log that does not give its table again under these rules."""


class Past(NamedTuple):
    """A table after one of its inputs, for those who missed it."""

    table: Table
    happened: tuple[Happening, ...]


def fold(rows: Sequence[LogRow], table: Table) -> Iterator[Past]:
    """The tables that a log gives, one after each input."""
    for row in rows:
        try:
            outcome = receive(table, row.guest, decode_input(row.guest, row.data), row.now)
        except Exception as error:
            # Whatever goes wrong with an old input, it is this table's trouble alone. Only the
            # kind of error is named: its text may quote a hidden card, and this is logged.
            raise DoesNotReplay(f"input {row.seq} fails: {type(error).__name__}") from error
        if outcome.refused is not None:
            raise DoesNotReplay(f"input {row.seq} is refused: {outcome.refused.code}")
        if outcome.table.seq != row.seq:
            raise DoesNotReplay(f"input {row.seq} is missing or stands in the wrong place")
        table = outcome.table
        yield Past(table, outcome.happened)


async def strides(
    read: ReadLog, after: int = 0, until: int | None = None
) -> AsyncIterator[Sequence[LogRow]]:
    """The rows of a log, some at a time: nobody ever holds a whole log."""
    while until is None or after < until:
        most = _STRIDE if until is None else min(_STRIDE, until - after)
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
    recent: Sequence[Past],
    *,
    first: Callable[[], Table],
    log: ReadLog,
    turns: RoundRobinLock,
    asks: str,
) -> AsyncIterator[Frame]:
    """What a guest has missed of a table since an input; from its log, if that is long ago.

    `first` gives the table before its first input. One log is folded at a time, in turn by who
    `asks`.
    """
    member = table.member_of(guest)
    if member is not None:  # what was before they came is not theirs to follow
        after = max(after, member.since - 1)
    if after == table.seq or (recent and recent[0].table.seq <= after + 1):
        for one in recent:
            if one.table.seq > after:
                yield frame(one.table, one.happened, guest)
        return
    last = table.seq
    table = first()
    async for rows in strides(log, until=last):
        past = fold(rows, table)
        while table.seq < rows[-1].seq:
            missed = []
            # A long log must not hold up other tables, nor must many that are wanted at once.
            # Nobody waits for a slow reader here: what is sent is sent outside.
            async with turns.of(asks):
                for one in _for_a_moment(past):
                    table = one.table
                    if table.seq > after:
                        missed.append(frame(table, one.happened, guest))
                await asyncio.sleep(0)
            for told in missed:
                yield told


def _for_a_moment(past: Iterator[Past]) -> Iterator[Past]:
    """As many as can be made in a millisecond, and one more."""
    end = time.perf_counter() + _MOMENT
    for one in past:
        yield one
        if time.perf_counter() > end:
            return


def record_of(table_id: str, table: Table) -> FinishedGame | None:
    """The record of the match that a table has played last, ended or not."""
    if table.game is None:
        return None
    guests = tuple(m.guest for m in table.members if table.seat_of(m.number) is not None)
    id_ = f"{table.game_id}-{table.hands_dealt}"
    record = game_text.to_text(table.game)
    return FinishedGame(id_, table_id, table.last_input, record, guests, _summary(table.game))


def summary_of(finished: FinishedGame) -> Summary:
    """What a list says about a game."""
    if finished.summary is not None:
        return finished.summary
    # The hands take long to read, and the heading says it all.
    heading, _, _ = finished.record.partition("\ndeal:")
    return _summary_from(heading)


@lru_cache(1000)
def _summary_from(heading: str) -> Summary:
    """Kept, as a list of many old games would take some milliseconds each time."""
    return _summary(game_text.from_text(heading))


def _summary(game: Game) -> Summary:
    return Summary(game.edition.id, game.seats, game.result or ())
