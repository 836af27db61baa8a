"""A record step by step, for clients that do not know the rules.

Everything shown comes from the record, which has already been cut for its reader. So the reader
may see every step of the replay, and a card that the record hides stays hidden.
"""

from collections.abc import Iterator

from msgspec import structs

from millebornes.records import Game, replay
from millebornes.rules import Match
from millebornes.rules.state import Over

from . import messages_out as out
from .frames import watchers_picture
from .results import results_after
from .settings import Settings
from .table import Member, Person, Table
from .wire_events import wire_event

__all__ = ["steps"]


def steps(record: Game) -> Iterator[out.ReplayStep]:
    """Every deal and move of a record, which the caller has cut for its reader with `cut_game`.

    Raises `RecordError` at the first step that does not replay.
    """
    table = _table_of(record)
    for number, step in enumerate(replay(record)):
        table = structs.replace(
            table,
            match=step.match,
            results=results_after(table.results, step.match),
            decision=number,
            phase="over" if isinstance(step.match.awaiting, Over) else "playing",
        )
        yield out.ReplayStep(
            move=None if step.token is None else str(step.token),
            seat=step.seat,
            # The record has already been cut: nothing else in it is to be hidden.
            events=tuple(map(wire_event, step.events)),
            table=_picture(table, record),
            hands=_hands(step.match),
        )


def _table_of(record: Game) -> Table:
    """A table to replay the record at. Of the people, a record has only the names."""
    settings = Settings(
        edition=record.edition, players=record.players, short_trip=record.short_trip
    )
    names = record.seats or ("",) * record.players
    members = tuple(Member(seat, str(seat), name, 0) for seat, name in enumerate(names))
    people = tuple(Person(member.number) for member in members)
    return Table(settings, "", (), 0, members, people, 0)


def _picture(table: Table, record: Game) -> out.TableView:
    seen = watchers_picture(table)
    asked = None if seen.asked is None else structs.replace(seen.asked, deadline=None, stall=None)
    return structs.replace(seen, asked=asked, practice=record.practice)


def _hands(match: Match) -> tuple[tuple[str, ...], ...]:
    assert match.hand is not None
    return tuple(tuple(card.value for card in held) for held in match.hand.hands)
