"""What one seat, or a spectator, may see. Everything shown to anyone goes through here.

Hidden are the other hands (a partner's too), the order of the draw pile, and the other
seats' answers in a coup-fourré window that is still open.
"""

from typing import NamedTuple

from .cards import Card
from .edition import Edition
from .events import Dealt, Drawn, Event
from .legality import choices, legal_moves
from .moves import Move, Play
from .reason import Reason
from .score_sheet import ScoreSheet
from .state import Awaiting, ExtensionChoice, Match, Tableau, Turn, Window

__all__ = ["View", "awaited_seats", "cut", "own_cards", "view"]


class View(NamedTuple):
    """The match as one viewer may see it."""

    seat: int | None
    """The viewer's seat; None for a spectator."""
    edition: Edition
    players: int
    forward: tuple[int, ...]
    totals: tuple[int, ...]
    awaiting: Awaiting
    """A window shows only the viewer's own answer."""
    number: int
    dealer: int
    trip: int
    caller: int | None
    began_empty: bool
    """Was the pile empty before the first draw of the turn in progress?"""
    completed_by: int | None
    tableaux: tuple[Tableau, ...]
    discard: tuple[Card, ...]
    pile: int
    hand_sizes: tuple[int, ...]
    hand: tuple[Card, ...]
    legal_moves: tuple[Move, ...]
    refused: tuple[tuple[Play, Reason], ...]
    """Every play of this hand that the rules refuse now, and why."""
    sheets: tuple[ScoreSheet, ...] | None
    history: tuple[Event, ...]
    """The hand so far, cut for this viewer."""

    @property
    def sides(self) -> int:
        """The number of sides; a team is one side."""
        return len(self.forward)

    @property
    def is_asked(self) -> bool:
        """Is a move awaited from this viewer?"""
        return bool(self.legal_moves)

    def side_of(self, seat: int) -> int:
        """The side a seat plays for."""
        return seat % len(self.forward)

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats that play for a side."""
        return tuple(range(side, self.players, len(self.forward)))

    @property
    def side(self) -> int | None:
        """The viewer's side."""
        return None if self.seat is None else self.side_of(self.seat)

    def why_not(self, card: Card) -> Reason | None:
        """Why this card of the hand cannot be played at all; None if it can."""
        if any(isinstance(move, Play) and move.card is card for move in self.legal_moves):
            return None
        return next((reason for play, reason in self.refused if play.card is card), None)


def view(match: Match, seat: int | None, *, brief: bool = False) -> View:
    """The match as this seat may see it; None is a spectator.

    A `brief` view is for callers that follow the events as they happen. It omits the history
    and, when it is not the seat's turn, the refused plays, which then all have the same reason.
    """
    if seat is not None and not 0 <= seat < match.players:
        raise ValueError(f"there is no seat {seat}: seats are 0 to {match.players - 1}")
    hand = match.hand
    if hand is None:
        raise ValueError("no hand has been dealt yet")
    cards = () if seat is None else hand.hands[seat]
    moves: tuple[Move, ...] = ()
    refused: tuple[tuple[Play, Reason], ...] = ()
    if seat is not None:
        if brief and not (isinstance(match.awaiting, Turn) and match.awaiting.seat == seat):
            moves = legal_moves(match, seat)
        else:
            moves, refused = choices(match, seat)
    return View(  # by position: this runs for every frame, and keywords are slower
        seat,
        match.edition,
        match.players,
        match.forward,
        match.totals,
        _cut_awaiting(match.awaiting, seat),
        hand.number,
        hand.dealer,
        hand.trip,
        hand.caller,
        hand.began_empty,
        hand.completed_by,
        hand.tableaux,
        hand.discard,
        len(hand.pile),
        tuple(map(len, hand.hands)),
        cards,
        moves,
        refused,
        hand.sheets,
        () if brief else tuple(cut(event, seat) for event in hand.history),
    )


def own_cards(match: Match, seat: int) -> tuple[Card, ...]:
    """The cards a seat holds: all that only it may see while no move is awaited from it."""
    assert match.hand is not None
    return match.hand.hands[seat]


def cut(event: Event, seat: int | None) -> Event:
    """The event as this seat may see it: cards it may not see become `?`."""
    if isinstance(event, Drawn) and event.seat != seat:
        return Drawn(event.seat, Card.UNKNOWN)
    if isinstance(event, Dealt):
        hands = tuple(
            held if holder == seat else (Card.UNKNOWN,) * len(held)
            for holder, held in enumerate(event.hands)
        )
        return Dealt(event.number, event.dealer, hands, event.pile)
    return event


def awaited_seats(match: Match) -> tuple[int, ...]:
    """The seats whose move is awaited now. Not for viewers: in a window it reveals who answered."""
    awaiting = match.awaiting
    if isinstance(awaiting, Turn | ExtensionChoice):
        return (awaiting.seat,)
    if isinstance(awaiting, Window):
        return awaiting.open_to
    return ()


def _cut_awaiting(awaiting: Awaiting, seat: int | None) -> Awaiting:
    if not isinstance(awaiting, Window):
        return awaiting
    own = tuple(answered for answered in awaiting.declined if answered == seat)
    return Window(awaiting.attacker, awaiting.side, awaiting.hazard, awaiting.asked, own)
