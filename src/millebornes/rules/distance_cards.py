"""Which distance cards can make the miles of all sides together: an exact answer.

In units of 25 miles the cards are 1, 2, 3, 4 and 8. Whatever 3s a side uses, as many 200s and
100s as fit are then as good as any smaller cards, and 50s and 25s fill the rest. So only the
number of 75s of each side must be tried out.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .cards import MILES, Card

__all__ = ["STEP", "Distance", "distance_cards"]

STEP = 25
"""Miles of the shortest card: every distance is a multiple of it."""
_NO_200S = (Card.D100, Card.D75, Card.D50, Card.D25)


class Distance(NamedTuple):
    """How far a side has travelled, if its cards are not known."""

    miles: int
    """A multiple of `STEP`."""
    has_200: bool | None = None
    """Did it play a 200? None: not known."""


class _Counts(NamedTuple):
    """What the 75s tried out so far mean for the other cards, over all sides."""

    threes: int = 0
    """75s used."""
    slots: int = 0
    """100s that fit into what the 75s leave open; a 200 takes the room of two."""
    eights: int = 0
    """200s that fit, up to those there are."""
    odd: int = 0
    """Sides that need a 25."""


def distance_cards(
    wanted: Sequence[Distance], left: Mapping[Card, int], max_200s: int
) -> tuple[tuple[Card, ...], ...] | None:
    """Cards for each side, the longest first and as few 200s as possible; None: impossible.

    `left` counts the cards to choose from. No side gets more than `max_200s`.
    """
    return _cards(tuple(wanted), tuple(left[card] for card in MILES), max_200s)


@lru_cache(maxsize=256)  # whoever asks whether it is possible asks for the cards next
def _cards(
    wanted: tuple[Distance, ...], counts: tuple[int, ...], max_200s: int
) -> tuple[tuple[Card, ...], ...] | None:
    left = dict(zip(MILES, counts, strict=True))
    room = [_room(distance, distance.miles, max_200s) for distance in wanted]
    needed = [int(distance.has_200 is True) for distance in wanted]
    most = min(sum(room), left[Card.D200])
    if any(has > fits for has, fits in zip(needed, room, strict=True)) or sum(needed) > most:
        return None
    total = sum(distance.miles for distance in wanted)
    others = sum(MILES[card] * left[card] for card in _NO_200S)
    if total > others + most * MILES[Card.D200]:
        return None
    twos = list(needed)
    while total - sum(twos) * MILES[Card.D200] > others:
        open_sides = [side for side, fits in enumerate(room) if twos[side] < fits]
        twos[open_sides[0]] += 1
    return _filled(wanted, left, twos, [0] * len(wanted)) or _search(wanted, left, max_200s)


def _room(distance: Distance, miles: int, max_200s: int) -> int:
    """How many 200s fit into these miles of a side."""
    return 0 if distance.has_200 is False else min(max_200s, miles // MILES[Card.D200])


def _filled(
    wanted: Sequence[Distance],
    left: Mapping[Card, int],
    eights: Sequence[int],
    threes: Sequence[int],
) -> tuple[tuple[Card, ...], ...] | None:
    """These 200s and 75s, filled up with the longest cards that fit; None if some are missing."""
    spare = dict(left)
    cards: list[list[Card]] = []
    rest: list[int] = []
    for distance, eight, three in zip(wanted, eights, threes, strict=True):
        cards.append([Card.D200] * eight + [Card.D75] * three)
        rest.append(distance.miles - sum(MILES[card] for card in cards[-1]))
    spare[Card.D75] -= sum(threes)
    for card in _NO_200S:
        for side, miles in enumerate(rest):
            count = min(miles // MILES[card], spare[card])
            spare[card] -= count
            rest[side] -= count * MILES[card]
            cards[side] += [card] * count
    if any(rest):
        return None
    return tuple(tuple(sorted(side, key=MILES.__getitem__, reverse=True)) for side in cards)


def _search(
    wanted: Sequence[Distance], left: Mapping[Card, int], max_200s: int
) -> tuple[tuple[Card, ...], ...] | None:
    """The same, whatever 75s it takes: for decks of which little is left."""
    ways: dict[_Counts, tuple[int, ...]] = {_Counts(): ()}
    for distance in wanted:
        after: dict[_Counts, tuple[int, ...]] = {}
        for counts, used in ways.items():
            fit = min(distance.miles // MILES[Card.D75], left[Card.D75] - counts.threes)
            for threes in range(fit + 1):
                miles = distance.miles - threes * MILES[Card.D75]
                room = _room(distance, miles, max_200s)
                if distance.has_200 and not room:
                    break
                reached = _Counts(
                    counts.threes + threes,
                    counts.slots + miles // MILES[Card.D100],
                    min(counts.eights + room, left[Card.D200]),
                    counts.odd + miles // STEP % 2,
                )
                after.setdefault(reached, (*used, threes))
        ways = after
    needed = sum(distance.has_200 is True for distance in wanted)
    total = sum(distance.miles for distance in wanted)
    for eights in range(needed, left[Card.D200] + 1):
        for counts, threes_of in ways.items():
            if eights <= counts.eights and _fits(total, counts, eights, left):
                twos = _spread(wanted, threes_of, eights, max_200s)
                return _filled(wanted, {**left, Card.D75: sum(threes_of)}, twos, threes_of)
    return None


def _fits(total: int, counts: _Counts, eights: int, left: Mapping[Card, int]) -> bool:
    """Are there 50s and 25s for what these 75s and 200s, and the 100s beside them, leave open?"""
    fours = min(left[Card.D100], counts.slots - 2 * eights)
    long = {Card.D75: counts.threes, Card.D200: eights, Card.D100: fours}
    rest = total - sum(MILES[card] * count for card, count in long.items())
    ones = max(rest // STEP - 2 * left[Card.D50], counts.odd)
    return ones <= left[Card.D25]


def _spread(
    wanted: Sequence[Distance], threes: Sequence[int], eights: int, max_200s: int
) -> list[int]:
    """This many 200s, given to the sides that must have one first."""
    spread = [int(distance.has_200 is True) for distance in wanted]
    for side, distance in enumerate(wanted):
        room = _room(distance, distance.miles - threes[side] * MILES[Card.D75], max_200s)
        more = min(room - spread[side], eights - sum(spread))
        spread[side] += more
    return spread
