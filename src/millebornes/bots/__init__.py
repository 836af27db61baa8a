"""The bots that people meet, by the name of their level, and the yardsticks of the arena."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from .bot import Advice, Adviser, Bot
from .commuter import Commuter
from .learner import Learner
from .levels import GENTLEST, LEVELS, Level, has_kernel, playable, stand_in, strongest
from .measured import MEASURED, Measured
from .sparring import Sparring
from .sunday_driver import SundayDriver

__all__ = [
    "BOTS",
    "GENTLEST",
    "LEVELS",
    "MEASURED",
    "YARDSTICKS",
    "Advice",
    "Adviser",
    "Bot",
    "Commuter",
    "Learner",
    "Level",
    "Measured",
    "Sparring",
    "SundayDriver",
    "has_kernel",
    "playable",
    "stand_in",
    "strongest",
]

BOTS: Mapping[str, Callable[[], Adviser]] = MappingProxyType(
    {name: level.make for name, level in LEVELS.items()}
)
"""Every bot that people meet, weakest first. Each can explain its choice."""

YARDSTICKS: Mapping[str, Callable[[], Bot]] = MappingProxyType({"sparring": Sparring})
"""Bots to measure others against: they play in the arena and in simulations only."""
