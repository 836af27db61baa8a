"""The messages that people and programs send to a table: one tagged union, `In`.

Every message is an object with a `type`. Decoding refuses unknown types, unknown fields and
wrong types before the table sees the message.
"""

from typing import Annotated

from msgspec import Meta, Struct

__all__ = [
    "PROTOCOL_VERSION",
    "AddBot",
    "Back",
    "Chat",
    "Commit",
    "Emote",
    "Hint",
    "In",
    "Join",
    "Kick",
    "Leave",
    "LetBotPlay",
    "Move",
    "Mute",
    "MuteBot",
    "Next",
    "Ping",
    "Rematch",
    "Return",
    "Reveal",
    "SendAway",
    "Sit",
    "Stand",
    "Start",
]

PROTOCOL_VERSION = 2

# Patterns end with \Z: $ would also match before a trailing line break, which nobody who checks
# a shuffle would count as part of the value.
Seat = Annotated[int, Meta(ge=0, le=7)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+\Z")]
Token = Annotated[str, Meta(min_length=1, max_length=12)]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class _In(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    pass


class Join(_In, frozen=True):
    """Join the table under a name: at any free seat, at this seat, or only to watch."""

    name: Name
    seat: Seat | None = None
    watch: bool = False


class Sit(_In, frozen=True):
    """Take this free seat, before the start."""

    seat: Seat


class Stand(_In, frozen=True):
    """Leave your seat and become a watcher, before the start."""


class AddBot(_In, frozen=True, tag="add_bot"):
    """Seat a bot of this level. Only the host can do this, before the start."""

    seat: Seat
    level: Name


class Kick(_In, frozen=True):
    """Free this seat. Only the host can do this, before the start.

    A bot is removed. A person is sent away, as with `send_away`.
    """

    seat: Seat


class SendAway(_In, frozen=True, tag="send_away"):
    """Remove this member, who cannot join this table again. Only the host can do this.

    Watchers can be sent away at any time, players only before the start. Member 0, who opened
    the table, cannot be sent away.
    """

    member: Number


class Start(_In, frozen=True):
    """Start the match once every seat is taken. Only the host can do this."""


class Move(_In, frozen=True):
    """Answer a decision with a move. The table never plays the same id twice."""

    decision: Number
    id: Id
    move: Token


class Next(_In, frozen=True):
    """Say that you have read the score and are ready for the next hand."""

    decision: Number


class Commit(_In, frozen=True):
    """This seat's commitment K for the shuffle of a hand (MB-FAIR-1)."""

    hand: Number
    commit: Hex64


class Reveal(_In, frozen=True):
    """This seat's entropy E for the shuffle of a hand (MB-FAIR-1)."""

    hand: Number
    entropy: Hex64


class Chat(_In, frozen=True):
    """Say something to everyone at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Emote(_In, frozen=True):
    """Show one of the emotes."""

    emote: Name


class Mute(_In, frozen=True):
    """Mute or unmute a member of the table, for yourself only."""

    member: Number
    on: bool = True


class MuteBot(_In, frozen=True, tag="mute_bot"):
    """Mute or unmute the bot at this seat, for yourself only: its emotes are not sent to you."""

    seat: Seat
    on: bool = True


class Return(_In, frozen=True):
    """Take your seat back from the bot that plays for you."""


class LetBotPlay(_In, frozen=True, tag="let_bot_play"):
    """Vote to let a bot play for this seat, which is holding up the table.

    You can vote from `asked.stall.at` on. The bot plays as soon as more than half of the other
    players have voted for it; those who are disconnected, or for whom a bot is playing, do not
    count.
    """

    seat: Seat
    decision: Number


class Leave(_In, frozen=True):
    """Leave the table. During a match a bot takes over; you can take the seat back later."""


class Rematch(_In, frozen=True):
    """After the match: ask for a rematch, with the seats rotated."""


class Hint(_In, frozen=True):
    """At a practice table: ask which move to make, and why.

    The table goes on while a bot thinks, so frames may arrive before the answer. Until then,
    asking again for the same decision changes nothing; asking for another is refused
    (`too_many`).
    """

    decision: Number


class Ping(_In, frozen=True):
    """Ask whether the connection is alive: the answer is `pong`, to you alone."""


class Back(_In, frozen=True):
    """At a practice table: go back to an earlier decision in this hand."""

    decision: Number


In = (
    Join
    | Sit
    | Stand
    | AddBot
    | Kick
    | SendAway
    | Start
    | Move
    | Next
    | Commit
    | Reveal
    | Chat
    | Emote
    | Mute
    | MuteBot
    | Return
    | LetBotPlay
    | Leave
    | Rematch
    | Hint
    | Ping
    | Back
)
