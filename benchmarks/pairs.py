"""One benchmark in two checkouts, by turns: how much more, or less, does the second one take?

    python benchmarks/pairs.py BEFORE AFTER [--pairs 5] PROGRAM FIGURE [OPTION ...]

BEFORE and AFTER are folders with a checkout each, set up by `make .venv/.runtime`. PROGRAM is the
name of a benchmark, FIGURE the path of a number in its JSON, with dots:

    python benchmarks/pairs.py ../before . server closed.cpu_us_per_move --part closed --seconds 8

Machines are noisy, and the noise changes by the minute: so the two take turns, the one that
begins changes, too, and what is told is the mean ratio with its 95 % interval (Student's t on
the logarithms). A ratio below 1 means that the second takes less.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

# Student's t for 95 %, by degrees of freedom; beyond them it hardly changes.
T95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13)


def measured(tree: Path, program: str, figure: str, options: list[str]) -> float:
    """The figure, in one checkout."""
    tools = tree / ".venv" / "bin"
    done = subprocess.run(
        [str(tools / "python"), str(tree / "benchmarks" / f"{program}.py"), "--json", *options],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=tree,
        env={**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
    )
    value: Any = json.loads(done.stdout)
    for key in figure.split("."):
        value = value[int(key)] if isinstance(value, list) else value[key]
    return float(value)


def ratio_of(pairs: list[tuple[float, float]]) -> dict[str, float]:
    """The mean ratio of the second to the first, and its interval."""
    logs = [math.log(after / before) for before, after in pairs]
    mean = statistics.mean(logs)
    half = T95[min(len(logs) - 1, len(T95)) - 1] * statistics.stdev(logs) / math.sqrt(len(logs))
    return {
        "ratio": round(math.exp(mean), 4),
        "low": round(math.exp(mean - half), 4),
        "high": round(math.exp(mean + half), 4),
    }


def main() -> None:
    """Take turns, and tell."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("program")
    parser.add_argument("figure")
    parser.add_argument("--pairs", type=int, default=5)
    options, rest = parser.parse_known_args()
    if options.pairs < 2:
        parser.error("--pairs: allowed is 2 or more")
    trees = (options.before.resolve(), options.after.resolve())
    pairs: list[tuple[float, float]] = []
    for number in range(options.pairs):
        found = dict.fromkeys(trees, 0.0)
        for tree in trees if number % 2 == 0 else trees[::-1]:
            found[tree] = measured(tree, options.program, options.figure, rest)
        pairs.append((found[trees[0]], found[trees[1]]))
        print(f"{number + 1}: {pairs[-1][0]:g} {pairs[-1][1]:g}", file=sys.stderr)
    print(json.dumps({"figure": options.figure, "pairs": pairs, **ratio_of(pairs)}))


if __name__ == "__main__":
    main()
