"""Without a clock, one who does not move: after some minutes the others may let a bot play on."""

from typing import Any

import pytest
from msgspec.structs import replace

from millebornes.rules.state import ExtensionChoice, Turn, Window
from millebornes.table import Refused, inputs
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from millebornes.table.table import GRACE, STALLED, STALLED_AGAIN, Person

from .sitting import PRINTED, Sitting, replayed, table_settings
from .test_window import NOT_HELD, two_people

PEOPLE = ("ann", "bob", "cem", "dee", "eva", "fay")


def playing(players: int, **more: Any) -> Sitting:
    """People at every seat; the first to move takes very long."""
    sitting = Sitting(table_settings(players=players, **more)).join(*PEOPLE[:players])
    sitting.start()
    assert isinstance(sitting.awaiting(), Turn)
    return sitting


def slow(sitting: Sitting) -> tuple[int, str]:
    """The seat that is asked, and its guest."""
    awaiting = sitting.awaiting()
    assert isinstance(awaiting, Turn | ExtensionChoice)
    guest = sitting.guest_at(awaiting.seat)
    assert guest is not None
    return awaiting.seat, guest


def others(sitting: Sitting) -> list[str]:
    seat, _ = slow(sitting)
    guests = [sitting.guest_at(other) for other in range(len(sitting.table.seats)) if other != seat]
    return [guest for guest in guests if guest is not None]


def vote(sitting: Sitting) -> says.LetBotPlay:
    return says.LetBotPlay(slow(sitting)[0], sitting.table.decision)


def stall(sitting: Sitting, guest: str = "ann") -> out.Stall | None:
    asked = sitting.view(guest).asked
    assert asked is not None
    return asked.stall


def is_away(sitting: Sitting, seat: int) -> bool:
    one = sitting.table.seats[seat]
    return isinstance(one, Person) and one.away


def test_with_one_other_player_one_vote_is_enough() -> None:
    sitting = playing(2)
    seat, _ = slow(sitting)
    (other,) = others(sitting)
    sitting.wait(STALLED)
    sitting.say(other, vote(sitting))
    assert sitting.told() == ["bot_wanted", "bot_plays_on"]
    assert is_away(sitting, seat)
    assert sitting.let_bots_play() > 0


def test_nobody_may_before_the_time_has_come_and_they_are_told_when() -> None:
    sitting = playing(2)
    (other,) = others(sitting)
    sitting.wait(STALLED - 1500)
    refused = sitting.put(other, vote(sitting)).refused
    assert refused == Refused("too_early", {"seconds": 2})
    sitting.wait(1499)
    refused = sitting.put(other, vote(sitting)).refused
    assert refused == Refused("too_early", {"seconds": 1})
    sitting.wait(1)
    sitting.say(other, vote(sitting))


@pytest.mark.parametrize(("players", "needed"), [(2, 1), (3, 2), (4, 2), (6, 3)])
def test_more_than_half_of_the_others_are_needed(players: int, needed: int) -> None:
    sitting = playing(players)
    seat, _ = slow(sitting)
    sitting.wait(STALLED)
    for count, guest in enumerate(others(sitting)[:needed], start=1):
        assert not is_away(sitting, seat)
        told = stall(sitting)
        assert told is not None
        assert (len(told.votes), told.needed) == (count - 1, needed)
        sitting.say(guest, vote(sitting))
    assert is_away(sitting, seat)


def test_everybody_is_told_from_when_on_and_who_has_voted() -> None:
    sitting = playing(4)
    sitting.say("zoe", says.Join("Zoe"))
    asked_at = sitting.table.asked_at
    first = others(sitting)[0]
    seat = sitting.view(first).you
    assert seat is not None
    for guest in (*PEOPLE[:4], "zoe"):
        assert stall(sitting, guest) == out.Stall(asked_at + STALLED, (), 2)
    sitting.wait(STALLED)
    sitting.say(first, vote(sitting))
    assert sitting.outcomes[-1].happened == (out.Told("bot_wanted", first.capitalize(), seat),)
    for guest in (*PEOPLE[:4], "zoe"):
        assert stall(sitting, guest) == out.Stall(asked_at + STALLED, (seat,), 2)


def test_whoever_moves_in_time_plays_on_and_the_votes_are_forgotten() -> None:
    sitting = playing(3)
    seat, guest = slow(sitting)
    sitting.wait(STALLED)
    late, other = others(sitting)
    sitting.say(other, vote(sitting))
    missed = vote(sitting)
    sitting.move(guest, sitting.choice(seat))
    assert sitting.table.bot_votes == frozenset()
    assert sitting.refusal(late, missed) == "stale_decision"
    assert not is_away(sitting, seat)


def test_one_vote_each() -> None:
    sitting = playing(3)
    sitting.wait(STALLED)
    first, second = others(sitting)
    wanted = vote(sitting)
    sitting.say(first, wanted)
    assert sitting.refusal(first, wanted) == "already_done"
    sitting.say(second, wanted)
    assert sitting.refusal(first, wanted) == "not_needed"


def test_who_has_no_vote() -> None:
    sitting = playing(3)
    sitting.say("zoe", says.Join("Zoe"))
    seat, guest = slow(sitting)
    first, second = others(sitting)
    sitting.wait(STALLED)
    assert sitting.refusal("zoe", vote(sitting)) == "no_seat"
    assert sitting.refusal("stranger", vote(sitting)) == "join_first"
    assert sitting.refusal(guest, vote(sitting)) == "not_needed"
    another = sitting.view(second).you
    assert another is not None
    wrong = says.LetBotPlay(another, sitting.table.decision)
    assert sitting.refusal(first, wrong) == "not_needed"
    sitting.say(first, says.Leave())
    assert sitting.refusal(first, vote(sitting)) == "bot_plays"
    assert not is_away(sitting, seat)


def test_only_those_who_are_here_are_counted() -> None:
    sitting = playing(4)
    seat, _ = slow(sitting)
    first, second, third = others(sitting)
    sitting.wait(STALLED)
    sitting.say(second, says.Leave())
    sitting.drive(inputs.Gone(third))
    told = stall(sitting)
    assert told is not None
    assert told.needed == 1
    sitting.say(first, vote(sitting))
    assert is_away(sitting, seat)


@pytest.mark.parametrize("goes", ["leaves", "loses the connection"])
def test_a_majority_may_come_about_when_somebody_goes(goes: str) -> None:
    sitting = playing(3)
    seat, _ = slow(sitting)
    first, second = others(sitting)
    sitting.wait(STALLED)
    sitting.say(first, vote(sitting))
    assert not is_away(sitting, seat)
    if goes == "leaves":
        sitting.say(second, says.Leave())
    else:
        sitting.drive(inputs.Gone(second))
    assert sitting.told()[-1] == "bot_plays_on"
    assert is_away(sitting, seat)


def test_a_vote_of_one_who_has_gone_does_not_count_until_they_are_back() -> None:
    sitting = playing(4)
    seat, _ = slow(sitting)
    first, second, _ = others(sitting)
    sitting.wait(STALLED)
    sitting.say(first, vote(sitting))
    sitting.drive(inputs.Gone(first))
    sitting.say(second, vote(sitting))
    told = stall(sitting)
    assert told is not None
    assert (len(told.votes), told.needed) == (1, 2)
    assert not is_away(sitting, seat)
    sitting.drive(inputs.Arrived(first))
    assert is_away(sitting, seat)


def test_the_person_takes_the_seat_back_but_the_bot_makes_the_move_that_was_waited_for() -> None:
    sitting = playing(2)
    seat, guest = slow(sitting)
    (other,) = others(sitting)
    sitting.wait(STALLED)
    sitting.say(other, vote(sitting))
    sitting.say(guest, says.Return())
    assert sitting.table.seats[seat] == Person(seat, away=True, returning=True)
    assert sitting.refusal(guest, says.Move(sitting.table.decision, "x", "xROLL")) == "bot_plays"
    decision = sitting.table.decision
    sitting.let_bots_play()
    assert sitting.table.decision > decision
    assert sitting.table.seats[seat] == Person(seat)


def test_whoever_has_let_it_come_to_that_is_waited_for_less_long_in_this_match() -> None:
    sitting = playing(2)
    seat, guest = slow(sitting)
    (other,) = others(sitting)
    sitting.wait(STALLED)
    sitting.say(other, vote(sitting))
    sitting.say(guest, says.Return())
    sitting.play_on()
    while sitting.awaiting() != Turn(seat):
        sitting.play_on()
    told = stall(sitting)
    assert told is not None
    assert told.at == sitting.table.asked_at + STALLED_AGAIN
    sitting.wait(STALLED_AGAIN)
    sitting.say(other, vote(sitting))
    assert is_away(sitting, seat)


def test_a_rematch_forgets_it() -> None:
    sitting = playing(2, edition=PRINTED.house({"hands": 1, "tie": "drawn"}))
    seat, guest = slow(sitting)
    (other,) = others(sitting)
    sitting.wait(STALLED)
    sitting.say(other, vote(sitting))
    assert sitting.table.outvoted == {seat: sitting.table.decision}
    sitting.say(guest, says.Return())
    sitting.play_to_the_end()
    for one in (guest, other):
        sitting.say(one, says.Rematch())
    assert sitting.phase() == "playing"
    assert sitting.table.outvoted == {}


def test_whoever_was_only_gone_gets_the_move_back_though_somebody_had_voted() -> None:
    sitting = playing(3)
    seat, guest = slow(sitting)
    first, _ = others(sitting)
    sitting.wait(STALLED)
    sitting.say(first, vote(sitting))
    sitting.drive(inputs.Gone(guest))
    sitting.wait(GRACE)
    assert is_away(sitting, seat)
    sitting.say(guest, says.Return())
    assert sitting.table.seats[seat] == Person(seat)


def test_losing_the_connection_over_and_over_gains_no_time() -> None:
    sitting = playing(2)
    _, guest = slow(sitting)
    (other,) = others(sitting)
    for _ in range(STALLED // (GRACE - 1000) + 1):
        sitting.drive(inputs.Gone(guest))
        sitting.wait(GRACE - 1000)
        sitting.drive(inputs.Arrived(guest))
    sitting.say(other, vote(sitting))


def test_the_extension_can_be_waited_for_in_the_same_way() -> None:
    sitting = playing(2)
    seat, _ = slow(sitting)
    (other,) = others(sitting)
    match = sitting.table.match
    assert match is not None
    sitting.table = replace(sitting.table, match=match._replace(awaiting=ExtensionChoice(seat)))
    sitting.wait(STALLED)
    assert stall(sitting) is not None
    sitting.say(other, vote(sitting))
    assert is_away(sitting, seat)


def test_with_a_clock_there_is_nothing_to_vote_about() -> None:
    sitting = playing(2, clock=24 * 3600 * 1000)
    assert stall(sitting) is None
    (other,) = others(sitting)
    sitting.now += STALLED
    assert sitting.refusal(other, vote(sitting)) == "not_needed"


def test_in_a_window_there_is_nothing_to_vote_about() -> None:
    sitting = two_people(NOT_HELD)
    assert isinstance(sitting.awaiting(), Window)
    sitting.now += STALLED
    for guest, seat in (("ann", 1), ("bob", 0)):
        assert stall(sitting, guest) is None
        assert sitting.refusal(guest, says.LetBotPlay(seat, sitting.table.decision)) == "not_needed"


def test_alone_with_bots_nobody_is_held_up() -> None:
    sitting = Sitting(table_settings()).join("ann").bots(1).start()
    sitting.let_bots_play()
    assert isinstance(sitting.awaiting(), Turn)
    assert stall(sitting) is None
    sitting.wait(STALLED)
    assert sitting.refusal("ann", vote(sitting)) == "not_needed"


def test_before_the_match_there_is_nothing_to_vote_about() -> None:
    sitting = Sitting(table_settings()).join("ann", "bob")
    assert sitting.refusal("ann", says.LetBotPlay(1, 0)) == "not_playing"


def test_time_in_which_the_server_was_away_does_not_count() -> None:
    sitting = playing(2)
    (other,) = others(sitting)
    at = sitting.table.asked_at + STALLED
    sitting.now += 10_000
    sitting.drive(inputs.Shift(10_000))
    told = stall(sitting)
    assert told is not None
    assert told.at == at + 10_000
    sitting.now = at
    assert sitting.refusal(other, vote(sitting)) == "too_early"


def test_votes_replay() -> None:
    sitting = playing(4)
    sitting.wait(STALLED)
    for guest in others(sitting)[:2]:
        sitting.say(guest, vote(sitting))
    sitting.play_on()
    assert sitting.table.outvoted
    assert replayed(sitting).table == sitting.table
