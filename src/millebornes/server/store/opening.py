"""Chooses the store for a database name: a path, `:memory:` or a URL."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from .sqlite import SqliteStore
from .store import DATABASE_NAMES, Store, StoreError

__all__ = ["store_at"]


def _sqlite(url: str) -> Store:
    # As usual in such URLs: three slashes, then the path; an absolute path adds a fourth.
    parts = urlsplit(url)
    path = unquote(parts.path[1:])
    if parts.netloc or parts.query or parts.fragment or not path:
        raise StoreError(f"{url} names no file; a database must be {DATABASE_NAMES}")
    return SqliteStore(path)


_BY_SCHEME: Mapping[str, Callable[[str], Store]] = MappingProxyType({"sqlite": _sqlite})
"""The store of each URL scheme. To add one, write a module and add a line here."""


def store_at(database: str = "") -> Store:
    """The store for a database name, not yet open; empty means a file in the data folder."""
    scheme, is_url, _ = database.partition("://")
    if not is_url:
        return SqliteStore(database)
    make = _BY_SCHEME.get(scheme.lower())
    if make is None:
        # Do not quote the whole URL: it may hold a password.
        raise StoreError(
            f"{scheme}:// databases are not supported; a database must be {DATABASE_NAMES}"
        )
    return make(database)
