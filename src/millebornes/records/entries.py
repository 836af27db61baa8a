"""The syntax shared by positions and games: `key: values` entries, line by line.

A line that starts with a key and a colon begins an entry; any other line continues the
entry above. A word with capitals is a key only if the reader has such a key, so that a title
may go on with `Note: …`. `#` starts a comment, `---` alone on a line separates parts.
"""

import json
import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from millebornes.rules.quote import shortened

from .error import RecordError

__all__ = [
    "Entry",
    "Word",
    "fill",
    "integer",
    "quote",
    "quoted",
    "read_entries",
    "read_parts",
    "text_value",
    "unexpected",
]

_KEY = re.compile(r"([A-Za-z]+)(?: +([0-9]{1,2}))? *:")
_NAMED_KEY = re.compile(r"([A-Za-z]+) +([^:\s][^:]*?) *:")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_NUMBER = re.compile(r"[0-9]{1,9}")
_SURROGATES = re.compile("[\ud800-\udfff]")
_WIDTH = 78
_MAX_QUOTE = 40


class Word(NamedTuple):
    """One word of the text and its position; lines and columns count from 1."""

    text: str
    line: int
    column: int
    written: str | None = None
    """What was written, where the judge has read names in it."""


class Entry(NamedTuple):
    """A key, optionally with a seat or side, and its words."""

    key: str
    number: int | None
    words: tuple[Word, ...]
    line: int
    column: int
    """Where the first word starts, or would start."""
    name: str | None = None
    """A name in place of the number, which only judge's files may have."""

    @property
    def label(self) -> str:
        """The key as written."""
        of = self.name if self.number is None else self.number
        return self.key if of is None else f"{self.key} {of}"

    def end(self) -> tuple[int, int]:
        """The line and column of the next word, if there were one."""
        if not self.words:
            return self.line, self.column
        last = self.words[-1]
        return last.line, last.column + len(last.text) + 1

    def raw(self) -> str:
        """The words as one text."""
        return " ".join(word.text for word in self.words)

    def found(self) -> str:
        """The words, quoted for an error message."""
        return quote(self.raw()) if self.words else "nothing"

    def single(self, expected: str) -> Word:
        """The only word of this entry; an error if there are more or none."""
        if not self.words:
            raise RecordError(*self.end(), "nothing", expected)
        if len(self.words) > 1:
            raise unexpected(
                self.words[1], f"nothing after {shortened(self.words[0].text, _MAX_QUOTE)}"
            )
        return self.words[0]


def unexpected(word: Word, expected: str) -> RecordError:
    """The error for a word that should have been something else."""
    return RecordError(word.line, word.column, quote(word.written or word.text), expected)


def quote(text: str) -> str:
    """The text in quotes, shortened for an error message."""
    return f"'{shortened(text, _MAX_QUOTE)}'"


def integer(word: Word, low: int, high: int, what: str) -> int:
    """A whole number in a range."""
    if _NUMBER.fullmatch(word.text) and low <= int(word.text) <= high:
        return int(word.text)
    raise unexpected(word, f"{what} from {low} to {high}" if low < high else f"{what} {low}")


def text_value(word: Word) -> str:
    """The value of a text in double quotes."""
    expected = 'a text in double quotes, such as "Léa"'
    if not word.text.startswith('"'):
        raise unexpected(word, expected)
    try:
        text = str(json.loads(word.text))
    except ValueError:
        raise unexpected(word, expected) from None
    if _SURROGATES.search(text):
        raise unexpected(word, "a text without lone surrogates")
    return text


def quoted(text: str) -> str:
    """A text in double quotes, on one line."""
    # Escape line breaks of every kind, so that a name stays on its line; replace a lone
    # surrogate, so that the text can be read back.
    line = json.dumps(_SURROGATES.sub("\ufffd", text), ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029]", lambda m: f"\\u{ord(m[0]):04x}", line)


def fill(head: str, words: list[str]) -> str:
    """An entry, wrapped onto indented lines if it is long."""
    lines = [head]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append(" ")
        lines[-1] += " " + word
    return "".join(line + "\n" for line in lines)


def read_parts(text: str, keys: Container[str], named: Container[str] = ()) -> list[list[Entry]]:
    """The entries of each part of a text; parts are separated by `---`.

    `keys` are those that the reader knows; their case is kept as it is written. The keys in
    `named` may have a name in place of a number.
    """
    parts: list[list[Entry]] = [[]]
    for number, line in enumerate(_lines(text), start=1):
        if line.strip() == "---":
            parts.append([])
            continue
        start = _KEY.match(line)
        if start and (start[1].islower() or start[1].lower() in keys):
            seat_or_side = None if start[2] is None else int(start[2])
            parts[-1].append(_entry(start, line, number, seat_or_side))
            continue
        start = _NAMED_KEY.match(line)
        if start and start[1].lower() in named:
            parts[-1].append(_entry(start, line, number, None, start[2]))
            continue
        words = tuple(_words(line, number, 0))
        if not words:
            continue
        if not parts[-1]:
            raise unexpected(words[0], "a key and a colon, such as 'players: 2'")
        entry = parts[-1][-1]
        parts[-1][-1] = entry._replace(words=entry.words + words)
    return parts


def _entry(
    start: re.Match[str], line: str, number: int, seat_or_side: int | None, name: str | None = None
) -> Entry:
    words = tuple(_words(line, number, start.end()))
    column = words[0].column if words else start.end() + 1
    return Entry(start[1], seat_or_side, words, number, column, name)


def read_entries(text: str, what: str, keys: Container[str]) -> list[Entry]:
    """The entries of a text that must have only one part; `keys` as for `read_parts`."""
    parts = read_parts(text, keys)
    if len(parts) > 1:
        line = next(n for n, line in enumerate(_lines(text), start=1) if line.strip() == "---")
        raise RecordError(line, 1, "'---'", f"one {what} only")
    return parts[0]


def _lines(text: str) -> Iterator[str]:
    # Not splitlines(): only \n and \r\n end a line, as editors count them.
    for line in text.split("\n"):
        yield line.removesuffix("\r")


def _words(line: str, number: int, start: int) -> Iterator[Word]:
    for found in _WORD.finditer(line, start):
        if found[0].startswith("#"):
            return
        yield Word(found[0], number, found.start() + 1)
