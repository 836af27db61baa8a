"""List, open, join, play, watch, resume: everything a program needs of a server.

A `Seat` survives lost connections: it comes back with the last seq it has seen, and a move
that was on its way is sent again under the same id.
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

from .seeing import edition_from

__all__ = ["Client", "ClientError", "Seat"]

_T = TypeVar("_T")
_out = msgspec.json.Decoder(Out)
_FINAL = frozenset(code for code in CloseCode if code.is_final)
"""Close codes after which coming back is no use."""


class ClientError(Exception):
    """The server refused: its code and its sentence."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        self.status = status
        self.code = code
        super().__init__(sentence or code)


class Client:
    """One guest of one server."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.token = token
        # Idle connections are given up well before a server closes them: a request on one that
        # is just being closed would be lost.
        limits = httpx.Limits(keepalive_expiry=2)
        self._http = httpx.AsyncClient(base_url=self.url, timeout=30, limits=limits)

    async def __aenter__(self) -> Self:
        """Become a guest, unless a token was brought along."""
        if self.token is None:
            await self.become_guest()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go."""
        await self._http.aclose()

    async def become_guest(self) -> str:
        """Get a token; keep it to be the same guest again."""
        self.token = None
        told = await self._post("/api/guests", rest.NewGuest(), rest.GuestInfo)
        assert told.token is not None  # it is null only for browsers and whoever is a guest
        self.token = told.token
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

    async def bots(self) -> list[str]:
        """The levels of the bots there are."""
        return [bot.level for bot in await self._get("/api/bots", list[rest.BotInfo])]

    async def lobby(self, page: int = 1) -> list[rest.OpenTable]:
        """Open tables, the newest first; a page has a hundred."""
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
        """The record of a table, as far as this guest may know it."""
        return (await self._ask("GET", f"/api/tables/{table}/record")).text

    async def hand(self, table: str, number: int) -> list[messages_out.ReplayStep]:
        """One hand of that record, step by step; hands count from 1."""
        path = f"/api/tables/{table}/hands/{number}"
        return await self._get(path, list[messages_out.ReplayStep])

    async def open_table(self, name: str, **settings: Any) -> str:
        """Open a table and sit down; its id is the secret of its link.

        The settings are the fields of `NewTable`: `players=4, teams=False`, for example.
        """
        wanted = rest.NewTable(name, **settings)
        return (await self._post("/api/tables", wanted, rest.Created)).table

    async def edition(self, table: str) -> Edition:
        """The rules of a table, house rules included."""
        return edition_from(await self._get(f"/api/tables/{table}/edition", rest.EditionInfo))

    async def join(
        self, table: str, name: str, *, seat: int | None = None, watch: bool = False
    ) -> "Seat":
        """Come to a table, and follow it."""
        wanted = rest.JoinTable(name, seat, watch)
        place = self.seat(table)
        path = f"/api/tables/{table}/join"
        place.table = await self._post(path, wanted, messages_out.TableView)
        return place

    def seat(self, table: str, after: int | None = None) -> "Seat":
        """Follow a table this guest belongs to; `after` is the last seq seen."""
        return Seat(self, table, after)

    def _headers(self) -> dict[str, str]:
        # A bearer header marks a program: it needs no Origin, even before it has a token.
        return {"Authorization": f"Bearer {self.token or 'none'}"}

    def socket_url(self, table: str, after: int | None) -> str:
        """Where a table is followed."""
        scheme = "wss" if self.url.startswith("https") else "ws"
        rest = self.url.split("://", 1)[1]
        query = "" if after is None else f"?after={after}"
        return f"{scheme}://{rest}/api/tables/{table}/socket{query}"


class Seat:
    """A place at a table: messages in both directions, over as many connections as it takes."""

    def __init__(self, client: Client, table: str, after: int | None = None) -> None:
        self.id = table
        self.seq = after
        self.table: messages_out.TableView | None = None
        """The table as last seen."""
        self.reconnects = 0
        """Connections that took the place of a lost one."""
        self.set_backs = 0
        """How often the server came back with an older table than was seen: from a backup."""
        self.faults: list[tuple[int, Fault]] = []
        """What was wrong with shuffles whose hands have ended (MB-FAIR-1), by hand."""
        self._client = client
        self._is_over = False
        """Another connection has taken over, or the host has sent this guest away."""
        self._socket: ClientConnection | None = None
        self._opening = asyncio.Lock()
        self._after = after
        """The last seq seen when the connection was opened."""
        self._answer: messages_in.Move | messages_in.Next | None = None
        """The last answer to a decision, until the table has moved on: it is sent again on a
        new connection, for it may have been lost with the old one."""
        self._decision = 0
        """The last decision that was asked for; they only grow."""
        self._shuffles: dict[int, _Shuffle] = {}
        self._told: set[tuple[int, str]] = set()
        """Stages of a shuffle that this connection has taken part in."""

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
        """Close the connection. Whatever comes next opens another."""
        if self._socket is not None:
            await self._socket.close()

    async def _open(self) -> ClientConnection:
        """The connection; a new one if there is none, or the last was lost."""
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
                # Wait longer each time, and not all clients at once.
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
        self._told.clear()
        if self._answer is not None:
            await socket.send(msgspec.json.encode(self._answer).decode())
        return socket

    async def say(self, message: In) -> None:
        """Send a message; a lost connection is opened again."""
        if isinstance(message, messages_in.Move | messages_in.Next):
            self._answer = message
        data = msgspec.json.encode(message).decode()
        while True:
            before = self._socket
            socket = await self._open()
            if socket is not before and message is self._answer:
                return  # it went out as the connection was opened
            with contextlib.suppress(ConnectionClosed):
                await socket.send(data)
                return

    async def move(self, token: str) -> None:
        """Answer the decision of the table as last seen."""
        assert self.table is not None
        assert self.table.asked is not None
        id_ = secrets.token_urlsafe(9)
        await self.say(messages_in.Move(self.table.asked.decision, id_, token))

    async def messages(self) -> AsyncIterator[Out]:
        """Everything the table says, from the last seq on, whatever the network does.

        Ends when the table is closed, when the host has sent this guest away, when this
        device was signed out, or when another connection of the same guest has taken over.
        """
        read: ClientConnection | None = None
        while True:
            # A connection that was closed before anyone listened still has something to say.
            unread = self._socket is not None and self._socket is not read
            socket = self._socket if unread and self._socket else await self._open()
            await self._shuffle()  # what it said on the last connection may be lost
            with contextlib.suppress(ConnectionClosed):
                async for data in socket:
                    message = _out.decode(data)
                    if self._is_old(message):
                        continue
                    self._note(message)
                    # Before anyone else gets a say: the others at the table wait for it.
                    await self._shuffle()
                    yield message
            if self._is_over or socket.close_code in _FINAL:
                return
            read = socket

    def _is_old(self, message: Out) -> bool:
        """Heard already, on another connection?"""
        if self.seq is None or self.table is None or not isinstance(message, messages_out.Frame):
            return False
        return message.seq <= self.seq and not self._is_set_back(message)

    def _is_set_back(self, frame: messages_out.Frame) -> bool:
        """Does the server go on from an older table than was seen?

        Asked for what is newer than it knows, it tells what it knows; or it has gone on since,
        to the same seq by another way, and decisions are counted anew.
        """
        if self._after is not None and frame.seq <= self._after:
            return True
        is_new = self.seq is None or frame.seq > self.seq
        asked = frame.table.asked
        return is_new and asked is not None and asked.decision < self._decision

    def _note(self, message: Out) -> None:
        # Said before the connection closes, whatever code the network makes of that.
        self._is_over = self._is_over or isinstance(message, messages_out.Superseded)
        if isinstance(message, messages_out.Frame):
            self._is_over = self._is_over or message.table.sent_away
            if self._is_set_back(message):
                # What was said and promised since has never been.
                self.set_backs += 1
                self._after = self._answer = None
                self._shuffles.clear()
                self._told.clear()
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

        Not if the connection is lost: it may have more to tell that was heard before, and who
        waits for another one may wait long. On the next one it is done again.
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
        if fair.stage == "ready" or step in self._told:
            return
        self._told.add(step)
        published = fair.commits.get(str(own.seat))
        if fair.stage == "commit" and published is None:
            await self._say_here(messages_in.Commit(fair.hand, own.commit))
        elif fair.stage == "reveal" and published == own.commit:
            own.revealed = await self._say_here(messages_in.Reveal(fair.hand, own.entropy.hex()))

    async def _say_here(self, message: In) -> bool:
        """Send a message by this connection, or not at all; whether it was sent."""
        assert self._socket is not None
        with contextlib.suppress(ConnectionClosed):
            await self._socket.send(msgspec.json.encode(message).decode())
            return True
        return False

    def _check_shuffle(self, told: messages_out.FairRevealed) -> None:
        """Does the shuffle of a hand that has ended hold what was promised?"""
        own = self._shuffles.pop(told.hand, None)
        try:
            transcript = Transcript.from_json(told.transcript)
        except BadTranscript as error:
            self.faults.append((told.hand, error.fault))
            return
        faults = transcript.faults()
        if own is not None and (transcript.ctx, transcript.commit) != (own.ctx, own.server_commit):
            faults.append(Fault.of("other_shuffle"))
        elif own is not None and own.revealed:
            brought = (own.seat, own.commit, own.entropy)
            if brought not in transcript.clients:
                faults.append(Fault.of("own_part_missing"))
        self.faults += [(told.hand, fault) for fault in faults]


class _Shuffle:
    """One shuffle as this seat has taken part in it."""

    def __init__(self, ctx: str, server_commit: str, seat: int, entropy: bytes) -> None:
        self.ctx = ctx
        self.server_commit = server_commit
        self.seat = seat
        self.entropy = entropy
        self.commit = client_commit(ctx, seat, server_commit, entropy)
        self.revealed = False


def _refusal(status: int, body: bytes | bytearray | None) -> ClientError:
    """Why there is no connection to a table, by what the server said to that."""
    with contextlib.suppress(msgspec.MsgspecError, UnicodeError):
        told = msgspec.json.decode(body or b"", type=rest.ErrorBody)
        return ClientError(status, told.code, told.sentence)
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
    except (msgspec.MsgspecError, UnicodeError):  # something else than a server of ours
        raise ClientError(answer.status_code, "error", answer.text[:200]) from None
