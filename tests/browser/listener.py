"""The frames that a page receives on its WebSocket: what it has to show."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error, Page, WebSocket
from playwright.sync_api import TimeoutError as TooLong

__all__ = ["Listener"]


class Listener:
    """Listens to the WebSockets of one page. Create it before the page opens a table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sockets: list[WebSocket] = []
        self.frames: list[dict[str, Any]] = []
        """Every frame, on any connection."""
        page.on("websocket", self._connected)

    @property
    def table(self) -> dict[str, Any]:
        """The newest picture of the table."""
        table: dict[str, Any] = self.frames[-1]["table"]
        return table

    @property
    def asked(self) -> dict[str, Any] | None:
        """The question that the table waits for."""
        asked: dict[str, Any] | None = self.table["asked"] if self.frames else None
        return asked

    @property
    def moves(self) -> list[str]:
        """What this seat may do now."""
        hand = self.table["hand"] if self.frames else None
        moves: list[str] = hand["legal_moves"] if hand is not None else []
        return moves

    @property
    def clear_moves(self) -> list[str]:
        """Those of the moves that the page makes without asking whether they are meant."""
        doubts = self.table["hand"]["doubts"]
        return [move for move in self.moves if move not in doubts]

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Everything of one kind that has happened."""
        every = [event for frame in self.frames for event in frame["events"]]
        return [event for event in every if event["type"] == kind]

    def until(self, is_so: Callable[[], bool]) -> None:
        """Listen until it is so."""
        while not is_so():
            self._listen()

    def until_new(self, decision: int) -> None:
        """Listen until the table waits for something else than this."""
        self.until(lambda: self.asked is None or self.asked["decision"] != decision)

    def _listen(self) -> None:
        if not self.sockets or self.sockets[-1].is_closed():
            self.page.wait_for_event("websocket")
            return
        try:
            self.sockets[-1].wait_for_event("framereceived")
        except TooLong:
            raise
        except Error:
            return  # it was cut: the page will open another

    def _connected(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framereceived", self._heard)

    def _heard(self, payload: str | bytes) -> None:
        message = json.loads(payload)
        if message["type"] == "frame":
            self.frames.append(message)
