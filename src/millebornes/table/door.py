"""What is asked of an input at the door, but not when a log is played again.

`receive` takes whatever an older server took, and makes the same of it: so its logs replay. What
has to be refused since, or means something else since, is decided here, before the input is
logged; the log holds what came of that.
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
    """The input as it is to be received at this time, or why it is not."""
    if guest is None or isinstance(message, says.Move):  # by far the most
        return message
    match message:
        case says.Join():
            return _join(table, guest, message, now)
        case says.Kick(seat):
            return _kick(table, message, seat)
    return message


def _join(table: Table, guest: str, join: says.Join, now: int) -> says.In | Refused:
    """Once any name would do. Now it has to be seen, and told from the others at the table.

    Once a seat belonged for ever to whoever had taken it, here or not.
    """
    if join.seat is None and not join.watch and None not in table.seats:
        join = replace(join, seat=next(iter(table.given_up(now)), None))
    if table.member_of(guest) is not None:
        return join  # under the name they have
    name = checked_name(join.name)
    if isinstance(name, Refused):
        return name
    # A name that is taken gets a number: what is compared is the name that they would have.
    other = lookalike(free_name(name, table.names()), table.names())
    if other is not None:
        return Refused("name_looks_like", {"name": other})
    return replace(join, name=name)


def _kick(table: Table, kick: says.Kick, seat: int) -> says.In:
    """Once a person who was kicked could sit down again at once. Now a kick holds."""
    occupant = table.seats[seat] if seat < len(table.seats) else None
    if table.phase == "lobby" and isinstance(occupant, Person):
        return says.SendAway(occupant.member)
    return kick
