"""How long the log of one table may become.

Talk is refused long before, and no new match begins in a log that is full. A match that has
begun goes on to its end, whatever that takes. All of this is decided before an input is taken:
an old log that is longer than today's caps is still replayed.
"""

from typing import NamedTuple

from millebornes.table import In, Refused, Table, messages_in

from .store import LogRow

__all__ = ["BEGINS", "PLAYS", "TALKS", "Caps", "LogSize"]

PLAYS = (
    messages_in.Move,
    messages_in.Next,
    messages_in.Commit,
    messages_in.Reveal,
    messages_in.Hint,
    messages_in.Return,
    messages_in.Leave,
    messages_in.LetBotPlay,
    messages_in.SendAway,
)
"""What a match needs, what writes nothing, or what can be said once about each member."""
BEGINS = (messages_in.Start, messages_in.Rematch)
"""What begins a match."""
TALKS = (
    messages_in.Chat,
    messages_in.Emote,
    messages_in.Mute,
    messages_in.Join,
    messages_in.Sit,
    messages_in.Stand,
    messages_in.AddBot,
    messages_in.Kick,
    messages_in.Back,
)
"""What can be said as often as one likes."""
_ROW = 64
"""Bytes that a row takes besides its data, about: the ids of table and guest, numbers, lengths."""


class Caps(NamedTuple):
    """The most that a log may hold."""

    inputs: int = 50_000
    bytes: int = 16 * 2**20


class LogSize:
    """How long the log of one table is, and what it has no room for any more."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self.inputs = 0
        self.bytes = 0
        self.is_long = False
        """Half full: looked at for every input, so it is only a flag."""

    def add(self, row: LogRow) -> None:
        """One more input."""
        self.inputs += 1
        self.bytes += len(row.data) + _ROW
        self.is_long = 2 * self.inputs >= self._caps.inputs or 2 * self.bytes >= self._caps.bytes

    @property
    def is_full(self) -> bool:
        """No match begins here any more."""
        return self.inputs >= self._caps.inputs or self.bytes >= self._caps.bytes

    def refusal(self, table: Table, guest: str, message: In) -> Refused | None:
        """Why a log that is long takes no more of this; None if it does."""
        is_talk = isinstance(message, TALKS)
        if isinstance(message, messages_in.Join):
            # Whoever has a seat comes back to it: a match goes on with everybody who plays it.
            member = table.member_of(guest)
            is_talk = member is None or table.seat_of(member.number) is None
        if is_talk or (isinstance(message, BEGINS) and self.is_full):
            return Refused("table_used_up")
        return None
