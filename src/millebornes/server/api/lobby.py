"""The lobby: public tables that wait for players."""

from itertools import islice

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from millebornes.server.clock import Clock
from millebornes.server.hub import Hub
from millebornes.server.requests import ApiError, query, words_of
from millebornes.server.room import Room
from millebornes.table.rest import OpenTable
from millebornes.words import Words

from .openapi import Operation

__all__ = ["PAGE", "Lobby"]

PAGE = 100
"""Tables per page."""
_LIFE = 1000
"""Milliseconds for which the list is cached; all clients get the same one."""
_DIGITS = 6
_NONE = b"[]"


class Lobby:
    """`/api/lobby`."""

    def __init__(self, hub: Hub, clock: Clock) -> None:
        self._hub = hub
        self._clock = clock
        self._rooms: list[Room] = []
        self._made: int | None = None
        """When the cached list was made."""
        self._pages: dict[tuple[int, Words], bytes] = {}

    def operations(self) -> list[Operation]:
        """The operations of these paths."""
        page = (
            "page",
            f"Page of {PAGE} tables; defaults to 1, the newest. Pages after the last are empty.",
        )
        return [Operation("GET", "/api/lobby", self.get_lobby, list[OpenTable], query=(page,))]

    async def get_lobby(self, request: Request) -> Response:
        """List public tables that wait for players, newest first."""
        number = _page_number(query(request, "page"))
        headers = {"Vary": "Accept-Language"}
        content = self._page(number, words_of(request))
        return Response(content, headers=headers, media_type="application/json")

    def _page(self, number: int, spoken: Words) -> bytes:
        now = self._clock.now()
        if self._made is None or now - self._made >= _LIFE:
            self._rooms, self._made, self._pages = self._hub.open_tables(), now, {}
        page = self._pages.get((number, spoken))
        if page is None:
            start = (number - 1) * PAGE
            if start >= len(self._rooms):  # not cached: a client could ask for very many
                return _NONE
            rooms = islice(self._rooms, start, start + PAGE)
            page = msgspec.json.encode([_open_table(room, spoken) for room in rooms])
            self._pages[number, spoken] = page
        return page


def _page_number(text: str | None) -> int:
    if text is None:
        return 1
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS and int(text) > 0):
        raise ApiError(400, "bad_page")
    return int(text)


def _open_table(room: Room, spoken: Words) -> OpenTable:
    table = room.table
    edition = table.settings.edition
    return OpenTable(
        room.id,
        edition.id,
        spoken.house_name(edition.id, edition.name),
        table.settings.players,
        tuple(filter(None, (table.seat_name(seat) for seat in range(len(table.seats))))),
        table.seats.count(None),
        table.settings.clock,
    )
