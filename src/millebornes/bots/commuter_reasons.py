"""What decided for the Commuter: the features that speak most for its move, as reasons.

The move is compared with the best other one. What each feature adds to its lead is how much it
speaks for the move; the features are taken in this order, and the first reason that holds is given.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from millebornes.rules import Move

__all__ = ["REASONS_OF", "Weighed", "deciding"]


class Weighed(Protocol):
    """The legal moves of a view, and what each is worth to the Commuter."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves."""
        ...

    def parts(self, move: Move) -> Mapping[str, int]:
        """What a move is worth, by feature."""
        ...


REASONS_OF: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "wins": ("wins_match", "finish_wins"),
        "loses": ("extend_not_lost", "discard_not_to_lose"),
        # distances
        "drive_miles": ("drive_longest", "drive_limited"),
        "drive_completes": ("completes_trip",),
        "drive_first_200": ("drive_saves_200",),
        "drive_other_200": ("drive_another_200",),
        "drive_close": ("drive_pressed",),
        "drive_limited": ("drive_limited",),
        "drive_first": ("drive_first",),
        "drive_leaves_held": ("drive_fits_next",),
        "drive_late": ("drive_late",),
        # attacks
        "attack_remedies": ("attack_few_remedies",),
        "attack_miles": ("attack_leader", "limit_leader", "attack_ahead", "limit_ahead"),
        "attack_first": ("attack_shut_out",),
        "attack_close": ("attack_about_to_finish",),
        "attack_stuck": ("attack_while_standing",),
        "attack_lead": ("attack_ahead", "limit_ahead"),
        "attack_leader": ("attack_leader", "limit_leader"),
        # remedies and safeties
        "end_limit_far": ("end_limit_for",),
        "safety_cures": ("safety_cures",),
        "safety_lifts": ("safety_cures",),
        "safety_starts": ("safety_starts",),
        "safety_late": ("safety_late",),
        "safety_hazards": ("safety_unneeded", "safety_guards"),
        "safety_close": ("safety_ends_soon",),
        "autoroute_cures": ("autoroute_clears",),
        "autoroute_to_go": ("autoroute_near",),
        "autoroute_close": ("autoroute_near",),
        # discards
        "discard_same_distance": ("discard_spare",),
        "discard_same_hazard": ("discard_spare",),
        "discard_same_remedy": ("discard_spare",),
        "discard_too_far": ("discard_too_far", "discard_no_more_200s"),
        "discard_fast": ("discard_too_fast",),
        "discard_far": ("discard_shortest",),
        "discard_no_target": ("discard_no_target",),
        "discard_needless": ("discard_protected", "discard_roll"),
        "discard_gone": ("discard_no_more_hazards",),
        "discard_hazards": ("discard_one_hazard", "discard_in_no_need"),
        "discard_late_hazard": ("discard_late",),
        "discard_late_remedy": ("discard_late",),
        "keep_25": ("discard_shortest",),
        "keep_50": ("discard_shortest",),
        "keep_75": ("discard_shortest",),
        "keep_100": ("discard_shortest",),
        "keep_safety": ("discard_keeps_safeties",),
        # the extension
        "extend_pile": ("extend_far_ahead", "finish_few_cards"),
        "extend_front": ("extend_far_ahead", "finish_close_race"),
        "extend_standing": ("extend_standing",),
        "extend_safe": ("extend_safe",),
        "extend_held": ("extend_safe",),
        "extend_miles": ("extend_holding",),
        "extend_far": ("extend_holding",),
    }
)
"""The reasons that say what a feature says. Features that say nothing a person could use, such as
that a card is a distance, have none."""


def deciding(weighed: Weighed, move: Move) -> list[str]:
    """The codes of what speaks for a move against the best other one, the strongest first."""
    best = max(
        (weighed.parts(other) for other in weighed.moves if other != move),
        key=lambda parts: sum(parts.values()),
        default={},
    )
    own = weighed.parts(move)
    lead = {name: own.get(name, 0) - best.get(name, 0) for name in REASONS_OF}
    for_it = sorted((name for name in lead if lead[name] > 0), key=lambda name: -lead[name])
    return [code for name in for_it for code in REASONS_OF[name]]
