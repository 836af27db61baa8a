"""Run one benchmark in two checkouts by turns: how much more, or less, does the second one take?

    python benchmarks/pairs.py BEFORE AFTER [--pairs 5] PROGRAM FIGURE [OPTION ...]

BEFORE and AFTER are folders with a checkout each, set up by `make .venv/.runtime`. PROGRAM is the
name of a benchmark, FIGURE the dotted path of a number in its JSON output:

    python benchmarks/pairs.py ../before . server closed.cpu_us_per_move --part closed --seconds 8

Machines are noisy, and the noise changes by the minute. So the two checkouts take turns, and they
also take turns in going first. The output is the mean ratio with its 95 % interval (Student's t
on the logarithms). A ratio below 1 means that the second checkout takes less.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from common import alternating, comparison_parser, ratio_of, two_or_more


def measured(tree: Path, program: str, figure: str, options: list[str]) -> float:
    """The figure, as measured in one checkout."""
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


def main() -> None:
    """Compare two checkouts."""
    parser = comparison_parser(__doc__)
    parser.add_argument("program", help="name of a benchmark, such as server")
    parser.add_argument("figure", help="dotted path of a number in its JSON output")
    parser.add_argument("--pairs", type=two_or_more, default=5, help="how often to run both")
    options, rest = parser.parse_known_args()
    trees = (options.before.resolve(), options.after.resolve())
    pairs: list[tuple[float, float]] = []
    for number in range(options.pairs):
        found = [0.0, 0.0]
        for index in alternating((0, 1), number):
            found[index] = measured(trees[index], options.program, options.figure, rest)
        pairs.append((found[0], found[1]))
        print(f"{number + 1}: {found[0]:g} {found[1]:g}", file=sys.stderr)
    print(json.dumps({"figure": options.figure, "pairs": pairs, **ratio_of(pairs)}))


if __name__ == "__main__":
    main()
