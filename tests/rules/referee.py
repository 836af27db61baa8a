"""A table set up from a position text. Moves are tokens; every claim can be put to it."""

from collections import Counter
from collections.abc import Sequence

import pytest

from millebornes.records import position
from millebornes.records.entries import Word
from millebornes.records.tokens import read_tokens
from millebornes.rules import EDITIONS, IllegalMove, apply, legal_moves, why_not
from millebornes.rules.apply import end_hand
from millebornes.rules.cards import Card
from millebornes.rules.events import Event
from millebornes.rules.moves import Move
from millebornes.rules.score_sheet import ScoreSheet
from millebornes.rules.state import Deal, ExtensionChoice, Hand, Match, Tableau, Turn, Window

__all__ = [
    "ALL",
    "ARTICLE",
    "DUJARDIN",
    "ENCYCLOPEDIA",
    "PARKER",
    "WINNING_MOVES",
    "Referee",
    "editions",
    "lines",
    "referee",
    "said",
]

PARKER = "parker-1988"
WINNING_MOVES = "winning-moves"
ARTICLE = "article"
ENCYCLOPEDIA = "encyclopedia"
DUJARDIN = "dujardin-2019"
ALL = (PARKER, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA, DUJARDIN)


def editions(*names: str) -> pytest.MarkDecorator:
    """Run the test once for each edition, its id in the argument `edition`."""
    return pytest.mark.parametrize("edition", names)


def lines(sheet: ScoreSheet) -> dict[str, int]:
    """The lines of a score sheet that are not zero."""
    return {line: points for line, points in sheet._asdict().items() if points}


def said(match: Match, seat: int, move: Move) -> str | None:
    """Why a move is refused, as `code key=value ...`; None if it is legal.

    Holds on the way that `legal_moves`, `why_not` and `apply` agree.
    """
    reason = why_not(match, seat, move)
    assert (move in legal_moves(match, seat)) == (reason is None)
    if reason is None:
        return None
    with pytest.raises(IllegalMove) as refusal:
        apply(match, seat, move)
    assert (refusal.value.seat, refusal.value.move) == (seat, move)
    assert refusal.value.reason == reason
    return " ".join([reason.code, *(f"{key}={value}" for key, value in reason.params)])


def referee(edition: str, text: str = "") -> "Referee":
    """The table that a position text (indented or not) describes, in a printed edition."""
    flush = "\n".join(line.strip() for line in text.splitlines())
    return Referee(position.from_text(flush, EDITIONS[edition]))


class Referee:
    """A match, acted on by tokens (`OUT>1`, `x25`, `3:ACE!`, `-`, `ext`)."""

    def __init__(self, match: Match) -> None:
        self.match = match

    # Acting

    def play(self, *tokens: str | Move) -> tuple[Event, ...]:
        """Make moves in order; returns the events. No moves are added for other seats."""
        told: tuple[Event, ...] = ()
        for token in tokens:
            seat, move = self._read(token)
            assert said(self.match, seat, move) is None, f"{token} by seat {seat}"
            before, history = self._all_cards(), self.hand.history
            self.match, events = apply(self.match, seat, move)
            told += events
            assert self._all_cards() == before, "every card is in exactly one place"
            assert self.hand.history == history + events
        return told

    def why(self, token: str | Move, seat: int | None = None) -> str | None:
        """Why a move is refused, as `code key=value ...`; None if it is legal."""
        awaited, move = self._read(token)
        return said(self.match, awaited if seat is None else seat, move)

    def _read(self, token: str | Move) -> tuple[int, Move]:
        if not isinstance(token, str):
            return self._awaited_seat(), token
        (read,) = read_tokens([Word(token, 1, 1)], self.match.players)
        return self._awaited_seat() if read.seat is None else read.seat, read.move

    def _awaited_seat(self) -> int:
        awaiting = self.match.awaiting
        if isinstance(awaiting, Turn | ExtensionChoice):
            return awaiting.seat
        return awaiting.open_to[0] if isinstance(awaiting, Window) else 0

    def _all_cards(self) -> Counter[Card]:
        hand = self.hand
        places: list[Sequence[Card]] = [hand.pile, hand.discard, *hand.hands]
        for tableau in hand.tableaux:
            places += tableau[:4]
            places.append((Card.AUTO,) if tableau.autoroute else ())
        return Counter(card for cards in places for card in cards)

    # Looking

    @property
    def hand(self) -> Hand:
        assert self.match.hand is not None
        return self.match.hand

    @property
    def awaits(self) -> str:
        """`turn 0`, `window OUT 0>1 asks 1 3`, `extension 0`, `deal by 1`, `over: side 0`."""
        awaiting = self.match.awaiting
        if isinstance(awaiting, Turn):
            return f"turn {awaiting.seat}"
        if isinstance(awaiting, Window):
            attack = f"{awaiting.hazard} {awaiting.attacker}>{awaiting.side}"
            declined = f" declined {_text(awaiting.declined)}" if awaiting.declined else ""
            return f"window {attack} asks {_text(awaiting.asked)}{declined}"
        if isinstance(awaiting, ExtensionChoice):
            return f"extension {awaiting.seat}"
        if isinstance(awaiting, Deal):
            return f"deal by {awaiting.dealer}"
        return "over: drawn" if awaiting.winner is None else f"over: side {awaiting.winner}"

    def tableau(self, side: int) -> Tableau:
        return self.hand.tableaux[side]

    def battle(self, side: int) -> str:
        return _text(self.tableau(side).battle)

    def speed(self, side: int) -> str:
        return _text(self.tableau(side).speed)

    def distance(self, side: int) -> str:
        return _text(self.tableau(side).distance)

    def safeties(self, side: int) -> str:
        """The safeties displayed; those laid crosswise with `!`."""
        tableau = self.tableau(side)
        assert set(tableau.crosswise) <= set(tableau.safeties)
        return " ".join(s + "!" if s in tableau.crosswise else s for s in tableau.safeties)

    def autoroute(self, side: int) -> tuple[int, int] | None:
        """Who laid the Autoroute, and the ends of turns it still lasts."""
        return self.tableau(side).autoroute

    def holds(self, seat: int) -> str:
        return _text(self.hand.hands[seat])

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(len(cards) for cards in self.hand.hands)

    @property
    def pile(self) -> int:
        return len(self.hand.pile)

    @property
    def discard(self) -> str:
        return _text(self.hand.discard)

    @property
    def sheets(self) -> tuple[dict[str, int], ...]:
        """The lines scored by each side, once the hand has ended."""
        assert self.hand.sheets is not None, "the hand is not over"
        return tuple(lines(sheet) for sheet in self.hand.sheets)

    @property
    def sheets_now(self) -> tuple[dict[str, int], ...]:
        """The lines each side would score if the cards were gone now."""
        return Referee(end_hand(self.match, None)).sheets


def _text(words: Sequence[object]) -> str:
    return " ".join(map(str, words))
