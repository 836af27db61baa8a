"""Two servers, of two checkouts, at the same time and by turns: CPU for each move, as a ratio.

    python benchmarks/interleaved.py BEFORE AFTER [--rounds 8] [--seconds 20] [--turn 0.5]

BEFORE and AFTER are folders with a checkout each, set up by `make .venv/.runtime`. `pairs.py` runs
a whole benchmark in one and then in the other; the speed of a shared machine changes more in
between than most changes do. Here both servers stay up and their tables take turns of half a
second, so both see the same noise.

But two processes of the same code differ, too, by some 2 % for as long as they live: by where
their memory lies and what their hashes are. So each round starts both servers anew. Its figure is
the mean ratio of CPU for each move; what is told is the mean of all rounds, with the 95 % interval
that their differences give. Tables of two, closed loop, as in `server.py`.
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

from pairs import ratio_of
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
"""Seconds for what is still on its way when a turn ends."""


class Side:
    """The server of one checkout, and tables that play there."""

    def __init__(self, url: str, pid: int) -> None:
        self._url = url
        self._pid = pid
        self._tables: list[BusyTable] = []
        self._listening: list[asyncio.Task[None]] = []

    async def begin(self, tables: int) -> None:
        """Sit down, and have every table dealt."""
        self._tables = await sit_down(self._url, await open_tables(self._url, tables, 2), None)
        for table in self._tables:
            self._listening += [asyncio.create_task(chair.listen()) for chair in table.chairs]
            await table.chairs[0].say(type="start")
            await table.dealt.wait()
        self._let_play(False)

    async def turn(self, seconds: float) -> float:
        """Play for so long; CPU seconds for each move."""
        moves, cpu = self._moves(), self._cpu()
        self._let_play(True)
        await asyncio.sleep(seconds)
        self._let_play(False)
        await asyncio.sleep(_SETTLE)
        return (self._cpu() - cpu) / (self._moves() - moves)

    async def end(self) -> None:
        """Everybody goes home."""
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        for table in self._tables:
            for chair in table.chairs:
                chair.socket.transport.abort()

    def _let_play(self, may: bool) -> None:
        for table in self._tables:
            if may:
                table.may_act.set()
            else:
                table.may_act.clear()

    def _moves(self) -> int:
        return sum(messages for table in self._tables for _, _, messages in table.moves)

    def _cpu(self) -> float:
        """Of all threads, to the nanosecond: a turn has only a few of the system's ticks."""
        threads = Path(f"/proc/{self._pid}/task").glob("*/schedstat")
        return sum(int(one.read_text().split()[0]) for one in threads) / 1e9


@contextlib.contextmanager
def serving(tree: Path) -> Iterator[Side]:
    """The server of a checkout, as its own benchmark starts it."""
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
    """Take turns; CPU microseconds for each move of both, as geometric means."""
    for side in sides:
        await side.begin(options.tables)
    for side in sides:  # nothing is compiled, connected or cached for the first time later on
        await side.turn(2.0)
    pairs: list[tuple[float, float]] = []
    for number in range(max(2, round(options.seconds / (2 * options.turn)))):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        found = [0.0, 0.0]
        for index in order:
            found[index] = await sides[index].turn(options.turn)
        pairs.append((found[0], found[1]))
    for side in sides:
        await side.end()
    before, after = (statistics.geometric_mean(turns) * 1e6 for turns in zip(*pairs, strict=True))
    return before, after


def main() -> None:
    """Compare two checkouts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=8, help="each with new servers")
    parser.add_argument("--seconds", type=float, default=20.0, help="of one round, both together")
    parser.add_argument("--turn", type=float, default=0.5, help="seconds of one turn")
    parser.add_argument("--tables", type=int, default=40, help="at each server")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds: allowed is 2 or more")
    rounds: list[tuple[float, float]] = []
    for number in range(options.rounds):
        trees = (options.before.resolve(), options.after.resolve())
        with serving(trees[number % 2]) as first, serving(trees[1 - number % 2]) as second:
            sides = (first, second) if number % 2 == 0 else (second, first)
            rounds.append(asyncio.run(measured(sides, options)))
        print(f"{number + 1}: {rounds[-1][0]:.1f} {rounds[-1][1]:.1f}", file=sys.stderr)
    told = [[round(figure, 1) for figure in one] for one in rounds]
    print(json.dumps({"figure": "cpu_us_per_move", "rounds": told, **ratio_of(rounds)}))


if __name__ == "__main__":
    main()
