"""The server's WebSockets, with a short way out.

By ASGI a message can only be sent by a coroutine, so that it can wait. Most need not: the
short way writes at once, without a task that must be woken for it.
"""

from collections.abc import Callable
from typing import Any, cast

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

__all__ = ["SendNow", "Sockets", "never", "send_now_of"]

SendNow = Callable[[bytes], bool]
"""Sends a text, given in UTF-8. False: not now; it has to go the long way."""
_EXTENSION = "millebornes.send_now"


def send_now_of(scope: Scope) -> SendNow:
    """The short way of a connection; where its server has none, it is never open."""
    extension = (scope.get("extensions") or {}).get(_EXTENSION, {})
    return cast("SendNow", extension.get("send_now", never))


def never(_: bytes) -> bool:
    """No short way."""
    return False


class Sockets(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn's that offers the short way as an extension of ASGI."""

    _is_due = False

    async def run_asgi(self) -> None:
        """Let the application know of it, and run."""
        extension: dict[Any, Any] = {"send_now": self.send_now}
        self.scope.setdefault("extensions", {})[_EXTENSION] = extension
        await super().run_asgi()

    def send_now(self, data: bytes) -> bool:
        """Send a text unless its reader is slow, or gone."""
        if self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(data)
        except InvalidState:
            return False
        if not self._is_due:
            self._is_due = True
            self.loop.call_soon(self._write)
        return True

    def _write(self) -> None:
        self._is_due = False
        self.transport.write(b"".join(self.conn.data_to_send()))
