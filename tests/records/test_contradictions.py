"""Positions that cannot be are refused where they are wrong; what is not said cannot contradict."""

import pytest

from millebornes.records import judge, position
from millebornes.rules import Match, score_sheet
from millebornes.rules.cards import Card

from .refusals import contradiction, refusal

DUJARDIN = "edition: dujardin-2019\nplayers: 4\n"
CLOSE_RACE = DUJARDIN + "miles 0: 975\nmiles 1: 975\n"
EVERY_SHORT_CARD = "discard:" + " 25" * 10 + " 50" * 10 + "\n"


def read(text: str) -> Match:
    return position.from_text(text)


@pytest.mark.parametrize(
    ("text", "line", "column", "found", "code"),
    [
        # how the hand ended
        ("ended: completed 0\nmiles 0: 400", 2, 10, "'400'", "not_completed"),
        ("miles 0: 400\nended: completed 0", 1, 10, "'400'", "not_completed"),
        ("ended: completed 1\ndistance 1: 200 200", 2, 13, "'200 200'", "not_completed"),
        ("ended: completed 0\nmiles 0: 0", 2, 10, "'0'", "not_completed"),
        ("ended: completed 0\ncalled: 0\nmiles 0: 700", 3, 10, "'700'", "not_completed"),
        ("ended: completed 0\nmiles 0: 700\nmiles 1: 700", 3, 10, "'700'", "other_completed"),
        ("ended: completed 0\nmiles 1: 700", 2, 10, "'700'", "other_completed"),
        (
            "ended: exhausted\ncalled: 0\nmiles 0: 700\nmiles 1: 1000",
            4,
            10,
            "'1000'",
            "completed_but_exhausted",
        ),
        ("ended: exhausted\nmiles 1: 700", 2, 10, "'700'", "completed_but_exhausted"),
        ("ended: exhausted\npile: 3", 2, 7, "'3'", "pile_left"),
        ("ended: exhausted\nhand 1: only ROLL", 2, 9, "'only ROLL'", "hand_left"),
        ("ended: exhausted\nhand 0: ?", 2, 9, "'?'", "hand_left"),
        # a side at the trip that plays on
        ("miles 0: 700", 1, 10, "'700'", "completed_but_playing"),
        ("turn: 1\nmiles 0: 700", 2, 10, "'700'", "completed_but_playing"),
        ("called: 0\nmiles 1: 1000", 2, 10, "'1000'", "completed_but_playing"),
        (
            "battle 1: ROLL OUT\nwindow: OUT 0>1\nmiles 1: 700",
            3,
            10,
            "'700'",
            "completed_but_playing",
        ),
        ("extension: 0\nmiles 0: 700\nmiles 1: 700", 3, 10, "'700'", "other_completed"),
        # more miles than the trip
        ("miles 0: 800", 1, 10, "'800'", "past_the_trip"),
        ("miles 0: 1025", 1, 10, "'1025'", "past_the_trip"),
        ("called: 1\nmiles 0: 1025", 2, 10, "'1025'", "past_the_trip"),
        ("extension: 0\nmiles 0: 725", 2, 10, "'725'", "past_the_trip"),
        (DUJARDIN + "trip: 700\nmiles 3: 725", 4, 10, "'725'", "past_the_trip"),
        ("rule: trip = { 2 = 100 }\ndistance 0: 75 50", 2, 13, "'75 50'", "past_the_trip"),
        # the extension
        ("called: 0\nmiles 0: 100", 2, 10, "'100'", "caller_behind"),
        ("ended: exhausted\nmiles 0: 675\ncalled: 0", 2, 10, "'675'", "caller_behind"),
        ("called: 1\ndistance 1: 25", 2, 13, "'25'", "caller_behind"),
        ("players: 4\ncalled: 1", 2, 9, "'1'", "no_extension"),
        (DUJARDIN + "called: 1\nmiles 1: 110", 3, 9, "'1'", "no_extension"),
        # the cards
        ("miles 0: 110", 1, 10, "'110'", "odd_miles"),
        ("distance 0: 200 200 200", 1, 13, "'200 200 200'", "too_many_200s"),
        ("rule: max_200s = 0\ndistance 1: 25 200", 2, 13, "'25 200'", "too_many_200s"),
        ("safeties 0: ACE!\nsafeties 1: ROW ACE", 2, 17, "'ACE'", "safety_twice"),
        ("safeties 0: ACE ACE ACE!", 1, 17, "'ACE'", "safety_twice"),
        (EVERY_SHORT_CARD + "miles 1: 125", 2, 10, "'125'", "no_such_cards"),
        (CLOSE_RACE + "miles 2: 975\nmiles 3: 600", 6, 10, "'600'", "no_such_cards"),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_said(
    text: str, line: int, column: int, found: str, code: str
) -> None:
    assert contradiction(read, text) == (line, column, found, code)
    assert contradiction(judge, text + "\nmoves: x?") == (line, column, found, code)


def test_the_sentence_names_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="the trip ends at exactly 700 unless somebody calls"):
        read("miles 0: 800\nhand 0: 25")
    with pytest.raises(ValueError, match="Side 0 has 1025 miles, but the trip ends at exactly"):
        read("players: 4\nmiles 0: 1025")
    with pytest.raises(ValueError, match="Side 1 completed the trip of 1000 miles, so it cannot"):
        read("players: 4\nended: completed 1\nmiles 1: 700")


@pytest.mark.parametrize(
    "text",
    [
        "called: 0",
        "called: 0\nmiles 1: 100",
        "called: 0\nmiles 0: 700\nmiles 1: 700",
        "called: 0\nmiles 0: 975",
        "ended: completed 0",
        "ended: completed 0\ncalled: 1",
        "ended: completed 1\nmiles 0: 675",
        "ended: exhausted\nhand 0: only\npile: 0",
        "extension: 0\nmiles 0: 700\nmiles 1: 675",
        "players: 4\nmiles 0: 700",
        "rule: max_200s = 4\ndistance 0: 200 200 200",
        "distance 0:",
    ],
)
def test_only_what_is_said_can_contradict(text: str) -> None:
    match = read(text)
    assert read(position.to_text(match)) == match


def test_an_exhausted_hand_has_no_cards_left() -> None:
    hand = read("ended: exhausted\nhand 1:\nmiles 0: 100").hand
    assert hand is not None
    assert (hand.pile, hand.hands) == ((), ((), ()))
    assert refusal(read, "ended: exhausted\nnext: 25") == (
        2,
        7,
        "'25'",
        "no more cards than the pile holds: 0",
    )


def test_miles_use_200s_only_where_the_other_cards_do_not_suffice() -> None:
    hand = read(CLOSE_RACE + "miles 2: 900").hand
    assert hand is not None
    laid = [tableau.distance for tableau in hand.tableaux]
    assert [tableau.miles for tableau in hand.tableaux] == [975, 975, 900, 0]
    assert sum(cards.count(Card.D200) for cards in laid) == 1


def test_miles_leave_the_winner_its_safe_trip() -> None:
    match = read(DUJARDIN + "ended: completed 0\nmiles 0: 1000\nmiles 1: 975\nmiles 2: 900")
    sheets = score_sheet(match)
    assert sheets is not None
    assert [sheet.safe_trip for sheet in sheets] == [200, 0, 0, 0]


def test_a_pile_that_holds_cards_was_not_empty_before() -> None:
    assert refusal(read, "pile: 5\nbegan: empty") == (
        2,
        8,
        "'empty'",
        "'cards', because the pile holds some now",
    )
