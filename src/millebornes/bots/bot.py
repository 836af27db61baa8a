"""The interface of a bot: it plays a seat, and sees only the view of that seat."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from millebornes.rules import Move, View

__all__ = ["Advice", "Adviser", "Bot"]


class Bot(Protocol):
    """Chooses one of the legal moves of a view. The same view must give the same choice."""

    def choose(self, view: View) -> Move:
        """The move to make; `view.legal_moves` is never empty here."""
        ...


class Advice(NamedTuple):
    """A move and why: `code` is stable, and `words` turns it into a sentence.

    Parameters named `card`, `hazard`, `remedy` and `safety` are card codes; `side` is a number
    from 0.
    """

    move: Move
    code: str
    params: Mapping[str, str | int]

    @property
    def section(self) -> str:
        """The section of the words that holds the sentence."""
        return "hints"


class Adviser(Bot, Protocol):
    """A bot that can explain its choice, as every bot of `BOTS` must."""

    def explain(self, view: View) -> Advice:
        """The move that it chooses, and the reason."""
        ...
