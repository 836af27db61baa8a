"""The day of a time. Tables read no clock, so they do without a module that has one."""

__all__ = ["date_of"]

_DAY = 24 * 3600 * 1000
_FOUR_CENTURIES = 146_097
"""Days until the calendar begins again."""
_EPOCH = 719_468
"""Days from 1 March of the year 0 to 1 January 1970."""


def date_of(now: int) -> str:
    """The date of a time in milliseconds: UTC, so that a log gives the same one everywhere."""
    # Years are counted from March: then the day that leap years add is their last.
    cycle, day = divmod(now // _DAY + _EPOCH, _FOUR_CENTURIES)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    year += 400 * cycle + (month >= 10)
    return f"{year:04}-{(month + 2) % 12 + 1:02}-{day + 1:02}"
