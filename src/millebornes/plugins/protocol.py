"""The protocol of bots that are programs: JSON objects, one per line. Specified in docs/bots.

The program is asked on its standard input, and answers on its standard output. Every question is
complete in itself: a bot need not remember anything.
"""

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from millebornes.rules import EDITIONS, Edition, View
from millebornes.rules.edition import rule_fields
from millebornes.table.frames import hand_view
from millebornes.table.messages_out import Asked, HandView
from millebornes.table.views import asked_of, view_of

__all__ = [
    "PROTOCOL",
    "Bye",
    "Choose",
    "EditionRules",
    "Error",
    "FromBot",
    "Hello",
    "Move",
    "Position",
    "Ready",
    "SeatCards",
    "ToBot",
    "decode_answer",
    "line_of",
    "question",
    "view_from",
]

PROTOCOL = 1
"""The version of the protocol."""


class _Message(Struct, frozen=True, tag_field="type", tag=str.lower):
    pass


class _Value(Struct, frozen=True):
    pass


class Hello(_Message, frozen=True):
    """The first message. The bot answers with `ready`."""

    protocol: int
    """The version of this protocol."""
    seconds: float
    """How long an answer to `choose` may take."""


class EditionRules(_Value, frozen=True):
    """The edition that is played, with all its rules."""

    id: str
    """The id of a printed edition, or `house-` followed by a hash of all rules."""
    name: str | None
    """The name that people use; null: house rules without a name."""
    parent: str | None
    """The printed edition that house rules are based on; null: a printed edition."""
    rules: dict[str, Any]
    """Every rule by its key in house rules."""


class SeatCards(_Value, frozen=True):
    """What everybody may know of a seat's cards."""

    cards: int
    """Number of cards in hand."""


class Position(_Value, frozen=True):
    """The table as the bot's seat may see it. Its fields are also fields of a server's table."""

    players: int
    """Number of players. The number of sides is the length of `hand.sides`."""
    teams: bool
    """Whether they play in teams of two; a team is one side."""
    you: int
    """The seat that the bot plays for now."""
    seats: tuple[SeatCards, ...]
    asked: Asked
    """What is awaited: a turn, an answer in a window, or a decision about the extension. `decision`
    is the `id` of the question."""
    hand: HandView


class Choose(_Message, frozen=True):
    """A question: which of `table.hand.legal_moves`? The bot answers with `move`."""

    id: int
    """The number of the question; the answer repeats it."""
    edition: EditionRules
    table: Position


class Bye(_Message, frozen=True):
    """The last message: the bot should end. Its standard input ends, too."""


class Ready(_Message, frozen=True):
    """The answer to `hello`."""

    protocol: int
    """The version that the bot speaks."""


class Move(_Message, frozen=True):
    """The answer to `choose`."""

    id: int
    """The `id` of the question."""
    move: str
    """One of `table.hand.legal_moves`."""


class Error(_Message, frozen=True):
    """The bot cannot answer."""

    text: str
    """What went wrong, for a person to read."""
    id: int | None = None
    """The `id` of the question; null: the bot cannot play at all."""
    code: str = ""
    """A short code, for programs."""


ToBot = Hello | Choose | Bye
FromBot = Ready | Move | Error

_answers = msgspec.json.Decoder(Ready | Move | Error)


def line_of(message: Struct) -> bytes:
    """A message as one line."""
    return msgspec.json.encode(message) + b"\n"


def question(number: int, view: View) -> bytes:
    """The line that asks for a move."""
    assert view.seat is not None
    position = Position(
        players=view.players,
        teams=view.edition.has_teams(view.players),
        you=view.seat,
        seats=tuple([SeatCards(count) for count in view.hand_sizes]),
        asked=asked_of(view.awaiting, number),
        hand=hand_view(view),
    )
    rules = _edition_rules(view.edition, view.edition.name)
    return line_of(Choose(number, rules, position))


@lru_cache(maxsize=64)
def _edition_rules(edition: Edition, name: str | None) -> EditionRules:
    # The name is a key of its own: editions with the same rules are equal, whatever their name.
    rules = {key: edition.toml_ready(key) for key in rule_fields()}
    return EditionRules(edition.id, name, edition.parent, rules)


def decode_answer(line: bytes) -> FromBot:
    """The bot's message. Raises `msgspec.MsgspecError` if it is none."""
    answer: FromBot = _answers.decode(line)
    return answer


def view_from(asked: Choose) -> View:
    """The view that a question was made from, except for its history."""
    table = asked.table
    return view_of(
        table.hand,
        table.asked,
        _edition_from(msgspec.json.encode(asked.edition)),
        players=table.players,
        seat=table.you,
        hand_sizes=[seat.cards for seat in table.seats],
    )


@lru_cache(maxsize=64)
def _edition_from(encoded: bytes) -> Edition:
    told = msgspec.json.decode(encoded, type=EditionRules)
    printed = EDITIONS[told.parent or told.id]
    return printed if told.parent is None else printed.house(told.rules, told.name)
