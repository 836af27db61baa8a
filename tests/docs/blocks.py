"""The fenced blocks of a page."""

import re
from pathlib import Path
from typing import NamedTuple

_FENCE = re.compile(r"^```([a-z-]*)\n(.*?)^```$", re.M | re.S)


class Block(NamedTuple):
    """A fenced block, its kind as written after the fence, and its first line."""

    kind: str
    text: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line}"


def blocks_of(page: Path) -> list[Block]:
    """Every fenced block, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2], text.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(text)
    ]
