"""Plays hands by the readable rules: the loop of simulations and of the arena."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from millebornes.plugins import BotFailure
from millebornes.plugins.player import not_legal
from millebornes.rules import (
    Discard,
    Match,
    Move,
    Play,
    View,
    apply_legal,
    awaited_seats,
    cut,
    deal_cards,
    legal_moves,
    view,
)
from millebornes.rules.state import Deal, Over, Turn

from .setup import Setup

if TYPE_CHECKING:
    from millebornes.rules.events import Event

__all__ = ["BrokenOff", "Chooser", "hands_of"]

Chooser = Callable[[View, int], Move]
"""Chooses a move for a view; the number counts the moves of a hand."""


class BrokenOff(Exception):  # noqa: N818 (says it best)
    """A match cannot go on, because the bot of a seat has failed."""

    def __init__(self, index: int, seat: int, hand: int, failure: BotFailure) -> None:
        super().__init__(index, seat, hand, failure)
        self.index = index
        """The number of the match."""
        self.seat = seat
        self.hand = hand
        """The number of the hand in the match, counted from 1."""
        self.failure = failure


def hands_of(setup: Setup, index: int, choosers: Sequence[Chooser]) -> Iterator[tuple[Match, int]]:
    """Play a match hand by hand: yields it at the end of each, with the plays and discards made.

    Raises `BrokenOff`.
    """
    match = setup.new_match(index)
    hand = 0
    while not isinstance(match.awaiting, Over):
        dealt, _ = deal_cards(match, setup.deck(index, hand))
        match, made = _play_hand(index, dealt, choosers)
        yield match, made
        hand += 1


def _play_hand(index: int, match: Match, choosers: Sequence[Chooser]) -> tuple[Match, int]:
    views = [_SeatViews(seat) for seat in range(match.players)]
    made = asked = 0
    while not isinstance(match.awaiting, Deal | Over):
        seat = awaited_seats(match)[0]
        move = _answer_without_choice(match, seat)
        if move is None:
            seen = views[seat].of(match)
            move = _asked(index, seen, asked, choosers[seat])
        asked += 1
        made += isinstance(move, Play | Discard)
        match, _ = apply_legal(match, seat, move)
    return match, made


def _answer_without_choice(match: Match, seat: int) -> Move | None:
    """The only answer that a seat has, as in nearly every coup-fourré window; None: it has more."""
    if isinstance(match.awaiting, Turn):
        return None
    moves = legal_moves(match, seat)
    return moves[0] if len(moves) == 1 else None


def _asked(index: int, seen: View, asked: int, choose: Chooser) -> Move:
    """The move that a bot chooses. It is asked only if it has a choice."""
    if len(seen.legal_moves) == 1:
        return seen.legal_moves[0]
    try:
        move = choose(seen, asked)
        if move not in seen.legal_moves:
            raise BotFailure("illegal", not_legal(move, seen))
    except BotFailure as failure:
        assert seen.seat is not None
        raise BrokenOff(index, seen.seat, seen.number, failure) from failure
    return move


class _SeatViews:
    """The views of one seat during a hand: equal to those of `view`, but the history is kept."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._history: list[Event] = []

    def of(self, match: Match) -> View:
        """The view of the match as it is now."""
        if not isinstance(match.awaiting, Turn):
            return view(match, self._seat)
        # To cut the whole history again for each view takes as long as everything else together.
        assert match.hand is not None
        new = match.hand.history[len(self._history) :]
        self._history += [cut(event, self._seat) for event in new]
        return view(match, self._seat, brief=True)._replace(history=tuple(self._history))
