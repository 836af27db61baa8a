"""The benchmarks of the engine, and their reference game, by the kernel and the readable rules."""

import json
import math
import random
import statistics
import subprocess
import sys
from pathlib import Path

from engine import REFERENCE, reference_statistics
from millebornes.fast import POLICIES
from millebornes.rules import (
    EDITIONS,
    CoupFourre,
    Discard,
    Match,
    Play,
    apply,
    awaited_seats,
    deal,
    legal_moves,
    new_match,
)
from millebornes.rules.state import Deal, Over

KNOWN = {
    "decisions_per_hand": (96.51, 11.6),
    "mean_miles": (349.2, 154.5),
    "mean_score": (521.6, 251.1),
    "trips_completed": (0.1741, 0.379),
}
"""Mean and deviation of a hand; of miles and score, those of the mean of both sides."""


def standard_errors(name: str, mean: float, hands: int) -> float:
    """Distance of a mean from the known value."""
    known, deviation = KNOWN[name]
    return abs(mean - known) / (deviation / math.sqrt(hands))


def test_the_kernel_plays_the_reference_game_as_it_is_known() -> None:
    found = reference_statistics(100_000)
    assert found.pop("hands") == 100_000
    assert found.keys() == KNOWN.keys()
    assert {
        name: mean for name, mean in found.items() if standard_errors(name, mean, 100_000) > 4
    } == {}


def test_so_does_a_player_of_a_few_lines_by_the_readable_rules() -> None:
    hands = 2000
    rng = random.Random(1954)
    rows = [random_hand(rng) for _ in range(hands)]
    means = map(statistics.fmean, zip(*rows, strict=True))
    found = dict(zip(KNOWN, means, strict=True))
    assert {
        name: mean for name, mean in found.items() if standard_errors(name, mean, hands) > 4
    } == {}


def random_hand(rng: random.Random) -> tuple[float, float, float, float]:
    """Any legal move at every turn, and every coup fourré: the figures of `KNOWN`."""
    match = new_match(REFERENCE, 2)
    order = list(range(len(REFERENCE.deck(2))))
    rng.shuffle(order)
    match, _ = deal(match, order)
    decisions = 0
    while not isinstance(match.awaiting, Deal | Over):
        seat = awaited_seats(match)[0]
        moves = legal_moves(match, seat)
        calls = [move for move in moves if isinstance(move, CoupFourre)]
        move = rng.choice(calls or moves)
        decisions += isinstance(move, Play | Discard)
        match, _ = apply(match, seat, move)
    return (decisions, *of_hand(match))


def of_hand(match: Match) -> tuple[float, float, float]:
    assert match.hand is not None
    assert match.hand.sheets is not None
    miles = statistics.fmean(sheet.miles for sheet in match.hand.sheets)
    return miles, statistics.fmean(match.totals), float(match.hand.completed_by is not None)


def test_the_benchmark_tells_what_others_read() -> None:
    program = [sys.executable, "benchmarks/engine.py", "--json", "--hands", "400", "--rounds", "1"]
    root = Path(__file__).parents[2]
    told = json.loads(subprocess.check_output(program, cwd=root, text=True, timeout=300))
    tables = {
        edition.id: {str(players): "n" for players in edition.player_counts}
        for edition in EDITIONS.values()
    }
    assert shape(told) == {
        "hands_per_s": tables,
        "decisions_per_s": tables,
        "reference_game": dict.fromkeys(["hands_per_s", *KNOWN, "hands", "ns_per_decision"], "n"),
        "policies": dict.fromkeys(POLICIES, "n"),
        "threads": {"1": "n", "2": "n"},
        "rollouts_per_s": {"1": "n", "2": "n"},
        "first_compile_s": "n",
        "cached_start_s": "n",
        "calibration_ns": "n",
    }
    assert told["reference_game"]["hands"] == 400


def test_the_benchmark_of_moves_tells_both_ways_and_their_ratio() -> None:
    small = ["--rollouts", "5", "--games", "20", "--rounds", "1"]
    program = [sys.executable, "benchmarks/moves.py", "--json", *small]
    root = Path(__file__).parents[2]
    told = json.loads(subprocess.check_output(program, cwd=root, text=True, timeout=300))
    compared = ["moves", "rollouts", "one_by_one_us", "together_us", "ratio"]
    stepped = ["games", "loop_decisions_per_s", "array_decisions_per_s", "ratio"]
    assert shape(told) == {
        "compare": dict.fromkeys(compared, "n"),
        "batch": dict.fromkeys(stepped, "n"),
    }
    assert (told["compare"]["rollouts"], told["batch"]["games"]) == (5, 20)


def shape(told: object) -> object:
    """The keys, with an n in place of each number."""
    if isinstance(told, dict):
        return {key: shape(value) for key, value in told.items()}
    assert isinstance(told, int | float)
    assert told > 0
    return "n"
