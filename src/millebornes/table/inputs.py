"""What the driver of a table (the server, the terminal game) puts in besides people's messages.

Every accepted input is logged, whoever it comes from; replaying the log gives the same table.
"""

from typing import Annotated

from msgspec import Meta, Struct

__all__ = ["Arrived", "Driver", "Gone", "Seed", "Shift", "Shut", "Thought", "Tick"]


class _Driver(Struct, frozen=True, tag_field="type", tag=str.lower):
    pass


class Seed(_Driver, frozen=True):
    """The server's secret for the shuffle of a hand, in hex. Logged before it is committed to."""

    hand: int
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{128}\Z")]


class Thought(_Driver, frozen=True):
    """A bot's move for the decision it was asked about."""

    seat: int
    decision: int
    move: str


class Tick(_Driver, frozen=True):
    """A deadline has passed. In a window, with what the bots that were asked answer."""

    answers: dict[str, str] = {}


class Arrived(_Driver, frozen=True):
    """A guest of the table has a connection now."""

    guest: str


class Gone(_Driver, frozen=True):
    """A guest has lost its last connection."""

    guest: str


class Shift(_Driver, frozen=True):
    """The server was away for so many milliseconds: deadlines wait."""

    by: int


class Shut(_Driver, frozen=True):
    """The table is closed."""

    code: str


Driver = Seed | Thought | Tick | Arrived | Gone | Shift | Shut
