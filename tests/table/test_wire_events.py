"""The events of the rules on the wire: the same fields, by the same names."""

from dataclasses import fields
from typing import Any, get_args

import msgspec
import pytest

from millebornes.rules import Card, ScoreSheet, events
from millebornes.table.wire_events import wire_event, wire_sheet

SHEETS = (ScoreSheet(miles=700, trip=400), ScoreSheet(miles=25, safeties=100))
EVENTS: tuple[events.Event, ...] = (
    events.Dealt(1, 0, ((Card.D25, Card.UNKNOWN), (Card.ROW, Card.ROLL)), 89),
    events.Drawn(1, Card.ACE),
    events.Played(0, Card.ROW, 0, (Card.STOP, Card.LIM)),
    events.Discarded(1, Card.GAS),
    events.Passed(1, Card.OUT),
    events.Countered(3, Card.TANK, Card.OUT, 1, (Card.OUT,)),
    events.Expired(1),
    events.Extended(2),
    events.HandEnded(None, SHEETS, (1100, 125)),
    events.MatchEnded((5200, 4800), 0),
)


def plain(value: Any) -> Any:
    """A value of the rules as JSON holds it."""
    if isinstance(value, ScoreSheet):
        return {**value._asdict(), "total": value.total}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def test_there_is_an_example_of_every_event() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(events.Event))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_keeps_the_names_and_values_of_its_fields(event: events.Event) -> None:
    told = msgspec.json.decode(msgspec.json.encode(wire_event(event)))
    assert told.pop("type").replace("_", "") == type(event).__name__.lower()
    assert told == {field.name: plain(getattr(event, field.name)) for field in fields(event)}


def test_a_sheet_is_told_with_its_total() -> None:
    assert msgspec.to_builtins(wire_sheet(SHEETS[0])) == plain(SHEETS[0])


def test_what_is_no_event_is_refused() -> None:
    with pytest.raises(TypeError, match="not an event"):
        wire_event("drawn")  # type: ignore[arg-type]
