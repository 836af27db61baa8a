"""What the operator reads: one JSON object a line, never a hidden card, a token or a table id.

An exception's own text is left out, for it may quote anything; its type and the places it
came through are kept. Anyone outside can cause some lines at will, so only a few of the same kind
are written in a minute, and then how many there were.
"""

import json
import logging
import re
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .clock import Clock, SystemClock

__all__ = ["CalmHandler", "Lines", "redacted", "set_up_logs"]

_PATH = re.compile(r"(/tables/|/games/)[^/?\s\"']+")
# Tokens, table ids and link codes are 22 or more such characters; words in messages are not,
# or they have neither capitals nor digits.
_SECRET = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z0-9])[\w-]{22,}(?![\w-])")
_NOISE = (
    # Told with a trace for each text frame that is not UTF-8; it only closes the connection.
    "Invalid UTF-8 sequence",
    # Told for each connection that we refuse with a status of our own (404, 429, 503).
    "ASGI callable returned without completing handshake",
)
"""What uvicorn calls errors and anyone outside can cause at will."""
_QUIET = ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "websockets", "httpx")


_SAME = 5
"""Lines of the same kind that are written in a minute."""
_KINDS = 100
"""Kinds that are told apart in a minute; the others of one logger are one kind together."""
_MINUTE = 60_000


def redacted(text: str) -> str:
    """The text without anything that opens a table or makes someone a guest."""
    return _SECRET.sub("***", _PATH.sub(r"\1***", text))


class Lines(logging.Formatter):
    """Log records as lines of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        said = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": redacted(record.getMessage().strip()),
        }
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            said["error"] = kind.__name__
            said["where"] = ", ".join(_place(step) for step in traceback.extract_tb(trace))
        return json.dumps(said, ensure_ascii=False)


@dataclass
class _Kind:
    """Lines of one logger with the same template."""

    until: int
    level: int
    lines: int = 0


def _origin(record: logging.LogRecord) -> str:
    """Where an error was raised, and its type; empty for a line without one."""
    if not record.exc_info or record.exc_info[0] is None:
        return ""
    kind, _, trace = record.exc_info
    *_, last = traceback.extract_tb(trace) or [None]
    return f" [{kind.__name__}]" if last is None else f" [{kind.__name__} at {_place(last)}]"


def _place(step: traceback.FrameSummary) -> str:
    return f"{Path(step.filename).name}:{step.lineno} {step.name}"


class CalmHandler(logging.StreamHandler[IO[str]]):
    """Writes a few lines of the same kind in a minute, and then how many more there were."""

    def __init__(self, stream: IO[str], clock: Clock) -> None:
        super().__init__(stream)
        self._clock = clock
        self._kinds: dict[tuple[str, str], _Kind] = {}
        """The oldest first."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write this line, unless there were enough of its kind."""
        self._tell_ended()
        kind = self._kind_of(record)
        kind.lines += 1
        if kind.lines <= _SAME:
            super().emit(record)

    def look(self) -> None:
        """Tell of the lines that were left out; for whoever has nothing to log just now."""
        self.acquire()
        try:
            self._tell_ended()
        finally:
            self.release()

    def close(self) -> None:
        """Leave nothing untold."""
        for key in list(self._kinds):
            self._tell(key)
        super().close()

    def _kind_of(self, record: logging.LogRecord) -> "_Kind":
        # The template, not the line: numbers and addresses do not make it another kind.
        # But an error of another type, or from another place, is one.
        key = (record.name, str(record.msg)[:200] + _origin(record))
        if key not in self._kinds and len(self._kinds) >= _KINDS:
            key = (record.name, "")
        return self._kinds.setdefault(key, _Kind(self._clock.now() + _MINUTE, record.levelno))

    def _tell_ended(self) -> None:
        now = self._clock.now()
        while self._kinds:
            first = next(iter(self._kinds))
            if self._kinds[first].until > now:
                return
            self._tell(first)

    def _tell(self, key: tuple[str, str]) -> None:
        kind = self._kinds.pop(key)
        left_out = kind.lines - _SAME
        if left_out > 0:
            name, template = key
            told = "%d more lines of this kind within a minute: %s"
            arguments = (left_out, template.strip() or "others")
            super().emit(logging.LogRecord(name, kind.level, "", 0, told, arguments, None))


def set_up_logs(
    level: str, stream: IO[str] | None = None, clock: Clock | None = None
) -> CalmHandler:
    """Log to a stream (standard error) from this level on; libraries only from warnings on."""
    handler = CalmHandler(stream or sys.stderr, clock or SystemClock())
    handler.setFormatter(Lines())
    handler.addFilter(lambda record: not str(record.msg).startswith(_NOISE))
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in _QUIET:
        library = logging.getLogger(name)
        library.setLevel(max(logging.WARNING, root.level))
        library.propagate = True
        for old in library.handlers[:]:
            library.removeHandler(old)
    return handler
