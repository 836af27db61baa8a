"""The judge: whose move it is, what it leaves unchanged, what it answers."""

import pytest
from hypothesis import given, settings

from millebornes.records import Judgement, RecordError, judge, legal_tokens, position
from millebornes.rules import EDITIONS, Card, Match
from millebornes.rules.events import Discarded, Drawn, Passed
from millebornes.rules.state import Deal, Hand, Turn, Window
from tests.strategies import bad_texts, judge_texts

from .refusals import refusal

ATTACK = "turn: 0\nbattle 1: ROLL\nhand 0: OUT\n"
TEAM_ATTACK = "players: 4\n" + ATTACK


def case(text: str) -> Judgement:
    (judgement,) = judge(text)
    return judgement


def hand_of(match: Match) -> Hand:
    assert match.hand is not None
    return match.hand


def told(judgement: Judgement) -> list[tuple[int | None, str | None]]:
    """Who moved, and the code of the refusal, move by move."""
    return [(v.seat, v.reason.code if v.reason else None) for v in judgement.verdicts]


def test_without_a_seat_the_order_of_play_holds() -> None:
    judgement = case("hand 0: ROLL\nhand 1: ROLL\nmoves: ROLL ROLL x? x?\n")
    assert told(judgement) == [(0, None), (1, None), (0, None), (1, None)]
    assert judgement.match.awaiting == Turn(0)


def test_a_seat_before_a_move_makes_it_that_seats_turn_drawing_first() -> None:
    text = "players: 4\nbattle 1: OUT\nnext: 25 50 75 100\nhand 3: GAS\nmoves: 3: GAS\n"
    judgement = case(text)
    assert told(judgement) == [(3, None)]
    hand = hand_of(judgement.match)
    # Seats 0, 1 and 2 have each discarded a ? between; 3 drew before it played.
    assert hand.discard == (Card.UNKNOWN,) * 3
    assert hand.hands[1][-1] is Card.D25
    assert hand.hands[2][-1] is Card.D50
    assert hand.hands[3] == (*[Card.UNKNOWN] * 5, Card.D75)
    assert judgement.match.awaiting == Turn(0)


def test_a_seat_that_is_on_turn_already_just_moves() -> None:
    judgement = case("hand 0: ROLL\nmoves: 0:ROLL\n")
    assert told(judgement) == [(0, None)]
    assert hand_of(judgement.match).discard == ()


def test_a_seat_that_has_just_moved_moves_again_after_a_round() -> None:
    judgement = case("hand 0: ROLL 100\nmoves: ROLL 0:100\n")
    assert told(judgement) == [(0, None), (0, None)]
    assert hand_of(judgement.match).tableaux[0].distance == (Card.D100,)
    assert hand_of(judgement.match).discard == (Card.UNKNOWN,)


def test_keys_may_be_written_in_any_case() -> None:
    small = "title: A red light\nplayers: 2\nbattle 1: ROLL\nhand 0: STOP\nmoves: STOP>1\n"
    for text in (small.title().replace("Roll", "ROLL").replace("Stop", "STOP"), small.upper()):
        assert case(text)._replace(title="") == case(small)._replace(title="")
    assert position.from_text("Battle 1: ROLL") == position.from_text("battle 1: ROLL")


def test_a_title_may_go_on_with_a_word_and_a_colon() -> None:
    assert case("title: The light\nNote: it was red\nturn: 0").title == "The light Note: it was red"


def test_an_unknown_key_is_refused_in_the_case_it_was_written() -> None:
    found = refusal(judge, "turn: 0\nbattles 0: ROLL")
    assert found[:3] == (2, 1, "'battles 0'")
    assert refusal(judge, "Turn: 0\nTurn: 1") == (2, 1, "'turn' again", "only one turn")


def test_a_seat_before_a_move_lets_an_open_window_pass() -> None:
    judgement = case(ATTACK + "hand 1: TANK GAS\nmoves: OUT>1 1:GAS\n")
    assert told(judgement) == [(0, None), (1, None)]
    assert hand_of(judgement.match).tableaux[1].battle == (Card.ROLL, Card.OUT, Card.GAS)
    assert hand_of(judgement.match).tableaux[1].safeties == ()


def test_a_turn_cannot_be_brought_past_a_hand_without_an_unknown_card() -> None:
    known = "hand 0: 25 25 25 25 25 25 25\n"
    judgement = case(known + "hand 1: ROLL\nmoves: 1:ROLL x25 1:ROLL\n")
    assert told(judgement) == [(1, "not_your_turn"), (0, None), (1, None)]
    assert judgement.verdicts[0].match == judgement.start
    assert judgement.verdicts[0].events == ()


def test_a_turn_cannot_be_brought_past_an_extension_or_the_end() -> None:
    judgement = case("extension: 0\nmiles 0: 700\nmoves: 1:ROLL end 1:ROLL ROLL ext\n")
    assert told(judgement) == [
        (1, "extension_awaited"),
        (0, None),
        (1, "no_hand_dealt"),
        (0, "no_hand_dealt"),
        (0, "no_hand_dealt"),
    ]
    assert isinstance(judgement.match.awaiting, Deal)


def test_a_turn_cannot_be_brought_to_a_seat_without_cards() -> None:
    judgement = case("pile: 0\nhand 1: only\nmoves: 1:ROLL\n")
    assert told(judgement) == [(1, "not_your_turn")]
    assert judgement.match == judgement.start


def test_a_bare_decline_is_of_every_seat_still_asked() -> None:
    judgement = case(TEAM_ATTACK + "moves: OUT>1 -\n")
    assert told(judgement) == [(0, None), (None, None)]
    assert judgement.verdicts[1].events == (Passed(1, Card.OUT), Drawn(1, Card.UNKNOWN))
    judgement = case(TEAM_ATTACK + "moves: OUT>1 3:- -\n")
    assert told(judgement) == [(0, None), (3, None), (None, None)]
    assert judgement.verdicts[1].events == ()
    assert judgement.match.awaiting == Turn(1)


def test_a_bare_decline_where_one_seat_is_asked_is_that_seats() -> None:
    assert told(case(ATTACK + "moves: OUT>1 -\n")) == [(0, None), (1, None)]


def test_a_decline_with_a_seat_is_of_that_seat_alone() -> None:
    judgement = case(TEAM_ATTACK + "hand 3: TANK\nmoves: OUT>1 1:- 1:- 3:TANK!\n")
    assert told(judgement) == [(0, None), (1, None), (1, "already_answered"), (3, None)]
    assert judgement.verdicts[1].match.awaiting == Window(0, 1, Card.OUT, (1, 3), (1,))
    assert judgement.match.awaiting == Turn(3)


def test_a_decline_without_a_window_is_refused() -> None:
    judgement = case("moves: - 1:-\n")
    assert told(judgement) == [(0, "no_window"), (1, "no_window")]
    assert judgement.match == judgement.start


def test_a_coup_fourre_without_a_seat_is_the_holders() -> None:
    judgement = case(TEAM_ATTACK + "hand 3: TANK\nmoves: OUT>1 TANK!\n")
    assert told(judgement) == [(0, None), (3, None)]
    judgement = case(TEAM_ATTACK + "hand 1: only GAS\nmoves: OUT>1 TANK!\n")
    assert told(judgement) == [(0, None), (1, "not_in_hand")]
    judgement = case(ATTACK + "hand 1: TANK\nmoves: OUT>1 1:TANK!\n")
    assert told(judgement) == [(0, None), (1, None)]


def test_a_bare_move_while_a_window_is_open_must_wait_for_the_answer() -> None:
    judgement = case(ATTACK + "hand 1: TANK ROLL\nmoves: OUT>1 ROLL ext x?\n")
    assert told(judgement) == [(0, None)] + [(1, "answer_first")] * 3
    rules = "players: 3\nbattle 2: ROLL\nhand 0: OUT\nhand 2: TANK\n"
    assert told(case(rules + "moves: OUT>2 ROLL\n")) == [(0, None), (1, "window_open")]
    judgement = case(TEAM_ATTACK + "hand 3: TANK\nhand 1: GAS\nmoves: OUT>1 GAS 3:- GAS\n")
    assert told(judgement) == [(0, None), (1, "answer_first"), (3, None), (1, None)]


def test_a_bare_play_passes_a_window_that_nobody_named_can_answer() -> None:
    judgement = case("battle 1: ROLL\nhand 0: STOP\nhand 1: ROLL 100\nmoves: STOP>1 ROLL\n")
    assert told(judgement) == [(0, None), (1, None)]
    assert hand_of(judgement.match).tableaux[1].battle == (Card.ROLL, Card.STOP, Card.ROLL)
    assert told(case(ATTACK + "moves: OUT>1 x?\n")) == [(0, None), (1, None)]
    teams = case(TEAM_ATTACK + "hand 1: GAS ?\nmoves: OUT>1 GAS\n")
    assert told(teams) == [(0, None), (1, None)]
    elsewhere = case(TEAM_ATTACK + "hand 1: GAS\nhand 2: TANK\nmoves: OUT>1 GAS\n")
    assert told(elsewhere) == [(0, None), (1, None)]


def test_only_a_play_or_a_discard_passes_a_window() -> None:
    judgement = case(ATTACK + "moves: OUT>1 ext end\n")
    assert told(judgement) == [(0, None), (1, "answer_first"), (1, "answer_first")]


def test_an_illegal_move_is_reported_and_skipped() -> None:
    judgement = case("hand 0: 100 ROLL STOP\nmoves: 100 STOP>1 STOP>7 STOP ROLL\n")
    assert told(judgement) == [
        (0, "needs_roll"),
        (0, "not_started"),
        (0, "no_such_side"),
        (0, "needs_target"),
        (0, None),
    ]
    for verdict in judgement.verdicts[:-1]:
        assert verdict.match == judgement.start
        assert verdict.events == ()


def test_a_seat_brought_to_its_turn_stays_on_turn_after_an_illegal_move() -> None:
    judgement = case("hand 1: GAS ROLL\nmoves: 1:GAS ROLL\n")
    assert told(judgement) == [(1, "no_hazard"), (1, None)]


def test_a_card_that_is_asked_about_is_in_the_hand_if_a_card_there_is_not_known() -> None:
    assert told(case("battle 1: ROLL\nmoves: STOP>1\n")) == [(0, None)]
    assert told(case("hand 0: 25\nmoves: xROLL\n")) == [(0, None)]
    assert told(case("battle 1: ROLL\nhand 0: STOP\nmoves: STOP>1 ROW!\n"))[1] == (1, None)
    assert told(case("hand 0: only 25\nmoves: ROLL\n")) == [(0, "not_in_hand")]


def test_a_card_whose_copies_all_lie_elsewhere_is_not_in_the_hand() -> None:
    assert told(case("safeties 1: ROW\nmoves: ROW\n")) == [(0, "not_named")]
    dujardin = "edition: dujardin-2019\nautoroute 1: 1\ndiscard: AUTO AUTO"
    assert told(case(f"{dujardin}\nmoves: AUTO\n")) == [(0, None)]
    assert told(case(f"{dujardin} AUTO\nmoves: AUTO\n")) == [(0, "not_named")]


def test_a_refused_play_without_a_seat_leaves_the_window_open() -> None:
    judgement = case("battle 1: ROLL\nhand 0: STOP\nmoves: STOP>1 100 ROLL\n")
    assert told(judgement) == [(0, None), (1, "stopped"), (1, None)]
    assert isinstance(judgement.verdicts[1].match.awaiting, Window)


def test_an_unknown_card_can_be_discarded_but_not_played() -> None:
    judgement = case("moves: ? x?\n")
    assert told(judgement) == [(0, "unknown_card"), (0, None)]
    assert Discarded(0, Card.UNKNOWN) in judgement.verdicts[1].events


def test_a_draw_is_unknown_unless_the_front_of_the_pile_is_named() -> None:
    judgement = case("next: ROLL\nmoves: x? ROLL\n")
    assert told(judgement) == [(0, None), (1, None)]
    assert judgement.verdicts[0].events[-1] == Drawn(1, Card.ROLL)
    assert judgement.verdicts[1].events[-1] == Drawn(0, Card.UNKNOWN)


def test_several_positions_stand_in_one_file() -> None:
    text = "---\ntitle: one # first\nmoves: x?\n---\n\n---\ntitle:\nplayers: 3\n---\n"
    first, second = judge(text)
    assert (first.title, second.title) == ("one", "")
    assert len(first.verdicts) == 1
    assert second.verdicts == ()
    assert second.match == second.start
    assert second.start.players == 3


def test_moves_may_stand_in_several_entries() -> None:
    assert len(case("moves: x?\nmoves: x? x?\n").verdicts) == 3


def test_an_edition_given_stands_in_for_the_ones_named() -> None:
    text = "edition: article\nplayers: 4\nrule: max_200s = 4\n---\nplayers: 2\n"
    first, second = judge(text, EDITIONS["encyclopedia"])
    assert first.start.edition == EDITIONS["encyclopedia"].house({"max_200s": 4})
    assert second.start.edition == EDITIONS["encyclopedia"]


def test_legal_tokens_carry_a_seat_where_several_are_asked() -> None:
    match = case(TEAM_ATTACK + "hand 3: TANK\nmoves: OUT>1\n").match
    assert [str(token) for token in legal_tokens(match)] == ["1:-", "3:TANK!", "3:-"]
    match = case(ATTACK + "hand 1: TANK\nmoves: OUT>1\n").match
    assert [str(token) for token in legal_tokens(match)] == ["TANK!", "-"]
    match = position.from_text("hand 0: only ROLL STOP\n")
    assert [str(token) for token in legal_tokens(match)] == ["ROLL", "xROLL", "xSTOP"]
    assert legal_tokens(position.from_text("ended: exhausted\n")) == ()


@pytest.mark.parametrize(
    ("text", "line", "column", "found"),
    [
        ("", 1, 1, "nothing"),
        ("---\n# nothing\n---", 1, 1, "nothing"),
        ("moves: ROLL\n---\nplayers: 2\nmoves: x25 foo", 4, 12, "'foo'"),
        ("players: 3\nmoves: 3:x25", 2, 8, "'3:x25'"),
        ("moves 1: x25", 1, 1, "'moves 1'"),
        ("moves: 0:", 1, 11, "nothing"),
        ("battle 0: ROLL\n---\nbattle 0: 25", 3, 11, "'25'"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused(
    text: str, line: int, column: int, found: str
) -> None:
    assert refusal(judge, text)[:3] == (line, column, found)


@given(judge_texts())
@settings(max_examples=300)
def test_the_judge_finds_each_move_legal_or_leaves_the_cards_alone(text: str) -> None:
    try:
        judgements = judge(text)
    except RecordError:
        return
    for judgement in judgements:
        for verdict in judgement.verdicts:
            if verdict.reason is not None:
                assert verdict.events == ()
            if verdict.reason is not None and verdict.token.seat is None:
                before = judgement.verdicts.index(verdict)
                earlier = judgement.verdicts[before - 1].match if before else judgement.start
                assert verdict.match == earlier
            position.to_text(verdict.match)


@given(bad_texts(judge_texts()))
@settings(max_examples=400)
def test_any_text_is_judged_or_is_a_record_error(text: str) -> None:
    try:
        judgements = judge(text)
    except RecordError:
        return
    for judgement in judgements:
        whole = position.to_text(judgement.match)
        assert position.to_text(position.from_text(whole)) == whole
