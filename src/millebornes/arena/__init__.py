"""Simulations of many games, and statistics about an edition and its bots."""

from .simulation import Simulation, bot_names
from .tally import Tally

__all__ = ["Simulation", "Tally", "bot_names"]
