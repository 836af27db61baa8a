"""Card kinds, and which hazard, remedy and safety belong together.

A card equals its code: `Card.ROLL == "ROLL"`. The members are in the canonical order
of the deck.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

__all__ = [
    "ALL_CARDS",
    "BATTLE_HAZARDS",
    "COPIES",
    "DISTANCES",
    "HAZARDS",
    "HAZARDS_OF",
    "HAZARD_OF_REMEDY",
    "MILES",
    "REMEDIES",
    "REMEDY_OF",
    "SAFETIES",
    "SAFETY_OF",
    "Card",
]


class Card(StrEnum):
    """One kind of card. `?` is an unknown card."""

    D25 = "25"
    D50 = "50"
    D75 = "75"
    D100 = "100"
    D200 = "200"
    ACC = "ACC"
    OUT = "OUT"
    FLAT = "FLAT"
    STOP = "STOP"
    LIM = "LIM"
    REP = "REP"
    GAS = "GAS"
    SPARE = "SPARE"
    ROLL = "ROLL"
    EOL = "EOL"
    ACE = "ACE"
    TANK = "TANK"
    PROOF = "PROOF"
    ROW = "ROW"
    AUTO = "AUTO"
    UNKNOWN = "?"

    # The rules hash cards all the time, and Enum's own hash is a slow call into Python.
    __hash__ = str.__hash__


ALL_CARDS: tuple[Card, ...] = tuple(card for card in Card if card is not Card.UNKNOWN)
"""Every kind except `?`, in canonical order."""

COPIES: Mapping[Card, int] = MappingProxyType(
    {
        Card.D25: 10,
        Card.D50: 10,
        Card.D75: 10,
        Card.D100: 12,
        Card.D200: 4,
        Card.ACC: 3,
        Card.OUT: 3,
        Card.FLAT: 3,
        Card.STOP: 5,
        Card.LIM: 4,
        Card.REP: 6,
        Card.GAS: 6,
        Card.SPARE: 6,
        Card.ROLL: 14,
        Card.EOL: 6,
        Card.ACE: 1,
        Card.TANK: 1,
        Card.PROOF: 1,
        Card.ROW: 1,
    }
)
"""Copies of each kind in the full deck of 106. Editions set their number of Autoroutes."""

MILES: Mapping[Card, int] = MappingProxyType(
    {Card.D25: 25, Card.D50: 50, Card.D75: 75, Card.D100: 100, Card.D200: 200}
)
DISTANCES = frozenset(MILES)

REMEDY_OF: Mapping[Card, Card] = MappingProxyType(
    {
        Card.ACC: Card.REP,
        Card.OUT: Card.GAS,
        Card.FLAT: Card.SPARE,
        Card.STOP: Card.ROLL,
        Card.LIM: Card.EOL,
    }
)
HAZARDS = frozenset(REMEDY_OF)
BATTLE_HAZARDS = HAZARDS - {Card.LIM}

# Remedies without Roll and End of Limit, which the rules treat separately.
REMEDIES = frozenset({Card.REP, Card.GAS, Card.SPARE})
HAZARD_OF_REMEDY: Mapping[Card, Card] = MappingProxyType(
    {remedy: hazard for hazard, remedy in REMEDY_OF.items()}
)

SAFETY_OF: Mapping[Card, Card] = MappingProxyType(
    {
        Card.ACC: Card.ACE,
        Card.OUT: Card.TANK,
        Card.FLAT: Card.PROOF,
        Card.STOP: Card.ROW,
        Card.LIM: Card.ROW,
    }
)
SAFETIES = frozenset(SAFETY_OF.values())
HAZARDS_OF: Mapping[Card, tuple[Card, ...]] = MappingProxyType(
    {
        safety: tuple(h for h, s in SAFETY_OF.items() if s is safety)
        for safety in (Card.ACE, Card.TANK, Card.PROOF, Card.ROW)
    }
)
"""What each safety protects from."""
