"""Everything a seat can do.

These are frozen dataclasses, not named tuples: `Discard(card)` must never equal
`CoupFourre(card)`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from .cards import ALL_CARDS, HAZARDS, SAFETIES, Card

__all__ = [
    "CoupFourre",
    "Decline",
    "Discard",
    "Extend",
    "Finish",
    "Move",
    "Play",
    "move_space",
]


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card: a hazard onto side `onto`, anything else onto your own side."""

    card: Card
    onto: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """Put a card on the discard pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class CoupFourre:
    """Answer an attack with the safety against it."""

    card: Card


@dataclass(frozen=True, slots=True)
class Decline:
    """Let the attack stand."""


@dataclass(frozen=True, slots=True)
class Extend:
    """Call the extension: the trip becomes 1000 for everybody."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Keep the completed trip and end the hand."""


Move = Play | Discard | CoupFourre | Decline | Extend | Finish


def move_space(sides: int) -> Iterator[Move]:
    """Every move that could ever be legal in a game with this many sides."""
    for card in ALL_CARDS:
        if card in HAZARDS:
            for side in range(sides):
                yield Play(card, side)
        else:
            yield Play(card)
        yield Discard(card)
        if card in SAFETIES:
            yield CoupFourre(card)
    yield Discard(Card.UNKNOWN)
    yield Decline()
    yield Extend()
    yield Finish()
