"""The rules of Mille Bornes: pure values and functions.

No clock, no randomness, no I/O, and no imports from the layers above.
Ask (`legal_moves`), explain (`why_not`), act (`apply`), show (`view`), score (`score_sheet`).
"""

from .apply import apply, apply_legal, deal, deal_cards, new_match
from .cards import Card
from .edition import Edition, EditionError
from .editions import DEFAULT_EDITION, EDITIONS, PRESETS, edition_named, house_rules
from .events import Event
from .legality import legal_moves, why_not
from .moves import CoupFourre, Decline, Discard, Extend, Finish, Move, Play
from .reason import IllegalMove, Reason
from .score_sheet import ScoreSheet
from .scoring import score_sheet
from .state import Match
from .view import View, awaited_seats, cut, own_cards, view

__all__ = [
    "DEFAULT_EDITION",
    "EDITIONS",
    "PRESETS",
    "RULES_VERSION",
    "Card",
    "CoupFourre",
    "Decline",
    "Discard",
    "Edition",
    "EditionError",
    "Event",
    "Extend",
    "Finish",
    "IllegalMove",
    "Match",
    "Move",
    "Play",
    "Reason",
    "ScoreSheet",
    "View",
    "apply",
    "apply_legal",
    "awaited_seats",
    "cut",
    "deal",
    "deal_cards",
    "edition_named",
    "house_rules",
    "legal_moves",
    "new_match",
    "own_cards",
    "score_sheet",
    "view",
    "why_not",
]

RULES_VERSION = 1
"""Increases whenever the same record could replay differently. Every record states it."""
