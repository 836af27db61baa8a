"""A table has 64 places. Those who have gone make room; players and the host never do."""

from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table.table import Member, Person

from .driven_table import DrivenTable, replayed, table_settings

PLACES = 64


def full(players: int = 2) -> DrivenTable:
    """Two players, and everybody else watches."""
    driven = DrivenTable(table_settings(players=players)).join("ann", "bob")
    for number in range(2, PLACES):
        driven.say(f"g{number}", says.Join(f"G{number}", watch=True))
    return driven


def come(driven: DrivenTable, guest: str) -> Member:
    driven.say(guest, says.Join(guest.capitalize(), watch=True))
    member = driven.table.member_of(guest)
    assert member is not None
    return member


def test_nobody_who_is_here_makes_room() -> None:
    assert full().refusal("zoe", says.Join("Zoe")) == "table_full"


def test_63_watchers_who_never_connect_do_not_fill_a_table() -> None:
    driven = full()
    for number in range(2, PLACES):
        driven.drive(inputs.Gone(f"g{number}"))
    for number in range(PLACES):
        come(driven, f"new{number}")
        driven.drive(inputs.Gone(f"new{number}"))
    assert len(driven.table.members) == PLACES
    assert driven.table.seats == (Person(0), Person(1))
    assert [one.number for one in driven.table.members] == list(range(PLACES))


def test_a_newcomer_takes_the_number_of_one_who_has_gone_who_is_a_member_no_more() -> None:
    driven = full()
    driven.drive(inputs.Gone("g7"))
    zoe = come(driven, "zoe")
    assert zoe.number == 7
    assert zoe.since == driven.table.seq
    assert driven.table.member_of("g7") is None
    assert driven.refusal("g7", says.Chat("I was here!")) == "join_first"
    assert driven.refusal(None, inputs.Arrived("g7")) == "join_first"


def test_whoever_made_room_may_come_again() -> None:
    driven = full()
    driven.drive(inputs.Gone("g7"))
    come(driven, "zoe")
    assert driven.refusal("g7", says.Join("G7")) == "table_full"
    driven.drive(inputs.Gone("g8"))
    assert come(driven, "g7").number == 8


def test_who_has_left_goes_first_then_who_has_been_gone_for_longest() -> None:
    driven = full()
    driven.drive(inputs.Gone("g5"))
    driven.now += 1000
    driven.drive(inputs.Gone("g4"))
    driven.now += 1000
    driven.say("g9", says.Leave())
    assert [come(driven, guest).number for guest in ("x", "y", "z")] == [9, 5, 4]


def test_whoever_was_sent_away_makes_room() -> None:
    driven = full()
    driven.say("ann", says.SendAway(7))
    assert come(driven, "zoe").number == 7
    assert driven.refusal("g7", says.Join("G7")) == "sent_away"


def test_nobody_with_a_seat_makes_room_nor_the_host_nor_the_one_who_opened_the_table() -> None:
    driven = full()
    driven.say("ann", says.Leave())  # bob is the host now
    driven.say("bob", says.Stand())
    driven.say("g2", says.Sit(0))
    for guest in ("bob", "g2"):
        driven.drive(inputs.Gone(guest))
    assert driven.table.host == 1
    assert driven.table.seat_of(2) == 0
    assert driven.refusal("zoe", says.Join("Zoe")) == "table_full"


def test_nobody_with_a_seat_makes_room_in_a_match() -> None:
    driven = full().start()
    driven.say("bob", says.Leave())
    assert driven.refusal("zoe", says.Join("Zoe")) == "table_full"
    driven.say("bob", says.Return())
    assert driven.table.seats[1] == Person(1)


def test_a_newcomer_is_not_muted_in_place_of_another() -> None:
    driven = full()
    driven.say("ann", says.Mute(7))
    driven.say("ann", says.Mute(8))
    driven.drive(inputs.Gone("g7"))
    come(driven, "zoe")
    assert driven.view("ann").muted == (8,)


def test_a_newcomer_has_nothing_of_the_one_before() -> None:
    driven = full()
    driven.say("g7", says.Mute(0))
    driven.drive(inputs.Gone("g7"))
    zoe = come(driven, "zoe")
    assert zoe == Member(7, "zoe", "Zoe", driven.table.seq)


def test_making_room_replays() -> None:
    driven = full()
    driven.drive(inputs.Gone("g7"))
    come(driven, "zoe")
    assert replayed(driven).table == driven.table
