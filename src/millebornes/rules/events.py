"""What happened, in order. The events of a hand tell where every card is.

An event holds everything; `view.cut` replaces what a viewer may not know by `?`.
"""

from dataclasses import dataclass

from .cards import Card
from .score_sheet import ScoreSheet

__all__ = [
    "Countered",
    "Dealt",
    "Discarded",
    "Drawn",
    "Event",
    "Expired",
    "Extended",
    "HandEnded",
    "MatchEnded",
    "Passed",
    "Played",
]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A new hand: six cards each, the rest is the draw pile."""

    number: int
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    pile: int
    """Cards left in the draw pile."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A seat took the front card of the draw pile."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Played:
    """A seat laid a card on a side."""

    seat: int
    card: Card
    side: int
    cleared: tuple[Card, ...] = ()
    """Cards of that side which went to the discard pile for it, in order."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat discarded a card."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Passed:
    """The coup-fourré window has closed and nobody called."""

    side: int
    hazard: Card


@dataclass(frozen=True, slots=True)
class Countered:
    """A coup fourré: the safety lies crosswise."""

    seat: int
    card: Card
    hazard: Card
    side: int
    """The side that was attacked."""
    cleared: tuple[Card, ...]
    """Cards which went to the discard pile for it, in order."""


@dataclass(frozen=True, slots=True)
class Expired:
    """An Autoroute has run its two turns and went to the discard pile."""

    side: int


@dataclass(frozen=True, slots=True)
class Extended:
    """A seat called the extension."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandEnded:
    """The hand is over; one score sheet for each side."""

    completed_by: int | None
    sheets: tuple[ScoreSheet, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; no winner means a draw."""

    totals: tuple[int, ...]
    winner: int | None


Event = (
    Dealt
    | Drawn
    | Played
    | Discarded
    | Passed
    | Countered
    | Expired
    | Extended
    | HandEnded
    | MatchEnded
)
