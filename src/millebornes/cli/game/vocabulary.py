"""The words a person may type, in every language: commands, cards, names."""

import unicodedata
from collections.abc import Sequence
from functools import cache

from millebornes.rules import Card, View
from millebornes.rules.cards import ALL_CARDS
from millebornes.words import Names, languages, words

__all__ = ["cards_called", "plain", "sides_called", "words_of"]

_SHORTEST_BEGINNING = 2  # letters needed to abbreviate a name


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


def cards_called(text: str, hand: Sequence[Card]) -> tuple[Card, ...]:
    """The card with this name, code or abbreviation; several if it is ambiguous.

    An abbreviation means a card in the hand, if one fits, else any card of the deck.
    """
    wanted = plain(text)
    exact = tuple(card for card in ALL_CARDS if wanted in _names_of(card))
    if exact or len(wanted) < _SHORTEST_BEGINNING:
        return exact
    begun = [c for c in ALL_CARDS if any(name.startswith(wanted) for name in _names_of(c))]
    held = [card for card in begun if card in hand]
    return tuple(held or begun)


def sides_called(text: str, view: View, names: Names) -> tuple[int, ...]:
    """The sides with this number, or with this name, or a member's, possibly abbreviated."""
    wanted = plain(text)
    if not wanted:
        return ()
    if wanted.isdecimal() and int(wanted) < view.sides:
        return (int(wanted),)
    called = [_names_of_side(side, view, names) for side in range(view.sides)]
    exact = tuple(side for side, known in enumerate(called) if wanted in known)
    if exact:
        return exact
    return tuple(
        side for side, known in enumerate(called) if any(name.startswith(wanted) for name in known)
    )


@cache
def _names_of(card: Card) -> frozenset[str]:
    known = {card.value}
    for language in languages():
        known |= {words(language).card(card), *words(language).also(card)}
    return frozenset(map(plain, known))


def _names_of_side(side: int, view: View, names: Names) -> set[str]:
    members = [names.seats[seat] for seat in view.seats_of(side)]
    return {plain(name) for name in (names.sides[side], *members)} - {""}
