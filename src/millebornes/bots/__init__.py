"""All bots, by the name of their level."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from .bot import Advice, Adviser, Bot
from .sunday_driver import SundayDriver

__all__ = ["BOTS", "STRONGEST", "Advice", "Adviser", "Bot", "SundayDriver"]

BOTS: Mapping[str, Callable[[], Adviser]] = MappingProxyType({"sunday-driver": SundayDriver})
"""Every bot, weakest first. Each can explain its choice."""

STRONGEST = list(BOTS)[-1]
"""The level that gives hints."""
