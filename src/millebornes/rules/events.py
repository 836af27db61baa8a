"""What happened. The events of a hand, in order, determine where every card is.

An event holds everything; `view.cut` replaces the cards a viewer may not see with `?`.
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
    """A seat drew the top card of the draw pile."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Played:
    """A seat played a card onto a side."""

    seat: int
    card: Card
    side: int
    cleared: tuple[Card, ...] = ()
    """Cards of that side that this sent to the discard pile, in order."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat discarded a card."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Passed:
    """The coup-fourré window closed, and nobody called."""

    side: int
    hazard: Card


@dataclass(frozen=True, slots=True)
class Countered:
    """A seat called a coup fourré: its safety lies crosswise."""

    seat: int
    card: Card
    hazard: Card
    side: int
    """The side that was attacked."""
    cleared: tuple[Card, ...]
    """Cards that this sent to the discard pile, in order."""


@dataclass(frozen=True, slots=True)
class Expired:
    """An Autoroute has expired and gone to the discard pile."""

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
