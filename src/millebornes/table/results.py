"""What a match has come to so far.

It is made once, when a hand ends. Every frame until the next deal shows it.
"""

from typing import NamedTuple

from millebornes.rules import Match, ScoreSheet

from .messages_out import Fact
from .recap import recaps

__all__ = ["Results", "results_after"]


class Results(NamedTuple):
    """The score sheets of a match, and the facts about its last hand."""

    sheets: tuple[tuple[ScoreSheet, ...], ...] = ()
    """Of each finished hand, the sheet of each side."""
    recaps: tuple[tuple[Fact, ...], ...] = ()
    """If a hand has just ended: what each seat is told about it, and last what spectators are."""

    def recap_for(self, seat: int | None) -> tuple[Fact, ...]:
        """What a seat, or (None) a spectator, is told about the hand that has ended."""
        if not self.recaps:
            return ()
        return self.recaps[-1 if seat is None else seat]


def results_after(results: Results, match: Match) -> Results:
    """The results of a match, of which these were known before."""
    hand = match.hand
    if hand is None:
        return Results()
    earlier = results.sheets[: hand.number - 1]
    if hand.sheets is None:
        return Results(earlier)
    return Results((*earlier, hand.sheets), recaps(match))
