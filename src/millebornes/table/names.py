"""Names and lines of text as a table shows them: one line of visible characters, each name once."""

import unicodedata
from collections.abc import Collection
from itertools import count

from .table import Refused

__all__ = [
    "BOT_NAMES",
    "NAME_LENGTH",
    "checked_name",
    "clean_name",
    "clean_text",
    "free_name",
    "is_shown",
    "without_selectors",
]

NAME_LENGTH = 24
BOT_NAMES = ("Léa", "Hugo", "Chloé", "Louis", "Manon", "Jules", "Inès", "Gabin")

_SELECTORS = frozenset(
    map(chr, [*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
)
"""They choose between the shapes of the character before: phones put them behind emoji, and
Japanese keyboards behind the characters of names. Alone they draw nothing."""
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159")
"""Letters, marks and symbols that draw nothing: those with the property
Default_Ignorable_Code_Point that are neither format characters nor selectors, and a few more
(the empty Braille cell, a note without a head)."""
_MARKS = 4
"""Most marks in a row on one letter, as UTS #39 has it: some scripts write vowels with them, …"""
_ACCENTS = 2
"""… and most accents, which no script needs more of. A tower of them covers other lines."""


def checked_name(name: str) -> str | Refused:
    """The name as tables show it, or why it is refused, whoever else is at the table."""
    cleaned = clean_name(without_selectors(name))
    if cleaned is None:
        return Refused("bad_name", {"most": NAME_LENGTH})
    return cleaned if is_shown(cleaned) else Refused("name_not_shown")


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


def without_selectors(text: str) -> str:
    """The same characters, each in its usual shape."""
    return "".join(char for char in text if char not in _SELECTORS)


def is_shown(name: str) -> bool:
    """Can all of this be seen, without covering what is around it?"""
    text = unicodedata.normalize("NFC", without_selectors(name))
    before, marks = " ", 0
    for char in text:
        category = unicodedata.category(char)
        if char in _BLANKS or (category[0] == "M" and before == " "):
            return False
        if category in ("Mn", "Me"):
            marks += 1
            is_accent = unicodedata.name(char, "").startswith("COMBINING ")
            if char == before or marks > (_ACCENTS if is_accent else _MARKS):
                return False
        elif category != "Mc":
            marks = 0
        before = char
    return bool(text.strip())
