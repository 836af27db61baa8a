"""The engine's random numbers, written again in plain Python: the same on every machine."""

import hashlib
from itertools import islice

import numpy as np
import pytest

from millebornes.fast import Batch, Engine
from millebornes.fast.packing import COUP_FOURRE, EXTEND
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

MATCHES = {
    ("greedy", "parker-1988", 3): "0ab5ebdc07be23c5",
    ("greedy", "winning-moves", 2): "6b0dec4b44e56235",
    ("greedy", "encyclopedia", 4): "b3096d96d0e9ec20",
    ("greedy", "dujardin-2019", 8): "5c34c2c8a7a38bb7",
    ("random", "parker-1988", 3): "83c3dd1cbdac5bfe",
    ("random", "winning-moves", 2): "53234b389a50258e",
    ("random", "encyclopedia", 4): "689152242cd51c23",
    ("random", "dujardin-2019", 8): "96898d526af8fccf",
}
"""Digests of 200 matches, also written down once."""


@pytest.mark.parametrize(("table", "digest"), MATCHES.items(), ids=str)
def test_the_matches_of_a_seed_never_change(table: tuple[str, str, int], digest: str) -> None:
    policy, edition, players = table
    rows = Engine(EDITIONS[edition], players).matches(200, seed=1954, bots=[policy])
    told = str((rows["decisions"].tolist(), rows["lines"].tolist()))
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == digest


# The choices of random play


class RandomDriver:
    """The random policy in plain Python: a choice takes the low half of the number in the game."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def choose(self) -> int:
        game, moves = self.batch.games[0], self.batch.moves()
        if moves[0] == COUP_FOURRE:
            return COUP_FOURRE
        if moves[0] == EXTEND:
            # The number in the game has chosen the play before: take the next one.
            game["rng"] = (int(game["rng"]) + STEP) & WORD
            game["chance"] = mixed(int(game["rng"]))
        low = int(game["chance"]) & 0xFFFF_FFFF
        return moves[low * len(moves) >> 32]


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_random_play_chooses_by_the_low_half_of_the_number_that_draws_next(table: Table) -> None:
    engine = Engine(*table)
    rows = engine.hands(40, seed=3, bots=["random"])
    for hand in range(40):
        batch = engine.batch(1, seed=3, first=hand)
        driver = RandomDriver(batch)
        while not batch.ended[0]:
            batch.step([driver.choose()])
        (game,) = batch.games
        assert rows[hand]["decisions"] == game["decisions"]
        assert rows[hand]["total"].tolist() == game["total"].tolist()


def test_every_decision_of_a_turn_has_a_number_of_its_own() -> None:
    """Also when the pile is empty: then nothing is drawn, but chance must go on."""
    engine = Engine(EDITIONS["winning-moves"], 2)
    empty = 0
    for hand in range(20):
        batch = engine.batch(1, seed=5, first=hand)
        numbers = []
        while not batch.ended[0]:
            game = batch.games[0]
            numbers.append(int(game["chance"]))
            empty += int(game["left"] == 0)
            batch.step(batch.moves()[-1:])
        assert len(set(numbers)) == len(numbers)
    assert empty > 100


def test_what_is_chosen_says_nothing_about_what_is_drawn_next() -> None:
    """Both come from one number: chance must treat its halves as two."""
    engine = Engine(EDITIONS["winning-moves"], 2)
    batch = engine.batch(4000, seed=9)
    high = batch.games["chance"] >> np.uint64(32)
    low = batch.games["chance"] & np.uint64(0xFFFF_FFFF)
    assert abs(np.corrcoef(high.astype(float), low.astype(float))[0, 1]) < 4 / 4000**0.5
    cells = np.histogram2d(high.astype(float), low.astype(float), bins=8)[0]
    chi = ((cells - 4000 / 64) ** 2 / (4000 / 64)).sum()
    assert chi < 63 + 4 * (2 * 63) ** 0.5


@pytest.mark.parametrize(("one", "other"), [(0, 1 << 64), (-1, WORD), (5, 5 - (1 << 64))])
def test_a_seed_counts_by_its_lowest_64_bits(one: int, other: int) -> None:
    engine = Engine(EDITIONS["article"], 2)
    assert engine.hands(5, seed=one).tobytes() == engine.hands(5, seed=other).tobytes()
