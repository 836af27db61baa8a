"""Speed of the fast engine.

    python benchmarks/engine.py [--json] [--hands N] [--rounds R]

Hands and decisions per second are of processor time on one thread with random play, the best
of several rounds in which all tables take turns, so that a slow moment of the machine does not
count against one of them. Threads and rollouts are of time on the wall. `reference_game` is a
game whose statistics are known from an independent program. `calibration_ns` says how fast the
machine was meanwhile: one step of xorshift64*.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np

from millebornes.bots import SundayDriver
from millebornes.fast import Engine
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
"""Two players: a trip is 700, no Speed Limit on a Speed Limit, a safety clears its hazard."""

STEPS = 100_000_000
MID_HAND = 10
"""Decisions until the hand is in its middle, with about 45 to go."""

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


def processor_seconds(work: Callable[[], Any]) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    work()
    return time.process_time() - start


def wall_seconds(work: Callable[[], Any]) -> float:
    """Seconds on the wall."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def best(rounds: int, *measures: Callable[[], float]) -> list[float]:
    """The best figure of each measure; they take turns."""
    found = [[measure() for measure in measures] for _ in range(rounds)]
    return [min(figures) for figures in zip(*found, strict=True)]


def tables(hands: int, rounds: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Hands and decisions per second of every edition and number of players."""
    engines = [
        Engine(edition, players)
        for edition in EDITIONS.values()
        for players in edition.player_counts
    ]

    def measure(engine: Engine) -> Callable[[], float]:
        return lambda: processor_seconds(lambda: engine.hands(hands, bots=["random"]))

    seconds = best(rounds, *map(measure, engines))
    hands_per_s: dict[str, dict[str, int]] = {}
    decisions_per_s: dict[str, dict[str, int]] = {}
    for engine, second in zip(engines, seconds, strict=True):
        decisions = int(engine.hands(hands, bots=["random"])["decisions"].sum())
        players = str(engine.players)
        hands_per_s.setdefault(engine.edition.id, {})[players] = round(hands / second)
        decisions_per_s.setdefault(engine.edition.id, {})[players] = round(decisions / second)
    return hands_per_s, decisions_per_s


def reference_game(hands: int, rounds: int) -> dict[str, float]:
    """Speed and statistics of the reference game."""
    engine = Engine(REFERENCE, 2)
    engine.hands(1, bots=["random"])
    (seconds,) = best(
        rounds, lambda: processor_seconds(lambda: engine.hands(hands, bots=["random"], seed=1))
    )
    played = engine.hands(hands, bots=["random"], seed=1)
    decisions = int(played["decisions"].sum())
    return {
        "hands_per_s": round(hands / seconds),
        "decisions_per_hand": round(decisions / hands, 3),
        "mean_miles": round(float(played["lines"][:, :2, 0].mean()), 3),
        "mean_score": round(float(played["total"][:, :2].mean()), 3),
        "trips_completed": round(float(played["completed"].sum() / hands), 5),
        "hands": hands,
        "ns_per_decision": round(seconds / decisions * 1e9, 2),
    }


def threads(hands: int, rounds: int) -> dict[str, int]:
    """Hands of the reference game per second on the wall, with one and two threads."""
    engine = Engine(REFERENCE, 2)
    seconds = best(
        rounds,
        *(
            partial(wall_seconds, partial(engine.hands, hands, bots=["random"], jobs=jobs))
            for jobs in (1, 2)
        ),
    )
    return {str(jobs): round(hands / seconds[jobs - 1]) for jobs in (1, 2)}


def rollouts(count: int, rounds: int) -> dict[str, int]:
    """Greedy rollouts per second on the wall, from the middle of a hand."""
    views = [mid_hand(EDITIONS["winning-moves"], seed) for seed in range(8)]
    engine = Engine(EDITIONS["winning-moves"], 2)

    def measure(jobs: int) -> Callable[[], float]:
        return lambda: sum(
            wall_seconds(partial(engine.rollouts, seen, count, jobs=jobs)) for seen in views
        )

    seconds = best(rounds, measure(1), measure(2))
    return {str(jobs): round(count * len(views) / seconds[jobs - 1]) for jobs in (1, 2)}


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
    """Seconds until every part has been used once: with nothing compiled yet, and the next time."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}

        def start() -> float:
            program = [sys.executable, "-c", START]
            return float(subprocess.check_output(program, env=environment, text=True))

        return round(start(), 2), round(min(start() for _ in range(3)), 2)


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--hands", type=int, default=1_000_000, help="of the reference game")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    xorshift(1)
    calibration = [processor_seconds(lambda: xorshift(STEPS))]
    hands_per_s, decisions_per_s = tables(options.hands // 20, options.rounds)
    figures: dict[str, Any] = {
        "hands_per_s": hands_per_s,
        "decisions_per_s": decisions_per_s,
        "reference_game": reference_game(options.hands, options.rounds),
        "threads": threads(options.hands, options.rounds),
        "rollouts_per_s": rollouts(options.hands // 20, options.rounds),
    }
    figures["first_compile_s"], figures["cached_start_s"] = starts()
    calibration.append(processor_seconds(lambda: xorshift(STEPS)))
    figures["calibration_ns"] = round(min(calibration) / STEPS * 1e9, 3)
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        show(figures)


def show(figures: dict[str, Any]) -> None:
    """The figures for people."""
    for edition, by_players in figures["decisions_per_s"].items():
        for players, speed in by_players.items():
            hands = figures["hands_per_s"][edition][players]
            print(
                f"{edition:14} {players} players {speed:>12,} decisions/s "
                f"({1e9 / speed:4.1f} ns) {hands:>9,} hands/s"
            )
    for name in ("reference_game", "threads", "rollouts_per_s"):
        print(f"{name}: " + ", ".join(f"{key} {value:,}" for key, value in figures[name].items()))
    for name in ("first_compile_s", "cached_start_s", "calibration_ns"):
        print(f"{name}: {figures[name]}")


if __name__ == "__main__":
    main()
