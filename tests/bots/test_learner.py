"""The Learner is friendly, shows the rules, and makes the mistakes of a beginner."""

import random

import pytest

from millebornes.bots import Learner
from millebornes.records import parse_move, position
from millebornes.rules import Card, CoupFourre, Finish, Move, Play, View, view
from millebornes.rules.cards import HAZARDS
from tests.bots.played import dealt, hand_of_bots
from tests.strategies import TABLES


def choice(text: str) -> Move:
    return Learner().choose(view(position.from_text(text), 0))


def is_furthest_behind(seen: View, side: int) -> bool:
    """Does nobody among the opponents have less, in miles or in the whole race?"""
    rivals = [other for other in range(seen.sides) if other != seen.side]
    miles = {other: seen.tableaux[other].miles for other in rivals}
    race = {other: 4 * miles[other] + seen.totals[other] for other in rivals}
    return miles[side] == min(miles.values()) or race[side] == min(race.values())


def test_with_several_opponents_it_never_attacks_the_one_furthest_behind() -> None:
    attacks, rng, learner = 0, random.Random(1954), Learner()
    for table in [table for table in TABLES if table[0].sides_at(table[1]) > 2] * 5:
        match = dealt(table, rng)
        for here in hand_of_bots(match, [learner] * match.players, rng):
            move = learner.choose(here.view)
            if isinstance(move, Play) and move.onto is not None:
                attacks += 1
                assert not is_furthest_behind(here.view, move.onto)
    assert attacks > 30


@pytest.mark.parametrize(
    ("miles", "target"), [((500, 400), 1), ((400, 500), 2), ((500, 500), None), ((100, 50), None)]
)
def test_it_attacks_only_cars_that_have_come_far_and_nobody_level_with_the_last(
    miles: tuple[int, int], target: int | None
) -> None:
    text = (
        "players: 3\nbattle 1: ROLL\nbattle 2: ROLL\nhand 0: only ACC 25\n"
        f"miles 1: {miles[0]}\nmiles 2: {miles[1]}\n"
    )
    move = choice(text)
    assert (move.onto if isinstance(move, Play) else None) == target


def test_a_single_opponent_is_attacked_late() -> None:
    text = "battle 1: ROLL\nhand 0: only ACC 25\nmiles 1: {}\n"
    assert choice(text.format(300)) == parse_move("x25")
    assert choice(text.format(400)) == parse_move("ACC>1")


def test_it_drives_rather_than_attack() -> None:
    text = "battle 0: ROLL\nbattle 1: ROLL\nmiles 1: 600\nhand 0: only ACC 25\n"
    assert choice(text) == Play(Card.D25)


def test_it_drives_the_longest_card_first_and_gives_the_safe_trip_away() -> None:
    assert choice("battle 0: ROLL\nhand 0: only 25 200 100\n") == Play(Card.D200)


def test_it_discards_short_distances_and_hoards_remedies() -> None:
    assert choice("hand 0: only GAS GAS GAS 25 100\n") == parse_move("x25")
    assert choice("safeties 0: TANK\nhand 0: only GAS STOP 25 100\n") == parse_move("x25")


def test_it_waits_with_its_safeties_for_a_coup_fourre_and_calls_it() -> None:
    assert choice("battle 0: ROLL\nhand 0: only ROW ACE 25\n") == Play(Card.D25)
    window = "window: STOP 1>0\nbattle 0: ROLL STOP\nhand 0: only ROW 25\n"
    assert choice(window) == CoupFourre(Card.ROW)
    assert choice("pile: 1\nhand 0: only ACE 25\n") == Play(Card.ACE)


def test_it_never_extends() -> None:
    assert choice("extension: 0\nbattle 0: ROLL\nmiles 0: 700\n") == Finish()


@pytest.mark.parametrize("hazard", sorted(HAZARDS))
def test_it_shows_how_a_hazard_is_cured(hazard: str) -> None:
    pile = "speed" if hazard == "LIM" else "battle"
    cures = {"ACC": "REP", "OUT": "GAS", "FLAT": "SPARE", "STOP": "ROLL", "LIM": "EOL"}
    text = f"{pile} 0: {hazard}\nhand 0: only {cures[hazard]} 25 100 STOP\nmiles 1: 600\n"
    assert choice(text + "battle 1: ROLL\n") == Play(Card(cures[hazard]))
