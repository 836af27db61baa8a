"""One table that is being served: its state and its connections.

Inputs are taken one at a time. Each is computed, appended and committed; only then does the
new state take effect, and only then is anything sent.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import structs

from millebornes.bots import STRONGEST
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
    hint_for,
    inputs,
    messages_in,
    picture,
    receive,
)
from millebornes.table.close_codes import CloseCode
from millebornes.table.messages_out import Frame, Hinted

from .caps import LogSize, is_of_watcher
from .clock import Clock
from .codec import encode_input
from .driver import TRY_AGAIN, TableDriver
from .entropy import Entropy
from .replaying import DoesNotReplay, Past, fold, frames_since, record_of, strides
from .store import Conflict, FinishedGame, LogRow, Store, StoreError
from .thinking import Thinkers
from .turns import Turns

__all__ = ["Listener", "Room"]

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_REMEMBERED = 8
"""Tables kept for those who were away for a moment. Whoever missed more is served from the
log: a table of a long match takes some kilobytes, and a server has many."""
_SHORT = 20
"""A record of so many hands is written in a millisecond or two."""
_TRIES = 8
"""How often an input is tried anew when another writer was faster."""


class Listener(Protocol):
    """A connection that follows the table for one guest."""

    guest: str

    def hear(self, message: object) -> None:
        """Take a message; never waits."""
        ...

    def end(self, code: int, why: str) -> None:
        """Close, once what was heard has been passed on."""
        ...


class Room:
    """A table being served."""

    def __init__(
        self,
        table_id: str,
        table: Table,
        *,
        store: Store,
        thinkers: Thinkers,
        clock: Clock,
        entropy: Entropy,
        first: Callable[[], Table],
        on_closed: Callable[[str], None],
        folding: Turns,
        size: LogSize,
    ) -> None:
        self.id = table_id
        self.table = table
        self.listeners: list[Listener] = []
        self.driver = TableDriver(self, thinkers, clock, entropy)
        self._is_stopped = False
        self._first = first
        """The table before its first input, to fold the log from."""
        self._on_closed = on_closed
        self._folding = folding
        """Whose turn it is to fold a log, of all tables."""
        self._size = size
        self._store = store
        self._thinkers = thinkers
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._line: deque[tuple[Coroutine[Any, Any, Any], asyncio.Future[Any]]] = deque()
        """What is to be done, one after the other, and who waits for it."""
        self._worker: asyncio.Task[None] | None = None
        self._recent: deque[Past] = deque(maxlen=_REMEMBERED)
        self._paused_at: int | None = None
        """Since when nothing could be put in: that time does not count."""
        self._is_unsure = False
        """A write failed, and the log could not be read since: it may hold more than we know."""

    # Inputs

    def put(self, guest: str | None, message: In | Driver) -> "asyncio.Future[Outcome]":
        """Take one input: compute, commit, take effect, send."""
        return self._in_turn(self._put(guest, message))

    def _in_turn(self, work: Coroutine[Any, Any, _T]) -> "asyncio.Future[_T]":
        """Have this done when it is its turn.

        It is done to its end, even if whoever waits for it has gone: a row that is written
        must also take effect.
        """
        done: asyncio.Future[_T] = self._loop.create_future()
        self._line.append((work, done))
        if self._worker is None:
            self._worker = self._loop.create_task(self._work())
        return done

    async def _work(self) -> None:
        while self._line:
            work, done = self._line.popleft()
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
        return await self._write(guest, message)

    async def _unpause(self) -> bool:
        """Deadlines wait for as long as nothing could be put in."""
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
                # Another writer was faster. What is now: does the input still stand?
                if not await self._read_again():
                    break
                continue
            except StoreError as error:
                if self._paused_at is None:  # once for each table, not for each who tries
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
        """Has an input changed nothing? Then it is not written: logs of earlier hold such."""
        if isinstance(message, messages_in.Move):  # by far the most, and its id is kept
            return False
        before = self.table
        return structs.replace(after, seq=before.seq, last_input=before.last_input) == before

    async def _append(self, row: LogRow, message: In | Driver, outcome: Outcome) -> None:
        table = outcome.table
        if table.phase == "closed":  # in the middle of a match: what was played is kept, too
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
        """The record to keep. One of many hands takes long to write, and nobody else may wait."""
        if table.game is None or len(table.game.deals) <= _SHORT:
            return record_of(self.id, table)
        return await asyncio.to_thread(record_of, self.id, table)

    async def _is_written(self, row: LogRow) -> bool:
        """After a failed commit nobody knows: look."""
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
        self._recent.append(Past(outcome.table, outcome.happened))
        frames = Frames(outcome.table, outcome.happened)
        for listener in list(self.listeners):
            listener.hear(frames.of(listener.guest))
            if outcome.table.phase == "closed":
                listener.end(CloseCode.TABLE_CLOSED, outcome.table.closed_code or "closed")
            elif outcome.table.sent_away:
                self._show_out(listener)
        self.driver.arrange()
        if outcome.table.phase == "closed":
            self._on_closed(self.id)

    def _show_out(self, listener: Listener) -> None:
        """The frame has told them why: whoever was sent away listens no longer."""
        if listener.guest in self.table.sent_away:
            listener.end(CloseCode.SENT_AWAY, "sent away")

    async def _read_again(self) -> bool:
        """Take what the log has more than we know; False if that cannot be."""
        try:
            async for rows in strides(self._read_log, self.table.seq):
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

    # Those who listen

    def add(self, listener: Listener, after: int | None, address: str = "") -> AsyncIterator[Frame]:
        """Let one more listen. Gives what it must hear before anything that comes now.

        `after` is the last seq that it has seen: it gets every frame since, at any distance.
        Without it, it gets the table as it is. `address` is where it is.
        """
        self.listeners.append(listener)
        self._show_out(listener)  # sent away while the connection was being opened
        self.driver.note_presence(listener.guest)
        return self._backlog(listener.guest, after, address, self.table, tuple(self._recent))

    async def _backlog(
        self,
        guest: str,
        after: int | None,
        address: str,
        table: Table,
        recent: tuple[Past, ...],
    ) -> AsyncIterator[Frame]:
        if after is None or after > table.seq:
            yield Frame(table.seq, self._clock.now(), (), picture(table, guest))
            return
        async for told in frames_since(
            after,
            guest,
            table,
            recent,
            first=self._first,
            log=self._read_log,
            turns=self._folding,
            asks=address,
        ):
            yield told

    def remove(self, listener: Listener) -> None:
        """This one listens no more."""
        self.listeners.remove(listener)
        self.driver.note_presence(listener.guest)

    def has_listener(self, guest: str) -> bool:
        """Has this guest a connection?"""
        return any(listener.guest == guest for listener in self.listeners)

    def expect(self, guest: str) -> None:
        """A guest has come to the table, but not by a connection: soon there must be one."""
        self.driver.expect(guest)

    async def hint(self, guest: str, decision: int) -> Hinted | Refused:
        """A hint for one guest of a practice table. It changes nothing."""
        asked = hint_for(self.table, guest, decision)
        if isinstance(asked, Refused):
            return asked
        advice = await self._thinkers.advise(STRONGEST, asked.view)
        return Hinted(decision, to_text(advice.move), advice.code, dict(advice.params))

    # Its beginning and its end

    def wake(self) -> None:
        """Begin to serve a new table."""
        self.driver.arrange()

    async def come_back(self) -> None:
        """Begin to serve a table of earlier: the time since its last input does not count."""
        self._paused_at = self.table.last_input
        await self._in_turn(self._unpause())
        for member in self.table.members:
            if member.connected:
                self.driver.note_at_once(member.guest)
        self.driver.arrange()

    def halt(self) -> None:
        """From now on no input is taken, no deadline passes and no bot thinks."""
        self._is_stopped = True
        self.driver.halt()

    async def stop(self) -> None:
        """No more inputs; what is being written is finished."""
        self.halt()
        if self._worker is not None:
            await asyncio.wait((self._worker,))
        await self.driver.stop()


def _has_hand(table: Table) -> bool:
    return table.match is not None and table.match.hand is not None
