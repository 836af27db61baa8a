"""Before the start: joining, seats, bots, the host."""

import pytest

from millebornes.rules import EDITIONS, EditionError
from millebornes.table import Refused, admitted, inputs, with_teams
from millebornes.table import messages_in as says
from millebornes.table.names import NAME_LENGTH, clean_name, clean_text, free_name
from millebornes.table.table import GRACE, IDLE, Person, SeatedBot

from .driven_table import LEVEL, PRINTED, DrivenTable, table_settings


def lobby(players: int = 4) -> DrivenTable:
    return DrivenTable(table_settings(players=players)).join("ann", "bob")


def test_the_first_who_joins_is_the_host_and_sits_at_the_first_seat() -> None:
    driven = DrivenTable(table_settings()).join("ann")
    assert driven.table.host == 0
    assert driven.table.seats == (Person(0), None)
    assert driven.view("ann").you == 0


def test_whoever_joins_may_name_a_free_seat() -> None:
    driven = lobby()
    driven.say("cem", says.Join("Cem", seat=3))
    assert driven.view("cem").you == 3
    assert driven.refusal("dee", says.Join("Dee", seat=3)) == "seat_taken"
    assert driven.refusal("dee", says.Join("Dee", seat=7)) == "seat_taken"
    assert driven.table.member_of("dee") is None


def test_whoever_joins_a_full_table_watches() -> None:
    driven = lobby(2).join("cem")
    assert driven.view("cem").you is None
    assert driven.view("ann").watching == ("Cem",)
    assert driven.told() == ["watching"]


def test_one_may_come_only_to_watch_and_sit_down_later() -> None:
    driven = lobby()
    driven.say("cem", says.Join("Cem", watch=True))
    assert driven.view("cem").you is None
    driven.say("cem", says.Join("Cem"))
    assert driven.view("cem").you == 2


def test_joining_twice_is_being_there_once() -> None:
    driven = lobby().join("ann")
    assert len(driven.table.members) == 2
    assert driven.view("ann").you == 0
    assert driven.told() == []


def test_joining_twice_to_watch_is_watching_once() -> None:
    driven = lobby(2).join("cem")
    driven.join("cem")
    assert driven.view("ann").watching == ("Cem",)
    assert driven.told() == []


def test_one_who_was_away_and_joins_again_is_told_to_be_back() -> None:
    driven = lobby(2).join("cem")
    for guest, told in (("ann", "connected"), ("cem", "watching")):
        driven.drive(inputs.Gone(guest))
        driven.join(guest)
        assert driven.told() == [told]


def test_nobody_but_members_can_say_anything() -> None:
    driven = lobby()
    for message in (says.Chat("hi"), says.Start(), says.Leave(), says.Rematch(), says.Sit(3)):
        assert driven.refusal("eve", message) == "join_first"


def test_names_are_told_apart() -> None:
    driven = DrivenTable(table_settings(players=4))
    driven.say("a", says.Join("Léa"))
    driven.say("b", says.Join("LÉA"))
    driven.bots(2)
    driven.say("c", says.Join("Hugo"))
    names = [driven.table.seat_name(seat) for seat in range(4)]
    assert names == ["Léa", "LÉA 2", "Hugo", "Hugo 2"]


def test_a_table_has_room_for_many_of_one_name_but_not_for_all_the_world() -> None:
    driven = DrivenTable(table_settings())
    for number in range(64):
        driven.say(f"g{number}", says.Join("x" * NAME_LENGTH))
    names = {member.name for member in driven.table.members}
    assert len(names) == 64
    assert max(map(len, names)) <= NAME_LENGTH
    assert driven.refusal("g64", says.Join("Zoe")) == "table_full"


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u202e", "\n", "\ud800", "x" * 25])
def test_a_name_has_something_to_see_and_is_short(name: str) -> None:
    assert clean_name(name) is None
    assert DrivenTable(table_settings()).refusal("a", says.Join(name or " ")) == "bad_name"


def test_names_and_chat_lose_what_cannot_be_seen() -> None:
    assert clean_name(" e\u0301va\u202e \n\t x\u2028y ") == "éva x y"
    assert clean_text("a\x00b\u200fc\nd") == "abc\nd"
    assert free_name("Ann", ["ann", "Ann 2"]) == "Ann 3"


def test_one_may_take_another_free_seat_or_stand_up() -> None:
    driven = lobby()
    driven.say("ann", says.Sit(2))
    assert driven.table.seats == (None, Person(1), Person(0), None)
    assert driven.refusal("ann", says.Sit(1)) == "seat_taken"
    assert driven.refusal("ann", says.Sit(6)) == "seat_taken"
    driven.say("ann", says.Stand())
    assert driven.view("ann").you is None
    assert driven.refusal("ann", says.Stand()) == "no_seat"
    assert driven.table.host == 0
    driven.say("ann", says.Sit(3))
    assert driven.view("ann").you == 3


def test_the_host_seats_bots_of_the_levels_there_are() -> None:
    driven = lobby()
    driven.bots(2)
    assert isinstance(driven.table.seats[2], SeatedBot)
    assert driven.view("bob").seats[2].level == LEVEL
    refused = admitted(driven.table, "ann", says.AddBot(3, "mille-maitre"), driven.now)
    assert isinstance(refused, Refused)
    assert refused.code == "no_such_level"
    assert driven.refusal("ann", says.AddBot(2, LEVEL)) == "seat_taken"
    assert driven.refusal("ann", says.AddBot(5, LEVEL)) == "seat_taken"
    assert driven.refusal("bob", says.AddBot(3, LEVEL)) == "not_host"


def test_the_host_may_free_a_seat_before_the_start() -> None:
    driven = lobby().bots(2)
    driven.say("ann", says.Kick(1))
    driven.say("ann", says.Kick(2))
    assert driven.table.seats == (Person(0), None, None, None)
    assert driven.view("ann").watching == ("Bob",)
    assert driven.refusal("ann", says.Kick(0)) == "not_yourself"
    assert driven.refusal("ann", says.Kick(1)) == "seat_empty"
    assert driven.refusal("ann", says.Kick(7)) == "seat_empty"
    assert driven.refusal("bob", says.Kick(0)) == "not_host"


def test_a_match_starts_when_the_host_says_so_and_every_seat_is_taken() -> None:
    driven = lobby(3)
    assert driven.refusal("ann", says.Start()) == "seats_empty"
    driven.bots(2)
    assert driven.refusal("bob", says.Start()) == "not_host"
    driven.say("ann", says.Start())
    assert driven.phase() == "playing"


def test_after_the_start_nobody_is_moved() -> None:
    driven = lobby(2).start()
    for message in (
        says.Sit(0),
        says.Stand(),
        says.Kick(1),
        says.AddBot(1, LEVEL),
        says.Start(),
    ):
        assert driven.refusal("ann", message) == "already_started"
    driven.say("cem", says.Join("Cem"))
    assert driven.view("cem").you is None


def test_whoever_leaves_the_lobby_frees_the_seat_and_the_next_is_host() -> None:
    driven = lobby()
    driven.say("ann", says.Leave())
    assert driven.table.seats[0] is None
    assert driven.table.host == 1


def test_whoever_comes_first_to_a_lobby_that_its_host_has_left_alone_is_host() -> None:
    driven = DrivenTable(table_settings()).join("ann")
    driven.say("ann", says.Leave())
    driven.join("bob", "cem")
    assert driven.table.host == 1
    driven.say("cem", says.Stand())
    driven.bots(1).start()
    assert driven.phase() == "playing"


def test_whoever_comes_back_first_to_a_lobby_without_its_host_is_host() -> None:
    driven = lobby()
    driven.drive(inputs.Gone("bob"))
    driven.say("ann", says.Leave())
    driven.drive(inputs.Arrived("bob"))
    assert driven.table.host == 1


def test_a_host_who_left_alone_and_comes_back_is_host_as_before() -> None:
    driven = DrivenTable(table_settings()).join("ann")
    driven.say("ann", says.Leave())
    driven.join("ann", "bob")
    assert driven.table.host == 0


def test_a_reload_of_the_page_does_not_cost_the_host_the_table() -> None:
    driven = lobby()
    driven.drive(inputs.Gone("ann"))
    driven.wait(GRACE - 1)
    driven.drive(inputs.Arrived("ann"))
    driven.wait(2 * GRACE)
    assert driven.table.host == 0


def test_a_host_who_stays_away_is_replaced_by_somebody_who_is_there() -> None:
    driven = lobby()
    driven.say("cem", says.Join("Cem", watch=True))
    driven.drive(inputs.Gone("ann"))
    driven.wait(GRACE)
    assert driven.table.host == 1
    assert driven.table.seats[0] == Person(0)


def test_nobody_becomes_host_of_a_table_that_everybody_has_left() -> None:
    driven = lobby()
    driven.drive(inputs.Gone("bob"))
    driven.drive(inputs.Gone("ann"))
    driven.wait(2 * GRACE)
    assert driven.table.host == 0
    assert driven.refusal(None, inputs.Gone("ann")) == "not_needed"
    assert driven.refusal(None, inputs.Gone("eve")) == "join_first"


def test_an_idle_table_closes_and_takes_nothing_more() -> None:
    driven = lobby()
    driven.wait(IDLE - 1)
    assert driven.phase() == "lobby"
    driven.wait(1)
    assert driven.phase() == "closed"
    assert driven.table.closed_code == "idle"
    assert driven.table.deadline is None
    assert driven.refusal("ann", says.Chat("hello?")) == "table_closed"
    assert driven.refusal(None, inputs.Tick()) == "table_closed"


def test_the_driver_may_shut_a_table() -> None:
    driven = lobby(2).start()
    driven.drive(inputs.Shut("operator"))
    assert driven.phase() == "closed"
    assert driven.view("ann").asked is None


def test_partners_sit_across() -> None:
    driven = lobby().bots(2, 3).start()
    match = driven.table.match
    assert match is not None
    assert match.seats_of(0) == (0, 2)
    assert driven.view("ann").teams


def test_a_table_may_play_with_or_without_teams() -> None:
    alone = with_teams(PRINTED, 4, False)
    assert not alone.has_teams(4)
    assert with_teams(alone, 4, True).has_teams(4)
    assert with_teams(PRINTED, 4, True) is PRINTED


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 5},
        {"clock": 4999},
        {"clock": 10**9},
        {"window": 999},
        {"window": 60_001},
        {"bot_window": -1},
        {"pace": 60_001},
        {"seed": "x"},
        {"practice": True},
        {"practice": True, "seed": "\ud800"},
        {"practice": True, "seed": "x" * 201},
        {"short_trip": True},
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(EditionError):
        table_settings(EDITIONS["parker-1988"], **{"players": 2, **wrong})  # type: ignore[arg-type]
