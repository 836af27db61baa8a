"""The benchmark of bots runs, and computes what it says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bots import figures

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(180)
def test_a_small_sample_of_the_benchmark_runs_to_its_end() -> None:
    small = ("--rounds", "2", "--turn", "1", "--settle", "0.2", "--interval", "0.05")
    few = ("--tables", "2", "--bot-tables", "2")
    done = subprocess.run(
        [sys.executable, "benchmarks/bots.py", "--json", *small, *few],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=170,
    )
    found = json.loads(done.stdout)
    assert found["refused"] == 0
    assert found["with_bots"]["moves"] > 0
    assert found["without_bots"]["moves"] > 0
    assert found["thoughts"] > 0


def test_what_bots_add_is_the_difference_of_all_moves_with_the_spread_of_the_rounds() -> None:
    slow = [10.0] * 98 + [30.0, 31.0]
    found = figures([([10.0] * 100, slow), ([10.0] * 100, slow)])
    assert found["without_bots"] == {"moves": 200, "p50_ms": 10.0, "p99_ms": 10.0}
    assert found["with_bots"]["p99_ms"] == 31.0
    assert found["added_p99_ms"] == 21.0
    assert found["added_p99_interval"] == [21.0, 21.0]
    assert not found["is_within_limit"]
    assert figures([([10.0] * 100, [30.0] * 100)] * 2)["is_within_limit"]
