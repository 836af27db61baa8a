"""The records that the terminal game saves."""

from pathlib import Path

from millebornes.records import Game, game


def read(path: Path) -> Game:
    """The record in a file."""
    return game.from_text(path.read_text(encoding="utf-8"))


def only_record(data: Path) -> Path:
    """The file of the one game in a data folder."""
    (path,) = (data / "games").iterdir()
    return path
