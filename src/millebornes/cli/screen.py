"""Printing lines and reading answers: at a terminal, or through a pipe without escape codes."""

import codecs
import contextlib
import json
import os
import sys
import unicodedata
from collections.abc import Iterable
from io import TextIOWrapper

from rich.console import Console
from rich.text import Text

__all__ = ["Screen", "degrade_gracefully"]

_NARROWEST = 40
_WIDEST = 100
# One character for one, so that columns stay aligned.
_PLAIN_SIGNS = {
    "━": "=",
    "╌": "-",
    "─": "-",
    "▶": ">",
    "■": "#",
    "┃": "|",
    "·": "-",
    "×": "x",
    "±": "~",
    "…": ".",
    "—": "-",
    "–": "-",
    "«": '"',
    "»": '"',
    "“": '"',
    "”": '"',
    "’": "'",
    "œ": "o",
}


class Screen:
    """Prints text literally: no markup, no wrapping, colour only where it is supported."""

    def __init__(self) -> None:
        self.console = _console(stderr=False)
        self.errors = _console(stderr=True)

    @property
    def width(self) -> int:
        """Columns to draw in."""
        return max(_NARROWEST, min(_WIDEST, self.console.width))

    def show(self, lines: Iterable[Text | str]) -> None:
        """Print lines."""
        for line in lines:
            self.console.print(_printable(line))

    def json(self, value: object) -> None:
        """Print a value as JSON."""
        encoding = getattr(self.console.file, "encoding", None) or "ascii"
        lossless = encoding.lower().replace("-", "") == "utf8"
        text = json.dumps(value, ensure_ascii=not lossless, indent=2)
        self.console.print(_printable(text))

    def complain(self, sentence: str) -> None:
        """Print an error."""
        self.errors.print(_printable(f"millebornes: {sentence}"))

    def close_output(self) -> None:
        """Discard the rest of the output, which would otherwise fail again at exit."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)

    def ask(self, question: str) -> str:
        """Ask, and read one line. Raises EOFError at the end of the input."""
        if sys.stdin is None:
            raise EOFError
        question = _clean(question) + " "
        if sys.stdin.isatty() and sys.stdout.isatty():
            _with_line_editing()
            # input() prints the question, so that line editing knows where the line starts.
            return input(question)
        # Not input(): it swallows a Ctrl-C that comes while it prints the question.
        self.console.print(question, end="")
        self.console.file.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        answer = line.rstrip("\r\n")
        self.console.print(_printable(answer))  # for a readable transcript
        return answer


def degrade_gracefully() -> None:
    """Replace characters that the terminal cannot show or send, instead of failing."""
    codecs.register_error("millebornes.plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="millebornes.plain")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def _console(*, stderr: bool) -> Console:
    return Console(
        stderr=stderr,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=True,
        # With NO_COLOR, Rich would still write bold and dim; here it means no codes at all.
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


def _with_line_editing() -> None:
    # Only at a real terminal: the import may write escape codes to the output.
    with contextlib.suppress(ImportError):  # not on every system
        import readline  # noqa: F401, PLC0415


def _printable(line: Text | str) -> Text:
    if isinstance(line, Text):
        if line.plain == _clean(line.plain):
            return line
        line = line.plain
    return Text(_clean(line))


def _clean(text: str) -> str:
    """The text without control codes, which names and files may hold for the terminal to obey."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(sign) == "Cc" and sign != "\n" else sign
        for sign in text
    )


def _plain(error: UnicodeError) -> tuple[str, int]:
    """The nearest characters that the terminal has: é becomes e."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end]
    return "".join(_plain_sign(sign, error.encoding) for sign in found), error.end


def _plain_sign(sign: str, encoding: str) -> str:
    plain = _PLAIN_SIGNS.get(sign) or "".join(
        part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part)
    )
    try:
        plain.encode(encoding)
    except UnicodeError:
        return "?"
    return plain
