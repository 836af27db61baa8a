"""The host sends somebody away: watchers at any time, players before the start. That holds."""

from millebornes.table import Refused, admitted
from millebornes.table import messages_in as says
from millebornes.table.table import Person, SeatedBot

from .sitting import Sitting, replayed, table_settings


def with_watcher(players: int = 2) -> Sitting:
    sitting = Sitting(table_settings(players=players)).join("ann", "bob")
    sitting.say("eve", says.Join("Eve", watch=True))
    return sitting


def kick(sitting: Sitting, guest: str, seat: int) -> str | None:
    """A kick as it comes to the door; the code if it is refused."""
    asked = admitted(sitting.table, guest, says.Kick(seat), sitting.now)
    assert not isinstance(asked, Refused)
    refused = sitting.put(guest, asked).refused
    return None if refused is None else refused.code


def test_a_watcher_who_is_sent_away_is_no_member_any_more_and_cannot_come_back() -> None:
    sitting = with_watcher()
    sitting.say("ann", says.SendAway(2))
    assert sitting.told() == ["sent_away"]
    assert sitting.view("ann").watching == ()
    assert sitting.table.member_of("eve") is None
    for join in (says.Join("Eve"), says.Join("Somebody", watch=True)):
        assert sitting.refusal("eve", join) == "sent_away"
    assert sitting.refusal("eve", says.Chat("But why?")) == "join_first"


def test_a_watcher_can_be_sent_away_while_a_match_is_played() -> None:
    sitting = with_watcher().start()
    assert sitting.view("eve").hand is not None
    sitting.say("ann", says.SendAway(2))
    assert sitting.view("eve").hand is None
    assert sitting.view("eve").asked is None
    assert sitting.phase() == "playing"


def test_a_watcher_can_be_sent_away_after_a_match() -> None:
    sitting = with_watcher().start().play_to_the_end()
    sitting.say("ann", says.SendAway(2))
    assert sitting.table.member_of("eve") is None


def test_a_player_who_is_sent_away_before_the_start_frees_the_seat() -> None:
    sitting = with_watcher(3)
    sitting.say("ann", says.SendAway(1))
    assert sitting.table.seats == (Person(0), None, None)
    assert sitting.refusal("bob", says.Join("Bob")) == "sent_away"
    assert sitting.refusal("bob", says.Sit(1)) == "join_first"
    sitting.say("eve", says.Sit(1))
    assert sitting.table.seats[1] == Person(2)


def test_nobody_is_sent_away_from_a_match_that_they_play() -> None:
    sitting = with_watcher().start()
    assert sitting.refusal("ann", says.SendAway(1)) == "already_started"
    sitting.play_to_the_end()
    assert sitting.refusal("ann", says.SendAway(1)) == "already_started"


def test_only_the_host_sends_away_and_never_themself_nor_anybody_twice() -> None:
    sitting = with_watcher()
    assert sitting.refusal("bob", says.SendAway(2)) == "not_host"
    assert sitting.refusal("eve", says.SendAway(0)) == "not_host"
    assert sitting.refusal("ann", says.SendAway(0)) == "not_yourself"
    assert sitting.refusal("ann", says.SendAway(3)) == "no_such_member"
    sitting.say("ann", says.SendAway(2))
    assert sitting.refusal("ann", says.SendAway(2)) == "already_done"


def test_a_kick_of_a_person_holds() -> None:
    sitting = with_watcher()
    assert kick(sitting, "ann", 1) is None
    assert sitting.told() == ["sent_away"]
    assert sitting.refusal("bob", says.Join("Bob")) == "sent_away"
    assert isinstance(sitting.log[-1][1], says.SendAway)


def test_a_kick_of_a_bot_frees_its_seat_as_ever() -> None:
    sitting = Sitting(table_settings()).join("ann").bots(1)
    assert isinstance(sitting.table.seats[1], SeatedBot)
    assert kick(sitting, "ann", 1) is None
    assert sitting.told() == ["seat_freed"]
    assert sitting.table.seats[1] is None
    assert sitting.table.sent_away == ()


def test_a_kick_is_refused_as_ever() -> None:
    sitting = with_watcher(3)
    assert kick(sitting, "bob", 0) == "not_host"
    assert kick(sitting, "ann", 0) == "not_yourself"
    assert kick(sitting, "ann", 2) == "seat_empty"
    assert kick(sitting, "ann", 7) == "seat_empty"
    sitting.bots(2).start()
    assert kick(sitting, "ann", 1) == "already_started"


def test_an_old_log_in_which_the_one_kicked_sat_down_again_replays() -> None:
    """Before there was a door a kick freed the seat, and no more."""
    sitting = with_watcher()
    sitting.say("ann", says.Kick(1))
    sitting.say("bob", says.Sit(1))
    sitting.start()
    assert replayed(sitting).table == sitting.table


def test_sending_away_replays() -> None:
    sitting = with_watcher()
    sitting.say("ann", says.SendAway(2))
    sitting.say("ann", says.SendAway(1))
    assert replayed(sitting).table == sitting.table


def test_the_table_remembers_the_last_256_who_were_sent_away() -> None:
    sitting = Sitting(table_settings()).join("ann")
    for number in range(257):
        guest = f"g{number}"
        sitting.say(guest, says.Join("Troll", watch=True))
        member = sitting.table.member_of(guest)
        assert member is not None
        sitting.say("ann", says.SendAway(member.number))
    assert len(sitting.table.sent_away) == 256
    assert sitting.refusal("g1", says.Join("Troll")) == "sent_away"
    sitting.say("g0", says.Join("Troll", watch=True))
