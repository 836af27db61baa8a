"""The words that people write for cards, commands, seats and sides, in every language.

The judge and the terminal game read what people type with these functions. Records of games do
not: they are written by programs, and read strictly.
"""

import difflib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TypeVar

from millebornes.rules.cards import ALL_CARDS, Card
from millebornes.words import Names, languages, words

__all__ = [
    "begins_card",
    "card_named",
    "cards_called",
    "longest",
    "near_cards",
    "plain",
    "sides_called",
    "words_of",
]

_SHORTEST_BEGINNING = 2  # letters needed to abbreviate a name
_NEAR = 0.75
_LONGEST = 60
"""Longer texts are not compared with names: it takes long, and no card has such a name."""
_Meaning = TypeVar("_Meaning")


def plain(text: str) -> str:
    """The text in small letters and digits only, without accents: `Feu vert` is `feuvert`."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in letters if sign.isalnum())


@cache
def words_of(command: str) -> frozenset[str]:
    """All words that may be typed for a command."""
    return frozenset(
        plain(word) or word for language in languages() for word in words(language).command(command)
    )


def longest(
    pieces: Sequence[str], meaning: Callable[[str], _Meaning | None]
) -> tuple[_Meaning, int] | None:
    """What the first words mean, and how many they are: the longest name wins."""
    for count in range(len(pieces), 0, -1):
        found = meaning(" ".join(pieces[:count]))
        if found is not None:
            return found, count
    return None


def card_named(text: str) -> Card | None:
    """The card with this name or code, in any language and case, without abbreviations."""
    if any(word.isdecimal() for word in text.split()[1:]):
        return None  # `25 50` are two cards, and `1 00` is none
    return Card.UNKNOWN if text == Card.UNKNOWN else _cards().get(plain(text))


def begins_card(text: str) -> bool:
    """Can more words make this the name of a card, or is it one already?"""
    return len(text) <= _LONGEST and plain(text) in _beginnings()


@lru_cache(maxsize=256)  # each edition asks for the same words
def near_cards(text: str) -> tuple[Card, ...]:
    """The cards whose names look most like a misspelt one, the nearest first."""
    if len(text) > _LONGEST:
        return ()
    found = difflib.get_close_matches(plain(text), _cards(), n=3, cutoff=_NEAR)
    return tuple(dict.fromkeys(_cards()[name] for name in found))


def cards_called(text: str, hand: Sequence[Card]) -> tuple[Card, ...]:
    """The card with this name, code or abbreviation; several if it is ambiguous.

    An abbreviation means a card in the hand, if one fits, else any card of the deck.
    """
    wanted = plain(text)
    exact = _cards().get(wanted)
    if exact is not None or len(wanted) < _SHORTEST_BEGINNING:
        return () if exact is None else (exact,)
    begun = [c for c in ALL_CARDS if any(name.startswith(wanted) for name in _short_names(c))]
    held = [card for card in begun if card in hand]
    return tuple(held or begun)


def sides_called(text: str, names: Names) -> tuple[int, ...]:
    """The sides with this number, or with this name, or a member's, possibly abbreviated."""
    wanted = plain(text)
    sides = len(names.sides)
    if not wanted:
        return ()
    if wanted.isdecimal() and int(wanted) < sides:
        return (int(wanted),)
    called = [
        {plain(name) for name in (names.sides[side], *names.seats[side::sides])} - {""}
        for side in range(sides)
    ]
    exact = tuple(side for side, known in enumerate(called) if wanted in known)
    if exact:
        return exact
    return tuple(
        side for side, known in enumerate(called) if any(name.startswith(wanted) for name in known)
    )


@cache
def _cards() -> Mapping[str, Card]:
    """Every card by all its names."""
    return {
        plain(name): card
        for card in ALL_CARDS
        for name in (*_short_names(card), *_printed_names(card))
    }


@cache
def _beginnings() -> frozenset[str]:
    return frozenset(name[:end] for name in _cards() for end in range(len(name) + 1))


@cache
def _short_names(card: Card) -> frozenset[str]:
    """The names that may be abbreviated."""
    known = {card.value}
    for language in languages():
        known |= {words(language).card(card), *words(language).also(card)}
    return frozenset(map(plain, known))


def _printed_names(card: Card) -> set[str]:
    """What the boxes print instead. Abbreviated, many would be the name of another card."""
    return {name for language in languages() for name in words(language).printed(card)}
