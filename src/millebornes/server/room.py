"""One table that is being served: its state, its connections, its timers.

Inputs are taken one at a time. Each is computed, appended and committed; only then does the
new state take effect, and only then is anything sent.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar

from millebornes.fair.protocol import SERVER_SEED_SIZE
from millebornes.records import Game
from millebornes.records import game as game_text
from millebornes.records.tokens import to_text
from millebornes.rules import View
from millebornes.rules.events import MatchEnded
from millebornes.rules.state import Window
from millebornes.table import (
    Driver,
    Frames,
    In,
    Outcome,
    Refused,
    Table,
    frame,
    hint_for,
    inputs,
    messages_in,
    picture,
    receive,
)
from millebornes.table.messages_out import Frame, Hinted
from millebornes.table.table import Happening, Think

from .clock import Clock
from .codec import decode_input, encode_input
from .store import Conflict, FinishedGame, LogRow, Store, StoreError, Summary
from .thinking import advise

__all__ = [
    "DoesNotReplay",
    "Listener",
    "Past",
    "Room",
    "Thinkers",
    "fold",
    "record_of",
    "summary_of",
]

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_REMEMBERED = 8
"""Tables kept for those who were away for a moment. Whoever missed more is served from the
log: a table of a long match takes some kilobytes, and a server has many."""
_TRIES = 8
"""How often an input is tried anew when another writer was faster."""
_STRIDE = 16
"""Inputs folded at once before others get their turn."""

TABLE_CLOSED = 4009
"""The WebSocket close code when a table is closed."""


class DoesNotReplay(Exception):  # noqa: N818 (says it best)
    """A log that does not give its table again under these rules."""


class Thinkers(Protocol):
    """Whoever thinks for the bots."""

    async def think(self, level: str | None, view: View) -> str:
        """A bot's move, as a token."""
        ...

    async def close(self) -> None:
        """Let go."""
        ...


class Listener(Protocol):
    """A connection that follows the table for one guest."""

    guest: str

    def hear(self, message: object) -> None:
        """Take a message; never waits."""
        ...

    def end(self, code: int, why: str) -> None:
        """Close, once what was heard has been passed on."""
        ...


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
    return _summary(game_text.from_text(heading))


def _summary(game: Game) -> Summary:
    return Summary(game.edition.id, game.seats, game.result or ())


class Room:
    """A table being served."""

    retry_after = 1.0
    """Seconds until the driver tries again what the store could not write."""
    connects_within = 5.0
    """Seconds that whoever has come by REST has to open a connection before they count as gone:
    most do so at once, and nobody need be told that they were away."""

    def __init__(
        self,
        table_id: str,
        table: Table,
        *,
        store: Store,
        thinkers: Thinkers,
        clock: Clock,
        first: Callable[[], Table],
        on_closed: Callable[[str], None],
        folding: asyncio.Semaphore,
    ) -> None:
        self.id = table_id
        self.table = table
        self.listeners: list[Listener] = []
        self.stopped = False
        self._first = first
        """The table before its first input, to fold the log from."""
        self._on_closed = on_closed
        self._folding = folding
        """How many may read a log at once, of all tables."""
        self._store = store
        self._thinkers = thinkers
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._line: deque[tuple[Coroutine[Any, Any, Any], asyncio.Future[Any]]] = deque()
        """What is to be done, one after the other, and who waits for it."""
        self._worker: asyncio.Task[None] | None = None
        self._recent: deque[Past] = deque(maxlen=_REMEMBERED)
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._thoughts: dict[tuple[int, int], asyncio.Task[Any]] = {}
        """Bots that are thinking, by decision and seat."""
        self._answers: dict[tuple[int, int], str] = {}
        """What bots answer to an attack when its window closes, by decision and seat."""
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
        if self.stopped:
            return Outcome(self.table, (), Refused("server_stopping"))
        if self._is_unsure and not self._read_again():
            return Outcome(self.table, (), Refused("cannot_write"))
        if self._paused_at is not None and not await self._unpause():
            return Outcome(self.table, (), Refused("cannot_write"))
        return await self._write(guest, message)

    async def _unpause(self) -> bool:
        """Deadlines wait for as long as nothing could be put in."""
        if self._paused_at is None:
            return True
        paused_at = self._paused_at
        outcome = await self._write(None, inputs.Shift(self._clock.now() - paused_at))
        if outcome.refused is not None and outcome.refused.code in _TRY_AGAIN:
            self._paused_at = paused_at
            return False
        self._paused_at = None
        return True

    async def _write(self, guest: str | None, message: In | Driver) -> Outcome:
        for _ in range(_TRIES):
            outcome = receive(self.table, guest, message, self._clock.now())
            if outcome.refused is not None:
                return outcome
            row = LogRow(outcome.table.seq, guest, outcome.table.last_input, encode_input(message))
            try:
                await self._append(row, message, outcome)
            except Conflict:
                # Another writer was faster. What is now: does the input still stand?
                if not self._read_again():
                    break
                continue
            except StoreError as error:
                _log.error("an input could not be written: %s", error)
                if self._paused_at is None:
                    self._paused_at = row.now
                if not self._is_written(row):
                    break
            self._take_effect(outcome)
            return outcome
        else:
            return Outcome(self.table, (), Refused("try_again"))
        return Outcome(self.table, (), Refused("cannot_write"))

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
            finished=record_of(self.id, table) if was_played else None,
            closes=table.phase == "closed",
        )

    def _is_written(self, row: LogRow) -> bool:
        """After a failed commit nobody knows: look."""
        try:
            found = self._store.log(self.id, row.seq - 1)
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
                listener.end(TABLE_CLOSED, outcome.table.closed_code or "closed")
        self._arrange()
        if outcome.table.phase == "closed":
            self._on_closed(self.id)

    def _read_again(self) -> bool:
        """Take what the log has more than we know; False if that cannot be."""
        try:
            for past in fold(self._store.log(self.id, self.table.seq), self.table):
                self._take_effect(Outcome(past.table, past.happened))
        except (StoreError, DoesNotReplay) as error:
            _log.error("the log could not be read again: %s", error)
            self._is_unsure = True
            return False
        self._is_unsure = False
        return True

    # Those who listen

    def add(self, listener: Listener, after: int | None) -> AsyncIterator[Frame]:
        """Let one more listen. Gives what it must hear before anything that comes now.

        `after` is the last seq that it has seen: it gets every frame since, at any distance.
        Without it, it gets the table as it is.
        """
        self.listeners.append(listener)
        self._spawn(self._note_presence(listener.guest))
        return self._backlog(listener.guest, after, self.table, tuple(self._recent))

    def remove(self, listener: Listener) -> None:
        """This one listens no more."""
        self.listeners.remove(listener)
        self._spawn(self._note_presence(listener.guest))

    def expect(self, guest: str) -> None:
        """A guest has come to the table, but not by a connection: soon there must be one."""
        self._spawn(self._note_if_missing(guest))

    async def _note_if_missing(self, guest: str) -> None:
        await asyncio.sleep(self.connects_within)
        if not self._is_here(guest):
            await self._note_presence(guest)

    def _is_here(self, guest: str) -> bool:
        return any(listener.guest == guest for listener in self.listeners)

    async def _backlog(
        self, guest: str, after: int | None, table: Table, recent: Sequence[Past]
    ) -> AsyncIterator[Frame]:
        if after is None or after > table.seq:
            yield Frame(table.seq, self._clock.now(), (), picture(table, guest))
            return
        member = table.member_of(guest)
        if member is not None:  # what was before they came is not theirs to follow
            after = max(after, member.since - 1)
        if after == table.seq or (recent and recent[0].table.seq <= after + 1):
            for one in recent:
                if one.table.seq > after:
                    yield frame(one.table, one.happened, guest)
            return
        rows = self._store.log(self.id)
        past = fold([row for row in rows if row.seq <= table.seq], self._first())
        while True:
            # A long log must not hold up other tables, nor must many that are wanted at once.
            # Nobody waits for a slow reader here: what is sent is sent outside.
            async with self._folding:
                some = list(islice(past, _STRIDE))
                missed = [
                    frame(one.table, one.happened, guest) for one in some if one.table.seq > after
                ]
                await asyncio.sleep(0)
            for told in missed:
                yield told
            if not some:
                return

    async def _note_presence(self, guest: str) -> None:
        """Let the table know whether a guest has a connection."""
        while True:
            message = inputs.Arrived(guest) if self._is_here(guest) else inputs.Gone(guest)
            outcome = await self.put(None, message)
            if outcome.refused is None or outcome.refused.code not in _TRY_AGAIN:
                return
            await asyncio.sleep(self.retry_after)

    def hint(self, guest: str, decision: int) -> Hinted | Refused:
        """A hint for one guest of a practice table. It changes nothing."""
        asked = hint_for(self.table, guest, decision)
        if isinstance(asked, Refused):
            return asked
        advice = advise(asked.view)
        return Hinted(decision, to_text(advice.move), advice.code, dict(advice.params))

    # What the table asks of its driver

    def wake(self) -> None:
        """Begin to serve a new table."""
        self._arrange()

    async def come_back(self) -> None:
        """Begin to serve a table of earlier: the time since its last input does not count."""
        self._paused_at = self.table.last_input
        await self._in_turn(self._unpause())
        for member in self.table.members:
            if member.connected:
                self._spawn(self._note_presence(member.guest))
        self._arrange()

    def _arrange(self) -> None:
        """Timers, secrets and bots for what is awaited now."""
        table = self.table
        if self.stopped or table.phase == "closed":
            self._stop_timer()
            return
        seed = table.need_seed()
        if seed is not None:
            secret = secrets.token_hex(SERVER_SEED_SIZE)
            self._spawn(self._put_quietly(inputs.Seed(seed.hand, secret)))
        if table.deadline is not None:
            self._set_timer(table.deadline)
        if self._answers:
            self._answers = {
                key: move for key, move in self._answers.items() if key[0] == table.decision
            }
        for think in table.thinks():
            key = (think.decision, think.seat)
            if key not in self._thoughts and key not in self._answers:
                self._thoughts[key] = self._spawn(self._think(think))

    def _set_timer(self, deadline: int) -> None:
        # One more: a loop may count its milliseconds a little differently.
        wait = max(0, deadline - self._clock.now() + 1) / 1000
        if self._timer is not None:
            if self._timer.when() <= self._loop.time() + wait:
                return  # it is set anew when it rings: most inputs only move the deadline on
            self._timer.cancel()
        self._timer = self._loop.call_later(wait, self._time_is_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_is_up(self) -> None:
        self._timer = None
        deadline = self.table.deadline
        if deadline is not None and self._clock.now() < deadline:
            self._set_timer(deadline)
        else:
            self._spawn(self._tick(self.table.decision))

    async def _tick(self, decision: int) -> None:
        match = self.table.match
        if match is not None and isinstance(match.awaiting, Window):
            # Every bot that was asked has its say, however busy the workers are.
            thoughts = [task for key, task in self._thoughts.items() if key[0] == decision]
            if thoughts:
                await asyncio.wait(thoughts)
        answers = {
            str(seat): move for (asked, seat), move in self._answers.items() if asked == decision
        }
        outcome = await self._put_quietly(inputs.Tick(answers))
        if outcome.refused is not None and outcome.refused.code == "nothing_due":
            self._arrange()

    async def _think(self, think: Think) -> None:
        key = (think.decision, think.seat)
        try:
            move = await self._thinkers.think(think.level, think.view)
            if think.purpose == "answer":
                self._answers[key] = move
                return
            wait = think.not_before - self._clock.now()
            if wait > 0:
                await asyncio.sleep(wait / 1000)
        finally:
            # Before the answer goes in: if it comes too late, the table may ask for the same
            # once more, and is not to be told that someone thinks about it already.
            self._thoughts.pop(key, None)
        await self._put_quietly(inputs.Thought(think.seat, think.decision, move))

    async def _put_quietly(self, message: Driver) -> Outcome:
        """Put in what nobody waits for; again and again while the store cannot write."""
        while True:
            outcome = await self.put(None, message)
            code = None if outcome.refused is None else outcome.refused.code
            if code not in _TRY_AGAIN:
                break
            await asyncio.sleep(self.retry_after)
        if code is not None and code not in _HARMLESS:
            _log.warning("the table refused its driver: %s", code)
        return outcome

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._is_done)
        return task

    def _is_done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a table's driver failed", exc_info=task.exception())

    def halt(self) -> None:
        """From now on no input is taken, no deadline passes and no bot thinks."""
        self.stopped = True
        self._stop_timer()
        for task in list(self._tasks):
            task.cancel()

    async def stop(self) -> None:
        """No more inputs; what is being written is finished."""
        self.halt()
        if self._worker is not None:
            await asyncio.wait((self._worker,))
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _has_hand(table: Table) -> bool:
    return table.match is not None and table.match.hand is not None


_HARMLESS = ("stale_decision", "nothing_due", "not_needed", "server_stopping", "table_closed")
_TRY_AGAIN = ("cannot_write", "try_again")
