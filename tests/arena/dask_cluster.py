"""A real Dask scheduler and workers, processes on the loopback interface."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

_QUIET = ("--no-dashboard", "--host", "127.0.0.1")


class DaskCluster(NamedTuple):
    address: str
    scheduler: subprocess.Popen[str]
    workers: list[subprocess.Popen[str]]


@contextmanager
def dask_cluster(workers: int) -> Iterator[DaskCluster]:
    """Start everything, and end it."""
    with ExitStack() as stack:
        scheduler = stack.enter_context(_process("dask_scheduler", "--port", "0"))
        address = _wait_for(scheduler, r"Scheduler at:\s+(\S+)")
        started = [
            stack.enter_context(_process("dask_worker", address, "--nthreads", "1", "--no-nanny"))
            for _ in range(workers)
        ]
        for worker in started:
            _wait_for(worker, r"Registered to:\s+(\S+)")
        yield DaskCluster(address, scheduler, started)


@contextmanager
def _process(program: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", f"distributed.cli.{program}", *options, *_QUIET]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _wait_for(process: subprocess.Popen[str], pattern: str) -> str:
    """What a process says on standard error, as soon as it has said it."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError("".join(said))
