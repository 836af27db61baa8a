"""One server for one database file: a second would call everybody gone and play on for itself."""

from pathlib import Path

import apsw

__all__ = ["InUse", "Lock"]


class InUse(Exception):  # noqa: N818 (says it best)
    """Another process holds the lock."""


class Lock:
    """Held until it is closed or the process ends, however it ends.

    A transaction of SQLite on an empty file of its own: its locks are those of the system, on
    every system, and the database itself stays open to backups.
    """

    def __init__(self, database: Path) -> None:
        # By whatever name or link it was called, it is one database.
        file = database.resolve()
        self._held = apsw.Connection(str(file.with_name(f"{file.name}.lock")))
        try:
            self._held.execute("BEGIN EXCLUSIVE")
        except apsw.Error as error:
            self._held.close()
            if isinstance(error, apsw.BusyError):
                raise InUse(str(file)) from None
            raise

    def close(self) -> None:
        """Let go."""
        self._held.close()
