"""Compare the servers of two checkouts, running at the same time: the ratio of CPU per move.

    python benchmarks/interleaved.py BEFORE AFTER [--rounds 8] [--seconds 20] [--turn 0.5]

BEFORE and AFTER are folders with a checkout each, set up by `make .venv/.runtime`. `pairs.py` runs
a whole benchmark in one checkout and then in the other; in between, the speed of a shared machine
changes more than most code changes do. Here both servers stay up and their tables take turns of
half a second, so both see the same noise.

But even two processes of the same code differ, by some 2 % for as long as they live, because of
memory layout and hash seeds. So each round starts both servers anew, and gives one ratio of the
mean CPU per move. The result is the mean ratio of all rounds, with its 95 % interval. Tables of
two, closed loop, as in `server.py`.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from common import alternating, comparison_parser, ratio_of, two_or_more
from server import BusyTable, open_tables, sit_down

_SERVE = """
import sys
sys.path.insert(0, "benchmarks")
from server import running_server
with running_server() as (url, pid, _):
    print(url, pid, flush=True)
    sys.stdin.read()
"""
_SETTLE = 0.05
"""Seconds for moves that are still in flight when a turn ends."""


class Side:
    """The server of one checkout, and the tables that play on it."""

    def __init__(self, url: str, pid: int) -> None:
        self._url = url
        self._pid = pid
        self._tables: list[BusyTable] = []

    async def begin(self, tables: int) -> None:
        """Open the tables, and pause each once its first hand is dealt."""
        self._tables = await sit_down(self._url, await open_tables(self._url, tables, 2), None)
        for table in self._tables:
            await table.start()
        self._let_play(False)

    async def turn(self, seconds: float) -> float:
        """Play for `seconds`; CPU seconds per move."""
        moves, cpu = self._moves(), self._cpu()
        self._let_play(True)
        await asyncio.sleep(seconds)
        self._let_play(False)
        await asyncio.sleep(_SETTLE)
        return (self._cpu() - cpu) / (self._moves() - moves)

    async def end(self) -> None:
        """Stop the tables."""
        await asyncio.gather(*(table.stop() for table in self._tables))

    def _let_play(self, may: bool) -> None:
        for table in self._tables:
            if may:
                table.may_act.set()
            else:
                table.may_act.clear()

    def _moves(self) -> int:
        return sum(messages for table in self._tables for _, _, messages in table.moves)

    def _cpu(self) -> float:
        # Of all threads, to the nanosecond: a turn lasts only a few ticks of the usual clock.
        threads = Path(f"/proc/{self._pid}/task").glob("*/schedstat")
        return sum(int(one.read_text().split()[0]) for one in threads) / 1e9


@contextlib.contextmanager
def serving(tree: Path) -> Iterator[Side]:
    """The server of a checkout, as `benchmarks/server.py` of that checkout starts it."""
    process = subprocess.Popen(
        [str(tree / ".venv" / "bin" / "python"), "-c", _SERVE],
        cwd=tree,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        url, pid = process.stdout.readline().split()
        yield Side(url, int(pid))
    finally:
        process.communicate()


async def measured(sides: tuple[Side, Side], options: argparse.Namespace) -> tuple[float, float]:
    """Let both sides take turns; their CPU microseconds per move, as geometric means."""
    for side in sides:
        await side.begin(options.tables)
    for side in sides:  # warm up: compile, connect and fill caches before measuring
        await side.turn(2.0)
    pairs: list[tuple[float, float]] = []
    for number in range(max(2, round(options.seconds / (2 * options.turn)))):
        found = [0.0, 0.0]
        for index in alternating((0, 1), number):
            found[index] = await sides[index].turn(options.turn)
        pairs.append((found[0], found[1]))
    for side in sides:
        await side.end()
    before, after = (statistics.geometric_mean(turns) * 1e6 for turns in zip(*pairs, strict=True))
    return before, after


def main() -> None:
    """Compare two checkouts."""
    parser = comparison_parser(__doc__)
    parser.add_argument("--rounds", type=two_or_more, default=8, help="each with new servers")
    parser.add_argument("--seconds", type=float, default=20.0, help="of one round, both together")
    parser.add_argument("--turn", type=float, default=0.5, help="seconds of one turn")
    parser.add_argument("--tables", type=int, default=40, help="number of tables at each server")
    options = parser.parse_args()
    trees = (options.before.resolve(), options.after.resolve())
    rounds: list[tuple[float, float]] = []
    for number in range(options.rounds):
        earlier, later = alternating(trees, number)
        with serving(earlier) as first, serving(later) as second:
            sides = alternating((first, second), number)
            rounds.append(asyncio.run(measured(sides, options)))
        print(f"{number + 1}: {rounds[-1][0]:.1f} {rounds[-1][1]:.1f}", file=sys.stderr)
    rounded = [[round(figure, 1) for figure in one] for one in rounds]
    print(json.dumps({"figure": "cpu_us_per_move", "rounds": rounded, **ratio_of(rounds)}))


if __name__ == "__main__":
    main()
