"""The lines of the score sheet, as on the box."""

from typing import NamedTuple

__all__ = ["ScoreSheet"]


class ScoreSheet(NamedTuple):
    """One side's points in one hand, line by line."""

    miles: int = 0
    safeties: int = 0
    all_four: int = 0
    coups_fourres: int = 0
    trip: int = 0
    delayed_action: int = 0
    safe_trip: int = 0
    shut_out: int = 0
    extension: int = 0

    @property
    def total(self) -> int:
        """Total for the deal."""
        return sum(self)
