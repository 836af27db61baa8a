"""Responses with records and replayed hands, shared by tables and games."""

import asyncio
from collections.abc import Coroutine, Hashable
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from millebornes.records import Game, RecordError
from millebornes.server.admission import address_of
from millebornes.server.replayer import Busy, Replayer, TooMany
from millebornes.server.requests import ApiError

__all__ = ["Replays"]

_T = TypeVar("_T")


class Replays:
    """Records and hands as responses."""

    def __init__(self, replayer: Replayer) -> None:
        self._replayer = replayer

    async def record(self, request: Request, reader: str, place: Hashable, game: Game) -> Response:
        """A record as text."""
        return PlainTextResponse(
            await _while_connected(
                request, self._replayer.text(reader, place, game, address_of(request))
            )
        )

    async def hand(
        self, request: Request, reader: str, place: Hashable, record: Game | str
    ) -> Response:
        """The hand whose number is in the path."""
        number = request.path_params["hand"]
        work = self._replayer.hand(reader, place, record, number, address_of(request))
        hand = await _while_connected(request, work)
        if hand is None:
            raise ApiError(404, "not_found")
        return Response(hand, media_type="application/json")


async def _while_connected(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """The result of `work`, which is cancelled if the client disconnects."""
    done = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((done, gone), return_when=asyncio.FIRST_COMPLETED)
        if not done.done():
            raise ApiError(503, "replays_busy")  # the client is gone
        return done.result()
    except TooMany:
        raise ApiError(429, "too_many") from None
    except Busy:
        raise ApiError(503, "replays_busy") from None
    except RecordError:
        raise ApiError(409, "no_replay") from None
    finally:
        done.cancel()
        gone.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
