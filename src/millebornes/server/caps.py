"""How long the log of one table may become.

Talk is refused long before, and no new match begins in a log that is full. A match that has
begun goes on to its end, whatever that takes. Whoever has no seat has a share of their own, so
that watchers who talk, come and go cannot use up what the players need. All of this is decided
before an input is taken: an old log that is longer than today's caps is still replayed.
"""

from typing import NamedTuple

from millebornes.table import Driver, In, Refused, Table, inputs, messages_in

from .codec import decode_input
from .store import LogRow

__all__ = ["BEGINS", "PLAYS", "TALKS", "Caps", "LogSize", "is_of_watcher"]

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
"""What a match needs, what writes nothing, or what the host needs to keep order."""
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


def is_of_watcher(table: Table, guest: str | None, message: In | Driver) -> bool:
    """Does an input come from somebody without a seat, or tell of one?"""
    if isinstance(message, messages_in.Move):  # by far the most
        return False
    if isinstance(message, inputs.Arrived | inputs.Gone):
        guest = message.guest
    if guest is None:
        return False
    member = table.member_of(guest)
    return member is None or table.seat_of(member.number) is None


class LogSize:
    """How long the log of one table is, and what it has no room for any more."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self.input_count = 0
        self.byte_count = 0
        self._watcher_inputs = 0
        self._watcher_bytes = 0
        """Those of watchers."""
        self.is_long = False
        """Half full, or its watchers' quarter: looked at for every input, so it is only a flag."""

    def add(self, row: LogRow, of_watcher: bool = False) -> None:
        """One more input."""
        size = len(row.data) + _ROW
        if of_watcher:
            self._watcher_inputs += 1
            self._watcher_bytes += size
            self.is_long = self.is_long or self.is_crowded
        else:
            self.input_count += 1
            self.byte_count += size
            self.is_long = self.is_long or self._is_half_full

    def add_old(self, row: LogRow, table: Table) -> None:
        """An input that stands in the log, and the table after it."""
        message = decode_input(row.guest, row.data)
        self.add(row, is_of_watcher(table, row.guest, message))

    @property
    def _is_half_full(self) -> bool:
        return 2 * self.input_count >= self._caps.inputs or 2 * self.byte_count >= self._caps.bytes

    @property
    def is_full(self) -> bool:
        """No match begins here any more."""
        return self.input_count >= self._caps.inputs or self.byte_count >= self._caps.bytes

    @property
    def is_crowded(self) -> bool:
        """Watchers have used up their share."""
        return (
            4 * self._watcher_inputs >= self._caps.inputs
            or 4 * self._watcher_bytes >= self._caps.bytes
        )

    def refusal(self, table: Table, guest: str | None, message: In | Driver) -> Refused | None:
        """Why a log that is long takes no more of this; None if it does."""
        if self.is_crowded and is_of_watcher(table, guest, message):
            if isinstance(message, inputs.Arrived | inputs.Gone):
                return Refused("not_needed")  # nobody is held up by not knowing
            if isinstance(message, TALKS) and not _takes_seat(table, message):
                return Refused("table_used_up")
        if guest is None or not self._is_half_full:
            return None
        is_talk = isinstance(message, TALKS)
        if isinstance(message, messages_in.Join):
            # Whoever has a seat comes back to it: a match goes on with everybody who plays it.
            member = table.member_of(guest)
            is_talk = member is None or table.seat_of(member.number) is None
        if is_talk or (isinstance(message, BEGINS) and self.is_full):
            return Refused("table_used_up")
        return None


def _takes_seat(table: Table, message: In | Driver) -> bool:
    """Does somebody come to play? A seat that is free is not for those who only watch."""
    if not isinstance(message, messages_in.Join | messages_in.Sit):
        return False
    return table.phase == "lobby" and None in table.seats and not getattr(message, "watch", False)
