"""The engine's random numbers, written again in plain Python: the same on every machine."""

from itertools import islice

import pytest

from millebornes.fast import Engine
from millebornes.rules import EDITIONS, Card, Discard
from tests.strategies import TABLES, Table, table_id

WORD = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mixed(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD
    return x ^ (x >> 31)


class SplitMix64:
    """The generator as its author published it."""

    def __init__(self, seed: int) -> None:
        self.state = seed & WORD

    def __iter__(self) -> "SplitMix64":
        return self

    def __next__(self) -> int:
        self.state = (self.state + STEP) & WORD
        return mixed(self.state)

    def below(self, n: int) -> int:
        return (next(self) >> 32) * n >> 32


def seeded(seed: int, index: int) -> int:
    return mixed((mixed((seed + STEP) & WORD) + index * 0xD1342543DE82EF95) & WORD)


def dealt(deck: tuple[Card, ...], seed: int, match: int, hand: int) -> tuple[Card, ...]:
    """The deck of a hand in the order in which it is drawn."""
    chance = SplitMix64(seeded(seeded(seed, match), hand))
    left = list(deck)
    drawn = []
    while left:
        place = chance.below(len(left))
        left[place], left[-1] = left[-1], left[place]
        drawn.append(left.pop())
    return tuple(drawn)


def test_our_twin_gives_the_published_numbers() -> None:
    assert list(islice(SplitMix64(0), 3)) == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    assert list(islice(SplitMix64(1234567), 2)) == [6457827717110365317, 3203168211198807973]


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_a_hand_is_dealt_from_its_seed_and_number_alone(table: Table) -> None:
    edition, players = table
    deck = edition.deck(players)
    seed = 0xFEDC_BA98_7654_3210
    batch = Engine(edition, players).batch(3, seed=seed, first=5)
    hands = 0
    while hands < 2:
        # Who only discards draws every card.
        batch.step([moves[-1] if (moves := batch.moves(at)) else 0 for at in range(3)])
        if batch.ended.all():
            for at in range(3):
                assert batch.deck(at) == dealt(deck, seed, 5 + at, hands)
            hands += 1


def test_the_hand_that_is_known_by_heart() -> None:
    batch = Engine(EDITIONS["winning-moves"], 2).batch(1, seed=1954)
    while not batch.ended[0]:
        assert isinstance(batch.readable(batch.moves()[-1]), Discard)
        batch.step(batch.moves()[-1:])
    assert " ".join(batch.deck()[:14]) == KNOWN


KNOWN = "GAS SPARE LIM GAS ROLL ACC 100 50 50 TANK ROLL GAS EOL 75"
"""Written down once: if it changes, every seed that anybody noted is worth nothing."""


@pytest.mark.parametrize(("one", "other"), [(0, 1 << 64), (-1, WORD), (5, 5 - (1 << 64))])
def test_a_seed_counts_by_its_lowest_64_bits(one: int, other: int) -> None:
    engine = Engine(EDITIONS["article"], 2)
    assert engine.hands(5, seed=one).tobytes() == engine.hands(5, seed=other).tobytes()
