"""Names that could be mistaken for each other, compared by their UTS #39 skeletons."""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources

__all__ = ["lookalike"]


def lookalike(name: str, others: Iterable[str]) -> str | None:
    """The first of these names that this one could be mistaken for."""
    skeletons = _skeletons(name)
    return next((other for other in others if skeletons & _skeletons(other)), None)


@lru_cache(1024)
def _skeletons(name: str) -> frozenset[str]:
    """The skeletons of a name: two names look alike if they have one in common.

    Case makes no difference between names. But a capital may resemble other characters than
    its small letter does (I like l, В like B), so both forms of a name count.
    """
    return frozenset(_skeleton(_skeleton(form).casefold()) for form in (name, name.casefold()))


def _skeleton(text: str) -> str:
    """The text with every character replaced by the simplest one that looks like it."""
    return unicodedata.normalize(
        "NFKD", unicodedata.normalize("NFKD", text).translate(_confusables())
    )


@cache
def _confusables() -> Mapping[int, str]:
    """Unicode's table of confusables. Read on first use: the terminal game never needs it."""
    text = resources.files(__package__).joinpath("confusables.txt").read_text("utf-8")
    table: dict[int, str] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            prototype, sources = (
                [int(code, 16) for code in part.split()] for part in line.split(":")
            )
            table.update(dict.fromkeys(sources, "".join(map(chr, prototype))))
    return table
