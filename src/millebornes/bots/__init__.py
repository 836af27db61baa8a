"""Bots, by the name of their level."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from .bot import Advice, Adviser, Bot
from .sunday_driver import SundayDriver

__all__ = ["BOTS", "Advice", "Adviser", "Bot", "SundayDriver"]

BOTS: Mapping[str, Callable[[], Bot]] = MappingProxyType({"sunday-driver": SundayDriver})
"""Every bot there is, weakest first."""
