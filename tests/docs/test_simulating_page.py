"""`docs/simulating.md` lists what the numbers of moves mean: all of them, and truly."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from millebornes.fast.moves import from_number
from millebornes.fast.packing import MOVES
from millebornes.rules import Card, CoupFourre, Decline, Discard, Extend, Finish, Move, Play
from millebornes.rules.cards import ALL_CARDS, HAZARDS
from millebornes.words import words

PAGE = Path(__file__).parents[2] / "docs" / "simulating.md"
NAMES = {words("en").card(card).removesuffix(" miles"): card for card in ALL_CARDS}
ANSWERS: dict[str, Move] = {
    "call the coup fourré": CoupFourre(Card.ROW),
    "decline": Decline(),
    "extend the trip": Extend(),
    "finish the hand": Finish(),
}
PLACES = ("next", "second", "third", "fourth", "fifth", "sixth", "seventh")


def rows() -> list[tuple[str, str]]:
    """The table on the page: numbers, and what they mean."""
    page = PAGE.read_text(encoding="utf-8")
    table = page[page.index("| number | move |") :].split("\n\n")[0]
    cells = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    return [(numbers, meaning) for numbers, meaning in cells]


def integers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def listed(sides: int) -> Iterator[tuple[int, Move]]:
    """The numbers on the page for the first of several sides, with the moves they stand for."""
    plays: dict[int, Card] = {}
    for numbers, meaning in rows():
        if meaning.startswith("play them on the"):
            places = re.findall("|".join(PLACES), meaning)
            hazards = {number: card for number, card in plays.items() if card in HAZARDS}
            for shift, place in zip(integers(numbers), places, strict=True):
                target = PLACES.index(place) + 1
                for number, card in hazards.items() if target < sides else ():
                    yield number + shift, Play(card, target)
        elif meaning.startswith("play "):
            names = meaning.removeprefix("play ").removesuffix(" on the next side to the left")
            for number, name in zip(integers(numbers), names.split(", "), strict=True):
                card = plays[number] = NAMES[name]
                yield number, Play(card, 1 if card in HAZARDS else None)
        elif meaning.startswith("discard that card"):
            assert numbers == "64 + the number of a play"
            for number, card in plays.items():
                yield 64 + number, Discard(card)
        else:
            for number, answer in zip(integers(numbers), meaning.split(", "), strict=True):
                yield number, ANSWERS[answer]


@pytest.mark.parametrize("sides", range(2, 9))
def test_the_page_lists_every_number_that_is_a_move_and_no_other(sides: int) -> None:
    meant = dict(listed(sides))
    assert len(meant) == len(list(listed(sides)))
    for number, move in meant.items():
        assert from_number(number, 0, sides, Card.STOP) == move
    for number in set(range(MOVES)) - set(meant):
        with pytest.raises(ValueError, match=f"{number} is not a move"):
            from_number(number, 0, sides, Card.STOP)


def test_the_page_knows_how_many_numbers_there_are() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"A move is a number below {MOVES}." in page
