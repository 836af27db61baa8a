"""What the benchmark programs share: options, output, timing, a server, ratios of two sides.

Each program runs as a script (`python benchmarks/NAME.py`), so the others import this module by
its bare name.
"""

import argparse
import contextlib
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

PATIENCE = 60.0
"""Seconds to wait for a server before giving up."""

# Student's t for 95 %, by degrees of freedom; beyond these it hardly changes.
T95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13)

_T = TypeVar("_T")


def benchmark_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of a benchmark: its docstring as help, and `--json`."""
    parser = _parser(description)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


def comparison_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of a program that compares two checkouts."""
    parser = _parser(description)
    parser.add_argument("before", type=Path, help="folder of the first checkout")
    parser.add_argument("after", type=Path, help="folder of the second checkout")
    return parser


def _parser(description: str | None) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def two_or_more(text: str) -> int:
    """An option's value: an interval needs at least two measurements."""
    number = int(text)
    if number < 2:
        raise argparse.ArgumentTypeError("must be 2 or more")
    return number


def print_json(figures: dict[str, Any]) -> None:
    """The figures, for programs."""
    print(json.dumps(figures, indent=2))


def processor_seconds(work: Callable[[], Any]) -> float:
    """How much CPU time `work` takes in this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def wall_seconds(work: Callable[[], Any]) -> float:
    """How much wall-clock time `work` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def alternating(pair: tuple[_T, _T], number: int) -> tuple[_T, _T]:
    """The pair in its order for even rounds, reversed for odd ones.

    Two sides that are compared take turns in going first, so that the order favours neither.
    """
    return pair if number % 2 == 0 else (pair[1], pair[0])


def ratio_of(pairs: list[tuple[float, float]]) -> dict[str, float]:
    """The mean ratio of the second to the first, and its 95 % interval."""
    logs = [math.log(after / before) for before, after in pairs]
    mean = statistics.mean(logs)
    half = T95[min(len(logs) - 1, len(T95)) - 1] * statistics.stdev(logs) / math.sqrt(len(logs))
    return {
        "ratio": round(math.exp(mean), 4),
        "low": round(math.exp(mean - half), 4),
        "high": round(math.exp(mean + half), 4),
    }


class RunningServer(NamedTuple):
    """A server in its own process."""

    url: str
    pid: int
    folder: Path
    """Where its database is."""


@contextlib.contextmanager
def started_server(
    *options: str, command: Sequence[str] = ("-m", "millebornes", "serve")
) -> Iterator[RunningServer]:
    """`millebornes serve` with these options and an empty database, until the block ends.

    `command` is another Python program that serves, with its own arguments.
    """
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [
                *(sys.executable, *command, "--json", "--port", "0"),
                *("--database", str(Path(folder) / "tables.sqlite"), "--bot-workers", "1"),
                *("--log-level", "warning", *options),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        greeting = ""
        while not greeting.endswith("}\n"):
            line = process.stdout.readline()
            assert line, "the server did not start"
            greeting += line
        try:
            url = json.loads(greeting)["addresses"][0]
            yield RunningServer(url, process.pid, Path(folder))
        finally:
            process.terminate()
            process.wait(PATIENCE)
            process.stdout.close()
