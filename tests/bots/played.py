"""Positions that bots reach: every edition and player count in turn, mixed bots at the table."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from millebornes.bots import BOTS, YARDSTICKS, Bot, playable
from millebornes.rules import (
    Match,
    View,
    apply,
    awaited_seats,
    deal_cards,
    legal_moves,
    new_match,
    view,
)
from millebornes.rules.state import Deal, Over
from tests.properties.random_positions import house
from tests.strategies import STYLES, TABLES, Driver, Table

ALL: dict[str, Callable[[], Bot]] = {name: BOTS[name] for name in playable()} | dict(YARDSTICKS)
"""Every bot of ours that can play on this machine."""
_CHANCE = 0.05
"""How many moves are random, so that bots meet what they would not bring about."""


@dataclass(frozen=True)
class Position:
    """A seat to decide."""

    match: Match
    seat: int

    @cached_property
    def view(self) -> View:
        return view(self.match, self.seat)


def table_of(number: int, rng: random.Random) -> Table:
    """Every printed edition and player count in turn, and house rules as every fifth table."""
    if number % 5 < 4:
        return TABLES[(number - number // 5) % len(TABLES)]
    edition = house(rng)
    return edition, rng.choice(edition.player_counts)


def dealt(table: Table, rng: random.Random) -> Match:
    """A hand of a match that may have lasted for a while."""
    edition, players = table
    short = players in edition.short_trip_at and rng.random() < 0.5
    match = new_match(edition, players, dealer=rng.randrange(players), short_trip=short)
    if rng.random() < 0.5:
        most = min(edition.target, 20_000) // 25
        match = match._replace(forward=tuple(25 * rng.randrange(most) for _ in match.forward))
    style = STYLES[rng.choice(["even", "even", "safe"])]
    return deal_cards(match, Driver(rng.randrange(2**32), style).deck(match))[0]


def hand_of_bots(
    match: Match, seats: Sequence[Bot], rng: random.Random, chance: float = _CHANCE
) -> Iterator[Position]:
    """Every decision of a hand among these bots."""
    while not isinstance(match.awaiting, Deal | Over):
        seat = rng.choice(awaited_seats(match))
        position = Position(match, seat)
        yield position
        if rng.random() < chance:
            move = rng.choice(legal_moves(match, seat))
        else:
            move = seats[seat].choose(position.view)
        match, _ = apply(match, seat, move)


def positions(amount: int, seed: int, *, with_house_rules: bool = False) -> Iterator[Position]:
    """So many positions, one decision of about eight each; the same for the same seed."""
    rng, bots = random.Random(seed), {name: make() for name, make in ALL.items()}
    for number in count():
        table = table_of(number, rng) if with_house_rules else TABLES[number % len(TABLES)]
        match = dealt(table, rng)
        seats = [bots[rng.choice(list(bots))] for _ in range(match.players)]
        for position in hand_of_bots(match, seats, rng):
            if rng.random() < 1 / 8:
                yield position
                amount -= 1
            if not amount:
                return


def with_other_hidden_cards(position: Position, rng: random.Random) -> Match:
    """The same table for this seat, with all cards that it cannot see dealt anew."""
    hand = position.match.hand
    assert hand is not None
    others = [seat for seat in range(position.match.players) if seat != position.seat]
    hidden = [card for seat in others for card in hand.hands[seat]] + list(hand.pile)
    rng.shuffle(hidden)
    hands, pile = list(hand.hands), hidden
    for seat in others:
        size = len(hand.hands[seat])
        hands[seat], pile = tuple(pile[:size]), pile[size:]
    return position.match._replace(hand=hand._replace(hands=tuple(hands), pile=tuple(pile)))
