"""The lines of the score sheet, as printed: the list that everything else is derived from."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["POINTS_RULES", "ScoreSheet"]


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
        """Total for the hand."""
        return sum(self)


POINTS_RULES: Mapping[str, str] = MappingProxyType(
    {
        "safeties": "safety_points",
        "all_four": "all_four_points",
        "coups_fourres": "coup_fourre_points",
        "trip": "trip_points",
        "delayed_action": "delayed_action_points",
        "safe_trip": "safe_trip_points",
        "shut_out": "shut_out_points",
        "extension": "extension_points",
    }
)
"""The field of `Edition` that sets the points of each line; a mile is always one point."""
