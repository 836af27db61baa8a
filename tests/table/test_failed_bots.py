"""A bot that has failed: another level plays for it until the next deal, and everybody is told."""

from millebornes.table import inputs
from millebornes.table import messages_in as says
from millebornes.table.table import SeatedBot

from .driven_table import LEVEL, DrivenTable, replayed, table_settings

OTHER = "other-level"


def against_bot() -> DrivenTable:
    """Ann's move has just made it the bot's turn."""
    driven = DrivenTable(table_settings()).join("ann").bots(1).start()
    while not driven.table.thinks():
        driven.play_on()
    return driven


def replace(driven: DrivenTable, seat: int = 1) -> None:
    driven.drive(inputs.Replaced(seat, driven.table.decision, OTHER))


def test_another_level_plays_for_a_bot_that_has_failed_and_all_are_told() -> None:
    driven = against_bot()
    decision = driven.table.decision
    replace(driven)
    assert driven.told() == ["bot_replaced"]
    assert driven.table.decision == decision
    seat = driven.view("ann").seats[1]
    assert (seat.level, seat.replaced_by) == (LEVEL, OTHER)
    (think,) = driven.table.thinks()
    assert think.level == OTHER
    assert driven.let_bots_play() >= 1


def test_after_the_next_deal_the_bot_plays_again() -> None:
    driven = against_bot()
    replace(driven)
    hands = driven.table.hands_dealt
    while driven.table.hands_dealt == hands:
        assert driven.view("ann").seats[1].replaced_by == OTHER
        driven.play_on()
    assert driven.view("ann").seats[1].replaced_by is None
    while not driven.table.thinks():
        driven.play_on()
    assert driven.table.thinks()[0].level == LEVEL


def test_only_a_bot_that_is_asked_can_be_replaced_and_only_once() -> None:
    driven = against_bot()
    now = driven.table.decision
    assert driven.refusal(None, inputs.Replaced(1, now - 1, OTHER)) == "stale_decision"
    assert driven.refusal(None, inputs.Replaced(0, now, OTHER)) == "not_needed"
    assert driven.refusal(None, inputs.Replaced(7, now, OTHER)) == "not_needed"
    replace(driven)
    assert driven.refusal(None, inputs.Replaced(1, now, OTHER)) == "not_needed"
    lobby = DrivenTable(table_settings()).join("ann").bots(1)
    assert lobby.refusal(None, inputs.Replaced(1, 0, OTHER)) == "stale_decision"


def test_a_replacement_is_replayed_from_the_log() -> None:
    driven = against_bot()
    replace(driven)
    driven.let_bots_play()
    assert replayed(driven).table == driven.table


def test_a_log_replays_though_its_level_is_no_longer_there() -> None:
    driven = DrivenTable(table_settings()).join("ann")
    driven.say("ann", says.AddBot(1, "a-bot-that-was-registered"))
    assert replayed(driven).table.seats[1] == SeatedBot("a-bot-that-was-registered", "Léa")
