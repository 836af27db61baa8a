"""The learner: plays to teach, and makes the mistakes of a beginner."""

from millebornes.rules import Move, View

from .bot import Advice
from .sunday_driver import SundayDriver

__all__ = ["Learner"]


class Learner:
    """Plays as somebody does who has just read the rules."""

    def choose(self, view: View) -> Move:
        """The move of a beginner."""
        return self.explain(view).move

    def explain(self, view: View) -> Advice:
        """The same move, and the reason for it."""
        return SundayDriver().explain(view)
