"""The client: list, open and join tables; play, watch and resume.

A `Seat` survives lost connections: it reconnects with the last seq it has seen, and sends an
unanswered move again under the same id.
"""

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.protocol import State

from millebornes.fair.fault import BadTranscript, Fault
from millebornes.fair.protocol import ENTROPY_SIZE, Transcript, client_commit
from millebornes.rules import Edition
from millebornes.table import In, Out, messages_in, messages_out, rest
from millebornes.table.close_codes import CloseCode

from .views import edition_from

__all__ = ["Client", "ClientError", "Seat"]

_T = TypeVar("_T")
_out = msgspec.json.Decoder(Out)
_FINAL = frozenset(code for code in CloseCode if code.is_final)
"""Close codes after which the client must not reconnect."""


class ClientError(Exception):
    """The server refused a request: its code and sentence."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        self.status = status
        self.code = code
        super().__init__(sentence or code)


class Client:
    """One guest of one server."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.token = token
        # Drop idle connections well before the server closes them: a request on a connection
        # that is just being closed would be lost.
        limits = httpx.Limits(keepalive_expiry=2)
        self._http = httpx.AsyncClient(base_url=self.url, timeout=30, limits=limits)

    async def __aenter__(self) -> Self:
        """Become a guest, unless there is a token already."""
        if self.token is None:
            await self.become_guest()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the HTTP connections."""
        await self._http.aclose()

    async def become_guest(self) -> str:
        """Get a new token; keep it to remain the same guest."""
        self.token = None
        guest = await self._post("/api/guests", rest.NewGuest(), rest.GuestInfo)
        assert guest.token is not None  # it is null only for browsers and for existing guests
        self.token = guest.token
        return self.token

    async def _get(self, path: str, type_: type[_T]) -> _T:
        return _decoded(await self._ask("GET", path), type_)

    async def _post(self, path: str, body: msgspec.Struct, type_: type[_T]) -> _T:
        return _decoded(await self._ask("POST", path, msgspec.json.encode(body)), type_)

    async def _ask(self, method: str, path: str, body: bytes | None = None) -> httpx.Response:
        headers = self._headers()
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            answer = await self._http.request(method, path, content=body, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            problem = str(error) or type(error).__name__
            raise ClientError(0, "unreachable", f"{self.url}: {problem}") from None
        _check(answer)
        return answer

    async def editions(self) -> list[rest.EditionInfo]:
        """The printed editions."""
        return await self._get("/api/editions", list[rest.EditionInfo])

    async def presets(self) -> list[rest.PresetInfo]:
        """House rules that come with the server: `open_table` takes their names as `edition`."""
        return await self._get("/api/presets", list[rest.PresetInfo])

    async def bots(self) -> list[str]:
        """The levels of the available bots."""
        return [bot.level for bot in await self._get("/api/bots", list[rest.BotInfo])]

    async def lobby(self, page: int = 1) -> list[rest.OpenTable]:
        """Public tables, newest first, a hundred per page."""
        return await self._get(f"/api/lobby?page={page}", list[rest.OpenTable])

    async def games(self) -> rest.MyGames:
        """Running and recent games of this guest."""
        return await self._get("/api/games", rest.MyGames)

    async def game(self, game: str) -> str:
        """The record of a finished game of this guest, by its id in `games`."""
        return (await self._ask("GET", f"/api/games/{game}")).text

    async def look(self, table: str) -> messages_out.TableView:
        """A table as this guest may see it now, without following it."""
        return await self._get(f"/api/tables/{table}", messages_out.TableView)

    async def record(self, table: str) -> str:
        """The record of a table, as far as this guest may see it."""
        return (await self._ask("GET", f"/api/tables/{table}/record")).text

    async def hand(self, table: str, number: int) -> list[messages_out.ReplayStep]:
        """One hand of that record, step by step; hands count from 1."""
        path = f"/api/tables/{table}/hands/{number}"
        return await self._get(path, list[messages_out.ReplayStep])

    async def open_table(self, name: str, **settings: Any) -> str:
        """Open a table and sit down; returns its secret id.

        The settings are the fields of `NewTable`: `players=4, teams=False`, for example.
        """
        wanted = rest.NewTable(name, **settings)
        return (await self._post("/api/tables", wanted, rest.Created)).table

    async def edition(self, table: str) -> Edition:
        """The rules of a table, including house rules."""
        return edition_from(await self._get(f"/api/tables/{table}/edition", rest.EditionInfo))

    async def join(
        self, table: str, name: str, *, seat: int | None = None, watch: bool = False
    ) -> "Seat":
        """Join a table, and follow it."""
        wanted = rest.JoinTable(name, seat, watch)
        place = self.seat(table)
        path = f"/api/tables/{table}/join"
        place.table = await self._post(path, wanted, messages_out.TableView)
        return place

    def seat(self, table: str, after: int | None = None) -> "Seat":
        """Follow a table that this guest has joined; `after` is the last seq seen."""
        return Seat(self, table, after)

    def _headers(self) -> dict[str, str]:
        # The bearer header marks a program, which needs no Origin, even without a token yet.
        return {"Authorization": f"Bearer {self.token or 'none'}"}

    def socket_url(self, table: str, after: int | None) -> str:
        """The WebSocket URL of a table."""
        scheme = "wss" if self.url.startswith("https") else "ws"
        host = self.url.split("://", 1)[1]
        query = "" if after is None else f"?after={after}"
        return f"{scheme}://{host}/api/tables/{table}/socket{query}"


class Seat:
    """A guest's place at a table: sends and receives messages, and reconnects as needed."""

    def __init__(self, client: Client, table: str, after: int | None = None) -> None:
        self.id = table
        self.seq = after
        self.table: messages_out.TableView | None = None
        """The table as last seen."""
        self.reconnects = 0
        """Number of reconnects."""
        self.set_backs = 0
        """Number of times the server went back to an older table, from a backup."""
        self.faults: list[tuple[int, Fault]] = []
        """Faults found in the shuffles of finished hands (MB-FAIR-1), by hand."""
        self._client = client
        self._is_over = False
        """Another connection has taken over, or the host has sent this guest away."""
        self._socket: ClientConnection | None = None
        self._opening = asyncio.Lock()
        self._after = after
        """The last seq seen when the connection was opened."""
        self._answer: messages_in.Move | messages_in.Next | None = None
        """The last answer to a decision, until the table has moved on: a new connection sends it
        again, because the old one may have lost it."""
        self._decision = 0
        """The last decision asked for; the numbers only increase."""
        self._shuffles: dict[int, _Shuffle] = {}
        self._shuffle_steps: set[tuple[int, str]] = set()
        """Stages of shuffles that this connection has answered."""

    async def __aenter__(self) -> Self:
        """Connect."""
        await self._open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Disconnect; the seat is kept."""
        await self.disconnect()

    async def disconnect(self) -> None:
        """Close the connection. The next call opens another."""
        if self._socket is not None:
            await self._socket.close()

    async def _open(self) -> ClientConnection:
        """The open connection; a new one if there is none."""
        async with self._opening:
            socket = self._socket
            if socket is not None and socket.state is State.OPEN:
                return socket
            if socket is not None and (self._is_over or socket.close_code in _FINAL):
                code = socket.close_code or 0
                raise ClientError(code, "closed", socket.close_reason or "closed")
            waits = 0
            while True:
                with contextlib.suppress(OSError, InvalidHandshake, ConnectionClosed):
                    self._socket = await self._connect()
                    self.reconnects += socket is not None
                    return self._socket
                # Exponential backoff with jitter.
                waits = min(waits + 1, 6)
                await asyncio.sleep(0.05 * 2**waits * (0.5 + random.random()))  # noqa: S311

    async def _connect(self) -> ClientConnection:
        self._after = self.seq
        try:
            socket = await connect(
                self._client.socket_url(self.id, self._after),
                additional_headers={"Authorization": f"Bearer {self._client.token}"},
                compression=None,
                max_size=2**20,
            )
        except InvalidStatus as error:
            status = error.response.status_code
            if status in (401, 403, 404):
                raise _refusal(status, error.response.body) from None
            raise
        self._shuffle_steps.clear()
        if self._answer is not None:
            await socket.send(msgspec.json.encode(self._answer).decode())
        return socket

    async def say(self, message: In) -> None:
        """Send a message, reconnecting if necessary."""
        if isinstance(message, messages_in.Move | messages_in.Next):
            self._answer = message
        data = msgspec.json.encode(message).decode()
        while True:
            before = self._socket
            socket = await self._open()
            if socket is not before and message is self._answer:
                return  # sent when the connection was opened
            with contextlib.suppress(ConnectionClosed):
                await socket.send(data)
                return

    async def move(self, token: str) -> None:
        """Answer the last decision seen with this move."""
        assert self.table is not None
        assert self.table.asked is not None
        id_ = secrets.token_urlsafe(9)
        await self.say(messages_in.Move(self.table.asked.decision, id_, token))

    async def messages(self) -> AsyncIterator[Out]:
        """All messages from the server, from the last seq on, across reconnects.

        Ends when the table is closed, when the host sends this guest away, when this device is
        signed out, or when another connection of the same guest takes over.
        """
        read: ClientConnection | None = None
        while True:
            # A connection that closed before it was read may still have buffered messages.
            unread = self._socket is not None and self._socket is not read
            socket = self._socket if unread and self._socket else await self._open()
            await self._shuffle()  # messages on the last connection may be lost
            with contextlib.suppress(ConnectionClosed):
                async for data in socket:
                    message = _out.decode(data)
                    if self._is_old(message):
                        continue
                    self._note(message)
                    # Before yielding: the other seats wait for it.
                    await self._shuffle()
                    yield message
            if self._is_over or socket.close_code in _FINAL:
                return
            read = socket

    def _is_old(self, message: Out) -> bool:
        """Was this message already received on another connection?"""
        if self.seq is None or self.table is None or not isinstance(message, messages_out.Frame):
            return False
        return message.seq <= self.seq and not self._is_set_back(message)

    def _is_set_back(self, frame: messages_out.Frame) -> bool:
        """Has the server gone back to an older table than was seen, from a backup?

        Asked for frames after a seq it does not know, it sends its current table. Or it has
        gone on since, with other inputs under the same seqs, and with lower decision numbers.
        """
        if self._after is not None and frame.seq <= self._after:
            return True
        is_new = self.seq is None or frame.seq > self.seq
        asked = frame.table.asked
        return is_new and asked is not None and asked.decision < self._decision

    def _note(self, message: Out) -> None:
        # Sent before the connection closes; the close code may get lost on the way.
        self._is_over = self._is_over or isinstance(message, messages_out.Superseded)
        if isinstance(message, messages_out.Frame):
            self._is_over = self._is_over or message.table.sent_away
            if self._is_set_back(message):
                # Forget answers and commitments that the server does not know any more.
                self.set_backs += 1
                self._after = self._answer = None
                self._shuffles.clear()
                self._shuffle_steps.clear()
            self.seq = message.seq
            self.table = message.table
            asked = message.table.asked
            self._decision = 0 if asked is None else asked.decision
            if self._answer is not None and asked and asked.decision != self._answer.decision:
                self._answer = None
            for event in message.events:
                if isinstance(event, messages_out.FairRevealed):
                    self._check_shuffle(event)
        elif isinstance(message, messages_out.Rejected):
            if isinstance(self._answer, messages_in.Move) and self._answer.id == message.id:
                self._answer = None
            if message.table is not None:
                self.table = message.table

    # The shuffle (MB-FAIR-1)

    async def _shuffle(self) -> None:
        """Take part in the shuffle of the next hand.

        Does not reconnect if the connection is lost: it may have buffered messages to read, and
        reconnecting may take long. The next connection does it again.
        """
        table = self.table
        if table is None or table.fair is None or table.you is None:
            return
        fair = table.fair
        if fair.hand not in self._shuffles:
            entropy = secrets.token_bytes(ENTROPY_SIZE)
            self._shuffles[fair.hand] = _Shuffle(fair.ctx, fair.commit, table.you, entropy)
        own = self._shuffles[fair.hand]
        step = (fair.hand, fair.stage)
        if fair.stage == "ready" or step in self._shuffle_steps:
            return
        self._shuffle_steps.add(step)
        published = fair.commits.get(str(own.seat))
        if fair.stage == "commit" and published is None:
            await self._send_here(messages_in.Commit(fair.hand, own.commit))
        elif fair.stage == "reveal" and published == own.commit:
            own.revealed = await self._send_here(messages_in.Reveal(fair.hand, own.entropy.hex()))

    async def _send_here(self, message: In) -> bool:
        """Send a message on this connection only; return whether it was sent."""
        assert self._socket is not None
        with contextlib.suppress(ConnectionClosed):
            await self._socket.send(msgspec.json.encode(message).decode())
            return True
        return False

    def _check_shuffle(self, revealed: messages_out.FairRevealed) -> None:
        """Check the shuffle of a finished hand against what was committed."""
        own = self._shuffles.pop(revealed.hand, None)
        try:
            transcript = Transcript.from_json(revealed.transcript)
        except BadTranscript as error:
            self.faults.append((revealed.hand, error.fault))
            return
        faults = transcript.faults()
        if own is not None and (transcript.ctx, transcript.commit) != (own.ctx, own.server_commit):
            faults.append(Fault.of("other_shuffle"))
        elif own is not None and own.revealed:
            part = (own.seat, own.commit, own.entropy)
            if part not in transcript.clients:
                faults.append(Fault.of("own_part_missing"))
        self.faults += [(revealed.hand, fault) for fault in faults]


class _Shuffle:
    """This seat's part in one shuffle."""

    def __init__(self, ctx: str, server_commit: str, seat: int, entropy: bytes) -> None:
        self.ctx = ctx
        self.server_commit = server_commit
        self.seat = seat
        self.entropy = entropy
        self.commit = client_commit(ctx, seat, server_commit, entropy)
        self.revealed = False


def _refusal(status: int, body: bytes | bytearray | None) -> ClientError:
    """The error of a refused WebSocket, from the body of the response."""
    with contextlib.suppress(msgspec.MsgspecError, UnicodeError):
        error = msgspec.json.decode(body or b"", type=rest.ErrorBody)
        return ClientError(status, error.code, error.sentence)
    return ClientError(status, "not_found", "there is no such table")


def _check(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    try:
        body = answer.json()
        raise ClientError(answer.status_code, str(body["code"]), str(body["sentence"]))
    except (ValueError, KeyError, TypeError):
        raise ClientError(answer.status_code, "error", answer.text[:200]) from None


def _decoded(answer: httpx.Response, type_: type[_T]) -> _T:
    try:
        return msgspec.json.decode(answer.content, type=type_)
    except (msgspec.MsgspecError, UnicodeError):  # not a server of ours
        raise ClientError(answer.status_code, "error", answer.text[:200]) from None
