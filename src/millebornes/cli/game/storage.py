"""Files in the data folder: saved games, written after every move, whole or not at all."""

import os
import re
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from platformdirs import user_data_path

from millebornes.records import Game, game

__all__ = [
    "FOLDER_VARIABLE",
    "data_folder",
    "games_folder",
    "new_path",
    "save",
    "unfinished",
    "write_text",
]

FOLDER_VARIABLE = "MILLEBORNES_DATA"
_ENDING = ".txt"


def data_folder() -> Path:
    """The folder for everything that the terminal game keeps."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else user_data_path("millebornes", appauthor=False)


def games_folder() -> Path:
    """The folder of saved games, for those started without `--save`."""
    return data_folder() / "games"


def new_path(now: datetime, seed: str) -> Path:
    """An unused path for a new game."""
    label = re.sub(r"[^A-Za-z0-9]+", "-", seed)[:16].strip("-")
    stem = f"{now:%Y-%m-%d-%H%M%S}" + (f"-{label}" if label else "")
    folder = games_folder()
    path = folder / (stem + _ENDING)
    number = 2
    while path.exists():
        path = folder / f"{stem}-{number}{_ENDING}"
        number += 1
    return path


def save(path: Path, record: Game) -> None:
    """Write the record atomically."""
    write_text(path, game.to_text(record))


def write_text(path: Path, text: str) -> None:
    """Write a file atomically: after a crash it holds the old text or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(part).replace(path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def unfinished(folder: Path) -> Iterator[Path]:
    """The unfinished games in a folder, latest first."""
    try:
        found = [path for path in folder.iterdir() if path.suffix == _ENDING]
        found.sort(key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
    except OSError:
        return
    for path in found:
        try:
            record = game.from_text(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue  # not a record of ours: `--resume FILE` reports what is wrong with it
        if record.result is None:
            yield path
