"""The commuter: weighs every move by what the seat can see, with tuned weights.

The compiled engine does the weighing, by its policy of the same name. So a bot at a table and
the same policy in a simulation make the same choices.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from millebornes.rules import Card, Discard, Edition, Extend, Move, Play, View
from millebornes.rules.cards import HAZARD_OF_REMEDY, HAZARDS, MILES, SAFETIES

from .bot import Advice
from .sunday_driver import SundayDriver

if TYPE_CHECKING:
    from millebornes.fast import Engine

__all__ = ["Commuter"]

_ENGINES = 256
"""Engines that are kept, one for each game that is played here. To make one takes as long as a
hundred moves; to keep it takes 0.15 MB."""


class Commuter:
    """Plays the move with the highest weighted sum of features."""

    def choose(self, view: View) -> Move:
        """The move with the highest sum."""
        if len(view.legal_moves) == 1:
            return view.legal_moves[0]
        return _engine_for(view).choose(view, "commuter")

    def explain(self, view: View) -> Advice:
        """The same move, and the reason for it."""
        move = self.choose(view)
        advice = SundayDriver().explain(view)
        return advice if advice.move == move else _other_advice(view, move)


def _engine_for(view: View) -> "Engine":
    # How long the trip was before an extension makes no difference to a decision.
    is_short = view.caller is None and view.trip != view.edition.trip_at(view.players)
    return _engine(view.edition, view.players, is_short)


@lru_cache(maxsize=_ENGINES)
def _engine(edition: Edition, players: int, is_short: bool) -> "Engine":
    try:
        from millebornes.fast import Engine  # noqa: PLC0415 (loads Numba, which takes a while)
    except ImportError as error:
        raise RuntimeError(
            "the commuter plays by the compiled engine, which needs Numba: "
            f"install it, or choose another level ({error})"
        ) from error
    return Engine(edition, players, short_trip=is_short)


def _other_advice(view: View, move: Move) -> Advice:
    """The plainest reason for a move that the Sunday driver would not make."""
    if isinstance(move, Extend):
        assert view.side is not None
        miles = [tableau.miles for tableau in view.tableaux]
        own = miles.pop(view.side)
        return Advice(move, "extend", {"ahead": own - max(miles), "pile": view.pile})
    if isinstance(move, Discard):
        return Advice(move, "discard_least", {"card": move.card.value})
    if not isinstance(move, Play):
        return Advice(move, "finish", {})
    params: dict[str, str | int] = {"card": move.card.value}
    if move.card in MILES:
        return Advice(move, "drive", params)
    if move.card in HAZARDS:
        assert move.onto is not None
        code = "limit" if move.card is Card.LIM else "attack"
        return Advice(move, code, {**params, "side": move.onto})
    if move.card in SAFETIES:
        return Advice(move, "safety_late", params)
    if move.card is Card.AUTO:
        return Advice(move, "autoroute", {**params, "clears": "no"})
    if move.card is Card.ROLL:
        return Advice(move, "roll", params)
    code = "end_limit" if move.card is Card.EOL else "cure"
    return Advice(move, code, {**params, "hazard": HAZARD_OF_REMEDY[move.card].value})
