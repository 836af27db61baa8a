"""Positions: what may be left out, and every way in which a text is refused."""

import pytest
from hypothesis import given, settings

from millebornes.records import RecordError, position
from millebornes.rules import EDITIONS, Card, Match, awaited_seats, deal, new_match
from millebornes.rules.state import (
    Autoroute,
    Deal,
    ExtensionChoice,
    Hand,
    Over,
    Tableau,
    Turn,
    Window,
)
from tests.strategies import bad_texts, position_texts

from .refusals import refusal

CARDS = "25 50 75 100 200 ACC OUT FLAT STOP LIM REP GAS SPARE ROLL EOL ACE TANK PROOF ROW AUTO ?"


def read(text: str) -> Match:
    return position.from_text(text)


def hand_of(match: Match) -> Hand:
    assert match.hand is not None
    return match.hand


# Defaults


def test_an_empty_text_is_two_strangers_at_the_default_table() -> None:
    match = read("")
    hand = hand_of(match)
    assert (match.edition, match.players, match.trip) == (EDITIONS["winning-moves"], 2, 700)
    assert match.awaiting == Turn(0)
    assert hand.hands == ((Card.UNKNOWN,) * 7, (Card.UNKNOWN,) * 6)
    assert hand.pile == (Card.UNKNOWN,) * (101 - 13)
    assert hand.tableaux == (Tableau(), Tableau())
    assert (hand.number, hand.dealer, hand.discard) == (1, 0, ())
    assert match.totals == (0, 0)


def test_an_edition_without_two_players_begins_with_its_smallest_count() -> None:
    match = read("rule: player_counts = [3, 4]\n")
    assert match.players == 3


def test_a_hand_is_filled_up_unless_it_says_only() -> None:
    hand = hand_of(read("turn: 1\nhand 0: ROLL\nhand 1: GAS 25\n"))
    assert hand.hands[0] == (Card.ROLL, *[Card.UNKNOWN] * 5)
    assert hand.hands[1] == (Card.GAS, Card.D25, *[Card.UNKNOWN] * 5)
    hand = hand_of(read("hand 0: only ROLL\nhand 1: only\n"))
    assert hand.hands == ((Card.ROLL,), ())


def test_the_pile_holds_what_is_left_unless_its_size_is_given() -> None:
    assert len(hand_of(read("discard: 25 25\nbattle 0: ROLL\n")).pile) == 101 - 13 - 3
    hand = hand_of(read("pile: 5\nnext: ROLL ? 25\n"))
    assert hand.pile == (Card.ROLL, Card.UNKNOWN, Card.D25, Card.UNKNOWN, Card.UNKNOWN)
    assert not hand.began_empty


@pytest.mark.parametrize(
    ("began", "empty"), [("", True), ("began: cards\n", False), ("began: empty\n", True)]
)
def test_an_empty_pile_was_empty_before_the_turn_unless_it_is_said(began: str, empty: bool) -> None:
    assert hand_of(read("pile: 0\n" + began)).began_empty is empty


def test_miles_make_up_cards_that_nothing_else_has_named() -> None:
    hand = hand_of(read("miles 0: 675\ndistance 1: 200 25\n"))
    assert hand.tableaux[0].distance == (Card.D100,) * 6 + (Card.D75,)
    assert hand.tableaux[0].miles == 675
    text = "called: 0\nmiles 0: 975\nmiles 1: 200\ndiscard: 100 100 100\nhand 0: 75\n"
    hand = hand_of(read(text))
    assert [tableau.miles for tableau in hand.tableaux] == [975, 200]
    assert hand.tableaux[0].distance.count(Card.D100) == 9
    assert hand_of(read("miles 0: 0\n")).tableaux[0].distance == ()


def test_an_autoroute_counts_the_turns_of_a_seat_of_its_side() -> None:
    heading = "edition: dujardin-2019\nplayers: 6\n"
    hand = hand_of(read(heading + "autoroute 1: 2\nautoroute 2: 3 turns of seat 5\n"))
    assert hand.tableaux[1].autoroute == Autoroute(1, 2)
    assert hand.tableaux[2].autoroute == Autoroute(5, 3)


def test_a_safety_with_a_mark_was_a_coup_fourre() -> None:
    tableau = hand_of(read("safeties 1: ROW! ACE\n")).tableaux[1]
    assert tableau.safeties == (Card.ROW, Card.ACE)
    assert tableau.crosswise == (Card.ROW,)


def test_a_window_asks_every_seat_of_the_side_that_holds_a_card() -> None:
    text = "players: 4\nwindow: OUT 0>1\nbattle 1: ROLL OUT\n"
    assert read(text).awaiting == Window(0, 1, Card.OUT, (1, 3))
    assert read(text + "hand 1: only\n").awaiting == Window(0, 1, Card.OUT, (3,))
    declined = text.replace("0>1", "2>1 declined 3")
    assert read(declined).awaiting == Window(2, 1, Card.OUT, (1, 3), (3,))
    assert awaited_seats(read(declined)) == (1,)
    limit = "window: LIM 1>0\nspeed 0: LIM\n"
    assert read(limit).awaiting == Window(1, 0, Card.LIM, (0,))


def test_an_extension_is_chosen_by_the_seat_that_completed_the_trip() -> None:
    match = read("players: 6\nextension: 4\nmiles 1: 700\n")
    assert match.awaiting == ExtensionChoice(4)
    assert all(len(held) == 6 for held in hand_of(match).hands)


def test_a_called_extension_makes_the_trip_1000() -> None:
    hand = hand_of(read("called: 1\n"))
    assert (hand.caller, hand.trip) == (1, 1000)
    assert read("called: 1\n").trip == 700


def test_an_ended_hand_is_scored() -> None:
    match = read("ended: completed 1\nmiles 1: 700\nmiles 0: 25\nscores: 100 200\n")
    assert match.totals == (125, 200 + 700 + 400 + 300)
    assert match.awaiting == Deal(1)
    match = read("ended: exhausted\ndealer: 1\ndeal: 3\npile: 0\nscores: 5000 4000\n")
    assert match.awaiting == Over(0)
    assert hand_of(match).number == 3


def test_a_short_trip_may_be_chosen_where_the_edition_has_it() -> None:
    heading = "edition: dujardin-2019\nplayers: 4\n"
    assert read(heading).trip == 1000
    assert read(heading + "trip: 1000\n").trip == 1000
    assert read(heading + "trip: 700\n").trip == 700


def test_a_position_is_not_refused_for_being_unreachable() -> None:
    text = "turn: 1\ndistance 0: 200 200 100\nbattle 0: GAS\nspeed 1: EOL\npile: 3\n"
    assert hand_of(read(text)).tableaux[0].miles == 500


def test_an_edition_given_beside_the_text_stands_in_for_the_one_it_names() -> None:
    text = "edition: article\nrule: max_200s = 4\n"
    match = position.from_text(text, EDITIONS["encyclopedia"])
    assert match.edition == EDITIONS["encyclopedia"].house({"max_200s": 4})


def test_comments_wrapping_and_windows_line_ends_change_nothing() -> None:
    plain = read("players: 3\nhand 0: ROLL GAS 25\nbattle 1: ROLL\n")
    text = "# a comment\nplayers:3 # three\n\nhand  0 :ROLL\n  GAS # more\n\t25\nbattle 01: ROLL"
    assert read(text) == plain
    assert read(text.replace("\n", "\r\n")) == plain


def test_a_position_needs_a_hand_that_has_been_dealt() -> None:
    with pytest.raises(ValueError, match="no hand has been dealt yet"):
        position.to_text(new_match(EDITIONS["article"], 2))


def test_the_canonical_text_of_a_fresh_deal() -> None:
    edition = EDITIONS["article"].house({"max_200s": 3, "trip": {"2": 500}, "dealer": "fixed"})
    match, _ = deal(new_match(edition, 2, dealer=1), range(101))
    assert position.to_text(match).startswith(
        "edition: article\n"
        "rule: trip = { 2 = 500, 3 = 700, 4 = 1000 }\n"
        "rule: max_200s = 3\n"
        'rule: dealer = "fixed"\n'
        "players: 2\ndeal: 1\ndealer: 1\nscores: 0 0\nturn: 0\npile: 88\nnext: 50 50 50 50 50"
    )
    assert position.to_text(match).endswith(
        "hand 0: 25 25 25 25 25 50 50\nhand 1: 25 25 25 25 25 50\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        *("turn: 1", "extension: 0", "window: OUT 0>1", "ended: completed 1", "ended: exhausted"),
        *("called: 0", "began: cards"),
    ],
)
def test_what_is_said_of_the_moment_is_written_again(line: str) -> None:
    miles = 700 if line in ("extension: 0", "called: 0") else 675
    match = read(f"{line}\npile: 0\nmiles 0: {miles}\nbattle 1: OUT\n")
    assert f"\n{line}\n" in position.to_text(match)
    assert read(position.to_text(match)) == match


def test_house_rules_that_add_a_count_without_changing_the_teams_come_back() -> None:
    added = {"player_counts": [2, 3, 4, 6], "teams_at": [4], "trip": {"6": 700}}
    edition = EDITIONS["article"].house(added)
    match, _ = deal(new_match(edition, 6), range(106))
    assert read(position.to_text(match)).edition == edition


# Refusals

WINDOW = "players: 4\nbattle 1: ROLL OUT\nspeed 1: LIM\nwindow: "
DUJARDIN = "edition: dujardin-2019\nplayers: 4\n"
KEYS = (
    "one of the keys edition, rule, players, trip, deal, dealer, scores, turn, window, extension,"
    " ended, called, began, pile, next, discard, battle N, speed N, distance N, miles N,"
    " safeties N, autoroute N, hand N"
)


@pytest.mark.parametrize(
    ("text", "line", "column", "found", "expected"),
    [
        # lines and keys
        ("ROLL\n", 1, 1, "'ROLL'", "a key and a colon, such as 'players: 2'"),
        ("\n# x\n  ROLL 25", 3, 3, "'ROLL'", "a key and a colon, such as 'players: 2'"),
        ("turn: 0\n ---\nturn: 1", 2, 1, "'---'", "one position only"),
        ("turm: 0", 1, 1, "'turm'", KEYS),
        ("turn: 0\nseat 1: x", 2, 1, "'seat 1'", KEYS),
        ("turn 1: 0", 1, 1, "'turn 1'", "turn without a number"),
        ("hand: ROLL", 1, 1, "'hand'", "hand with a number from 0 to 1"),
        ("hand 2: ROLL", 1, 1, "'hand 2'", "hand with a number from 0 to 1"),
        ("players: 4\nbattle 2: ROLL", 2, 1, "'battle 2'", "battle with a number from 0 to 1"),
        ("turn: 0\nturn: 0", 2, 1, "'turn' again", "only one turn"),
        ("hand 1: 25\nhand 01: 25", 2, 1, "'hand 1' again", "only one hand 1"),
        # the heading
        (
            "edition: parker",
            1,
            10,
            "'parker'",
            "an edition: one of parker-1988, winning-moves, article, encyclopedia, dujardin-2019",
        ),
        (
            "edition:",
            1,
            9,
            "nothing",
            "an edition: one of parker-1988, winning-moves, article, encyclopedia, dujardin-2019",
        ),
        ("edition: article x", 1, 18, "'x'", "nothing after article"),
        ("rule: max_200s", 1, 7, "'max_200s'", "one rule as TOML, such as: max_200s = 4"),
        ("rule:", 1, 6, "nothing", "one rule as TOML, such as: max_200s = 4"),
        ("rule: max_200s = 9", 1, 7, "max_200s = 9", "a whole number from 0 to 4"),
        ('rule: tie = "no"', 1, 7, 'tie = "no"', '"another_hand" or "drawn"'),
        (
            "turn: 0\nrule: hands = 2\nrule: teams_at = [3]",
            3,
            7,
            "teams_at = [3]",
            "teams of two at 4, 6 or 8 players",
        ),
        (
            "rule: player_counts = [2, 3, 6]\nrule: teams_at = [6]\nedition: article",
            1,
            7,
            "trip = { 2 = 700, 3 = 700, 4 = 1000 }",
            "a trip for 6 players as well",
        ),
        (
            "edition: article\nplayers: 6",
            2,
            10,
            "'6'",
            "a player count of article: one of 2, 3, 4",
        ),
        ("players:", 1, 9, "nothing", "a player count of winning-moves: one of 2, 3, 4, 6"),
        ("trip: 1000", 1, 7, "'1000'", "a trip of 700"),
        (DUJARDIN + "trip: 800", 3, 7, "'800'", "a trip of 1000 or 700"),
        (DUJARDIN + "trip:", 3, 6, "nothing", "the length of the trip in miles"),
        # single figures
        ("turn: 2", 1, 7, "'2'", "a seat from 0 to 1"),
        ("turn:", 1, 6, "nothing", "a seat"),
        ("turn: 0 1", 1, 9, "'1'", "nothing after 0"),
        ("turn: -1", 1, 7, "'-1'", "a seat from 0 to 1"),
        ("turn: ١", 1, 7, "'١'", "a seat from 0 to 1"),
        ("deal: 0", 1, 7, "'0'", "a number from 1 to 999999"),
        ("deal: 1234567890", 1, 7, "'1234567890'", "a number from 1 to 999999"),
        ("dealer: x", 1, 9, "'x'", "a seat from 0 to 1"),
        ("called: 2", 1, 9, "'2'", "a side from 0 to 1"),
        ("scores: 1 2 3", 1, 9, "'1 2 3'", "2 totals, one for each side"),
        ("scores:", 1, 8, "nothing", "2 totals, one for each side"),
        ("scores: 0 1000001", 1, 11, "'1000001'", "points from 0 to 1000000"),
        ("began:", 1, 7, "nothing", "'cards' or 'empty'"),
        (
            "began: full",
            1,
            8,
            "'full'",
            "'cards' or 'empty': the pile before the turn's first draw",
        ),
        (
            "pile: 0\nbegan: full",
            2,
            8,
            "'full'",
            "'cards' or 'empty': the pile before the turn's first draw",
        ),
        # what is awaited
        (
            "extension: 0\nhand 0: 25\nturn: 0",
            3,
            1,
            "'turn'",
            "only one of turn, window, extension, ended",
        ),
        (
            "hand 0: only",
            1,
            9,
            "'only'",
            "at least one card, because it is this seat's turn",
        ),
        (
            "window: OUT",
            1,
            9,
            "'OUT'",
            "a hazard, the attacking seat and the attacked side, such as: OUT 0>1",
        ),
        (
            "window:",
            1,
            8,
            "nothing",
            "a hazard, the attacking seat and the attacked side, such as: OUT 0>1",
        ),
        (WINDOW + "GAS 0>1", 4, 9, "'GAS'", "a hazard: one of ACC OUT FLAT STOP LIM"),
        (
            WINDOW + "OUT 0-1",
            4,
            13,
            "'0-1'",
            "the attacking seat and the attacked side, such as 0>1",
        ),
        (WINDOW + "OUT 4>1", 4, 13, "'4'", "a seat from 0 to 3"),
        (WINDOW + "OUT >1", 4, 13, "''", "a seat from 0 to 3"),
        (WINDOW + "OUT 0>2", 4, 15, "'2'", "a side from 0 to 1"),
        (WINDOW + "OUT 3>1", 4, 13, "'3>1'", "a side that is not the attacker's own"),
        (
            WINDOW + "ACC 0>1",
            2,
            11,
            "'ROLL OUT'",
            "ACC on top, because it has just been played",
        ),
        (
            "window: LIM 0>1",
            1,
            1,
            "no 'speed 1'",
            "speed 1: LIM on top, because it has just been played",
        ),
        (
            WINDOW + "OUT 0>1\nsafeties 0: TANK",
            4,
            9,
            "'OUT 0>1'",
            "no window: TANK was played or discarded, or no seat that may answer holds a card",
        ),
        (
            WINDOW + "OUT 0>1\nhand 1: only\nhand 3: only",
            4,
            9,
            "'OUT 0>1'",
            "no window: TANK was played or discarded, or no seat that may answer holds a card",
        ),
        (WINDOW + "OUT 0>1 1", 4, 17, "'1'", "'declined' and seats, or nothing more"),
        (
            WINDOW + "OUT 0>1 declined",
            4,
            17,
            "'declined'",
            "some, but not all, of the seats asked: 1 3",
        ),
        (
            WINDOW + "OUT 0>1 declined 1 3",
            4,
            17,
            "'declined'",
            "some, but not all, of the seats asked: 1 3",
        ),
        (
            WINDOW + "OUT 0>1 declined 1 1",
            4,
            17,
            "'declined'",
            "some, but not all, of the seats asked: 1 3",
        ),
        (
            WINDOW + "OUT 0>1 declined 2",
            4,
            17,
            "'declined'",
            "some, but not all, of the seats asked: 1 3",
        ),
        (WINDOW + "OUT 0>1 declined 4", 4, 26, "'4'", "a seat from 0 to 3"),
        (
            "players: 4\nextension: 0\nmiles 0: 1000",
            2,
            12,
            "'0'",
            "no extension: none can be called now",
        ),
        (
            "called: 0\nextension: 0\nmiles 0: 1000",
            2,
            12,
            "'0'",
            "no extension: none can be called now",
        ),
        (
            "extension: 0\nmiles 0: 600",
            1,
            12,
            "'0'",
            "a seat whose side has travelled 700 miles, not 600",
        ),
        ("extension: 5", 1, 12, "'5'", "a seat from 0 to 1"),
        ("ended: 0", 1, 8, "'0'", "'completed' and a side, or 'exhausted'"),
        ("ended:", 1, 7, "nothing", "'completed' and a side, or 'exhausted'"),
        (
            "ended: exhausted 1",
            1,
            8,
            "'exhausted 1'",
            "'completed' and a side, or 'exhausted'",
        ),
        ("ended: completed 2", 1, 18, "'2'", "a side from 0 to 1"),
        # cards
        (
            "battle 0: ROLL LIM",
            1,
            16,
            "'LIM'",
            "a card of the battle pile: one of ACC OUT FLAT STOP REP GAS SPARE ROLL",
        ),
        ("speed 0: ROLL", 1, 10, "'ROLL'", "a card of the speed pile: one of LIM EOL"),
        ("distance 1: 30", 1, 13, "'30'", "a distance card: one of 25 50 75 100 200"),
        ("safeties 1: ROLL", 1, 13, "'ROLL'", "a safety: one of ACE TANK PROOF ROW"),
        ("discard: 25\n  ace", 2, 3, "'ace'", f"a card: one of {CARDS}"),
        ("next: §", 1, 7, "'§'", f"a card: one of {CARDS}"),
        ("hand 0: only only", 1, 14, "'only'", f"a card: one of {CARDS}"),
        ("hand 0: ROW\nsafeties 1: ROW", 1, 9, "'ROW'", "at most 1 ROW in the position"),
        ("discard: STOP STOP STOP STOP STOP", 1, 30, "'STOP'", "at most 4 STOP in the position"),
        ("next: AUTO", 1, 7, "'AUTO'", "no AUTO: winning-moves has no such card"),
        ("safeties 0: ACE!\nhand 1: ACE", 2, 9, "'ACE'", "at most 1 ACE in the position"),
        ("hand 1: 25 25 25 25 25 25 25", 1, 27, "'25'", "at most 6 cards in this hand"),
        (
            "hand 0: only ? ? ? ? ? ? ? ?",
            1,
            28,
            "'?'",
            "at most 7 cards in this hand",
        ),
        ("miles 0: 25\ndistance 0: 25", 1, 10, "'25'", "either miles 0 or distance 0"),
        ("miles 0:", 1, 9, "nothing", "miles, in steps of 25"),
        ("miles 0: far", 1, 10, "'far'", "miles from 0 to 1000"),
        (
            DUJARDIN + "autoroute 0: 2 turns of seat",
            3,
            14,
            "'2 turns of seat'",
            "the turns left, such as '2' or '2 turns of seat 0'",
        ),
        (
            DUJARDIN + "autoroute 0:",
            3,
            13,
            "nothing",
            "the turns left, such as '2' or '2 turns of seat 0'",
        ),
        (DUJARDIN + "autoroute 0: 4", 3, 14, "'4'", "turns left from 1 to 3"),
        (DUJARDIN + "autoroute 0: 2 turns of seat 8", 3, 30, "'8'", "a seat from 0 to 3"),
        (DUJARDIN + "autoroute 0: 2 turns of seat 1", 3, 30, "'1'", "a seat of side 0"),
        ("autoroute 0: 2", 1, 14, "'2'", "no AUTO: winning-moves has no such card"),
        ("pile: 89", 1, 7, "'89'", "a number of cards from 0 to 88"),
        ("pile:", 1, 6, "nothing", "a number of cards"),
        ("pile: 1\nnext: 25 25", 2, 7, "'25 25'", "no more cards than the pile holds: 1"),
        (
            "discard: " + "? " * 95 + "\n",
            1,
            1,
            "108 cards",
            "at most the 101 cards of the deck",
        ),
    ],
)
def test_a_refusal_says_where_what_was_found_and_what_was_expected(
    text: str, line: int, column: int, found: str, expected: str
) -> None:
    assert refusal(read, text) == (line, column, found, expected)


@given(bad_texts(position_texts()))
@settings(max_examples=500)
def test_any_text_is_a_position_or_a_record_error(text: str) -> None:
    try:
        match = read(text)
    except RecordError:
        return
    whole = position.to_text(match)
    assert read(whole) == match
    assert position.to_text(read(whole)) == whole


@pytest.mark.parametrize(
    "text",
    [
        "rule: " + "a." * 5000 + "a = 1",
        "rule: x = " + "[" * 100_000,
        "rule: max_200s = " + "9" * 5000,
        "rule: max_200s = 0x" + "f" * 5000,
        "rule: x = 0x" + "f" * 5000,
        "rule: trip = { 2 = 0x" + "f" * 5000 + " }",
        "rule: x = " + "{ a = " * 5000,
        'rule: x = "' + "\\" * 10_000,
        "turn: " + "9" * 100_000,
        "hand 0: " + "ROLL" * 100_000,
        "hand 0: " + "? " * 50_000,
        "x" * 100_000 + ": 1",
        ": 1",
        "\0: 1",
        "turn: \0",
        "turn: \ud800",
        '"' * 50_001,
        'turn: "' + '\\"' * 50_000,
        "window: " + ">" * 100_000,
        "edition: \udfff",
    ],
)
def test_absurd_texts_are_refused_as_any_other(text: str) -> None:
    with pytest.raises(RecordError):
        read(text)
