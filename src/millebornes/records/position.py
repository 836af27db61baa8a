"""Positions as text, whole or partial. `docs/records.md` specifies the format."""

from collections.abc import Sequence

from millebornes.rules.cards import Card
from millebornes.rules.edition import Edition
from millebornes.rules.state import (
    HAND_SIZE,
    Awaiting,
    ExtensionChoice,
    Hand,
    Match,
    Turn,
    Window,
)

from .entries import fill, read_entries
from .heading import heading_text
from .position_reader import NUMBERED_KEYS, POSITION_KEYS, any_case, read_position

__all__ = ["from_text", "to_text"]


def from_text(text: str, edition: Edition | None = None) -> Match:
    """The state that a position describes. Cards it does not name are `?`.

    `edition` replaces the edition that the text names.
    """
    entries = read_entries(text, "position", (*POSITION_KEYS, *NUMBERED_KEYS))
    return read_position(any_case(entries), edition)


def to_text(match: Match) -> str:
    """The whole position, in canonical form."""
    hand = match.hand
    if hand is None:
        raise ValueError("no hand has been dealt yet")
    text = heading_text(match.edition, match.players, match.trip)
    text += f"deal: {hand.number}\n"
    text += f"dealer: {hand.dealer}\n"
    text += f"scores: {' '.join(map(str, match.forward))}\n"
    text += _awaiting_text(match.awaiting, hand)
    if hand.caller is not None:
        text += f"called: {hand.caller}\n"
    if not hand.pile and not hand.began_empty:
        text += "began: cards\n"
    text += f"pile: {len(hand.pile)}\n"
    known = len(hand.pile)
    while known and hand.pile[known - 1] is Card.UNKNOWN:
        known -= 1
    text += _cards_text("next:", hand.pile[:known])
    text += _cards_text("discard:", hand.discard)
    for side, tableau in enumerate(hand.tableaux):
        text += _cards_text(f"battle {side}:", tableau.battle)
        text += _cards_text(f"speed {side}:", tableau.speed)
        text += _cards_text(f"distance {side}:", tableau.distance)
        if tableau.safeties:
            shown = [s + "!" if s in tableau.crosswise else s for s in tableau.safeties]
            text += fill(f"safeties {side}:", shown)
        if tableau.autoroute is not None:
            seat, turns = tableau.autoroute
            text += f"autoroute {side}: {turns} turns of seat {seat}\n"
    for seat, cards in enumerate(hand.hands):
        only = ["only"] if len(cards) < _full_hand(seat, match.awaiting) else []
        text += fill(f"hand {seat}:", only + [card.value for card in cards])
    return text


def _full_hand(seat: int, awaiting: Awaiting) -> int:
    """How many cards a seat holds, unless a position has `only`."""
    return HAND_SIZE + (isinstance(awaiting, Turn) and awaiting.seat == seat)


def _cards_text(head: str, cards: Sequence[Card]) -> str:
    return fill(head, [card.value for card in cards]) if cards else ""


def _awaiting_text(awaiting: Awaiting, hand: Hand) -> str:
    if isinstance(awaiting, Turn):
        return f"turn: {awaiting.seat}\n"
    if isinstance(awaiting, Window):
        declined = "".join(f" {seat}" for seat in awaiting.declined)
        declined = f" declined{declined}" if declined else ""
        return f"window: {awaiting.hazard} {awaiting.attacker}>{awaiting.side}{declined}\n"
    if isinstance(awaiting, ExtensionChoice):
        return f"extension: {awaiting.seat}\n"
    if hand.completed_by is not None:
        return f"ended: completed {hand.completed_by}\n"
    return "ended: exhausted\n"
