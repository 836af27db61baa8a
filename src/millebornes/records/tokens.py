"""Moves as short words: `ROLL`, `STOP>1`, `x25`, `ACE!`, `-`, `ext`, `end`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from millebornes.rules.cards import HAZARDS, SAFETIES, Card
from millebornes.rules.moves import (
    CoupFourre,
    Decline,
    Discard,
    Extend,
    Finish,
    Move,
    Play,
    move_space,
)
from millebornes.rules.state import Window

from .entries import Word, unexpected
from .error import RecordError

__all__ = [
    "Token",
    "answer_token",
    "card_of",
    "parse_move",
    "read_tokens",
    "to_text",
    "token_of",
]

_SEAT = re.compile(r"([0-9]{1,2}):(.*)", re.DOTALL)
_ATTACK = re.compile(r"([A-Z]+)>([0-9]{1,2})")
_FACES = {card.value: card for card in Card}
_EXPECTED = "a move such as ROLL, STOP>1, x25, ACE!, -, ext or end"


@dataclass(frozen=True, slots=True)
class Token:
    """A move as written, optionally with its seat, and its position in the text."""

    move: Move
    seat: int | None = None
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)

    def __str__(self) -> str:
        move = to_text(self.move)
        return move if self.seat is None else f"{self.seat}:{move}"


def to_text(move: Move) -> str:
    """The word for a move."""
    # Every frame shows many moves, so most words are looked up, by card: hashing a move takes
    # longer.
    if isinstance(move, Discard):
        return _DISCARDS[move.card]
    if isinstance(move, Play):
        return _PLAYS.get((move.card, move.onto)) or _text(move)
    return _text(move)


def _text(move: Move) -> str:
    match move:
        case Play(card, None):
            return card.value
        case Play(card, onto):
            return f"{card.value}>{onto}"
        case Discard(card):
            return f"x{card.value}"
        case CoupFourre(card):
            return f"{card.value}!"
        case Decline():
            return "-"
        case Extend():
            return "ext"
        case _:
            return "end"


_MOVES = {_text(move): move for move in move_space(sides=8)}
"""Every possible move, by its word."""
_PLAYS = {(m.card, m.onto): text for text, m in _MOVES.items() if isinstance(m, Play)}
_DISCARDS = {card: _text(Discard(card)) for card in Card}


@cache
def token_of(move: Move) -> Token:
    """The token of a move, without a position; all records share one value per move."""
    return Token(move)


def answer_token(window: Window, seat: int, move: Move) -> Token:
    """An answer, with its seat if more than one was asked."""
    return Token(move, seat if len(window.asked) > 1 else None)


def parse_move(text: str) -> Move:
    """The move that a word stands for. Raises `RecordError`, a ValueError, for any other word."""
    move = _MOVES.get(text) or _move(text)
    if move is None:
        raise unexpected(Word(text, 1, 1), _EXPECTED)
    return move


def card_of(word: Word, allowed: Sequence[Card] | frozenset[Card], what: str) -> Card:
    """The card of a code; it must be one of `allowed`."""
    card = _FACES.get(word.text)
    if card is None or card not in allowed:
        codes = " ".join(card.value for card in Card if card in allowed)
        raise unexpected(word, f"{what}: one of {codes}")
    return card


def read_tokens(words: Sequence[Word], seats: int) -> Iterator[Token]:
    """The moves of a list of words. A seat may precede a move: `1:GAS` or `1: GAS`."""
    waiting = list(reversed(words))
    while waiting:
        word = at = waiting.pop()
        seat = None
        found = _SEAT.fullmatch(word.text)
        if found:
            seat = int(found[1])
            if seat >= seats:
                raise unexpected(word, f"a seat from 0 to {seats - 1} before the colon")
            after = word.column + len(found[1]) + 1
            at = Word(found[2], word.line, after)
            if not at.text:
                if not waiting:
                    raise RecordError(word.line, after + 1, "nothing", _EXPECTED)
                at = waiting.pop()
        move = _move(at.text)
        if move is None:
            raise unexpected(at, _EXPECTED)
        yield Token(move, seat, word.line, word.column)


def _move(text: str) -> Move | None:
    if text == "-":
        return Decline()
    if text == "ext":
        return Extend()
    if text == "end":
        return Finish()
    if text.startswith("x"):
        card = _FACES.get(text[1:])
        return None if card is None else Discard(card)
    if text.endswith("!"):
        card = _FACES.get(text[:-1])
        return CoupFourre(card) if card in SAFETIES else None
    attack = _ATTACK.fullmatch(text)
    if attack:
        card = _FACES.get(attack[1])
        return Play(card, int(attack[2])) if card in HAZARDS else None
    card = _FACES.get(text)
    return None if card is None else Play(card)
