"""Logging: one JSON object per line, never with a hidden card, a token or a table id.

The text of an exception is left out, because it may quote anything; its type and traceback are
kept. Clients can cause some lines at will, so lines of the same kind are rate-limited: a few per
minute, then the number of suppressed ones.
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

__all__ = ["Lines", "RateLimitedHandler", "redacted", "set_up_logs"]

_PATH = re.compile(r"(/tables/|/games/)[^/?\s\"']+")
# Tokens, table ids and link codes are 22 or more such characters. Words in log messages are
# shorter, or have neither capitals nor digits.
_SECRET = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z0-9])[\w-]{22,}(?![\w-])")
_NOISE = (
    # Logged with a traceback for each text frame that is not UTF-8; it only closes the connection.
    "Invalid UTF-8 sequence",
    # Logged for each WebSocket that we refuse with a status code (404, 429, 503).
    "ASGI callable returned without completing handshake",
)
"""Lines that uvicorn logs as errors, but that any client can cause at will."""
_QUIET = ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "websockets", "httpx")


_SAME = 5
"""Lines of the same kind written per minute."""
_KINDS = 100
"""Kinds tracked per minute; beyond that, each logger has one kind for all others."""
_MINUTE = 60_000


def redacted(text: str) -> str:
    """The text without secrets: table ids, game ids, tokens, link codes."""
    return _SECRET.sub("***", _PATH.sub(r"\1***", text))


class Lines(logging.Formatter):
    """Formats log records as lines of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": redacted(record.getMessage().strip()),
        }
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            line["error"] = kind.__name__
            line["where"] = ", ".join(_place(step) for step in traceback.extract_tb(trace))
        return json.dumps(line, ensure_ascii=False)


@dataclass
class _Kind:
    """Lines of one logger with the same template."""

    until: int
    level: int
    lines: int = 0


def _origin(record: logging.LogRecord) -> str:
    """Type of an exception, and where it was raised; empty if there is none."""
    if not record.exc_info or record.exc_info[0] is None:
        return ""
    kind, _, trace = record.exc_info
    *_, last = traceback.extract_tb(trace) or [None]
    return f" [{kind.__name__}]" if last is None else f" [{kind.__name__} at {_place(last)}]"


def _place(step: traceback.FrameSummary) -> str:
    return f"{Path(step.filename).name}:{step.lineno} {step.name}"


class RateLimitedHandler(logging.StreamHandler[IO[str]]):
    """A handler that rate-limits lines of the same kind, and logs how many it suppressed."""

    def __init__(self, stream: IO[str], clock: Clock) -> None:
        super().__init__(stream)
        self._clock = clock
        self._kinds: dict[tuple[str, str], _Kind] = {}
        """Oldest first."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write this line, unless its kind is over the limit."""
        self._report_expired()
        kind = self._kind_of(record)
        kind.lines += 1
        if kind.lines <= _SAME:
            super().emit(record)

    def report_suppressed(self) -> None:
        """Log the counts of suppressed lines that are due, even if nothing else is logged."""
        self.acquire()
        try:
            self._report_expired()
        finally:
            self.release()

    def close(self) -> None:
        """Report all suppressed lines, then close."""
        for key in list(self._kinds):
            self._report(key)
        super().close()

    def _kind_of(self, record: logging.LogRecord) -> "_Kind":
        # By template, not by line, so that numbers and addresses do not matter. Exceptions of
        # another type, or raised elsewhere, are another kind.
        key = (record.name, str(record.msg)[:200] + _origin(record))
        if key not in self._kinds and len(self._kinds) >= _KINDS:
            key = (record.name, "")
        return self._kinds.setdefault(key, _Kind(self._clock.now() + _MINUTE, record.levelno))

    def _report_expired(self) -> None:
        now = self._clock.now()
        while self._kinds:
            first = next(iter(self._kinds))
            if self._kinds[first].until > now:
                return
            self._report(first)

    def _report(self, key: tuple[str, str]) -> None:
        kind = self._kinds.pop(key)
        suppressed = kind.lines - _SAME
        if suppressed > 0:
            name, template = key
            text = "%d more lines of this kind within a minute: %s"
            arguments = (suppressed, template.strip() or "others")
            super().emit(logging.LogRecord(name, kind.level, "", 0, text, arguments, None))


def set_up_logs(
    level: str, stream: IO[str] | None = None, clock: Clock | None = None
) -> RateLimitedHandler:
    """Log to a stream (default: standard error) at this level; libraries at least at warning."""
    handler = RateLimitedHandler(stream or sys.stderr, clock or SystemClock())
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
