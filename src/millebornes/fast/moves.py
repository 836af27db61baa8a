"""Moves as numbers, and back."""

from millebornes.rules.cards import ALL_CARDS, HAZARDS, SAFETY_OF, Card
from millebornes.rules.moves import CoupFourre, Decline, Discard, Extend, Finish, Move, Play

from .packing import COUP_FOURRE, DECLINE, DISCARD, EXTEND, FINISH, KIND, TARGET_SHIFT

__all__ = ["from_number", "to_number"]

_ANSWERS: dict[Move, int] = {Decline(): DECLINE, Extend(): EXTEND, Finish(): FINISH}


def to_number(move: Move, side: int, sides: int) -> int:
    """The number of a move that `side`, one of `sides`, makes.

    An answer does not name its hazard: a coup fourré has the same number for every safety.
    """
    if isinstance(move, CoupFourre):
        return COUP_FOURRE
    if isinstance(move, Play | Discard):
        if move.card is Card.UNKNOWN:
            raise ValueError("the fast engine cannot play an unknown card (?)")
        place = 3 * KIND[move.card]
        if isinstance(move, Discard):
            return DISCARD + place
        if move.card not in HAZARDS:
            if move.onto is not None:
                raise ValueError(
                    f"{move.card.value} is played on your own side: it takes no target"
                )
            return place
        if move.onto is None or move.onto == side or not 0 <= move.onto < sides:
            raise ValueError(f"{move.card.value} needs an opposing side, one of {sides} sides")
        return place + TARGET_SHIFT[(move.onto - side) % sides - 1]
    return _ANSWERS[move]


def from_number(number: int, side: int, sides: int, hazard: Card | None = None) -> Move:
    """The move with this number. A coup fourré needs the hazard that it answers."""
    if number == COUP_FOURRE and hazard is not None:
        return CoupFourre(SAFETY_OF[hazard])
    for answer, its_number in _ANSWERS.items():
        if number == its_number:
            return answer
    if number >= DISCARD and (number - DISCARD) % 3 == 0 and number - DISCARD < 3 * len(ALL_CARDS):
        return Discard(ALL_CARDS[(number - DISCARD) // 3])
    if 0 <= number < 3 * len(ALL_CARDS):
        card = ALL_CARDS[number // 3]
        if number % 3 == 0 and card not in HAZARDS:
            return Play(card)
        for slot, shift in enumerate(TARGET_SHIFT[: sides - 1]):
            kind, rest = divmod(number - shift, 3)
            if rest == 0 and kind >= 0 and ALL_CARDS[kind] in HAZARDS:
                return Play(ALL_CARDS[kind], (side + 1 + slot) % sides)
    raise ValueError(f"{number} is not a move with {sides} sides")
