"""Values of the rules as JSON, for the `--json` of the commands."""

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from millebornes.rules import Event, Match, ScoreSheet, awaited_seats
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn, Window

__all__ = ["awaiting_json", "event_json", "sheets_json"]


def sheets_json(sheets: Sequence[ScoreSheet] | None) -> list[dict[str, int]] | None:
    """The score sheet of each side, line by line; null until the hand ends."""
    if sheets is None:
        return None
    return [{**sheet._asdict(), "total": sheet.total} for sheet in sheets]


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
    """An event: its type, then its fields."""
    kind = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", type(event).__name__).lower()
    return {"type": kind, **{f.name: _plain(getattr(event, f.name)) for f in fields(event)}}


def _plain(value: Any) -> Any:
    if isinstance(value, ScoreSheet):
        return {**value._asdict(), "total": value.total}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
