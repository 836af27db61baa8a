"""Counts open tables by guest and by address, for the limits on tables."""

from collections import Counter
from typing import NamedTuple

from .limits import decrement

__all__ = ["TableCounts"]


class _Opener(NamedTuple):
    guest: str
    address: str | None


class TableCounts:
    """Counts tables by the guest who opened them and by the address they were opened from.

    Addresses are kept only here, in memory: after a restart only those of new tables count.
    """

    def __init__(self) -> None:
        self._of: dict[str, _Opener] = {}
        self._guests: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def add(self, table: str, guest: str, address: str | None = None) -> None:
        """Count a table that is open or being opened."""
        self._of[table] = _Opener(guest, address)
        self._guests[guest] += 1
        if address is not None:
            self._addresses[address] += 1

    def remove(self, table: str) -> None:
        """Stop counting a table."""
        opener = self._of.pop(table, None)
        if opener is not None:
            decrement(self._guests, opener.guest)
            if opener.address is not None:
                decrement(self._addresses, opener.address)

    def by_guest(self, guest: str) -> int:
        """Number of open tables that this guest opened."""
        return self._guests[guest]

    def by_address(self, address: str) -> int:
        """Number of open tables that were opened from this address."""
        return self._addresses[address]
