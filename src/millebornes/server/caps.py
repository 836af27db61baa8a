"""Limits the size of each table's log.

A log that is half full accepts no more talk, and a full one no new match. A match that has
begun can always be finished. Watchers have a separate quota, so that they cannot use up what the
players need. These checks run before an input is accepted: an old log that exceeds today's caps
still replays.
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
    messages_in.Ping,
    messages_in.Return,
    messages_in.Leave,
    messages_in.LetBotPlay,
    messages_in.SendAway,
)
"""Messages that a match needs, that log nothing, or that the host needs as a moderator."""
BEGINS = (messages_in.Start, messages_in.Rematch)
"""Messages that begin a match."""
TALKS = (
    messages_in.Chat,
    messages_in.Emote,
    messages_in.Mute,
    messages_in.MuteBot,
    messages_in.Join,
    messages_in.Sit,
    messages_in.Stand,
    messages_in.AddBot,
    messages_in.Kick,
    messages_in.Back,
)
"""Messages that can be sent any number of times."""
_ROW = 64
"""Approximate bytes of a row besides its data: ids of table and guest, numbers, lengths."""


class Caps(NamedTuple):
    """Maximum size of a log."""

    inputs: int = 50_000
    bytes: int = 16 * 2**20


def is_of_watcher(table: Table, guest: str | None, message: In | Driver) -> bool:
    """Does an input come from, or concern, someone without a seat?"""
    if isinstance(message, messages_in.Move):  # by far the most common
        return False
    if isinstance(message, inputs.Arrived | inputs.Gone):
        guest = message.guest
    if guest is None:
        return False
    member = table.member_of(guest)
    return member is None or table.seat_of(member.number) is None


class LogSize:
    """The size of one table's log, and what it refuses at that size."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self.input_count = 0
        self.byte_count = 0
        self._watcher_inputs = 0
        self._watcher_bytes = 0
        """The watchers' part, counted separately."""
        self.is_long = False
        """Half full, or the watchers' quota used up. A flag, because every input checks it."""

    def add(self, row: LogRow, of_watcher: bool = False) -> None:
        """Count one more input."""
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
        """Count an input read from the log; `table` is the table after it."""
        message = decode_input(row.guest, row.data)
        self.add(row, is_of_watcher(table, row.guest, message))

    @property
    def _is_half_full(self) -> bool:
        return 2 * self.input_count >= self._caps.inputs or 2 * self.byte_count >= self._caps.bytes

    @property
    def is_full(self) -> bool:
        """No new match can begin."""
        return self.input_count >= self._caps.inputs or self.byte_count >= self._caps.bytes

    @property
    def is_crowded(self) -> bool:
        """The watchers have used up their quota."""
        return (
            4 * self._watcher_inputs >= self._caps.inputs
            or 4 * self._watcher_bytes >= self._caps.bytes
        )

    def refusal(self, table: Table, guest: str | None, message: In | Driver) -> Refused | None:
        """Why a long log refuses this message; None if it accepts it."""
        if self.is_crowded and is_of_watcher(table, guest, message):
            if isinstance(message, inputs.Arrived | inputs.Gone):
                return Refused("not_needed")  # nobody waits for a watcher
            if isinstance(message, TALKS) and not _takes_seat(table, message):
                return Refused("table_used_up")
        if guest is None or not self._is_half_full:
            return None
        is_talk = isinstance(message, TALKS)
        if isinstance(message, messages_in.Join):
            # Players can always return to their seats: a match continues with all its players.
            member = table.member_of(guest)
            is_talk = member is None or table.seat_of(member.number) is None
        if is_talk or (isinstance(message, BEGINS) and self.is_full):
            return Refused("table_used_up")
        return None


def _takes_seat(table: Table, message: In | Driver) -> bool:
    """Does this message take a free seat, rather than only watch?"""
    if not isinstance(message, messages_in.Join | messages_in.Sit):
        return False
    return table.phase == "lobby" and None in table.seats and not getattr(message, "watch", False)
