"""What the operator reads: one JSON object a line, never a hidden card, a token or a table id.

An exception's own text is left out, for it may quote anything; its type and the places it
came through are kept.
"""

import json
import logging
import re
import sys
import traceback
from pathlib import Path
from typing import IO

__all__ = ["Lines", "redacted", "set_up_logs"]

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
            said["where"] = ", ".join(
                f"{Path(step.filename).name}:{step.lineno} {step.name}"
                for step in traceback.extract_tb(trace)
            )
        return json.dumps(said, ensure_ascii=False)


def set_up_logs(level: str, stream: IO[str] | None = None) -> None:
    """Log to a stream (standard error) from this level on; libraries only from warnings on."""
    handler = logging.StreamHandler(stream or sys.stderr)
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
