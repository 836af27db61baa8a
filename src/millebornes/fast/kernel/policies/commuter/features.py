"""The features of a move, by name, and the record of their weights.

`weighing` says how large each feature of a move is. What is called *late*, *close* and so on is
defined there.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from millebornes.fast.packing import KIND
from millebornes.rules.cards import Card

__all__ = ["FEATURES", "GROUPS", "GROUP_OF", "MOST", "WEIGHTS"]

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

GROUP_OF = {
    KIND[card]: number for number, cards in enumerate(GROUPS.values()) for card in cards
}

_SINGLE: Mapping[str, str] = MappingProxyType(
    {
        # Distances
        "drive": "plays a distance",
        "drive_miles": "its miles, in 25s",
        "drive_completes": "completes the trip",
        "drive_first_200": "is the first 200 of this side",
        "drive_other_200": "is another 200",
        "drive_close": "while an opponent is close to home",
        "drive_limited": "under a Speed Limit",
        "drive_first": "is the first distance of this side",
        "drive_leaves_held": "leaves just the miles of a distance in the hand",
        "drive_leaves_little": "leaves 25 or 50 miles, and no such card in the hand",
        "drive_late": "late in the hand",
        # Hazards
        "attack": "plays Accident, Out of Gas or Flat Tire",
        "attack_stop": "plays a Stop",
        "attack_limit": "plays a Speed Limit",
        "attack_risk": "the chance that the target holds the safety, of 64",
        "attack_remedies": "remedies for it that are unseen",
        "attack_miles": "miles of the target, in 25s",
        "attack_first": "on a target without any distance",
        "attack_close": "on a target close to home",
        "attack_standing": "on a target that does not roll",
        "attack_limited": "on a target under a Speed Limit",
        "attack_held": "further hazards in the hand",
        "attack_stuck": "while this side cannot drive",
        "attack_lead": "by how much the target is ahead in this hand, in 25s",
        "attack_total": "by how much the target is ahead in the match, in 250s",
        "attack_leader": "on the opponent in front",
        # Remedies
        "cure": "plays Repairs, Gasoline or a Spare Tire",
        "cure_rolls": "the car then rolls, or a Roll is in the hand",
        "cure_safety": "the safety for it is in the hand",
        "roll": "plays a Roll",
        "roll_far": "the longest distance in the hand that fits, in 25s",
        "end_limit": "plays an End of Limit",
        "end_limit_far": "the longest distance in the hand that fits, in 25s",
        "end_limit_standing": "while the car does not roll",
        # Safeties
        "safety": "plays a safety",
        "safety_row": "plays Right of Way",
        "safety_cures": "cures the hazard that stops the car",
        "safety_lifts": "lifts the Speed Limit",
        "safety_starts": "lets the car drive",
        "safety_late": "late in the hand",
        "safety_pile": "cards in the pile, in fours",
        "safety_hazards": "hazards that it protects from and that are unseen",
        "safety_close": "while somebody is close to home",
        "safety_stuck": "while this side cannot drive",
        "safety_held": "safeties in the hand",
        # The Autoroute
        "autoroute": "plays an Autoroute",
        "autoroute_cures": "clears a hazard of this side",
        "autoroute_to_go": "miles to go, in 100s",
        "autoroute_close": "while this side is close to home",
        # Discards; `keep_` and a group of cards follow
        "discard": "discards a card",
        "discard_same_distance": "further copies of this distance in the hand",
        "discard_same_hazard": "further copies of this hazard in the hand",
        "discard_same_remedy": "further copies of this remedy or Roll in the hand",
        "discard_too_far": "a distance that can no longer be played",
        "discard_exact": "the distance that would complete the trip",
        "discard_pair": "a distance that completes the trip with another in the hand",
        "discard_fast": "a distance of 75 or more under a Speed Limit",
        "discard_slow": "25 or 50 under a Speed Limit",
        "discard_far": "25 or 50 with more than 200 miles to go",
        "discard_no_target": "a hazard from which every opponent is protected",
        "discard_risk": "a hazard: the chance that an opponent holds its safety, of 64",
        "discard_remedies": "a hazard: remedies for it that are unseen",
        "discard_needless": "a remedy that a safety replaces",
        "discard_gone": "a remedy whose hazards have all been seen, and none stops the car",
        "discard_hazards": "a remedy: hazards for it that are unseen",
        "discard_needed": "a remedy, Roll or End of Limit that the car will need next",
        "discard_roll_held": "a Roll while Right of Way is in the hand",
        "discard_late_hazard": "a hazard late in the hand",
        "discard_late_remedy": "a remedy or Roll late in the hand",
        # The extension
        "extend": "extends the trip",
        "extend_pile": "cards in the pile for each player",
        "extend_front": "miles of the opponent in front, in 25s",
        "extend_standing": "the opponent in front does not roll",
        "extend_limited": "the opponent in front is under a Speed Limit",
        "extend_others": "opponents beyond the first",
        "extend_safe": "safeties of this side on the table",
        "extend_held": "safeties in the hand",
        "extend_miles": "distances in the hand, in 25s, up to the miles to go",
        "extend_far": "distances of 100 and 200 in the hand",
        "extend_attacks": "hazards in the hand",
        "extend_rolls": "Rolls in the hand, up to two",
        "extend_hazards": "unseen hazards that can hit this side",
        "extend_distances": "unseen distances of 100 and 200",
        "extend_limits": "this side is under a Speed Limit",
    }
)

FEATURES: Mapping[str, str] = MappingProxyType(
    {**_SINGLE, **{f"keep_{group}": f"minus one if it discards a card of this group: {group}" for group in GROUPS}}
)
"""Every feature by name, with its meaning, in the order of their weights."""

MOST = 1 << 30
"""No weight may be larger: so no sum can overflow."""

WEIGHTS = np.dtype([*((name, "i8") for name in _SINGLE), ("keep", "i8", (len(GROUPS),))])
"""The weights of one seat, in the order of `FEATURES`."""

assert WEIGHTS.itemsize == 8 * len(FEATURES)
