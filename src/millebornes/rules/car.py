"""The condition of a side's car, read from the piles in front of it."""

from .cards import BATTLE_HAZARDS, REMEDIES, SAFETY_OF, Card
from .edition import Edition
from .state import Tableau

__all__ = ["active_hazard", "has_roll", "is_limited", "is_rolling"]


def active_hazard(tableau: Tableau) -> Card | None:
    """The hazard on top of the battle pile, unless its safety makes it inert."""
    if not tableau.battle:
        return None
    top = tableau.battle[-1]
    if top in BATTLE_HAZARDS and SAFETY_OF[top] not in tableau.safeties:
        return top
    return None


def has_roll(tableau: Tableau, edition: Edition) -> bool:
    """Is a Roll on top of the battle pile, or what these rules count as one?"""
    if not tableau.battle:
        return edition.start_rolling
    top = tableau.battle[-1]
    return top is Card.ROLL or (edition.remedy_restores_roll and top in REMEDIES)


def is_rolling(tableau: Tableau, edition: Edition) -> bool:
    """Does the car have a Roll, or Right of Way displayed and no active hazard on top?"""
    return has_roll(tableau, edition) or (
        Card.ROW in tableau.safeties
        and edition.row_replaces_roll
        and active_hazard(tableau) is None
    )


def is_limited(tableau: Tableau) -> bool:
    """Is a Speed Limit on top of the speed pile, and Right of Way not displayed?"""
    return (
        bool(tableau.speed) and tableau.speed[-1] is Card.LIM and Card.ROW not in tableau.safeties
    )
