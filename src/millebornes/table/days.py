"""The date of a time. Tables read no clock: the time comes from outside."""

from datetime import UTC, datetime, timedelta

__all__ = ["date_of"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def date_of(now: int) -> str:
    """The date of a time in milliseconds: UTC, so that a log gives the same one everywhere."""
    return (_EPOCH + timedelta(milliseconds=now)).date().isoformat()
