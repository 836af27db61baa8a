"""Every option of an edition that the play of a hand depends on, and all pairs of them."""

import random
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from types import MappingProxyType

from millebornes.rules.score_sheet import POINTS_RULES

CHOICES: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {
        "teams_at": ((), (4, 6, 8)),
        "hazards_removed_at": ((), (2, 3, 4, 6, 8)),
        "autoroute_cards": (0, 4),
        "extension_at": ((), (2, 3, 4, 6, 8)),
        "extension_if_caller_completes": ("caller", "nobody"),
        "extension_if_other_completes": ("each_opponent", "completer", "nobody"),
        "extension_if_nobody_completes": ("each_opponent", "nobody"),
        "battle_hazard_on": ("rolling", "started"),
        "limit_on_limit": (False, True),
        "right_of_way_discards": (False, True),
        "max_200s": (0, 1, 2, 4),
        "exhaustion_winner": ("nobody", "most_miles"),
        "shut_out": ("all", "each", "any"),
        "tie": ("another_hand", "drawn"),
        "hands": (0, 2),
        "target": (1000, 5000),
        "dealer": ("rotates", "fixed"),
        "row_replaces_roll": (False, True),
        "replay_on_empty_pile": (False, True),
        "row_empty_attackable": (False, True),
        "safety_restores_roll": (False, True),
        "must_play_out": (False, True),
        "delayed_action_needs_empty_start": (False, True),
        "autoroute_is_safety": (False, True),
        "coup_fourre_for_third_party": (False, True),
        "start_rolling": (False, True),
        "remedy_restores_roll": (False, True),
        # Each line of the sheet scores something of its own, or nothing.
        **{rule: (0, 100 * (number + 1)) for number, rule in enumerate(POINTS_RULES.values())},
    }
)


def pairwise(choices: Mapping[str, tuple[object, ...]], seed: int) -> Iterator[dict[str, object]]:
    """Rows in which every two values of different options meet at least once."""
    rng = random.Random(seed)
    missing = {
        ((a, x), (b, y))
        for a, b in combinations(choices, 2)
        for x, y in product(choices[a], choices[b])
    }
    while missing:
        # The best of some random rows, each built around a pair that is still missing.
        rows: list[tuple[int, int, dict[str, object]]] = []
        for _ in range(20):
            row = {name: rng.choice(values) for name, values in choices.items()}
            row.update(rng.choice(sorted(missing, key=repr)))
            rows.append((len(missing & pairs_of(row)), len(rows), row))
        _, _, best = max(rows, key=lambda found: found[:2])
        missing -= pairs_of(best)
        yield best


def pairs_of(row: Mapping[str, object]) -> set[tuple[tuple[str, object], tuple[str, object]]]:
    """The pairs of values that meet in a row."""
    return set(combinations(row.items(), 2))
