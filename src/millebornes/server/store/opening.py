"""Which store a name means: a path, `:memory:` or a URL."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from .sqlite import SqliteStore
from .store import NAMES_OF_STORES, Store, StoreError

__all__ = ["store_at"]


def _sqlite(url: str) -> Store:
    # As everywhere: three slashes and a path, a fourth where the path begins with one.
    parts = urlsplit(url)
    path = unquote(parts.path[1:])
    if parts.netloc or parts.query or parts.fragment or not path:
        raise StoreError(f"{url} names no file; allowed is {NAMES_OF_STORES}")
    return SqliteStore(path)


_BY_SCHEME: Mapping[str, Callable[[str], Store]] = MappingProxyType({"sqlite": _sqlite})
"""What opens a store by URL. A further kind of store is a module and a line here."""


def store_at(database: str = "") -> Store:
    """The store with this name, not yet open; empty: a file in the user's data folder."""
    scheme, is_url, _ = database.partition("://")
    if not is_url:
        return SqliteStore(database)
    make = _BY_SCHEME.get(scheme.lower())
    if make is None:
        # Not the whole URL: it may hold a password.
        raise StoreError(
            f"there is no store for {scheme}:// addresses; allowed is {NAMES_OF_STORES}"
        )
    return make(database)
