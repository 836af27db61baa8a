"""What it costs to make an input durable: CPU time of the SQLite store per input.

    python benchmarks/store.py [--json] [--pairs N]

`WIDTHS` lists how many tables write at the same moment. The store inserts all waiting inputs with
one statement. `together` compares that with one statement per input, by turns in the same run:
the mean ratio and its 95 % interval.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest import mock

from common import alternating, benchmark_parser, print_json, ratio_of, two_or_more
from millebornes.server.store import LogRow, TableRow
from millebornes.server.store.sqlite import SqliteStore

WIDTHS = {1: 300, 8: 150, 40: 100}
"""Tables at once → inputs that each of them writes."""
INPUT = b'{"type":"move","decision":12,"id":"123","move":"100"}'


async def cpu_us(width: int, rounds: int) -> float:
    """Microseconds of CPU per input."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "tables.sqlite")
        await store.open()
        for number in range(width):
            table = TableRow(f"t{number}", f"g{number}", 1, b"{}", 1)
            await store.add_table(table, LogRow(1, "guest", 1, b"{}"))
        began = time.process_time()
        for seq in range(2, rounds + 2):
            row = LogRow(seq, "guest", 1, INPUT)
            await asyncio.gather(*(store.append(f"t{n}", row) for n in range(width)))
        took = time.process_time() - began
        await store.close()
    return took / (width * rounds) * 1e6


def measured(width: int, rounds: int, pairs: int) -> dict[str, Any]:
    """Both ways of inserting, by turns."""
    found: list[tuple[float, float]] = []
    for number in range(pairs):
        took = {True: 0.0, False: 0.0}
        for together in alternating((True, False), number):
            if together:
                took[together] = asyncio.run(cpu_us(width, rounds))
                continue
            with mock.patch.object(SqliteStore, "_insert_together", return_value=False):
                took[together] = asyncio.run(cpu_us(width, rounds))
        found.append((took[False], took[True]))
    each = sorted(after for _, after in found)[pairs // 2]
    return {"cpu_us_per_input": round(each, 1), "together": ratio_of(found)}


def main() -> None:
    """Measure every width."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--pairs", type=two_or_more, default=6, help="how often to run both ways")
    options = parser.parse_args()
    results = {
        str(width): measured(width, rounds, options.pairs) for width, rounds in WIDTHS.items()
    }
    if options.json:
        print_json(results)
        return
    for width, found in results.items():
        ratio = found["together"]
        print(
            f"{width:>3} tables at once: {found['cpu_us_per_input']:6.1f} us per input; "
            f"together {ratio['ratio']} [{ratio['low']}, {ratio['high']}] of one by one"
        )


if __name__ == "__main__":
    main()
