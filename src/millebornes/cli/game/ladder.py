"""Which level of bot a person plays against next: a small file in the data folder counts wins."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from millebornes.bots import GENTLEST, LEVELS, playable

from .storage import data_folder, write_text

__all__ = ["OFFERED_AFTER", "Ladder", "read_ladder", "write_ladder"]

OFFERED_AFTER = 3
"""How many matches won against a level make us offer the next one."""
_FILE = "bots.json"


@dataclass(frozen=True)
class Ladder:
    """The levels that a person has met on this device."""

    last: str | None = None
    """The level of the latest game."""
    wins: Mapping[str, int] = field(default_factory=dict)
    """Matches won against each level met."""

    @property
    def level(self) -> str:
        """The level to play against, unless the person chooses another."""
        return self.last if self.last in playable() else GENTLEST

    def met(self, level: str) -> "Ladder":
        """After the start of a game against this level."""
        return Ladder(level, {**self.wins, level: self.wins.get(level, 0)})

    def won(self, level: str) -> "Ladder":
        """After a match won against this level."""
        return Ladder(level, {**self.wins, level: self.wins.get(level, 0) + 1})

    def offered(self, level: str) -> str | None:
        """The next level, if this one has been beaten often enough and the next not once."""
        stronger = playable()[playable().index(level) + 1 :] if level in playable() else ()
        if not stronger or self.wins.get(stronger[0], 0):
            return None
        return stronger[0] if self.wins.get(level, 0) >= OFFERED_AFTER else None


def read_ladder() -> Ladder:
    """What the file says; nothing, if there is none or it cannot be understood."""
    try:
        read = json.loads((data_folder() / _FILE).read_text(encoding="utf-8"))
        last, wins = read["last"], read["wins"]
        known = {level: wins[level] for level in LEVELS if type(wins.get(level)) is int}
    except (OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return Ladder()
    return Ladder(last if last in known else None, known)


def write_ladder(ladder: Ladder) -> None:
    """Keep it, if the disk allows: a game does not depend on it."""
    text = json.dumps({"last": ladder.last, "wins": dict(ladder.wins)}, indent=2) + "\n"
    with suppress(OSError):
        write_text(data_folder() / _FILE, text)
