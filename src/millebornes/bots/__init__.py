"""Bots, by the name of their level."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from .bot import Advice, Adviser, Bot
from .sunday_driver import SundayDriver

__all__ = ["BOTS", "STRONGEST", "Advice", "Adviser", "Bot", "SundayDriver"]

BOTS: Mapping[str, Callable[[], Adviser]] = MappingProxyType({"sunday-driver": SundayDriver})
"""Every bot there is, weakest first. Each can say why it chose a move."""

STRONGEST = list(BOTS)[-1]
"""The level that gives hints."""
