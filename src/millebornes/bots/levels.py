"""The levels that people meet, weakest first, and which of them can play on this machine."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import NamedTuple

from .bot import Adviser
from .commuter import Commuter
from .learner import Learner
from .sunday_driver import SundayDriver

__all__ = ["GENTLEST", "LEVELS", "Level", "has_kernel", "playable", "stand_in", "strongest"]


class Level(NamedTuple):
    """One rung of the ladder."""

    make: Callable[[], Adviser]
    needs_kernel: bool = False
    """Whether it plays by the compiled engine, which needs Numba."""
    base: Callable[[], Adviser] | None = None
    """Its own policy without any search, which answers at once; None if `make` already does."""


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        "learner": Level(Learner),
        "sunday-driver": Level(SundayDriver),
        "commuter": Level(Commuter, needs_kernel=True),
    }
)
"""Every level by its name, weakest first."""

GENTLEST = next(iter(LEVELS))
"""The level for somebody's first games."""


@cache
def has_kernel() -> bool:
    """Whether the compiled engine can run here: whether Numba is installed."""
    return find_spec("numba") is not None


def playable() -> tuple[str, ...]:
    """The levels that can play on this machine, weakest first."""
    return tuple(name for name, level in LEVELS.items() if has_kernel() or not level.needs_kernel)


def strongest() -> str:
    """The level that gives hints."""
    return playable()[-1]


def stand_in() -> str:
    """The level that plays on for a person who is away."""
    return "commuter" if has_kernel() else "sunday-driver"
