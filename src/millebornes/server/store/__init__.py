"""Persistent storage: the interface of every store, and one module per kind of store.

`store_at` in `opening` creates the store for a database name. Only this package knows databases.
"""

from .store import (
    DATABASE_NAMES,
    SEEN_EVERY,
    Conflict,
    Device,
    FinishedGame,
    LogRow,
    Store,
    StoreError,
    StoreState,
    Summary,
    TableRow,
)

__all__ = [
    "DATABASE_NAMES",
    "SEEN_EVERY",
    "Conflict",
    "Device",
    "FinishedGame",
    "LogRow",
    "Store",
    "StoreError",
    "StoreState",
    "Summary",
    "TableRow",
]
