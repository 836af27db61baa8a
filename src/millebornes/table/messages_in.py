"""What people and programs say to a table: one tagged union, `In`.

Every message is an object with its `type`. Unknown types, unknown fields and wrong types are
refused before the table sees them.
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
    "Next",
    "Rematch",
    "Return",
    "Reveal",
    "SendAway",
    "Sit",
    "Stand",
    "Start",
]

PROTOCOL_VERSION = 2

# A pattern ends with \Z: $ would let a line break stand behind it, which no one who checks a
# shuffle takes for a part of it.
Seat = Annotated[int, Meta(ge=0, le=7)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+\Z")]
Token = Annotated[str, Meta(min_length=1, max_length=12)]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class _In(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    pass


class Join(_In, frozen=True):
    """Come to the table under a name: to a free seat, to this seat, or only to watch."""

    name: Name
    seat: Seat | None = None
    watch: bool = False


class Sit(_In, frozen=True):
    """Before the start: take this free seat."""

    seat: Seat


class Stand(_In, frozen=True):
    """Before the start: leave the seat and watch."""


class AddBot(_In, frozen=True, tag="add_bot"):
    """The host, before the start: a bot of this level sits down."""

    seat: Seat
    level: Name


class Kick(_In, frozen=True):
    """The host, before the start: this seat is free again.

    A bot is gone. A person is sent away, as by `send_away`.
    """

    seat: Seat


class SendAway(_In, frozen=True, tag="send_away"):
    """The host: this member has to go, and cannot come back to this table.

    Whoever watches can be sent away at any time, whoever has a seat before the start. Whoever
    opened the table, member 0, stays.
    """

    member: Number


class Start(_In, frozen=True):
    """The host: every seat is taken, let us play."""


class Move(_In, frozen=True):
    """A move that answers one decision. The same id is never played twice."""

    decision: Number
    id: Id
    move: Token


class Next(_In, frozen=True):
    """The score has been read: on to the next hand."""

    decision: Number


class Commit(_In, frozen=True):
    """K of this seat for the shuffle of a hand (MB-FAIR-1)."""

    hand: Number
    commit: Hex64


class Reveal(_In, frozen=True):
    """E of this seat for the shuffle of a hand (MB-FAIR-1)."""

    hand: Number
    entropy: Hex64


class Chat(_In, frozen=True):
    """A line to everybody at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Emote(_In, frozen=True):
    """One of the emotes the table offers."""

    emote: Name


class Mute(_In, frozen=True):
    """Hear no more (or again) of one member of the table."""

    member: Number
    on: bool = True


class Return(_In, frozen=True):
    """Take the seat back from the bot that played on."""


class LetBotPlay(_In, frozen=True, tag="let_bot_play"):
    """Let a bot play on for this seat, which has held up the table since `asked.stall.at`.

    It does once more than half of the other players who are here have said so.
    """

    seat: Seat
    decision: Number


class Leave(_In, frozen=True):
    """Go away. During a match a bot plays on; the seat can be taken back."""


class Rematch(_In, frozen=True):
    """After the match: again, with the seats rotated."""


class Hint(_In, frozen=True):
    """At a practice table: what would you play, and why?

    The table goes on while a bot thinks, so frames may come before the answer. Asking once more
    for the same decision meanwhile changes nothing; for another one it is refused (`too_many`).
    """

    decision: Number


class Back(_In, frozen=True):
    """At a practice table: go back to an earlier decision of this hand."""

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
    | Return
    | LetBotPlay
    | Leave
    | Rematch
    | Hint
    | Back
)
