"""What a seat and a spectator may see."""

import pytest

from millebornes.records import position
from millebornes.rules import (
    EDITIONS,
    Card,
    CoupFourre,
    Decline,
    Discard,
    Play,
    Reason,
    apply,
    awaited_seats,
    cut,
    deal,
    new_match,
    own_cards,
    score_sheet,
    view,
)
from millebornes.rules.events import Dealt, Discarded, Drawn, Played
from millebornes.rules.state import Turn, Window

UNKNOWN = Card.UNKNOWN


def test_there_is_nothing_to_see_before_the_deal() -> None:
    match = new_match(EDITIONS["article"], 2)
    with pytest.raises(ValueError, match="no hand has been dealt yet"):
        view(match, 0)
    assert awaited_seats(match) == ()
    assert score_sheet(match) is None


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_is_not_there_sees_nothing(seat: int) -> None:
    with pytest.raises(ValueError, match=f"there is no seat {seat}: seats are 0 to 1"):
        view(position.from_text(""), seat)


def test_a_seat_sees_its_own_hand_and_the_sizes_of_the_others() -> None:
    match = position.from_text("players: 3\nhand 0: ROLL STOP\nhand 1: only ACE 25\npile: 7\n")
    seen = view(match, 1)
    assert seen.hand == (Card.ACE, Card.D25)
    assert seen.hand_sizes == (7, 2, 6)
    assert seen.pile == 7
    assert (seen.seat, seen.side, seen.players, seen.sides) == (1, 1, 3, 3)
    assert seen.legal_moves == ()
    assert not seen.is_asked
    assert view(match, 0).is_asked


def test_a_spectator_sees_no_hand_and_has_no_moves() -> None:
    seen = view(position.from_text("hand 0: ROLL\nbattle 1: ROLL\n"), None)
    assert (seen.seat, seen.side) == (None, None)
    assert seen.hand == ()
    assert seen.legal_moves == ()
    assert seen.refused == ()
    assert seen.awaiting == Turn(0)
    assert seen.tableaux[1].battle == (Card.ROLL,)


def test_a_view_knows_the_teams() -> None:
    seen = view(position.from_text("players: 6\n"), 4)
    assert seen.side == 1
    assert seen.seats_of(1) == (1, 4)
    assert seen.side_of(5) == 2


def test_each_card_that_cannot_be_laid_has_its_reason() -> None:
    match = position.from_text("battle 1: ROLL\nhand 0: only STOP 100 ROLL GAS EOL\n")
    seen = view(match, 0)
    assert seen.legal_moves[:2] == (Play(Card.STOP, 1), Play(Card.ROLL))
    assert dict(seen.refused) == {
        Play(Card.D100): Reason.of("needs_roll", top=""),
        Play(Card.GAS): Reason.of("no_hazard", card="GAS", hazard="OUT"),
        Play(Card.EOL): Reason.of("not_limited"),
    }
    assert seen.why_not(Card.STOP) is None
    assert seen.why_not(Card.D100) == Reason.of("needs_roll", top="")
    assert seen.why_not(Card.ACE) is None  # not in this hand: nothing to say


def test_a_hazard_has_a_reason_for_each_side_that_it_cannot_hit() -> None:
    match = position.from_text("players: 3\nbattle 1: ROLL\nhand 0: only STOP\n")
    seen = view(match, 0)
    assert seen.refused == ((Play(Card.STOP, 2), Reason.of("not_started", side=2, shows="")),)
    assert seen.why_not(Card.STOP) is None


def test_a_seat_that_waits_hears_that_it_is_not_its_turn() -> None:
    match = position.from_text("hand 1: only 25 STOP\n")
    reasons = {reason.code for _, reason in view(match, 1).refused}
    assert reasons == {"not_your_turn"}


def test_a_brief_view_leaves_out_the_past_and_the_refusals_of_one_who_waits() -> None:
    match, _ = apply(position.from_text("hand 0: ROLL\nhand 1: ROLL 25\n"), 0, Play(Card.ROLL))
    for seat in (0, 1, None):
        whole, brief = view(match, seat), view(match, seat, brief=True)
        assert whole.history != brief.history == ()
        assert brief == whole._replace(history=(), refused=() if seat != 1 else whole.refused)
    assert view(match, 0).refused != ()
    assert view(match, 1, brief=True).refused != ()


def test_the_own_cards_of_a_seat_are_those_of_its_view() -> None:
    match = position.from_text("hand 0: ROLL STOP\nhand 1: only ACE 25\n")
    assert own_cards(match, 1) == view(match, 1).hand == (Card.ACE, Card.D25)


def test_faces_that_others_draw_are_cut_from_the_history() -> None:
    match, events = deal(new_match(EDITIONS["article"], 2), range(101))
    whole = match.hand.history if match.hand else ()
    assert whole == events
    dealt, drawn = view(match, 0).history
    assert dealt == Dealt(1, 0, ((Card.D25,) * 5 + (Card.D50,), (UNKNOWN,) * 6), 89)
    assert drawn == Drawn(1, UNKNOWN)
    dealt, drawn = view(match, 1).history
    assert drawn == Drawn(1, Card.D50)
    dealt, drawn = view(match, None).history
    assert isinstance(dealt, Dealt)
    assert dealt.hands == ((UNKNOWN,) * 6, (UNKNOWN,) * 6)


def test_what_is_laid_or_discarded_is_seen_by_all() -> None:
    for event in (Played(0, Card.ROLL, 0), Discarded(1, Card.ACE)):
        for viewer in (None, 0, 1):
            assert cut(event, viewer) is event


def test_in_a_window_one_sees_only_ones_own_answer() -> None:
    match = position.from_text("players: 4\nwindow: OUT 0>1\nbattle 1: ROLL OUT\nhand 3: TANK\n")
    asked = Window(0, 1, Card.OUT, (1, 3))
    after, events = apply(match, 1, Decline())
    assert events == ()
    assert view(after, 1).awaiting == Window(0, 1, Card.OUT, (1, 3), (1,))
    for viewer in (None, 0, 2, 3):
        assert view(after, viewer).awaiting == asked
    assert awaited_seats(after) == (3,)
    assert view(after, 1).legal_moves == ()
    assert view(after, 3).legal_moves == (CoupFourre(Card.TANK), Decline())
    assert view(match, 1).legal_moves == (Decline(),)


def test_a_finished_hand_shows_its_score_sheets_to_all() -> None:
    match = position.from_text("ended: completed 0\nmiles 0: 700\n")
    for viewer in (None, 0, 1):
        seen = view(match, viewer)
        assert seen.sheets == score_sheet(match)
        assert seen.totals == match.totals == (1900, 0)
        assert seen.forward == (0, 0)
        assert seen.legal_moves == ()


def test_a_view_of_a_turn_lists_discards_of_unknown_cards() -> None:
    seen = view(position.from_text("hand 0: only ?\n"), 0)
    assert seen.legal_moves == (Discard(UNKNOWN),)
    assert seen.refused == ((Play(UNKNOWN), Reason.of("unknown_card")),)


def test_a_reason_gives_its_parameters_by_name() -> None:
    reason = Reason.of("too_far", card="100", miles=650, trip=700, left=50)
    assert reason["left"] == 50
    assert reason.mapping == {"card": "100", "miles": 650, "trip": 700, "left": 50}
    assert reason == Reason.of("too_far", card="100", miles=650, trip=700, left=50)
