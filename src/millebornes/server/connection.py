"""One WebSocket: reads messages, sends frames, and applies rate limits and backpressure."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.types import Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from millebornes.table import In, Outcome, Refused, messages_in, messages_out, picture
from millebornes.table.close_codes import CloseCode
from millebornes.words import Words

from .fast_path import FastPath, NoFastPath, never
from .limits import Allowance
from .metrics import Metrics
from .room import Room

__all__ = ["Connection"]

MAX_MESSAGE = 4096
"""Maximum bytes of a message from a client."""
_QUEUE = 128
_QUEUE_BYTES = 256 * 1024
"""Maximum messages, and their bytes, queued for a slow reader."""
_PATIENCE = 1.0
"""Seconds to wait for a client when a connection ends."""
_STUCK = 30.0
"""Seconds within which a reader must read something."""
_PLAY = (
    messages_in.Move,
    messages_in.Next,
    messages_in.Commit,
    messages_in.Reveal,
    messages_in.Start,
    messages_in.Rematch,
    messages_in.Hint,
    messages_in.Ping,
)
"""Messages that a match needs. Everything else is talk: it can be sent at any time, any number of
times, and stays in the log, so its rate limit is lower."""
_TALK_BYTES = 512
"""Bytes per token of the talk limit: a long text takes several."""
_NOT_ABOUT_THE_TABLE = ("too_many", "bad_message", "message_too_long", "cannot_write")
"""Refusals that have nothing to do with the table, so they do not include it."""
_decoder = msgspec.json.Decoder(In)
_encoder = msgspec.json.Encoder()
_log = logging.getLogger(__name__)


class Connection:
    """Follows one table for one guest."""

    def __init__(
        self,
        socket: WebSocket,
        send: Send,
        *,
        room: Room,
        guest: str,
        address: str,
        words: Words,
        metrics: Metrics,
        way: FastPath | None = None,
    ) -> None:
        self.guest = guest
        self._address = address
        self._socket = socket
        self._send = send  # frames bypass Starlette's WebSocket class
        self._room = room
        self._words = words
        self._metrics = metrics
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(_QUEUE)
        self._queued = 0
        """Bytes in the queue."""
        self._way = way or NoFastPath()
        self._is_written = False
        """Everything has been sent, and the queue is empty."""
        self._at_work = 0
        """Number of messages being processed."""
        self._hint: asyncio.Task[None] | None = None
        """The hint in progress; `_hint_for` is its decision."""
        self._hint_for = 0
        self._past: asyncio.Task[None] | None = None
        """The replay of what came before this connection."""
        self._has_begun = asyncio.Event()
        """The frames that the connection begins with have been sent."""
        self._end: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()

    def send(self, message: object) -> None:
        """Queue a message. A reader that is too slow is dropped, and may reconnect."""
        if self._end.done():
            return
        # Encode now: queued bytes take less memory than the objects they are made from.
        data = _encoder.encode(message)
        if self._is_written and self._way.send_now(data):
            return
        self._is_written = False
        if self._queue.full() or self._queued + len(data) > _QUEUE_BYTES:
            self._drop()
            return
        self._queue.put_nowait(data)
        self._queued += len(data)

    def _drop(self) -> None:
        self._metrics.add("connections_dropped_total")
        self.end(CloseCode.TOO_SLOW, "too slow")

    def end(self, code: int, why: str) -> None:
        """Close the connection after sending what is queued."""
        if not self._end.done():
            self._end.set_result((code, why))

    async def run(
        self,
        after: int | None,
        messages: Allowance,
        talk: Allowance,
        *,
        wants_past: bool = False,
    ) -> None:
        """Serve until either side closes."""
        self._take_over()
        newest = self._room.table.seq
        backlog = self._room.add(self, after, self._address)
        if wants_past:
            until = newest if after is None or after > newest else after
            self._past = asyncio.create_task(self._tell_past(until))
        self._messages = messages
        self._talk = talk
        self._way.take = self._take
        try:
            await self._serve(backlog)
        finally:
            self._way.take = never
            for task in (self._hint, self._past):
                if task is not None:
                    task.cancel()
            self._room.remove(self)

    def _take_over(self) -> None:
        """Make this the active connection of its guest, and close the older one."""
        for other in list(self._room.listeners):
            if other.guest == self.guest:
                other.send(messages_out.Superseded())
                other.end(CloseCode.SUPERSEDED, "superseded")

    async def _serve(self, backlog: AsyncIterator[messages_out.Frame]) -> None:
        reader = asyncio.create_task(self._read())
        writer = asyncio.create_task(self._write(backlog))
        try:
            await asyncio.wait((reader, writer, self._end), return_when=asyncio.FIRST_COMPLETED)
            if self._end.done() and not writer.done():
                await self._finish_writing(writer)
        finally:
            for task in (reader, writer):
                task.cancel()
            for failure in await asyncio.gather(reader, writer, return_exceptions=True):
                if isinstance(failure, Exception):
                    _log.error("a connection failed", exc_info=failure)
                    self.end(CloseCode.INTERNAL_ERROR, "")
        code, why = self._end.result() if self._end.done() else (1000, "")
        if self._socket.application_state is not WebSocketState.DISCONNECTED:
            try:
                async with asyncio.timeout(_PATIENCE):
                    await self._socket.close(code, why)
            except TimeoutError:
                # A client that does not read does not read the close frame either: do not wait.
                self._way.drop()
            except (RuntimeError, WebSocketDisconnect):
                pass

    async def _finish_writing(self, writer: "asyncio.Task[None]") -> None:
        """Send what is still queued, if the client reads it soon."""
        with contextlib.suppress(asyncio.QueueFull):
            self._queue.put_nowait(None)
            await asyncio.wait((writer,), timeout=_PATIENCE)

    async def _write(self, backlog: AsyncIterator[messages_out.Frame]) -> None:
        try:
            async for frame in backlog:
                await self._send_text(_encoder.encode(frame))
            self._has_begun.set()
            while (data := await self._next()) is not None:
                await self._send_text(data)
        except TimeoutError:
            self._drop()
        except (OSError, RuntimeError):  # disconnected, or being closed
            pass

    async def _next(self) -> bytes | None:
        self._is_written = self._queue.empty()
        data = await self._queue.get()
        self._queued -= len(data or b"")
        return data

    async def _send_text(self, data: bytes) -> None:
        async with asyncio.timeout(_STUCK):
            await self._send({"type": "websocket.send", "text": data.decode()})

    async def _read(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] != "websocket.receive":
                return
            if self._end.done():  # being closed: ignore further messages
                return
            if not self._is_within_limit():
                continue
            put = self._handle(_bytes_of(message))
            if put is not None:
                said, done = put
                self._at_work += 1
                self._answer(said, await done)
                self._at_work -= 1

    def _take(self, data: bytes) -> bool:
        """Handle a message from the fast path; False if it must wait in the queue."""
        if self._at_work or self._end.done():
            return False
        if self._is_within_limit():
            put = self._handle(data if len(data) <= MAX_MESSAGE else None)
            if put is not None:
                said, done = put
                self._at_work += 1
                done.add_done_callback(lambda done: self._taken(said, done))
        return True

    def _taken(self, said: In, done: "asyncio.Future[Outcome]") -> None:
        self._at_work -= 1
        failure = done.exception()
        if failure is None:
            self._answer(said, done.result())
        else:
            _log.error("a connection failed", exc_info=failure)
            self.end(CloseCode.INTERNAL_ERROR, "")

    def _is_within_limit(self) -> bool:
        """Check the rate limits: close if over the guest's, refuse if over the address's."""
        if self._messages.own.take():
            if self._messages.shared.take():
                return True
            self._refuse(Refused("too_many"))
        else:
            self.end(CloseCode.TOO_MANY, "too many messages")
        self._metrics.add("rate_limited_total")
        return False

    def _handle(self, data: bytes | None) -> "tuple[In, asyncio.Future[Outcome]] | None":
        """Start processing a message; None if it has already been answered."""
        if data is None:
            self._refuse(Refused("message_too_long", {"most": MAX_MESSAGE}))
            return None
        try:
            said: In = _decoder.decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self._metrics.add("messages_bad_total")
            detail = str(error) if isinstance(error, msgspec.MsgspecError) else "not JSON text"
            self._refuse(Refused("bad_message", {"detail": detail[:200]}))
            return None
        if not isinstance(said, _PLAY) and not self._talk.take(1 + len(data) // _TALK_BYTES):
            self._metrics.add("rate_limited_total")
            self._refuse(Refused("too_many"))
            return None
        if isinstance(said, messages_in.Ping):
            self.send(messages_out.Pong())
            return None
        if isinstance(said, messages_in.Hint):
            self._ask_for_hint(said.decision)
            return None
        return said, self._room.put(self.guest, said)

    async def _tell_past(self, until: int) -> None:
        """Send what the guest may know of the inputs up to `until`, without holding up frames."""
        try:
            past = await self._room.past(self.guest, until, self._address)
        except Exception:
            _log.exception("the past of a table could not be read")
            return
        await self._has_begun.wait()
        self.send(past)

    def _ask_for_hint(self, decision: int) -> None:
        """Start computing a hint in the background, one at a time."""
        if self._hint is not None and not self._hint.done():
            if decision != self._hint_for:  # otherwise that hint is already in progress
                self._refuse(Refused("too_many"))
            return
        self._hint_for = decision
        self._hint = asyncio.create_task(self._give_hint(decision))

    async def _give_hint(self, decision: int) -> None:
        try:
            hint = await self._room.hint(self.guest, decision)
        except Exception:
            _log.exception("a hint failed")
            hint = Refused("try_again")
        if isinstance(hint, Refused):
            self._refuse(hint)
        else:
            self.send(hint)

    def _answer(self, said: In, outcome: Outcome) -> None:
        if outcome.refused is None:
            self._metrics.add("inputs_accepted_total")
        else:
            self._metrics.add("inputs_refused_total")
            id_ = said.id if isinstance(said, messages_in.Move) else None
            self._refuse(outcome.refused, id_)

    def _refuse(self, refused: Refused, id_: str | None = None) -> None:
        """Answer a message that changed nothing."""
        table, words = self._room.table, self._words
        names = None
        if refused.reason is not None and table.match is not None:
            seats = [table.seat_name(seat) for seat in range(table.settings.players)]
            names = words.named(seats, table.match.sides)
        sentence = words.sentence(refused.reason or refused, names)
        is_about_it = refused.code not in _NOT_ABOUT_THE_TABLE
        seen = picture(table, self.guest) if is_about_it else None
        params = dict(refused.params)
        self.send(messages_out.Rejected(refused.code, sentence, params, id_, seen))


def _bytes_of(message: Any) -> bytes | None:
    """The message as bytes; None if it is too long."""
    text = message.get("text")
    data: bytes = message.get("bytes") or b""
    if text is not None:
        if len(text) > MAX_MESSAGE:  # a character takes at least one byte: no need to encode
            return None
        # A lone surrogate cannot be encoded; the JSON decoder reports it better.
        data = text.encode("utf-8", "surrogatepass")
    return data if len(data) <= MAX_MESSAGE else None
