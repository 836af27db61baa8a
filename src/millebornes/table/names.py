"""Cleans names and lines of chat: one line of visible characters, and each name unique."""

import unicodedata
from collections.abc import Collection
from itertools import count

from .table import Refused

__all__ = [
    "BOT_NAMES",
    "NAME_LENGTH",
    "checked_name",
    "checked_title",
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
"""Variation selectors: they choose the shape of the character before them. Phones put them after
emoji, and Japanese keyboards after characters in names. On their own they draw nothing."""
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159")
"""Letters, marks and symbols that draw nothing: those with the property
Default_Ignorable_Code_Point that are neither format characters nor selectors, and a few more
(the empty Braille cell, a note without a head)."""
_MOST_MARKS = 4
"""The most marks on one letter, as in UTS #39: some scripts write vowels with them."""
_MOST_ACCENTS = 2
"""The most accents among them: no script needs more, and a stack of them covers other lines."""


def checked_name(name: str) -> str | Refused:
    """The name as tables show it, or why it is refused, whoever else is at the table."""
    cleaned = clean_name(without_selectors(name))
    if cleaned is None:
        return Refused("bad_name", {"most": NAME_LENGTH})
    return cleaned if is_shown(cleaned) else Refused("name_not_shown")


def checked_title(title: str) -> str | None:
    """The name of house rules on one line, as lists show it; None if it cannot be shown."""
    cleaned = " ".join(clean_text(without_selectors(title)).split())
    return cleaned if is_shown(cleaned) else None


def clean_name(name: str) -> str | None:
    """A name as it is shown, in NFC and on one line; None if it is empty or too long."""
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
    """This name, with a number after it if it is taken. Case makes no difference."""
    folded = {other.casefold() for other in taken}
    if name.casefold() not in folded:
        return name
    endings = (f" {number}" for number in count(2))
    candidates = (name[: NAME_LENGTH - len(ending)].rstrip() + ending for ending in endings)
    return next(candidate for candidate in candidates if candidate.casefold() not in folded)


def without_selectors(text: str) -> str:
    """The same characters, without variation selectors."""
    return "".join(char for char in text if char not in _SELECTORS)


def is_shown(name: str) -> bool:
    """Is the whole name visible, without covering the text around it?"""
    text = unicodedata.normalize("NFC", without_selectors(name))
    before, marks = " ", 0
    for char in text:
        category = unicodedata.category(char)
        if char in _BLANKS or (category[0] == "M" and before == " "):
            return False
        if category in ("Mn", "Me"):
            marks += 1
            is_accent = unicodedata.name(char, "").startswith("COMBINING ")
            if char == before or marks > (_MOST_ACCENTS if is_accent else _MOST_MARKS):
                return False
        elif category != "Mc":
            marks = 0
        before = char
    return bool(text.strip())
