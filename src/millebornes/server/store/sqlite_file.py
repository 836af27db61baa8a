"""The file of an SQLite store: its path, permissions, identity and lock."""

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
    """The file for a path; empty means one in the user's data folder."""
    if not path:
        folder = os.environ.get("MILLEBORNES_DATA")
        folder = folder or platformdirs.user_data_dir("millebornes", appauthor=False)
        return str(Path(folder) / "tables.sqlite")
    try:
        return str(Path(path).expanduser()) if path.startswith("~") else path
    except RuntimeError as error:
        raise StoreError(f"cannot resolve the path {path}: {error}.") from None


def check_file(file: Path) -> None:
    """Create its folder; `StoreError` if the file is not readable and writable."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot create the folder {file.parent}: {error.strerror}.") from None
    if file.is_dir():
        raise StoreError(f"{file} is a folder. Choose a file.")
    for place in (file.parent, file):
        if place.exists() and not os.access(place, os.W_OK, **_EFFECTIVE):
            raise StoreError(f"{place} is not writable for this user. Change its permissions.")


def create_for_owner(file: Path) -> None:
    """Create a file that only its owner can read: it holds seeds, cards and chat.

    SQLite gives the files beside it the same permissions.
    """
    with contextlib.suppress(OSError):  # SQLite reports the error better
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))


def free_name(file: Path) -> Path:
    """An unused name beside a file, for a copy of its data."""
    names = (file.with_name(f"{file.name}.saved{number or ''}") for number in itertools.count())
    return next(name for name in names if not name.exists())


class Identity:
    """The inodes of a database, to detect that its files were deleted or replaced.

    That does not stop a running server: SQLite goes on writing to a file without a name, which
    the system discards when the server exits.
    """

    def __init__(self, database: Path) -> None:
        files = (database, database.with_name(f"{database.name}-wal"))
        self._kept = {file: _number(file) for file in files if file.exists()}

    def gone(self) -> Path | None:
        """A file that was deleted or replaced; None if both are in place."""
        return next((file for file, kept in self._kept.items() if _number(file) != kept), None)

    def size(self) -> int:
        """Total bytes of both files."""
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
    """Ensures one server per database: a second would consider all guests gone and play on.

    Held until it is closed or the process ends in any way. The lock is an SQLite transaction on a
    separate empty file: SQLite uses the locks of each operating system, and backups can still
    read the database itself.
    """

    def __init__(self, database: Path) -> None:
        # Resolve links: one database has one lock under all its names.
        file = database.resolve()
        beside = file.with_name(f"{file.name}.lock")
        create_for_owner(beside)
        try:
            self._held = apsw.Connection(str(beside))
        except apsw.Error as error:
            raise StoreError(f"cannot lock the file {beside}: {error}") from None
        try:
            self._held.execute("BEGIN EXCLUSIVE")
        except apsw.Error as error:
            self._held.close()
            if isinstance(error, apsw.BusyError):
                raise StoreError(
                    f"another server uses the database {file}. Stop it first."
                ) from None
            raise StoreError(f"cannot lock the file {beside}: {error}") from None

    def close(self) -> None:
        """Release the lock."""
        self._held.close()
