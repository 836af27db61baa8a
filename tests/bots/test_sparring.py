"""The sparring partner plays as its description says."""

import pytest

from millebornes.bots import BOTS, YARDSTICKS, Sparring
from millebornes.records import parse_move, position
from millebornes.rules import Card, Extend, Finish, Move, Play, view


def choice(text: str) -> Move:
    return Sparring().choose(view(position.from_text(text), 0))


def test_it_is_a_yardstick_and_no_level() -> None:
    assert YARDSTICKS["sparring"] is Sparring
    assert "sparring" not in BOTS


def test_a_safety_that_cures_is_laid_at_once() -> None:
    assert choice("battle 0: ROLL FLAT\nhand 0: only PROOF SPARE 25\n") == Play(Card.PROOF)


@pytest.mark.parametrize(
    ("why", "text"),
    [
        ("the opponent could win with one card", "miles 1: 500\n"),
        ("it is about to finish", "battle 0: ROLL\nmiles 0: 675\n"),
        ("every matching hazard has been seen", "discard: FLAT FLAT\n"),
        ("there is no other play, and the deck runs low", "pile: 2\n"),
    ],
)
def test_a_safety_is_kept_until(why: str, text: str) -> None:
    hand = "hand 0: only PROOF 25 GAS\n"
    assert choice(hand) != Play(Card.PROOF)
    assert choice(text + hand) == Play(Card.PROOF), why


def test_it_attacks_with_the_hazard_whose_remedies_are_gone() -> None:
    text = "battle 0: ROLL\nbattle 1: ROLL\nhand 0: only OUT FLAT 25\ndiscard: {0} {0} {0} {0}\n"
    assert choice(text.format("GAS")) == parse_move("OUT>1")
    assert choice(text.format("SPARE")) == parse_move("FLAT>1")


def test_it_attacks_first_if_the_opponent_is_one_card_from_winning() -> None:
    text = "battle 0: ROLL\nbattle 1: ROLL\nmiles 0: 100\nmiles 1: {}\nhand 0: only ACC 100\n"
    assert choice(text.format(300)) == Play(Card.D100)
    assert choice(text.format(500)) == parse_move("ACC>1")


def test_spare_remedies_and_those_of_few_hazards_are_discarded_first() -> None:
    assert choice("hand 0: only GAS GAS GAS 100\n") == parse_move("xGAS")
    text = "discard: OUT OUT FLAT\nhand 0: only GAS SPARE 200 REP\n"
    assert choice(text) == parse_move("xGAS")


def test_it_does_not_drive_a_short_distance_that_leaves_what_no_card_drives() -> None:
    text = "battle 0: ROLL\nmiles 0: {}\nhand 0: only 25 GAS SPARE\n"
    assert choice(text.format(475)) == Play(Card.D25)  # leaves 200
    assert choice(text.format(500)) != Play(Card.D25)  # leaves 175


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("hand 0: only ACE TANK 25\nmiles 1: 100\n", Extend()),
        ("hand 0: only ACE 25 25\nmiles 1: 100\n", Finish()),
        ("hand 0: only ACE TANK 25\n", Finish()),
        ("hand 0: only ACE TANK 25\nmiles 1: 600\n", Finish()),
        ("hand 0: only ACE TANK 25\nmiles 1: 100\npile: 10\n", Finish()),
    ],
)
def test_it_extends_only_with_safeties_against_a_slow_opponent_and_a_large_pile(
    text: str, move: Move
) -> None:
    assert choice("extension: 0\nbattle 0: ROLL\nmiles 0: 700\n" + text) == move
