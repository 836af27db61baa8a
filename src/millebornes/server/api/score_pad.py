"""The score pad: scores a match that people play with the box. Nothing is stored."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from millebornes.rules import Edition, EditionError, edition_named
from millebornes.server.admission import Admission
from millebornes.server.requests import ApiError, as_json, body, words_of
from millebornes.table.rest import PadScores, ScorePad
from millebornes.table.score_pad import BadPad, pad_steps
from millebornes.table.settings import with_teams
from millebornes.words import Words

from .openapi import Operation
from .rules import bad_rules, read_rules

__all__ = ["ScorePads"]

_BODY = 8 * 1024
"""Maximum bytes of a score pad; 60 hands of a match for eight need 7 KB."""


class ScorePads:
    """`/api/score-pad`."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission

    def operations(self) -> list[Operation]:
        """The operation of this path."""
        return [Operation("POST", "/api/score-pad", self.post_score_pad, PadScores, ScorePad)]

    async def post_score_pad(self, request: Request) -> Response:
        """Score a match played with the box, and say which hand is impossible."""
        guest = await self._admission.need_guest(request)
        pad = await body(request, ScorePad, _BODY)
        self._admission.count_score_pad(request, guest)
        try:
            return as_json(await _scores(pad, words_of(request)))
        except EditionError as error:
            raise bad_rules(error) from None
        except BadPad as error:
            raise ApiError(400, "bad_message", {"detail": str(error)}) from None


async def _scores(pad: ScorePad, spoken: Words) -> PadScores:
    """The scores; other requests get their turn after every few hands."""
    steps = pad_steps(pad, _edition(pad), spoken)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            scores: PadScores = done.value
            return scores
        await asyncio.sleep(0)


def _edition(pad: ScorePad) -> Edition:
    edition = edition_named(pad.edition) if pad.toml is None else read_rules(pad.toml)
    return edition if pad.teams is None else with_teams(edition, pad.players, pad.teams)
