"""Are the reasons of each level true, and do they tell moves apart?

    python -m tests.bots.reasons --positions 10000

asks every level for its reason in so many positions, in every edition and with every player count.
It prints JSON: the reasons that were false, and the share of each among the moves that were not
forced. The exit code is 1 if a reason was false, or if one explains more than 40 % of the moves.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from millebornes.bots import BOTS, playable
from millebornes.bots.reasons import holds
from millebornes.records import position as position_text
from tests.bots.hint import Hint
from tests.bots.meanings import MEANINGS
from tests.bots.played import Position, positions

MOST = 0.4
"""The largest share of the moves that one reason may explain."""
_SEED = 1956


class Told(NamedTuple):
    """What one level said in some positions."""

    shares: dict[str, float]
    """By code: its share of the moves that were not forced."""
    false: list[str]
    """The codes and positions of what was not so."""
    asked: int


def told_by(level: str, at: Iterator[Position]) -> Told:
    """The reasons of a level, each asked of the view and of the table."""
    adviser = BOTS[level]()
    codes: Counter[str] = Counter()
    false: list[str] = []
    asked = 0
    for found in at:
        seen = found.view
        advice = adviser.explain(seen)
        asked += 1
        codes[advice.code] += len(seen.legal_moves) > 1
        hint = Hint(found.match, found.seat, advice)
        if not holds(seen, advice) or not MEANINGS[advice.code](hint):
            false.append(f"{advice}\n{position_text.to_text(found.match)}")
    choices = codes.total()
    shares = {code: number / choices for code, number in codes.most_common() if number}
    return Told(shares, false, asked)


def main() -> None:
    parser = argparse.ArgumentParser(description="Check the reasons that the levels give.")
    parser.add_argument("--positions", type=int, default=10_000, help="positions for each level")
    parser.add_argument("--seed", type=int, default=_SEED)
    chosen = parser.parse_args()
    result: dict[str, Any] = {"seed": chosen.seed, "levels": {}}
    is_well = True
    for level in playable():
        told = told_by(level, positions(chosen.positions, chosen.seed))
        is_well = is_well and not told.false and max(told.shares.values()) <= MOST
        result["levels"][level] = {
            "positions": told.asked,
            "false": told.false,
            "largest": round(max(told.shares.values()), 4),
            "shares": {code: round(share, 4) for code, share in told.shares.items()},
        }
    print(json.dumps(result, indent=2, ensure_ascii=False))  # noqa: T201
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
