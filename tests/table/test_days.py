"""The dates of records."""

import pytest

from millebornes.records import game
from millebornes.table import messages_in as says
from millebornes.table.days import date_of

from .sitting import QUICK, Sitting, table_settings

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
    sitting = Sitting(table_settings(QUICK)).join("ann", "bob")
    sitting.now = 1_700_000_000_000
    sitting.start()
    sitting.now += DAY  # the match goes on after midnight
    sitting.play_to_the_end()
    record = sitting.table.game
    assert record is not None
    assert record.date == "2023-11-14"
    assert "\ndate: 2023-11-14\n" in game.to_text(record)
    sitting.say("ann", says.Rematch())
    sitting.say("bob", says.Rematch())
    assert sitting.table.game is not None
    assert sitting.table.game.date == date_of(sitting.now) != record.date
