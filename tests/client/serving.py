"""Servers as a person starts them: `millebornes serve`, on a free port of this machine."""

import contextlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

PATIENCE = 30  # only how long a broken program is waited for
COMMAND = (sys.executable, "-m", "millebornes")
GENEROUS = (
    *("--requests-per-second", "100000", "--messages-per-second", "100000"),
    *("--guests-per-minute", "100000", "--sockets-per-address", "10000"),
    *("--tables-per-address", "100000", "--tables-per-minute", "100000"),
)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MILLEBORNES_")}
    return {**kept, "LC_ALL": "C.UTF-8", "COLUMNS": "80", "PYTHONUNBUFFERED": "1"}


def _is_quiet(line: str) -> bool:
    try:
        level = json.loads(line)["level"]
    except ValueError:
        return False
    return level in ("debug", "info")


class Server:
    """One server, that can be killed and started again on the same port and database."""

    def __init__(self, folder: Path, command: Sequence[str] = COMMAND) -> None:
        self.folder = folder
        self.command = command
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[str] | None = None
        self.told: dict[str, Any] = {}
        self._database = folder / "tables.sqlite"

    def start(self) -> None:
        with (self.folder / "server.log").open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [
                    *(*self.command, "serve", "--json", "--port", str(self.port)),
                    *("--database", str(self._database), "--bot-workers", "1"),
                    *("--log-level", "warning", *GENEROUS),
                ],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment(),
            )
        assert self.process.stdout is not None
        told = ""
        while not told.endswith("}\n"):
            line = self.process.stdout.readline()
            assert line, self.log()
            told += line
        self.told = json.loads(told)

    def kill(self) -> None:
        """As a power cut does it."""
        assert self.process is not None
        self.process.kill()
        self._end()

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """As a person does it; the exit code."""
        assert self.process is not None
        self.process.send_signal(how)
        return self._end()

    def _end(self) -> int:
        assert self.process is not None
        assert self.process.stdout is not None
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process = None
        return code

    def back_up(self) -> None:
        """A copy of the database as it is now."""
        with (
            contextlib.closing(sqlite3.connect(self._database)) as database,
            contextlib.closing(sqlite3.connect(self.folder / "backup.sqlite")) as copy,
        ):
            database.backup(copy)

    def restore(self) -> None:
        """The copy in place of what is there: the server must be down."""
        assert self.process is None
        for left in ("-wal", "-shm"):
            Path(f"{self._database}{left}").unlink(missing_ok=True)
        shutil.copyfile(self.folder / "backup.sqlite", self._database)

    def log(self) -> str:
        return (self.folder / "server.log").read_text(encoding="utf-8")

    def troubles(self) -> list[str]:
        """Warnings, errors, and whatever else was printed that is no line of the log."""
        return [line for line in self.log().splitlines() if not _is_quiet(line)]


@contextlib.contextmanager
def serving(folder: Path, command: Sequence[str] = COMMAND) -> Iterator[Server]:
    """A server that is up, and is stopped at the end."""
    server = Server(folder, command)
    server.start()
    try:
        yield server
        if server.process is not None:
            assert server.stop() == 0, server.log()
    finally:
        if server.process is not None:
            server.kill()
