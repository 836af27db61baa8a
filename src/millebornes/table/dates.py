"""The date in a record. Tables read no clock: the time is passed in."""

from datetime import UTC, datetime, timedelta

__all__ = ["date_of"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def date_of(now: int) -> str:
    """The date of a time in milliseconds, in UTC: a log replays with the same date everywhere."""
    return (_EPOCH + timedelta(milliseconds=now)).date().isoformat()
