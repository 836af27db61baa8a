"""One table being served: its state, its connections, and how each input is made durable.

Inputs are processed one at a time. Each is computed, appended to the log and committed; only then
does the new state take effect, and only then are frames sent.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import structs

from millebornes.records.tokens import to_text
from millebornes.rules.events import MatchEnded
from millebornes.table import (
    Driver,
    Frames,
    In,
    Outcome,
    Refused,
    Table,
    admitted,
    first_frame,
    hint_for,
    inputs,
    messages_in,
    receive,
)
from millebornes.table.close_codes import CloseCode
from millebornes.table.messages_out import Frame, Hinted, Past

from .caps import LogSize, is_of_watcher
from .clock import Clock
from .codec import encode_input
from .driver import TRY_AGAIN, TableDriver
from .entropy import Entropy
from .log_replay import (
    DoesNotReplay,
    Replaying,
    Snapshot,
    batches,
    fold,
    frames_since,
    past_of,
    record_of,
)
from .round_robin import RoundRobinLock
from .store import Conflict, FinishedGame, LogRow, Store, StoreError
from .thinking import Thinking

__all__ = ["Listener", "Room"]

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_RECENT = 8
"""Recent tables kept for clients that reconnect soon. Those who missed more are served from the
log: a table in a long match takes some kilobytes, and a server has many."""
_SHORT = 20
"""Records of up to this many hands take a millisecond or two, so they need no thread."""
_TRIES = 8
"""Attempts to write an input when another writer was faster."""


class Listener(Protocol):
    """A connection that follows the table for one guest."""

    guest: str

    def send(self, message: object) -> None:
        """Queue a message without waiting."""
        ...

    def end(self, code: int, why: str) -> None:
        """Close the connection after sending what is queued."""
        ...


class Room:
    """A table being served."""

    def __init__(
        self,
        table_id: str,
        table: Table,
        *,
        store: Store,
        thinking: Thinking,
        clock: Clock,
        entropy: Entropy,
        first: Callable[[], Table],
        on_closed: Callable[[str], None],
        folding: RoundRobinLock,
        size: LogSize,
    ) -> None:
        self.id = table_id
        self.table = table
        self.listeners: list[Listener] = []
        self.driver = TableDriver(self, thinking, clock, entropy)
        self._is_stopped = False
        self._first = first
        """Returns the table before its first input, to replay the log from."""
        self._on_closed = on_closed
        self._folding = folding
        """The lock for replaying a log, shared by all tables."""
        self._size = size
        self._store = store
        self._thinking = thinking
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._pending: deque[tuple[Coroutine[Any, Any, Any], asyncio.Future[Any]]] = deque()
        """Pending work, done one after the other, with the futures that wait for it."""
        self._worker: asyncio.Task[None] | None = None
        self._recent: deque[Snapshot] = deque(maxlen=_RECENT)
        self._paused_at: int | None = None
        """Since when no input could be written; this time does not count against deadlines."""
        self._is_unsure = False
        """A write failed and the log could not be read since: it may contain more than we know."""

    # Inputs

    def put(self, guest: str | None, message: In | Driver) -> "asyncio.Future[Outcome]":
        """Process one input: compute, commit, take effect, send frames."""
        return self._enqueue(self._put(guest, message))

    def _enqueue(self, work: Coroutine[Any, Any, _T]) -> "asyncio.Future[_T]":
        """Queue this work.

        It always runs to completion, even if nobody waits for it any more: a row that is
        written must also take effect.
        """
        done: asyncio.Future[_T] = self._loop.create_future()
        self._pending.append((work, done))
        if self._worker is None:
            self._worker = self._loop.create_task(self._work())
        return done

    async def _work(self) -> None:
        while self._pending:
            work, done = self._pending.popleft()
            try:
                result = await work
            except Exception as error:
                if done.done():
                    _log.exception("an input failed")
                else:
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(result)
        self._worker = None

    async def _put(self, guest: str | None, message: In | Driver) -> Outcome:
        if self._is_stopped:
            return Outcome(self.table, (), Refused("server_stopping"))
        if self._is_unsure and not await self._read_again():
            return Outcome(self.table, (), Refused("cannot_write"))
        if self._paused_at is not None and not await self._unpause():
            return Outcome(self.table, (), Refused("cannot_write"))
        if self._size.is_long:
            refused = self._size.refusal(self.table, guest, message)
            if refused is not None:
                return Outcome(self.table, (), refused)
        if isinstance(message, messages_in.AddBot):
            refused = self._thinking.why_not_seated(message.level)
            if refused is not None:
                return Outcome(self.table, (), refused)
        return await self._write(guest, message)

    async def _unpause(self) -> bool:
        """Postpone deadlines by the time in which no input could be written."""
        if self._paused_at is None:
            return True
        paused_at = self._paused_at
        outcome = await self._write(None, inputs.Shift(self._clock.now() - paused_at))
        if outcome.refused is not None and outcome.refused.code in TRY_AGAIN:
            self._paused_at = paused_at
            return False
        self._paused_at = None
        return True

    async def _write(self, guest: str | None, said: In | Driver) -> Outcome:
        for _ in range(_TRIES):
            now = self._clock.now()
            message = admitted(self.table, guest, said, now)
            if isinstance(message, Refused):
                return Outcome(self.table, (), message)
            outcome = receive(self.table, guest, message, now)
            if outcome.refused is not None:
                return outcome
            if guest is not None and not outcome.happened and self._is_same(outcome.table, message):
                return Outcome(self.table, (), Refused("already_done"))
            row = LogRow(outcome.table.seq, guest, outcome.table.last_input, encode_input(message))
            try:
                await self._append(row, message, outcome)
            except Conflict:
                # Another writer was faster: update, then check whether the input is still valid.
                if not await self._read_again():
                    break
                continue
            except StoreError as error:
                if self._paused_at is None:  # once per outage, not once per attempt
                    _log.error("an input could not be written: %s", error)
                    self._paused_at = row.now
                if not await self._is_written(row):
                    break
            self._take_effect(outcome)
            self._size.add(row, is_of_watcher(outcome.table, guest, message))
            return outcome
        else:
            return Outcome(self.table, (), Refused("try_again"))
        return Outcome(self.table, (), Refused("cannot_write"))

    def _is_same(self, after: Table, message: In | Driver) -> bool:
        """Has an input changed nothing? Then it is not logged, though old logs have such inputs."""
        if isinstance(message, messages_in.Move):  # by far the most common, and its id is kept
            return False
        before = self.table
        return structs.replace(after, seq=before.seq, last_input=before.last_input) == before

    async def _append(self, row: LogRow, message: In | Driver, outcome: Outcome) -> None:
        table = outcome.table
        if table.phase == "closed":  # even in mid-match: its record is kept
            was_played = self.table.phase == "playing" and _has_hand(table)
        else:
            was_played = table.phase == "over" and any(
                isinstance(event, MatchEnded) for event in outcome.happened
            )
        await self._store.append(
            self.id,
            row,
            member=row.guest if isinstance(message, messages_in.Join) else None,
            finished=await self._record_of(table) if was_played else None,
            closes=table.phase == "closed",
        )

    async def _record_of(self, table: Table) -> FinishedGame | None:
        """The record to store; a long one is written in a thread, which blocks no other table."""
        if table.game is None or len(table.game.deals) <= _SHORT:
            return record_of(self.id, table)
        return await asyncio.to_thread(record_of, self.id, table)

    async def _is_written(self, row: LogRow) -> bool:
        """Check the log: after a failed commit the row may still be there."""
        try:
            found = await self._store.log(self.id, row.seq - 1, 1)
        except StoreError:
            self._is_unsure = True
            return False
        if found and found[0] == row:
            return True
        self._is_unsure = bool(found)
        return False

    def _take_effect(self, outcome: Outcome) -> None:
        self.table = outcome.table
        self._recent.append(Snapshot(outcome.table, outcome.happened))
        frames = Frames(outcome.table, outcome.happened)
        for listener in list(self.listeners):
            listener.send(frames.of(listener.guest))
            if outcome.table.phase == "closed":
                listener.end(CloseCode.TABLE_CLOSED, outcome.table.closed_code or "closed")
            elif outcome.table.sent_away:
                self._end_if_sent_away(listener)
        self.driver.arrange()
        if outcome.table.phase == "closed":
            self._on_closed(self.id)

    def _end_if_sent_away(self, listener: Listener) -> None:
        """Close the connection of a guest who was sent away; the frame has told them why."""
        if listener.guest in self.table.sent_away:
            listener.end(CloseCode.SENT_AWAY, "sent away")

    async def _read_again(self) -> bool:
        """Apply inputs from the log that are new to us; False if it cannot be read."""
        try:
            async for rows in batches(self._read_log, self.table.seq):
                for row, past in zip(rows, fold(rows, self.table), strict=True):
                    self._take_effect(Outcome(past.table, past.happened))
                    self._size.add_old(row, past.table)
        except (StoreError, DoesNotReplay) as error:
            _log.error("the log could not be read again: %s", error)
            self._is_unsure = True
            return False
        self._is_unsure = False
        return True

    async def _read_log(self, after: int, most: int) -> Sequence[LogRow]:
        return await self._store.log(self.id, after, most)

    # Connections

    def add(self, listener: Listener, after: int | None, address: str = "") -> AsyncIterator[Frame]:
        """Add a listener. Returns the frames to send before any new ones.

        `after` is the last seq that the client has seen: it gets every frame since. Without
        `after` it gets the current table. `address` is the client's.
        """
        self.listeners.append(listener)
        self._end_if_sent_away(listener)  # sent away while the connection was being opened
        self.driver.note_presence(listener.guest)
        return self._backlog(listener.guest, after, address, self.table, tuple(self._recent))

    async def _backlog(
        self,
        guest: str,
        after: int | None,
        address: str,
        table: Table,
        recent: tuple[Snapshot, ...],
    ) -> AsyncIterator[Frame]:
        if after is None or after > table.seq:
            yield first_frame(table, self._clock.now(), guest)
            return
        async for missed in frames_since(after, guest, table, recent, self._replaying(address)):
            yield missed

    async def past(self, guest: str, until: int, address: str = "") -> Past:
        """What a guest may know of the inputs up to `until`."""
        return await past_of(guest, until, self.table, self._replaying(address))

    def _replaying(self, address: str) -> Replaying:
        return Replaying(self._first, self._read_log, self._folding, address)

    def remove(self, listener: Listener) -> None:
        """Remove a listener."""
        self.listeners.remove(listener)
        self.driver.note_presence(listener.guest)

    def has_listener(self, guest: str) -> bool:
        """Does this guest have a connection?"""
        return any(listener.guest == guest for listener in self.listeners)

    @property
    def is_watched(self) -> bool:
        """Does anybody have a connection?"""
        return bool(self.listeners)

    def expect(self, guest: str) -> None:
        """A guest has joined by REST: they count as gone unless they connect soon."""
        self.driver.expect(guest)

    async def hint(self, guest: str, decision: int) -> Hinted | Refused:
        """A hint for a guest at a practice table. It changes nothing."""
        asked = hint_for(self.table, guest, decision)
        if isinstance(asked, Refused):
            return asked
        advice = await self._thinking.advise(asked.view)
        return Hinted(decision, to_text(advice.move), advice.code, dict(advice.params))

    # Lifecycle

    def start(self) -> None:
        """Start serving a new table."""
        self.driver.arrange()

    async def resume(self) -> None:
        """Start serving a restored table; the time since its last input does not count."""
        self._paused_at = self.table.last_input
        await self._enqueue(self._unpause())
        for member in self.table.members:
            if member.connected:
                self.driver.note_presence_now(member.guest)
        self.driver.arrange()

    def halt(self) -> None:
        """Refuse further inputs, and stop timers and bots."""
        self._is_stopped = True
        self.driver.halt()

    async def stop(self) -> None:
        """Halt, and finish pending writes."""
        self.halt()
        if self._worker is not None:
            await asyncio.wait((self._worker,))
        await self.driver.stop()


def _has_hand(table: Table) -> bool:
    return table.match is not None and table.match.hand is not None
