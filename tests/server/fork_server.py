"""Server processes that start in some milliseconds, to be killed at any moment.

One process has imported everything, and forks a server on demand. Each server is a process of
its own with a real database, a real port and real sockets.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from tests.server_process import GENEROUS


class ForkServer:
    """Starts servers by forking, and reports how they ended."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.fork_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )

    def _ask(self, *words: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the process that forks servers is gone"
        return json.loads(answer)

    def start(self, database: Path, port: int = 0, **settings: Any) -> int:
        """Start a server, on any free port unless one is given; its process id."""
        given = {"database": str(database), "port": port, "log_level": "error"}
        return int(self._ask("start", {**GENEROUS, **given, **settings}))

    def kill(self, pid: int) -> None:
        """Kill it, and wait until it has ended."""
        os.kill(pid, signal.SIGKILL)
        self.wait_for_killed(pid)

    def wait_for_killed(self, pid: int) -> None:
        """Wait for its end: it must have been killed."""
        assert self._ask("wait", pid) == -signal.SIGKILL

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()


def _serve(given: dict[str, Any], ready: int) -> None:
    from millebornes.server.bot_workers import LocalThinkers
    from millebornes.server.config import Config
    from millebornes.server.run import bind, prepare, serve

    workers = given.pop("workers", False)
    config = Config(**given)
    listener = bind("127.0.0.1", config.port)
    server = prepare(config, thinkers=None if workers else LocalThinkers())

    def on_ready() -> None:
        os.write(ready, b"!")
        os.close(ready)

    serve(server, listener, on_ready)


def _start(given: dict[str, Any]) -> int:
    ready, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(ready)
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(2, 1)
            _serve(given, theirs)
            code = 0
        finally:
            os._exit(code)
    os.close(theirs)
    is_ready = os.read(ready, 1)
    os.close(ready)
    assert is_ready, "the server did not start"
    return pid


def main() -> None:
    """Fork and wait for servers, as the lines on standard input ask."""
    import millebornes.server.run  # noqa: F401 (so that servers need not)

    children: set[int] = set()
    for line in sys.stdin:
        word, what = json.loads(line)
        if word == "start":
            answer = _start(what)
            children.add(answer)
        else:
            answer = os.waitstatus_to_exitcode(os.waitpid(what, 0)[1])
            children.discard(what)
        print(json.dumps(answer), flush=True)  # noqa: T201
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
