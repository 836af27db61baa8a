"""The file of an SQLite store: where it lies, whether it can be used, and who uses it."""

import contextlib
import itertools
import os
from pathlib import Path

import apsw
import platformdirs

from .store import StoreError

__all__ = ["Identity", "Lock", "check_file", "create_for_owner", "free_name", "place_of"]

_EFFECTIVE = {"effective_ids": True} if os.access in os.supports_effective_ids else {}


def place_of(path: str) -> str:
    """The file that a path names; empty: one in the user's data folder."""
    if not path:
        folder = os.environ.get("MILLEBORNES_DATA")
        folder = folder or platformdirs.user_data_dir("millebornes", appauthor=False)
        return str(Path(folder) / "tables.sqlite")
    try:
        return str(Path(path).expanduser()) if path.startswith("~") else path
    except RuntimeError as error:
        raise StoreError(f"there is no file {path}: {error}.") from None


def check_file(file: Path) -> None:
    """Make its folder; `StoreError` if the file cannot be read and written."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"the folder {file.parent} cannot be made: {error.strerror}.") from None
    if file.is_dir():
        raise StoreError(f"{file} is a folder. Name a file.")
    for place in (file.parent, file):
        if place.exists() and not os.access(place, os.W_OK, **_EFFECTIVE):
            raise StoreError(f"{place} cannot be written by this user. Change its permissions.")


def create_for_owner(file: Path) -> None:
    """Seeds, cards and chat are in it. What SQLite puts beside it has the same permissions."""
    with contextlib.suppress(OSError):  # SQLite says better what is wrong
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))


def free_name(file: Path) -> Path:
    """A name beside a file that nobody has, for what is saved from it."""
    names = (file.with_name(f"{file.name}.saved{number or ''}") for number in itertools.count())
    return next(name for name in names if not name.exists())


class Identity:
    """Which files a database is: a path may come to name other ones, or none.

    A program that deletes or replaces the file of a running server does not stop it: SQLite
    writes on into a file that has no name, and the system throws it away when the server ends.
    """

    def __init__(self, database: Path) -> None:
        files = (database, database.with_name(f"{database.name}-wal"))
        self._kept = {file: _number(file) for file in files if file.exists()}

    def gone(self) -> Path | None:
        """A file that is no longer where it was; None if both are."""
        return next((file for file, kept in self._kept.items() if _number(file) != kept), None)

    def size(self) -> int:
        """Bytes of both."""
        total = 0
        for file in self._kept:
            with contextlib.suppress(OSError):
                total += file.stat().st_size
        return total


def _number(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Lock:
    """One server for one file: a second would call everybody gone and play on for itself.

    Held until it is closed or the process ends, however it ends. A transaction of SQLite on an
    empty file of its own: its locks are those of the system, on every system, and the database
    itself stays open to backups.
    """

    def __init__(self, database: Path) -> None:
        # By whatever name or link it was called, it is one database.
        file = database.resolve()
        beside = file.with_name(f"{file.name}.lock")
        create_for_owner(beside)
        try:
            self._held = apsw.Connection(str(beside))
        except apsw.Error as error:
            raise StoreError(f"the file {beside} cannot be locked: {error}") from None
        try:
            self._held.execute("BEGIN EXCLUSIVE")
        except apsw.Error as error:
            self._held.close()
            if isinstance(error, apsw.BusyError):
                raise StoreError(
                    f"another server uses the database {file}. Stop that one first."
                ) from None
            raise StoreError(f"the file {beside} cannot be locked: {error}") from None

    def close(self) -> None:
        """Let go."""
        self._held.close()
