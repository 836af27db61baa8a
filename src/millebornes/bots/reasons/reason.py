"""What a reason is, and what the reasons of all kinds of moves share."""

from collections.abc import Callable, Mapping

from millebornes.rules import Card, Discard, Move, Play, View

__all__ = ["Params", "Reason", "by_code", "must_play", "params"]

Params = Mapping[str, str | int]
Reason = Callable[[View, Move], Params | None]
"""What a sentence says of a move, as a predicate: the parameters with which the sentence is true
of this view and this move, or None if it is not. Its name is the code."""


def params(**values: Card | str | int) -> Params:
    """The parameters of a sentence; cards as their codes."""
    return {
        name: value.value if isinstance(value, Card) else value for name, value in values.items()
    }


def by_code(*reasons: Reason) -> dict[str, Reason]:
    """Reasons by their codes, in this order: the more telling first."""
    return {reason.__name__: reason for reason in reasons}


def must_play(view: View, move: Move) -> Params | None:
    """The rules forbid every discard while a card can be played: for plays of all kinds."""
    may_discard = any(isinstance(legal, Discard) for legal in view.legal_moves)
    return params(card=move.card) if isinstance(move, Play) and not may_discard else None
