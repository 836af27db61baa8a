"""Where tables are kept: what every store can do, and one module for each kind of store.

`store_at` in `opening` makes one by its name; only this package knows databases.
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
