"""The kernel plays by the same rules as the readable engine, in every edition."""

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.fast import Engine
from millebornes.rules import EDITIONS, Edition
from millebornes.rules.edition import PLAYER_COUNTS
from millebornes.rules.state import Over
from tests.strategies import STYLES, TABLES, Driver, Table, drivers, house_tables, table_id

from .duel import Duel, quick_hands
from .options import CHOICES, pairs_of, pairwise


def play(edition: Edition, players: int, driver: Driver, hands: int, **choices: bool) -> None:
    short_trip = choices.get("short_trip", False)
    engine = Engine(edition, players, short_trip=short_trip)
    duel = Duel(engine, driver, dealer=players - 1, short_trip=short_trip)
    for _ in range(hands):
        if isinstance(duel.match.awaiting, Over):
            return
        duel.play_hand()


@pytest.mark.parametrize("style", sorted(STYLES))
@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_both_engines_play_every_edition_alike(table: Table, style: str) -> None:
    edition, players = table
    play(edition, players, Driver(1954, STYLES[style]), hands=6)
    if players in edition.short_trip_at:
        play(edition, players, Driver(1955, STYLES[style]), hands=3, short_trip=True)


HANDS = 150
"""Of each table. All tables together play thousands."""


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_both_engines_play_match_after_match_alike(table: Table) -> None:
    played = list(islice(quick_hands(*table, seed=1954), HANDS))
    assert len(played) * len(TABLES) >= 3000
    assert min(played) > 10


ROWS = tuple(pairwise(CHOICES, 1954))


def test_every_pair_of_options_is_tried() -> None:
    met = set().union(*(pairs_of(row) for row in ROWS))
    assert len(met) == sum(
        len(CHOICES[a]) * len(CHOICES[b]) for a in CHOICES for b in CHOICES if a < b
    )


@pytest.mark.parametrize("players", PLAYER_COUNTS)
@pytest.mark.parametrize("number", range(len(ROWS)))
def test_both_engines_play_every_pair_of_options_alike(number: int, players: int) -> None:
    rng = random.Random(number)
    edition = house(ROWS[number], rng)
    for style in rng.sample(sorted(STYLES), 3):
        play(edition, players, Driver(number, STYLES[style]), hands=2)


def house(row: dict[str, object], rng: random.Random) -> Edition:
    """House rules for every player count, with trips that are soon completed."""
    trips = {str(players): rng.choice([300, 700, 725]) for players in PLAYER_COUNTS}
    counts = {"player_counts": list(PLAYER_COUNTS), "trip": trips}
    return EDITIONS[rng.choice(sorted(EDITIONS))].house({**row, **counts})


@given(house_tables(), drivers(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_both_engines_play_any_house_rules_alike(
    table: Table, driver: Driver, prefers_short: bool
) -> None:
    edition, players = table
    short = prefers_short and players in edition.short_trip_at
    play(edition, players, driver, hands=2, short_trip=short)


def test_a_whole_match_goes_on_until_it_is_over_in_both_engines() -> None:
    duel = Duel(Engine(EDITIONS["winning-moves"], 3), Driver(7, STYLES["race"]), dealer=2)
    while not isinstance(duel.match.awaiting, Over):
        duel.play_hand()
    assert duel.batch.over[0]
