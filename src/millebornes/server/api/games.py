"""A guest's running games, and the records of finished ones."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from millebornes.server.admission import Admission
from millebornes.server.hub import Hub
from millebornes.server.log_replay import summary_of
from millebornes.server.requests import ApiError, as_json, words_of
from millebornes.server.store import FinishedGame, Store
from millebornes.table.messages_out import ReplayStep
from millebornes.table.rest import GameInfo, MyGames, TableInfo
from millebornes.words import Words

from .openapi import Operation
from .replays import Replays

__all__ = ["Games"]

_RECENT = 50
_RUNNING = 100
"""Maximum length of the lists. Nobody plays more, but anyone could join every open table."""


class Games:
    """`/api/games`."""

    def __init__(self, store: Store, hub: Hub, admission: Admission, replays: Replays) -> None:
        self._store = store
        self._hub = hub
        self._admission = admission
        self._replays = replays

    def operations(self) -> list[Operation]:
        """The operations of these paths."""
        return [
            Operation("GET", "/api/games", self.get_games, MyGames),
            Operation("GET", "/api/games/{game}", self.get_game, str),
            Operation(
                "GET", "/api/games/{game}/hands/{hand}", self.get_game_hand, list[ReplayStep]
            ),
        ]

    async def get_games(self, request: Request) -> Response:
        """List this guest's running and recent games."""
        guest = await self._admission.need_guest(request)
        spoken = words_of(request)
        # In this order, a match that ends meanwhile appears in at least one of the lists.
        running = await self._running(guest, spoken)
        recent = tuple(
            _game_info(finished, spoken) for finished in await self._store.games_of(guest, _RECENT)
        )
        return as_json(MyGames(running, recent))

    async def _running(self, guest: str, spoken: Words) -> tuple[TableInfo, ...]:
        running: list[TableInfo] = []
        for row in await self._store.tables_of(guest):
            room = self._hub.find(row.id)
            if room is None or room.table.phase == "closed":
                continue
            if room.table.member_of(guest) is None:  # replaced by a newcomer, or sent away
                continue
            if len(running) == _RUNNING:  # the newest come first
                break
            table = room.table
            names = tuple(table.seat_name(seat) for seat in range(len(table.seats)))
            players, edition = table.settings.players, table.settings.edition
            name = spoken.house_name(edition.id, edition.name)
            running.append(
                TableInfo(row.id, table.phase, edition.id, players, names, row.created, name)
            )
        return tuple(running)

    async def get_game(self, request: Request) -> Response:
        """Get the record of a finished game. Only its players can read it."""
        guest = await self._admission.need_guest(request)
        return PlainTextResponse(await self._record(request, guest))

    async def get_game_hand(self, request: Request) -> Response:
        """Get one hand of a finished game, step by step. Only its players can read it."""
        guest = await self._admission.need_guest(request)
        record = await self._record(request, guest)
        place = "game", request.path_params["game"]
        return await self._replays.hand(request, guest, place, record)

    async def _record(self, request: Request, guest: str) -> str:
        finished = await self._store.game(request.path_params["game"])
        if finished is None or guest not in finished.guests:
            raise ApiError(404, "not_found")
        return finished.record


def _game_info(finished: FinishedGame, spoken: Words) -> GameInfo:
    edition, names, totals, given = summary_of(finished)
    name = spoken.house_name(edition, given)
    return GameInfo(finished.id, finished.ended, edition, names, totals, name)
