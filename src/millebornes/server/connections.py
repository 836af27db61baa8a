"""The WebSocket endpoint: admits connections, counts them, and closes them on shutdown."""

import asyncio
import contextlib
import logging

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from millebornes.table import messages_out
from millebornes.table.close_codes import CloseCode

from .admission import Admission, address_of, token_hash
from .connection import Connection
from .fast_path import fast_path_of
from .headers import put_headers
from .hub import Hub
from .limits import Allowance
from .metrics import Metrics
from .requests import ApiError, query, words_of
from .store import StoreError

__all__ = ["Connections"]

_log = logging.getLogger(__name__)


class Connections:
    """The WebSocket endpoint, as an ASGI application without a wrapper."""

    def __init__(self, hub: Hub, admission: Admission, metrics: Metrics) -> None:
        self._hub = hub
        self._admission = admission
        self._metrics = metrics
        self._open: dict[Connection, str | None] = {}
        """Open connections, with the hash of the token each was opened with."""
        self._all_closed = asyncio.Event()
        """Set while there is no connection."""
        self._all_closed.set()
        self.ended = 0
        """Number of connections that have ended."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a WebSocket.

        `?after=` is the last seq that the client has seen; `?past=1` asks for what came before.
        """
        socket = WebSocket(scope, receive, send)
        with contextlib.ExitStack() as place:
            try:
                place.enter_context(self._admission.socket_place(socket))
                connection = await self._admit(socket, scope, send)
            except ApiError as error:
                await _deny(socket, error)
            except StoreError:
                _log.exception("the store failed")
                await _deny(socket, ApiError(503, "cannot_write"))
            else:
                await self._serve(socket, *connection)

    async def _admit(
        self, socket: WebSocket, scope: Scope, send: Send
    ) -> tuple[Connection, Allowance, Allowance]:
        """A connection for a member of the table, with its rate limits for messages and for talk.

        It is registered, so that it is notified when the server stops.
        """
        guest = await self._admission.guest_of(socket)
        # No await from here on: no connection may slip in after shutdown has begun.
        if not self._hub.is_ready:
            raise ApiError(503, "server_stopping")
        room = self._hub.find(socket.path_params["table"])
        if guest is not None and room is not None and guest in room.table.sent_away:
            raise ApiError(403, "sent_away")
        if guest is None or room is None or room.table.member_of(guest) is None:
            raise ApiError(404, "not_found")
        messages, talk = self._admission.allowances(guest, socket)
        connection = Connection(
            socket,
            send,
            room=room,
            guest=guest,
            address=address_of(socket),
            words=words_of(socket),
            metrics=self._metrics,
            way=fast_path_of(scope),
        )
        self._add(connection, token_hash(socket))
        return connection, messages, talk

    async def _serve(
        self, socket: WebSocket, connection: Connection, messages: Allowance, talk: Allowance
    ) -> None:
        try:
            await socket.accept()
            self._metrics.add("connections_opened_total")
            wants_past = query(socket, "past") == "1"
            await connection.run(_after(socket), messages, talk, wants_past=wants_past)
        finally:
            self._remove(connection)

    def _add(self, connection: Connection, token: str | None) -> None:
        self._open[connection] = token
        self._all_closed.clear()
        self._metrics.set("connections", len(self._open))

    def _remove(self, connection: Connection) -> None:
        self._open.pop(connection, None)
        self.ended += 1
        if not self._open:
            self._all_closed.set()
        self._metrics.set("connections", len(self._open))

    def sign_out(self, token: str) -> None:
        """Close the connections that were opened with a revoked token, given its hash."""
        for connection, its in list(self._open.items()):
            if its == token:
                connection.end(CloseCode.SIGNED_OUT, "signed out")

    async def say_stopping(self) -> None:
        """Notify every client that the server is restarting, and wait until all are closed."""
        for connection in list(self._open):
            connection.send(messages_out.Stopping())
            connection.end(CloseCode.RESTARTING, "the server restarts")
        await self._all_closed.wait()


def _after(socket: WebSocket) -> int | None:
    after = query(socket, "after")
    return int(after) if after and after.isdecimal() and len(after) < 10 else None


async def _deny(socket: WebSocket, error: ApiError) -> None:
    """Refuse a WebSocket before it opens, with an HTTP response."""
    response = error.answer(socket)
    put_headers(response.headers)
    await socket.send_denial_response(response)
