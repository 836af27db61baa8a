"""Every attack at full speed from one address, while two people play from another.

    python -m tests.abuse.run [NAME ...] [--seconds 15] [--json]

For each attack a fresh server with its default limits: first quiet, then under the attack, then
quiet again. It prints how long the moves of the other players took (`p50_ms`, `p99_ms`, in the
same run without and with the attack), the server's memory and CPU, and the outcome of the attack.
The attacker has a lower priority than the server: in reality it has its own machine. The database
lies in memory where the system has such a folder: how long a disk takes to sync a page is not the
attacker's doing, and `database_mb` shows how much an attack makes the server store.

The exit code is 1 if the bounds below do not hold.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.server_process import ServerProcess, server_process

from .attacker import Attacker
from .attacks import ATTACKS

P99_MS = 100.0
GROWTH_MB = 100.0
LEFT_MB = 30.0
"""Memory that may stay with the server after an attack, for it is kept for the next."""
_ROOT = Path(__file__).resolve().parents[2]
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
_LOOK_EVERY = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")


async def attack(url: str, name: str, seconds: float) -> dict[str, int]:
    """Attack for so long, as fast as possible; what became of it."""
    one, attacker = ATTACKS[name](), Attacker(url)
    await one.begin(attacker)

    async def waves() -> None:
        while True:
            await one.wave(attacker)
            await asyncio.sleep(one.calm)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
            for _ in range(one.at_once):
                group.create_task(waves())
    return dict(attacker.counts)


class Look:
    """Samples the memory and CPU of the server."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        self._began, self._cpu = time.monotonic(), self._cpu_seconds()
        self.peak = self.now()

    def now(self) -> float:
        """Memory in megabytes."""
        return self._server.rss() / 1024

    def wait(self, seconds: float, done: "subprocess.Popen[str] | None" = None) -> None:
        """Look for so long, or until a process has ended."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and (done is None or done.poll() is None):
            time.sleep(_LOOK_EVERY)
            self.peak = max(self.peak, self.now())

    def cpu_share(self) -> float:
        """Of one core, since the beginning."""
        return (self._cpu_seconds() - self._cpu) / (time.monotonic() - self._began)

    def _cpu_seconds(self) -> float:
        stat = Path(f"/proc/{self._server.pid}/stat").read_text(encoding="utf-8")
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


@contextlib.contextmanager
def victims(url: str, folder: Path) -> Iterator[Path]:
    """Two people who play meanwhile; gives the file with the duration of each move."""
    file = folder / "victims"
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.abuse.victim", url, str(file)], cwd=_ROOT
    )
    try:
        yield file
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def took(file: Path, kind: str, begin: float, end: float) -> dict[str, float]:
    """Durations of the actions between two moments; a failure counts as the longest."""
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    found = [
        float("inf") if float(ms) < 0 else float(ms)
        for what, when, ms in lines
        if what == kind and begin <= float(when) <= end
    ]
    if not found:
        return {"count": 0, "p50_ms": float("inf"), "p99_ms": float("inf")}
    found.sort()
    return {
        "count": len(found),
        "p50_ms": round(statistics.median(found), 1),
        "p99_ms": round(found[min(len(found) - 1, len(found) * 99 // 100)], 1),
    }


def measure(name: str, seconds: float) -> dict[str, Any]:
    """One attack, and what it did to the others."""
    one = ATTACKS[name]
    with tempfile.TemporaryDirectory(prefix="millebornes-abuse-", dir=_MEMORY) as place:
        folder = Path(place)
        one().plant(folder / "tables.sqlite")
        with server_process(folder) as server, victims(server.url, folder) as file:
            while not (file.exists() and "move" in file.read_text(encoding="utf-8")):
                time.sleep(_LOOK_EVERY)
            quiet = time.monotonic()
            Look(server).wait(min(seconds, 8.0))
            before = server.rss() / 1024
            began = time.monotonic()
            look = Look(server)
            command = [sys.executable, "-m", "tests.abuse.run", "--attack", server.url, name]
            attacker = subprocess.Popen(
                [*command, "--seconds", str(seconds)],
                stdout=subprocess.PIPE,
                text=True,
                cwd=_ROOT,
            )
            look.wait(seconds + 30, attacker)
            ended, cpu = time.monotonic(), look.cpu_share()
            said, _ = attacker.communicate(timeout=30)
            look.wait(min(seconds, 8.0))
            over = time.monotonic()
            after = look.now()
            lines = len(server.log())
            size = sum(path.stat().st_size for path in folder.glob("tables.sqlite*"))
            moves = [took(file, "move", *span) for span in ((quiet, began), (began, ended))]
            later = took(file, "move", ended + 1, over)
            pages = took(file, "page", began, ended)
    return {
        "attack": name,
        "about": (one.__doc__ or "").strip(),
        "victims": {"without": moves[0], "with": moves[1], "after": later, "pages": pages},
        "memory_mb": {
            "before": round(before, 1),
            "peak": round(look.peak, 1),
            "after": round(after, 1),
        },
        "server_cpu_share": round(cpu, 2),
        "log_lines": lines,
        "database_mb": round(size / 1e6, 1),
        "counts": json.loads(said),
    }


def faults(result: dict[str, Any]) -> list[str]:
    """Which bounds do not hold."""
    memory, people = result["memory_mb"], result["victims"]
    found = []
    if people["with"]["p99_ms"] > P99_MS:
        found.append(f"p99 of the others: {people['with']['p99_ms']} ms, allowed {P99_MS}")
    if people["pages"]["p99_ms"] == float("inf"):
        found.append("somebody new was not let in")
    if memory["peak"] - memory["before"] > GROWTH_MB:
        found.append(f"memory grew by {memory['peak'] - memory['before']:.0f} MB")
    if memory["after"] - memory["before"] > LEFT_MB:
        found.append(f"{memory['after'] - memory['before']:.0f} MB did not come back")
    return found


def main() -> int:
    """Measure, or (`--attack URL NAME`) be the attacker of a measurement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ATTACKS)}")
    parser.add_argument("--seconds", type=float, default=15.0, help="of each attack")
    parser.add_argument("--json", action="store_true", help="all figures, one object a line")
    parser.add_argument("--attack", nargs=2, metavar=("URL", "NAME"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack is not None:
        os.nice(10)
        url, name = options.attack
        print(json.dumps(asyncio.run(attack(url, name, options.seconds))))  # noqa: T201
        return 0
    unknown = set(options.names) - ATTACKS.keys()
    if unknown:
        parser.error(f"there is no attack {', '.join(sorted(unknown))}; see --help")
    failed = 0
    for name in options.names or ATTACKS:
        result = measure(name, options.seconds)
        result["faults"] = faults(result)
        failed += bool(result["faults"])
        print(json.dumps(result) if options.json else _line(result), flush=True)  # noqa: T201
    return 1 if failed else 0


def _line(result: dict[str, Any]) -> str:
    people, memory = result["victims"], result["memory_mb"]
    return (
        f"{result['attack']:<20} "
        f"p50 {people['without']['p50_ms']} -> {people['with']['p50_ms']} ms, "
        f"p99 {people['without']['p99_ms']} -> {people['with']['p99_ms']} ms, memory "
        f"{memory['before']:.0f} -> {memory['peak']:.0f} -> {memory['after']:.0f} MB, CPU "
        f"{result['server_cpu_share']:.2f}  {'; '.join(result['faults']) or 'fine'}\n"
        f"{'':<20} {result['counts']}"
    )


if __name__ == "__main__":
    sys.exit(main())
