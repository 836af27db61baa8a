"""Who has opened the tables that are being served: nobody takes all the places."""

from collections import Counter
from typing import NamedTuple

from .limits import count_off

__all__ = ["TableCounts"]


class _Opener(NamedTuple):
    guest: str
    address: str | None


class TableCounts:
    """Counts tables by the guest who opened them and by the address they were opened from.

    Addresses are nowhere kept but here: after a restart only those of new tables are known.
    """

    def __init__(self) -> None:
        self._of: dict[str, _Opener] = {}
        self._guests: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def add(self, table: str, guest: str, address: str | None = None) -> None:
        """A table is there, or nearly."""
        self._of[table] = _Opener(guest, address)
        self._guests[guest] += 1
        if address is not None:
            self._addresses[address] += 1

    def remove(self, table: str) -> None:
        """A table is no more."""
        opener = self._of.pop(table, None)
        if opener is not None:
            count_off(self._guests, opener.guest)
            if opener.address is not None:
                count_off(self._addresses, opener.address)

    def by_guest(self, guest: str) -> int:
        """How many of the tables this guest has opened."""
        return self._guests[guest]

    def by_address(self, address: str) -> int:
        """How many of them have been opened from this address."""
        return self._addresses[address]
