"""Checks on a new input before it is logged. Replaying a log skips them.

`receive` accepts whatever older releases accepted, with the same effect, so that their logs
replay. Anything that newer releases refuse, or take to mean something else, is decided here. The
log holds the input as it leaves these checks.
"""

from msgspec.structs import replace

from . import messages_in as says
from .inputs import Driver
from .lookalikes import lookalike
from .names import checked_name, free_name
from .table import Person, Refused, Table

__all__ = ["admitted"]


def admitted(
    table: Table, guest: str | None, message: says.In | Driver, now: int
) -> says.In | Driver | Refused:
    """The input to pass on to `receive` at this time, or why it is refused."""
    if guest is None or isinstance(message, says.Move):  # by far the most common
        return message
    match message:
        case says.Join():
            return _admit_join(table, guest, message, now)
        case says.Kick(seat):
            return _admit_kick(table, message, seat)
        case says.AddBot(_, level) if level not in table.levels:
            # Only now: the log may name a level that this server had and has no more.
            return Refused("no_such_level", {"levels": ", ".join(table.levels)})
    return message


def _admit_join(table: Table, guest: str, join: says.Join, now: int) -> says.In | Refused:
    """Require a visible name that resembles no other, and offer seats that were given up.

    Older releases accepted any name, and kept a seat for its owner even if they never returned.
    """
    if join.seat is None and not join.watch and None not in table.seats:
        join = replace(join, seat=next(iter(table.given_up(now)), None))
    if table.member_of(guest) is not None:
        return join  # they keep their name
    name = checked_name(join.name)
    if isinstance(name, Refused):
        return name
    # A name that is taken gets a number: compare the name that they would end up with.
    other = lookalike(free_name(name, table.names()), table.names())
    if other is not None:
        return Refused("name_looks_like", {"name": other})
    return replace(join, name=name)


def _admit_kick(table: Table, kick: says.Kick, seat: int) -> says.In:
    """Make it permanent. In older releases a person who was kicked could sit down again."""
    occupant = table.seats[seat] if seat < len(table.seats) else None
    if table.phase == "lobby" and isinstance(occupant, Person):
        return says.SendAway(occupant.member)
    return kick
