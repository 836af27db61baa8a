"""A hint and the table at which it was given, with what sentences ask of them."""

from dataclasses import dataclass
from functools import cached_property

from millebornes.bots import Advice
from millebornes.rules import Card, Discard, Match, Move, Play, apply
from millebornes.rules.cards import COPIES
from millebornes.rules.state import Hand, Tableau, Turn
from tests.properties.random_positions import ANSWERS, LENGTHS, can_play, miles_of, rolls

__all__ = ["Hint"]


@dataclass(frozen=True)
class Hint:
    """A hint, and the table at which it was given."""

    match: Match
    seat: int
    advice: Advice

    @property
    def hand(self) -> Hand:
        assert self.match.hand is not None
        return self.match.hand

    @property
    def held(self) -> tuple[Card, ...]:
        return self.hand.hands[self.seat]

    @property
    def kept(self) -> list[Card]:
        """The hand without the card of the move."""
        kept = list(self.held)
        kept.remove(self.card)
        return kept

    @property
    def side(self) -> int:
        return self.match.side_of(self.seat)

    @property
    def own(self) -> Tableau:
        return self.hand.tableaux[self.side]

    @property
    def card(self) -> Card:
        return Card(str(self["card"]))

    @property
    def hazard(self) -> Card:
        return Card(str(self["hazard"]))

    @property
    def remedy(self) -> Card:
        return Card(str(self["remedy"]))

    @property
    def other(self) -> int:
        """The other side that the hint names."""
        return int(self["side"])

    @property
    def target(self) -> Tableau:
        return self.hand.tableaux[self.other]

    @property
    def left(self) -> int:
        return self.hand.trip - miles_of(self.own)

    @cached_property
    def after(self) -> Match:
        """The table after the move."""
        return self.then(self.advice.move)

    def then(self, move: Move) -> Match:
        after, _ = apply(self.match, self.seat, move)
        return after

    @property
    def own_after(self) -> Tableau:
        assert self.after.hand is not None
        return self.after.hand.tableaux[self.side]

    @property
    def plays_again(self) -> bool:
        return self.after.awaiting == Turn(self.seat)

    def __getitem__(self, name: str) -> str | int:
        return self.advice.params[name]

    def is_play(self) -> bool:
        return self.advice.move == Play(self.card)

    def is_discard(self) -> bool:
        return self.advice.move == Discard(self.card)

    def is_attack(self) -> bool:
        return self.advice.move == Play(self.card, self.other)

    def rivals(self) -> list[tuple[int, Tableau]]:
        return [(side, one) for side, one in enumerate(self.hand.tableaux) if side != self.side]

    def left_to(self, tableau: Tableau) -> int:
        return self.hand.trip - miles_of(tableau)

    def lead(self) -> int:
        """How far this side is ahead of every other; below 0 if it is behind."""
        return miles_of(self.own) - max(miles_of(one) for _, one in self.rivals())

    def names_the_front(self) -> bool:
        """Does no other opponent have more miles than the one it names?"""
        return self.other != self.side and self.lead() == miles_of(self.own) - miles_of(self.target)

    def unseen(self, *cards: Card) -> int:
        """How many of these cards may still come."""
        seen = [*self.hand.discard, *self.held]
        for one in self.hand.tableaux:
            seen += one.battle + one.speed + one.distance + one.safeties
        fewer = self.match.players in self.match.edition.hazards_removed_at
        return sum(COPIES[card] - (fewer and card in ANSWERS) - seen.count(card) for card in cards)

    def playable(self) -> list[Card]:
        """The distances of the hand that can be driven now."""
        return [
            card
            for card in dict.fromkeys(self.held)
            if card in LENGTHS and can_play(self.match, self.side, card)
        ]

    def is_at_rest(self) -> bool:
        return not rolls(self.match.edition, self.own)

    def is_low_on_cards(self) -> bool:
        return self["pile"] == len(self.hand.pile) < 3 * self.match.players
