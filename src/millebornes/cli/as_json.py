"""Values of the rules as JSON, for the `--json` of the commands."""

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from millebornes.rules import Event, Match, ScoreSheet, awaited_seats
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn, Window
from millebornes.table.wire_events import wire_event, wire_sheet

__all__ = ["awaiting_json", "event_json", "sheets_json"]


def sheets_json(sheets: Sequence[ScoreSheet] | None) -> list[dict[str, int]] | None:
    """The score sheet of each side, line by line; null until the hand ends."""
    if sheets is None:
        return None
    return [to_builtins(wire_sheet(sheet)) for sheet in sheets]


def awaiting_json(match: Match) -> dict[str, Any]:
    """What is awaited, and of which seats: for a deal, the dealer."""
    match match.awaiting:
        case Turn():
            what = "turn"
        case Window():
            what = "window"
        case ExtensionChoice():
            what = "extension"
        case Deal(dealer):
            return {"what": "deal", "seats": [dealer]}
        case Over(winner):
            return {"what": "over", "seats": [], "winner": winner}
    return {"what": what, "seats": list(awaited_seats(match))}


def event_json(event: Event) -> dict[str, Any]:
    """An event as the protocol tells it: its type, then its fields."""
    told: dict[str, Any] = to_builtins(wire_event(event))
    return told
