"""Deadlines, bots that play on, seats taken back, lost connections, downtime."""

import pytest
from msgspec.structs import replace

from millebornes.rules.state import Turn
from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table.table import GRACE, IDLE, IDLE_IN_MATCH, READING, Person

from .sitting import QUICK, Sitting, table_settings

CLOCK = 30_000
DAY = 24 * 3600 * 1000


def two(clock: int | None = CLOCK) -> Sitting:
    return Sitting(table_settings(clock=clock)).join("ann", "bob").start()


def is_away(sitting: Sitting, seat: int) -> bool:
    return sitting.view("ann").seats[seat].away


def awaited(sitting: Sitting) -> object:
    assert sitting.table.match is not None
    return sitting.table.match.awaiting


def test_when_the_clock_runs_out_a_bot_plays_on() -> None:
    sitting = two()
    assert sitting.view("bob").asked is not None
    decision = sitting.table.decision
    sitting.wait(CLOCK - 1)
    assert not is_away(sitting, 0)
    sitting.wait(1)
    assert is_away(sitting, 0)
    assert sitting.told() == ["bot_plays_on"]
    assert sitting.table.decision == decision
    (think,) = sitting.table.thinks()
    assert (think.seat, think.level, think.purpose) == (0, None, "turn")
    assert sitting.let_bots_play() == 1
    assert sitting.refusal("ann", says.Move(sitting.table.decision, "x", "x25")) == "bot_plays"


def test_the_seat_can_be_taken_back() -> None:
    sitting = two()
    sitting.wait(CLOCK)
    sitting.let_bots_play()
    sitting.say("ann", says.Return())
    assert not is_away(sitting, 0)
    assert sitting.told() == ["returned"]
    assert sitting.refusal("ann", says.Return()) == "not_away"


def test_time_that_has_run_out_is_not_given_again() -> None:
    sitting = two()
    sitting.wait(CLOCK)
    sitting.say("ann", says.Return())
    assert is_away(sitting, 0)
    assert sitting.refusal("ann", says.Return()) == "not_away"
    assert sitting.let_bots_play() == 1
    assert not is_away(sitting, 0)


def test_one_who_left_and_comes_back_in_time_has_the_time_that_was_left() -> None:
    sitting = two()
    began = sitting.now
    sitting.now += 1000
    sitting.say("ann", says.Leave())
    assert is_away(sitting, 0)
    sitting.say("ann", says.Return())
    assert not is_away(sitting, 0)
    assert sitting.table.deadline == sitting.table.answer_by == began + CLOCK


def test_without_a_clock_everybody_takes_their_time() -> None:
    sitting = two(clock=None)
    sitting.wait(IDLE_IN_MATCH - 1)
    assert sitting.phase() == "playing"
    assert sitting.table.is_played_by_person(0)
    sitting.wait(1)
    assert sitting.table.closed_code == "idle"


def test_a_table_with_a_slow_clock_is_not_idle_before_it_has_run_out() -> None:
    sitting = two(clock=DAY)
    sitting.wait(DAY - 1)
    assert sitting.phase() == "playing"
    sitting.wait(1)
    assert is_away(sitting, 0)


def test_a_lost_connection_that_holds_up_another_gives_the_seat_to_a_bot() -> None:
    sitting = two(clock=None)
    sitting.drive(inputs.Gone("ann"))
    sitting.wait(GRACE - 1)
    assert not is_away(sitting, 0)
    sitting.wait(1)
    assert is_away(sitting, 0)
    sitting.drive(inputs.Arrived("ann"))
    assert is_away(sitting, 0)
    sitting.say("ann", says.Return())
    assert not is_away(sitting, 0)


def test_a_connection_that_comes_back_in_time_keeps_the_seat() -> None:
    sitting = two(clock=None)
    sitting.drive(inputs.Gone("ann"))
    sitting.wait(GRACE - 1)
    sitting.drive(inputs.Arrived("ann"))
    sitting.wait(3 * GRACE)
    assert not is_away(sitting, 0)


def test_whoever_plays_alone_finds_the_game_as_it_was() -> None:
    sitting = Sitting(table_settings()).join("ann").bots(1).start()
    sitting.drive(inputs.Gone("ann"))
    sitting.wait(10 * GRACE)
    sitting.drive(inputs.Arrived("ann"))
    assert not is_away(sitting, 0)


def test_when_both_have_gone_nothing_happens_until_one_is_back() -> None:
    sitting = two(clock=None)
    sitting.drive(inputs.Gone("ann"))
    sitting.drive(inputs.Gone("bob"))
    sitting.wait(10 * GRACE)
    assert sitting.table.is_played_by_person(0)
    assert sitting.table.is_played_by_person(1)
    sitting.drive(inputs.Arrived("bob"))
    sitting.wait(0)
    assert is_away(sitting, 0)
    assert not is_away(sitting, 1)


def test_whoever_leaves_a_match_has_a_bot_play_on_and_may_return() -> None:
    sitting = two()
    sitting.say("bob", says.Leave())
    assert is_away(sitting, 1)
    assert not sitting.view("ann").seats[1].connected
    sitting.say("bob", says.Join("Bob"))
    assert sitting.view("bob").you == 1
    sitting.say("bob", says.Return())
    assert sitting.view("ann").seats[1].connected
    assert not is_away(sitting, 1)


def test_leaving_twice_is_leaving_once() -> None:
    sitting = two()
    sitting.say("bob", says.Leave())
    assert sitting.told() == ["left", "bot_plays_on"]
    once = sitting.table
    # Logs hold it, so it is not refused; but nothing comes of it.
    sitting.say("bob", says.Leave())
    assert sitting.outcomes[-1].happened == ()
    assert replace(sitting.table, seq=once.seq) == once
    assert is_away(sitting, 1)


def test_one_who_left_and_sat_down_again_can_leave_again() -> None:
    sitting = Sitting(table_settings()).join("ann", "bob")
    for _ in range(2):
        sitting.say("bob", says.Leave())
        assert sitting.told() == ["left"]
        assert sitting.table.seats[1] is None
        sitting.say("bob", says.Leave())
        assert sitting.told() == []
        sitting.say("bob", says.Sit(1))


def test_leaving_twice_after_the_match_is_leaving_once() -> None:
    sitting = Sitting(table_settings(QUICK)).join("ann", "bob").start().play_to_the_end()
    sitting.say("bob", says.Leave())
    assert sitting.told() == ["left"]
    sitting.say("bob", says.Leave())
    assert sitting.told() == []


def test_a_bots_move_is_taken_from_a_bots_seat_only() -> None:
    sitting = two()
    decision = sitting.table.decision
    for seat in (0, 1, 5, -1):
        assert sitting.refusal(None, inputs.Thought(seat, decision, "x25")) == "not_needed"
    assert sitting.refusal(None, inputs.Thought(0, decision - 1, "x25")) == "stale_decision"
    sitting.say("ann", says.Leave())
    assert sitting.refusal(None, inputs.Thought(0, decision, "zzz")) == "bad_move"
    assert sitting.refusal(None, inputs.Thought(0, decision, "ext")) == "no_extension"


def test_a_bot_seems_to_think() -> None:
    sitting = Sitting(table_settings(pace=1234)).join("ann").bots(1).start()
    sitting.move("ann", sitting.choice(0))
    for think in sitting.table.thinks():
        assert think.not_before == sitting.now + 1234


def test_nothing_is_due_before_its_time() -> None:
    assert two().refusal(None, inputs.Tick()) == "nothing_due"


def test_after_a_hand_the_next_is_dealt_when_all_have_read_the_score() -> None:
    sitting = two(clock=None)
    while True:
        asked = sitting.view("ann").asked
        assert asked is not None
        if asked.what == "next":
            break
        sitting.play_on()
    decision = sitting.table.decision
    assert sitting.refusal("ann", says.Next(decision - 1)) == "stale_decision"
    sitting.say("ann", says.Next(decision))
    assert sitting.view("bob").continued == (0,)
    assert sitting.refusal("ann", says.Next(decision)) == "already_done"
    waiting = replace(sitting.table)
    sitting.say("bob", says.Next(decision))
    assert sitting.table.hands_dealt == 2
    sitting.table = waiting
    sitting.say("bob", says.Leave())
    sitting.table = replace(waiting, seats=(waiting.seats[0], Person(1, away=True)))
    assert sitting.refusal("bob", says.Next(decision)) == "bot_plays"
    # … or when the time to read is over, or the other has left.
    for message, wait in ((says.Leave(), 0), (None, READING)):
        sitting.table = waiting
        if message is not None:
            sitting.say("bob", message)
        sitting.wait(wait)
        assert sitting.table.hands_dealt == 2


def test_downtime_does_not_count() -> None:
    sitting = two()
    sitting.drive(inputs.Gone("bob"))
    deadline = sitting.table.answer_by
    assert deadline is not None
    sitting.now += 3600_000
    sitting.drive(inputs.Shift(3600_000))
    assert sitting.table.answer_by == deadline + 3600_000
    assert sitting.refusal(None, inputs.Tick()) == "nothing_due"
    assert isinstance(awaited(sitting), Turn)


def test_downtime_in_a_window_does_not_count() -> None:
    text = "turn: 0\nbattle 1: ROLL\nhand 0: STOP\n"
    sitting = Sitting(table_settings(players=2)).join("ann", "bob").start().at(text)
    sitting.move("ann", "STOP>1")
    sitting.now += 1_000_000
    sitting.drive(inputs.Shift(1_000_000))
    assert sitting.table.deadline == sitting.now + 4000


def test_a_finished_table_closes_when_nobody_wants_more() -> None:
    from .sitting import QUICK

    sitting = Sitting(table_settings(QUICK)).join("ann", "bob").start().play_to_the_end()
    assert sitting.phase() == "over"
    sitting.wait(IDLE + 60_000)
    assert sitting.phase() == "closed"


@pytest.mark.parametrize("message", [inputs.Tick(), inputs.Shift(5), inputs.Shut("x")])
def test_no_guest_can_speak_for_the_driver(message: inputs.Driver) -> None:
    sitting = two()
    assert sitting.refusal("ann", message) == "not_here"
    assert sitting.refusal(None, says.Start()) == "not_here"
