"""Speed of comparing moves, and of stepping batches of games from Python.

    python benchmarks/moves.py [--json] [--rollouts N] [--games G] [--rounds R]

A comparison rolls out ten moves of one view: in ten calls of `Engine.rollouts`, and in one of
`Engine.compare`. A batch plays random games: with a Python loop over the games, and with arrays
for all of them at once. Everything is CPU time on one thread. The two ways take turns, and the best
round of each counts; a ratio above 1 says how many times as fast the second way is.
"""

from functools import partial
from typing import Any

import numpy as np

from common import benchmark_parser, print_json, processor_seconds
from engine import best, mid_hand
from millebornes.fast import Batch, Engine
from millebornes.rules import EDITIONS, View

EDITION = EDITIONS["winning-moves"]
MOVES_COMPARED = 10
VIEWS = 4
LOOP_STEPS, ARRAY_STEPS = 20, 400


def wide_views() -> list[View]:
    """Views from the middle of a hand with ten legal moves or more."""
    found: list[View] = []
    seed = 0
    while len(found) < VIEWS:
        seen = mid_hand(EDITION, seed)
        if len(seen.legal_moves) >= MOVES_COMPARED:
            found.append(seen)
        seed += 1
    return found


def one_by_one(engine: Engine, views: list[View], count: int) -> None:
    """Roll out each move in a call of its own."""
    for seen in views:
        for move in seen.legal_moves[:MOVES_COMPARED]:
            engine.rollouts(seen, count, move=move)


def together(engine: Engine, views: list[View], count: int) -> None:
    """Roll out all moves in one call."""
    for seen in views:
        engine.compare(seen, count, moves=seen.legal_moves[:MOVES_COMPARED])


def play_in_loops(batch: Batch, rng: np.random.Generator, steps: int) -> None:
    """Play at random, looking at one game after the other."""
    for _ in range(steps):
        legal = [batch.moves(game) for game in range(batch.games.size)]
        batch.step([moves[int(rng.integers(len(moves)))] if moves else 0 for moves in legal])


def play_in_arrays(batch: Batch, rng: np.random.Generator, steps: int) -> None:
    """Play at random, all games at once."""
    for _ in range(steps):
        batch.step(batch.random_moves(rng))


def compared(rollouts: int, rounds: int) -> dict[str, Any]:
    """How long it takes to compare ten moves of one view."""
    engine = Engine(EDITION, 2)
    views = wide_views()
    works = [partial(way, engine, views, rollouts) for way in (one_by_one, together)]
    for work in works:
        work()
    separate, joint = best(rounds, *(partial(processor_seconds, work) for work in works))
    return {
        "moves": MOVES_COMPARED,
        "rollouts": rollouts,
        "one_by_one_us": round(separate / len(views) * 1e6, 1),
        "together_us": round(joint / len(views) * 1e6, 1),
        "ratio": round(separate / joint, 3),
    }


def stepped(games: int, rounds: int) -> dict[str, Any]:
    """How many decisions a second random games take."""
    engine = Engine(EDITION, 2)
    ways = ((play_in_loops, LOOP_STEPS), (play_in_arrays, ARRAY_STEPS))
    works: list[partial[None]] = []
    for way, steps in ways:
        batch, rng = engine.batch(games, seed=1), np.random.default_rng(1)
        way(batch, rng, 1)
        works.append(partial(way, batch, rng, steps))
    loops, arrays = best(rounds, *(partial(processor_seconds, work) for work in works))
    per_s = (games * LOOP_STEPS / loops, games * ARRAY_STEPS / arrays)
    return {
        "games": games,
        "loop_decisions_per_s": round(per_s[0]),
        "array_decisions_per_s": round(per_s[1]),
        "ratio": round(per_s[1] / per_s[0], 2),
    }


def main() -> None:
    """Measure both."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--rollouts", type=int, default=200, help="of each move")
    parser.add_argument("--games", type=int, default=1000, help="in a batch")
    parser.add_argument("--rounds", type=int, default=15, help="of which the best counts")
    options = parser.parse_args()
    figures = {
        "compare": compared(options.rollouts, options.rounds),
        "batch": stepped(options.games, options.rounds),
    }
    if options.json:
        print_json(figures)
    else:
        for name, values in figures.items():
            print(f"{name}: " + ", ".join(f"{key} {value:,}" for key, value in values.items()))


if __name__ == "__main__":
    main()
