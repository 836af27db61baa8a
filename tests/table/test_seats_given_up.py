"""Before the start, somebody who has gone does not keep a seat from those who are here."""

from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table.table import GRACE, Refused
from millebornes.table.validation import admitted

from .sitting import Sitting, replayed, table_settings


def full_table() -> Sitting:
    """Ann is the host, Eve has a seat and is not here."""
    sitting = Sitting(table_settings(players=2)).join("ann", "eve")
    sitting.drive(inputs.Gone("eve"))
    return sitting


def come(sitting: Sitting, guest: str, **more: object) -> None:
    """As a newcomer comes to the door."""
    join = says.Join(guest.title(), **more)  # type: ignore[arg-type]
    asked = admitted(sitting.table, guest, join, sitting.now)
    assert not isinstance(asked, Refused)
    assert sitting.put(guest, asked).refused is None


def test_a_newcomer_gets_the_seat_of_one_who_has_been_gone_for_a_minute() -> None:
    sitting = full_table()
    sitting.wait(GRACE)
    come(sitting, "max")
    assert [seat.name for seat in sitting.view("ann").seats] == ["Ann", "Max"]
    assert sitting.told() == ["seat_freed", "joined"]
    # Whoever had it may still watch, or take another one.
    sitting.drive(inputs.Arrived("eve"))
    assert sitting.view("ann").watching == ("Eve",)
    assert replayed(sitting).table == sitting.table


def test_a_page_that_is_loaded_again_costs_nobody_the_seat() -> None:
    sitting = full_table()
    sitting.wait(GRACE - 1)
    come(sitting, "max")
    assert [seat.name for seat in sitting.view("ann").seats] == ["Ann", "Eve"]
    assert sitting.view("ann").watching == ("Max",)
    assert sitting.refusal("max", says.Sit(1)) == "seat_taken"
    sitting.drive(inputs.Arrived("eve"))
    sitting.wait(2 * GRACE)
    assert sitting.refusal("max", says.Sit(1)) == "seat_taken"


def test_one_who_watches_may_sit_down_there() -> None:
    sitting = full_table()
    come(sitting, "max", watch=True)
    sitting.wait(GRACE)
    sitting.say("max", says.Sit(1))
    assert [seat.name for seat in sitting.view("ann").seats] == ["Ann", "Max"]


def test_a_seat_that_is_free_is_given_first_and_who_only_watches_takes_none() -> None:
    sitting = Sitting(table_settings(players=3)).join("ann", "eve")
    sitting.drive(inputs.Gone("eve"))
    sitting.wait(GRACE)
    come(sitting, "ida", watch=True)
    come(sitting, "max")
    assert [seat.name for seat in sitting.view("ann").seats] == ["Ann", "Eve", "Max"]
    come(sitting, "zoe")
    assert [seat.name for seat in sitting.view("ann").seats] == ["Ann", "Zoe", "Max"]


def test_the_hosts_seat_and_seats_of_a_match_are_kept() -> None:
    sitting = Sitting(table_settings(players=2)).join("ann", "eve")
    sitting.drive(inputs.Gone("ann"))
    sitting.drive(inputs.Gone("eve"))
    sitting.now += 2 * GRACE
    assert sitting.table.given_up(sitting.now) == [1]
    sitting = Sitting(table_settings(players=2)).join("ann", "eve").start()
    sitting.drive(inputs.Gone("eve"))
    sitting.now += GRACE - 1
    come(sitting, "max")
    sitting.now += 1
    assert sitting.table.given_up(sitting.now) == []
    assert [seat.name for seat in sitting.view("max").seats] == ["Ann", "Eve"]
