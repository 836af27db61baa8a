"""A real server process: `millebornes serve` on a free port of this machine.

    python -m tests.server_process CHANGES serve …

is the same command with changes that no setting makes: see `main`.
"""

import contextlib
import functools
import inspect
import json
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

PATIENCE = 30
"""Seconds to wait for a server that is broken."""
COMMAND = (sys.executable, "-m", "millebornes")
GENEROUS: dict[str, Any] = {
    "requests_per_second": 100_000,
    "messages_per_second": 100_000,
    "talk_per_second": 100_000,
    "tables_per_guest": 100_000,
    "tables_per_address": 100_000,
    "tables_per_minute": 100_000,
    "house_rules_per_minute": 100_000,
    "judgements_per_minute": 100_000,
    "score_pads_per_minute": 100_000,
    "guests_per_minute": 100_000,
    "sockets_per_address": 10_000,
    "connections_per_address": 10_000,
}
"""Rate limits that a test never reaches."""
_ROOT = Path(__file__).parents[1]


class ReservedPort:
    """A port that no other program is given until it is released, though servers may use it."""

    def __init__(self) -> None:
        self._socket = socket.socket()
        # Linux lets a server listen on the port of a socket that is bound, but does not listen.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", 0))
        self.number = int(self._socket.getsockname()[1])
        if sys.platform != "linux":
            self.release()

    def release(self) -> None:
        self._socket.close()


def environment(settings: Mapping[str, Any] | None = None) -> dict[str, str]:
    """The environment of a command: English, 80 columns, these settings of a server."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MILLEBORNES_")}
    given = {f"MILLEBORNES_{key.upper()}": _text(value) for key, value in (settings or {}).items()}
    return {**kept, "LC_ALL": "C.UTF-8", "COLUMNS": "80", "PYTHONUNBUFFERED": "1", **given}


def _text(value: Any) -> str:
    return ",".join(value) if isinstance(value, list | tuple) else str(value)


class ServerProcess:
    """A server that can be killed and started again on the same port and database."""

    def __init__(
        self, folder: Path, command: Sequence[str] = COMMAND, settings: Mapping[str, Any] = {}
    ) -> None:
        self._database = folder / "tables.sqlite"
        self._backup = folder / "backup.sqlite"
        self._log = folder / "server.log"
        self._port = ReservedPort()
        self._command = command
        self._settings = {"database": self._database, "bot_workers": 1, **settings}
        self.process: subprocess.Popen[str] | None = None
        self.port = self._port.number
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        with self._log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [*self._command, "serve", "--json", "--port", str(self.port)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=_ROOT,
                env=environment(self._settings),
            )
        assert self.process.stdout is not None
        greeting = ""
        while not greeting.endswith("}\n"):
            line = self.process.stdout.readline()
            assert line, self.log_text()
            greeting += line

    def wait_until_ready(self) -> None:
        """Wait until every bot can play. Nothing but asking tells."""
        end = time.monotonic() + 2 * PATIENCE
        while (status := self._status()) == "warming_up":
            assert time.monotonic() < end, self.log_text()
            time.sleep(0.1)
        assert status == "ready"

    def _status(self) -> str:
        return str(httpx.get(f"{self.url}/api/ready", timeout=PATIENCE).json()["status"])

    def send(self, what: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(what)

    def wait(self) -> int:
        """Wait for its end; its exit code."""
        assert self.process is not None
        assert self.process.stdout is not None
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process = None
        return code

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it in the ordinary way; its exit code."""
        self.send(how)
        return self.wait()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.send(signal.SIGKILL)
        self.wait()

    def close(self) -> None:
        """End it, if it is running, and give its port back."""
        if self.process is not None:
            self.kill()
        self._port.release()

    # The work of an operator

    def back_up(self) -> None:
        """Copy the database as it is now."""
        with (
            contextlib.closing(sqlite3.connect(self._database)) as database,
            contextlib.closing(sqlite3.connect(self._backup)) as copy,
        ):
            database.backup(copy)

    def restore(self) -> None:
        """Put the copy in place of the database: the server must be down."""
        assert self.process is None
        for left in ("-wal", "-shm"):
            Path(f"{self._database}{left}").unlink(missing_ok=True)
        shutil.copyfile(self._backup, self._database)

    def log_text(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def log(self) -> list[dict[str, Any]]:
        """The lines of its log so far."""
        return [json.loads(line) for line in self.log_text().splitlines()]

    def troubles(self) -> list[str]:
        """Warnings, errors, and lines that are not of the log."""
        return [line for line in self.log_text().splitlines() if not _is_quiet(line)]

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def rss(self) -> int:
        """Resident memory in kilobytes."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(
            next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]
        )


def _is_quiet(line: str) -> bool:
    try:
        level = json.loads(line)["level"]
    except ValueError:
        return False
    return level in ("debug", "info")


@contextlib.contextmanager
def server_process(
    folder: Path,
    *,
    command: Sequence[str] = COMMAND,
    changes: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Iterator[ServerProcess]:
    """A server that is up, and must stop without an error at the end.

    `changes` are those of `main`; the rest are settings of the server.
    """
    if changes is not None:
        command = (sys.executable, "-m", "tests.server_process", json.dumps(changes))
    server = ServerProcess(folder, command, settings)
    try:
        server.start()
        yield server
        if server.process is not None:
            assert server.stop() == 0, server.log_text()
    finally:
        server.close()


def _rename_in_uvicorn(name: str) -> None:
    """Make it another version of uvicorn, whose protocols call a part of theirs differently."""
    from uvicorn.protocols.http import httptools_impl
    from uvicorn.protocols.websockets import websockets_sansio_impl

    for module in (httptools_impl, websockets_sansio_impl):
        source = inspect.getsource(module)
        other = re.sub(rf"\b{name}\b", f"other_{name}", source)
        if other != source:
            exec(compile(other, module.__name__, "exec"), module.__dict__)


def main() -> None:
    """Run the command with changes, given as JSON.

    `grace` is how long the server waits for requests when it stops, `ping` how long for silent
    clients, in seconds; `limits` are those of the wire; `descriptors` is how many the process may
    have; `renamed` is a part of uvicorn's protocols that has another name.
    """
    from millebornes.server import run
    from millebornes.server.wire import WireLimits

    changes = json.loads(sys.argv.pop(1))
    if "renamed" in changes:
        _rename_in_uvicorn(changes.pop("renamed"))
    if "descriptors" in changes:
        most = changes.pop("descriptors")
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    limits = WireLimits(**changes.pop("limits", {}))
    run.serve = functools.partial(run.serve, limits=limits, **changes)

    from millebornes.__main__ import main as command

    command()


if __name__ == "__main__":
    main()
