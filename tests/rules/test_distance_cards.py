"""Which distance cards make the miles of all sides together, compared with trying everything."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.rules.cards import COPIES, MILES, Card
from millebornes.rules.distance_cards import Distance, distance_cards

FEW = st.tuples(*(st.integers(0, 3) for _ in MILES)).map(
    lambda counts: dict(zip(MILES, counts, strict=True))
)
WANTED = st.lists(
    st.builds(
        Distance,
        st.integers(0, 14).map(lambda n: 25 * n),
        st.sampled_from([None, None, True, False]),
    ),
    max_size=3,
)


def is_possible(wanted: Sequence[Distance], left: Mapping[Card, int], max_200s: int) -> bool:
    """The same by trying every choice of cards for every side."""
    if not wanted:
        return True
    first, *others = wanted
    for counts in product(*(range(left[card] + 1) for card in MILES)):
        used = dict(zip(MILES, counts, strict=True))
        twos = used[Card.D200]
        if sum(MILES[card] * count for card, count in used.items()) != first.miles:
            continue
        if twos > max_200s or first.has_200 not in (None, twos > 0):
            continue
        if is_possible(others, {card: left[card] - used[card] for card in MILES}, max_200s):
            return True
    return False


def check(
    found: Sequence[Sequence[Card]],
    wanted: Sequence[Distance],
    left: Mapping[Card, int],
    max_200s: int,
) -> None:
    """These cards are what was wanted."""
    assert not Counter(card for cards in found for card in cards) - Counter(left)
    for cards, (miles, has_200) in zip(found, wanted, strict=True):
        assert sum(MILES[card] for card in cards) == miles
        assert cards.count(Card.D200) <= max_200s
        assert has_200 in (None, Card.D200 in cards)


@given(WANTED, FEW, st.integers(0, 3))
@settings(max_examples=600)
def test_cards_are_found_if_and_only_if_there_are_some(
    wanted: list[Distance], left: dict[Card, int], max_200s: int
) -> None:
    found = distance_cards(wanted, left, max_200s)
    assert (found is not None) is is_possible(wanted, left, max_200s)
    if found is not None:
        check(found, wanted, left, max_200s)


@given(st.lists(st.integers(0, 40).map(lambda n: 25 * n), max_size=8), st.integers(0, 4))
def test_the_whole_deck_makes_any_miles_up_to_its_own(miles: list[int], max_200s: int) -> None:
    wanted = [Distance(n) for n in miles]
    found = distance_cards(wanted, COPIES, max_200s)
    fit = sum(min(max_200s, n // 200) for n in miles)
    assert (found is not None) is (sum(miles) <= 2700 + 200 * min(fit, 4))
    if found is not None:
        check(found, wanted, COPIES, max_200s)


def test_the_longest_cards_are_picked_first_and_200s_only_if_needed() -> None:
    assert distance_cards([Distance(675), Distance(75)], COPIES, 2) == (
        (*[Card.D100] * 6, Card.D75),
        (Card.D75,),
    )
    assert distance_cards([Distance(300, has_200=True)], COPIES, 2) == ((Card.D200, Card.D100),)


def test_75s_are_picked_instead_of_a_100_if_nothing_else_fits() -> None:
    left = {Card.D25: 0, Card.D50: 0, Card.D75: 3, Card.D100: 1, Card.D200: 1}
    assert distance_cards([Distance(150)], left, 2) == ((Card.D75, Card.D75),)
    # A side that played a 200 cannot make up for it with 75s.
    assert distance_cards([Distance(225, has_200=True)], left, 2) is None
    assert distance_cards([Distance(225)], left, 2) == ((Card.D75,) * 3,)
