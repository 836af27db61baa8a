"""Reasons for moves: every code with the predicate that its sentence states.

A level finds its move in its own way, and then says why by `why`. It may name the codes that come
closest to its way of thinking; a code is given only if its predicate holds. For any move of a
level there is a reason, for each kind of move has one that always holds.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from millebornes.bots.bot import Advice
from millebornes.rules import CoupFourre, Decline, Discard, Extend, Finish, Move, Play, View
from millebornes.rules.cards import MILES, SAFETIES

from .answers import ANSWERS, EXTENSIONS
from .attacks import ATTACKS
from .discards import DISCARDS
from .distances import DISTANCES
from .reason import Reason
from .remedies import REMEDIES
from .safeties import SAFETY_REASONS

__all__ = ["REASONS", "holds", "why"]

REASONS: Mapping[str, Reason] = MappingProxyType(
    ANSWERS | EXTENSIONS | DISTANCES | ATTACKS | REMEDIES | SAFETY_REASONS | DISCARDS
)
"""Every reason by its code."""


def holds(view: View, advice: Advice) -> bool:
    """Whether the reason of an advice is true of the view and the move."""
    return REASONS[advice.code](view, advice.move) == advice.params


def why(view: View, move: Move, first: Iterable[str] = ()) -> Advice:
    """The move with the first reason that holds: of `first`, then of all for such a move."""
    for code in (*first, *_reasons_for(move)):
        found = REASONS[code](view, move)
        if found is not None:
            return Advice(move, code, found)
    raise ValueError(f"no level makes the move {move} here")


def _reasons_for(move: Move) -> Mapping[str, Reason]:
    """All reasons for moves of this kind, the more telling first."""
    match move:
        case CoupFourre() | Decline():
            return ANSWERS
        case Extend() | Finish():
            return EXTENSIONS
        case Discard():
            return DISCARDS
        case Play(_, int()):
            return ATTACKS
        case Play(card) if card in MILES:
            return DISTANCES
        case Play(card) if card in SAFETIES:
            return SAFETY_REASONS
    return REMEDIES
