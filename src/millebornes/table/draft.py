"""The next table, while an input is being handled."""

from msgspec.structs import replace

from millebornes.rules import Event, cut
from millebornes.rules.events import Dealt
from millebornes.rules.state import Window

from .messages_out import Told
from .reactions import PublicFacts, Reacted, reaction
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
        self.before = table
        self.table = table
        self.now = now
        self.happened: list[Happening] = []

    def outcome(self) -> Outcome:
        """The table after this input, to which a bot may have reacted."""
        if self.happened and self.table.phase in ("playing", "over"):
            self._let_a_bot_react()
        table = replace(self.table, seq=self.table.seq + 1, last_input=self.now)
        return Outcome(table, tuple(self.happened))

    def _let_a_bot_react(self) -> None:
        """Append the reaction of a bot to what has happened, if there is one."""
        table, before = self.table, self.before.match
        bots = table.bots()
        if not bots or table.match is None:
            return
        # As a spectator sees it.
        seen = [cut(one, None) if isinstance(one, Event) else one for one in self.happened]
        awaiting = None if before is None else before.awaiting
        is_new_hand = any(isinstance(event, Dealt) for event in seen)
        facts = PublicFacts(
            bots=bots,
            sides=table.match.sides,
            attacker=awaiting.attacker if isinstance(awaiting, Window) else None,
            is_window_open=table.is_window_open,
            is_first_hand=table.hands_dealt == 1,
            seq=table.seq + 1,
            decision=table.decision,
            reacted=() if is_new_hand else table.reacted,
        )
        emoted = reaction(seen, facts)
        reacted = facts.reacted
        if emoted is not None:
            self.happened.append(emoted)
            reacted = (*reacted, Reacted(emoted.seat, table.decision))
        if reacted != table.reacted:
            self.set(reacted=reacted)

    def set(self, **changes: object) -> None:
        """Change the table."""
        self.table = replace(self.table, **changes)

    def tell(self, code: str, name: str = "", seat: int | None = None) -> None:
        """Announce something to everybody."""
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
        """Set who sits there; None for nobody."""
        seats = list(self.table.seats)
        seats[seat] = occupant
        self.set(seats=tuple(seats))
