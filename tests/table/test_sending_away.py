"""The host sends somebody away: watchers at any time, players before the start. That holds."""

from millebornes.table import Refused, admitted
from millebornes.table import messages_in as says
from millebornes.table.table import Person, SeatedBot

from .driven_table import DrivenTable, replayed, table_settings


def with_watcher(players: int = 2) -> DrivenTable:
    driven = DrivenTable(table_settings(players=players)).join("ann", "bob")
    driven.say("eve", says.Join("Eve", watch=True))
    return driven


def kick(driven: DrivenTable, guest: str, seat: int) -> str | None:
    """A kick as it comes to the door; the code if it is refused."""
    asked = admitted(driven.table, guest, says.Kick(seat), driven.now)
    assert not isinstance(asked, Refused)
    refused = driven.put(guest, asked).refused
    return None if refused is None else refused.code


def test_a_watcher_who_is_sent_away_is_no_member_any_more_and_cannot_come_back() -> None:
    driven = with_watcher()
    driven.say("ann", says.SendAway(2))
    assert driven.told() == ["sent_away"]
    assert driven.view("ann").watching == ()
    assert driven.table.member_of("eve") is None
    for join in (says.Join("Eve"), says.Join("Somebody", watch=True)):
        assert driven.refusal("eve", join) == "sent_away"
    assert driven.refusal("eve", says.Chat("But why?")) == "join_first"


def test_a_watcher_can_be_sent_away_while_a_match_is_played() -> None:
    driven = with_watcher().start()
    assert driven.view("eve").hand is not None
    driven.say("ann", says.SendAway(2))
    assert driven.view("eve").hand is None
    assert driven.view("eve").asked is None
    assert driven.phase() == "playing"


def test_a_watcher_can_be_sent_away_after_a_match() -> None:
    driven = with_watcher().start().play_to_the_end()
    driven.say("ann", says.SendAway(2))
    assert driven.table.member_of("eve") is None


def test_a_player_who_is_sent_away_before_the_start_frees_the_seat() -> None:
    driven = with_watcher(3)
    driven.say("ann", says.SendAway(1))
    assert driven.table.seats == (Person(0), None, None)
    assert driven.refusal("bob", says.Join("Bob")) == "sent_away"
    assert driven.refusal("bob", says.Sit(1)) == "join_first"
    driven.say("eve", says.Sit(1))
    assert driven.table.seats[1] == Person(2)


def test_nobody_is_sent_away_from_a_match_that_they_play() -> None:
    driven = with_watcher().start()
    assert driven.refusal("ann", says.SendAway(1)) == "already_started"
    driven.play_to_the_end()
    assert driven.refusal("ann", says.SendAway(1)) == "already_started"


def test_only_the_host_sends_away_and_never_themself_nor_anybody_twice() -> None:
    driven = with_watcher()
    assert driven.refusal("bob", says.SendAway(2)) == "not_host"
    assert driven.refusal("eve", says.SendAway(0)) == "not_host"
    assert driven.refusal("ann", says.SendAway(0)) == "not_yourself"
    assert driven.refusal("ann", says.SendAway(3)) == "no_such_member"
    driven.say("ann", says.SendAway(2))
    assert driven.refusal("ann", says.SendAway(2)) == "already_done"


def test_a_kick_of_a_person_holds() -> None:
    driven = with_watcher()
    assert kick(driven, "ann", 1) is None
    assert driven.told() == ["sent_away"]
    assert driven.refusal("bob", says.Join("Bob")) == "sent_away"
    assert isinstance(driven.log[-1][1], says.SendAway)


def test_a_kick_of_a_bot_frees_its_seat_as_ever() -> None:
    driven = DrivenTable(table_settings()).join("ann").bots(1)
    assert isinstance(driven.table.seats[1], SeatedBot)
    assert kick(driven, "ann", 1) is None
    assert driven.told() == ["seat_freed"]
    assert driven.table.seats[1] is None
    assert driven.table.sent_away == ()


def test_a_kick_is_refused_as_ever() -> None:
    driven = with_watcher(3)
    assert kick(driven, "bob", 0) == "not_host"
    assert kick(driven, "ann", 0) == "not_yourself"
    assert kick(driven, "ann", 2) == "seat_empty"
    assert kick(driven, "ann", 7) == "seat_empty"
    driven.bots(2).start()
    assert kick(driven, "ann", 1) == "already_started"


def test_an_old_log_in_which_the_one_kicked_sat_down_again_replays() -> None:
    """Before there was a door a kick freed the seat, and no more."""
    driven = with_watcher()
    driven.say("ann", says.Kick(1))
    driven.say("bob", says.Sit(1))
    driven.start()
    assert replayed(driven).table == driven.table


def test_sending_away_replays() -> None:
    driven = with_watcher()
    driven.say("ann", says.SendAway(2))
    driven.say("ann", says.SendAway(1))
    assert replayed(driven).table == driven.table


def test_the_table_remembers_the_last_256_who_were_sent_away() -> None:
    driven = DrivenTable(table_settings()).join("ann")
    for number in range(257):
        guest = f"g{number}"
        driven.say(guest, says.Join("Troll", watch=True))
        member = driven.table.member_of(guest)
        assert member is not None
        driven.say("ann", says.SendAway(member.number))
    assert len(driven.table.sent_away) == 256
    assert driven.refusal("g1", says.Join("Troll")) == "sent_away"
    driven.say("g0", says.Join("Troll", watch=True))
