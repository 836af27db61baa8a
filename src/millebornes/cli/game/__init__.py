"""The terminal game: one person against bots, at a practice table in this process."""

from .session import play_game
from .setup import PlayOptions

__all__ = ["PlayOptions", "play_game"]
