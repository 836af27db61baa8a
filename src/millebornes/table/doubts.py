"""The misclick guard: legal moves that are probably mistakes. Pure functions."""

from typing import Literal

from millebornes.records.tokens import to_text
from millebornes.rules import Card, Discard, Move, Play, View
from millebornes.rules.cards import MILES, SAFETIES

__all__ = ["Doubt", "doubt", "doubts", "winning_card"]

Doubt = Literal["safety", "winning"]
_LAST_CARD = {miles: card for card, miles in MILES.items()}
"""The card that completes the trip, by the miles left to travel."""


def doubt(view: View, move: Move) -> Doubt | None:
    """Why this move needs confirmation; None if it does not.

    A move cannot be taken back, because the next player has drawn by then. So two kinds of
    moves need confirmation: discarding a safety, and not playing the card that would
    complete the trip.
    """
    return _doubt(winning_card(view), move)


def doubts(view: View) -> dict[str, Doubt]:
    """The viewer's legal moves that need confirmation, as tokens, and why."""
    winning = winning_card(view)
    if winning is None and SAFETIES.isdisjoint(view.hand):
        return {}
    found = ((move, _doubt(winning, move)) for move in view.legal_moves)
    return {to_text(move): kind for move, kind in found if kind is not None}


def winning_card(view: View) -> Card | None:
    """The card in hand that would complete the trip now, if it is legal."""
    side = view.side
    if side is None:
        return None
    last = _LAST_CARD.get(view.trip - view.tableaux[side].miles)
    if last is None or last not in view.hand:
        return None
    return last if Play(last) in view.legal_moves else None


def _doubt(winning: Card | None, move: Move) -> Doubt | None:
    if isinstance(move, Discard) and move.card in SAFETIES:
        return "safety"
    if not isinstance(move, Play | Discard):
        return None
    if winning is None or move == Play(winning):
        return None
    # A safety gives another turn, in which the winning card can still be played.
    if isinstance(move, Play) and move.card in SAFETIES:
        return None
    return "winning"
