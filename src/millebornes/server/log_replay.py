"""Replays a table's log: to restore it, to send missed frames, to make its record."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeVar

import msgspec

from millebornes.records import Game
from millebornes.records import game as game_text
from millebornes.table import Table, frame, past_events, receive
from millebornes.table.messages_out import Event, Frame, Past, PastInput, PastMatch
from millebornes.table.table import Happening

from .codec import decode_input
from .round_robin import RoundRobinLock
from .store import FinishedGame, LogRow, Summary

__all__ = [
    "DoesNotReplay",
    "Replaying",
    "Snapshot",
    "batches",
    "fold",
    "frames_since",
    "past_of",
    "record_of",
    "summary_of",
]

_BATCH = 16
"""Inputs read from a log at a time."""
_PAST_BYTES = 100_000
"""What a client gets that asks for the past: the latest inputs that fit. A match takes some 60 KB;
a connection may have 256 KiB waiting for a slow reader."""
_MOMENT = 0.001
"""Seconds of replaying before others get a turn. Most inputs take 0.15 milliseconds with their
frame; a long chat message with rare letters takes three times as much."""

_T = TypeVar("_T")
_encoder = msgspec.json.Encoder()
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


class Replaying(NamedTuple):
    """How to replay a table's log for one client."""

    first: Callable[[], Table]
    """Returns the table before its first input."""
    log: ReadLog
    turns: RoundRobinLock
    """One log is replayed at a time; the lock goes round by `asks`."""
    asks: str
    """The address of the client."""

    async def each(
        self, until: int, take: Callable[[Snapshot], _T | None]
    ) -> AsyncIterator[list[_T]]:
        """What `take` makes of the table after each input, without None, a few at a time."""
        table = self.first()
        async for rows in batches(self.log, until=until):
            past = fold(rows, table)
            while table.seq < rows[-1].seq:
                found = []
                # Neither one long log nor many at once may hold up other tables. What was found
                # is sent outside the lock, so that a slow reader holds up nobody.
                async with self.turns.of(self.asks):
                    for one in _for_a_moment(past):
                        table = one.table
                        taken = take(one)
                        if taken is not None:
                            found.append(taken)
                    await asyncio.sleep(0)
                yield found


async def frames_since(
    after: int, guest: str, table: Table, recent: Sequence[Snapshot], replaying: Replaying
) -> AsyncIterator[Frame]:
    """The frames that a guest has missed since the input `after`, from the log if necessary."""
    member = table.member_of(guest)
    if member is not None:  # they may not see what happened before they joined
        after = max(after, member.since - 1)

    def missed(one: Snapshot) -> Frame | None:
        seq = one.table.seq
        if seq <= after:
            return None
        return frame(one.table, one.happened, guest, is_first=seq == after + 1)

    if after == table.seq or (recent and recent[0].table.seq <= after + 1):
        for one in recent:
            found = missed(one)
            if found is not None:
                yield found
        return
    async for frames in replaying.each(table.seq, missed):
        for one_frame in frames:
            yield one_frame


async def past_of(guest: str, until: int, table: Table, replaying: Replaying) -> Past:
    """What a guest may know of the inputs up to `until`. `table` is the current one."""
    member = table.member_of(guest)
    if member is None or until < member.since:
        return Past(until, ())

    def remembered(one: Snapshot) -> _Remembered | None:
        events = past_events(one.table, one.happened, member)
        return _remembered(one.table, events, member.number) if events else None

    found: deque[_Remembered] = deque()
    size = 0
    async for some in replaying.each(until, remembered):
        found.extend(some)
        size += sum(one.size for one in some)
        while size > _PAST_BYTES:
            size -= found.popleft().size
    matches = [
        PastMatch(names, sides, you, tuple([one.input for one in inputs]))
        for (names, sides, you), inputs in groupby(found, lambda one: one.seating)
    ]
    return Past(until, tuple(matches))


class _Remembered(NamedTuple):
    """An earlier input, and who sat where at the time."""

    seating: tuple[tuple[str, ...], int, int | None]
    input: PastInput
    size: int
    """About how many bytes it takes."""


def _remembered(table: Table, events: tuple[Event, ...], member: int) -> _Remembered:
    settings, hand = table.settings, None if table.match is None else table.match.hand
    names = tuple([table.seat_name(seat) for seat in range(settings.players)])
    seating = (names, settings.edition.sides_at(settings.players), table.seat_of(member))
    past = PastInput(table.seq, 0 if hand is None else hand.number, events)
    return _Remembered(seating, past, len(_encoder.encode(past)))


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
    return Summary(game.edition.id, game.seats, game.result or (), game.edition.name)
