"""Bots by name, other people's included: found, run in processes of their own, and checked."""

from .entrant import PATIENCE, START_PATIENCE, Entrant, UnknownBot, find_bot, installed
from .player import BotFailure, Player

__all__ = [
    "PATIENCE",
    "START_PATIENCE",
    "BotFailure",
    "Entrant",
    "Player",
    "UnknownBot",
    "find_bot",
    "installed",
]
