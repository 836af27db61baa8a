"""What one seat, or a spectator, may see. Everything shown to anyone goes through here.

Hidden are the hands of the others (the partner's too), the order of the draw pile, and
what others answered in a coup-fourré window that is still open.
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
    """The match as one viewer may know it."""

    seat: int | None
    """The viewer; None is a spectator."""
    edition: Edition
    players: int
    forward: tuple[int, ...]
    totals: tuple[int, ...]
    awaiting: Awaiting
    """In a window, of the answers given only the viewer's own."""
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
    """Every way to lay a card of this hand that the rules refuse now, and why."""
    sheets: tuple[ScoreSheet, ...] | None
    history: tuple[Event, ...]
    """The hand so far, cut for this viewer."""

    @property
    def sides(self) -> int:
        """How many sides race."""
        return len(self.forward)

    @property
    def is_asked(self) -> bool:
        """Is something awaited of this viewer?"""
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
        """Why this card of the hand cannot be laid anywhere; None if it can."""
        if any(isinstance(move, Play) and move.card is card for move in self.legal_moves):
            return None
        return next((reason for play, reason in self.refused if play.card is card), None)


def view(match: Match, seat: int | None, *, brief: bool = False) -> View:
    """The match as this seat may know it; None is a spectator.

    A brief one is for those who follow the events as they happen: it leaves out the history,
    and off turn what is refused, which is every card for the same reason.
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
    return View(  # in order: this is made for every frame, and names take time
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
    """The cards that a seat holds: all that it sees and others do not while nothing is asked."""
    assert match.hand is not None
    return match.hand.hands[seat]


def cut(event: Event, seat: int | None) -> Event:
    """The event as this seat may know it: faces it may not see become `?`."""
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
    """The seats whose move is awaited now. Uncut: in a window it tells who has answered."""
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
