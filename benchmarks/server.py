"""Load on a real server: moves per second, latency of a move, and what a move costs.

    python benchmarks/server.py [--json] [--seconds S] [--tables N] [--part closed|paced]

The server is its own process (`millebornes serve`, SQLite with synchronous=FULL).

closed: 100 tables of 2; a table makes its next move as soon as both seats have the last frame.
paced:  1,000 tables of 4; each makes a move every 5 seconds.

The latency of a move is the time from sending it until the last seat of its table has its frame.
CPU per move counts the whole server process, so it includes shuffles, score sheets and rematches.
Memory is that of the server process, without the bot workers.

The server writes a move to disk before it sends any frame, so latency cannot be below that of the
disk. To tell the two apart, `disk_p50_ms` and `disk_p99_ms` show how long a bare write of one page
took to become durable in the same folder meanwhile.
"""

import asyncio
import gc
import os
import random
import resource
import secrets
import statistics
import threading
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from common import PATIENCE, RunningServer, benchmark_parser, print_json, started_server
from millebornes.fair.protocol import client_commit

PAGE = bytes(4096)
DISK_EVERY = 0.02
SETUP_AT_ONCE = 32
WARM_UP = 3.0
_MANY = "1000000"
UNLIMITED = (
    *("--requests-per-second", _MANY, "--messages-per-second", _MANY),
    *("--talk-per-second", _MANY, "--tables-per-guest", _MANY),
    *("--tables-per-address", _MANY, "--tables-per-minute", _MANY),
    *("--guests-per-minute", _MANY, "--sockets-per-address", "100000"),
    *("--connections-per-address", "100000"),
)
"""Options of a server whose limits do not get in the way."""


class Asked(msgspec.Struct):
    """What the table waits for."""

    what: str
    seats: tuple[int, ...]
    decision: int


class Hand(msgspec.Struct):
    """The legal moves of one seat."""

    legal_moves: tuple[str, ...]


class Fair(msgspec.Struct):
    """The state of the shuffle."""

    hand: int
    ctx: str
    commit: str
    stage: str


class Seen(msgspec.Struct):
    """A frame's picture of the table: the fields that this program needs."""

    phase: str
    you: int | None
    asked: Asked | None
    hand: Hand | None
    fair: Fair | None


class Message(msgspec.Struct):
    """Any message from the server."""

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
        self.shuffled: tuple[int, str] = (0, "")
        """The last hand and stage that this seat has answered."""

    async def listen(self) -> None:
        """Read frames until the connection ends."""
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
            await self.table.got_frame()

    async def send(self, **message: Any) -> None:
        """Send one message."""
        await self.socket.send(msgspec.json.encode(message).decode())

    async def shuffle(self, fair: Fair) -> None:
        """Take part in the shuffle."""
        if self.shuffled == (fair.hand, fair.stage):
            return
        self.shuffled = (fair.hand, fair.stage)
        assert self.seen is not None
        if fair.stage == "commit":
            self.entropy = {fair.hand: secrets.token_bytes(32)}
            entropy = self.entropy[fair.hand]
            commit = client_commit(fair.ctx, self.seen.you or 0, fair.commit, entropy)
            await self.send(type="commit", hand=fair.hand, commit=commit)
        elif fair.stage == "reveal" and fair.hand in self.entropy:
            await self.send(type="reveal", hand=fair.hand, entropy=self.entropy[fair.hand].hex())


class BusyTable:
    """A table that plays match after match."""

    def __init__(self, interval: float | None, rng: random.Random) -> None:
        self.chairs: list[Chair] = []
        self.interval = interval
        self.rng = rng
        self.answered = -1
        self.sent: float | None = None
        """When the move now in flight was sent."""
        self.due: float | None = None
        self.dealt = asyncio.Event()
        self.moves: list[tuple[float, float, int]] = []
        """Per decision: when the last seat got its frame, the latency, the messages it took."""
        self.messages = 0
        self.refused: list[str] = []
        self.waiting: asyncio.Task[None] | None = None
        self.listening: list[asyncio.Task[None]] = []
        self.may_act = asyncio.Event()
        """While this is not set, the table makes no moves."""
        self.may_act.set()

    async def start(self) -> None:
        """Listen at every seat, and wait until the first hand is dealt."""
        self.listening = [asyncio.create_task(chair.listen()) for chair in self.chairs]
        await self.chairs[0].send(type="start")
        await self.dealt.wait()

    async def stop(self) -> None:
        """Stop playing, and drop the connections."""
        tasks = self.listening if self.waiting is None else [*self.listening, self.waiting]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for chair in self.chairs:
            chair.socket.transport.abort()

    async def got_frame(self) -> None:
        """Make the next move as soon as every seat has the frame."""
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
            # Each table starts at a random time, so that they do not all move at once.
            now = time.perf_counter()
            first = now + self.rng.random() * self.interval
            self.due = first if self.due is None else max(self.due + self.interval, now)
            self.waiting = asyncio.create_task(self.act_later(seen.asked, self.due - now))

    async def act_later(self, asked: Asked, wait: float) -> None:
        """Act after `wait` seconds."""
        await asyncio.sleep(wait)
        await self.act(asked)

    async def act(self, asked: Asked) -> None:
        """Answer for every seat that is asked."""
        await self.may_act.wait()
        if asked.decision != self.chairs[0].decision:
            return  # the table has moved on meanwhile
        if asked.what == "next":
            for chair in self.chairs:
                await chair.send(type="next", decision=asked.decision)
            return
        if asked.what == "over":
            for chair in self.chairs:
                await chair.send(type="rematch")
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
                lively = lively[:1]  # a coup fourré; the partner's answer may be too late
            move = self.rng.choice(lively or moves)
            id_ = f"{asked.decision}"
            self.sent = time.perf_counter()
            await chair.send(type="move", decision=asked.decision, id=id_, move=move)


async def open_tables(url: str, tables: int, seats: int) -> list[tuple[str, list[str]]]:
    """Open tables with the same few guests at each; ids, and the tokens of the guests."""
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
                wanted["window"] = 60_000  # long, so that no window times out
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


async def sit_down(
    url: str, opened: list[tuple[str, list[str]]], pace: float | None
) -> list[BusyTable]:
    """Connect every seat of every table."""
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
    """Measures in a thread, at intervals, how long one page takes to become durable."""

    def __init__(self, folder: Path) -> None:
        self.took: list[float] = []
        self._file = folder / "disk"
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._measure)

    def __enter__(self) -> "Disk":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _measure(self) -> None:
        with self._file.open("wb", buffering=0) as file:
            while not self._stop.wait(DISK_EVERY):
                began = time.perf_counter()
                file.write(PAGE)
                os.fsync(file.fileno())
                self.took.append((time.perf_counter() - began) * 1000)


async def measure(
    server: RunningServer, *, tables: int, seats: int, pace: float | None, seconds: float
) -> dict[str, Any]:
    """Let the tables play, and measure for `seconds` after they have warmed up."""
    busy = await sit_down(server.url, await open_tables(server.url, tables, seats), pace)
    gate = asyncio.Semaphore(SETUP_AT_ONCE)

    async def start(table: BusyTable) -> None:
        async with gate:
            await table.start()

    await asyncio.gather(*(start(table) for table in busy))
    await asyncio.sleep(pace or WARM_UP)
    gc.disable()  # a pause of this program must not count as one of the server
    with Disk(server.folder) as disk:
        began, cpu = time.perf_counter(), cpu_seconds(server.pid)
        own = time.process_time()
        await asyncio.sleep(seconds)
        ended, cpu = time.perf_counter(), cpu_seconds(server.pid) - cpu
        own = time.process_time() - own
        rss = rss_mb(server.pid)
    gc.enable()
    await asyncio.gather(*(table.stop() for table in busy))
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
    """The value that `percent` of them do not exceed."""
    return sorted(values)[len(values) * percent // 100]


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss_mb(pid: int) -> float:
    """The memory that a process has in use."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def running_server() -> AbstractContextManager[RunningServer]:
    """A server whose limits do not get in the way.

    `interleaved.py` calls this in both checkouts, which may be of different ages: keep the name,
    and a result that unpacks into an address, a process id and a folder.
    """
    return started_server(*UNLIMITED)


PARTS: dict[str, dict[str, Any]] = {
    "closed": {"tables": 100, "seats": 2, "pace": None},
    "paced": {"tables": 1000, "seats": 4, "pace": 5.0},
}


def main() -> None:
    """Measure both parts."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=15.0, help="duration of each part")
    parser.add_argument("--tables", type=int, help="number of tables instead of 100 or 1,000")
    parser.add_argument("--part", choices=PARTS, help="measure only this part")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    results = {}
    for name, part in PARTS.items():
        if options.part not in (None, name):
            continue
        wanted = {**part, "tables": options.tables or part["tables"]}
        with running_server() as server:
            figures = asyncio.run(measure(server, **wanted, seconds=options.seconds))
        results[name] = figures
        if not options.json:
            print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in figures.items()))
    if options.json:
        print_json(results)


if __name__ == "__main__":
    main()
