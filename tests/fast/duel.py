"""The readable engine and the kernel play the same decks and choices, move by move.

After every decision all must be equal: the legal moves, and the whole state in canonical
order, which is what is awaited, hands, piles, distances, safeties, discards and scores.
"""

import random
from collections.abc import Iterator
from functools import cache

import numpy as np

from millebornes.fast import Batch, Engine, canonical, convert, kernel, settled
from millebornes.fast.moves import to_number
from millebornes.fast.packing import (
    AWAIT_EXTENSION,
    AWAIT_TURN,
    AWAIT_WINDOW,
    DISCARDED,
    GAME,
    KIND,
)
from millebornes.rules import (
    Edition,
    Match,
    apply,
    awaited_seats,
    deal_cards,
    legal_moves,
    new_match,
)
from millebornes.rules.cards import BATTLE_HAZARDS
from millebornes.rules.state import Deal, ExtensionChoice, Over, Tableau, Turn, Window
from tests.strategies import STYLES, Driver


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


_HELD = {card: 1 << 3 * kind for card, kind in KIND.items()}
_LAID = {card: convert._pack_counts([card]) for card in KIND}
_number = cache(to_number)


class QuickDuel(Duel):
    """Compares packed words, which takes a quarter of the time, and now and then all of it."""

    def __init__(
        self, engine: Engine, driver: Driver, *, dealer: int = 0, short_trip: bool = False
    ) -> None:
        super().__init__(engine, driver, dealer=dealer, short_trip=short_trip)
        self._known: dict[int, tuple[Tableau, tuple[int, int, int, int]]] = {}

    def play_hand(self) -> int:
        deck = self.driver.deck(self.match)
        self.match, _ = deal_cards(self.match, deck)
        self.batch.deal_cards(deck)
        batch, chosen = self.batch, np.zeros(1, np.uint64)
        decisions = 0
        while True:
            self.match = settled(self.match)
            has_ended = isinstance(self.match.awaiting, Deal | Over)
            if (has_ended or decisions % 50 == 0) and not self.compare():
                return decisions
            (seat,) = awaited_seats(self.match)
            side, sides = self.match.side_of(seat), self.match.sides
            moves = legal_moves(self.match, seat)
            numbers = [_number(move, side, sides) for move in moves]
            self._compare_words(numbers)
            weights = [self.driver.weight(move) or 0.01 for move in moves]
            (place,) = self.driver.rng.choices(range(len(moves)), weights)
            chosen[0] = numbers[place]
            rules, zero = batch.engine.rules, np.uint64(0)
            assert kernel.step(batch.games, rules, chosen, zero, zero, batch.legal) == 1
            self.match, _ = apply(self.match, seat, moves[place])
            decisions += 1

    def _compare_words(self, numbers: list[int]) -> None:
        game = self.batch.games[0]
        self._compare_cards(game)
        self._compare_awaiting(game)
        plays, discards = self.batch.legal[0].tolist()
        self.same(sum(1 << number for number in numbers), plays | discards << 64)

    def same(self, expected: object, found: object) -> None:
        if expected != found:
            super().compare()
            raise Differ(f"{self.driver}\n{self.match}\nexpected {expected}\nfound    {found}")

    def _compare_cards(self, game: np.void) -> None:
        hand = self.match.hand
        assert hand is not None
        held: list[int] = game["hand"].tolist()
        for cards, word in zip(hand.hands, held, strict=False):
            self.same(sum(map(_HELD.__getitem__, cards)), word)
        cars, unders, laid = game["car"].tolist(), game["under"].tolist(), game["laid"].tolist()
        for side, tableau in enumerate(hand.tableaux):
            car, under, mask, counts = self._packed(side, tableau)
            self.same((car, under, counts), (cars[side], unders[side] & mask, laid[side]))
        self.same(sum(map(_LAID.__getitem__, hand.discard)), laid[DISCARDED])
        self.same(len(hand.pile), int(game["left"]))

    def _packed(self, side: int, tableau: Tableau) -> tuple[int, int, int, int]:
        """The words of a tableau; most have not changed since the last time."""
        if side not in self._known or self._known[side][0] is not tableau:
            one = np.zeros(1, GAME)[0]
            convert._pack_tableau(one, side, self.match.sides, tableau)
            run = len(tableau.battle) - convert._base(tableau.battle, BATTLE_HAZARDS)
            mask = (1 << 3 * max(0, run - 1)) - 1
            words = (int(one["car"][side]), int(one["under"][side]) & mask, mask)
            self._known[side] = (tableau, (*words, int(one["laid"][side])))
        return self._known[side][1]

    def _compare_awaiting(self, game: np.void) -> None:
        hand, awaiting = self.match.hand, self.match.awaiting
        assert hand is not None
        if isinstance(awaiting, Window):
            expected = (AWAIT_WINDOW, awaiting.open_to[0])
            attack = (awaiting.attacker, awaiting.side, KIND[awaiting.hazard])
            self.same(attack, (game["attacker"], game["victim"], game["hazard"]))
        elif isinstance(awaiting, Turn):
            expected = (AWAIT_TURN, awaiting.seat)
        else:
            assert isinstance(awaiting, ExtensionChoice)
            expected = (AWAIT_EXTENSION, awaiting.seat)
        self.same(expected, (int(game["awaiting"]), int(game["seat"])))
        caller = -1 if hand.caller is None else hand.caller
        found = (25 * int(game["trip"]), int(game["caller"]), bool(game["began_empty"]))
        self.same((hand.trip, caller, hand.began_empty), found)


def quick_hands(edition: Edition, players: int, seed: int) -> Iterator[int]:
    """Hands without end, match after match, in all styles: the decisions of each."""
    rng = random.Random(seed)
    while True:
        style = rng.choice(sorted(STYLES))
        short = players in edition.short_trip_at and rng.random() < 0.5
        engine = Engine(edition, players, short_trip=short)
        driver = Driver(rng.getrandbits(32), STYLES[style])
        duel = QuickDuel(engine, driver, dealer=rng.randrange(players), short_trip=short)
        while not isinstance(duel.match.awaiting, Over):
            yield duel.play_hand()
