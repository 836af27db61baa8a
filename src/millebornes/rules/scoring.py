"""The score of a hand, line by line, and the outcome of the match."""

from typing import Protocol

from .cards import SAFETIES, Card
from .edition import Edition, Worth
from .score_sheet import ScoreSheet
from .state import Match, Over, Tableau

__all__ = ["Scored", "laid", "outcome", "safe_trip_side", "score", "score_sheet"]


class Scored(Protocol):
    """What the score of a hand depends on: public facts, which `Hand` and `View` both have."""

    @property
    def tableaux(self) -> tuple[Tableau, ...]:
        """The cards in front of each side."""

    @property
    def pile(self) -> tuple[Card, ...] | int:
        """The draw pile, or the number of cards in it."""

    @property
    def began_empty(self) -> bool:
        """Was the pile empty before the first draw of the last turn?"""

    @property
    def completed_by(self) -> int | None:
        """The side that completed the trip."""

    @property
    def caller(self) -> int | None:
        """The side that called the extension."""


def score_sheet(match: Match) -> tuple[ScoreSheet, ...] | None:
    """The score sheet of each side once the hand has ended; None until then."""
    return match.hand.sheets if match.hand is not None else None


def score(edition: Edition, hand: Scored) -> tuple[ScoreSheet, ...]:
    """The score sheet of each side if the hand ends in this state."""
    miles = tuple(tableau.miles for tableau in hand.tableaux)
    winner = _winner(edition, hand.completed_by, miles)
    sides = range(len(hand.tableaux))
    return tuple(_score_side(edition, hand, side, winner) for side in sides)


def laid(worth: Worth, tableau: Tableau) -> ScoreSheet:
    """The points of a side for what lies in front of it, however the hand ends."""
    return ScoreSheet(
        miles=tableau.miles,
        safeties=worth.safety * len(tableau.safeties),
        all_four=worth.all_four if set(tableau.safeties) >= SAFETIES else 0,
        coups_fourres=worth.coup_fourre * len(tableau.crosswise),
    )


def outcome(match: Match, totals: tuple[int, ...], hands_played: int) -> Over | None:
    """The outcome of the match after a finished hand; None if it goes on."""
    edition = match.edition
    if edition.hands:
        if hands_played < edition.hands:
            return None
    elif max(totals) < edition.target:
        return None
    leader = _sole_leader(totals)
    if leader is None and edition.tie == "another_hand":
        return None
    return Over(leader)


def safe_trip_side(
    edition: Edition, completed_by: int | None, miles: tuple[int, ...]
) -> int | None:
    """The side whose score depends on whether it played a 200; None: no side's does."""
    if not edition.safe_trip_points or not edition.max_200s:
        return None
    return _winner(edition, completed_by, miles)


def _winner(edition: Edition, completed_by: int | None, miles: tuple[int, ...]) -> int | None:
    """The side that wins the hand, which need not complete the trip by all rules."""
    if completed_by is None and edition.exhaustion_winner == "most_miles":
        return _sole_leader(miles)
    return completed_by


def _sole_leader(figures: tuple[int, ...]) -> int | None:
    best = max(figures)
    return figures.index(best) if figures.count(best) == 1 else None


def _score_side(edition: Edition, hand: Scored, side: int, winner: int | None) -> ScoreSheet:
    tableau = hand.tableaux[side]
    completed = hand.completed_by == side
    won = winner == side
    delayed = not hand.pile and (hand.began_empty or not edition.delayed_action_needs_empty_start)
    return laid(edition.worth, tableau)._replace(
        trip=edition.trip_points if won else 0,
        delayed_action=edition.delayed_action_points if completed and delayed else 0,
        safe_trip=edition.safe_trip_points if won and Card.D200 not in tableau.distance else 0,
        shut_out=edition.shut_out_points * _shut_outs(edition, hand, side),
        extension=edition.extension_points if _scores_extension(edition, hand, side) else 0,
    )


def _shut_outs(edition: Edition, hand: Scored, side: int) -> int:
    """How many times a side scores the shut-out."""
    others = [tableau for i, tableau in enumerate(hand.tableaux) if i != side]
    shut_out = sum(not tableau.distance for tableau in others)
    if edition.shut_out == "any":
        return shut_out
    if hand.completed_by != side:
        return 0
    if edition.shut_out == "each":
        return shut_out
    return 1 if shut_out == len(others) else 0


def _scores_extension(edition: Edition, hand: Scored, side: int) -> bool:
    if hand.caller is None:
        return False
    if hand.completed_by == hand.caller:
        return side == hand.caller and edition.extension_if_caller_completes == "caller"
    if hand.completed_by is None:
        return side != hand.caller and edition.extension_if_nobody_completes == "each_opponent"
    if edition.extension_if_other_completes == "completer":
        return side == hand.completed_by
    return side != hand.caller and edition.extension_if_other_completes == "each_opponent"
