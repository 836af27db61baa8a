"""People-like players for the tests: they move at random, and may lose their connection."""

import random
from collections.abc import Awaitable, Callable

from millebornes.client import Seat
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out

EXPECTED = {"already_done", "stale_decision", "shuffle_moved_on", "not_needed"}
"""Refusals that follow from a message sent twice, or too late."""


async def play(
    seat: Seat,
    rng: random.Random,
    *,
    hands: int | None = None,
    before_move: Callable[[Seat], Awaitable[None]] | None = None,
    after_move: Callable[[Seat], Awaitable[None]] | None = None,
) -> list[out.Frame]:
    """Play until the match is over, or so many hands have ended; every frame that came."""
    frames: list[out.Frame] = []
    answered = None
    ended = 0
    async for message in seat.messages():
        if isinstance(message, out.Rejected):
            assert message.code in EXPECTED, message
            continue
        if not isinstance(message, out.Frame):
            continue
        frames.append(message)
        table, asked = message.table, message.table.asked
        ended += sum(isinstance(event, out.HandEnded) for event in message.events)
        if table.phase == "over" or (hands is not None and ended >= hands):
            return frames
        if asked is None or (seat.set_backs, asked.decision) == answered:
            continue
        if asked.what == "next":
            answered = (seat.set_backs, asked.decision)
            await seat.say(says.Next(asked.decision))
        elif table.hand is not None and table.hand.legal_moves:
            answered = (seat.set_backs, asked.decision)
            if before_move is not None:
                await before_move(seat)
            lively = [move for move in table.hand.legal_moves if not move.startswith("x")]
            await seat.move(rng.choice(lively or table.hand.legal_moves))
            if after_move is not None:
                await after_move(seat)
    return frames


async def start_when_full(seat: Seat) -> None:
    """The host starts as soon as every seat is taken."""
    async for _ in seat.messages():
        table = seat.table
        if table is not None and all(place.kind != "empty" for place in table.seats):
            await seat.say(says.Start())
            return


def seqs(frames: list[out.Frame]) -> list[int]:
    return [frame.seq for frame in frames]
