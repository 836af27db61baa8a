"""A hand that has ended, turn by turn: what a seat held, and whether each car could drive.

Everything follows from the history of the hand. It is followed once for all viewers, and
`seen_by` then leaves out what a viewer may not know.
"""

from collections.abc import Iterable
from typing import NamedTuple

from millebornes.rules import Match, events
from millebornes.rules.car import active_hazard, is_rolling
from millebornes.rules.cards import DISTANCES, SAFETIES, SAFETY_OF, Card
from millebornes.rules.state import Tableau

__all__ = ["PastTurn", "seen_by", "turns"]

_SPEED = (Card.LIM, Card.EOL)


class PastTurn(NamedTuple):
    """One turn of a seat, as it was before its first card."""

    seat: int
    held: tuple[Card, ...]
    """The cards in hand; none if the viewer may not know them."""
    tableau: Tableau
    """The cards in front of its side, without an Autoroute."""
    cause: Card | None
    """Why the car could not drive: a hazard, or `ROLL` if only a Roll was missing."""
    used: tuple[Card, ...]
    """The cards that it played or discarded in this turn."""


def seen_by(viewer: int, past: Iterable[PastTurn]) -> list[PastTurn]:
    """The turns as a seat may know them: without the cards that the others held."""
    return [turn if turn.seat == viewer else turn._replace(held=()) for turn in past]


def turns(match: Match) -> list[PastTurn]:
    """Every turn of the current hand, in order, with all its cards.

    None if the history does not begin at the deal.
    """
    history = () if match.hand is None else match.hand.history
    if not history or not isinstance(history[0], events.Dealt):
        return []
    past = _Past(match, history[0])
    for event, following in zip(history, (*history[1:], None), strict=True):
        past.follow(event, following)
    past.end_turn()
    return past.turns


class _Past:
    """The hand up to one of its events."""

    def __init__(self, match: Match, dealt: events.Dealt) -> None:
        self.turns: list[PastTurn] = []
        self._match = match
        self._held = [list(cards) for cards in dealt.hands]
        self._tableaux = [Tableau()] * match.sides
        self._turn: PastTurn | None = None
        """The turn in progress, once its first card is known."""
        self._used: tuple[Card, ...] = ()
        """The cards used in it so far."""

    def follow(self, event: events.Event, following: events.Event | None) -> None:
        """Take in an event."""
        match event:
            case events.Drawn(seat, card):
                self._held[seat].append(card)
            case events.Played(seat, card, side, cleared):
                self._use(seat, card)
                self._lay(side, card)
                self._clear(side, cleared)
                if not self._goes_on(seat, card, following):
                    self.end_turn()
            case events.Discarded(seat, card):
                self._use(seat, card)
                self.end_turn()
            case events.Countered(seat, card, _, _, cleared):
                self.end_turn()
                self._take(seat, card)
                side = self._match.side_of(seat)
                self._lay(side, card)
                self._clear(side, cleared)

    def end_turn(self) -> None:
        """The turn in progress has ended, if there is one."""
        if self._turn is not None:
            self.turns.append(self._turn._replace(used=self._used))
        self._turn = None

    def _use(self, seat: int, card: Card) -> None:
        if self._turn is not None and self._turn.seat != seat:
            self.end_turn()
        if self._turn is None:
            tableau = self._tableaux[self._match.side_of(seat)]
            self._turn = PastTurn(seat, tuple(self._held[seat]), tableau, self._cause(tableau), ())
            self._used = ()
        self._used += (card,)
        self._take(seat, card)

    def _cause(self, tableau: Tableau) -> Card | None:
        if is_rolling(tableau, self._match.edition):
            return None
        return active_hazard(tableau) or Card.ROLL

    def _take(self, seat: int, card: Card) -> None:
        held = self._held[seat]
        held.remove(card if card in held else Card.UNKNOWN)

    def _goes_on(self, seat: int, card: Card, following: events.Event | None) -> bool:
        """Does the turn go on after this card, as it does after a safety?"""
        edition = self._match.edition
        if card not in SAFETIES and not (card is Card.AUTO and edition.autoroute_is_safety):
            return False
        has_drawn = isinstance(following, events.Drawn) and following.seat == seat
        return has_drawn or edition.replay_on_empty_pile

    def _lay(self, side: int, card: Card) -> None:
        tableau = self._tableaux[side]
        if card in SAFETIES:
            tableau = tableau._replace(safeties=(*tableau.safeties, card))
        elif card in DISTANCES:
            tableau = tableau._replace(distance=(*tableau.distance, card))
        elif card in _SPEED:
            tableau = tableau._replace(speed=(*tableau.speed, card))
        elif card is not Card.AUTO:
            tableau = tableau._replace(battle=(*tableau.battle, card))
        self._tableaux[side] = tableau

    def _clear(self, side: int, cleared: tuple[Card, ...]) -> None:
        """Take the cards that went to the discard pile off their piles."""
        for card in cleared:
            tableau = self._tableaux[side]
            if card in _SPEED:
                tableau = tableau._replace(speed=tableau.speed[:-1])
            elif card in SAFETY_OF:
                tableau = tableau._replace(battle=tableau.battle[:-1])
            self._tableaux[side] = tableau
