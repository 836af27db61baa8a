"""Contests between bots, and simulations of many games: figures that anybody can repeat."""

from .contest import Contest, Failure
from .matches import BrokenOff
from .playing import play
from .result import BotResult, Result, Scores
from .setup import Setup, bot_names
from .simulation import Simulation
from .tally import Tally

__all__ = [
    "BotResult",
    "BrokenOff",
    "Contest",
    "Failure",
    "Result",
    "Scores",
    "Setup",
    "Simulation",
    "Tally",
    "bot_names",
    "play",
]
