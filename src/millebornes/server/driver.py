"""Drives one table: timers, bots, the server's part in shuffles, who is connected.

The table says what it needs; the driver feeds the results in as ordinary inputs.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Protocol

from millebornes.fair.protocol import SERVER_SEED_SIZE
from millebornes.rules.state import Window
from millebornes.table import Driver, Outcome, Table, Think, inputs

from .bot_workers import SIMPLEST
from .clock import Clock
from .entropy import Entropy
from .thinking import Thinking

__all__ = ["TRY_AGAIN", "Driven", "TableDriver"]

TRY_AGAIN = ("cannot_write", "try_again")
"""Refusals that do not concern the input itself, so that it is retried."""
_HARMLESS = ("stale_decision", "nothing_due", "not_needed", "server_stopping", "table_closed")
_log = logging.getLogger(__name__)


class Driven(Protocol):
    """The part of a room that its driver uses."""

    @property
    def table(self) -> Table:
        """The current table."""
        ...

    def put(self, guest: str | None, message: Driver) -> "asyncio.Future[Outcome]":
        """Submit one input."""
        ...

    def has_listener(self, guest: str) -> bool:
        """Does this guest have a connection?"""
        ...

    @property
    def is_watched(self) -> bool:
        """Does anybody have a connection?"""
        ...


class TableDriver:
    """The driver of one table."""

    retry_after = 1.0
    """Seconds until a failed write is retried."""
    connects_within = 5.0
    """Seconds that a guest who joined by REST has to open a connection before they count as gone.
    Most do so at once, and then the table need not know that they were away."""
    gone_after = 2.0
    """Seconds without a connection after which a guest counts as gone. A page reload is not worth
    an input, and a client that reconnects as fast as it can logs two rows in this time instead of
    eighty per second."""

    def __init__(self, room: Driven, thinking: Thinking, clock: Clock, entropy: Entropy) -> None:
        self._room = room
        self._thinking = thinking
        self._clock = clock
        self._entropy = entropy
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._thoughts: dict[tuple[int, int], asyncio.Task[Any]] = {}
        """Bots that are thinking, by decision and seat."""
        self._answers: dict[tuple[int, int], str] = {}
        """Bots' answers to an attack, held until its window closes, by decision and seat."""
        self._missing: dict[str, asyncio.Task[Any]] = {}
        """Guests without a connection who do not count as gone yet."""
        self._watched = asyncio.Event()
        """Set while anybody has a connection."""
        self._is_halted = False

    def arrange(self) -> None:
        """Set the timer, draw secrets and start bots for the current decision."""
        table = self._room.table
        if self._is_halted or table.phase == "closed":
            self._stop_timer()
            return
        seed = table.need_seed()
        if seed is not None:
            secret = self._entropy.hex(SERVER_SEED_SIZE)
            self._spawn(self._put(inputs.Seed(seed.hand, secret)))
        deadline = table.deadline
        if deadline is not None:
            self._set_timer(deadline)
        if self._answers:
            self._answers = {
                key: move for key, move in self._answers.items() if key[0] == table.decision
            }
        thinks = {(think.decision, think.seat): think for think in table.thinks()}
        for key in self._thoughts.keys() - thinks.keys():
            self._thoughts.pop(key).cancel()  # the table has moved on
        for key, think in thinks.items():
            if key not in self._thoughts and key not in self._answers:
                self._thoughts[key] = self._spawn(self._think(think))

    # Time

    def _set_timer(self, deadline: int) -> None:
        # One millisecond more, because the clock of the event loop may differ slightly.
        wait = max(0, deadline - self._clock.now() + 1) / 1000
        if self._timer is not None:
            if self._timer.when() <= self._loop.time() + wait:
                return  # most inputs only postpone the deadline: the timer is reset when it fires
            self._timer.cancel()
        self._timer = self._loop.call_later(wait, self._on_timer)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_timer(self) -> None:
        self._timer = None
        deadline = self._room.table.deadline
        if deadline is not None and self._clock.now() < deadline:
            self._set_timer(deadline)
        else:
            self._spawn(self._tick(self._room.table.decision))

    async def _tick(self, decision: int) -> None:
        match = self._room.table.match
        if match is not None and isinstance(match.awaiting, Window):
            # Wait for every bot that was asked, and for the one that replaces it if it fails.
            while thoughts := [task for key, task in self._thoughts.items() if key[0] == decision]:
                await asyncio.wait(thoughts)
        answers = {
            str(seat): move for (asked, seat), move in self._answers.items() if asked == decision
        }
        outcome = await self._put(inputs.Tick(answers))
        if outcome.refused is not None and outcome.refused.code == "nothing_due":
            self.arrange()

    # Bots

    async def _think(self, think: Think) -> None:
        key = (think.decision, think.seat)
        try:
            move = await self._thinking.move(think, self._watched)
            if move is None:
                await self._put(inputs.Replaced(think.seat, think.decision, SIMPLEST))
        finally:
            # Removed before the answer is submitted: if it comes too late, the table may ask for
            # the same move again, and `arrange` must start a new thought.
            if self._thoughts.get(key) is asyncio.current_task():
                del self._thoughts[key]
        if move is None:
            self.arrange()  # now the replacement thinks
        elif think.purpose == "answer":
            self._answers[key] = move
        else:
            await self._put(inputs.Thought(think.seat, think.decision, move))

    # Presence

    def note_presence(self, guest: str) -> None:
        """Tell the table whether a guest is connected; retried until it is written."""
        if self._is_halted:
            return
        if self._room.is_watched:
            self._watched.set()
        else:
            self._watched.clear()
        if not self._room.has_listener(guest):
            self._wait_for(guest, self.gone_after)
            return
        self._stop_waiting_for(guest)
        self._spawn(self._note_presence(guest))

    def note_presence_now(self, guest: str) -> None:
        """The same without a delay, after a restart, which closes every connection.

        Each reconnect is then an input, and so a frame for everyone. Without that, a client that
        has seen more than a restored backup contains would not notice the rollback.
        """
        self._spawn(self._note_presence(guest))

    def expect(self, guest: str) -> None:
        """A guest has joined by REST: they count as gone unless they connect soon."""
        self._wait_for(guest, self.connects_within)

    def _wait_for(self, guest: str, seconds: float) -> None:
        """Restart the wait: a guest who keeps reconnecting is not gone until they stay away."""
        self._stop_waiting_for(guest)
        self._missing[guest] = self._spawn(self._note_if_missing(guest, seconds))

    def _stop_waiting_for(self, guest: str) -> None:
        waiting = self._missing.pop(guest, None)
        if waiting is not None:
            waiting.cancel()

    async def _note_if_missing(self, guest: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        del self._missing[guest]  # past the point where it can be cancelled
        if not self._room.has_listener(guest):
            await self._note_presence(guest)

    async def _note_presence(self, guest: str) -> None:
        while True:
            is_here = self._room.has_listener(guest)
            message = inputs.Arrived(guest) if is_here else inputs.Gone(guest)
            outcome = await self._room.put(None, message)
            if outcome.refused is None or outcome.refused.code not in TRY_AGAIN:
                return
            await asyncio.sleep(self.retry_after)

    # Background tasks

    async def _put(self, message: Driver) -> Outcome:
        """Submit an input of the driver; retry while the store cannot write."""
        while True:
            outcome = await self._room.put(None, message)
            code = None if outcome.refused is None else outcome.refused.code
            if code not in TRY_AGAIN:
                break
            await asyncio.sleep(self.retry_after)
        if code is not None and code not in _HARMLESS:
            _log.warning("a table refused an input of its driver: %s", code)
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
        """Stop all timers and bots."""
        self._is_halted = True
        self._stop_timer()
        for task in list(self._tasks):
            task.cancel()

    async def stop(self) -> None:
        """Halt, and wait until every task has ended."""
        self.halt()
        await asyncio.gather(*self._tasks, return_exceptions=True)
