"""The next table, while one input is being worked in."""

from msgspec.structs import replace

from .messages_out import Told
from .table import (
    Happening,
    Member,
    Occupant,
    Outcome,
    Table,
)

__all__ = ["Draft"]


class Draft:
    """A working copy of the table, and what has happened so far."""

    def __init__(self, table: Table, now: int) -> None:
        self.table = table
        self.now = now
        self.happened: list[Happening] = []

    def outcome(self) -> Outcome:
        """The table after this input."""
        table = replace(self.table, seq=self.table.seq + 1, last_input=self.now)
        return Outcome(table, tuple(self.happened))

    def set(self, **changes: object) -> None:
        """Change the table."""
        self.table = replace(self.table, **changes)

    def tell(self, code: str, name: str = "", seat: int | None = None) -> None:
        """Let everybody know of something."""
        self.happened.append(Told(code, name, seat))  # type: ignore[arg-type]

    def names(self) -> list[str]:
        """The names that are taken."""
        return self.table.names()

    def seat_of(self, member: Member) -> int | None:
        """Where a member sits."""
        return self.table.seat_of(member.number)

    def change(self, member: Member, **changes: object) -> Member:
        """Change a member."""
        changed = replace(member, **changes)
        members = list(self.table.members)
        members[member.number] = changed
        self.set(members=tuple(members))
        return changed

    def put(self, seat: int, occupant: Occupant) -> None:
        """Let somebody, or nobody, sit there."""
        seats = list(self.table.seats)
        seats[seat] = occupant
        self.set(seats=tuple(seats))
