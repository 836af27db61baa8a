"""What cannot be true of a hand, and on which rule that rests."""

import pytest

from millebornes.rules import EDITIONS, new_match
from millebornes.rules.cards import COPIES, Card
from millebornes.rules.ending import Impossible, Told, ToldSide, why_impossible

WINNING_MOVES, DUJARDIN = EDITIONS["winning-moves"], EDITIONS["dujardin-2019"]
NOTHING = ToldSide()


def impossible(told: Told, players: int = 2) -> Impossible:
    found = why_impossible(new_match(WINNING_MOVES, players), told)
    assert found is not None
    return found


@pytest.mark.parametrize("now", ["playing", "choosing", "completed", "exhausted"])
def test_a_hand_of_which_nothing_is_told_can_be(now: str) -> None:
    told = Told(now=now, by=0, caller=0, sides=(NOTHING, NOTHING), left=COPIES)  # type: ignore[arg-type]
    assert why_impossible(new_match(WINNING_MOVES, 2), told) is None


def test_a_200_does_not_fit_into_fewer_miles() -> None:
    for miles, code in ((175, "too_short_for_200"), (110, "odd_miles")):
        sides = (ToldSide(miles, has_200=True), NOTHING)
        found = impossible(Told(now="exhausted", sides=sides, left=COPIES))
        assert (found.code, found.mapping, found.field) == (code, {"side": 0, "miles": miles}, None)
    fits = Told(now="exhausted", sides=(ToldSide(200, has_200=True), NOTHING), left=COPIES)
    assert why_impossible(new_match(WINNING_MOVES, 2), fits) is None


def test_it_rests_on_the_field_that_sets_the_trip() -> None:
    sides = (ToldSide(400), NOTHING)
    usual = Told(now="completed", by=0, sides=sides, left=COPIES)
    assert impossible(usual).field == "trip"
    called = Told(now="completed", by=0, caller=1, sides=sides, left=COPIES)
    assert impossible(called).field == "extension_at"
    short = new_match(DUJARDIN, 4, short_trip=True)
    four = Told(now="completed", by=0, sides=(*sides, NOTHING, NOTHING), left=COPIES)
    found = why_impossible(short, four)
    assert found is not None
    assert (found.code, found.field) == ("not_completed", "short_trip_at")
    cards = (Card.D200,) * 3
    many = Told(now="playing", sides=(ToldSide(600, cards=cards), NOTHING), left=COPIES)
    assert impossible(many).field == "max_200s"


def test_the_plainest_contradiction_is_told_first() -> None:
    sides = (ToldSide(710), ToldSide(1000))
    told = Told(now="completed", by=0, caller=0, sides=sides, left=COPIES)
    assert impossible(told, players=4).code == "no_extension"
    assert impossible(told).code == "odd_miles"
