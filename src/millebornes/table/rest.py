"""What the REST interface takes and gives.

The sentence under each field goes into the OpenAPI document and the protocol page.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from millebornes.rules.editions import TOML_LENGTH

from .settings import (
    BOT_WINDOW,
    CLOCK,
    PACE,
    SEED_LENGTH,
    USUAL_BOT_WINDOW,
    USUAL_PACE,
    USUAL_WINDOW,
    WINDOW,
)

__all__ = [
    "BotInfo",
    "Created",
    "DeviceInfo",
    "EditionInfo",
    "ErrorBody",
    "FieldInfo",
    "GameInfo",
    "GuestInfo",
    "Health",
    "HouseRules",
    "JoinTable",
    "LinkCode",
    "MyGames",
    "NewGuest",
    "NewTable",
    "OpenTable",
    "Status",
    "TableInfo",
]

Name = Annotated[str, Meta(min_length=1, max_length=64)]


class ErrorBody(Struct, frozen=True):
    """What was wrong, and what is allowed."""

    code: str
    """Stable, for programs."""
    sentence: str
    """The same for people, in the language of the request."""


class Status(Struct, frozen=True):
    """Is all well?"""

    status: str
    """`ready`, `starting`, or `cannot_write`."""


class Health(Struct, frozen=True):
    """The process answers, and says what it is."""

    status: str = "ok"
    """Always `ok`."""
    program: str = "millebornes"
    """Always `millebornes`: it is no other program that answers here."""


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """A guest wants in: nothing to tell yet."""


class GuestInfo(Struct, frozen=True):
    """A guest's token, for a program to keep and to send as a bearer token."""

    token: str | None
    """None: you are a browser, which gets a cookie that no script can read; or you are that guest
    already, by the token or cookie that you sent."""


class LinkCode(Struct, frozen=True, forbid_unknown_fields=True):
    """A code that moves a guest to another device, once, within ten minutes."""

    code: Annotated[str, Meta(min_length=1, max_length=64)]
    """What the other device sends to be the same guest."""


class DeviceInfo(Struct, frozen=True):
    """A place where a guest is signed in: a token of theirs."""

    device: str
    """Its id in this list."""
    label: str | None
    """What people would call it, such as `Firefox, Linux`; None: a program, or not known."""
    created: int
    """Since when, in milliseconds since 1970."""
    seen: int
    """When it was last used, to within a day."""
    is_this: bool
    """It is the one that asks."""


class FieldInfo(Struct, frozen=True):
    """One rule of an edition."""

    name: str
    """Its key in house rules."""
    value: Any
    """As in house rules: a number, a text, a list, true or false, or a table."""
    means: str
    """What the rule says, in English."""
    source: str
    """Where the edition says so."""


class EditionInfo(Struct, frozen=True):
    """An edition, with every rule."""

    id: str
    """The id of a printed edition, or `house-` and a hash of all rules."""
    name: str | None
    """What people call it; None: house rules that were given no name."""
    character: str
    """What it is like, in one line; for house rules, that of their parent."""
    parent: str | None
    """The printed edition that house rules change; None: it is printed itself."""
    player_counts: tuple[int, ...]
    """How many can play."""
    teams_at: tuple[int, ...]
    """Player counts that play in teams of two."""
    short_trip_at: tuple[int, ...]
    """Player counts that may choose a trip of 700."""
    rules: tuple[FieldInfo, ...]
    """Every rule, in the order of the house-rules page."""


class BotInfo(Struct, frozen=True):
    """A bot that can be seated."""

    level: str
    """What `add_bot` calls it."""


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules as TOML text."""

    toml: Annotated[str, Meta(max_length=TOML_LENGTH)]
    """The text of a house-rules file: its `parent`, and what is played differently."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open. Times are milliseconds."""

    name: Name
    """Your name at the table."""
    edition: Annotated[str, Meta(max_length=40)] | None = None
    """The id of a printed edition; None: `winning-moves`."""
    house_rules: Annotated[str, Meta(max_length=TOML_LENGTH)] | None = None
    """House rules as TOML text; they take the place of `edition`."""
    players: Annotated[int, Meta(ge=2, le=8)] = 2
    """How many seats there are; the edition says which counts can play."""
    teams: bool | None = None
    """Teams of two, or each for themselves; None: as the edition says."""
    short_trip: bool = False
    """A trip of 700, where there is a choice."""
    is_open: bool = False
    """Listed in the lobby; else found by its link only."""
    clock: Annotated[int, Meta(ge=CLOCK.least, le=CLOCK.most)] | None = None
    """Time for a turn, before a bot plays on; None: take your time."""
    window: Annotated[int, Meta(ge=WINDOW.least, le=WINDOW.most)] = USUAL_WINDOW
    """How long a side with a person may answer an attack."""
    bot_window: Annotated[int, Meta(ge=BOT_WINDOW.least, le=BOT_WINDOW.most)] = USUAL_BOT_WINDOW
    """The same for a side of bots only."""
    pace: Annotated[int, Meta(ge=PACE.least, le=PACE.most)] = USUAL_PACE
    """How long a bot seems to think."""
    practice: bool = False
    """One person and bots: hints and going back are allowed, and the record says so."""
    seed: Annotated[str, Meta(min_length=1, max_length=SEED_LENGTH)] | None = None
    """What the decks of a practice table are made from; None: drawn by chance."""


class Created(Struct, frozen=True):
    """The id that opens the table, for its link."""

    table: str
    """Whoever knows it can come in; the link to pass on is `/t/` and this."""


class JoinTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Come to a table: to a free seat, to this seat, or only to watch."""

    name: Name
    """Your name at the table; a number is added if it is taken. One that cannot be seen, or only
    looks like a name that is taken, is refused."""
    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    """The seat wanted, from 0; None: any free one."""
    watch: bool = False
    """Only to watch."""


class TableInfo(Struct, frozen=True):
    """A table in short."""

    table: str
    """The id that opens it."""
    phase: str
    """`lobby`, `playing` or `over`."""
    edition: str
    """The id of its edition."""
    players: int
    """How many seats there are."""
    names: tuple[str, ...]
    """Who sits there, by seat; empty where nobody does."""
    created: int
    """When it was opened, in milliseconds since 1970."""


class OpenTable(Struct, frozen=True):
    """A table in the lobby."""

    table: str
    """The id that opens it."""
    edition: str
    """The id of its edition."""
    edition_name: str | None
    """What people call that edition; None: house rules that were given no name."""
    players: int
    """How many seats there are."""
    names: tuple[str, ...]
    """Who is seated already."""
    free: int
    """How many seats are free."""
    clock: int | None
    """Time for a turn in milliseconds; None: take your time."""


class GameInfo(Struct, frozen=True):
    """A finished game."""

    game: str
    """The id of its record."""
    ended: int
    """When it ended, in milliseconds since 1970."""
    edition: str
    """The id of its edition."""
    names: tuple[str, ...]
    """Who played, by seat."""
    totals: tuple[int, ...]
    """The points of each side; empty if it was not played to its end."""


class MyGames(Struct, frozen=True):
    """A guest's running and recent games."""

    running: tuple[TableInfo, ...]
    """Tables that are not closed, the newest first."""
    recent: tuple[GameInfo, ...]
    """Games that have ended, the newest first."""
