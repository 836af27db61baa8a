"""Names that could be taken for each other: the skeletons of UTS #39."""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources

__all__ = ["lookalike"]


def lookalike(name: str, others: Iterable[str]) -> str | None:
    """The first of these names that this one could be taken for."""
    skeletons = _skeletons(name)
    return next((other for other in others if skeletons & _skeletons(other)), None)


@lru_cache(1024)
def _skeletons(name: str) -> frozenset[str]:
    """Two names look alike if they share one of these.

    Names that differ in capitals only are the same name here, but a capital looks like other
    characters than its small letter does (I like l, В like B): so both forms count.
    """
    return frozenset(_skeleton(_skeleton(form).casefold()) for form in (name, name.casefold()))


def _skeleton(text: str) -> str:
    """The text with every character replaced by the simplest that looks like it."""
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).translate(_table()))


@cache
def _table() -> Mapping[int, str]:
    """Read when it is first needed: the terminal game never does."""
    text = resources.files(__package__).joinpath("confusables.txt").read_text("utf-8")
    table: dict[int, str] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            prototype, sources = (
                [int(code, 16) for code in part.split()] for part in line.split(":")
            )
            table.update(dict.fromkeys(sources, "".join(map(chr, prototype))))
    return table
