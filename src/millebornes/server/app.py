"""The ASGI application: REST, WebSocket, health, metrics, and the web client's files."""

import asyncio
import contextlib
import gzip
import logging
import secrets
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from millebornes.bots import BOTS
from millebornes.records import Game, RecordError, cut_game
from millebornes.records import game as game_text
from millebornes.rules import EDITIONS, Edition, EditionError, edition_named, house_rules
from millebornes.rules.edition import rule_fields
from millebornes.table import Settings, messages_in, messages_out, picture, with_teams
from millebornes.table import rest as api
from millebornes.table.names import NAME_LENGTH
from millebornes.table.replays import steps
from millebornes.words import Words, languages, words

from .clock import Clock, SystemClock
from .config import Config
from .connection import RESTARTS, Connection, refusal
from .hub import Hub
from .lock import Lock
from .metrics import Metrics
from .openapi import Operation, document
from .pages import Pages, accepted, read_pages
from .room import Room, Thinkers, summary_of
from .security import (
    Buckets,
    SecurityHeaders,
    address_key,
    hash_token,
    is_origin_allowed,
    new_token,
    preferred_language,
    put_headers,
)
from .sockets import short_way_of
from .sqlite import SqliteStore
from .store import Store, StoreError
from .thinking import ProcessThinkers

__all__ = ["Server", "create_app"]

COOKIE = "millebornes_guest"
_COOKIE_AGE = 400 * 24 * 3600
_LINK_LIFE = 10 * 60 * 1000
_BODY = 16 * 1024
_RECENT = 50
_STRIDE = 16
"""Steps of a replay made at once before others get their turn."""
_DAY = 24 * 3600 * 1000
_HOUSEKEEPING = 600.0
"""Seconds between looks at whether something old is to be forgotten."""
_FAREWELL = 3.0
"""Seconds that clients get to hear that the server stops."""
_LAST_WRITES = 1.0
"""Seconds of these for what is being written: clients hear of it if the disk is not slow."""
_NOT_NOW = ("server_stopping", "cannot_write", "try_again")
"""Refusals that are the server's own trouble."""
_LANGUAGES = languages()
_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class ApiError(Exception):
    """An answer that is not a success."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(code)
        self.status = status
        self.body = api.ErrorBody(code, sentence)


class Server:
    """Everything one server process holds."""

    def __init__(
        self,
        config: Config,
        *,
        store: Store | None = None,
        thinkers: Thinkers | None = None,
        clock: Clock | None = None,
        pages: Pages | None = None,
        lock: Lock | None = None,
    ) -> None:
        self.config = config
        self._lock = lock
        """What keeps other servers away from the database."""
        self.pages = pages or read_pages()
        self.clock = clock or SystemClock()
        self.store = store or SqliteStore(config.database)
        self.thinkers = thinkers or ProcessThinkers(config.bot_workers or None)
        self.metrics = Metrics()
        self.hub = Hub(self.store, self.thinkers, self.clock)
        self.ready = False
        self._is_back = False
        self._links: dict[str, tuple[str, int]] = {}
        requests, messages = config.requests_per_second, config.messages_per_second
        guests = config.guests_per_minute
        self._requests = Buckets(self.clock, burst=3 * requests, per_second=requests)
        self._guests = Buckets(self.clock, burst=guests, per_second=guests / 60)
        self._messages = Buckets(self.clock, burst=3 * messages, per_second=messages)
        talk = config.talk_per_second
        self._talk = Buckets(self.clock, burst=5 * talk, per_second=talk)
        self._sockets: dict[str, int] = {}
        self._connections: set[Connection] = set()
        self.ended_connections = 0
        self._nobody = asyncio.Event()
        """Set while there is no connection."""
        self._nobody.set()
        self._forgotten_at: int | None = None

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Bring tables back, serve, then tell everybody and stop."""
        await self.bring_back()
        await self.forget_old()
        keeping = asyncio.create_task(self._keep_house())
        self.ready = True
        _log.info("ready: %d tables", len(self.hub))
        if not self.pages.are_built:
            _log.warning("browsers find no game here. %s", words().refusal("no_pages"))
        try:
            yield
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
            await self.stop()

    async def bring_back(self) -> None:
        """Load the tables of earlier, once. `StoreError` if they cannot be read."""
        if not self._is_back:
            await self.hub.bring_back()
            self._is_back = True

    async def forget_old(self) -> None:
        """Delete what is older than the operator keeps: at the start, and once a day."""
        now = self.clock.now()
        due = self._forgotten_at is None or now >= self._forgotten_at + _DAY
        if not self.config.retention_days or not due:
            return
        try:
            gone = await self.store.forget(now - self.config.retention_days * _DAY)
        except StoreError:
            _log.exception("old games could not be deleted; trying again later")
            return
        self._forgotten_at = now
        _log.info("retention: %d old tables and games deleted", gone)

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(_HOUSEKEEPING)
            await self.forget_old()

    async def say_stopping(self) -> None:
        """Tell every client that the server stops, and to come back; wait until they know.

        The tables stand still before that: nobody loses time to a server that is going away.
        """
        self.ready = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WRITES):
                await self.hub.stop()
        for connection in list(self._connections):
            connection.hear(messages_out.Stopping())
            connection.end(RESTARTS, "the server restarts")
        await self._nobody.wait()

    async def say_goodbye(self) -> None:
        """The same, but do not wait for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL):
                await self.say_stopping()

    async def stop(self) -> None:
        """Clients are told; what was accepted is durable."""
        await self.say_goodbye()
        await self.hub.stop()  # a slow disk may have taken longer
        await self.thinkers.close()
        await self.store.close()
        if self._lock is not None:
            self._lock.close()

    # Requests

    def address(self, connection: HTTPConnection) -> str:
        """Where a request comes from, as limits count it."""
        return address_key(connection.client.host) if connection.client else "unknown"

    def token_of(self, connection: HTTPConnection) -> tuple[str | None, bool]:
        """A guest's token, and whether it came as a bearer token."""
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and token:
            return token.strip(), True
        return connection.cookies.get(COOKIE), False

    def guest_of(self, connection: HTTPConnection) -> str | None:
        """The guest who asks."""
        token, _ = self.token_of(connection)
        return None if not token else self.store.guest_of(hash_token(token))

    def need_guest(self, request: Request) -> str:
        """The guest who asks; an error if there is none."""
        guest = self.guest_of(request)
        if guest is None:
            raise self.error(request, 401, "no_guest")
        return guest

    def words_of(self, connection: HTTPConnection) -> Words:
        """The language of a request."""
        asked = connection.query_params.get("lang")
        if asked in _LANGUAGES:
            return words(asked)
        header = connection.headers.get("accept-language", "")
        return words(preferred_language(header, _LANGUAGES) or _LANGUAGES[0])

    def error(self, request: HTTPConnection, status: int, code: str, **params: Any) -> ApiError:
        """An answer with a sentence in the language of the request."""
        return ApiError(status, code, self.words_of(request).refusal(code, params))

    def room(self, request: HTTPConnection) -> Room:
        """The table an id opens; the same answer for every id that opens none."""
        room = self.hub.find(request.path_params["table"])
        if room is None:
            raise self.error(request, 404, "not_found")
        return room

    async def body(self, request: Request, type_: type[_T]) -> _T:
        """The request's body, checked."""
        data = b""
        async for chunk in request.stream():
            data += chunk
            if len(data) > _BODY:
                raise self.error(request, 413, "message_too_long", most=_BODY)
        try:
            return msgspec.json.decode(data or b"{}", type=type_)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise self.error(request, 400, "bad_message", detail=str(error)[:200]) from None

    def guarded(
        self, handler: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Limits, origins and errors for every request."""

        async def answer(request: Request) -> Response:
            try:
                if not self._requests.take(self.address(request)):
                    self.metrics.add("rate_limited_total")
                    raise self.error(request, 429, "too_many")
                if not self.is_welcome(request, request.method in ("GET", "HEAD")):
                    raise self.error(request, 403, "foreign_origin")
                return await handler(request)
            except ApiError as error:
                return _json(error.body, error.status)
            except StoreError:
                _log.exception("the store failed")
                return _json(self.error(request, 503, "cannot_write").body, 503)

        return answer

    def is_welcome(self, connection: HTTPConnection, reads_only: bool = False) -> bool:
        """Does it come from a page that may talk to us, or from a program?"""
        _, bearer = self.token_of(connection)
        return is_origin_allowed(
            connection.headers, connection.url.scheme, self.config.origins, bearer or reads_only
        )

    async def no_route(self, request: Request, error: Exception) -> Response:
        """An address that leads nowhere, or not by this method: the same form as any error."""
        assert isinstance(error, HTTPException)
        is_page = "text/html" in request.headers.get("accept", "")
        if error.status_code == 404 and is_page and not request.url.path.startswith("/api/"):
            return await self.get_page(request, 404)
        code = "not_found" if error.status_code == 404 else "not_here"
        response = _json(self.error(request, error.status_code, code).body, error.status_code)
        response.headers.update(error.headers or {})
        return response

    async def failed(self, request: Request, _error: Exception) -> Response:
        """A fault of ours. The framework logs it, and answers outside of everything else."""
        response = _json(self.error(request, 500, "server_failed").body, 500)
        put_headers(response.headers)
        return response

    # Guests

    async def post_guest(self, request: Request) -> Response:
        """Become a guest: a token for programs, a cookie for browsers."""
        await self.body(request, api.NewGuest)
        if self.guest_of(request) is not None:
            return _json(api.GuestInfo(None))
        if not self._guests.take(self.address(request)):
            self.metrics.add("rate_limited_total")
            raise self.error(request, 429, "too_many")
        token = new_token()
        await self.store.add_guest(secrets.token_hex(16), hash_token(token), self.clock.now())
        return self.with_cookie(request, _json(api.GuestInfo(token), 201), token)

    def with_cookie(self, request: Request, response: Response, token: str) -> Response:
        """Let a browser keep the token where no script can read it."""
        response.set_cookie(
            COOKIE,
            token,
            max_age=_COOKIE_AGE,
            path="/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return response

    async def post_link(self, request: Request) -> Response:
        """A code that lets another device be the same guest."""
        guest = self.need_guest(request)
        now = self.clock.now()
        # One code for each guest, so that nobody can fill the memory with them.
        self._links = {
            code: link for code, link in self._links.items() if link[1] > now and link[0] != guest
        }
        code = secrets.token_urlsafe(16)
        self._links[code] = (guest, now + _LINK_LIFE)
        return _json(api.LinkCode(code), 201)

    async def post_claim(self, request: Request) -> Response:
        """Use such a code."""
        code = (await self.body(request, api.LinkCode)).code
        guest, until = self._links.pop(code, ("", 0))
        if until <= self.clock.now():
            raise self.error(request, 404, "not_found")
        token = new_token()
        await self.store.add_token(guest, hash_token(token), self.clock.now())
        return self.with_cookie(request, _json(api.GuestInfo(token), 201), token)

    # Rules and bots

    async def get_editions(self, request: Request) -> Response:
        """The printed editions."""
        spoken = self.words_of(request)
        return _packed(request, [_edition_info(edition, spoken) for edition in EDITIONS.values()])

    async def get_edition(self, request: Request) -> Response:
        """One printed edition."""
        edition = EDITIONS.get(request.path_params["edition"])
        if edition is None:
            raise self.error(request, 404, "not_found")
        return _json(_edition_info(edition, self.words_of(request)))

    async def post_house_rules(self, request: Request) -> Response:
        """Are these house rules sound? The whole edition if they are."""
        toml = (await self.body(request, api.HouseRules)).toml
        return _json(_edition_info(self.read_rules(request, toml), self.words_of(request)))

    def read_rules(self, request: Request, toml: str) -> Edition:
        """House rules; an error that names what is wrong."""
        try:
            return house_rules(toml)
        except (EditionError, tomllib.TOMLDecodeError) as error:
            raise self.error(request, 400, "bad_rules", detail=str(error)[:500]) from None

    async def get_bots(self, _request: Request) -> Response:
        """The bots there are."""
        return _json([api.BotInfo(level) for level in BOTS])

    # Tables

    async def get_lobby(self, _request: Request) -> Response:
        """Open tables that wait for players."""
        found = []
        for room in self.hub.open_tables():
            table = room.table
            names = tuple(filter(None, (table.seat_name(s) for s in range(len(table.seats)))))
            edition = table.settings.edition
            found.append(
                api.OpenTable(
                    room.id,
                    edition.id,
                    edition.name,
                    table.settings.players,
                    names,
                    table.seats.count(None),
                    table.settings.clock,
                )
            )
        return _json(found)

    async def post_table(self, request: Request) -> Response:
        """Open a table."""
        guest = self.need_guest(request)
        wanted = await self.body(request, api.NewTable)
        if not self.ready:
            raise self.error(request, 503, "server_stopping")
        if len(self.hub) >= self.config.max_tables:
            raise self.error(request, 503, "server_full")
        most = self.config.tables_per_guest
        if self.hub.opened_by(guest) >= most:
            raise self.error(request, 429, "too_many_tables", most=most)
        try:
            settings = self.settings_from(request, wanted)
        except EditionError as error:
            raise self.error(request, 400, "bad_rules", detail=str(error)[:500]) from None
        try:
            room = await self.hub.open(settings, guest, wanted.name)
        except ValueError:
            raise self.error(request, 400, "bad_name", most=NAME_LENGTH) from None
        room.expect(guest)
        return _json(api.Created(room.id), 201)

    def settings_from(self, request: Request, wanted: api.NewTable) -> Settings:
        """The settings of a new table."""
        if wanted.house_rules is not None:
            edition = self.read_rules(request, wanted.house_rules)
        else:
            edition = edition_named(wanted.edition or "winning-moves")
        if wanted.teams is not None:
            edition = with_teams(edition, wanted.players, wanted.teams)
        seed = wanted.seed
        if wanted.practice and seed is None:
            seed = secrets.token_hex(8)
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
        """The table as this guest may see it."""
        room = self.room(request)
        return _json(picture(room.table, self.guest_of(request)))

    async def get_table_edition(self, request: Request) -> Response:
        """The rules of a table, house rules included."""
        edition = self.room(request).table.settings.edition
        return _json(_edition_info(edition, self.words_of(request)))

    async def post_join(self, request: Request) -> Response:
        """Come to a table by its link."""
        guest = self.need_guest(request)
        room = self.room(request)
        wanted = await self.body(request, api.JoinTable)
        join = messages_in.Join(wanted.name, wanted.seat, wanted.watch)
        outcome = await room.put(guest, join)
        if outcome.refused is not None:
            rejected = refusal(outcome.refused, self.words_of(request), None, guest)
            status = 503 if rejected.code in _NOT_NOW else 409
            raise ApiError(status, rejected.code, rejected.sentence)
        room.expect(guest)
        return _json(picture(room.table, guest))

    async def get_record(self, request: Request) -> Response:
        """The record so far, as this guest may know it.

        A match that is being played is for those who have joined: they are told who watches.
        """
        return PlainTextResponse(game_text.to_text(self.game_at(request)))

    async def get_hand(self, request: Request) -> Response:
        """One hand of that record, from 1 on, step by step, for clients that know no rules."""
        return await self.steps(request, self.game_at(request))

    def game_at(self, request: Request) -> Game:
        """What of a table's match whoever asks may know."""
        table = self.room(request).table
        guest = self.guest_of(request)
        member = None if guest is None else table.member_of(guest)
        if table.game is None or (member is None and table.phase == "playing"):
            raise self.error(request, 404, "not_found")
        return cut_game(table.game, None if member is None else table.seat_of(member.number))

    async def steps(self, request: Request, game: Game) -> Response:
        """The steps of the hand that is asked for."""
        told: list[messages_out.ReplayStep] = []
        try:
            for count, step in enumerate(steps(game)):
                hand = step.table.hand
                if hand is not None and str(hand.number) == request.path_params["hand"]:
                    told.append(step)
                if count % _STRIDE == 0:
                    await asyncio.sleep(0)  # a long match must not hold up any table
        except RecordError:
            raise self.error(request, 409, "no_replay") from None
        if not told:
            raise self.error(request, 404, "not_found")
        return _json(told)

    async def get_games(self, request: Request) -> Response:
        """This guest's running and recent games."""
        guest = self.need_guest(request)
        running = []
        for row in self.store.tables_of(guest):
            room = self.hub.find(row.id)
            if room is not None and room.table.phase != "closed":
                table = room.table
                names = tuple(table.seat_name(s) for s in range(len(table.seats)))
                edition = table.settings.edition.id
                running.append(
                    api.TableInfo(
                        row.id, table.phase, edition, table.settings.players, names, row.created
                    )
                )
        recent = tuple(
            api.GameInfo(finished.id, finished.ended, *summary_of(finished))
            for finished in self.store.games_of(guest, _RECENT)
        )
        return _json(api.MyGames(tuple(running), recent))

    async def get_game(self, request: Request) -> Response:
        """The record of a finished game, for those who played it."""
        return PlainTextResponse(self.finished(request))

    async def get_game_hand(self, request: Request) -> Response:
        """One hand of a finished game, step by step, for those who played it."""
        record = self.finished(request)
        try:
            game = game_text.from_text(record)
        except RecordError:
            raise self.error(request, 409, "no_replay") from None
        return await self.steps(request, game)

    def finished(self, request: Request) -> str:
        """The record of the finished game that is asked for."""
        guest = self.need_guest(request)
        finished = self.store.game(request.path_params["game"])
        if finished is None or guest not in finished.guests:
            raise self.error(request, 404, "not_found")
        return finished.record

    # The web client

    async def get_page(self, request: Request, status: int = 200) -> Response:
        """The page that is the client, wherever in it the address leads."""
        if not self.pages.are_built:
            return PlainTextResponse(self.words_of(request).refusal("no_pages"), 503)
        return self.pages.index(request, status)

    async def get_file(self, request: Request) -> Response:
        """A file that the page needs. All of them are known by name from the start."""
        return self.pages.file(request, request.url.path[1:])

    # The operator

    async def get_health(self, _request: Request) -> Response:
        """The process answers."""
        return _json(api.Health())

    async def get_ready(self, _request: Request) -> Response:
        """Tables are loaded and can be played."""
        return _json(api.Status("ready" if self.ready else "starting"), 200 if self.ready else 503)

    async def get_metrics(self, _request: Request) -> Response:
        """Counts for Prometheus."""
        self.metrics.set("tables", len(self.hub))
        self.metrics.set("connections", len(self._connections))
        return PlainTextResponse(self.metrics.text())

    async def get_openapi(self, _request: Request) -> Response:
        """This interface, described."""
        return _json(document(self.operations()))

    # Sockets

    async def socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Play or watch: `after` is the last seq that the client has seen."""
        socket = WebSocket(scope, receive, send)
        address = self.address(socket)
        too_many = not self._requests.take(address)
        if too_many or self._sockets.get(address, 0) >= self.config.sockets_per_address:
            self.metrics.add("rate_limited_total")
            await self.deny(socket, 429, "too_many")
            return
        if not self.is_welcome(socket):
            await self.deny(socket, 403, "foreign_origin")
            return
        if not self.ready:
            await self.deny(socket, 503, "server_stopping")
            return
        try:
            guest = self.guest_of(socket)
        except StoreError:
            _log.exception("the store failed")
            await self.deny(socket, 503, "cannot_write")
            return
        room = self.hub.find(socket.path_params["table"])
        if guest is None or room is None or room.table.member_of(guest) is None:
            await self.deny(socket, 404, "not_found")
            return
        after = socket.query_params.get("after")
        # Counted before the first await: many that arrive at once are counted, too.
        self._sockets[address] = self._sockets.get(address, 0) + 1
        connection = Connection(
            socket,
            send,
            room=room,
            guest=guest,
            words=self.words_of(socket),
            metrics=self.metrics,
            way=short_way_of(scope),
        )
        self._connections.add(connection)
        self._nobody.clear()
        try:
            await socket.accept()
            self.metrics.add("connections_opened_total")
            await connection.run(
                int(after) if after and after.isdecimal() and len(after) < 10 else None,
                self._messages,
                self._talk,
            )
        finally:
            self._connections.discard(connection)
            self.ended_connections += 1
            if not self._connections:
                self._nobody.set()
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    async def deny(self, socket: WebSocket, status: int, code: str) -> None:
        """Refuse a connection before it is one."""
        response = _json(self.error(socket, status, code).body, status)
        put_headers(response.headers)
        await socket.send_denial_response(response)

    def operations(self) -> list[Operation]:
        """Every REST operation, for the routes and for the OpenAPI document."""
        return [
            Operation("GET", "/api/health", self.get_health, api.Health),
            Operation("GET", "/api/ready", self.get_ready, api.Status),
            Operation("POST", "/api/guests", self.post_guest, api.GuestInfo, api.NewGuest, 201),
            Operation("POST", "/api/guests/link", self.post_link, api.LinkCode, status=201),
            Operation(
                "POST", "/api/guests/claim", self.post_claim, api.GuestInfo, api.LinkCode, 201
            ),
            Operation("GET", "/api/editions", self.get_editions, list[api.EditionInfo]),
            Operation("GET", "/api/editions/{edition}", self.get_edition, api.EditionInfo),
            Operation(
                "POST", "/api/house-rules", self.post_house_rules, api.EditionInfo, api.HouseRules
            ),
            Operation("GET", "/api/bots", self.get_bots, list[api.BotInfo]),
            Operation("GET", "/api/lobby", self.get_lobby, list[api.OpenTable]),
            Operation("POST", "/api/tables", self.post_table, api.Created, api.NewTable, 201),
            Operation("GET", "/api/tables/{table}", self.get_table, messages_out.TableView),
            Operation(
                "GET", "/api/tables/{table}/edition", self.get_table_edition, api.EditionInfo
            ),
            Operation(
                "POST",
                "/api/tables/{table}/join",
                self.post_join,
                messages_out.TableView,
                api.JoinTable,
            ),
            Operation("GET", "/api/tables/{table}/record", self.get_record, str),
            Operation(
                "GET",
                "/api/tables/{table}/hands/{hand}",
                self.get_hand,
                list[messages_out.ReplayStep],
            ),
            Operation("GET", "/api/games", self.get_games, api.MyGames),
            Operation("GET", "/api/games/{game}", self.get_game, str),
            Operation(
                "GET",
                "/api/games/{game}/hands/{hand}",
                self.get_game_hand,
                list[messages_out.ReplayStep],
            ),
        ]


def create_app(server: Server) -> Starlette:
    """The application of a server."""
    routes: list[Route | WebSocketRoute] = [
        Route(operation.path, server.guarded(operation.handler), methods=[operation.method])
        for operation in server.operations()
    ]
    routes += [
        Route("/api/openapi.json", server.guarded(server.get_openapi)),
        Route("/metrics", server.guarded(server.get_metrics)),
        WebSocketRoute("/api/tables/{table}/socket", _Application(server.socket)),
        # Not limited like requests: one page takes a dozen, and they come from memory.
        *(Route(path, server.get_page) for path in ("/", "/new", "/t/{table}")),
        *(Route(f"/{name}", server.get_file) for name in server.pages.files),
    ]
    return Starlette(
        routes=routes,
        lifespan=server.lifespan,
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={HTTPException: server.no_route, Exception: server.failed},
    )


class _Application:
    """A function as an ASGI application: nothing of the framework stands between."""

    def __init__(self, answer: ASGIApp) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(scope, receive, send)


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _packed(request: Request, value: object) -> Response:
    """The same, compressed where the client can take it: only for what is no secret of anybody."""
    response = _json(value)
    response.headers["Vary"] = "Accept-Encoding"
    if "gzip" in accepted(request.headers.get("accept-encoding", "")):
        response.body = gzip.compress(response.body, 6)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response


def _edition_info(edition: Edition, spoken: Words) -> api.EditionInfo:
    return api.EditionInfo(
        id=edition.id,
        name=edition.name,
        character=spoken.edition(edition.parent or edition.id),
        parent=edition.parent,
        player_counts=edition.player_counts,
        teams_at=edition.teams_at,
        short_trip_at=edition.short_trip_at,
        rules=tuple(
            api.FieldInfo(name, edition.toml_ready(name), rule.means, edition.sources[name])
            for name, rule in rule_fields().items()
        ),
    )
