"""A server in a process of its own, on a free port of this machine."""

import contextlib
import inspect
import json
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from uvicorn.protocols.http import httptools_impl
from uvicorn.protocols.websockets import websockets_sansio_impl

from millebornes.server.config import Config
from millebornes.server.run import bind, prepare, serve
from millebornes.server.wire import WireLimits

PATIENCE = 30
GENEROUS: dict[str, Any] = {
    "requests_per_second": 100_000,
    "messages_per_second": 100_000,
    "talk_per_second": 100_000,
    "tables_per_guest": 100_000,
    "tables_per_address": 100_000,
    "tables_per_minute": 100_000,
    "house_rules_per_minute": 100_000,
    "guests_per_minute": 100_000,
    "sockets_per_address": 10_000,
    "connections_per_address": 10_000,
}
"""Limits that do not hide the work of a test."""


class LiveServer:
    def __init__(self, url: str, process: "subprocess.Popen[str]", log: Path) -> None:
        self.url = url
        self.process = process
        self._log = log

    def log(self) -> list[dict[str, Any]]:
        """What it has logged so far."""
        return [json.loads(line) for line in self._log.read_text(encoding="utf-8").splitlines()]

    def rss(self) -> int:
        """Resident memory in kilobytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(
            next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]
        )

    def stop(self, with_: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to stop; its exit code."""
        self.process.send_signal(with_)
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def live_server(folder: Path, **settings: Any) -> Iterator[LiveServer]:
    """A server that is up. It must end well when it is told to.

    `grace` is how long it waits for requests when it stops, `ping` how long for silent clients,
    in seconds; `limits` are those of the wire; `descriptors` is how many this process may have;
    `renamed` is a part of uvicorn's protocols that has another name in it; the rest is settings.
    """
    given = {"database": str(folder / "tables.sqlite"), "bot_workers": 1, **settings}
    log = folder / "server.log"
    with log.open("a", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.live", json.dumps(given)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    assert process.stdout is not None
    try:
        port = process.stdout.readline().strip()
        assert port, log.read_text(encoding="utf-8")
        server = LiveServer(f"http://127.0.0.1:{port}", process, log)
        yield server
        if process.poll() is None:
            assert server.stop() == 0, log.read_text(encoding="utf-8")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()


def _rename_in_uvicorn(name: str) -> None:
    """Make it another version of uvicorn, whose protocols call a part of theirs differently."""
    for module in (httptools_impl, websockets_sansio_impl):
        source = inspect.getsource(module)
        other = re.sub(rf"\b{name}\b", f"other_{name}", source)
        if other != source:
            exec(compile(other, module.__name__, "exec"), module.__dict__)


def main() -> None:
    """Serve with the settings given as JSON; the port goes to standard output."""
    given = json.loads(sys.argv[1])
    renamed = given.pop("renamed", None)
    if renamed is not None:
        _rename_in_uvicorn(renamed)
    descriptors = given.pop("descriptors", None)
    if descriptors is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    limits = WireLimits(**given.pop("limits", {}))
    more = {name: given.pop(name) for name in ("grace", "ping") if name in given}
    lists = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    server = prepare(Config(**{**given, **lists}))
    listener = bind("127.0.0.1", 0)
    print(listener.getsockname()[1], flush=True)  # noqa: T201
    serve(server, listener, limits=limits, **more)


if __name__ == "__main__":
    main()
