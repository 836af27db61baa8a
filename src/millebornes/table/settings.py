"""What is agreed before anyone sits down."""

from dataclasses import dataclass

from millebornes.rules import Edition, EditionError
from millebornes.rules.apply import new_match

__all__ = ["EMOTES", "Settings", "with_teams"]

EMOTES = ("bravo", "ouch", "thanks", "sorry", "hurry", "haha", "hello", "bye")
_SECOND = 1000
_SEED_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A table's settings. Times are milliseconds."""

    edition: Edition
    players: int
    short_trip: bool = False
    is_open: bool = False
    """Open tables are listed in the lobby; others are found by their link only."""
    clock: int | None = None
    """Time for a turn; None: take your time."""
    window: int = 4 * _SECOND
    """How long a person's side may answer an attack."""
    bot_window: int = 800
    """The same for a side of bots only."""
    pace: int = 1200
    """How long a bot seems to think."""
    practice: bool = False
    """One person and bots: hints and going back are allowed, and the record says so."""
    seed: str | None = None
    """What the decks of a practice table are made from; other tables shuffle together."""

    def __post_init__(self) -> None:
        new_match(self.edition, self.players, short_trip=self.short_trip)
        _check("clock", self.clock, 5 * _SECOND, 24 * 3600 * _SECOND, optional=True)
        _check("window", self.window, _SECOND, 60 * _SECOND)
        _check("bot_window", self.bot_window, 0, 60 * _SECOND)
        _check("pace", self.pace, 0, 60 * _SECOND)
        if self.seed is not None and not self.practice:
            raise EditionError("seed", self.seed, "a fixed deck at practice tables only")
        if self.practice and not _is_seed(self.seed):
            allowed = f"a text of at most {_SEED_LENGTH} characters for the decks of practice"
            raise EditionError("seed", self.seed, allowed)


def _is_seed(seed: str | None) -> bool:
    if seed is None or len(seed) > _SEED_LENGTH:
        return False
    return not any("\ud800" <= char <= "\udfff" for char in seed)


def with_teams(edition: Edition, players: int, teams: bool) -> Edition:
    """The edition with or without teams of two for so many players."""
    if teams and (players < 4 or players % 2):
        raise EditionError("teams", True, "teams of two at 4, 6 or 8 players")
    others = {count for count in edition.teams_at if count != players}
    return edition.house({"teams_at": sorted(others | {players} if teams else others)})


def _check(name: str, value: int | None, low: int, high: int, optional: bool = False) -> None:
    if value is None and optional:
        return
    if value is None or not low <= value <= high:
        raise EditionError(name, value, f"{low} to {high} milliseconds")
