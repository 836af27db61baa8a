"""The condition of a side's car, read from the piles in front of it."""

from .cards import BATTLE_HAZARDS, SAFETY_OF, Card
from .edition import Edition
from .state import Tableau

__all__ = ["active_hazard", "is_limited", "is_rolling"]


def active_hazard(tableau: Tableau) -> Card | None:
    """The hazard on top of the battle pile, unless its safety makes it inert."""
    if not tableau.battle:
        return None
    top = tableau.battle[-1]
    if top in BATTLE_HAZARDS and SAFETY_OF[top] not in tableau.safeties:
        return top
    return None


def is_rolling(tableau: Tableau, edition: Edition) -> bool:
    """Is a Roll on top, or Right of Way displayed and no active hazard on top?"""
    if tableau.battle and tableau.battle[-1] is Card.ROLL:
        return True
    return (
        Card.ROW in tableau.safeties
        and edition.row_replaces_roll
        and active_hazard(tableau) is None
    )


def is_limited(tableau: Tableau) -> bool:
    """Is a Speed Limit on top of the speed pile, and Right of Way not displayed?"""
    return (
        bool(tableau.speed) and tableau.speed[-1] is Card.LIM and Card.ROW not in tableau.safeties
    )
