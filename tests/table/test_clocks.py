"""Deadlines, bots that play on, seats taken back, lost connections, downtime."""

import pytest
from msgspec.structs import replace

from millebornes.rules.state import Turn
from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table.table import GRACE, IDLE, IDLE_IN_MATCH, READING, Person

from .driven_table import QUICK, DrivenTable, table_settings

CLOCK = 30_000
DAY = 24 * 3600 * 1000


def two(clock: int | None = CLOCK) -> DrivenTable:
    return DrivenTable(table_settings(clock=clock)).join("ann", "bob").start()


def is_away(driven: DrivenTable, seat: int) -> bool:
    return driven.view("ann").seats[seat].away


def awaited(driven: DrivenTable) -> object:
    assert driven.table.match is not None
    return driven.table.match.awaiting


def test_when_the_clock_runs_out_a_bot_plays_on() -> None:
    driven = two()
    assert driven.view("bob").asked is not None
    decision = driven.table.decision
    driven.wait(CLOCK - 1)
    assert not is_away(driven, 0)
    driven.wait(1)
    assert is_away(driven, 0)
    assert driven.told() == ["bot_plays_on"]
    assert driven.table.decision == decision
    (think,) = driven.table.thinks()
    assert (think.seat, think.level, think.purpose) == (0, None, "turn")
    assert driven.let_bots_play() == 1
    assert driven.refusal("ann", says.Move(driven.table.decision, "x", "x25")) == "bot_plays"


def test_the_seat_can_be_taken_back() -> None:
    driven = two()
    driven.wait(CLOCK)
    driven.let_bots_play()
    driven.say("ann", says.Return())
    assert not is_away(driven, 0)
    assert driven.told() == ["returned"]
    assert driven.refusal("ann", says.Return()) == "not_away"


def test_time_that_has_run_out_is_not_given_again() -> None:
    driven = two()
    driven.wait(CLOCK)
    driven.say("ann", says.Return())
    assert is_away(driven, 0)
    assert driven.refusal("ann", says.Return()) == "not_away"
    assert driven.let_bots_play() == 1
    assert not is_away(driven, 0)


def test_one_who_left_and_comes_back_in_time_has_the_time_that_was_left() -> None:
    driven = two()
    began = driven.now
    driven.now += 1000
    driven.say("ann", says.Leave())
    assert is_away(driven, 0)
    driven.say("ann", says.Return())
    assert not is_away(driven, 0)
    assert driven.table.deadline == driven.table.answer_by == began + CLOCK


def test_without_a_clock_everybody_takes_their_time() -> None:
    driven = two(clock=None)
    driven.wait(IDLE_IN_MATCH - 1)
    assert driven.phase() == "playing"
    assert driven.table.is_played_by_person(0)
    driven.wait(1)
    assert driven.table.closed_code == "idle"


def test_a_table_with_a_slow_clock_is_not_idle_before_it_has_run_out() -> None:
    driven = two(clock=DAY)
    driven.wait(DAY - 1)
    assert driven.phase() == "playing"
    driven.wait(1)
    assert is_away(driven, 0)


def test_a_lost_connection_that_holds_up_another_gives_the_seat_to_a_bot() -> None:
    driven = two(clock=None)
    driven.drive(inputs.Gone("ann"))
    driven.wait(GRACE - 1)
    assert not is_away(driven, 0)
    driven.wait(1)
    assert is_away(driven, 0)
    driven.drive(inputs.Arrived("ann"))
    assert is_away(driven, 0)
    driven.say("ann", says.Return())
    assert not is_away(driven, 0)


def test_a_connection_that_comes_back_in_time_keeps_the_seat() -> None:
    driven = two(clock=None)
    driven.drive(inputs.Gone("ann"))
    driven.wait(GRACE - 1)
    driven.drive(inputs.Arrived("ann"))
    driven.wait(3 * GRACE)
    assert not is_away(driven, 0)


def test_whoever_plays_alone_finds_the_game_as_it_was() -> None:
    driven = DrivenTable(table_settings()).join("ann").bots(1).start()
    driven.drive(inputs.Gone("ann"))
    driven.wait(10 * GRACE)
    driven.drive(inputs.Arrived("ann"))
    assert not is_away(driven, 0)


def test_when_both_have_gone_nothing_happens_until_one_is_back() -> None:
    driven = two(clock=None)
    driven.drive(inputs.Gone("ann"))
    driven.drive(inputs.Gone("bob"))
    driven.wait(10 * GRACE)
    assert driven.table.is_played_by_person(0)
    assert driven.table.is_played_by_person(1)
    driven.drive(inputs.Arrived("bob"))
    driven.wait(0)
    assert is_away(driven, 0)
    assert not is_away(driven, 1)


def test_whoever_leaves_a_match_has_a_bot_play_on_and_may_return() -> None:
    driven = two()
    driven.say("bob", says.Leave())
    assert is_away(driven, 1)
    assert not driven.view("ann").seats[1].connected
    driven.say("bob", says.Join("Bob"))
    assert driven.view("bob").you == 1
    driven.say("bob", says.Return())
    assert driven.view("ann").seats[1].connected
    assert not is_away(driven, 1)


def test_leaving_twice_is_leaving_once() -> None:
    driven = two()
    driven.say("bob", says.Leave())
    assert driven.told() == ["left", "bot_plays_on"]
    once = driven.table
    # Logs hold it, so it is not refused; but nothing comes of it.
    driven.say("bob", says.Leave())
    assert driven.outcomes[-1].happened == ()
    assert replace(driven.table, seq=once.seq) == once
    assert is_away(driven, 1)


def test_one_who_left_and_sat_down_again_can_leave_again() -> None:
    driven = DrivenTable(table_settings()).join("ann", "bob")
    for _ in range(2):
        driven.say("bob", says.Leave())
        assert driven.told() == ["left"]
        assert driven.table.seats[1] is None
        driven.say("bob", says.Leave())
        assert driven.told() == []
        driven.say("bob", says.Sit(1))


def test_leaving_twice_after_the_match_is_leaving_once() -> None:
    driven = DrivenTable(table_settings(QUICK)).join("ann", "bob").start().play_to_the_end()
    driven.say("bob", says.Leave())
    assert driven.told() == ["left"]
    driven.say("bob", says.Leave())
    assert driven.told() == []


def test_a_bots_move_is_taken_from_a_bots_seat_only() -> None:
    driven = two()
    decision = driven.table.decision
    for seat in (0, 1, 5, -1):
        assert driven.refusal(None, inputs.Thought(seat, decision, "x25")) == "not_needed"
    assert driven.refusal(None, inputs.Thought(0, decision - 1, "x25")) == "stale_decision"
    driven.say("ann", says.Leave())
    assert driven.refusal(None, inputs.Thought(0, decision, "zzz")) == "bad_move"
    assert driven.refusal(None, inputs.Thought(0, decision, "ext")) == "no_extension"


def test_a_bot_seems_to_think() -> None:
    driven = DrivenTable(table_settings(pace=1234)).join("ann").bots(1).start()
    driven.move("ann", driven.choice(0))
    for think in driven.table.thinks():
        assert think.not_before == driven.now + 1234


def test_nothing_is_due_before_its_time() -> None:
    assert two().refusal(None, inputs.Tick()) == "nothing_due"


def test_after_a_hand_the_next_is_dealt_when_all_have_read_the_score() -> None:
    driven = two(clock=None)
    while True:
        asked = driven.view("ann").asked
        assert asked is not None
        if asked.what == "next":
            break
        driven.play_on()
    decision = driven.table.decision
    assert driven.refusal("ann", says.Next(decision - 1)) == "stale_decision"
    driven.say("ann", says.Next(decision))
    assert driven.view("bob").continued == (0,)
    assert driven.refusal("ann", says.Next(decision)) == "already_done"
    waiting = replace(driven.table)
    driven.say("bob", says.Next(decision))
    assert driven.table.hands_dealt == 2
    driven.table = waiting
    driven.say("bob", says.Leave())
    driven.table = replace(waiting, seats=(waiting.seats[0], Person(1, away=True)))
    assert driven.refusal("bob", says.Next(decision)) == "bot_plays"
    # … or when the time to read is over, or the other has left.
    for message, wait in ((says.Leave(), 0), (None, READING)):
        driven.table = waiting
        if message is not None:
            driven.say("bob", message)
        driven.wait(wait)
        assert driven.table.hands_dealt == 2


def test_downtime_does_not_count() -> None:
    driven = two()
    driven.drive(inputs.Gone("bob"))
    deadline = driven.table.answer_by
    assert deadline is not None
    driven.now += 3600_000
    driven.drive(inputs.Shift(3600_000))
    assert driven.table.answer_by == deadline + 3600_000
    assert driven.refusal(None, inputs.Tick()) == "nothing_due"
    assert isinstance(awaited(driven), Turn)


def test_downtime_in_a_window_does_not_count() -> None:
    text = "turn: 0\nbattle 1: ROLL\nhand 0: STOP\n"
    driven = DrivenTable(table_settings(players=2)).join("ann", "bob").start().at(text)
    driven.move("ann", "STOP>1")
    driven.now += 1_000_000
    driven.drive(inputs.Shift(1_000_000))
    assert driven.table.deadline == driven.now + 5000


def test_a_finished_table_closes_when_nobody_wants_more() -> None:
    from .driven_table import QUICK

    driven = DrivenTable(table_settings(QUICK)).join("ann", "bob").start().play_to_the_end()
    assert driven.phase() == "over"
    driven.wait(IDLE + 60_000)
    assert driven.phase() == "closed"


@pytest.mark.parametrize("message", [inputs.Tick(), inputs.Shift(5), inputs.Shut("x")])
def test_no_guest_can_speak_for_the_driver(message: inputs.Driver) -> None:
    driven = two()
    assert driven.refusal("ann", message) == "not_here"
    assert driven.refusal(None, says.Start()) == "not_here"
