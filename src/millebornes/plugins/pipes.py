"""The pipes to and from a child process, as files that a selector can wait for.

POSIX waits for pipes themselves. Windows waits for sockets only, so there a thread copies each
pipe to or from one.
"""

import os
import socket
from collections.abc import Callable
from io import RawIOBase
from threading import Thread
from typing import IO, TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from subprocess import Popen

__all__ = ["Pipes", "copied", "pipes_of"]

_CHUNK = 1 << 16


class Pipes(NamedTuple):
    """Our ends: none of them ever blocks."""

    stdin: RawIOBase
    stdout: RawIOBase
    stderr: RawIOBase

    def close(self) -> None:
        """Close all ends."""
        for pipe in self:
            pipe.close()


def pipes_of(process: "Popen[bytes]") -> Pipes:
    """Our ends of a process that was started with unbuffered pipes."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    if os.name != "posix":
        return copied(process.stdin, process.stdout, process.stderr)
    for pipe in (process.stdin, process.stdout, process.stderr):
        os.set_blocking(pipe.fileno(), False)
    return Pipes(*(cast("RawIOBase", p) for p in (process.stdin, process.stdout, process.stderr)))


def copied(stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> Pipes:
    """Sockets that threads connect with these pipes. The threads end with the pipes."""
    return Pipes(
        _connected(lambda near: _copy(near.recv, stdin.write, stdin)),
        _connected(lambda near: _copy(stdout.read, near.sendall, stdout)),
        _connected(lambda near: _copy(stderr.read, near.sendall, stderr)),
    )


def _connected(copy: Callable[[socket.socket], None]) -> RawIOBase:
    near, far = socket.socketpair()

    def run() -> None:
        with near:
            copy(near)

    Thread(target=run, daemon=True).start()
    far.setblocking(False)
    with far:  # the file keeps the socket open
        return cast("RawIOBase", far.makefile("rwb", buffering=0))


def _copy(read: Callable[[int], bytes], write: Callable[[bytes], object], pipe: IO[bytes]) -> None:
    """Copy until either side ends, then close the pipe."""
    try:
        with pipe:
            while chunk := read(_CHUNK):
                write(chunk)
    except OSError:
        pass  # the process or its owner has closed the other end
