"""The features of a move, by name, and the record of their weights.

`weighing` says how large each feature of a move is. What is called *late*, *close* and so on is
defined there.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from millebornes.fast.packing import KIND
from millebornes.rules.cards import Card

__all__ = ["DECIDING", "FEATURES", "GROUPS", "GROUP_OF", "MOST", "WEIGHTS", "Feature"]


class Feature(NamedTuple):
    """What a feature says about a move, and how large it can be, whatever its sign."""

    meaning: str
    most: int = 1


GROUPS: Mapping[str, tuple[Card, ...]] = MappingProxyType(
    {
        "25": (Card.D25,),
        "50": (Card.D50,),
        "75": (Card.D75,),
        "100": (Card.D100,),
        "200": (Card.D200,),
        "hazard": (Card.ACC, Card.OUT, Card.FLAT),
        "stop": (Card.STOP,),
        "limit": (Card.LIM,),
        "remedy": (Card.REP, Card.GAS, Card.SPARE),
        "roll": (Card.ROLL,),
        "end_of_limit": (Card.EOL,),
        "safety": (Card.ACE, Card.TANK, Card.PROOF, Card.ROW),
        "autoroute": (Card.AUTO,),
    }
)
"""Kinds of card that are worth the same to a hand, other things being equal."""

GROUP_OF = {KIND[card]: number for number, cards in enumerate(GROUPS.values()) for card in cards}

_SINGLE: Mapping[str, Feature] = MappingProxyType(
    {
        # The end of the match
        "wins": Feature("wins the match at once"),
        "loses": Feature("ends the match at once, and another side wins it"),
        # Distances
        "drive": Feature("plays a distance"),
        "drive_miles": Feature("its miles, in 25s", 8),
        "drive_completes": Feature("completes the trip"),
        "drive_first_200": Feature("is the first 200 of this side"),
        "drive_other_200": Feature("is another 200"),
        "drive_close": Feature("while an opponent is close to home"),
        "drive_limited": Feature("under a Speed Limit"),
        "drive_first": Feature("is the first distance of this side"),
        "drive_leaves_held": Feature("leaves just the miles of a distance in the hand"),
        "drive_leaves_little": Feature("leaves 25 or 50 miles, and no such card in the hand"),
        "drive_late": Feature("late in the hand"),
        # Hazards
        "attack": Feature("plays Accident, Out of Gas or Flat Tire"),
        "attack_stop": Feature("plays a Stop"),
        "attack_limit": Feature("plays a Speed Limit"),
        "attack_risk": Feature("the chance that the target holds the safety, of 64", 64),
        "attack_remedies": Feature("remedies for it that are unseen", 14),
        "attack_miles": Feature("miles of the target, in 25s", 40),
        "attack_first": Feature("on a target without any distance"),
        "attack_close": Feature("on a target close to home"),
        "attack_standing": Feature("on a target that does not roll"),
        "attack_limited": Feature("on a target under a Speed Limit"),
        "attack_held": Feature("further hazards in the hand", 6),
        "attack_stuck": Feature("while this side cannot drive"),
        "attack_lead": Feature("by how much the target is ahead in this hand, in 25s", 40),
        "attack_leader": Feature("on the opponent in front"),
        # Remedies
        "cure": Feature("plays Repairs, Gasoline or a Spare Tire"),
        "cure_rolls": Feature("the car then rolls, or a Roll is in the hand"),
        "cure_safety": Feature("the safety for it is in the hand"),
        "roll": Feature("plays a Roll"),
        "roll_far": Feature("the longest distance in the hand that fits, in 25s", 8),
        "end_limit": Feature("plays an End of Limit"),
        "end_limit_far": Feature("the longest distance in the hand that fits, in 25s", 8),
        "end_limit_standing": Feature("while the car does not roll"),
        # Safeties
        "safety": Feature("plays a safety"),
        "safety_row": Feature("plays Right of Way"),
        "safety_cures": Feature("cures the hazard that stops the car"),
        "safety_lifts": Feature("lifts the Speed Limit"),
        "safety_starts": Feature("lets the car drive"),
        "safety_late": Feature("late in the hand"),
        "safety_pile": Feature("cards in the pile, in fours", 24),
        "safety_hazards": Feature("hazards that it protects from and that are unseen", 9),
        "safety_close": Feature("while somebody is close to home"),
        "safety_stuck": Feature("while this side cannot drive"),
        "safety_held": Feature("safeties in the hand", 4),
        # The Autoroute
        "autoroute": Feature("plays an Autoroute"),
        "autoroute_cures": Feature("clears a hazard of this side"),
        "autoroute_to_go": Feature("miles to go, in 100s", 10),
        "autoroute_close": Feature("while this side is close to home"),
        # Discards; `keep_` and a group of cards follow
        "discard": Feature("discards a card"),
        "discard_same_distance": Feature("further copies of this distance in the hand", 6),
        "discard_same_hazard": Feature("further copies of this hazard in the hand", 4),
        "discard_same_remedy": Feature("further copies of this remedy or Roll in the hand", 6),
        "discard_too_far": Feature("a distance that can no longer be played"),
        "discard_exact": Feature("the distance that would complete the trip"),
        "discard_pair": Feature("a distance that completes the trip with another in the hand"),
        "discard_fast": Feature("a distance of 75 or more under a Speed Limit"),
        "discard_slow": Feature("25 or 50 under a Speed Limit"),
        "discard_far": Feature("25 or 50 with more than 200 miles to go"),
        "discard_no_target": Feature("a hazard from which every opponent is protected"),
        "discard_risk": Feature(
            "a hazard: the chance that an opponent holds its safety, of 64", 64
        ),
        "discard_remedies": Feature("a hazard: remedies for it that are unseen", 14),
        "discard_needless": Feature("a remedy that a safety replaces"),
        "discard_gone": Feature(
            "a remedy whose hazards have all been seen, and none stops the car"
        ),
        "discard_hazards": Feature("a remedy: hazards for it that are unseen", 5),
        "discard_needed": Feature("a remedy, Roll or End of Limit that the car will need next"),
        "discard_roll_held": Feature("a Roll while Right of Way is in the hand"),
        "discard_late_hazard": Feature("a hazard late in the hand"),
        "discard_late_remedy": Feature("a remedy or Roll late in the hand"),
        # The extension
        "extend": Feature("extends the trip"),
        "extend_pile": Feature("cards in the pile for each player", 40),
        "extend_front": Feature("miles of the opponent in front, in 25s", 39),
        "extend_standing": Feature("the opponent in front does not roll"),
        "extend_limited": Feature("the opponent in front is under a Speed Limit"),
        "extend_others": Feature("opponents beyond the first", 6),
        "extend_safe": Feature("safeties of this side on the table", 4),
        "extend_held": Feature("safeties in the hand", 4),
        "extend_miles": Feature("distances in the hand, in 25s, up to the miles to go", 36),
        "extend_far": Feature("distances of 100 and 200 in the hand", 6),
        "extend_attacks": Feature("hazards in the hand", 6),
        "extend_rolls": Feature("Rolls in the hand, up to two", 2),
        "extend_hazards": Feature("unseen hazards that can hit this side", 18),
        "extend_distances": Feature("unseen distances of 100 and 200", 16),
        "extend_limits": Feature("this side is under a Speed Limit"),
    }
)

FEATURES: Mapping[str, Feature] = MappingProxyType(
    {
        **_SINGLE,
        **{f"keep_{group}": Feature(f"-1 if it discards such a card: {group}") for group in GROUPS},
    }
)
"""Every feature by name, in the order of their weights."""

DECIDING: Mapping[str, int] = MappingProxyType({"wins": 10_000_000, "loses": -10_000_000})
"""Weights that are given: what decides the match counts more than anything else."""

MOST = 1 << 30
"""No weight may be larger: so no sum can overflow."""

WEIGHTS = np.dtype([*((name, "i8") for name in _SINGLE), ("keep", "i8", (len(GROUPS),))])
"""The weights of one seat, in the order of `FEATURES`."""

assert WEIGHTS.itemsize == 8 * len(FEATURES)
