"""The viewer's hand as text: the cards numbered, as they can be typed."""

from rich.text import Text

from millebornes.rules import Card, Play, View
from millebornes.rules.cards import DISTANCES, HAZARDS, SAFETIES
from millebornes.rules.state import Turn
from millebornes.words import Names, Words

from .layout import columns

__all__ = ["draw_hand", "hand_in_order"]

_ORDER = {card: place for place, card in enumerate(Card)}


def hand_in_order(view: View) -> tuple[Card, ...]:
    """The hand in the order in which it is shown and numbered: by kind of card."""
    return tuple(sorted(view.hand, key=_ORDER.__getitem__))


def draw_hand(view: View, names: Names, words: Words, width: int) -> list[Text]:
    """The viewer's cards, numbered; `*` marks those that can be played now."""
    numbers = Names(names.seats, tuple(map(str, range(view.sides))))
    on_turn = isinstance(view.awaiting, Turn) and view.is_asked
    title = words.say("your_hand") if on_turn else words.say("your_hand_shown")
    for called in (names, numbers):  # targets by name, or by number if the names are too long
        cells = [
            _hand_cell(view, number, card, called, words)
            for number, card in enumerate(hand_in_order(view), start=1)
        ]
        two_fit = all(cell.cell_len < width // 2 for cell in cells)
        if two_fit:
            break
    return [Text(title, "bold"), *columns(cells, width, 2 if two_fit else 1)]


def _hand_cell(view: View, number: int, card: Card, names: Names, words: Words) -> Text:
    plays = [m for m in view.legal_moves if isinstance(m, Play) and m.card is card]
    cell = Text(f" {number} {'*' if plays else ' '} ")
    cell.append(words.card(card), _style(card) if plays else "dim")
    targets = [names.sides[play.onto] for play in plays if play.onto is not None]
    if targets:
        cell.append(" " + words.say("on_whom", names=", ".join(targets)))
    return cell


def _style(card: Card) -> str:
    if card in HAZARDS:
        return "bold red"
    if card in SAFETIES:
        return "bold yellow"
    if card in DISTANCES:
        return "bold"
    return "bold green"
