"""What a bot is: an ordinary seat that sees only its own view."""

from typing import Protocol

from millebornes.rules import Move, View

__all__ = ["Bot"]


class Bot(Protocol):
    """Chooses one of the legal moves of a view. The same view gives the same choice."""

    def choose(self, view: View) -> Move:
        """The move to make; `view.legal_moves` is never empty here."""
        ...
