"""Plays a seat with a bot, which sees only the view of its seat."""

import asyncio
from collections.abc import Callable

from millebornes.records.tokens import to_text
from millebornes.rules import Edition, Move, View
from millebornes.table import messages_in, messages_out

from .client import Seat
from .views import view_from

__all__ = ["play_seat"]


async def play_seat(
    seat: Seat, edition: Edition, choose: Callable[[View], Move], *, stay: bool = False
) -> messages_out.TableView | None:
    """Play until the match is over or the table closes; return the last table seen.

    `choose` may take its time: it runs in a thread, so that the connection stays alive. An error
    of it ends the play.

    With `stay`, agree to every rematch that someone else asks for, until the table closes.
    """
    answered: tuple[int, int] | None = None
    is_returning = False
    async for _ in seat.messages():
        table = seat.table
        if table is None or table.asked is None or table.you is None:
            continue
        asked = table.asked
        # A server restored from a backup asks again for decisions that were already answered.
        question = (seat.set_backs, asked.decision)
        is_returning = is_returning and table.seats[table.you].away
        if table.phase == "over":
            if not stay:
                return table
            if table.continued and table.you not in table.continued:
                await seat.say(messages_in.Rematch())
        elif table.seats[table.you].away:
            if not is_returning:
                await seat.say(messages_in.Return())
            is_returning = True
        elif question != answered:
            if asked.what == "next":
                answered = question
                await seat.say(messages_in.Next(asked.decision))
            elif table.hand is not None and table.hand.legal_moves:
                view = view_from(table, edition)
                assert view is not None
                answered = question
                await seat.move(to_text(await asyncio.to_thread(choose, view)))
    return seat.table
