"""The game that a simulation or a contest plays, and its decks."""

from dataclasses import dataclass

from millebornes.bots import BOTS, YARDSTICKS
from millebornes.fast import POLICIES, Engine
from millebornes.fast.decks import deck_of
from millebornes.rules import Card, Edition, Match, awaited_seats, deal_cards, new_match, view

__all__ = ["Setup", "bot_names"]


def bot_names() -> tuple[str, ...]:
    """Every bot and policy of ours that can play in simulations and in the arena."""
    return tuple(dict.fromkeys((*POLICIES, *BOTS, *YARDSTICKS)))


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The game that is played. The same values give the same decks on every machine."""

    edition: Edition
    players: int
    seed: int = 0
    short_trip: bool = False

    @property
    def sides(self) -> int:
        """The number of sides; a team is one side."""
        return self.edition.sides_at(self.players)

    def engine(self) -> Engine:
        """The fast engine for this game."""
        return Engine(self.edition, self.players, short_trip=self.short_trip)

    def new_match(self, index: int) -> Match:
        """The match with this number, before its first deal."""
        dealer = index % self.players if self.edition.dealer == "rotates" else 0
        return new_match(self.edition, self.players, dealer=dealer, short_trip=self.short_trip)

    def deck(self, index: int, hand: int) -> tuple[Card, ...]:
        """The deck of a hand, counted from 0, of the match with this number."""
        return deck_of(self.edition, self.players, seed=self.seed, index=index, hand=hand)

    def compile_choices(self) -> None:
        """Compile what the engine needs to choose a move; the first time this takes seconds."""
        dealt, _ = deal_cards(self.new_match(0), self.deck(0, 0))
        (seat,) = awaited_seats(dealt)
        self.engine().choose(view(dealt, seat), POLICIES[0])
