"""A table has 64 places. Those who have gone make room; players and the host never do."""

from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table.table import Member, Person

from .sitting import Sitting, replayed, table_settings

PLACES = 64


def full(players: int = 2) -> Sitting:
    """Two players, and everybody else watches."""
    sitting = Sitting(table_settings(players=players)).join("ann", "bob")
    for number in range(2, PLACES):
        sitting.say(f"g{number}", says.Join(f"G{number}", watch=True))
    return sitting


def come(sitting: Sitting, guest: str) -> Member:
    sitting.say(guest, says.Join(guest.capitalize(), watch=True))
    member = sitting.table.member_of(guest)
    assert member is not None
    return member


def test_nobody_who_is_here_makes_room() -> None:
    assert full().refusal("zoe", says.Join("Zoe")) == "table_full"


def test_63_watchers_who_never_connect_do_not_fill_a_table() -> None:
    sitting = full()
    for number in range(2, PLACES):
        sitting.drive(inputs.Gone(f"g{number}"))
    for number in range(PLACES):
        come(sitting, f"new{number}")
        sitting.drive(inputs.Gone(f"new{number}"))
    assert len(sitting.table.members) == PLACES
    assert sitting.table.seats == (Person(0), Person(1))
    assert [one.number for one in sitting.table.members] == list(range(PLACES))


def test_a_newcomer_takes_the_number_of_one_who_has_gone_who_is_a_member_no_more() -> None:
    sitting = full()
    sitting.drive(inputs.Gone("g7"))
    zoe = come(sitting, "zoe")
    assert zoe.number == 7
    assert zoe.since == sitting.table.seq
    assert sitting.table.member_of("g7") is None
    assert sitting.refusal("g7", says.Chat("I was here!")) == "join_first"
    assert sitting.refusal(None, inputs.Arrived("g7")) == "join_first"


def test_whoever_made_room_may_come_again() -> None:
    sitting = full()
    sitting.drive(inputs.Gone("g7"))
    come(sitting, "zoe")
    assert sitting.refusal("g7", says.Join("G7")) == "table_full"
    sitting.drive(inputs.Gone("g8"))
    assert come(sitting, "g7").number == 8


def test_who_has_left_goes_first_then_who_has_been_gone_for_longest() -> None:
    sitting = full()
    sitting.drive(inputs.Gone("g5"))
    sitting.now += 1000
    sitting.drive(inputs.Gone("g4"))
    sitting.now += 1000
    sitting.say("g9", says.Leave())
    assert [come(sitting, guest).number for guest in ("x", "y", "z")] == [9, 5, 4]


def test_whoever_was_sent_away_makes_room() -> None:
    sitting = full()
    sitting.say("ann", says.SendAway(7))
    assert come(sitting, "zoe").number == 7
    assert sitting.refusal("g7", says.Join("G7")) == "sent_away"


def test_nobody_with_a_seat_makes_room_nor_the_host_nor_the_one_who_opened_the_table() -> None:
    sitting = full()
    sitting.say("ann", says.Leave())  # bob is the host now
    sitting.say("bob", says.Stand())
    sitting.say("g2", says.Sit(0))
    for guest in ("bob", "g2"):
        sitting.drive(inputs.Gone(guest))
    assert sitting.table.host == 1
    assert sitting.table.seat_of(2) == 0
    assert sitting.refusal("zoe", says.Join("Zoe")) == "table_full"


def test_nobody_with_a_seat_makes_room_in_a_match() -> None:
    sitting = full().start()
    sitting.say("bob", says.Leave())
    assert sitting.refusal("zoe", says.Join("Zoe")) == "table_full"
    sitting.say("bob", says.Return())
    assert sitting.table.seats[1] == Person(1)


def test_a_newcomer_is_not_muted_in_place_of_another() -> None:
    sitting = full()
    sitting.say("ann", says.Mute(7))
    sitting.say("ann", says.Mute(8))
    sitting.drive(inputs.Gone("g7"))
    come(sitting, "zoe")
    assert sitting.view("ann").muted == (8,)


def test_a_newcomer_has_nothing_of_the_one_before() -> None:
    sitting = full()
    sitting.say("g7", says.Mute(0))
    sitting.drive(inputs.Gone("g7"))
    zoe = come(sitting, "zoe")
    assert zoe == Member(7, "zoe", "Zoe", sitting.table.seq)


def test_making_room_replays() -> None:
    sitting = full()
    sitting.drive(inputs.Gone("g7"))
    come(sitting, "zoe")
    assert replayed(sitting).table == sitting.table
