"""A hand that has ended, turn by turn: what a seat held, and whether each car could drive.

Everything follows from the history of the hand. It is followed once for all viewers: what
everybody saw is apart from what each seat held.
"""

from typing import NamedTuple

from millebornes.rules import Match, events
from millebornes.rules.car import active_hazard, is_rolling
from millebornes.rules.cards import DISTANCES, SAFETIES, SAFETY_OF, Card
from millebornes.rules.state import Tableau

__all__ = ["Past", "PastTurn", "past_of"]

_SPEED = (Card.LIM, Card.EOL)


class PastTurn(NamedTuple):
    """One turn of a seat as everybody saw it: the table before its first card, and its cards."""

    seat: int
    tableau: Tableau
    """The cards in front of its side, without an Autoroute."""
    cause: Card | None
    """Why the car could not drive: a hazard, or `ROLL` if only a Roll was missing."""
    used: tuple[Card, ...]
    """The cards that it played or discarded in this turn."""


class Past(NamedTuple):
    """All turns of a hand, in order."""

    turns: list[PastTurn]
    held: list[list[tuple[Card, ...]]]
    """Of each seat, its cards at the beginning of each of its turns. Only it may know them."""


def past_of(match: Match) -> Past:
    """The turns of the current hand; none if its history does not begin at the deal."""
    history = () if match.hand is None else match.hand.history
    if not history or not isinstance(history[0], events.Dealt):
        return Past([], [[] for _ in range(match.players)])
    following = _Following(match, history[0])
    for event, after in zip(history, (*history[1:], None), strict=True):
        following.follow(event, after)
    following.end_turn()
    return following.past


class _Following:
    """The hand up to one of its events."""

    def __init__(self, match: Match, dealt: events.Dealt) -> None:
        self.past = Past([], [[] for _ in range(match.players)])
        self._match = match
        self._held = [list(cards) for cards in dealt.hands]
        self._tableaux = [Tableau()] * match.sides
        self._causes = [self._cause(tableau) for tableau in self._tableaux]
        self._seat: int | None = None
        """Whose turn is in progress, once its first card is known."""
        self._before = self._tableaux[0], self._causes[0]
        """The car at its beginning, and why it could not drive."""
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
        if self._seat is not None:
            self.past.turns.append(PastTurn(self._seat, *self._before, self._used))
        self._seat = None

    def _use(self, seat: int, card: Card) -> None:
        if self._seat is not None and self._seat != seat:
            self.end_turn()
        if self._seat is None:
            side = self._match.side_of(seat)
            self._seat, self._used = seat, ()
            self._before = self._tableaux[side], self._causes[side]
            self.past.held[seat].append(tuple(self._held[seat]))
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
        self._put(side, tableau)

    def _clear(self, side: int, cleared: tuple[Card, ...]) -> None:
        """Take the cards that went to the discard pile off their piles."""
        for card in cleared:
            tableau = self._tableaux[side]
            if card in _SPEED:
                tableau = tableau._replace(speed=tableau.speed[:-1])
            elif card in SAFETY_OF:
                tableau = tableau._replace(battle=tableau.battle[:-1])
            self._put(side, tableau)

    def _put(self, side: int, tableau: Tableau) -> None:
        before, self._tableaux[side] = self._tableaux[side], tableau
        # Distance cards change nothing about it.
        if before.battle is not tableau.battle or before.safeties is not tableau.safeties:
            self._causes[side] = self._cause(tableau)
