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

from .sitting import QUICK, Sitting, entropy_of, replayed, server_seed, table_settings


def two() -> Sitting:
    return Sitting(table_settings()).join("ann", "bob").start()


def quick(*guests: str, players: int = 2) -> Sitting:
    sitting = Sitting(table_settings(QUICK, players)).join(*guests)
    return sitting.bots(*range(len(guests), players)).start()


# Moves


def test_a_move_answers_the_decision_that_is_asked() -> None:
    sitting = two()
    decision, token = sitting.table.decision, sitting.choice(0)
    assert sitting.refusal("ann", says.Move(decision + 1, "a", token)) == "stale_decision"
    assert sitting.refusal("ann", says.Move(decision - 1, "a", token)) == "stale_decision"
    sitting.say("ann", says.Move(decision, "a", token))
    assert sitting.table.decision == decision + 1


def test_the_same_id_is_never_played_twice() -> None:
    sitting = two()
    move = says.Move(sitting.table.decision, "once", sitting.choice(0))
    sitting.say("ann", move)
    assert sitting.refusal("ann", move) == "already_done"
    sitting.move("bob", sitting.choice(1))
    again = says.Move(sitting.table.decision, "once", "x25")
    assert sitting.refusal("ann", again) == "already_done"


def test_a_refused_move_may_be_sent_again_under_its_id() -> None:
    sitting = two()
    decision = sitting.table.decision
    assert sitting.refusal("ann", says.Move(decision, "a", "ext")) == "no_extension"
    sitting.say("ann", says.Move(decision, "a", sitting.choice(0)))


def test_what_is_no_move_is_refused() -> None:
    sitting = two()
    for token in ("", "roll", "STOP>99999", "ACE!!", "??", "é", "\ud800"):
        assert sitting.refusal("ann", says.Move(sitting.table.decision, "a", token)) == "bad_move"


def test_the_rules_reason_is_told_with_the_refusal() -> None:
    sitting = two()
    outcome = sitting.put("bob", says.Move(sitting.table.decision, "b", "x25"))
    assert outcome.refused is not None
    assert outcome.refused.reason is not None
    assert (outcome.refused.code, outcome.refused.params) == ("not_your_turn", {"seat": 0})


def test_a_watcher_has_no_move() -> None:
    sitting = two()
    sitting.say("zoe", says.Join("Zoe", watch=True))
    for message in (
        says.Move(sitting.table.decision, "z", "x25"),
        says.Next(sitting.table.decision),
        says.Return(),
        says.Rematch(),
        says.Back(1),
        says.Commit(2, "0" * 64),
        says.Reveal(2, "0" * 64),
    ):
        assert sitting.refusal("zoe", message) == "no_seat"
    shown = sitting.view("zoe")
    assert shown.hand is not None
    assert (shown.hand.cards, shown.hand.legal_moves, shown.hand.refused) == ((), (), ())


def test_before_the_start_and_after_the_end_there_is_nothing_to_play() -> None:
    sitting = Sitting(table_settings(QUICK)).join("ann", "bob")
    assert sitting.refusal("ann", says.Move(0, "a", "x25")) == "not_playing"
    assert sitting.refusal("ann", says.Next(0)) == "not_playing"
    assert sitting.refusal("ann", says.Rematch()) == "not_over"
    assert sitting.refusal("ann", says.Return()) == "not_away"
    sitting.start().play_to_the_end()
    move = says.Move(sitting.table.decision, "a", "x25")
    assert sitting.refusal("ann", move) == "not_playing"


def test_the_extension_is_the_choice_of_the_seat_that_completed_the_trip() -> None:
    sitting = two().at("turn: 0\nmiles 0: 600\nbattle 0: ROLL\nhand 0: 100\n")
    sitting.move("ann", "100")
    assert sitting.awaiting() == ExtensionChoice(0)
    asked = sitting.view("bob").asked
    assert asked is not None
    assert (asked.what, asked.seats) == ("extension", (0,))
    decision = sitting.table.decision
    assert sitting.refusal("bob", says.Move(decision, "b", "ext")) == "extension_awaited"
    sitting.move("ann", "ext")
    assert sitting.awaiting() == Turn(1)
    assert sitting.view("bob").hand is not None


def test_whoever_has_not_joined_sees_who_sits_there_but_not_the_game() -> None:
    sitting = two()
    for shown in (sitting.view(None), sitting.view("eve")):
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
    sitting = Sitting(table_settings(one_hand, players)).join("ann", "bob")
    sitting.bots(*range(2, players)).start().play_to_the_end()
    record = sitting.table.game
    assert record is not None
    assert record.result is not None
    text = game.to_text(record)
    assert game.to_text(game.from_text(text)) == text
    assert all(finding.fault is None for finding in check_record(game.from_text(text)))
    assert [*replay(record)][-1].match == sitting.table.match
    again = replayed(sitting)
    assert again.table == sitting.table
    for guest in ("ann", "bob", None):
        assert again.frames(guest) == sitting.frames(guest)


# The shuffle


def started() -> Sitting:
    sitting = Sitting(table_settings()).join("ann", "bob", "zoe")
    sitting.say("ann", says.Start())
    return sitting


def commit_of(sitting: Sitting, guest: str, seat: int) -> says.Commit:
    fair = sitting.table.fair
    assert fair is not None
    entropy = entropy_of(guest, fair.hand)
    return says.Commit(fair.hand, client_commit(fair.ctx, seat, fair.commit, entropy))


def reveal_of(guest: str, hand: int = 1) -> says.Reveal:
    return says.Reveal(hand, entropy_of(guest, hand).hex())


def stage_of(sitting: Sitting) -> str:
    assert sitting.table.fair is not None
    return sitting.table.fair.stage


def test_nothing_is_dealt_before_everybody_has_revealed() -> None:
    sitting = started()
    needed = sitting.table.need_seed()
    assert needed is not None
    assert sitting.refusal(None, inputs.Seed(2, server_seed(2))) == "not_needed"
    sitting.drive(inputs.Seed(1, server_seed(1)))
    assert sitting.refusal(None, inputs.Seed(1, server_seed(1))) == "not_needed"
    assert sitting.refusal("ann", reveal_of("ann")) == "shuffle_moved_on"
    sitting.say("ann", commit_of(sitting, "ann", 0))
    assert sitting.refusal("ann", commit_of(sitting, "ann", 0)) == "already_done"
    assert sitting.refusal("zoe", commit_of(sitting, "zoe", 1)) == "no_seat"
    sitting.say("bob", commit_of(sitting, "bob", 1))
    assert sitting.refusal("bob", commit_of(sitting, "bob", 1)) == "shuffle_moved_on"
    assert sitting.refusal("ann", reveal_of("bob")) == "wrong_reveal"
    sitting.say("ann", reveal_of("ann"))
    assert sitting.refusal("ann", reveal_of("ann")) == "already_done"
    assert sitting.table.hands_dealt == 0
    sitting.say("bob", reveal_of("bob"))
    assert sitting.table.hands_dealt == 1
    assert sitting.refusal("bob", reveal_of("bob")) == "shuffle_moved_on"


def test_the_next_shuffle_is_prepared_while_the_hand_is_played() -> None:
    sitting = two()
    sitting.shuffle()
    fair = sitting.view("ann").fair
    assert fair is not None
    assert (fair.hand, fair.stage, sorted(fair.commits)) == (2, "ready", ["0", "1"])


def test_one_who_commits_to_nothing_or_reveals_nothing_is_waited_for_ten_seconds() -> None:
    sitting = started()
    sitting.drive(inputs.Seed(1, server_seed(1)))
    sitting.say("ann", commit_of(sitting, "ann", 0))
    sitting.wait(FAIR_WAIT - 1)
    assert stage_of(sitting) == "commit"
    sitting.wait(1)
    assert stage_of(sitting) == "reveal"
    sitting.wait(FAIR_WAIT)
    assert sitting.table.hands_dealt == 1
    transcript = sitting.table.dealt_fair
    assert transcript is not None
    assert [(one.seat, bool(one.commit), one.entropy) for one in transcript.clients] == [
        (0, True, None),
        (1, False, None),
    ]
    assert transcript.faults() == []


def test_a_hand_waits_for_its_shuffle_even_when_the_score_has_been_read() -> None:
    sitting = two()
    while True:
        asked = sitting.view("ann").asked
        assert asked is not None
        if asked.what == "next":
            break
        if not sitting.let_bots_play():
            seat = asked.seats[0]
            guest = sitting.guest_at(seat)
            assert guest is not None
            sitting.move(guest, sitting.choice(seat))
    needed = sitting.table.need_seed()
    assert needed is not None
    sitting.wait(120_000)
    assert sitting.table.hands_dealt == 1
    ticks = len(sitting.log)
    sitting.wait(600_000)
    assert len(sitting.log) == ticks
    sitting.drive(inputs.Seed(2, server_seed(2)))
    sitting.wait(2 * FAIR_WAIT)
    assert sitting.table.hands_dealt == 2


def test_the_seed_is_shown_when_the_hand_has_ended_and_not_before() -> None:
    sitting = quick("ann", "bob")
    seed = server_seed(1)
    sitting.play_to_the_end()
    frames = sitting.frames("ann")
    shown = [number for number, text in enumerate(frames) if seed in text.decode()]
    assert shown == [len(frames) - 1]
    revealed = [e for e in sitting.outcomes[-1].happened if isinstance(e, out.FairRevealed)]
    assert Transcript.from_json(json.loads(json.dumps(revealed[0].transcript))).faults() == []


# Rematch


def test_a_rematch_is_played_when_everybody_wants_it_with_the_seats_rotated() -> None:
    sitting = quick("ann", "bob", players=3).play_to_the_end()
    assert sitting.view("ann").phase == "over"
    sitting.say("ann", says.Rematch())
    assert sitting.view("bob").continued == (0,)
    assert sitting.refusal("ann", says.Rematch()) == "already_done"
    sitting.say("bob", says.Rematch())
    assert sitting.phase() == "playing"
    assert [sitting.table.seat_name(seat) for seat in range(3)] == ["Léa", "Ann", "Bob"]
    sitting.play_to_the_end()
    assert sitting.table.game is not None
    assert all(finding.fault is None for finding in check_record(sitting.table.game))


def test_partners_stay_partners_in_a_rematch() -> None:
    sitting = quick("ann", "bob", players=4).play_to_the_end()
    sides = {sitting.table.seat_name(seat): seat % 2 for seat in range(4)}
    sitting.say("ann", says.Rematch())
    sitting.say("bob", says.Rematch())
    again = {sitting.table.seat_name(seat): seat % 2 for seat in range(4)}
    assert all(again[name] != side for name, side in sides.items())


def test_hands_are_counted_on_through_a_rematch_and_no_shuffle_is_used_by_other_seats() -> None:
    sitting = quick("ann", "bob")
    sitting.shuffle()
    sitting.play_to_the_end()
    prepared = sitting.table.fair
    assert prepared is not None
    assert prepared.hand == 2
    sitting.say("ann", says.Rematch())
    sitting.say("bob", says.Rematch())
    needed = sitting.table.need_seed()
    assert needed is not None
    assert needed.hand == 3
    sitting.play_to_the_end()
    assert sitting.table.game is not None
    assert all(finding.fault is None for finding in check_record(sitting.table.game))


def test_one_who_leaves_after_the_match_is_not_waited_for() -> None:
    sitting = quick("ann", "bob").play_to_the_end()
    sitting.say("ann", says.Rematch())
    sitting.say("bob", says.Leave())
    assert sitting.phase() == "playing"
    assert sitting.table.seats == (Person(1, away=True), Person(0))
    sitting.say("bob", says.Join("Bob"))
    sitting.say("bob", says.Return())
    assert sitting.view("bob").you == 0


def test_one_whose_connection_is_lost_after_the_match_is_waited_for_no_longer_than_usual() -> None:
    sitting = quick("ann", "bob", "cem", players=3).play_to_the_end()
    sitting.say("ann", says.Rematch())
    sitting.drive(inputs.Gone("bob"))
    sitting.wait(GRACE)
    assert sitting.phase() == "over"  # for Cem is here, and has not said anything
    sitting.drive(inputs.Gone("cem"))
    sitting.wait(GRACE - 1)
    assert sitting.phase() == "over"
    sitting.wait(1)
    assert sitting.phase() == "playing"
    assert sitting.table.seats == (Person(2, away=True), Person(0), Person(1, away=True))


def test_a_reload_of_the_page_costs_nobody_the_seat_in_a_rematch() -> None:
    sitting = quick("ann", "bob").play_to_the_end()
    sitting.say("ann", says.Rematch())
    sitting.drive(inputs.Gone("bob"))
    sitting.wait(GRACE - 1)
    sitting.drive(inputs.Arrived("bob"))
    sitting.wait(2 * GRACE)
    assert sitting.phase() == "over"
    sitting.say("bob", says.Rematch())
    assert sitting.table.seats == (Person(1), Person(0))


def test_a_rematch_waits_for_somebody_who_wants_it_and_is_here() -> None:
    sitting = quick("ann", "bob").play_to_the_end()
    sitting.say("ann", says.Rematch())
    sitting.drive(inputs.Gone("ann"))
    sitting.drive(inputs.Gone("bob"))
    sitting.wait(2 * GRACE)
    assert sitting.phase() == "over"
    sitting.drive(inputs.Arrived("ann"))
    sitting.wait(0)
    assert sitting.phase() == "playing"


def test_nobody_is_made_to_play_again() -> None:
    sitting = quick("ann", "bob").play_to_the_end()
    sitting.say("bob", says.Leave())
    sitting.say("ann", says.Leave())
    assert sitting.phase() == "over"


def test_one_whose_bot_finished_the_match_may_want_another() -> None:
    sitting = quick("ann", "bob")
    sitting.say("bob", says.Leave())
    sitting.play_to_the_end()
    sitting.say("bob", says.Join("Bob"))
    sitting.say("bob", says.Rematch())
    assert sitting.phase() == "over"
    sitting.say("ann", says.Rematch())
    assert sitting.phase() == "playing"
    assert sitting.table.seats == (Person(1), Person(0))
