"""Reasons to lay a safety instead of keeping it for a coup fourré."""

from millebornes.bots.reading import (
    LONGEST,
    is_late,
    left_to,
    own_of,
    plays_again,
    row_starts,
    unseen,
)
from millebornes.rules import Card, Move, Play, View
from millebornes.rules.car import active_hazard, is_limited
from millebornes.rules.cards import HAZARDS_OF, SAFETIES

from .reason import Params, by_code, must_play, params

__all__ = ["SAFETY_REASONS"]


def _laid(move: Move) -> Card | None:
    return move.card if isinstance(move, Play) and move.card in SAFETIES else None


def safety_cures(view: View, move: Move) -> Params | None:
    """It ends the hazard or the Speed Limit on the car, and may give another turn."""
    safety, own = _laid(move), own_of(view)
    if safety is None:
        return None
    cured = active_hazard(own)
    if cured not in HAZARDS_OF[safety]:
        cured = Card.LIM if safety is Card.ROW and is_limited(own) else None
    if cured is None:
        return None
    return params(card=safety, hazard=cured, again="yes" if plays_again(view) else "no")


def safety_fourth(view: View, move: Move) -> Params | None:
    """It is the last of the four."""
    safety, points = _laid(move), view.edition.all_four_points
    if safety is None or not points or {*own_of(view).safeties, safety} != SAFETIES:
        return None
    return params(card=safety, points=points)


def safety_unneeded(view: View, move: Move) -> Params | None:
    """Every hazard that it guards against has been seen, so that no coup fourré can follow."""
    safety = _laid(move)
    is_so = safety is not None and unseen(view, *HAZARDS_OF[safety]) <= 0
    return params(card=safety) if safety is not None and is_so else None


def safety_late(view: View, move: Move) -> Params | None:
    """The pile is almost gone."""
    safety = _laid(move)
    return params(card=safety, pile=view.pile) if safety is not None and is_late(view) else None


def safety_ends_soon(view: View, move: Move) -> Params | None:
    """Somebody could finish with one card."""
    safety = _laid(move)
    left = min(left_to(view, side) for side in range(view.sides))
    return params(card=safety, left=left) if safety is not None and left <= LONGEST else None


def safety_starts(view: View, move: Move) -> Params | None:
    """Right of Way replaces the Roll that the hand lacks, and there is another turn."""
    is_so = _laid(move) is Card.ROW and row_starts(view) and plays_again(view)
    return params(card=Card.ROW) if is_so else None


def safety_guards(view: View, move: Move) -> Params | None:
    """So many hazards that it guards against may still come, and there is another turn."""
    safety = _laid(move)
    if safety is None or not plays_again(view):
        return None
    count = unseen(view, *HAZARDS_OF[safety])
    return params(card=safety, count=count) if count > 0 else None


def safety(_: View, move: Move) -> Params | None:
    """It protects for good."""
    card = _laid(move)
    return params(card=card) if card is not None else None


SAFETY_REASONS = by_code(
    safety_cures,
    safety_fourth,
    safety_unneeded,
    safety_late,
    safety_ends_soon,
    safety_starts,
    must_play,
    safety_guards,
    safety,
)
