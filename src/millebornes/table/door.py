"""What is asked of an input at the door, but not when a log is played again.

`receive` takes whatever an older server took, and makes the same of it: so its logs replay. What
has to be refused since, or means something else since, is decided here, before the input is
logged; the log holds what came of that.
"""

from . import messages_in as says
from .inputs import Driver
from .table import Person, Refused, Table

__all__ = ["admitted"]


def admitted(
    table: Table, guest: str | None, message: says.In | Driver
) -> says.In | Driver | Refused:
    """The input as it is to be received, or why it is not."""
    if guest is None:
        return message
    match message:
        case says.Move():  # by far the most
            return message
        case says.Kick(seat):
            return _kick(table, message, seat)
    return message


def _kick(table: Table, kick: says.Kick, seat: int) -> says.In:
    """Once a person who was kicked could sit down again at once. Now a kick holds."""
    occupant = table.seats[seat] if seat < len(table.seats) else None
    if table.phase == "lobby" and isinstance(occupant, Person):
        return says.SendAway(occupant.member)
    return kick
