"""Before the start, somebody who has gone does not keep a seat from those who are here."""

from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table.table import GRACE, Refused
from millebornes.table.validation import admitted

from .driven_table import DrivenTable, replayed, table_settings


def full_table() -> DrivenTable:
    """Ann is the host, Eve has a seat and is not here."""
    driven = DrivenTable(table_settings(players=2)).join("ann", "eve")
    driven.drive(inputs.Gone("eve"))
    return driven


def come(driven: DrivenTable, guest: str, **more: object) -> None:
    """As a newcomer comes to the door."""
    join = says.Join(guest.title(), **more)  # type: ignore[arg-type]
    asked = admitted(driven.table, guest, join, driven.now)
    assert not isinstance(asked, Refused)
    assert driven.put(guest, asked).refused is None


def test_a_newcomer_gets_the_seat_of_one_who_has_been_gone_for_a_minute() -> None:
    driven = full_table()
    driven.wait(GRACE)
    come(driven, "max")
    assert [seat.name for seat in driven.view("ann").seats] == ["Ann", "Max"]
    assert driven.told() == ["seat_freed", "joined"]
    # Its former player may still watch, or take another seat.
    driven.drive(inputs.Arrived("eve"))
    assert driven.view("ann").watching == ("Eve",)
    assert replayed(driven).table == driven.table


def test_a_page_that_is_loaded_again_costs_nobody_the_seat() -> None:
    driven = full_table()
    driven.wait(GRACE - 1)
    come(driven, "max")
    assert [seat.name for seat in driven.view("ann").seats] == ["Ann", "Eve"]
    assert driven.view("ann").watching == ("Max",)
    assert driven.refusal("max", says.Sit(1)) == "seat_taken"
    driven.drive(inputs.Arrived("eve"))
    driven.wait(2 * GRACE)
    assert driven.refusal("max", says.Sit(1)) == "seat_taken"


def test_one_who_watches_may_sit_down_there() -> None:
    driven = full_table()
    come(driven, "max", watch=True)
    driven.wait(GRACE)
    driven.say("max", says.Sit(1))
    assert [seat.name for seat in driven.view("ann").seats] == ["Ann", "Max"]


def test_a_seat_that_is_free_is_given_first_and_who_only_watches_takes_none() -> None:
    driven = DrivenTable(table_settings(players=3)).join("ann", "eve")
    driven.drive(inputs.Gone("eve"))
    driven.wait(GRACE)
    come(driven, "ida", watch=True)
    come(driven, "max")
    assert [seat.name for seat in driven.view("ann").seats] == ["Ann", "Eve", "Max"]
    come(driven, "zoe")
    assert [seat.name for seat in driven.view("ann").seats] == ["Ann", "Zoe", "Max"]


def test_the_hosts_seat_and_seats_of_a_match_are_kept() -> None:
    driven = DrivenTable(table_settings(players=2)).join("ann", "eve")
    driven.drive(inputs.Gone("ann"))
    driven.drive(inputs.Gone("eve"))
    driven.now += 2 * GRACE
    assert driven.table.given_up(driven.now) == [1]
    driven = DrivenTable(table_settings(players=2)).join("ann", "eve").start()
    driven.drive(inputs.Gone("eve"))
    driven.now += GRACE - 1
    come(driven, "max")
    driven.now += 1
    assert driven.table.given_up(driven.now) == []
    assert [seat.name for seat in driven.view("max").seats] == ["Ann", "Eve"]
