"""Moves as numbers, and back."""

from collections.abc import Iterator

import pytest

from millebornes.fast import Engine
from millebornes.fast.moves import from_number, to_number
from millebornes.fast.packing import COUP_FOURRE
from millebornes.rules import EDITIONS, Card, CoupFourre, Decline, Discard, Extend, Move, Play
from millebornes.rules.cards import HAZARDS, SAFETY_OF
from millebornes.rules.moves import move_space

every_number_of_sides = pytest.mark.parametrize("sides", range(2, 9))


def moves_of(side: int, sides: int) -> Iterator[Move]:
    """Every move a side can have, without those that only others can, and without answers."""
    for move in move_space(sides):
        if isinstance(move, CoupFourre) or (isinstance(move, Play) and move.onto == side):
            continue
        if move != Discard(Card.UNKNOWN):
            yield move


@every_number_of_sides
def test_every_move_of_every_side_has_a_number_of_its_own(sides: int) -> None:
    for side in range(sides):
        moves = list(moves_of(side, sides))
        numbers = [to_number(move, side, sides) for move in moves]
        assert len(set(numbers)) == len(moves)
        assert COUP_FOURRE not in numbers
        assert all(0 <= number < 128 for number in numbers)
        assert [from_number(number, side, sides) for number in numbers] == moves


@every_number_of_sides
def test_every_other_number_is_refused(sides: int) -> None:
    numbers = {to_number(move, 0, sides) for move in moves_of(0, sides)}
    for number in {*range(-70, 300), 2**63, 2**64} - numbers:
        with pytest.raises(ValueError, match=f"^{number} is not a move with {sides} sides$"):
            from_number(number, 0, sides)


@pytest.mark.parametrize("hazard", sorted(HAZARDS))
def test_a_coup_fourre_is_one_number_whose_safety_comes_from_the_hazard(hazard: Card) -> None:
    answer = CoupFourre(SAFETY_OF[hazard])
    assert to_number(answer, 1, 3) == COUP_FOURRE
    assert from_number(COUP_FOURRE, 1, 3, hazard) == answer


@every_number_of_sides
def test_the_same_number_attacks_the_same_neighbour_from_every_side(sides: int) -> None:
    for hazard in HAZARDS:
        for distance in range(1, sides):
            moves = [(Play(hazard, (side + distance) % sides), side) for side in range(sides)]
            assert len({to_number(move, side, sides) for move, side in moves}) == 1


@pytest.mark.parametrize("onto", [None, 1, -1, 3, 8])
def test_a_hazard_without_an_opponent_is_refused(onto: int | None) -> None:
    with pytest.raises(ValueError, match="STOP needs an opposing side, one of 3 sides"):
        to_number(Play(Card.STOP, onto), 1, 3)


@pytest.mark.parametrize("onto", [0, 1, 2])
def test_a_card_of_ones_own_that_is_aimed_at_a_side_is_refused(onto: int) -> None:
    with pytest.raises(ValueError, match="100 is played on your own side: it takes no target"):
        to_number(Play(Card.D100, onto), 0, 3)


@pytest.mark.parametrize("move", [Play(Card.UNKNOWN), Play(Card.UNKNOWN, 1), Discard(Card.UNKNOWN)])
def test_a_card_without_a_face_is_refused(move: Move) -> None:
    with pytest.raises(ValueError, match="cannot play an unknown card"):
        to_number(move, 0, 2)


def test_a_batch_reads_numbers_for_the_seat_that_is_awaited() -> None:
    batch = Engine(EDITIONS["dujardin-2019"], 8).batch(8)
    assert set(batch.games["seat"]) == set(range(8))
    for at in range(8):
        side = int(batch.games[at]["seat"]) % 4
        for move in moves_of(side, 4):
            assert batch.readable(batch.number(move, at), at) == move
        assert batch.number(Play(Card.STOP, (side + 2) % 4), at) == 3 * 8 + 1
    assert batch.readable(batch.number(Decline())) == Decline()
    assert batch.number(Extend()) != batch.number(Decline())
