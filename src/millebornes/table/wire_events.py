"""Converts events of the rules to events on the wire, for frames, replays and JSON.

Nothing is hidden here. An event of a running match must be cut for its viewer before it is sent.
"""

from millebornes.rules import events
from millebornes.rules.score_sheet import ScoreSheet

from . import messages_out as out

__all__ = ["wire_event", "wire_sheet"]


def wire_event(event: events.Event) -> out.Event:
    """An event as it is sent."""
    match event:
        case events.Drawn(seat, card):
            return out.Drawn(seat, card)
        case events.Played(seat, card, side, cleared):
            return out.Played(seat, card, side, cleared)
        case events.Discarded(seat, card):
            return out.Discarded(seat, card)
        case events.Dealt(number, dealer, hands, pile):
            return out.Dealt(number, dealer, hands, pile)
        case events.Passed(side, hazard):
            return out.Passed(side, hazard)
        case events.Countered(seat, card, hazard, side, cleared):
            return out.Countered(seat, card, hazard, side, cleared)
        case events.Expired(side):
            return out.Expired(side)
        case events.Extended(seat):
            return out.Extended(seat)
        case events.HandEnded(completed_by, sheets, totals):
            return out.HandEnded(completed_by, tuple(map(wire_sheet, sheets)), totals)
        case events.MatchEnded(totals, winner):
            return out.MatchEnded(totals, winner)
    raise TypeError(f"not an event: {event!r}")


def wire_sheet(sheet: ScoreSheet) -> out.Sheet:
    """A score sheet as it is sent, with its total."""
    return out.Sheet(*sheet, total=sheet.total)
