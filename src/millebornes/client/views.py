"""Converts frames of a server to the `View` that bots use.

The result equals the view that the rules make for that seat, except for its history, which a
client gets as events.
"""

from millebornes.rules import EDITIONS, Edition, View
from millebornes.table import messages_out as out
from millebornes.table import rest
from millebornes.table.views import view_of

__all__ = ["edition_from", "view_from"]


def edition_from(info: rest.EditionInfo) -> Edition:
    """The edition from its REST type, including house rules."""
    printed = EDITIONS[info.parent or info.id]
    if info.parent is None:
        return printed
    return printed.house({rule.name: rule.value for rule in info.rules}, info.name)


def view_from(table: out.TableView, edition: Edition) -> View | None:
    """The match as the viewer of this table may see it; None before the first deal."""
    if table.hand is None or table.asked is None:
        return None
    return view_of(
        table.hand,
        table.asked,
        edition,
        players=table.players,
        seat=table.you,
        hand_sizes=tuple(seat.cards for seat in table.seats),
    )
