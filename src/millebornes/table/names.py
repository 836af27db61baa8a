"""Names and lines of text as a table shows them: one line of visible characters, each name once."""

import unicodedata
from collections.abc import Collection
from itertools import count

__all__ = ["BOT_NAMES", "NAME_LENGTH", "clean_name", "clean_text", "free_name"]

NAME_LENGTH = 24
BOT_NAMES = ("Léa", "Hugo", "Chloé", "Louis", "Manon", "Jules", "Inès", "Gabin")


def clean_name(name: str) -> str | None:
    """A name as it is shown: NFC, one line, not too long; None if nothing is left."""
    text = " ".join(clean_text(name).split())
    return text if 0 < len(text) <= NAME_LENGTH else None


def clean_text(text: str) -> str:
    """Text without control and format characters (no tricks with direction or width)."""
    normal = unicodedata.normalize("NFC", text)
    return "".join(
        " " if unicodedata.category(char) in ("Zl", "Zp") else char
        for char in normal
        if unicodedata.category(char)[0] != "C" or char in "\t\n"
    )


def free_name(name: str, taken: Collection[str]) -> str:
    """This name, or with a number behind it if somebody has it, in whatever capitals."""
    folded = {other.casefold() for other in taken}
    if name.casefold() not in folded:
        return name
    endings = (f" {number}" for number in count(2))
    candidates = (name[: NAME_LENGTH - len(ending)].rstrip() + ending for ending in endings)
    return next(candidate for candidate in candidates if candidate.casefold() not in folded)
