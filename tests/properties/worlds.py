"""Two worlds that one viewer cannot tell apart: the same game with hidden cards exchanged."""

from collections.abc import Iterator, Sequence

from millebornes.rules import Card, IllegalMove, Match, Move, apply, deal_cards
from tests.strategies import HandPlayed


def exchanged(deck: Sequence[Card], first: int, second: int) -> tuple[Card, ...]:
    cards = list(deck)
    cards[first], cards[second] = cards[second], cards[first]
    return tuple(cards)


def replayed(
    hand: HandPlayed, deck: Sequence[Card], moves: Sequence[tuple[int, Move]]
) -> Iterator[Match]:
    """The table after the deal and after each move, if the cards had lain like this.

    Stops before a move that is not legal in that world.
    """
    match, _ = deal_cards(hand.start, deck)
    yield match
    for seat, move in moves:
        try:
            match, _ = apply(match, seat, move)
        except IllegalMove:
            return
        yield match
