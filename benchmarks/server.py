"""Load on a real server: moves per second, how long a move takes, what it costs.

    python benchmarks/server.py [--json] [--seconds S] [--tables N] [--part closed|paced]

The server runs in a process of its own (`millebornes serve`, SQLite with synchronous=FULL).

closed: 100 tables of 2, each plays on as soon as both seats have heard of the last move.
paced:  1,000 tables of 4, each makes a move every 5 seconds.

A move takes from the moment it is sent until the last seat of its table has its frame. Its
CPU time is that of the whole server process, so shuffles, score sheets and rematches are
in it, too. Memory is that of the server process, without the bot workers.

A move is on disk before anyone hears of it, so it cannot take less than the disk does. To tell
the two apart, `disk_p50_ms` and `disk_p99_ms` say how long a bare write of one page took to be
durable in the same folder, meanwhile.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import resource
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from millebornes.fair.protocol import client_commit

PATIENCE = 60.0
PAGE = bytes(4096)
DISK_EVERY = 0.02
SETUP_AT_ONCE = 32
WARM_UP = 3.0


class Asked(msgspec.Struct):
    """What of it this program needs."""

    what: str
    seats: tuple[int, ...]
    decision: int


class Hand(msgspec.Struct):
    """Only the moves."""

    legal_moves: tuple[str, ...]


class Fair(msgspec.Struct):
    """Where the shuffle stands."""

    hand: int
    ctx: str
    commit: str
    stage: str


class Seen(msgspec.Struct):
    """The table, as far as it matters here."""

    phase: str
    you: int | None
    asked: Asked | None
    hand: Hand | None
    fair: Fair | None


class Message(msgspec.Struct):
    """Anything a server says."""

    type: str
    table: Seen | None = None
    code: str = ""


_decode = msgspec.json.Decoder(Message).decode


class Chair:
    """One seat's connection."""

    def __init__(self, table: "BusyTable", socket: ClientConnection) -> None:
        self.table = table
        self.socket = socket
        self.seen: Seen | None = None
        self.decision = -1
        self.entropy: dict[int, bytes] = {}
        self.told: tuple[int, str] = (0, "")

    async def listen(self) -> None:
        """Take frames until the connection ends."""
        async for data in self.socket:
            message = _decode(data)
            if message.type != "frame" or message.table is None:
                if message.type == "rejected":
                    self.table.refused.append(message.code)
                continue
            self.seen = message.table
            if message.table.asked is not None:
                self.decision = message.table.asked.decision
            if message.table.fair is not None:
                await self.shuffle(message.table.fair)
            await self.table.heard()

    async def say(self, **message: Any) -> None:
        """Send one message."""
        await self.socket.send(msgspec.json.encode(message).decode())

    async def shuffle(self, fair: Fair) -> None:
        """Take part in the shuffle."""
        if self.told == (fair.hand, fair.stage):
            return
        self.told = (fair.hand, fair.stage)
        assert self.seen is not None
        if fair.stage == "commit":
            self.entropy = {fair.hand: secrets.token_bytes(32)}
            entropy = self.entropy[fair.hand]
            commit = client_commit(fair.ctx, self.seen.you or 0, fair.commit, entropy)
            await self.say(type="commit", hand=fair.hand, commit=commit)
        elif fair.stage == "reveal" and fair.hand in self.entropy:
            await self.say(type="reveal", hand=fair.hand, entropy=self.entropy[fair.hand].hex())


class BusyTable:
    """A table that plays on and on."""

    def __init__(self, interval: float | None, rng: random.Random) -> None:
        self.chairs: list[Chair] = []
        self.interval = interval
        self.rng = rng
        self.answered = -1
        self.sent: float | None = None
        """When the move that is on its way was sent."""
        self.due: float | None = None
        self.dealt = asyncio.Event()
        self.moves: list[tuple[float, float, int]] = []
        """When the last seat heard of a move, how long that took, how many messages it was."""
        self.messages = 0
        self.refused: list[str] = []
        self.waiting: asyncio.Task[None] | None = None
        self.may_act = asyncio.Event()
        """Not set: the table stands still."""
        self.may_act.set()

    async def heard(self) -> None:
        """A frame has come; if every seat has it, on to the next move."""
        decision = self.chairs[0].decision
        if decision == self.answered or any(chair.decision != decision for chair in self.chairs):
            return
        if self.sent is not None:
            now = time.perf_counter()
            self.moves.append((now, now - self.sent, self.messages))
            self.sent = None
        seen = self.chairs[0].seen
        if seen is None or seen.asked is None or seen.asked.what == "deal":
            return
        self.answered = decision
        self.dealt.set()
        if self.interval is None or seen.asked.what in ("next", "over"):
            await self.act(seen.asked)
        else:
            # Tables keep their own time, so that they do not all move at once.
            now = time.perf_counter()
            first = now + self.rng.random() * self.interval
            self.due = first if self.due is None else max(self.due + self.interval, now)
            self.waiting = asyncio.create_task(self.act_later(seen.asked, self.due - now))

    async def act_later(self, asked: Asked, wait: float) -> None:
        """Keep the pace."""
        await asyncio.sleep(wait)
        await self.act(asked)

    async def act(self, asked: Asked) -> None:
        """Everybody who is asked answers."""
        await self.may_act.wait()
        if asked.decision != self.chairs[0].decision:
            return  # the table has moved on by itself
        if asked.what == "next":
            for chair in self.chairs:
                await chair.say(type="next", decision=asked.decision)
            return
        if asked.what == "over":
            for chair in self.chairs:
                await chair.say(type="rematch")
            return
        by_seat = {chair.seen.you: chair for chair in self.chairs if chair.seen is not None}
        self.messages = len(asked.seats)
        self.sent = time.perf_counter()
        for seat in asked.seats:
            chair = by_seat[seat]
            assert chair.seen is not None
            assert chair.seen.hand is not None
            moves = chair.seen.hand.legal_moves
            lively = [move for move in moves if not move.startswith("x")]
            if asked.what == "window" and len(moves) > 1:
                lively = lively[:1]  # a coup fourré; the partner's answer may come too late
            move = self.rng.choice(lively or moves)
            id_ = f"{asked.decision}"
            self.sent = time.perf_counter()
            await chair.say(type="move", decision=asked.decision, id=id_, move=move)


async def open_tables(url: str, tables: int, seats: int) -> list[tuple[str, list[str]]]:
    """Open tables, and seat the same few guests at each; ids and tokens."""
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
        tokens = []
        for _ in range(seats):
            headers = {"Authorization": "Bearer none"}
            answer = await http.post("/api/guests", json={}, headers=headers)
            tokens.append(answer.raise_for_status().json()["token"])
            http.cookies.clear()
        gate = asyncio.Semaphore(SETUP_AT_ONCE)

        async def one() -> str:
            async with gate:
                wanted: dict[str, Any] = {
                    "name": "Host",
                    "players": seats,
                    "edition": "winning-moves",
                }
                wanted["window"] = 60_000  # so that it is always the players who answer
                headers = {"Authorization": f"Bearer {tokens[0]}"}
                answer = await http.post("/api/tables", json=wanted, headers=headers)
                table = str(answer.raise_for_status().json()["table"])
                for token in tokens[1:]:
                    headers = {"Authorization": f"Bearer {token}"}
                    path = f"/api/tables/{table}/join"
                    answer = await http.post(path, json={"name": "Guest"}, headers=headers)
                    answer.raise_for_status()
                return table

        ids = await asyncio.gather(*(one() for _ in range(tables)))
    return [(table, tokens) for table in ids]


async def sit_down(url: str, opened: list[tuple[str, list[str]]], pace: float | None) -> list[Any]:
    """Connect everybody, and start every table."""
    gate = asyncio.Semaphore(SETUP_AT_ONCE)
    busy: list[BusyTable] = []

    async def one(number: int, table: str, tokens: list[str]) -> None:
        async with gate:
            playing = BusyTable(pace, random.Random(number))
            for token in tokens:
                socket = await connect(
                    f"{url.replace('http', 'ws', 1)}/api/tables/{table}/socket",
                    additional_headers={"Authorization": f"Bearer {token}"},
                    compression=None,
                    max_size=None,
                    ping_interval=None,
                )
                playing.chairs.append(Chair(playing, socket))
            busy.append(playing)

    await asyncio.gather(*(one(n, table, tokens) for n, (table, tokens) in enumerate(opened)))
    return busy


class Disk:
    """How long it takes until a page is durable, looked at now and then in a thread."""

    def __init__(self, folder: Path) -> None:
        self.took: list[float] = []
        self._file = folder / "disk"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Disk":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        with self._file.open("wb", buffering=0) as file:
            while not self._over.wait(DISK_EVERY):
                began = time.perf_counter()
                file.write(PAGE)
                os.fsync(file.fileno())
                self.took.append((time.perf_counter() - began) * 1000)


async def measure(
    url: str, pid: int, folder: Path, *, tables: int, seats: int, pace: float | None, seconds: float
) -> dict[str, Any]:
    """Let the tables play, and look at the time in the middle."""
    busy = await sit_down(url, await open_tables(url, tables, seats), pace)
    listening = [asyncio.create_task(c.listen()) for table in busy for c in table.chairs]
    gate = asyncio.Semaphore(SETUP_AT_ONCE)

    async def start(table: BusyTable) -> None:
        async with gate:
            await table.chairs[0].say(type="start")
            await table.dealt.wait()

    await asyncio.gather(*(start(table) for table in busy))
    await asyncio.sleep(pace or WARM_UP)
    gc.disable()  # a pause of this program is no pause of the server
    with Disk(folder) as disk:
        began, cpu = time.perf_counter(), cpu_seconds(pid)
        own = time.process_time()
        await asyncio.sleep(seconds)
        ended, cpu = time.perf_counter(), cpu_seconds(pid) - cpu
        own = time.process_time() - own
        rss = rss_mb(pid)
    gc.enable()
    for task in listening:
        task.cancel()
    for table in busy:
        if table.waiting is not None:
            table.waiting.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    for table in busy:
        for chair in table.chairs:
            chair.socket.transport.abort()
    counted = [move for table in busy for move in table.moves if began <= move[0] <= ended]
    moves = sum(messages for _, _, messages in counted)
    took = [duration * 1000 for _, duration, _ in counted]
    refused = [code for table in busy for code in table.refused]
    return {
        "tables": tables,
        "sockets": tables * seats,
        "seconds": round(ended - began, 1),
        "moves": moves,
        "moves_per_s": round(moves / (ended - began)),
        "p50_ms": round(statistics.median(took), 2),
        "p99_ms": round(percentile(took, 99), 2),
        "disk_p50_ms": round(statistics.median(disk.took), 2),
        "disk_p99_ms": round(percentile(disk.took, 99), 2),
        "cpu_us_per_move": round(cpu / moves * 1e6),
        "server_cpu_share": round(cpu / (ended - began), 2),
        "client_cpu_share": round(own / (ended - began), 2),
        "rss_mb": round(rss, 1),
        "refused": len(refused),
    }


def percentile(values: list[float], percent: int) -> float:
    """The value that so many of them do not exceed."""
    return sorted(values)[len(values) * percent // 100]


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss_mb(pid: int) -> float:
    """The memory that a process has in use."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextlib.contextmanager
def running_server() -> Iterator[tuple[str, int, Path]]:
    """A server of its own, with limits that do not get in the way, and its folder."""
    many = "1000000"
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "millebornes", "serve", "--json", "--port", "0"),
                *("--database", str(Path(folder) / "tables.sqlite"), "--bot-workers", "1"),
                *("--requests-per-second", many, "--messages-per-second", many),
                *("--talk-per-second", many, "--tables-per-guest", many),
                *("--tables-per-address", many, "--tables-per-minute", many),
                *("--guests-per-minute", many, "--sockets-per-address", "100000"),
                *("--connections-per-address", "100000", "--log-level", "warning"),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        told = ""
        while not told.endswith("}\n"):
            line = process.stdout.readline()
            assert line, "the server did not start"
            told += line
        try:
            yield json.loads(told)["addresses"][0], process.pid, Path(folder)
        finally:
            process.terminate()
            process.wait(PATIENCE)
            process.stdout.close()


PARTS: dict[str, dict[str, Any]] = {
    "closed": {"tables": 100, "seats": 2, "pace": None},
    "paced": {"tables": 1000, "seats": 4, "pace": 5.0},
}


def main() -> None:
    """Measure both parts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=15.0, help="for each part")
    parser.add_argument("--tables", type=int, help="instead of 100 or 1,000")
    parser.add_argument("--part", choices=PARTS, help="only this one")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    results = {}
    for name, part in PARTS.items():
        if options.part not in (None, name):
            continue
        wanted = {**part, "tables": options.tables or part["tables"]}
        with running_server() as (url, pid, folder):
            figures = asyncio.run(measure(url, pid, folder, **wanted, seconds=options.seconds))
        results[name] = figures
        if not options.json:
            print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in figures.items()))
    if options.json:
        print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
