"""The readable engine and the kernel play the same decks and choices, move by move.

After every decision all must be equal: the legal moves, and the whole state in canonical
order, which is what is awaited, hands, piles, distances, safeties, discards and scores.
"""

from millebornes.fast import Batch, Engine, canonical, settled
from millebornes.rules import Match, apply, awaited_seats, deal_cards, legal_moves, new_match
from millebornes.rules.state import Deal, Over
from tests.strategies import Driver


class Differ(AssertionError):  # noqa: N818 (says it best)
    """The engines do not agree."""


class Duel:
    """One match in both engines."""

    def __init__(
        self, engine: Engine, driver: Driver, *, dealer: int = 0, short_trip: bool = False
    ) -> None:
        self.driver = driver
        self.batch: Batch = engine.match(dealer=dealer)
        self.match: Match = new_match(
            engine.edition, engine.players, dealer=dealer, short_trip=short_trip
        )

    def play_hand(self) -> int:
        """Play one hand; returns its decisions."""
        deck = self.driver.deck(self.match)
        self.match, _ = deal_cards(self.match, deck)
        self.batch.deal_cards(deck)
        decisions = 0
        while self.compare():
            seat, move = self.driver.choose(self.match)
            self.batch.step([self.batch.number(move)])
            self.match, _ = apply(self.match, seat, move)
            decisions += 1
        return decisions

    def compare(self) -> bool:
        """Are both the same? Then: does the hand go on?"""
        self.match = settled(self.match)
        expected, found = canonical(self.match), self.batch.state()
        if expected != found:
            raise Differ(f"{self.driver}\nexpected {expected}\nfound    {found}")
        if isinstance(self.match.awaiting, Deal | Over):
            return False
        (seat,) = awaited_seats(self.match)
        moves = set(legal_moves(self.match, seat))
        numbers = self.batch.moves()
        if moves != {self.batch.readable(number) for number in numbers}:
            raise Differ(f"{self.driver}\n{expected}\nexpected {moves}\nfound    {numbers}")
        return True
