"""Speed of the readable rules: legal_moves + apply + events on uniformly random hands.

    python benchmarks/rules.py [--json] [--seconds S]

A decision is a move with a choice: a forced Decline is made but not counted. Seconds are CPU time
on one core, so that a busy machine does not count against the rules.
"""

import random
import time

from common import benchmark_parser, print_json
from millebornes.rules import EDITIONS, Decline, Edition, apply, deal, legal_moves, new_match
from millebornes.rules.state import Deal, Over
from millebornes.rules.view import awaited_seats


def play_hand(edition: Edition, players: int, rng: random.Random) -> int:
    """Play one random hand; return the number of decisions."""
    match = new_match(edition, players)
    order = list(range(len(edition.deck(players))))
    rng.shuffle(order)
    match, _ = deal(match, order)
    decisions = 0
    while not isinstance(match.awaiting, Deal | Over):
        seat = awaited_seats(match)[0]
        moves = legal_moves(match, seat)
        move = moves[int(rng.random() * len(moves))]
        match, _ = apply(match, seat, move)
        decisions += len(moves) > 1 or not isinstance(move, Decline)
    return decisions


def measure(edition: Edition, players: int, seconds: float) -> tuple[float, float]:
    """Decisions and hands per second on one core."""
    rng = random.Random(1954)
    hands = decisions = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        decisions += play_hand(edition, players, rng)
        hands += 1
    return decisions / elapsed, hands / elapsed


def main() -> None:
    """Measure every edition and player count."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="per edition and player count")
    options = parser.parse_args()
    decisions_per_s: dict[str, dict[str, int]] = {}
    hands_per_s: dict[str, dict[str, int]] = {}
    for edition in EDITIONS.values():
        for players in edition.player_counts:
            decisions, hands = measure(edition, players, options.seconds)
            decisions_per_s.setdefault(edition.id, {})[str(players)] = round(decisions)
            hands_per_s.setdefault(edition.id, {})[str(players)] = round(hands)
            if not options.json:
                print(
                    f"{edition.id:14} {players} players  "
                    f"{decisions:9,.0f} decisions/s  {hands:7,.0f} hands/s"
                )
    if options.json:
        print_json({"decisions_per_s": decisions_per_s, "hands_per_s": hands_per_s})


if __name__ == "__main__":
    main()
