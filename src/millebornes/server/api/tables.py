"""Tables: open one, look at it, join it, get its record."""

from collections.abc import Hashable

from starlette.requests import Request
from starlette.responses import Response

from millebornes.records import Game, cut_game
from millebornes.rules import EditionError, edition_named
from millebornes.server.admission import Admission, address_of
from millebornes.server.config import Config
from millebornes.server.entropy import Entropy
from millebornes.server.hub import Hub
from millebornes.server.requests import ApiError, as_json, body, words_of
from millebornes.server.room import Room
from millebornes.table import Settings, messages_in, messages_out, picture, with_teams
from millebornes.table.names import NAME_LENGTH
from millebornes.table.rest import Created, EditionInfo, JoinTable, NewTable

from .openapi import Operation
from .replays import Replays
from .rules import bad_rules, edition_info, read_rules

__all__ = ["Tables"]

_NOT_NOW = ("server_stopping", "cannot_write", "try_again")
"""Refusals caused by the state of the server."""


class Tables:
    """`/api/tables`."""

    def __init__(
        self,
        hub: Hub,
        entropy: Entropy,
        admission: Admission,
        config: Config,
        replays: Replays,
    ) -> None:
        self._hub = hub
        self._entropy = entropy
        self._admission = admission
        self._most_tables = config.max_tables
        self._most_for_guest = config.tables_per_guest
        self._most_for_address = config.tables_per_address
        self._replays = replays

    def operations(self) -> list[Operation]:
        """The operations of these paths."""
        return [
            Operation("POST", "/api/tables", self.post_table, Created, NewTable, 201),
            Operation("GET", "/api/tables/{table}", self.get_table, messages_out.TableView),
            Operation("GET", "/api/tables/{table}/edition", self.get_table_edition, EditionInfo),
            Operation(
                "POST",
                "/api/tables/{table}/join",
                self.post_join,
                messages_out.TableView,
                JoinTable,
            ),
            Operation("GET", "/api/tables/{table}/record", self.get_record, str),
            Operation(
                "GET",
                "/api/tables/{table}/hands/{hand}",
                self.get_hand,
                list[messages_out.ReplayStep],
            ),
        ]

    async def post_table(self, request: Request) -> Response:
        """Open a table."""
        guest = await self._admission.need_guest(request)
        wanted = await body(request, NewTable)
        # No await until the table is counted, or concurrent requests could exceed a limit.
        if not self._hub.is_ready:
            raise ApiError(503, "server_stopping")
        if self._hub.places_taken >= self._most_tables:
            raise ApiError(503, "server_full")
        address = address_of(request)
        if self._hub.table_counts.by_guest(guest) >= self._most_for_guest:
            raise ApiError(429, "too_many_tables", {"most": self._most_for_guest})
        if self._hub.table_counts.by_address(address) >= self._most_for_address:
            raise ApiError(429, "too_many_tables_here", {"most": self._most_for_address})
        if wanted.house_rules is not None:
            self._admission.count_house_rules(request, guest)
        try:
            settings = self._settings(wanted)
        except EditionError as error:
            raise bad_rules(error) from None
        self._admission.count_table(request)  # only requests that can succeed count
        try:
            room = await self._hub.open(settings, guest, wanted.name, address)
        except ValueError as error:  # the name is not allowed
            raise ApiError(400, str(error), {"most": NAME_LENGTH}) from None
        room.expect(guest)
        return as_json(Created(room.id), 201)

    def _settings(self, wanted: NewTable) -> Settings:
        if wanted.house_rules is not None:
            edition = read_rules(wanted.house_rules)
        else:
            edition = edition_named(wanted.edition or "winning-moves")
        if wanted.teams is not None:
            edition = with_teams(edition, wanted.players, wanted.teams)
        seed = wanted.seed
        if wanted.practice and seed is None:
            seed = self._entropy.hex(8)
        return Settings(
            edition=edition,
            players=wanted.players,
            short_trip=wanted.short_trip,
            is_open=wanted.is_open,
            clock=wanted.clock,
            window=wanted.window,
            bot_window=wanted.bot_window,
            pace=wanted.pace,
            practice=wanted.practice,
            seed=seed,
        )

    async def get_table(self, request: Request) -> Response:
        """Get the table as this guest may see it."""
        guest = await self._admission.guest_of(request)
        return as_json(picture(self._room(request).table, guest))

    async def get_table_edition(self, request: Request) -> Response:
        """Get the rules of a table, including house rules."""
        edition = self._room(request).table.settings.edition
        return as_json(edition_info(edition, words_of(request)))

    async def post_join(self, request: Request) -> Response:
        """Join a table by its id."""
        guest = await self._admission.need_guest(request)
        room = self._room(request)
        wanted = await body(request, JoinTable)
        self._admission.count_talk(guest, request)
        outcome = await room.put(guest, messages_in.Join(wanted.name, wanted.seat, wanted.watch))
        refused = outcome.refused
        if refused is not None and refused.code != "already_done":  # joining twice is no error
            status = 503 if refused.code in _NOT_NOW else 409
            raise ApiError(status, refused.code, refused.params, refused.reason)
        room.expect(guest)
        return as_json(picture(room.table, guest))

    async def get_record(self, request: Request) -> Response:
        """Get the record so far, as this guest may see it.

        While a match is being played, only members of the table may read it: the players must
        know who is watching.
        """
        return await self._replays.record(request, *await self._game(request))

    async def get_hand(self, request: Request) -> Response:
        """Get one hand of that record step by step, for clients that do not know the rules.

        Hands are counted from 1.
        """
        return await self._replays.hand(request, *await self._game(request))

    def _room(self, request: Request) -> Room:
        """The room of the table; the same 404 for every id that has none."""
        room = self._hub.find(request.path_params["table"])
        if room is None:
            raise ApiError(404, "not_found")
        return room

    async def _game(self, request: Request) -> tuple[str, Hashable, Game]:
        """The reader, the cache key, and the part of the match that the reader may see."""
        guest = await self._admission.guest_of(request)
        table = self._room(request).table
        member = None if guest is None else table.member_of(guest)
        if table.game is None or (member is None and table.phase == "playing"):
            raise ApiError(404, "not_found")
        seat = None if member is None else table.seat_of(member.number)
        game = cut_game(table.game, seat, table.match)
        reader = "everybody" if game is table.game else seat
        place = "table", request.path_params["table"], reader
        return guest or address_of(request), place, game
