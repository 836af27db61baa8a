"""The state of a match: immutable values, card kinds only."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .cards import MILES, Card
from .edition import Edition
from .score_sheet import ScoreSheet

if TYPE_CHECKING:
    from .events import Event

__all__ = [
    "AUTOROUTE_TURNS",
    "HAND_SIZE",
    "Autoroute",
    "Awaiting",
    "Deal",
    "ExtensionChoice",
    "Hand",
    "Match",
    "Over",
    "Tableau",
    "Turn",
    "Window",
]

HAND_SIZE = 6
AUTOROUTE_TURNS = 3
"""How long an Autoroute protects: the turn it is laid in, and two later ones."""


class Autoroute(NamedTuple):
    """An Autoroute on the table, and how long it still protects."""

    seat: int
    """Who laid it: its time is counted on this seat's turns."""
    turns: int
    """Ends of that seat's turns still to come, the turn it was laid in included."""


class Tableau(NamedTuple):
    """The cards in front of one side, each pile bottom first."""

    battle: tuple[Card, ...] = ()
    speed: tuple[Card, ...] = ()
    distance: tuple[Card, ...] = ()
    safeties: tuple[Card, ...] = ()
    crosswise: tuple[Card, ...] = ()
    """Those of the safeties that were played as a coup fourré."""
    autoroute: Autoroute | None = None

    @property
    def miles(self) -> int:
        """The distance travelled."""
        return _miles(self.distance)


@lru_cache(maxsize=4096)  # it is asked for all the time, and few differ
def _miles(distance: tuple[Card, ...]) -> int:
    return sum(map(MILES.__getitem__, distance))


@dataclass(frozen=True, slots=True)
class Turn:
    """This seat has drawn, and must play or discard."""

    seat: int


@dataclass(frozen=True, slots=True)
class Window:
    """A hazard has landed; each seat asked may answer with a coup fourré."""

    attacker: int
    side: int
    hazard: Card
    asked: tuple[int, ...]
    declined: tuple[int, ...] = ()

    @property
    def open_to(self) -> tuple[int, ...]:
        """The seats that have not answered yet."""
        return tuple(seat for seat in self.asked if seat not in self.declined)


@dataclass(frozen=True, slots=True)
class ExtensionChoice:
    """This seat has completed the short trip: extend it, or finish?"""

    seat: int


@dataclass(frozen=True, slots=True)
class Deal:
    """The next hand is to be dealt by this seat."""

    dealer: int


@dataclass(frozen=True, slots=True)
class Over:
    """The match has ended; no winner means a draw."""

    winner: int | None


Awaiting = Turn | Window | ExtensionChoice | Deal | Over


class Hand(NamedTuple):
    """One hand of the match, from the deal to the score."""

    number: int
    """Counts from 1 through the match."""
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    """The cards each seat holds, in the order it got them."""
    pile: tuple[Card, ...]
    """The draw pile, next card first."""
    discard: tuple[Card, ...]
    """The discard pile, oldest card first."""
    tableaux: tuple[Tableau, ...]
    trip: int
    """Miles to travel: grows to 1000 when the extension is called."""
    caller: int | None = None
    """The side that called the extension."""
    began_empty: bool = False
    """Was the pile empty before the first draw of the turn in progress?"""
    completed_by: int | None = None
    """The side that completed the trip."""
    sheets: tuple[ScoreSheet, ...] | None = None
    """The score of each side, once the hand has ended."""
    history: tuple["Event", ...] = ()
    """What happened since the deal, uncut: views cut it."""


class Match(NamedTuple):
    """A match: some hands, played to a target."""

    edition: Edition
    players: int
    trip: int
    """Miles of a trip before any extension."""
    forward: tuple[int, ...]
    """Points of each side brought forward from earlier hands."""
    awaiting: Awaiting
    hand: Hand | None = None

    @property
    def sides(self) -> int:
        """How many sides race: teams count once."""
        return len(self.forward)

    def side_of(self, seat: int) -> int:
        """The side a seat plays for."""
        return seat % len(self.forward)

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats that play for a side."""
        return tuple(range(side, self.players, len(self.forward)))

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of each side so far, a finished hand included."""
        if self.hand is None or self.hand.sheets is None:
            return self.forward
        return tuple(
            before + sheet.total
            for before, sheet in zip(self.forward, self.hand.sheets, strict=True)
        )
