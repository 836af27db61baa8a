"""Without a clock, one who does not move: after some minutes the others may let a bot play on."""

from typing import Any

import pytest
from msgspec.structs import replace

from millebornes.rules.state import ExtensionChoice, Turn, Window
from millebornes.table import Refused, inputs
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from millebornes.table.table import GRACE, STALLED, STALLED_AGAIN, Person

from .driven_table import NOT_HELD, PRINTED, DrivenTable, attack_on_person, replayed, table_settings

PEOPLE = ("ann", "bob", "cem", "dee", "eva", "fay")


def playing(players: int, **more: Any) -> DrivenTable:
    """People at every seat; the first to move takes very long."""
    driven = DrivenTable(table_settings(players=players, **more)).join(*PEOPLE[:players])
    driven.start()
    assert isinstance(driven.awaiting(), Turn)
    return driven


def slow(driven: DrivenTable) -> tuple[int, str]:
    """The seat that is asked, and its guest."""
    awaiting = driven.awaiting()
    assert isinstance(awaiting, Turn | ExtensionChoice)
    guest = driven.guest_at(awaiting.seat)
    assert guest is not None
    return awaiting.seat, guest


def others(driven: DrivenTable) -> list[str]:
    seat, _ = slow(driven)
    guests = [driven.guest_at(other) for other in range(len(driven.table.seats)) if other != seat]
    return [guest for guest in guests if guest is not None]


def vote(driven: DrivenTable) -> says.LetBotPlay:
    return says.LetBotPlay(slow(driven)[0], driven.table.decision)


def stall(driven: DrivenTable, guest: str = "ann") -> out.Stall | None:
    asked = driven.view(guest).asked
    assert asked is not None
    return asked.stall


def is_away(driven: DrivenTable, seat: int) -> bool:
    one = driven.table.seats[seat]
    return isinstance(one, Person) and one.away


def test_with_one_other_player_one_vote_is_enough() -> None:
    driven = playing(2)
    seat, _ = slow(driven)
    (other,) = others(driven)
    driven.wait(STALLED)
    driven.say(other, vote(driven))
    assert driven.told() == ["bot_wanted", "bot_plays_on"]
    assert is_away(driven, seat)
    assert driven.let_bots_play() > 0


def test_nobody_may_before_the_time_has_come_and_they_are_told_when() -> None:
    driven = playing(2)
    (other,) = others(driven)
    driven.wait(STALLED - 1500)
    refused = driven.put(other, vote(driven)).refused
    assert refused == Refused("too_early", {"seconds": 2})
    driven.wait(1499)
    refused = driven.put(other, vote(driven)).refused
    assert refused == Refused("too_early", {"seconds": 1})
    driven.wait(1)
    driven.say(other, vote(driven))


@pytest.mark.parametrize(("players", "needed"), [(2, 1), (3, 2), (4, 2), (6, 3)])
def test_more_than_half_of_the_others_are_needed(players: int, needed: int) -> None:
    driven = playing(players)
    seat, _ = slow(driven)
    driven.wait(STALLED)
    for count, guest in enumerate(others(driven)[:needed], start=1):
        assert not is_away(driven, seat)
        told = stall(driven)
        assert told is not None
        assert (len(told.votes), told.needed) == (count - 1, needed)
        driven.say(guest, vote(driven))
    assert is_away(driven, seat)


def test_everybody_is_told_from_when_on_and_who_has_voted() -> None:
    driven = playing(4)
    driven.say("zoe", says.Join("Zoe"))
    asked_at = driven.table.asked_at
    first = others(driven)[0]
    seat = driven.view(first).you
    assert seat is not None
    for guest in (*PEOPLE[:4], "zoe"):
        assert stall(driven, guest) == out.Stall(asked_at + STALLED, (), 2)
    driven.wait(STALLED)
    driven.say(first, vote(driven))
    assert driven.outcomes[-1].happened == (out.Told("bot_wanted", first.capitalize(), seat),)
    for guest in (*PEOPLE[:4], "zoe"):
        assert stall(driven, guest) == out.Stall(asked_at + STALLED, (seat,), 2)


def test_whoever_moves_in_time_plays_on_and_the_votes_are_forgotten() -> None:
    driven = playing(3)
    seat, guest = slow(driven)
    driven.wait(STALLED)
    late, other = others(driven)
    driven.say(other, vote(driven))
    missed = vote(driven)
    driven.move(guest, driven.choice(seat))
    assert driven.table.bot_votes == frozenset()
    assert driven.refusal(late, missed) == "stale_decision"
    assert not is_away(driven, seat)


def test_one_vote_each() -> None:
    driven = playing(3)
    driven.wait(STALLED)
    first, second = others(driven)
    wanted = vote(driven)
    driven.say(first, wanted)
    assert driven.refusal(first, wanted) == "already_done"
    driven.say(second, wanted)
    assert driven.refusal(first, wanted) == "not_needed"


def test_who_has_no_vote() -> None:
    driven = playing(3)
    driven.say("zoe", says.Join("Zoe"))
    seat, guest = slow(driven)
    first, second = others(driven)
    driven.wait(STALLED)
    assert driven.refusal("zoe", vote(driven)) == "no_seat"
    assert driven.refusal("stranger", vote(driven)) == "join_first"
    assert driven.refusal(guest, vote(driven)) == "not_needed"
    another = driven.view(second).you
    assert another is not None
    wrong = says.LetBotPlay(another, driven.table.decision)
    assert driven.refusal(first, wrong) == "not_needed"
    driven.say(first, says.Leave())
    assert driven.refusal(first, vote(driven)) == "bot_plays"
    assert not is_away(driven, seat)


def test_only_those_who_are_here_are_counted() -> None:
    driven = playing(4)
    seat, _ = slow(driven)
    first, second, third = others(driven)
    driven.wait(STALLED)
    driven.say(second, says.Leave())
    driven.drive(inputs.Gone(third))
    told = stall(driven)
    assert told is not None
    assert told.needed == 1
    driven.say(first, vote(driven))
    assert is_away(driven, seat)


@pytest.mark.parametrize("goes", ["leaves", "loses the connection"])
def test_a_majority_may_come_about_when_somebody_goes(goes: str) -> None:
    driven = playing(3)
    seat, _ = slow(driven)
    first, second = others(driven)
    driven.wait(STALLED)
    driven.say(first, vote(driven))
    assert not is_away(driven, seat)
    if goes == "leaves":
        driven.say(second, says.Leave())
    else:
        driven.drive(inputs.Gone(second))
    assert driven.told()[-1] == "bot_plays_on"
    assert is_away(driven, seat)


def test_a_vote_of_one_who_has_gone_does_not_count_until_they_are_back() -> None:
    driven = playing(4)
    seat, _ = slow(driven)
    first, second, _ = others(driven)
    driven.wait(STALLED)
    driven.say(first, vote(driven))
    driven.drive(inputs.Gone(first))
    driven.say(second, vote(driven))
    told = stall(driven)
    assert told is not None
    assert (len(told.votes), told.needed) == (1, 2)
    assert not is_away(driven, seat)
    driven.drive(inputs.Arrived(first))
    assert is_away(driven, seat)


def test_the_person_takes_the_seat_back_but_the_bot_makes_the_move_that_was_waited_for() -> None:
    driven = playing(2)
    seat, guest = slow(driven)
    (other,) = others(driven)
    driven.wait(STALLED)
    driven.say(other, vote(driven))
    driven.say(guest, says.Return())
    assert driven.table.seats[seat] == Person(seat, away=True, returning=True)
    assert driven.refusal(guest, says.Move(driven.table.decision, "x", "xROLL")) == "bot_plays"
    decision = driven.table.decision
    driven.let_bots_play()
    assert driven.table.decision > decision
    assert driven.table.seats[seat] == Person(seat)


def test_whoever_has_let_it_come_to_that_is_waited_for_less_long_in_this_match() -> None:
    driven = playing(2)
    seat, guest = slow(driven)
    (other,) = others(driven)
    driven.wait(STALLED)
    driven.say(other, vote(driven))
    driven.say(guest, says.Return())
    driven.play_on()
    while driven.awaiting() != Turn(seat):
        driven.play_on()
    told = stall(driven)
    assert told is not None
    assert told.at == driven.table.asked_at + STALLED_AGAIN
    driven.wait(STALLED_AGAIN)
    driven.say(other, vote(driven))
    assert is_away(driven, seat)


def test_a_rematch_forgets_it() -> None:
    driven = playing(2, edition=PRINTED.house({"hands": 1, "tie": "drawn"}))
    seat, guest = slow(driven)
    (other,) = others(driven)
    driven.wait(STALLED)
    driven.say(other, vote(driven))
    assert driven.table.outvoted == {seat: driven.table.decision}
    driven.say(guest, says.Return())
    driven.play_to_the_end()
    for one in (guest, other):
        driven.say(one, says.Rematch())
    assert driven.phase() == "playing"
    assert driven.table.outvoted == {}


def test_whoever_was_only_gone_gets_the_move_back_though_somebody_had_voted() -> None:
    driven = playing(3)
    seat, guest = slow(driven)
    first, _ = others(driven)
    driven.wait(STALLED)
    driven.say(first, vote(driven))
    driven.drive(inputs.Gone(guest))
    driven.wait(GRACE)
    assert is_away(driven, seat)
    driven.say(guest, says.Return())
    assert driven.table.seats[seat] == Person(seat)


def test_losing_the_connection_over_and_over_gains_no_time() -> None:
    driven = playing(2)
    _, guest = slow(driven)
    (other,) = others(driven)
    for _ in range(STALLED // (GRACE - 1000) + 1):
        driven.drive(inputs.Gone(guest))
        driven.wait(GRACE - 1000)
        driven.drive(inputs.Arrived(guest))
    driven.say(other, vote(driven))


def test_the_extension_can_be_waited_for_in_the_same_way() -> None:
    driven = playing(2)
    seat, _ = slow(driven)
    (other,) = others(driven)
    match = driven.table.match
    assert match is not None
    driven.table = replace(driven.table, match=match._replace(awaiting=ExtensionChoice(seat)))
    driven.wait(STALLED)
    assert stall(driven) is not None
    driven.say(other, vote(driven))
    assert is_away(driven, seat)


def test_with_a_clock_there_is_nothing_to_vote_about() -> None:
    driven = playing(2, clock=24 * 3600 * 1000)
    assert stall(driven) is None
    (other,) = others(driven)
    driven.now += STALLED
    assert driven.refusal(other, vote(driven)) == "not_needed"


def test_in_a_window_there_is_nothing_to_vote_about() -> None:
    driven = attack_on_person(NOT_HELD)
    assert isinstance(driven.awaiting(), Window)
    driven.now += STALLED
    for guest, seat in (("ann", 1), ("bob", 0)):
        assert stall(driven, guest) is None
        assert driven.refusal(guest, says.LetBotPlay(seat, driven.table.decision)) == "not_needed"


def test_alone_with_bots_nobody_is_held_up() -> None:
    driven = DrivenTable(table_settings()).join("ann").bots(1).start()
    driven.let_bots_play()
    assert isinstance(driven.awaiting(), Turn)
    assert stall(driven) is None
    driven.wait(STALLED)
    assert driven.refusal("ann", vote(driven)) == "not_needed"


def test_before_the_match_there_is_nothing_to_vote_about() -> None:
    driven = DrivenTable(table_settings()).join("ann", "bob")
    assert driven.refusal("ann", says.LetBotPlay(1, 0)) == "not_playing"


def test_time_in_which_the_server_was_away_does_not_count() -> None:
    driven = playing(2)
    (other,) = others(driven)
    at = driven.table.asked_at + STALLED
    driven.now += 10_000
    driven.drive(inputs.Shift(10_000))
    told = stall(driven)
    assert told is not None
    assert told.at == at + 10_000
    driven.now = at
    assert driven.refusal(other, vote(driven)) == "too_early"


def test_votes_replay() -> None:
    driven = playing(4)
    driven.wait(STALLED)
    for guest in others(driven)[:2]:
        driven.say(guest, vote(driven))
    driven.play_on()
    assert driven.table.outvoted
    assert replayed(driven).table == driven.table
