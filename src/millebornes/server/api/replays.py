"""A hand of a record, step by step, as REST tells it."""

import asyncio

from millebornes.records import Game, RecordError
from millebornes.server.requests import ApiError
from millebornes.table.messages_out import ReplayStep
from millebornes.table.replays import steps

__all__ = ["hand_of"]

_STRIDE = 16
"""Steps made at once before others get their turn."""


async def hand_of(game: Game, number: str) -> list[ReplayStep]:
    """The steps of the hand with this number, as it stands in the address."""
    told: list[ReplayStep] = []
    try:
        for count, step in enumerate(steps(game)):
            hand = step.table.hand
            if hand is not None and str(hand.number) == number:
                told.append(step)
            if count % _STRIDE == 0:
                await asyncio.sleep(0)  # a long match must not hold up any table
    except RecordError:
        raise ApiError(409, "no_replay") from None
    if not told:
        raise ApiError(404, "not_found")
    return told
