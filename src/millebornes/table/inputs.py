"""Inputs from the driver of a table: the server, or the terminal game.

Every accepted input is logged, whether it comes from the driver or from a guest. Replaying the
log gives the same table.
"""

from typing import Annotated

from msgspec import Meta, Struct

__all__ = ["Arrived", "Driver", "Gone", "Replaced", "Seed", "Shift", "Shut", "Thought", "Tick"]


class _Driver(Struct, frozen=True, tag_field="type", tag=str.lower):
    pass


class Seed(_Driver, frozen=True):
    """The server's secret for a hand's shuffle, in hex. Logged before the server commits to it."""

    hand: int
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{128}\Z")]


class Thought(_Driver, frozen=True):
    """A bot's move for the decision it was asked about."""

    seat: int
    decision: int
    move: str


class Replaced(_Driver, frozen=True):
    """A bot has failed: a bot of another level plays for it until the next deal."""

    seat: int
    decision: int
    level: str


class Tick(_Driver, frozen=True):
    """A deadline has passed. In a window, with the answers of the bots that were asked."""

    answers: dict[str, str] = {}


class Arrived(_Driver, frozen=True):
    """A guest of the table has connected."""

    guest: str


class Gone(_Driver, frozen=True):
    """A guest has lost its last connection."""

    guest: str


class Shift(_Driver, frozen=True):
    """The server was down for this many milliseconds: deadlines are postponed."""

    by: int


class Shut(_Driver, frozen=True):
    """The driver closes the table."""

    code: str


Driver = Seed | Thought | Replaced | Tick | Arrived | Gone | Shift | Shut
