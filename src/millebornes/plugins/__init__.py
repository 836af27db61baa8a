"""Bots by name, other people's included: found, run in processes of their own, and checked."""

from .entrant import BotFailure, Entrant, Player, UnknownBot, find_bot, installed

__all__ = ["BotFailure", "Entrant", "Player", "UnknownBot", "find_bot", "installed"]
