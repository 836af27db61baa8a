"""The dates of records."""

import pytest

from millebornes.records import game
from millebornes.table import messages_in as says
from millebornes.table.dates import date_of

from .driven_table import QUICK, DrivenTable, table_settings

DAY = 24 * 3600 * 1000


@pytest.mark.parametrize(
    ("now", "date"),
    [
        (0, "1970-01-01"),
        (-1, "1969-12-31"),
        (-62_135_596_800_000, "0001-01-01"),
        (253_402_300_799_999, "9999-12-31"),
        (DAY - 1, "1970-01-01"),
        (DAY, "1970-01-02"),
        (951_782_400_000, "2000-02-29"),
        (951_868_800_000, "2000-03-01"),
        (4_107_542_399_999, "2100-02-28"),
        (4_107_542_400_000, "2100-03-01"),
    ],
)
def test_a_day_begins_at_midnight_utc_and_leap_days_are_known(now: int, date: str) -> None:
    assert date_of(now) == date


def test_a_record_has_the_date_on_which_its_match_began() -> None:
    driven = DrivenTable(table_settings(QUICK)).join("ann", "bob")
    driven.now = 1_700_000_000_000
    driven.start()
    driven.now += DAY  # the match goes on after midnight
    driven.play_to_the_end()
    record = driven.table.game
    assert record is not None
    assert record.date == "2023-11-14"
    assert "\ndate: 2023-11-14\n" in game.to_text(record)
    driven.say("ann", says.Rematch())
    driven.say("bob", says.Rematch())
    assert driven.table.game is not None
    assert driven.table.game.date == date_of(driven.now) != record.date
