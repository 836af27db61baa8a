"""Speed of the fast engine.

    python benchmarks/engine.py [--json] [--hands N] [--rounds R]

Hands and decisions per second are measured in CPU time, on one thread with random play. Each
figure is the best of several rounds in which all editions and player counts take turns, so that
a slow moment of the machine does not count against one of them. `policies` has the hands per
second of each policy with two players of `winning-moves`. Threads and rollouts are measured
in wall-clock time. `reference_game` is a game whose statistics are known from an independent
program. `calibration_ns` shows how fast the machine was meanwhile: one step of xorshift64*.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np

from common import benchmark_parser, print_json, processor_seconds, wall_seconds
from millebornes.bots import SundayDriver
from millebornes.fast import POLICIES, Engine
from millebornes.rules import (
    EDITIONS,
    Edition,
    View,
    apply,
    awaited_seats,
    deal_cards,
    new_match,
    view,
)

REFERENCE = EDITIONS["winning-moves"].house(
    {"extension_at": [], "limit_on_limit": False, "safety_restores_roll": True}
)
"""Two players: a trip of 700, no Speed Limit on a Speed Limit, a safety clears its hazard."""

STEPS = 100_000_000
MID_HAND = 10
"""Decisions until the middle of the hand, with nearly 60 to go."""

START = """
import time
begin = time.perf_counter()
from millebornes.fast import Engine
from millebornes.rules import EDITIONS, view
engine = Engine(EDITIONS["winning-moves"], 2)
engine.hands(1)
batch = engine.batch(1)
batch.step(batch.moves()[:1])
seen = view(batch.state(), int(batch.games[0]["seat"]))
engine.from_view(seen)
engine.rollouts(seen, 1)
engine.choose(seen, "greedy")
print(time.perf_counter() - begin)
"""
"""A program that uses every part of the engine once."""


def _xorshift(steps: int) -> np.uint64:
    """A fixed loop that takes equally long in every language."""
    state = np.uint64(88172645463325252)
    total = np.uint64(0)
    for _ in range(steps):
        state ^= state >> np.uint64(12)
        state ^= state << np.uint64(25)
        state ^= state >> np.uint64(27)
        total += state * np.uint64(0x2545F4914F6CDD1D)
    return total


xorshift = numba.njit(_xorshift)


def best(rounds: int, *measures: Callable[[], float]) -> list[float]:
    """The best figure of each measure; they take turns."""
    found = [[measure() for measure in measures] for _ in range(rounds)]
    return [min(figures) for figures in zip(*found, strict=True)]


def play_hands(engine: Engine, hands: int, jobs: int = 1, policy: str = "random") -> None:
    """Play hands and throw the results away."""
    for _ in engine.chunks(hands, bots=[policy], jobs=jobs):
        pass


def all_rollouts(engine: Engine, views: list[View], count: int, jobs: int) -> None:
    """Greedy rollouts from each view."""
    for seen in views:
        engine.rollouts(seen, count, jobs=jobs)


def speeds(hands: int, rounds: int) -> dict[str, Any]:
    """Every figure per second; all measurements take turns."""
    engines = [
        Engine(edition, players)
        for edition in EDITIONS.values()
        for players in edition.player_counts
    ]
    reference = Engine(REFERENCE, 2)
    default = Engine(EDITIONS["winning-moves"], 2)
    views = [mid_hand(EDITIONS["winning-moves"], seed) for seed in range(8)]
    play_hands(reference, 1)
    all_rollouts(default, views, 1, 1)
    measures: list[Callable[[], float]] = [
        partial(processor_seconds, partial(play_hands, engine, hands))
        for engine in (reference, *engines)
    ]
    measures += [
        partial(processor_seconds, partial(play_hands, default, hands, 1, policy))
        for policy in POLICIES
    ]
    for jobs in (1, 2):
        measures.append(partial(wall_seconds, partial(play_hands, reference, 4 * hands, jobs)))
        measures.append(
            partial(wall_seconds, partial(all_rollouts, default, views, hands // 2, jobs))
        )
    of_reference, *of_engines = best(rounds, *measures)
    *of_engines, threads_1, rollouts_1, threads_2, rollouts_2 = of_engines
    of_policies = of_engines[len(engines) :]
    del of_engines[len(engines) :]
    hands_per_s: dict[str, dict[str, int]] = {}
    decisions_per_s: dict[str, dict[str, int]] = {}
    for engine, seconds in zip(engines, of_engines, strict=True):
        decisions = int(engine.hands(hands, bots=["random"])["decisions"].sum())
        players = str(engine.players)
        hands_per_s.setdefault(engine.edition.id, {})[players] = round(hands / seconds)
        decisions_per_s.setdefault(engine.edition.id, {})[players] = round(decisions / seconds)
    rolled = hands // 2 * len(views)
    return {
        "hands_per_s": hands_per_s,
        "decisions_per_s": decisions_per_s,
        "reference_game": {"hands_per_s": round(hands / of_reference)},
        "policies": {
            policy: round(hands / seconds)
            for policy, seconds in zip(POLICIES, of_policies, strict=True)
        },
        "threads": {"1": round(4 * hands / threads_1), "2": round(4 * hands / threads_2)},
        "rollouts_per_s": {"1": round(rolled / rollouts_1), "2": round(rolled / rollouts_2)},
    }


def reference_statistics(hands: int) -> dict[str, float]:
    """Means of the reference game."""
    decisions = miles = points = completed = 0
    for rows in Engine(REFERENCE, 2).chunks(hands, bots=["random"], seed=1):
        decisions += int(rows["decisions"].sum())
        miles += int(rows["lines"][:, :2, 0].sum())
        points += int(rows["total"][:, :2].sum())
        completed += int(rows["completed"].sum())
    return {
        "decisions_per_hand": round(decisions / hands, 3),
        "mean_miles": round(miles / hands / 2, 3),
        "mean_score": round(points / hands / 2, 3),
        "trips_completed": round(completed / hands, 5),
        "hands": hands,
    }


def mid_hand(edition: Edition, seed: int) -> View:
    """A view from the middle of a hand between two Sunday drivers."""
    cards = Engine(edition, 2).batch(1, seed=seed).deck()
    match, _ = deal_cards(new_match(edition, 2), cards)
    bot = SundayDriver()
    made = 0
    while True:
        seat = awaited_seats(match)[0]
        seen = view(match, seat)
        if made >= MID_HAND and len(seen.legal_moves) > 1:
            return seen
        match, _ = apply(match, seat, bot.choose(seen))
        made += len(seen.legal_moves) > 1


def starts() -> tuple[float, float]:
    """Seconds until `START` has run: with nothing compiled yet, and from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}

        def start() -> float:
            program = [sys.executable, "-c", START]
            return float(subprocess.check_output(program, env=environment, text=True))

        return round(start(), 2), round(min(start() for _ in range(3)), 2)


def main() -> None:
    """Measure everything."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000, help="of the reference game")
    parser.add_argument("--rounds", type=int, default=15, help="of which the best counts")
    options = parser.parse_args()
    xorshift(1)
    calibration = [processor_seconds(lambda: xorshift(STEPS))]
    figures = speeds(options.hands // 20, options.rounds)
    reference = figures["reference_game"]
    reference |= reference_statistics(options.hands)
    speed = reference["hands_per_s"] * reference["decisions_per_hand"]
    reference["ns_per_decision"] = round(1e9 / speed, 2)
    figures["first_compile_s"], figures["cached_start_s"] = starts()
    calibration.append(processor_seconds(lambda: xorshift(STEPS)))
    figures["calibration_ns"] = round(min(calibration) / STEPS * 1e9, 3)
    if options.json:
        print_json(figures)
    else:
        show(figures)


def show(figures: dict[str, Any]) -> None:
    """Print the figures, for people."""
    for edition, by_players in figures["decisions_per_s"].items():
        for players, speed in by_players.items():
            hands = figures["hands_per_s"][edition][players]
            print(
                f"{edition:14} {players} players {speed:>12,} decisions/s "
                f"({1e9 / speed:4.1f} ns) {hands:>9,} hands/s"
            )
    for name in ("reference_game", "policies", "threads", "rollouts_per_s"):
        print(f"{name}: " + ", ".join(f"{key} {value:,}" for key, value in figures[name].items()))
    for name in ("first_compile_s", "cached_start_s", "calibration_ns"):
        print(f"{name}: {figures[name]}")


if __name__ == "__main__":
    main()
