"""The rule sentences that no scenario pins down, one test each, and every reason to refuse.

Positions are the project's own position texts: seat 0 is on turn and has drawn, cards that
are not named are `?`.
"""

from typing import get_args

import pytest

from millebornes.rules import (
    EDITIONS,
    Card,
    EditionError,
    deal,
    deal_cards,
    legal_moves,
    new_match,
    score_sheet,
    why_not,
)
from millebornes.rules.events import (
    Countered,
    Dealt,
    Discarded,
    Drawn,
    Expired,
    Extended,
    HandEnded,
    MatchEnded,
    Passed,
    Played,
)
from millebornes.rules.legality import choices
from millebornes.rules.moves import (
    CoupFourre,
    Decline,
    Discard,
    Extend,
    Finish,
    Move,
    Play,
    move_space,
)
from millebornes.rules.reason import Code
from millebornes.rules.score_sheet import ScoreSheet

from .referee import (
    ALL,
    ARTICLE,
    DUJARDIN,
    ENCYCLOPEDIA,
    PARKER,
    WINNING_MOVES,
    Referee,
    editions,
    referee,
    said,
)

STARTED = (PARKER, ENCYCLOPEDIA)  # a battle hazard may land on any car that has started
ROLLING = (WINNING_MOVES, ARTICLE, DUJARDIN)  # ... only on a rolling one
INERT = (PARKER, WINNING_MOVES, ARTICLE, DUJARDIN)  # Right of Way leaves Stop and Limit lying
EXTENSION = (PARKER, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA)

SAFETY_OF = {"ACC": "ACE", "OUT": "TANK", "FLAT": "PROOF", "STOP": "ROW", "LIM": "ROW"}
REMEDY_OF = {"ACC": "REP", "OUT": "GAS", "FLAT": "SPARE"}


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(map(Card, codes.split()))


# The deal


def test_six_cards_each_are_dealt_one_at_a_time_from_the_left_of_the_dealer() -> None:
    match = new_match(EDITIONS[PARKER], 3, dealer=1)
    deck = match.edition.deck(3)
    order = list(reversed(range(len(deck))))
    dealt = [deck[place] for place in order]
    match, events = deal(match, order)
    hands = (tuple(dealt[1:18:3]), tuple(dealt[2:18:3]), tuple(dealt[0:18:3]))
    assert events == (Dealt(1, 1, hands, len(deck) - 18), Drawn(2, dealt[18]))
    table = Referee(match)
    assert table.awaits == "turn 2"
    assert table.hand.hands == (hands[0], hands[1], (*hands[2], dealt[18]))
    assert table.hand.pile == tuple(dealt[19:])
    assert table.hand.discard == ()
    assert table.hand.number == 1
    assert table.hand.dealer == 1
    assert table.hand.trip == 700
    assert table.hand.history == events
    assert not table.hand.began_empty


def test_the_first_dealer_is_seat_0_and_the_player_on_the_left_starts() -> None:
    match = new_match(EDITIONS[WINNING_MOVES], 2)
    assert Referee(match).awaits == "deal by 0"
    match, _ = deal_cards(match, match.edition.deck(2))
    assert Referee(match).awaits == "turn 1"
    match = new_match(EDITIONS[WINNING_MOVES], 2, dealer=1)
    match, _ = deal_cards(match, match.edition.deck(2))
    assert Referee(match).awaits == "turn 0"


@pytest.mark.parametrize(
    ("players", "partners", "sides"),
    [(4, [(0, 2), (1, 3)], 2), (6, [(0, 3), (1, 4), (2, 5)], 3)],
)
def test_partners_sit_opposite(players: int, partners: list[tuple[int, int]], sides: int) -> None:
    match = new_match(EDITIONS[WINNING_MOVES], players)
    assert match.sides == sides
    assert match.totals == (0,) * sides
    assert [match.seats_of(side) for side in range(sides)] == partners


def test_a_match_refuses_what_its_edition_does_not_have() -> None:
    with pytest.raises(EditionError) as error:
        new_match(EDITIONS[ARTICLE], 6)
    assert str(error.value) == "players = 6: expected one of 2, 3, 4 in article"
    for players, dealer in ((3, -1), (3, 3), (3, 4), (4, 4)):
        with pytest.raises(EditionError) as error:
            new_match(EDITIONS[ARTICLE], players, dealer=dealer)
        allowed = f"a seat from 0 to {players - 1}"
        assert str(error.value) == f"dealer = {dealer}: expected {allowed}"
    assert Referee(new_match(EDITIONS[ARTICLE], 3, dealer=2)).awaits == "deal by 2"


def test_the_dealer_and_the_short_trip_are_named() -> None:
    with pytest.raises(TypeError):
        new_match(EDITIONS[PARKER], 2, 1)  # type: ignore[call-arg]


def test_the_short_trip_is_chosen_before_the_match_where_the_edition_has_it() -> None:
    for players in (4, 8):
        assert new_match(EDITIONS[DUJARDIN], players).trip == 1000
        assert new_match(EDITIONS[DUJARDIN], players, short_trip=True).trip == 700
    with pytest.raises(EditionError) as error:
        new_match(EDITIONS[DUJARDIN], 6, short_trip=True)
    assert str(error.value) == "short_trip = true: expected 4 or 8 players in dujardin-2019"
    with pytest.raises(EditionError) as error:
        new_match(EDITIONS[ARTICLE], 4, short_trip=True)
    allowed = "no short trip in article"
    assert str(error.value) == f"short_trip = true: expected {allowed}"


def test_the_short_trip_holds_for_every_hand_of_the_match() -> None:
    match = new_match(EDITIONS[DUJARDIN], 4, short_trip=True)
    match, _ = deal_cards(match, match.edition.deck(4))
    assert Referee(match).hand.trip == 700
    table = referee(DUJARDIN, "players: 4\ntrip: 700\nbattle 0: ROLL\nmiles 0: 600\nhand 0: 100")
    table.play("100")
    match, _ = deal_cards(table.match, table.match.edition.deck(4))
    assert Referee(match).hand.trip == 700


def test_a_deck_order_holds_every_card_once() -> None:
    match = new_match(EDITIONS[PARKER], 2)
    for order in (range(100), range(1, 102), [0, *range(100)]):
        with pytest.raises(ValueError, match="must contain each of 0 to 100 exactly once"):
            deal(match, order)
    with pytest.raises(ValueError, match="must contain each of 0 to 105 exactly once"):
        deal(new_match(EDITIONS[PARKER], 4), range(105))
    deck = match.edition.deck(2)
    for wrong in (deck[:-1], (*deck, Card.UNKNOWN), (*deck[:-1], Card.ACE)):
        with pytest.raises(ValueError, match="not the 101 cards of parker-1988 with 2 players"):
            deal_cards(match, wrong)
    hidden, _ = deal_cards(match, [Card.UNKNOWN] * 50 + list(deck[50:]))
    assert Referee(hidden).holds(0) == "? ? ? ? ? ?"


def test_a_hand_is_dealt_only_when_the_one_before_has_ended() -> None:
    match = new_match(EDITIONS[PARKER], 2)
    match, _ = deal_cards(match, match.edition.deck(2))
    with pytest.raises(
        ValueError, match="cannot deal: the hand in play has not ended, or the match is over"
    ):
        deal_cards(match, match.edition.deck(2))


def test_a_new_hand_carries_the_points_forward_on_a_clear_table() -> None:
    table = referee(
        PARKER,
        """
        deal: 3
        dealer: 1
        scores: 1000 2000
        called: 1
        battle 0: ROLL
        distance 0: 25
        miles 1: 700
        pile: 0
        hand 0: only REP
        hand 1: only
        """,
    )
    table.play("xREP")
    assert table.match.totals == (1025, 2700)
    assert table.match.forward == (1000, 2000)
    deck = table.match.edition.deck(2)
    match, events = deal_cards(table.match, deck)
    table = Referee(match)
    assert table.match.forward == table.match.totals == (1025, 2700)
    assert table.hand.number == 4
    assert table.hand.dealer == 0
    assert table.hand.trip == 700
    assert table.hand.caller is None
    assert table.hand.completed_by is None
    assert table.hand.sheets is None
    assert table.hand.history == events
    assert all(table.tableau(side) == ((), (), (), (), (), None) for side in (0, 1))
    assert table.discard == ""
    assert table.awaits == "turn 1"


# A turn


@editions(*ALL)
def test_a_turn_is_one_card_drawn_and_one_played(edition: str) -> None:
    table = referee(edition, "hand 0: ROLL\nhand 1: REP\nnext: 25 50")
    pile = table.pile
    events = table.play("ROLL")
    assert events == (Played(0, Card.ROLL, 0), Drawn(1, Card.D25))
    assert table.pile == pile - 1
    events = table.play("xREP")
    assert events == (Discarded(1, Card.REP), Drawn(0, Card.D50))
    assert table.holds(0) == "? ? ? ? ? ? 50"
    assert table.holds(1) == "? ? ? ? ? 25"


@editions(*ALL)
def test_any_card_may_be_discarded(edition: str) -> None:
    for card in dict.fromkeys(EDITIONS[edition].deck(2)):
        table = referee(edition, f"battle 0: ROLL\nhand 0: {card}")
        table.play(f"x{card}")
        assert table.discard == card
        assert table.awaits == "turn 1"
        assert table.sizes == (6, 7)


@editions(*ALL)
def test_one_copy_of_a_card_is_played_and_the_others_stay_in_their_order(edition: str) -> None:
    table = referee(edition, "battle 0: ROLL\nhand 0: 75 25 100 25 50 25 GAS")
    table.play("25")
    assert table.holds(0) == "75 100 25 50 25 GAS"
    table = referee(edition, "battle 0: ROLL\nhand 0: 75 25 100 25 50 25 GAS")
    table.play("xGAS")
    assert table.holds(0) == "75 25 100 25 50 25"


def test_there_is_no_pass() -> None:
    table = referee(PARKER)
    assert table.why("-") == "no_window"
    assert table.why("1:-") == "no_window"


@editions(*ALL)
def test_a_player_with_no_cards_is_skipped(edition: str) -> None:
    table = referee(
        edition,
        """
        players: 3
        pile: 0
        hand 0: only REP REP
        hand 1: only
        hand 2: only GAS
        """,
    )
    table.play("xREP")
    assert table.awaits == "turn 2"
    table.play("xGAS")
    assert table.awaits == "turn 0"
    table.play("xREP")
    assert table.awaits == "deal by 1"


def test_a_player_with_no_cards_still_draws_while_the_pile_lasts() -> None:
    table = referee(PARKER, "pile: 1\nnext: 25\nhand 0: only REP\nhand 1: only")
    table.play("xREP")
    assert table.awaits == "turn 1"
    assert table.holds(1) == "25"
    assert table.pile == 0


@editions(*ALL)
def test_every_move_that_is_not_refused_is_offered_plays_first(edition: str) -> None:
    table = referee(
        edition,
        """
        players: 3
        battle 0: ROLL
        battle 1: ROLL
        battle 2: ROLL STOP
        hand 0: STOP 25 LIM ROLL ? 25 ACE
        """,
    )
    may_be_stopped = (1, 2) if edition in STARTED else (1,)
    assert legal_moves(table.match, 0) == (
        *(Play(Card.STOP, side) for side in may_be_stopped),
        Play(Card.D25),
        Play(Card.LIM, 1),
        Play(Card.LIM, 2),
        Play(Card.ACE),
        *map(Discard, cards("STOP 25 LIM ROLL ? ACE")),
    )
    assert legal_moves(table.match, 1) == legal_moves(table.match, 2) == ()


def test_legal_moves_and_why_not_agree_on_every_move() -> None:
    texts = (
        "battle 0: ROLL\nbattle 1: ROLL\nhand 0: 25 200 STOP LIM REP ROLL ROW",
        "battle 0: ROLL OUT\nspeed 0: LIM\nhand 0: GAS TANK EOL 50 ACC ROLL ?",
        "battle 1: ROLL OUT\nwindow: OUT 0>1\nhand 1: TANK",
        "extension: 1\nmiles 1: 700",
        "ended: exhausted",
        "scores: 6000 0\nended: exhausted",
    )
    for text in texts:
        match = referee(ENCYCLOPEDIA, text).match
        for seat in range(-1, 3):
            allowed = [m for m in move_space(match.sides) if why_not(match, seat, m) is None]
            offered = legal_moves(match, seat) if seat in (0, 1) else ()
            assert sorted(map(str, offered)) == sorted(map(str, allowed))


def test_the_ways_to_lay_a_card_are_one_or_one_for_each_opponent() -> None:
    match = referee(PARKER, "players: 6\nturn: 4\nhand 4: only ACC LIM ACE").match
    moves, refused = choices(match, 4)
    plays = {play for play, _ in refused} | {move for move in moves if isinstance(move, Play)}
    assert plays == {
        Play(Card.ACC, 0),
        Play(Card.ACC, 2),
        Play(Card.LIM, 0),
        Play(Card.LIM, 2),
        Play(Card.ACE),
    }


# Distance


@editions(*ALL)
def test_distance_needs_a_roll_on_top(edition: str) -> None:
    for battle, reason in [
        ("", "needs_roll top="),
        ("ROLL ACC REP", "needs_roll top=REP"),
        ("ROLL STOP", "stopped hazard=STOP remedy=ROLL"),
        ("ROLL ACC", "stopped hazard=ACC remedy=REP"),
        ("ROLL OUT", "stopped hazard=OUT remedy=GAS"),
        ("ROLL FLAT", "stopped hazard=FLAT remedy=SPARE"),
    ]:
        table = referee(edition, f"battle 0: {battle}\nhand 0: 25")
        assert table.why("25") == reason
    assert referee(edition, "battle 0: ROLL\nhand 0: 25").why("25") is None


@editions(*ALL)
def test_a_limited_car_travels_50_at_most(edition: str) -> None:
    table = referee(edition, "battle 0: ROLL\nspeed 0: LIM\nhand 0: 25 50 75 100 200")
    assert [table.why(miles) for miles in ("25", "50", "75", "100", "200")] == [
        None,
        None,
        "speed_limit card=75",
        "speed_limit card=100",
        "speed_limit card=200",
    ]
    table = referee(edition, "battle 0: ROLL\nspeed 0: LIM EOL\nhand 0: 75 200")
    assert table.why("75") is None
    assert table.why("200") is None


@editions(*ALL)
def test_right_of_way_voids_a_speed_limit(edition: str) -> None:
    table = referee(edition, "battle 0: ROLL\nspeed 0: LIM\nhand 0: ROW 100")
    assert table.why("100") == "speed_limit card=100"
    table.play("ROW", "100")
    assert table.distance(0) == "100"


@editions(*ALL)
def test_the_second_200_is_allowed_and_the_third_is_not(edition: str) -> None:
    table = referee(edition, "battle 0: ROLL\ndistance 0: 200\nhand 0: 200 200")
    table.play("200", "x?")
    assert table.distance(0) == "200 200"
    assert table.why("200") == "no_more_200s most=2"


def test_the_number_of_200s_is_a_field() -> None:
    table = referee(PARKER, "rule: max_200s = 3\nbattle 0: ROLL\ndistance 0: 200 200\nhand 0: 200")
    assert table.why("200") is None
    table = referee(PARKER, "rule: max_200s = 0\nbattle 0: ROLL\nhand 0: 200")
    assert table.why("200") == "no_more_200s most=0"
    table = referee(PARKER, "rule: max_200s = 1\nbattle 0: ROLL\ndistance 0: 200\nhand 0: 200")
    assert table.why("200") == "no_more_200s most=1"


@editions(*ALL)
def test_the_other_distances_are_not_limited_in_number(edition: str) -> None:
    for miles in ("25", "50", "75", "100"):
        laid = f"{miles} {miles} {miles}"
        table = referee(edition, f"battle 0: ROLL\ndistance 0: {laid}\nhand 0: {miles}")
        table.play(miles)
        assert table.distance(0) == f"{laid} {miles}"


def test_a_trip_may_be_shorter_than_a_single_card() -> None:
    table = referee(PARKER, "rule: trip = { 2 = 100 }\nbattle 0: ROLL\nhand 0: 200")
    assert table.why("200") == "too_far card=200 miles=0 trip=100 left=100"


@editions(*ALL)
def test_a_distance_past_the_trip_is_refused_and_an_exact_one_is_not(edition: str) -> None:
    trip = EDITIONS[edition].trip_at(2)
    table = referee(edition, f"battle 0: ROLL\nmiles 0: {trip - 100}\nhand 0: 200 100 75")
    reason = f"too_far card=200 miles={trip - 100} trip={trip} left=100"
    assert table.why("200") == reason
    assert table.why("100") is None
    assert table.why("75") is None


# Roll, remedies, end of limit


@editions(*ALL)
def test_a_roll_goes_on_an_empty_pile_a_stop_a_remedy_or_an_inert_hazard(edition: str) -> None:
    for battle, safeties in [
        ("", ""),
        ("ROLL STOP", ""),
        ("ROLL ACC REP", ""),
        ("ROLL FLAT", "PROOF"),
        ("ROLL ACC", "ACE TANK"),
    ]:
        text = f"battle 0: {battle}\nsafeties 0: {safeties}\nhand 0: ROLL"
        table = referee(edition, text)
        table.play("ROLL")
        assert table.battle(0) == f"{battle} ROLL".strip()
        assert table.awaits == "turn 1"


@editions(*ALL)
def test_a_roll_does_not_go_on_any_other_active_hazard(edition: str) -> None:
    for hazard, remedy in REMEDY_OF.items():
        for safety in ("", "ROW"):
            text = f"battle 0: ROLL {hazard}\nsafeties 0: {safety}\nhand 0: ROLL"
            reason = f"cure_first hazard={hazard} remedy={remedy}"
            assert referee(edition, text).why("ROLL") == reason


@editions(*ALL)
def test_a_roll_is_refused_where_right_of_way_lets_the_car_roll(edition: str) -> None:
    for battle in ("", "ROLL STOP", "ROLL ACC REP"):
        table = referee(edition, f"battle 0: {battle}\nsafeties 0: ROW\nhand 0: ROLL")
        assert table.why("ROLL") == "right_of_way_rolls"
    table = referee(edition, "battle 0: ROLL\nsafeties 0: ROW\nhand 0: ROLL")
    assert table.why("ROLL") == "already_rolling"


@editions(*ALL)
def test_a_remedy_goes_on_its_active_hazard_only(edition: str) -> None:
    for hazard, remedy in REMEDY_OF.items():
        held = f"hand 0: {remedy}"
        table = referee(edition, f"battle 0: ROLL {hazard}\n{held}")
        table.play(remedy)
        assert table.battle(0) == f"ROLL {hazard} {remedy}"
        assert table.awaits == "turn 1"
        nothing = f"no_hazard card={remedy} hazard={hazard}"
        for battle in ("", "ROLL", f"ROLL {hazard} {remedy}", f"ROLL {hazard} {remedy} ROLL"):
            assert referee(edition, f"battle 0: {battle}\n{held}").why(remedy) == nothing
        safety = SAFETY_OF[hazard]
        table = referee(edition, f"battle 0: ROLL {hazard}\nsafeties 0: {safety}\n{held}")
        cured = f"safety_cured_it card={remedy} hazard={hazard} safety={safety}"
        assert table.why(remedy) == cured
        for other, cure in {**REMEDY_OF, "STOP": "ROLL"}.items():
            if other != hazard:
                reason = f"other_hazard card={remedy} hazard={other} remedy={cure}"
                table = referee(edition, f"battle 0: ROLL {other}\n{held}")
                assert table.why(remedy) == reason


@editions(*ALL)
def test_an_end_of_limit_goes_on_a_speed_limit(edition: str) -> None:
    table = referee(edition, "speed 0: LIM\nbattle 0: ROLL STOP\nhand 0: EOL")
    table.play("EOL")
    assert table.speed(0) == "LIM EOL"
    assert table.battle(0) == "ROLL STOP"
    assert table.awaits == "turn 1"


# Attacks

# (battle pile, safeties, refused where only rolling cars can be hit, ... any started one)
TARGETS = [
    ("", "", "not_started side=1 shows=", "not_started side=1 shows="),
    ("", "ACE", "not_started side=1 shows=", "not_started side=1 shows="),
    ("ROLL", "", None, None),
    ("ROLL STOP", "", "already_stopped side=1 hazard=STOP", None),
    ("ROLL ACC", "", "already_stopped side=1 hazard=ACC", None),
    ("ROLL ACC REP", "", "not_rolling side=1", None),
    ("ROLL ACC", "ACE", "not_rolling side=1", None),
    ("", "ROW", None, None),
    ("ROLL ACC", "ROW", "already_stopped side=1 hazard=ACC", None),
    ("ROLL ACC", "ROW ACE", None, None),
    ("ROLL ACC REP", "ROW", None, None),
    ("ROLL STOP", "ROW", None, None),
]


@pytest.mark.parametrize(("battle", "safeties", "rolling", "started"), TARGETS)
@editions(*ALL)
def test_the_cars_a_battle_hazard_may_land_on(
    edition: str, battle: str, safeties: str, rolling: str | None, started: str | None
) -> None:
    text = f"battle 1: {battle}\nsafeties 1: {safeties}\nhand 0: OUT"
    table = referee(edition, text)
    assert table.why("OUT>1") == (started if edition in STARTED else rolling)


@editions(*ALL)
def test_a_displayed_safety_stops_its_hazard_and_no_other(edition: str) -> None:
    for safety in ("ACE", "TANK", "PROOF", "ROW"):
        table = referee(
            edition, f"battle 1: ROLL\nsafeties 1: {safety}\nhand 0: ACC OUT FLAT STOP LIM"
        )
        for hazard, its_safety in SAFETY_OF.items():
            protects = f"safety_protects side=1 hazard={hazard} safety={safety}"
            assert table.why(f"{hazard}>1") == (protects if safety == its_safety else None)


@editions(*ALL)
def test_a_hazard_needs_an_opposing_side(edition: str) -> None:
    table = referee(edition, "players: 3\nbattle 0: ROLL\nbattle 2: ROLL\nhand 0: ACC LIM")
    assert table.why("ACC") == "needs_target card=ACC"
    assert table.why("ACC>0") == "own_side card=ACC"
    assert table.why("LIM>0") == "own_side card=LIM"
    assert table.why("ACC>3") == "no_such_side number=3 sides=3"
    assert table.why(Play(Card.ACC, -1)) == "no_such_side number=-1 sides=3"
    assert table.why("ACC>1") == "not_started side=1 shows="
    assert table.why("ACC>2") is None


def test_a_partner_is_of_the_own_side() -> None:
    table = referee(PARKER, "players: 4\nturn: 3\nbattle 1: ROLL\nhand 3: ACC")
    assert table.why("ACC>1") == "own_side card=ACC"
    assert table.why("ACC>2") == "no_such_side number=2 sides=2"


@editions(*ALL)
def test_only_a_hazard_is_played_onto_a_side(edition: str) -> None:
    table = referee(edition, "battle 0: ROLL\nhand 0: 25 ROLL ACE")
    for code in ("25", "ROLL", "ACE"):
        for side in (0, 1):
            assert table.why(Play(Card(code), side)) == f"no_target card={code}"


@editions(*ALL)
def test_a_speed_limit_lands_on_a_car_stopped_or_not(edition: str) -> None:
    for battle in ("", "ROLL", "ROLL ACC", "ROLL ACC REP"):
        table = referee(edition, f"battle 1: {battle}\nhand 0: LIM")
        table.play("LIM>1", "-")
        assert table.speed(1) == "LIM"
        assert table.battle(1) == battle
        assert table.awaits == "turn 1"


# Safeties


@editions(*ALL)
def test_a_safety_is_played_at_any_time_on_ones_turn_and_chains_are_unlimited(
    edition: str,
) -> None:
    table = referee(
        edition,
        """
        battle 0: ROLL ACC
        hand 0: TANK ACE PROOF ROW
        next: 25 50 75 100 200
        """,
    )
    pile = table.pile
    for place, safety in enumerate(("TANK", "ACE", "PROOF", "ROW"), start=1):
        table.play(safety)
        assert table.awaits == "turn 0"
        assert table.pile == pile - place
        assert table.sizes == (7, 6)
    assert table.safeties(0) == "TANK ACE PROOF ROW"
    assert table.holds(0) == "? ? ? 25 50 75 100"
    assert table.battle(0) == "ROLL ACC"
    table.play("25")
    assert table.awaits == "turn 1"
    assert table.holds(1) == "? ? ? ? ? ? 200"


def test_a_safety_that_is_the_last_card_ends_the_turn() -> None:
    table = referee(PARKER, "players: 3\npile: 0\nturn: 1\nhand 0: REP\nhand 1: only ACE")
    table.play("ACE")
    assert table.awaits == "turn 2"
    assert table.safeties(1) == "ACE"
    assert table.sizes == (6, 0, 6)


def test_a_safety_that_is_the_very_last_card_ends_the_hand() -> None:
    table = referee(PARKER, "pile: 0\nhand 0: only ACE\nhand 1: only")
    table.play("ACE")
    assert table.sheets == ({"safeties": 100}, {})


def test_a_safety_played_on_turn_draws_the_last_card() -> None:
    table = referee(PARKER, "pile: 1\nnext: 25\nhand 0: only ACE\nhand 1: only REP")
    events = table.play("ACE")
    assert events == (Played(0, Card.ACE, 0), Drawn(0, Card.D25))
    assert table.awaits == "turn 0"
    assert table.holds(0) == "25"


@editions(*INERT)
def test_right_of_way_laid_on_turn_leaves_stop_and_limit_lying_inert(edition: str) -> None:
    table = referee(edition, "battle 0: ROLL STOP\nspeed 0: LIM\nhand 0: ROW 200")
    events = table.play("ROW")
    assert events[0] == Played(0, Card.ROW, 0)
    assert table.battle(0) == "ROLL STOP"
    assert table.speed(0) == "LIM"
    assert table.discard == ""
    table.play("200")
    assert table.distance(0) == "200"


def test_right_of_way_laid_on_turn_discards_stop_and_limit_in_the_encyclopedia() -> None:
    table = referee(
        ENCYCLOPEDIA, "discard: 25\nbattle 0: ROLL STOP\nspeed 0: EOL LIM\nhand 0: ROW 200"
    )
    events = table.play("ROW")
    assert events[0] == Played(0, Card.ROW, 0, (Card.STOP, Card.LIM))
    assert table.battle(0) == "ROLL"
    assert table.speed(0) == "EOL"
    assert table.discard == "25 STOP LIM"
    table.play("200")
    assert table.awaits == "turn 1"


def test_right_of_way_discards_only_what_shows_and_only_its_own_hazards() -> None:
    table = referee(ENCYCLOPEDIA, "battle 0: STOP ROLL FLAT\nspeed 0: LIM EOL\nhand 0: ROW")
    table.play("ROW")
    assert table.battle(0) == "STOP ROLL FLAT"
    assert table.speed(0) == "LIM EOL"
    assert table.discard == ""
    table = referee(ENCYCLOPEDIA, "hand 0: ROW")
    table.play("ROW")
    assert table.discard == ""


@editions(*ALL)
def test_another_safety_discards_nothing_on_turn(edition: str) -> None:
    for safety in ("ACE", "TANK", "PROOF"):
        table = referee(edition, f"battle 0: ROLL STOP\nspeed 0: LIM\nhand 0: {safety}")
        table.play(safety)
        assert table.battle(0) == "ROLL STOP"
        assert table.speed(0) == "LIM"
        assert table.discard == ""


# Coup fourré


@editions(*ALL)
def test_a_window_opens_whoever_holds_the_safety(edition: str) -> None:
    for holders in ("hand 0: OUT TANK", "hand 0: OUT\nhand 2: TANK", "hand 0: OUT\nnext: TANK"):
        table = referee(edition, f"players: 3\nbattle 1: ROLL\n{holders}\nhand 1: REP")
        pile = table.pile
        events = table.play("OUT>1")
        assert table.awaits == "window OUT 0>1 asks 1"
        assert events == (Played(0, Card.OUT, 1),)
        assert table.pile == pile
        assert table.why("1:TANK!") == "not_named card=TANK"
        events = table.play("-")
        assert events[0] == Passed(1, Card.OUT)
        assert table.awaits == "turn 1"


@editions(*ALL)
def test_no_window_opens_if_the_safety_is_displayed_by_anyone(edition: str) -> None:
    for side in (0, 2):
        table = referee(edition, f"players: 3\nbattle 1: ROLL\nsafeties {side}: TANK\nhand 0: OUT")
        table.play("OUT>1")
        assert table.awaits == "turn 1"
        assert table.battle(1) == "ROLL OUT"
        assert table.sizes == (6, 7, 6)


@editions(*ALL)
def test_no_window_opens_if_the_safety_has_been_discarded(edition: str) -> None:
    for hazard, safety in SAFETY_OF.items():
        table = referee(edition, f"battle 1: ROLL\ndiscard: 25 {safety} 50\nhand 0: {hazard}")
        table.play(f"{hazard}>1")
        assert table.awaits == "turn 1"
        assert table.sizes == (6, 7)


@editions(*ALL)
def test_another_safety_in_sight_does_not_close_the_window(edition: str) -> None:
    table = referee(edition, "battle 1: ROLL\nsafeties 1: ACE\ndiscard: PROOF ROW\nhand 0: OUT")
    table.play("OUT>1")
    assert table.awaits == "window OUT 0>1 asks 1"


def test_no_window_opens_when_those_attacked_hold_no_card() -> None:
    table = referee(
        PARKER,
        """
        players: 4
        battle 1: ROLL
        pile: 0
        hand 0: only OUT REP
        hand 1: only
        hand 2: only GAS
        hand 3: only
        """,
    )
    table.play("OUT>1")
    assert table.awaits == "turn 2"


def test_only_seats_with_cards_are_asked() -> None:
    table = referee(
        PARKER,
        """
        players: 4
        battle 1: ROLL
        pile: 0
        hand 0: only OUT
        hand 1: only
        hand 2: only GAS
        hand 3: only TANK REP
        """,
    )
    table.play("OUT>1")
    assert table.awaits == "window OUT 0>1 asks 3"
    assert table.why("1:TANK!") == "window_open side=1 hazard=OUT seat=0 open_to=side"
    table.play("TANK!")
    assert table.awaits == "turn 3"
    assert table.holds(3) == "REP"


def test_an_attack_with_the_last_card_of_all_ends_the_hand() -> None:
    table = referee(PARKER, "battle 1: ROLL\npile: 0\nhand 0: only OUT\nhand 1: only")
    table.play("OUT>1")
    assert table.sheets == ({}, {})
    assert table.battle(1) == "ROLL OUT"


@editions(PARKER, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA)
def test_both_partners_must_decline(edition: str) -> None:
    text = "players: 4\nbattle 1: ROLL\nhand 0: ACC\nhand 1: REP\nhand 3: ACE"
    for first, second in ((1, 3), (3, 1)):
        table = referee(edition, text)
        events = table.play("ACC>1", f"{first}:-")
        assert events == (Played(0, Card.ACC, 1),)
        assert table.awaits == f"window ACC 0>1 asks 1 3 declined {first}"
        assert table.why(f"{first}:-") == "already_answered"
        assert table.why(f"{first}:ACE!") == "already_answered"
        events = table.play(f"{second}:-")
        assert events[0] == Passed(1, Card.ACC)
        assert table.awaits == "turn 1"
        assert table.battle(1) == "ROLL ACC"
        assert "ACE" in table.holds(3)


@editions(PARKER, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA)
def test_the_second_partner_may_call_after_the_first_declined(edition: str) -> None:
    table = referee(edition, "players: 4\nbattle 1: ROLL\nhand 0: ACC\nhand 3: ACE")
    table.play("ACC>1", "1:-", "3:ACE!")
    assert table.awaits == "turn 3"
    assert table.safeties(1) == "ACE!"


@editions(*ALL)
def test_declining_keeps_both_the_hazard_and_the_safety(edition: str) -> None:
    table = referee(edition, "battle 1: ROLL\nhand 0: OUT\nhand 1: TANK\nnext: 25")
    events = table.play("OUT>1", "-")
    assert events == (Played(0, Card.OUT, 1), Passed(1, Card.OUT), Drawn(1, Card.D25))
    assert table.battle(1) == "ROLL OUT"
    assert table.holds(1) == "TANK ? ? ? ? ? 25"
    table.play("TANK")
    assert table.safeties(1) == "TANK"


@editions(*ALL)
def test_while_the_window_is_open_everyone_else_waits(edition: str) -> None:
    table = referee(edition, "players: 3\nbattle 1: ROLL\nhand 0: STOP\nhand 1: ACE REP")
    table.play("STOP>1")
    for seat in (0, 2):
        for move in ("ROW!", "ACE!", "-", "x?", "25", "ext", "end"):
            why = table.why(f"{seat}:{move}")
            assert why == "window_open side=1 hazard=STOP seat=0 open_to=side"
    for move in ("REP", "xREP", "ext", "end"):
        assert table.why(f"1:{move}") == "answer_first hazard=STOP"
    assert table.why("1:ACE!") == "wrong_safety card=ACE hazard=STOP safety=ROW"
    assert table.why("1:ROW!") == "not_named card=ROW"
    assert table.why(CoupFourre(Card.REP)) == "not_a_safety card=REP"


def test_the_moves_offered_in_a_window_are_to_call_or_to_decline() -> None:
    text = "battle 1: ROLL OUT\nwindow: OUT 0>1\nhand 1: "
    assert legal_moves(referee(PARKER, text + "TANK").match, 1) == (
        CoupFourre(Card.TANK),
        Decline(),
    )
    assert legal_moves(referee(PARKER, text + "ACE").match, 1) == (Decline(),)
    assert legal_moves(referee(PARKER, text + "TANK").match, 0) == ()


@pytest.mark.parametrize(
    ("pile", "following", "hand"),
    [(2, "next: 25 50", "REP 25 50"), (1, "next: 25", "REP 25"), (0, "", "REP")],
)
@editions(*ALL)
def test_with_too_few_cards_the_caller_draws_what_there_is(
    edition: str, pile: int, following: str, hand: str
) -> None:
    table = referee(
        edition,
        f"""
        battle 1: ROLL
        hand 0: only OUT GAS
        hand 1: only TANK REP
        pile: {pile}
        {following}
        """,
    )
    events = table.play("OUT>1", "TANK!")
    assert events == (
        Played(0, Card.OUT, 1),
        Countered(1, Card.TANK, Card.OUT, 1, (Card.OUT,)),
        *(Drawn(1, card) for card in cards(hand)[1:]),
    )
    assert table.awaits == "turn 1"
    assert table.holds(1) == hand
    assert table.pile == 0


def test_everyone_between_attacker_and_caller_loses_the_turn_at_six() -> None:
    table = referee(PARKER, "players: 6\nbattle 1: ROLL\nhand 0: FLAT\nhand 4: PROOF")
    table.play("FLAT>1")
    assert table.awaits == "window FLAT 0>1 asks 1 4"
    table.play("4:PROOF!", "x?")
    assert table.awaits == "turn 5"
    assert table.sizes == (6, 6, 6, 6, 6, 7)


@editions(*ALL)
def test_the_next_player_may_call_and_loses_nothing(edition: str) -> None:
    table = referee(edition, "players: 3\nturn: 2\nbattle 0: ROLL\nhand 2: ACC\nhand 0: ACE")
    table.play("ACC>0", "ACE!")
    assert table.awaits == "turn 0"
    table.play("x?")
    assert table.awaits == "turn 1"


@editions(*ALL)
def test_the_speed_pile_is_as_before_the_attack(edition: str) -> None:
    table = referee(edition, "battle 1: ROLL\nspeed 1: LIM EOL\nhand 0: LIM\nhand 1: ROW 100")
    table.play("LIM>1", "ROW!")
    assert table.speed(1) == "LIM EOL"
    assert table.battle(1) == "ROLL"
    assert table.discard == "LIM"
    assert table.safeties(1) == "ROW!"
    table.play("100")
    assert table.distance(1) == "100"


@editions(PARKER, WINNING_MOVES, ARTICLE)
def test_an_older_limit_beneath_is_void_under_right_of_way(edition: str) -> None:
    table = referee(edition, "battle 1: ROLL\nspeed 1: LIM\nhand 0: LIM\nhand 1: ROW 100")
    table.play("LIM>1", "ROW!")
    assert table.speed(1) == "LIM"
    assert table.discard == "LIM"
    table.play("100")
    assert table.distance(1) == "100"


@editions(*INERT)
def test_right_of_way_called_against_a_stop_voids_the_limit_too(edition: str) -> None:
    table = referee(edition, "battle 1: ROLL\nspeed 1: LIM\nhand 0: STOP\nhand 1: ROW 100")
    events = table.play("STOP>1", "ROW!")
    assert events[1] == Countered(1, Card.ROW, Card.STOP, 1, (Card.STOP,))
    assert table.battle(1) == "ROLL"
    assert table.speed(1) == "LIM"
    assert table.discard == "STOP"
    table.play("100")
    assert table.distance(1) == "100"


@editions(*INERT)
def test_right_of_way_called_against_a_limit_cancels_the_stop_too(edition: str) -> None:
    table = referee(edition, "battle 1: ROLL STOP\nhand 0: LIM\nhand 1: ROW 100 ROLL")
    table.play("LIM>1", "ROW!")
    assert table.battle(1) == "ROLL STOP"
    assert table.speed(1) == ""
    assert table.discard == "LIM"
    assert table.why("ROLL") == "right_of_way_rolls"
    table.play("100")
    assert table.distance(1) == "100"


def test_right_of_way_called_in_the_encyclopedia_discards_both() -> None:
    table = referee(ENCYCLOPEDIA, "battle 1: ROLL\nspeed 1: LIM\nhand 0: STOP\nhand 1: ROW 100")
    events = table.play("STOP>1", "ROW!")
    assert events[1] == Countered(1, Card.ROW, Card.STOP, 1, (Card.STOP, Card.LIM))
    assert table.battle(1) == "ROLL"
    assert table.speed(1) == ""
    assert table.discard == "STOP LIM"
    table = referee(ENCYCLOPEDIA, "battle 1: ROLL STOP\nhand 0: LIM\nhand 1: ROW 100")
    events = table.play("LIM>1", "ROW!")
    assert events[1] == Countered(1, Card.ROW, Card.LIM, 1, (Card.LIM, Card.STOP))
    assert table.battle(1) == "ROLL"
    assert table.speed(1) == ""
    assert table.discard == "LIM STOP"
    table.play("100")
    assert table.distance(1) == "100"


def test_at_most_one_card_leaves_each_pile() -> None:
    table = referee(
        ENCYCLOPEDIA, "battle 1: ROLL STOP\nspeed 1: EOL LIM\nhand 0: STOP\nhand 1: ROW 100"
    )
    table.play("STOP>1", "ROW!")
    assert table.battle(1) == "ROLL STOP"
    assert table.speed(1) == "EOL"
    assert table.discard == "STOP LIM"
    table.play("100")
    assert table.distance(1) == "100"
    table = referee(
        ENCYCLOPEDIA,
        """
        rule: limit_on_limit = true
        battle 1: ROLL STOP STOP
        speed 1: LIM
        hand 0: LIM
        hand 1: ROW
        """,
    )
    table.play("LIM>1", "ROW!")
    assert table.battle(1) == "ROLL STOP"
    assert table.speed(1) == "LIM"
    assert table.discard == "LIM STOP"


def test_a_coup_fourre_with_another_safety_discards_only_the_attack() -> None:
    for hazard, safety in (("ACC", "ACE"), ("OUT", "TANK"), ("FLAT", "PROOF")):
        table = referee(
            ENCYCLOPEDIA,
            f"battle 1: ROLL STOP\nspeed 1: LIM\nhand 0: {hazard}\nhand 1: {safety}",
        )
        table.play(f"{hazard}>1", f"{safety}!")
        assert table.battle(1) == "ROLL STOP"
        assert table.speed(1) == "LIM"
        assert table.discard == hazard


@editions(*ALL)
def test_a_coup_fourre_protects_for_the_rest_of_the_hand(edition: str) -> None:
    table = referee(edition, "battle 1: ROLL\nhand 0: OUT OUT\nhand 1: TANK")
    table.play("OUT>1", "TANK!", "x?")
    assert table.why("OUT>1") == "safety_protects side=1 hazard=OUT safety=TANK"


@editions(*ALL)
def test_the_turn_of_a_coup_fourre_may_begin_with_another_safety(edition: str) -> None:
    table = referee(edition, "battle 1: ROLL\nhand 0: OUT\nhand 1: TANK ACE\nnext: 25 50 75")
    table.play("OUT>1", "TANK!", "ACE")
    assert table.safeties(1) == "TANK! ACE"
    assert table.holds(1) == "? ? ? ? 25 50 75"
    table.play("25")
    assert table.awaits == "turn 0"


# The option: third parties may call


def third_party(edition: str, text: str) -> Referee:
    return referee(edition, "rule: coup_fourre_for_third_party = true\n" + text)


@editions(*ALL)
def test_where_third_parties_may_call_every_opponent_of_the_attacker_is_asked(
    edition: str,
) -> None:
    table = third_party(edition, "players: 3\nturn: 1\nbattle 2: ROLL\nhand 1: ACC")
    table.play("ACC>2")
    assert table.awaits == "window ACC 1>2 asks 0 2"
    table.play("0:-")
    assert table.awaits == "window ACC 1>2 asks 0 2 declined 0"
    table.play("2:-")
    assert table.awaits == "turn 2"


def test_the_attackers_partner_is_never_asked() -> None:
    table = third_party(PARKER, "players: 6\nbattle 1: ROLL\nhand 0: ACC")
    table.play("ACC>1")
    assert table.awaits == "window ACC 0>1 asks 1 2 4 5"


def test_a_third_party_without_cards_is_not_asked() -> None:
    table = third_party(
        PARKER, "players: 3\nbattle 1: ROLL\npile: 0\nhand 0: ACC\nhand 1: only\nhand 2: only ACE"
    )
    table.play("ACC>1")
    assert table.awaits == "window ACC 0>1 asks 2"


def test_the_victim_that_calls_sheds_the_hazard_as_always() -> None:
    table = third_party(PARKER, "players: 3\nbattle 1: ROLL\nhand 0: ACC\nhand 1: ACE")
    table.play("ACC>1", "1:ACE!")
    assert table.battle(1) == "ROLL"
    assert table.discard == "ACC"


@pytest.mark.parametrize(("attacker", "victim", "caller"), [(0, 1, 2), (1, 2, 0), (2, 1, 0)])
def test_the_victim_keeps_the_hazard_when_a_third_party_calls(
    attacker: int, victim: int, caller: int
) -> None:
    table = third_party(
        PARKER,
        f"""
        players: 3
        turn: {attacker}
        battle 0: ROLL
        battle 1: ROLL
        battle 2: ROLL
        hand {attacker}: ACC
        hand {caller}: ACE
        """,
    )
    table.play(f"ACC>{victim}")
    events = table.play(f"{caller}:ACE!")
    assert events[0] == Countered(caller, Card.ACE, Card.ACC, victim, ())
    assert table.battle(victim) == "ROLL ACC"
    assert table.battle(caller) == "ROLL"
    assert table.discard == ""
    assert table.awaits == f"turn {caller}"


def test_the_victims_partner_that_calls_sheds_the_hazard_too() -> None:
    table = third_party(PARKER, "players: 6\nbattle 1: ROLL\nhand 0: ACC\nhand 4: ACE")
    table.play("ACC>1", "4:ACE!")
    assert table.battle(1) == "ROLL"
    assert table.safeties(1) == "ACE!"
    assert table.discard == "ACC"


def test_a_third_party_with_right_of_way_sheds_its_own_stop_and_limit() -> None:
    table = third_party(
        ENCYCLOPEDIA,
        """
        players: 3
        battle 1: ROLL
        battle 2: ROLL STOP
        speed 2: LIM
        hand 0: STOP
        hand 2: ROW
        """,
    )
    events = table.play("STOP>1", "2:ROW!")
    assert events[1] == Countered(2, Card.ROW, Card.STOP, 1, (Card.STOP, Card.LIM))
    assert table.battle(1) == "ROLL STOP"
    assert table.battle(2) == "ROLL"
    assert table.speed(2) == ""
    assert table.discard == "STOP LIM"
    assert table.safeties(2) == "ROW!"


# Other options


def test_right_of_way_need_not_replace_a_roll() -> None:
    text = "{rule}battle 0: {battle}\nsafeties 0: ROW\nspeed 0: LIM\nhand 0: 100 ROLL"
    off = "rule: row_replaces_roll = false\n"
    for battle in ("", "ROLL STOP", "ROLL ACC REP"):
        table = referee(ARTICLE, text.format(rule=off, battle=battle))
        assert table.why("100") == f"needs_roll top={battle.split(' ')[-1]}"
        assert table.why("ROLL") is None
        table = referee(ARTICLE, text.format(rule="", battle=battle))
        assert table.why("100") is None
        assert table.why("ROLL") == "right_of_way_rolls"
    table = referee(ARTICLE, text.format(rule=off, battle="ROLL"))
    assert table.why("100") is None
    assert table.why("ROLL") == "already_rolling"


def test_where_right_of_way_does_not_replace_a_roll_its_car_cannot_be_hit_without_one() -> None:
    text = "{rule}battle 1: {battle}\nsafeties 1: ROW\nhand 0: OUT STOP"
    off = "rule: row_replaces_roll = false\n"
    table = referee(ARTICLE, text.format(rule=off, battle="ROLL ACC REP"))
    assert table.why("OUT>1") == "not_rolling side=1"
    assert table.why("STOP>1") == "safety_protects side=1 hazard=STOP safety=ROW"
    table = referee(ARTICLE, text.format(rule=off, battle=""))
    assert table.why("OUT>1") == "not_started side=1 shows=ROW"
    table = referee(ARTICLE, text.format(rule="", battle="ROLL ACC REP"))
    assert table.why("OUT>1") is None
    for battle in ("", "ROLL ACC REP"):
        table = referee(PARKER, text.format(rule=off, battle=battle))
        assert table.why("OUT>1") is None, "any started car, or any with Right of Way"


def test_a_safety_need_not_give_a_play_when_the_pile_is_empty() -> None:
    text = "battle 1: ROLL\npile: {pile}\nhand 0: only ACE 25\nhand 1: only REP GAS"
    table = referee(PARKER, "rule: replay_on_empty_pile = false\n" + text.format(pile=0))
    table.play("ACE")
    assert table.awaits == "turn 1"
    assert table.holds(0) == "25"
    table = referee(PARKER, "rule: replay_on_empty_pile = false\n" + text.format(pile=1))
    table.play("ACE")
    assert table.awaits == "turn 0"
    assert table.holds(0) == "25 ?"
    table = referee(PARKER, text.format(pile=0))
    table.play("ACE")
    assert table.awaits == "turn 0"


def test_the_turn_of_a_coup_fourre_remains_when_the_pile_is_empty() -> None:
    table = referee(
        PARKER,
        """
        rule: replay_on_empty_pile = false
        battle 1: ROLL
        pile: 0
        hand 0: only OUT REP
        hand 1: only TANK 25
        """,
    )
    table.play("OUT>1", "TANK!")
    assert table.awaits == "turn 1"


@editions(*ALL)
def test_a_car_with_right_of_way_and_no_battle_card_may_be_out_of_reach(edition: str) -> None:
    text = "safeties 1: ROW\nhand 0: OUT\nbattle 1: "
    off = "rule: row_empty_attackable = false\n"
    assert referee(edition, off + text).why("OUT>1") == "not_started side=1 shows=ROW"
    assert referee(edition, off + text + "ROLL").why("OUT>1") is None
    assert referee(edition, off + text + "ROLL ACC REP").why("OUT>1") is None
    assert referee(edition, text).why("OUT>1") is None


def test_a_safety_may_restore_the_roll() -> None:
    rule = "rule: safety_restores_roll = true\n"
    table = referee(PARKER, rule + "battle 0: ROLL OUT\nspeed 0: LIM\nhand 0: TANK 50")
    events = table.play("TANK")
    assert events[0] == Played(0, Card.TANK, 0, (Card.OUT,))
    assert table.battle(0) == "ROLL"
    assert table.speed(0) == "LIM"
    assert table.discard == "OUT"
    table.play("50")
    table = referee(PARKER, rule + "battle 0: ROLL STOP STOP\nspeed 0: LIM LIM\nhand 0: ROW 100")
    table.play("ROW")
    assert table.battle(0) == "ROLL STOP"
    assert table.speed(0) == "LIM"
    assert table.discard == "STOP LIM"
    table.play("100")
    table = referee(PARKER, rule + "battle 0: ROLL FLAT OUT\nhand 0: TANK 50")
    table.play("TANK")
    assert table.battle(0) == "ROLL FLAT"
    assert table.why("50") == "stopped hazard=FLAT remedy=SPARE"
    table = referee(PARKER, rule + "battle 0: ROLL OUT FLAT\nhand 0: TANK")
    table.play("TANK")
    assert table.battle(0) == "ROLL OUT FLAT"
    assert table.discard == ""


def test_the_house_may_ask_that_hands_be_played_out() -> None:
    text = "battle 0: ROLL\npile: {pile}\nhand 0: only REP 25 50"
    rule = "rule: must_play_out = true\n"
    table = referee(PARKER, rule + text.format(pile=0))
    assert table.why("xREP") == "must_play_out card=25"
    assert table.why("x50") == "must_play_out card=25"
    assert legal_moves(table.match, 0) == (Play(Card.D25), Play(Card.D50))
    table.play("25")
    assert referee(PARKER, rule + text.format(pile=1)).why("xREP") is None
    assert referee(PARKER, text.format(pile=0)).why("xREP") is None
    table = referee(PARKER, rule + "pile: 0\nhand 0: only REP 25 OUT")
    assert table.why("xREP") is None
    table = referee(PARKER, rule + "players: 3\npile: 0\nspeed 1: LIM\nhand 0: only REP LIM\n")
    assert table.why("xREP") == "must_play_out card=LIM"


# Extension


@editions(*EXTENSION)
def test_the_player_who_laid_the_card_decides_alone_and_at_once(edition: str) -> None:
    table = referee(edition, "players: 3\nturn: 1\nbattle 1: ROLL\nmiles 1: 600\nhand 1: 100")
    assert table.why("ext") == "no_extension possible=yes"
    assert table.why("0:end") == "no_extension possible=yes"
    pile = table.pile
    events = table.play("100")
    assert table.awaits == "extension 1"
    assert events == (Played(1, Card.D100, 1),)
    assert table.pile == pile
    assert legal_moves(table.match, 1) == (Extend(), Finish())
    assert legal_moves(table.match, 0) == ()
    for move in ("x?", "-", "25", "ACE!"):
        assert table.why(f"1:{move}") == "extension_awaited seat=1"
    for move in ("ext", "end", "x?"):
        assert table.why(f"2:{move}") == "extension_awaited seat=1"
    events = table.play("ext")
    assert events[0] == Extended(1)
    assert table.awaits == "turn 2"
    assert table.hand.trip == 1000
    assert table.match.trip == 700
    assert table.hand.caller == 1


@editions(*EXTENSION)
def test_after_a_call_the_trip_is_1000_for_everybody(edition: str) -> None:
    table = referee(
        edition,
        """
        battle 0: ROLL
        battle 1: ROLL
        miles 0: 650
        distance 1: 100 100 100 75 75 75 75
        hand 0: 50
        hand 1: 200 100
        """,
    )
    table.play("50", "ext")
    assert table.why("200") is None
    table.play("100")
    assert table.tableau(1).miles == 700
    assert table.awaits == "turn 0"


@editions(*EXTENSION)
def test_four_players_have_no_extension(edition: str) -> None:
    table = referee(edition, "players: 4\nbattle 0: ROLL\nmiles 0: 600\nhand 0: 100")
    table.play("100")
    assert table.awaits == "turn 1"


@editions(*EXTENSION)
def test_the_choice_comes_before_any_check_for_exhaustion(edition: str) -> None:
    text = """
        battle 0: ROLL
        miles 0: 600
        distance 1: 25
        safeties 0: ACE! TANK PROOF ROW
        pile: 0
        hand 0: only 100
        hand 1: only
        """
    kept = {"miles": 700, "safeties": 400, "all_four": 300, "coups_fourres": 300}
    table = referee(edition, text)
    table.play("100")
    assert table.awaits == "extension 0"
    table.play("end")
    won = {"trip": 400, "delayed_action": 300, "safe_trip": 300}
    assert table.sheets == ({**kept, **won}, {"miles": 25})
    table = referee(edition, text)
    table.play("100", "ext")
    consolation = {"extension": 200} if edition == WINNING_MOVES else {}
    assert table.sheets == (kept, {"miles": 25, **consolation})
    assert table.hand.completed_by is None
    assert table.awaits == "deal by 1"


def completed_extension(edition: str, completer: int | None) -> tuple[int, ...]:
    """The extension points of three sides; side 1 has called."""
    ended = "exhausted" if completer is None else f"completed {completer}"
    table = referee(edition, f"players: 3\ncalled: 1\nended: {ended}")
    return tuple(sheet.get("extension", 0) for sheet in table.sheets)


@pytest.mark.parametrize(
    ("edition", "caller", "other", "nobody"),
    [
        (PARKER, (0, 200, 0), (200, 0, 200), (0, 0, 0)),
        (WINNING_MOVES, (0, 200, 0), (200, 0, 200), (200, 0, 200)),
        (ARTICLE, (0, 200, 0), (0, 0, 200), (0, 0, 0)),
        (ENCYCLOPEDIA, (0, 200, 0), (0, 0, 0), (0, 0, 0)),
    ],
)
def test_who_scores_the_extension(
    edition: str, caller: tuple[int, ...], other: tuple[int, ...], nobody: tuple[int, ...]
) -> None:
    assert completed_extension(edition, 1) == caller
    assert completed_extension(edition, 2) == other
    assert completed_extension(edition, None) == nobody


def test_without_a_call_nobody_scores_the_extension() -> None:
    for ended in ("exhausted", "completed 0", "completed 2"):
        table = referee(WINNING_MOVES, f"players: 3\nended: {ended}")
        assert not any("extension" in sheet for sheet in table.sheets)


def test_who_scores_the_extension_is_a_field_in_each_case() -> None:
    def points(rule: str, ended: str) -> list[int]:
        text = f"rule: {rule}\nplayers: 3\ncalled: 1\nended: {ended}"
        return [sheet.get("extension", 0) for sheet in referee(ENCYCLOPEDIA, text).sheets]

    assert points('extension_if_caller_completes = "nobody"', "completed 1") == [0, 0, 0]
    assert points('extension_if_other_completes = "completer"', "completed 0") == [200, 0, 0]
    assert points('extension_if_other_completes = "each_opponent"', "completed 0") == [200, 0, 200]
    assert points('extension_if_nobody_completes = "each_opponent"', "exhausted") == [200, 0, 200]


@editions(*EXTENSION)
def test_bonuses_are_judged_at_1000(edition: str) -> None:
    start = "called: 0\nbattle 0: ROLL\nhand 0: 100\n"
    table = referee(edition, start + "miles 0: 900\npile: 0")
    table.play("100")
    assert table.sheets[0] == {
        "miles": 1000,
        "trip": 400,
        "delayed_action": 300,
        "safe_trip": 300,
        "shut_out": 500,
        "extension": 200,
    }
    assert table.hand.completed_by == 0
    # The 200, and the distance of the opponent, came after the call.
    table = referee(edition, start + "distance 0: 100 100 100 100 100 100 100 200\ndistance 1: 25")
    table.play("100")
    assert table.sheets[0] == {"miles": 1000, "trip": 400, "extension": 200}


# The end of a hand


@editions(*EXTENSION)
def test_no_delayed_action_with_a_card_left_in_the_pile(edition: str) -> None:
    text = "players: 4\nbattle 0: ROLL\nmiles 0: 900\ndistance 1: 25\nhand 0: 100\npile: "
    for pile, delayed in ((0, {"delayed_action": 300}), (1, {}), (2, {})):
        table = referee(edition, text + str(pile))
        table.play("100")
        assert table.sheets[0] == {"miles": 1000, "trip": 400, "safe_trip": 300, **delayed}


def test_only_the_completer_scores_the_delayed_action() -> None:
    table = referee(WINNING_MOVES, "pile: 0\nmiles 0: 300\nmiles 1: 400\nended: exhausted")
    assert table.sheets == ({"miles": 300}, {"miles": 400})
    table = referee(WINNING_MOVES, "pile: 0\nmiles 0: 300\nmiles 1: 700\nended: completed 1")
    won = {"trip": 400, "delayed_action": 300, "safe_trip": 300}
    assert table.sheets == ({"miles": 300}, {"miles": 700, **won})


@pytest.mark.parametrize(
    ("rule", "drew_last", "began_empty"),
    [("", 300, 300), ("rule: delayed_action_needs_empty_start = true\n", 0, 300)],
)
def test_the_house_may_ask_for_a_pile_that_was_empty_before_the_turn(
    rule: str, drew_last: int, began_empty: int
) -> None:
    text = rule + "players: 4\nturn: 3\nbattle 0: ROLL\nmiles 0: 900\nhand 0: 100\npile: "
    for pile, expected in ((0, began_empty), (1, drew_last)):
        table = referee(WINNING_MOVES, text + str(pile))
        table.play("x?")
        assert table.hand.began_empty == (pile == 0)
        assert table.pile == 0
        table.play("100")
        assert table.sheets[0].get("delayed_action", 0) == expected


@pytest.mark.parametrize(("pile", "expected"), [(0, 300), (1, 0), (2, 0)])
def test_the_replacement_of_a_coup_fourre_is_the_first_draw_of_its_turn(
    pile: int, expected: int
) -> None:
    table = referee(
        WINNING_MOVES,
        f"""
        rule: delayed_action_needs_empty_start = true
        players: 4
        battle 1: ROLL
        miles 1: 900
        hand 0: OUT
        hand 1: TANK 100
        pile: {pile}
        """,
    )
    table.play("OUT>1", "1:TANK!", "100")
    assert table.pile == 0
    assert table.sheets[1].get("delayed_action", 0) == expected


def test_the_extra_draw_of_a_safety_belongs_to_the_turn_that_began_with_cards() -> None:
    table = referee(
        WINNING_MOVES,
        """
        rule: delayed_action_needs_empty_start = true
        players: 4
        battle 0: ROLL
        miles 0: 900
        hand 0: ACE 100
        pile: 1
        """,
    )
    table.play("ACE", "100")
    assert table.pile == 0
    assert "delayed_action" not in table.sheets[0]


@editions(PARKER, WINNING_MOVES, ARTICLE)
def test_a_shut_out_counts_once_if_every_opponent_has_no_distance(edition: str) -> None:
    text = "players: 3\nended: completed 1\nmiles 1: 700\n"
    assert referee(edition, text).sheets[1]["shut_out"] == 500
    for side in (0, 2):
        table = referee(edition, text + f"distance {side}: 25")
        assert "shut_out" not in table.sheets[1]


def test_a_shut_out_counts_for_each_opponent_in_the_encyclopedia() -> None:
    text = "players: 3\nended: completed 1\nmiles 1: 700\n"
    assert [s.get("shut_out", 0) for s in referee(ENCYCLOPEDIA, text).sheets] == [0, 1000, 0]
    one = referee(ENCYCLOPEDIA, text + "distance 0: 25")
    assert [s.get("shut_out", 0) for s in one.sheets] == [0, 500, 0]
    none = referee(ENCYCLOPEDIA, text + "distance 0: 25\ndistance 2: 25")
    assert [s.get("shut_out", 0) for s in none.sheets] == [0, 0, 0]


@editions(PARKER, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA)
def test_without_a_completed_trip_there_is_no_shut_out(edition: str) -> None:
    table = referee(edition, "miles 0: 300\nended: exhausted")
    assert table.sheets == ({"miles": 300}, {})


def test_each_side_without_distance_gives_500_to_every_other_side_in_dujardin() -> None:
    for ended, bonus in (
        ("exhausted", {"trip": 400, "safe_trip": 200}),
        ("completed 0", {"trip": 400, "safe_trip": 200}),
    ):
        miles = 300 if ended == "exhausted" else 1000
        table = referee(DUJARDIN, f"players: 3\nmiles 0: {miles}\nmiles 1: 100\nended: {ended}")
        assert table.sheets == (
            {"miles": miles, **bonus, "shut_out": 500},
            {"miles": 100, "shut_out": 500},
            {},
        )
    table = referee(DUJARDIN, "players: 4\nmiles 2: 300\nended: exhausted")
    assert [sheet.get("shut_out") for sheet in table.sheets] == [1000, 1000, 1500, 1000]


def test_nobody_wins_a_hand_of_dujardin_in_which_nobody_laid_a_distance_card() -> None:
    for players, points in ((2, 500), (3, 1000), (4, 1500)):
        table = referee(DUJARDIN, f"players: {players}\nended: exhausted")
        assert table.sheets == ({"shut_out": points},) * players


def test_a_hand_of_dujardin_won_by_the_most_kilometres_with_a_200_is_no_safe_trip() -> None:
    table = referee(DUJARDIN, "distance 0: 200 100\ndistance 1: 100\nended: exhausted")
    assert table.sheets == ({"miles": 300, "trip": 400}, {"miles": 100})


@editions(*ALL)
def test_the_completer_wins_the_hand_of_whoever_else_has_travelled(edition: str) -> None:
    trip = EDITIONS[edition].trip_at(3)
    table = referee(
        edition, f"players: 3\nmiles 0: 675\nmiles 1: {trip}\nmiles 2: 25\nended: completed 1"
    )
    assert table.sheets[0] == {"miles": 675}
    assert table.sheets[1]["trip"] == 400
    assert table.sheets[2] == {"miles": 25}


@editions(*ALL)
def test_cards_in_hand_score_nothing_and_three_safeties_are_not_all_four(edition: str) -> None:
    trip = EDITIONS[edition].trip_at(2)
    table = referee(
        edition,
        f"""
        distance 0: 25
        miles 1: {trip}
        safeties 0: ACE TANK! PROOF
        hand 0: ROW 200
        ended: completed 1
        """,
    )
    assert table.sheets[0] == {"miles": 25, "safeties": 300, "coups_fourres": 300}


def test_the_score_sheet_is_there_once_the_hand_has_ended() -> None:
    match = new_match(EDITIONS[PARKER], 2)
    assert score_sheet(match) is None
    match, _ = deal_cards(match, match.edition.deck(2))
    assert score_sheet(match) is None
    table = referee(PARKER, "miles 0: 300\nended: exhausted")
    assert score_sheet(table.match) == (ScoreSheet(miles=300), ScoreSheet())


def test_the_end_of_a_hand_is_told_with_its_sheets_and_totals() -> None:
    table = referee(
        PARKER, "scores: 100 200\nbattle 0: ROLL\nmiles 0: 600\ndistance 1: 50\nhand 0: 100"
    )
    events = table.play("100", "end")
    sheets = (ScoreSheet(miles=700, trip=400, safe_trip=300), ScoreSheet(miles=50))
    assert events == (Played(0, Card.D100, 0), HandEnded(0, sheets, (1500, 250)))


# The end of a match


def after_a_hand(edition: str, text: str) -> Referee:
    """The last card of the hand is discarded."""
    table = referee(edition, f"turn: 1\npile: 0\nhand 0: only\nhand 1: only REP\n{text}")
    table.play("xREP")
    return table


@editions(PARKER, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA)
def test_the_match_ends_only_at_the_target(edition: str) -> None:
    table = after_a_hand(edition, "scores: 4900 100\nmiles 0: 75")
    assert table.awaits == "deal by 1"
    assert legal_moves(table.match, 0) == ()
    table = after_a_hand(edition, "scores: 4900 100\nmiles 0: 100")
    assert table.awaits == "over: side 0"
    sheets = (ScoreSheet(miles=100), ScoreSheet())
    assert table.hand.history[-2:] == (
        HandEnded(None, sheets, (5000, 100)),
        MatchEnded((5000, 100), 0),
    )


def test_a_match_that_is_over_takes_no_move_and_no_deal() -> None:
    table = after_a_hand(PARKER, "scores: 4900 100\nmiles 0: 100")
    assert table.why("0:x?") == "match_over"
    assert legal_moves(table.match, 0) == ()
    with pytest.raises(
        ValueError, match="cannot deal: the hand in play has not ended, or the match is over"
    ):
        deal_cards(table.match, table.match.edition.deck(2))


def test_the_target_is_a_field() -> None:
    rule = "rule: target = 1000\nscores: 900 0\n"
    assert after_a_hand(PARKER, rule + "miles 0: 100").awaits == "over: side 0"
    assert after_a_hand(PARKER, rule + "miles 0: 75").awaits == "deal by 1"


@pytest.mark.parametrize(
    ("scores", "others", "drawn"),
    [
        ("5200 5200 100", "deal by 1", "over: drawn"),
        ("100 5200 5200", "deal by 1", "over: drawn"),
        ("5200 5300 5200", "over: side 1", "over: side 1"),
        ("5200 5200 5300", "over: side 2", "over: side 2"),
        ("4800 4800 4800", "deal by 1", "deal by 1"),
    ],
)
def test_all_sides_play_on_until_one_alone_is_highest(scores: str, others: str, drawn: str) -> None:
    text = f"players: 3\nhand 2: only\nscores: {scores}"
    for edition in (PARKER, WINNING_MOVES, ARTICLE, DUJARDIN):
        assert after_a_hand(edition, text).awaits == others
    assert after_a_hand(ENCYCLOPEDIA, text).awaits == drawn


@pytest.mark.parametrize(
    ("number", "scores", "another", "drawn"),
    [
        (1, "6000 100", "deal by 1", "deal by 1"),
        (2, "100 300", "over: side 1", "over: side 1"),
        (2, "300 300", "deal by 1", "over: drawn"),
        (3, "300 400", "over: side 1", "over: side 1"),
    ],
)
def test_after_a_fixed_number_of_hands_the_highest_total_wins(
    number: int, scores: str, another: str, drawn: str
) -> None:
    text = f"rule: hands = 2\ndeal: {number}\nscores: {scores}"
    assert after_a_hand(WINNING_MOVES, text).awaits == another
    assert after_a_hand(ENCYCLOPEDIA, text).awaits == drawn


def test_one_hand_may_be_the_match() -> None:
    assert after_a_hand(PARKER, "rule: hands = 1\nmiles 0: 25").awaits == "over: side 0"


@pytest.mark.parametrize(("dealer", "following"), [(0, 1), (1, 2), (2, 0)])
def test_the_deal_passes_left_or_stays(dealer: int, following: int) -> None:
    text = f"players: 3\nhand 2: only\ndealer: {dealer}"
    assert after_a_hand(PARKER, text).awaits == f"deal by {following}"
    fixed = after_a_hand(PARKER, 'rule: dealer = "fixed"\n' + text)
    assert fixed.awaits == f"deal by {dealer}"
    assert fixed.why("0:x?") == f"no_hand_dealt seat={dealer}"


# Autoroute


def test_an_autoroute_protects_for_two_later_turns_from_every_hazard() -> None:
    table = referee(
        DUJARDIN,
        "battle 0: ROLL\nhand 0: AUTO ? ? ? ? ? ?\nhand 1: ACC OUT FLAT STOP LIM ?\ndiscard: 25",
    )
    events = table.play("AUTO")
    assert events[0] == Played(0, Card.AUTO, 0)
    for later_turns_to_come in (2, 1):
        assert table.autoroute(0) == (0, later_turns_to_come)
        for hazard in SAFETY_OF:
            assert table.why(f"{hazard}>0") == "autoroute_protects side=0"
        table.play("x?")
        assert table.autoroute(0) == (0, later_turns_to_come)
        events = table.play("x?")
    assert Expired(0) in events
    assert table.autoroute(0) is None
    assert table.discard == "25 ? ? ? ? AUTO"
    for hazard in SAFETY_OF:
        assert table.why(f"{hazard}>0") is None


def test_a_safety_is_named_before_the_autoroute() -> None:
    table = referee(DUJARDIN, "turn: 1\nsafeties 0: ACE\nautoroute 0: 2\nhand 1: ACC")
    assert table.why("ACC>0") == "safety_protects side=0 hazard=ACC safety=ACE"


def test_an_autoroute_discards_only_what_is_active() -> None:
    table = referee(DUJARDIN, "battle 0: ROLL ACC\nspeed 0: LIM\nsafeties 0: ACE ROW\nhand 0: AUTO")
    table.play("AUTO")
    assert table.battle(0) == "ROLL ACC"
    assert table.speed(0) == "LIM"
    assert table.discard == ""
    table = referee(DUJARDIN, "battle 0: ROLL ACC REP\nspeed 0: LIM EOL\nhand 0: AUTO")
    table.play("AUTO")
    assert table.battle(0) == "ROLL ACC REP"
    assert table.speed(0) == "LIM EOL"
    assert table.discard == ""
    table = referee(DUJARDIN, "battle 0: ROLL ACC\nspeed 0: LIM\nsafeties 0: ACE\nhand 0: AUTO")
    table.play("AUTO")
    assert table.battle(0) == "ROLL ACC"
    assert table.speed(0) == ""
    assert table.discard == "LIM"
    table = referee(DUJARDIN, "battle 0: ROLL STOP\nhand 0: AUTO")
    table.play("AUTO")
    assert table.battle(0) == "ROLL"
    assert table.discard == "STOP"


def test_what_is_beneath_counts_again_after_an_autoroute() -> None:
    table = referee(
        PARKER,
        """
        rule: autoroute_cards = 4
        battle 0: ROLL FLAT ACC
        speed 0: LIM LIM
        hand 0: AUTO 25 SPARE
        """,
    )
    events = table.play("AUTO")
    assert events[0] == Played(0, Card.AUTO, 0, (Card.ACC, Card.LIM))
    assert table.battle(0) == "ROLL FLAT"
    assert table.speed(0) == "LIM"
    table.play("x?")
    assert table.why("25") == "stopped hazard=FLAT remedy=SPARE"
    assert table.why("SPARE") is None


def test_a_second_autoroute_discards_the_older_and_restarts_the_count() -> None:
    table = referee(DUJARDIN, "battle 0: ROLL OUT\nspeed 0: LIM\nautoroute 0: 1\nhand 0: AUTO")
    events = table.play("AUTO")
    assert events[0] == Played(0, Card.AUTO, 0, cards("OUT LIM AUTO"))
    assert table.discard == "OUT LIM AUTO"
    assert table.autoroute(0) == (0, 2)
    table.play("x?", "x?")
    assert table.autoroute(0) == (0, 1)
    table.play("x?", "x?")
    assert table.autoroute(0) is None
    assert table.discard == "OUT LIM AUTO ? ? ? ? AUTO"


def test_in_teams_an_autoroute_protects_the_car_and_counts_the_turns_of_its_layer() -> None:
    table = referee(DUJARDIN, "players: 6\nbattle 0: ROLL\nhand 0: AUTO\nhand 3: AUTO\nhand 4: ACC")
    table.play("AUTO", "x?", "x?")
    assert table.awaits == "turn 3"
    table.play("x?")
    assert table.autoroute(0) == (0, 2), "the partner's turn does not count"
    assert table.why("ACC>0") == "autoroute_protects side=0"
    table.play("x?", "x?", "x?")
    assert table.autoroute(0) == (0, 1)
    table.play("x?", "x?", "AUTO")
    assert table.autoroute(0) == (3, 2), "the count restarts on the new layer's turns"
    table.play("x?", "x?", "x?")
    assert table.autoroute(0) == (3, 2)
    table.play("x?", "x?", "x?")
    assert table.autoroute(0) == (3, 1)


def test_a_turn_skipped_for_an_empty_hand_counts_for_the_autoroute() -> None:
    table = referee(
        DUJARDIN,
        """
        pile: 0
        battle 0: ROLL
        hand 0: only AUTO
        hand 1: only ACC REP REP REP REP
        """,
    )
    table.play("AUTO")
    assert table.awaits == "turn 1"
    assert table.autoroute(0) == (0, 2)
    table.play("xREP")
    assert table.awaits == "turn 1"
    assert table.autoroute(0) == (0, 1)
    assert table.why("ACC>0") == "autoroute_protects side=0"
    table.play("xREP")
    assert table.autoroute(0) is None
    assert table.discard == "REP REP AUTO"
    assert table.why("ACC>0") is None


def test_a_turn_lost_to_a_coup_fourre_does_not_count_for_the_autoroute() -> None:
    table = referee(
        DUJARDIN,
        "players: 3\nautoroute 1: 2\nbattle 2: ROLL\nhand 0: ACC\nhand 2: ACE",
    )
    table.play("ACC>2", "ACE!", "x?")
    assert table.awaits == "turn 0"
    assert table.autoroute(1) == (1, 2)


def test_extra_turns_belong_to_the_turn_they_follow() -> None:
    table = referee(DUJARDIN, "autoroute 0: 2\nhand 0: ACE TANK")
    table.play("ACE", "TANK")
    assert table.autoroute(0) == (0, 2)
    table.play("x?")
    assert table.autoroute(0) == (0, 1)


def test_an_autoroute_expires_when_the_attack_lands_before_the_window() -> None:
    table = referee(DUJARDIN, "autoroute 0: 1\nbattle 1: ROLL\nhand 0: ACC\nhand 1: ACE STOP")
    events = table.play("ACC>1")
    assert events == (Played(0, Card.ACC, 1), Expired(0))
    assert table.awaits == "window ACC 0>1 asks 1"
    assert table.autoroute(0) is None
    assert table.discard == "AUTO"
    table.play("ACE!")
    assert table.discard == "AUTO ACC"
    table = referee(DUJARDIN, "autoroute 0: 2\nbattle 1: ROLL\nhand 0: ACC")
    table.play("ACC>1", "-")
    assert table.autoroute(0) == (0, 1)


@pytest.mark.parametrize("token", ["x?", "25", "ROLL", "EOL"])
def test_every_kind_of_turn_counts_for_the_autoroute(token: str) -> None:
    battle = "" if token == "ROLL" else "ROLL"
    table = referee(
        DUJARDIN, f"autoroute 0: 1\nbattle 0: {battle}\nspeed 0: LIM\nhand 0: 25 ROLL EOL"
    )
    table.play(token)
    assert table.autoroute(0) is None
    assert table.hand.discard[-1] is Card.AUTO


def test_a_completed_trip_ends_the_hand_before_anything_else_is_counted() -> None:
    table = referee(DUJARDIN, "autoroute 0: 1\nbattle 0: ROLL\nmiles 0: 900\nhand 0: 100")
    table.play("100")
    assert table.sheets[0]["trip"] == 400
    assert table.autoroute(0) == (0, 1)
    assert table.discard == ""


def test_calling_the_extension_ends_the_turn_for_the_autoroute_too() -> None:
    table = referee(
        PARKER,
        "rule: autoroute_cards = 4\nautoroute 0: 1\nbattle 0: ROLL\nmiles 0: 600\nhand 0: 100",
    )
    table.play("100")
    assert table.autoroute(0) == (0, 1)
    table.play("ext")
    assert table.autoroute(0) is None
    assert table.discard == "AUTO"


def test_an_autoroute_is_no_safety_for_the_coup_fourre_or_the_score() -> None:
    table = referee(DUJARDIN, "battle 1: ROLL\nhand 0: ACC\nhand 1: AUTO")
    table.play("ACC>1")
    assert table.why(CoupFourre(Card.AUTO)) == "not_a_safety card=AUTO"
    table = referee(DUJARDIN, "distance 0: 25\ndistance 1: 25\nautoroute 0: 2\nended: exhausted")
    assert table.sheets == ({"miles": 25}, {"miles": 25})


def test_the_house_may_give_an_extra_turn_for_an_autoroute_and_nothing_else() -> None:
    rule = "rule: autoroute_is_safety = true\n"
    table = referee(DUJARDIN, rule + "distance 0: 25\ndistance 1: 25\nhand 0: AUTO\nnext: 50")
    table.play("AUTO")
    assert table.awaits == "turn 0"
    assert table.holds(0) == "? ? ? ? ? ? 50"
    assert table.autoroute(0) == (0, 3)
    assert table.safeties(0) == ""
    assert table.sheets_now[0] == {"miles": 25}
    table.play("x?")
    assert table.autoroute(0) == (0, 2)
    table = referee(DUJARDIN, "hand 0: AUTO\nnext: 50")
    table.play("AUTO")
    assert table.awaits == "turn 1"


def test_where_an_autoroute_counts_as_a_safety_it_follows_the_older_french_rule_too() -> None:
    rules = "rule: autoroute_is_safety = true\nrule: replay_on_empty_pile = {}\npile: 0\n"
    hands = "hand 0: only AUTO 25\nhand 1: only 25"
    table = referee(DUJARDIN, rules.format("true") + hands)
    table.play("AUTO")
    assert table.awaits == "turn 0"
    table = referee(DUJARDIN, rules.format("false") + hands)
    table.play("AUTO")
    assert table.awaits == "turn 1"


def test_the_number_of_autoroutes_is_a_field() -> None:
    for number in range(5):
        table = referee(DUJARDIN, f"rule: autoroute_cards = {number}")
        assert table.match.edition.deck(2).count(Card.AUTO) == number


# Reasons

# A position, a move, and the sentence of its refusal; every code has a row.
REFUSALS: list[tuple[str, str | Move, str]] = [
    ("ended: exhausted", "x?", "no_hand_dealt seat=1"),
    ("scores: 5000 0\nended: exhausted", "x?", "match_over"),
    ("players: 3\nturn: 1", "2:x?", "not_your_turn seat=1"),
    ("players: 3\nturn: 1", "0:x?", "not_your_turn seat=1"),
    ("battle 1: ACC\nwindow: ACC 0>1", "0:x?", "window_open side=1 hazard=ACC seat=0 open_to=side"),
    ("battle 1: ACC\nwindow: ACC 0>1", "1:x?", "answer_first hazard=ACC"),
    (
        "players: 4\nbattle 1: ACC\nwindow: ACC 0>1 declined 3",
        "3:-",
        "already_answered",
    ),
    ("miles 0: 700\nextension: 0", "x?", "extension_awaited seat=0"),
    ("hand 0: ACE", "ACE!", "no_window"),
    ("", "ext", "no_extension possible=yes"),
    ("hand 0: 25", "x50", "not_named card=50"),
    ("hand 0: only 25", "x50", "not_in_hand card=50"),
    ("battle 0: ROLL\nhand 0: 25", "50", "not_named card=50"),
    ("battle 0: ROLL\nhand 0: only 25", "50", "not_in_hand card=50"),
    ("", "?", "unknown_card"),
    ("hand 0: only 25", "?", "no_unknown_card"),
    ("hand 0: only 25", "x?", "no_unknown_card"),
    ("hand 0: LIM", "LIM", "needs_target card=LIM"),
    ("hand 0: EOL", Play(Card.EOL, 1), "no_target card=EOL"),
    ("hand 0: LIM", "LIM>2", "no_such_side number=2 sides=2"),
    ("hand 0: LIM", "LIM>3", "no_such_side number=3 sides=2"),
    ("hand 0: LIM", "LIM>0", "own_side card=LIM"),
    ("battle 1: ACC\nwindow: ACC 0>1", CoupFourre(Card.LIM), "not_a_safety card=LIM"),
    (
        "battle 1: ACC\nwindow: ACC 0>1\nhand 1: ROW",
        "ROW!",
        "wrong_safety card=ROW hazard=ACC safety=ACE",
    ),
    ("battle 0: FLAT\nhand 0: 25", "25", "stopped hazard=FLAT remedy=SPARE"),
    ("battle 0: GAS\nhand 0: 25", "25", "needs_roll top=GAS"),
    ("battle 0: ROLL\nspeed 0: LIM\nhand 0: 75", "75", "speed_limit card=75"),
    (
        "battle 0: ROLL\nmiles 0: 525\nhand 0: 200",
        "200",
        "too_far card=200 miles=525 trip=700 left=175",
    ),
    ("battle 0: ROLL\ndistance 0: 200 200\nhand 0: 200", "200", "no_more_200s most=2"),
    ("battle 0: ROLL\nhand 0: ROLL", "ROLL", "already_rolling"),
    ("safeties 0: ROW\nhand 0: ROLL", "ROLL", "right_of_way_rolls"),
    ("battle 0: OUT\nhand 0: ROLL", "ROLL", "cure_first hazard=OUT remedy=GAS"),
    ("hand 0: SPARE", "SPARE", "no_hazard card=SPARE hazard=FLAT"),
    (
        "battle 0: OUT\nhand 0: SPARE",
        "SPARE",
        "other_hazard card=SPARE hazard=OUT remedy=GAS",
    ),
    (
        "battle 0: FLAT\nsafeties 0: PROOF\nhand 0: SPARE",
        "SPARE",
        "safety_cured_it card=SPARE hazard=FLAT safety=PROOF",
    ),
    ("hand 0: EOL", "EOL", "not_limited"),
    ("speed 0: LIM\nsafeties 0: ROW\nhand 0: EOL", "EOL", "right_of_way_lifts"),
    (
        "safeties 1: ROW\nhand 0: LIM",
        "LIM>1",
        "safety_protects side=1 hazard=LIM safety=ROW",
    ),
    (
        "rule: autoroute_cards = 1\nautoroute 1: 1\nhand 0: LIM",
        "LIM>1",
        "autoroute_protects side=1",
    ),
    ("hand 0: ACC", "ACC>1", "not_started side=1 shows="),
    ("battle 1: REP\nhand 0: OUT", "OUT>1", "not_rolling side=1"),
    ("battle 1: FLAT\nhand 0: OUT", "OUT>1", "already_stopped side=1 hazard=FLAT"),
    (
        "rule: limit_on_limit = false\nspeed 1: LIM\nhand 0: LIM",
        "LIM>1",
        "already_limited side=1",
    ),
    ("rule: must_play_out = true\npile: 0\nhand 0: 25 ACE", "x25", "must_play_out card=ACE"),
]


@pytest.mark.parametrize(("text", "move", "reason"), REFUSALS)
def test_every_refusal_says_why(text: str, move: str | Move, reason: str) -> None:
    assert referee(WINNING_MOVES, text).why(move) == reason


@pytest.mark.parametrize("seat", [-1, 3, 4])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    table = referee(WINNING_MOVES, "players: 3")
    assert table.why("x?", seat) == f"no_such_seat number={seat} seats=3"


def test_every_reason_has_a_refusal() -> None:
    rows = {reason.split()[0] for _, _, reason in REFUSALS}
    assert rows | {"no_such_seat"} == set(get_args(Code))


def test_an_unknown_card_can_only_be_discarded() -> None:
    assert referee(PARKER).why("x?") is None


def test_before_the_first_deal_there_is_no_move() -> None:
    match = new_match(EDITIONS[PARKER], 3, dealer=2)
    assert said(match, 0, Discard(Card.D25)) == "no_hand_dealt seat=2"
