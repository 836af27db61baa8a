"""The commuter: weighs every move by what the seat can see, with tuned weights.

The compiled engine does the weighing, by its policy of the same name. So a bot at a table and
the same policy in a simulation make the same choices.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from millebornes.rules import Edition, Move, View
from millebornes.rules.state import Window

from .bot import Advice
from .commuter_reasons import deciding
from .reasons import why

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
        """The same move, and what spoke most for it against the best other one."""
        move = self.choose(view)
        if len(view.legal_moves) == 1 or isinstance(view.awaiting, Window):
            return why(view, move)
        return why(view, move, deciding(_engine_for(view).features(view), move))


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
