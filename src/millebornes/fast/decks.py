"""The randomness of a simulated hand, in plain Python: its deck, and the seeds of its choices.

The kernel draws lazily, from the same random numbers. If only the cards are random, as with the
greedy policy, its hands are dealt and drawn from exactly these decks.
"""

from millebornes.rules import Card, Edition

__all__ = ["choice_seed", "deck_of"]

_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def deck_of(
    edition: Edition, players: int, *, seed: int, index: int, hand: int = 0
) -> tuple[Card, ...]:
    """The deck of hand number `hand`, counted from 0, of the match number `index`."""
    cards = list(edition.deck(players))
    state = _seeded(_seeded(seed & _WORD, index), hand)
    for left in range(len(cards), 0, -1):
        state = (state + _STEP) & _WORD
        place = (_mixed(state) >> 32) * left >> 32
        cards[place], cards[left - 1] = cards[left - 1], cards[place]
    return tuple(reversed(cards))


def choice_seed(*, seed: int, index: int, hand: int, asked: int) -> int:
    """The seed of decision number `asked` in a hand, counted from 0.

    Every decision has its own seed, independent of the deck's random numbers.
    """
    return _seeded(_seeded(_seeded(seed & _WORD, index), hand), asked)


def _mixed(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _WORD
    return x ^ (x >> 31)


def _seeded(seed: int, index: int) -> int:
    return _mixed((_mixed((seed + _STEP) & _WORD) + index * 0xD1342543DE82EF95) & _WORD)
