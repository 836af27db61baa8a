"""What the REST interface takes and gives."""

from typing import Annotated, Any

from msgspec import Meta, Struct

__all__ = [
    "BotInfo",
    "Created",
    "EditionInfo",
    "ErrorBody",
    "FieldInfo",
    "GameInfo",
    "GuestInfo",
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
    sentence: str


class Status(Struct, frozen=True):
    """Is all well?"""

    status: str


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """A guest wants in: nothing to tell yet."""


class GuestInfo(Struct, frozen=True):
    """A guest's token. Programs keep it and send it as a bearer token; browsers get a cookie."""

    token: str | None


class LinkCode(Struct, frozen=True, forbid_unknown_fields=True):
    """A code that moves a guest to another device, once, within ten minutes."""

    code: Annotated[str, Meta(min_length=1, max_length=64)]


class FieldInfo(Struct, frozen=True):
    """One rule of an edition."""

    name: str
    value: Any
    means: str
    source: str


class EditionInfo(Struct, frozen=True):
    """An edition, with every rule."""

    id: str
    name: str
    character: str
    parent: str | None
    player_counts: tuple[int, ...]
    teams_at: tuple[int, ...]
    short_trip_at: tuple[int, ...]
    rules: tuple[FieldInfo, ...]


class BotInfo(Struct, frozen=True):
    """A bot that can be seated."""

    level: str


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules as TOML text."""

    toml: Annotated[str, Meta(max_length=8000)]


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open. Times are milliseconds."""

    name: Name
    edition: Annotated[str, Meta(max_length=40)] | None = None
    house_rules: Annotated[str, Meta(max_length=8000)] | None = None
    players: Annotated[int, Meta(ge=2, le=8)] = 2
    teams: bool | None = None
    """Teams of two, or each for themselves; None: as the edition says."""
    short_trip: bool = False
    is_open: bool = False
    clock: Annotated[int, Meta(ge=5000, le=86_400_000)] | None = None
    window: Annotated[int, Meta(ge=1000, le=60_000)] = 4000
    bot_window: Annotated[int, Meta(ge=0, le=60_000)] = 800
    pace: Annotated[int, Meta(ge=0, le=60_000)] = 1200
    practice: bool = False
    seed: Annotated[str, Meta(min_length=1, max_length=100)] | None = None


class Created(Struct, frozen=True):
    """The id that opens the table, for its link."""

    table: str


class JoinTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Come to a table: to a free seat, to this seat, or only to watch."""

    name: Name
    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    watch: bool = False


class TableInfo(Struct, frozen=True):
    """A table in short."""

    table: str
    phase: str
    edition: str
    players: int
    names: tuple[str, ...]
    created: int


class OpenTable(Struct, frozen=True):
    """A table in the lobby."""

    table: str
    edition: str
    edition_name: str
    players: int
    names: tuple[str, ...]
    free: int
    clock: int | None


class GameInfo(Struct, frozen=True):
    """A finished game."""

    game: str
    ended: int
    edition: str
    names: tuple[str, ...]
    totals: tuple[int, ...]


class MyGames(Struct, frozen=True):
    """A guest's running and recent games."""

    running: tuple[TableInfo, ...]
    recent: tuple[GameInfo, ...]
