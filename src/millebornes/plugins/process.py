"""A bot's process: a line goes in, a line comes out, within a time limit.

Nothing that the process does can block its owner for longer than that, or fill its memory.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence

from .pipes import pipes_of
from .player import BotFailure, Fault, safe

__all__ = ["LONGEST_LINE", "BotProcess"]

LONGEST_LINE = 1 << 16
"""The longest line that a bot may say, in bytes."""

_CHUNK = 1 << 16
_LAST_WORDS = 1 << 12
"""How much of its standard error is kept, in bytes."""
_LAST_LINES, _EPITAPH = 3, 240
"""How many lines and characters of that a report quotes: the last ones say what happened."""
_GRACE = 1.0
"""Seconds between asking a process to end, and ending it."""

# Windows has neither `poll` nor process groups.
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)
_HAS_GROUPS = os.name == "posix"


class BotProcess:
    """A child process, and its children: it leads a process group of its own."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 (its name was given by the user)
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=_HAS_GROUPS,
            )
        except (OSError, ValueError) as error:
            raise BotFailure("died", f"it cannot be started: {safe(str(error))}") from None
        self._pipes = pipes_of(self._process)
        self._selector = _Selector()
        self._selector.register(self._pipes.stdout, selectors.EVENT_READ)
        self._selector.register(self._pipes.stderr, selectors.EVENT_READ)
        self._incoming = bytearray()
        self._outgoing = bytearray()
        self._last_words = b""
        self._has_stdout = True
        self._failure: BotFailure | None = None
        self._is_closed = False

    @property
    def exit_code(self) -> int | None:
        """The exit code; negative: the signal that ended it; None: it has not ended."""
        return self._process.returncode

    @property
    def unread(self) -> bytes:
        """What it has said and nobody has read."""
        return bytes(self._incoming)

    def ask(self, line: bytes, patience: float) -> bytes:
        """Send a line, and wait for a line. Raises `BotFailure`, and then the process is gone."""
        self.send(line)
        deadline = time.monotonic() + patience
        while (answer := self._next_line()) is None:
            if not self._has_stdout:
                raise self._fail("died", self._epitaph())
            if not self._wait(deadline):
                raise self._fail("hung", f"no answer within {patience:g} s")
        return answer

    def send(self, line: bytes) -> None:
        """Have a line sent with the next question."""
        if self._failure is not None:
            raise self._failure
        if not self._outgoing and not self._pipes.stdin.closed:
            self._selector.register(self._pipes.stdin, selectors.EVENT_WRITE)
        self._outgoing += line

    def nonsense(self, detail: str) -> BotFailure:
        """The process has said what it may not say: end it."""
        return self._fail("nonsense", detail)

    def close(self, last_line: bytes = b"", grace: float = _GRACE) -> bool:
        """End the process and its children. Return whether it has ended by itself."""
        if self._is_closed:
            return True
        self._is_closed = True
        if last_line and self._failure is None:
            self.send(last_line)
        deadline = time.monotonic() + grace
        while self._outgoing and self._has_stdout and self._wait(deadline):
            pass
        self._stop_writing()
        self._pipes.stdin.close()
        # Reading on: a process that waits for its output to be read could not end.
        while self._selector.get_map() and self._wait(deadline):
            self._incoming[LONGEST_LINE:] = b""
        has_ended = self._has_ended_by(deadline)
        self._end_group()
        self._selector.close()
        self._pipes.close()
        self._failure = self._failure or BotFailure("died", "it was closed")
        return has_ended

    def _next_line(self) -> bytes | None:
        end = self._incoming.find(b"\n")
        if end < 0 and len(self._incoming) <= LONGEST_LINE:
            return None
        if not 0 <= end <= LONGEST_LINE:
            raise self._fail("nonsense", f"a line of more than {LONGEST_LINE} bytes")
        line = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        return line

    def _wait(self, deadline: float) -> bool:
        """Wait until something can be written or read, and do so. Return False if out of time."""
        left = deadline - time.monotonic()
        for key, _ in self._selector.select(max(left, 0)):
            if key.fileobj is self._pipes.stdin:
                self._write()
            else:
                self._read(key.fileobj is self._pipes.stdout)
        return left > 0

    def _write(self) -> None:
        try:
            sent = self._pipes.stdin.write(self._outgoing[:_CHUNK])
        except OSError:
            # It no longer listens. Whether it has died, its output will tell.
            self._stop_writing()
            return
        del self._outgoing[: sent or 0]
        if not self._outgoing:
            self._stop_writing()

    def _stop_writing(self) -> None:
        self._outgoing.clear()
        if self._pipes.stdin in self._selector.get_map():
            self._selector.unregister(self._pipes.stdin)

    def _read(self, is_stdout: bool) -> None:
        pipe = self._pipes.stdout if is_stdout else self._pipes.stderr
        try:
            chunk = pipe.read(_CHUNK)
        except OSError:
            chunk = b""
        if chunk is None:
            return
        if not chunk:
            self._selector.unregister(pipe)
            self._has_stdout = self._has_stdout and not is_stdout
        elif is_stdout:
            self._incoming += chunk
        else:
            self._last_words = (self._last_words + chunk)[-_LAST_WORDS:]

    def _fail(self, fault: Fault, detail: str) -> BotFailure:
        self._failure = BotFailure(fault, detail)
        self.close(grace=0)
        return self._failure

    def _epitaph(self) -> str:
        """How it ended, and what it said last."""
        deadline = time.monotonic() + _GRACE
        while self._selector.get_map() and self._wait(deadline):
            pass
        if not self._has_ended_by(deadline):
            return "it has closed its output"
        code = self._process.returncode
        ended = f"exit code {code}"
        if code < 0:
            with contextlib.suppress(ValueError):
                ended = f"ended by {signal.Signals(-code).name}"
        lines = self._last_words.decode("utf-8", "replace").splitlines()
        words = safe(" ".join(lines[-_LAST_LINES:]), _LAST_WORDS)
        shown = words if len(words) <= _EPITAPH else "..." + words[-_EPITAPH:]
        return f"{ended}: {shown}" if shown else ended

    def _has_ended_by(self, deadline: float) -> bool:
        try:
            self._process.wait(max(deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            return False
        return True

    def _end_group(self) -> None:
        """End what is left of the process and its children."""
        if self._process.returncode is None:
            self._signal(signal.SIGTERM)
            self._has_ended_by(time.monotonic() + _GRACE)
        # Even if the process has ended: its children may not have.
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self._process.wait()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if _HAS_GROUPS:
                os.killpg(self._process.pid, number)
            else:
                self._process.kill()
