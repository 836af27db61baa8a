"""Mille Bornes, the French road-race card game.

`millebornes.rules` is the game itself; everything else builds on it.
"""

__version__ = "0.1.0"
__all__ = ["__version__"]
