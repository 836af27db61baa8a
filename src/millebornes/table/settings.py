"""The settings of a table, chosen when it is opened."""

from dataclasses import dataclass
from typing import NamedTuple

from millebornes.rules import Edition, EditionError
from millebornes.rules.apply import new_match

__all__ = [
    "BOT_WINDOW",
    "CLOCK",
    "EMOTES",
    "PACE",
    "SEED_LENGTH",
    "USUAL_BOT_WINDOW",
    "USUAL_PACE",
    "USUAL_WINDOW",
    "WINDOW",
    "Settings",
    "with_teams",
]

EMOTES = ("bravo", "ouch", "thanks", "sorry", "hurry", "haha", "hello", "bye")
SEED_LENGTH = 200
"""The most characters a seed may have."""


class Bounds(NamedTuple):
    """The range of a time, in milliseconds."""

    least: int
    most: int


CLOCK = Bounds(5_000, 24 * 3_600_000)
WINDOW, USUAL_WINDOW = Bounds(1_000, 60_000), 5_000
BOT_WINDOW, USUAL_BOT_WINDOW = Bounds(0, 60_000), 800
PACE, USUAL_PACE = Bounds(0, 60_000), 1_200


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A table's settings. Times are milliseconds."""

    edition: Edition
    players: int
    short_trip: bool = False
    is_open: bool = False
    """Open tables are listed in the lobby; others are found only by their link."""
    clock: int | None = None
    """Time for a turn; None for no limit."""
    window: int = USUAL_WINDOW
    """How long a side with a person on it may take to answer an attack."""
    bot_window: int = USUAL_BOT_WINDOW
    """The same for a side with only bots."""
    pace: int = USUAL_PACE
    """How long a bot seems to think."""
    patient: bool = True
    """A person alone with bots may take any time to answer an attack: nobody waits for them."""
    practice: bool = False
    """One person and bots: hints and going back are allowed, and the record says so."""
    seed: str | None = None
    """The seed of the decks at a practice table; at other tables the seats shuffle together."""

    def __post_init__(self) -> None:
        new_match(self.edition, self.players, short_trip=self.short_trip)
        if self.clock is not None:
            _check("clock", self.clock, CLOCK)
        _check("window", self.window, WINDOW)
        _check("bot_window", self.bot_window, BOT_WINDOW)
        _check("pace", self.pace, PACE)
        if self.seed is not None and not self.practice:
            raise EditionError("seed", self.seed, "no seed, except at a practice table")
        if self.practice and not _is_seed(self.seed):
            allowed = f"at most {SEED_LENGTH} characters at a practice table"
            raise EditionError("seed", self.seed, allowed)


def _is_seed(seed: str | None) -> bool:
    if seed is None or len(seed) > SEED_LENGTH:
        return False
    return not any("\ud800" <= char <= "\udfff" for char in seed)


def with_teams(edition: Edition, players: int, teams: bool) -> Edition:
    """The edition with or without teams of two for this many players."""
    if teams and (players < 4 or players % 2):
        raise EditionError("teams", True, "teams of two at 4, 6 or 8 players")
    others = {count for count in edition.teams_at if count != players}
    return edition.house({"teams_at": sorted(others | {players} if teams else others)})


def _check(name: str, value: int, bounds: Bounds) -> None:
    if not bounds.least <= value <= bounds.most:
        raise EditionError(name, value, f"{bounds.least} to {bounds.most} milliseconds")
