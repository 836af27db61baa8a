"""The match: moves and their ids, shuffles, records, rematch, spectators."""

import json

import pytest

from millebornes.fair.protocol import Transcript, client_commit
from millebornes.records import game, replay
from millebornes.rules import EDITIONS
from millebornes.rules.state import ExtensionChoice, Turn
from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from millebornes.table.proof import check_record
from millebornes.table.table import FAIR_WAIT, GRACE, Person
from tests.strategies import TABLES

from .driven_table import QUICK, DrivenTable, entropy_of, replayed, server_seed, table_settings


def two() -> DrivenTable:
    return DrivenTable(table_settings()).join("ann", "bob").start()


def quick(*guests: str, players: int = 2) -> DrivenTable:
    driven = DrivenTable(table_settings(QUICK, players)).join(*guests)
    return driven.bots(*range(len(guests), players)).start()


# Moves


def test_a_move_answers_the_decision_that_is_asked() -> None:
    driven = two()
    decision, token = driven.table.decision, driven.choice(0)
    assert driven.refusal("ann", says.Move(decision + 1, "a", token)) == "stale_decision"
    assert driven.refusal("ann", says.Move(decision - 1, "a", token)) == "stale_decision"
    driven.say("ann", says.Move(decision, "a", token))
    assert driven.table.decision == decision + 1


def test_the_same_id_is_never_played_twice() -> None:
    driven = two()
    move = says.Move(driven.table.decision, "once", driven.choice(0))
    driven.say("ann", move)
    assert driven.refusal("ann", move) == "already_done"
    driven.move("bob", driven.choice(1))
    again = says.Move(driven.table.decision, "once", "x25")
    assert driven.refusal("ann", again) == "already_done"


def test_a_refused_move_may_be_sent_again_under_its_id() -> None:
    driven = two()
    decision = driven.table.decision
    assert driven.refusal("ann", says.Move(decision, "a", "ext")) == "no_extension"
    driven.say("ann", says.Move(decision, "a", driven.choice(0)))


def test_what_is_no_move_is_refused() -> None:
    driven = two()
    for token in ("", "roll", "STOP>99999", "ACE!!", "??", "é", "\ud800"):
        assert driven.refusal("ann", says.Move(driven.table.decision, "a", token)) == "bad_move"


def test_the_rules_reason_is_told_with_the_refusal() -> None:
    driven = two()
    outcome = driven.put("bob", says.Move(driven.table.decision, "b", "x25"))
    assert outcome.refused is not None
    assert outcome.refused.reason is not None
    assert (outcome.refused.code, outcome.refused.params) == ("not_your_turn", {"seat": 0})


def test_a_watcher_has_no_move() -> None:
    driven = two()
    driven.say("zoe", says.Join("Zoe", watch=True))
    for message in (
        says.Move(driven.table.decision, "z", "x25"),
        says.Next(driven.table.decision),
        says.Return(),
        says.Rematch(),
        says.Back(1),
        says.Commit(2, "0" * 64),
        says.Reveal(2, "0" * 64),
    ):
        assert driven.refusal("zoe", message) == "no_seat"
    shown = driven.view("zoe")
    assert shown.hand is not None
    assert (shown.hand.cards, shown.hand.legal_moves, shown.hand.refused) == ((), (), ())


def test_before_the_start_and_after_the_end_there_is_nothing_to_play() -> None:
    driven = DrivenTable(table_settings(QUICK)).join("ann", "bob")
    assert driven.refusal("ann", says.Move(0, "a", "x25")) == "not_playing"
    assert driven.refusal("ann", says.Next(0)) == "not_playing"
    assert driven.refusal("ann", says.Rematch()) == "not_over"
    assert driven.refusal("ann", says.Return()) == "not_away"
    driven.start().play_to_the_end()
    move = says.Move(driven.table.decision, "a", "x25")
    assert driven.refusal("ann", move) == "not_playing"


def test_the_extension_is_the_choice_of_the_seat_that_completed_the_trip() -> None:
    driven = two().at("turn: 0\nmiles 0: 600\nbattle 0: ROLL\nhand 0: 100\n")
    driven.move("ann", "100")
    assert driven.awaiting() == ExtensionChoice(0)
    asked = driven.view("bob").asked
    assert asked is not None
    assert (asked.what, asked.seats) == ("extension", (0,))
    decision = driven.table.decision
    assert driven.refusal("bob", says.Move(decision, "b", "ext")) == "extension_awaited"
    driven.move("ann", "ext")
    assert driven.awaiting() == Turn(1)
    assert driven.view("bob").hand is not None


def test_whoever_has_not_joined_sees_who_sits_there_but_not_the_game() -> None:
    driven = two()
    for shown in (driven.view(None), driven.view("eve")):
        assert [seat.name for seat in shown.seats] == ["Ann", "Bob"]
        assert (shown.hand, shown.asked, shown.you, shown.member) == (None, None, None, None)


# Whole matches


@pytest.mark.parametrize("table", TABLES, ids=lambda t: f"{t[0].id}-{t[1]}")
def test_a_hand_of_every_edition_is_played_recorded_proven_and_replayed(
    table: tuple[object, int],
) -> None:
    edition, players = table
    assert edition in EDITIONS.values()
    one_hand = EDITIONS[edition.id].house({"hands": 1, "tie": "drawn"})  # type: ignore[attr-defined]
    driven = DrivenTable(table_settings(one_hand, players)).join("ann", "bob")
    driven.bots(*range(2, players)).start().play_to_the_end()
    record = driven.table.game
    assert record is not None
    assert record.result is not None
    text = game.to_text(record)
    assert game.to_text(game.from_text(text)) == text
    assert all(finding.fault is None for finding in check_record(game.from_text(text)))
    assert [*replay(record)][-1].match == driven.table.match
    again = replayed(driven)
    assert again.table == driven.table
    for guest in ("ann", "bob", None):
        assert again.frames(guest) == driven.frames(guest)


# The shuffle


def started() -> DrivenTable:
    driven = DrivenTable(table_settings()).join("ann", "bob", "zoe")
    driven.say("ann", says.Start())
    return driven


def commit_of(driven: DrivenTable, guest: str, seat: int) -> says.Commit:
    fair = driven.table.fair
    assert fair is not None
    entropy = entropy_of(guest, fair.hand)
    return says.Commit(fair.hand, client_commit(fair.ctx, seat, fair.commit, entropy))


def reveal_of(guest: str, hand: int = 1) -> says.Reveal:
    return says.Reveal(hand, entropy_of(guest, hand).hex())


def stage_of(driven: DrivenTable) -> str:
    assert driven.table.fair is not None
    return driven.table.fair.stage


def test_nothing_is_dealt_before_everybody_has_revealed() -> None:
    driven = started()
    needed = driven.table.need_seed()
    assert needed is not None
    assert driven.refusal(None, inputs.Seed(2, server_seed(2))) == "not_needed"
    driven.drive(inputs.Seed(1, server_seed(1)))
    assert driven.refusal(None, inputs.Seed(1, server_seed(1))) == "not_needed"
    assert driven.refusal("ann", reveal_of("ann")) == "shuffle_moved_on"
    driven.say("ann", commit_of(driven, "ann", 0))
    assert driven.refusal("ann", commit_of(driven, "ann", 0)) == "already_done"
    assert driven.refusal("zoe", commit_of(driven, "zoe", 1)) == "no_seat"
    driven.say("bob", commit_of(driven, "bob", 1))
    assert driven.refusal("bob", commit_of(driven, "bob", 1)) == "shuffle_moved_on"
    assert driven.refusal("ann", reveal_of("bob")) == "wrong_reveal"
    driven.say("ann", reveal_of("ann"))
    assert driven.refusal("ann", reveal_of("ann")) == "already_done"
    assert driven.table.hands_dealt == 0
    driven.say("bob", reveal_of("bob"))
    assert driven.table.hands_dealt == 1
    assert driven.refusal("bob", reveal_of("bob")) == "shuffle_moved_on"


def test_the_next_shuffle_is_prepared_while_the_hand_is_played() -> None:
    driven = two()
    driven.shuffle()
    fair = driven.view("ann").fair
    assert fair is not None
    assert (fair.hand, fair.stage, sorted(fair.commits)) == (2, "ready", ["0", "1"])


def test_one_who_commits_to_nothing_or_reveals_nothing_is_waited_for_ten_seconds() -> None:
    driven = started()
    driven.drive(inputs.Seed(1, server_seed(1)))
    driven.say("ann", commit_of(driven, "ann", 0))
    driven.wait(FAIR_WAIT - 1)
    assert stage_of(driven) == "commit"
    driven.wait(1)
    assert stage_of(driven) == "reveal"
    driven.wait(FAIR_WAIT)
    assert driven.table.hands_dealt == 1
    transcript = driven.table.dealt_fair
    assert transcript is not None
    assert [(one.seat, bool(one.commit), one.entropy) for one in transcript.clients] == [
        (0, True, None),
        (1, False, None),
    ]
    assert transcript.faults() == []


def test_a_hand_waits_for_its_shuffle_even_when_the_score_has_been_read() -> None:
    driven = two()
    while True:
        asked = driven.view("ann").asked
        assert asked is not None
        if asked.what == "next":
            break
        if not driven.let_bots_play():
            seat = asked.seats[0]
            guest = driven.guest_at(seat)
            assert guest is not None
            driven.move(guest, driven.choice(seat))
    needed = driven.table.need_seed()
    assert needed is not None
    driven.wait(120_000)
    assert driven.table.hands_dealt == 1
    ticks = len(driven.log)
    driven.wait(600_000)
    assert len(driven.log) == ticks
    driven.drive(inputs.Seed(2, server_seed(2)))
    driven.wait(2 * FAIR_WAIT)
    assert driven.table.hands_dealt == 2


def test_the_seed_is_shown_when_the_hand_has_ended_and_not_before() -> None:
    driven = quick("ann", "bob")
    seed = server_seed(1)
    driven.play_to_the_end()
    frames = driven.frames("ann")
    shown = [number for number, text in enumerate(frames) if seed in text.decode()]
    assert shown == [len(frames) - 1]
    revealed = [e for e in driven.outcomes[-1].happened if isinstance(e, out.FairRevealed)]
    assert Transcript.from_json(json.loads(json.dumps(revealed[0].transcript))).faults() == []


# Rematch


def test_a_rematch_is_played_when_everybody_wants_it_with_the_seats_rotated() -> None:
    driven = quick("ann", "bob", players=3).play_to_the_end()
    assert driven.view("ann").phase == "over"
    driven.say("ann", says.Rematch())
    assert driven.view("bob").continued == (0,)
    assert driven.refusal("ann", says.Rematch()) == "already_done"
    driven.say("bob", says.Rematch())
    assert driven.phase() == "playing"
    assert [driven.table.seat_name(seat) for seat in range(3)] == ["Léa", "Ann", "Bob"]
    driven.play_to_the_end()
    assert driven.table.game is not None
    assert all(finding.fault is None for finding in check_record(driven.table.game))


def test_partners_stay_partners_in_a_rematch() -> None:
    driven = quick("ann", "bob", players=4).play_to_the_end()
    sides = {driven.table.seat_name(seat): seat % 2 for seat in range(4)}
    driven.say("ann", says.Rematch())
    driven.say("bob", says.Rematch())
    again = {driven.table.seat_name(seat): seat % 2 for seat in range(4)}
    assert all(again[name] != side for name, side in sides.items())


def test_hands_are_counted_on_through_a_rematch_and_no_shuffle_is_used_by_other_seats() -> None:
    driven = quick("ann", "bob")
    driven.shuffle()
    driven.play_to_the_end()
    prepared = driven.table.fair
    assert prepared is not None
    assert prepared.hand == 2
    driven.say("ann", says.Rematch())
    driven.say("bob", says.Rematch())
    needed = driven.table.need_seed()
    assert needed is not None
    assert needed.hand == 3
    driven.play_to_the_end()
    assert driven.table.game is not None
    assert all(finding.fault is None for finding in check_record(driven.table.game))


def test_one_who_leaves_after_the_match_is_not_waited_for() -> None:
    driven = quick("ann", "bob").play_to_the_end()
    driven.say("ann", says.Rematch())
    driven.say("bob", says.Leave())
    assert driven.phase() == "playing"
    assert driven.table.seats == (Person(1, away=True), Person(0))
    driven.say("bob", says.Join("Bob"))
    driven.say("bob", says.Return())
    assert driven.view("bob").you == 0


def test_one_whose_connection_is_lost_after_the_match_is_waited_for_no_longer_than_usual() -> None:
    driven = quick("ann", "bob", "cem", players=3).play_to_the_end()
    driven.say("ann", says.Rematch())
    driven.drive(inputs.Gone("bob"))
    driven.wait(GRACE)
    assert driven.phase() == "over"  # for Cem is here, and has not said anything
    driven.drive(inputs.Gone("cem"))
    driven.wait(GRACE - 1)
    assert driven.phase() == "over"
    driven.wait(1)
    assert driven.phase() == "playing"
    assert driven.table.seats == (Person(2, away=True), Person(0), Person(1, away=True))


def test_a_reload_of_the_page_costs_nobody_the_seat_in_a_rematch() -> None:
    driven = quick("ann", "bob").play_to_the_end()
    driven.say("ann", says.Rematch())
    driven.drive(inputs.Gone("bob"))
    driven.wait(GRACE - 1)
    driven.drive(inputs.Arrived("bob"))
    driven.wait(2 * GRACE)
    assert driven.phase() == "over"
    driven.say("bob", says.Rematch())
    assert driven.table.seats == (Person(1), Person(0))


def test_a_rematch_waits_for_somebody_who_wants_it_and_is_here() -> None:
    driven = quick("ann", "bob").play_to_the_end()
    driven.say("ann", says.Rematch())
    driven.drive(inputs.Gone("ann"))
    driven.drive(inputs.Gone("bob"))
    driven.wait(2 * GRACE)
    assert driven.phase() == "over"
    driven.drive(inputs.Arrived("ann"))
    driven.wait(0)
    assert driven.phase() == "playing"


def test_nobody_is_made_to_play_again() -> None:
    driven = quick("ann", "bob").play_to_the_end()
    driven.say("bob", says.Leave())
    driven.say("ann", says.Leave())
    assert driven.phase() == "over"


def test_one_whose_bot_finished_the_match_may_want_another() -> None:
    driven = quick("ann", "bob")
    driven.say("bob", says.Leave())
    driven.play_to_the_end()
    driven.say("bob", says.Join("Bob"))
    driven.say("bob", says.Rematch())
    assert driven.phase() == "over"
    driven.say("ann", says.Rematch())
    assert driven.phase() == "playing"
    assert driven.table.seats == (Person(1), Person(0))
