"""What bots that think hard cost the people at other tables: the latency of their moves.

    python benchmarks/bots.py [--json] [--rounds N] [--turn S] [--tables N] [--bot-tables N]

One server has 50 tables of two people, each with a move every second, and 50 tables of one person
with three bots: two Commuters, and one that burns 200 ms of CPU per thought (`burner.py`). On two
cores that is more than there is, so some of its thoughts reach the cap, and its base policy plays.

The tables with bots take turns: they play, or they stand still. The latency of a move at the other
tables, from sending it until both seats have its frame, is measured in both, in the same run. One
round has both turns. `added_p99_ms` is how much larger the 99th percentile of all moves is while
bots play. Its interval and that of the ratio come from the rounds.
"""

import argparse
import asyncio
import gc
import math
import random
import statistics
import sys
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from burner import BURNER
from common import (
    PATIENCE,
    T95,
    RunningServer,
    alternating,
    benchmark_parser,
    print_json,
    ratio_of,
    started_server,
    two_or_more,
)
from server import UNLIMITED, Asked, BusyTable, Chair, open_tables, percentile, sit_down

BOTS = ("commuter", "commuter", BURNER)
MOST_ADDED = 20.0
"""What the tables with bots may add to the 99th percentile, in milliseconds."""
COUNTED = ("thoughts", "thoughts_late", "thoughts_capped")


class BotTable(BusyTable):
    """A table of one person and bots: the person moves as soon as they may."""

    async def act(self, asked: Asked) -> None:
        """Answer for the person, if they are asked."""
        await self.may_act.wait()
        (chair,) = self.chairs
        if asked.decision != chair.decision or chair.seen is None:
            return
        if asked.what == "next":
            await chair.send(type="next", decision=asked.decision)
        elif asked.what == "over":
            await chair.send(type="rematch")
        elif chair.seen.hand is not None and chair.seen.hand.legal_moves:
            move = self.rng.choice(chair.seen.hand.legal_moves)
            id_ = f"{asked.decision}"
            await chair.send(type="move", decision=asked.decision, id=id_, move=move)


async def bot_tables(url: str, count: int) -> list[BotTable]:
    """Open tables with bots, and start them."""
    found = []
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
        nobody = {"Authorization": "Bearer none"}
        token = (await http.post("/api/guests", json={}, headers=nobody)).json()["token"]
        http.cookies.clear()
        headers = {"Authorization": f"Bearer {token}"}
        for number in range(count):
            wanted = {"name": "Host", "players": 1 + len(BOTS), "window": 60_000}
            answer = await http.post("/api/tables", json=wanted, headers=headers)
            path = f"/api/tables/{answer.raise_for_status().json()['table']}/socket"
            socket = await connect(
                url.replace("http", "ws", 1) + path,
                additional_headers=headers,
                compression=None,
                max_size=None,
                ping_interval=None,
            )
            table = BotTable(None, random.Random(number))
            chair = Chair(table, socket)
            table.chairs.append(chair)
            for seat, level in enumerate(BOTS, start=1):
                await chair.send(type="add_bot", seat=seat, level=level)
            await table.start()
            found.append(table)
    return found


async def until_warm(url: str) -> None:
    """Wait until every level can play."""
    async with (
        httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http,
        asyncio.timeout(2 * PATIENCE),
    ):
        while (await http.get("/api/ready")).status_code != httpx.codes.OK:
            await asyncio.sleep(0.2)


async def counters(url: str) -> dict[str, int]:
    """What the server has counted about bots."""
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
        lines = (await http.get("/metrics")).text.splitlines()
    values = dict(line.split() for line in lines if not line.startswith("#"))
    counted = {name: int(values[f"millebornes_bot_{name}_total"]) for name in COUNTED}
    return {**counted, "bots_replaced": int(values["millebornes_bots_replaced_total"])}


async def turn(
    people: list[BusyTable], bots: list[BotTable], playing: bool, options: argparse.Namespace
) -> list[float]:
    """Let bots play or not, and the latencies in milliseconds of the moves at the other tables."""
    for table in bots:
        if playing:
            table.may_act.set()
        else:
            table.may_act.clear()
    await asyncio.sleep(options.settle)
    gc.collect()
    before = [len(table.moves) for table in people]
    await asyncio.sleep(options.turn)
    pairs = zip(people, before, strict=True)
    return [took * 1000 for table, start in pairs for _, took, _ in table.moves[start:]]


async def measured(server: RunningServer, options: argparse.Namespace) -> dict[str, Any]:
    """Let both kinds of turns alternate; the figures."""
    await until_warm(server.url)
    opened = await open_tables(server.url, options.tables, 2)
    people = await sit_down(server.url, opened, options.interval)
    for table in people:
        await table.start()
    bots = await bot_tables(server.url, options.bot_tables)
    rounds: list[tuple[list[float], list[float]]] = []
    gc.disable()  # a pause of this program must not count as one of the server
    for number in range(options.rounds):
        found: dict[bool, list[float]] = {}
        for playing in alternating((False, True), number):
            found[playing] = await turn(people, bots, playing, options)
        rounds.append((found[False], found[True]))
        p99 = [round(percentile(took, 99), 2) for took in rounds[-1]]
        print(f"{number + 1}: p99 {p99[0]} ms, {p99[1]} ms with bots", file=sys.stderr)
    gc.enable()
    counted = await counters(server.url)
    refused = [code for table in (*people, *bots) for code in table.refused]
    await asyncio.gather(*(table.stop() for table in (*people, *bots)))
    return {
        "tables": options.tables,
        "bot_tables": options.bot_tables,
        "rounds": options.rounds,
        **figures(rounds),
        **counted,
        "refused": len(refused),
    }


def figures(rounds: list[tuple[list[float], list[float]]]) -> dict[str, Any]:
    """The latencies without and with bots, and the difference with its 95 % interval."""
    alone, beside = ([took for one in kind for took in one] for kind in zip(*rounds, strict=True))
    pairs = [(percentile(one, 99), percentile(other, 99)) for one, other in rounds]
    differences = [other - one for one, other in pairs]
    spread = statistics.stdev(differences) / math.sqrt(len(differences))
    half = T95[min(len(differences) - 1, len(T95)) - 1] * spread
    mean = statistics.mean(differences)
    added = percentile(beside, 99) - percentile(alone, 99)
    return {
        "without_bots": latencies(alone),
        "with_bots": latencies(beside),
        "added_p99_ms": round(added, 2),
        "added_p99_interval": [round(mean - half, 2), round(mean + half, 2)],
        "p99_ratio": ratio_of(pairs),
        "p99_of_rounds": [[round(figure, 2) for figure in pair] for pair in pairs],
        "is_within_limit": added <= MOST_ADDED,
    }


def latencies(took: list[float]) -> dict[str, float]:
    """Number of moves, and percentiles of their latency."""
    return {
        "moves": len(took),
        "p50_ms": round(statistics.median(took), 2),
        "p99_ms": round(percentile(took, 99), 2),
    }


def main() -> None:
    """Measure."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--rounds", type=two_or_more, default=6, help="of two turns each")
    parser.add_argument("--turn", type=float, default=10.0, help="seconds of one turn")
    parser.add_argument(
        "--interval", type=float, default=1.0, help="seconds between moves at a table of people"
    )
    parser.add_argument(
        "--settle",
        type=float,
        default=5.0,
        help="seconds before each turn: bots play on until every table waits for its person",
    )
    parser.add_argument("--tables", type=int, default=50, help="tables of people")
    parser.add_argument("--bot-tables", type=int, default=50, help="tables with bots")
    options = parser.parse_args()
    program = str(Path(__file__).with_name("burner.py"))
    with started_server(*UNLIMITED, command=(program,)) as server:
        found = asyncio.run(measured(server, options))
    if options.json:
        print_json(found)
    else:
        for name, value in found.items():
            print(f"{name}: {value}")


if __name__ == "__main__":
    main()
