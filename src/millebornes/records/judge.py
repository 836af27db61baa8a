"""The judge: a position, a list of moves, and a verdict on each.

It settles arguments at a real table, so it is lenient about everything but the rules: turns
between two moves of interest need not be written.
"""

from collections.abc import Sequence
from typing import NamedTuple

from millebornes.rules.apply import apply
from millebornes.rules.cards import SAFETY_OF, Card
from millebornes.rules.edition import Edition
from millebornes.rules.editions import EDITIONS
from millebornes.rules.events import Event
from millebornes.rules.legality import legal_moves, why_not
from millebornes.rules.moves import CoupFourre, Decline, Discard, Move, Play
from millebornes.rules.reason import Reason
from millebornes.rules.ruling import Ruling, ruling
from millebornes.rules.state import ExtensionChoice, Match, Turn, Window
from millebornes.rules.view import awaited_seats

from .entries import Entry, quote, read_parts
from .error import RecordError
from .lenient import strict_entries
from .position_reader import NUMBERED_KEYS, POSITION_KEYS, any_case, read_position
from .reveal import may_be_held, reveal
from .tokens import Token, answer_token, read_tokens

__all__ = ["Judgement", "Verdict", "judge", "judge_all", "legal_tokens", "read_cases"]

_KEYS = (*POSITION_KEYS, *NUMBERED_KEYS, "seat", "title", "moves")


class Verdict(NamedTuple):
    """The judge's verdict on one move."""

    token: Token
    seat: int | None
    """Who moved; None if several seats declined together."""
    reason: Reason | None
    """Why the move is refused; None if it is legal."""
    match: Match
    """The state afterwards. A refused move changes nothing, except that it is now the turn of
    its seat, if one was written."""
    events: tuple[Event, ...]
    rule: Ruling | None = None
    """The rule of the printed texts that the verdict rests on, if it rests on one."""


class Judgement(NamedTuple):
    """One position with its moves judged."""

    title: str
    start: Match
    verdicts: tuple[Verdict, ...]
    seats: tuple[str | None, ...] = ()
    """The name of each seat that has one; empty if none has."""

    @property
    def match(self) -> Match:
        """The state at the end."""
        return self.verdicts[-1].match if self.verdicts else self.start


def judge(text: str, edition: Edition | None = None) -> list[Judgement]:
    """Judge every position of a text. `edition` replaces the editions that the text names."""
    return [_judge_part(part, edition) for part in _parts(text)]


def judge_all(text: str) -> dict[str, list[Judgement | RecordError]]:
    """Judge every position of a text by each printed edition, which replaces those it names.

    For each edition id one result per position: an edition that cannot have a position gives the
    error instead. Raises `RecordError` for a position that no edition can have.
    """
    parts = _parts(text)
    results = {
        name: [_judged_or_error(part, edition) for part in parts]
        for name, edition in EDITIONS.items()
    }
    for part, found in zip(parts, zip(*results.values(), strict=True), strict=True):
        if not any(isinstance(one, Judgement) for one in found):
            _judge_part(part, None)  # raises the error by the edition that the position names
    return results


def read_cases(text: str) -> list[list[Entry]]:
    """The entries of each case of a judge's file, with their keys in small letters."""
    return [any_case(part) for part in read_parts(text, _KEYS, NUMBERED_KEYS)]


def _parts(text: str) -> list[list[Entry]]:
    parts = [part for part in read_cases(text) if part]
    if not parts:
        raise RecordError(1, 1, "nothing", "a position and its moves")
    return parts


def _judged_or_error(part: Sequence[Entry], edition: Edition) -> Judgement | RecordError:
    try:
        return _judge_part(part, edition)
    except RecordError as error:
        return error


def legal_tokens(match: Match) -> tuple[Token, ...]:
    """Every legal move; answers name their seat if several seats are asked."""
    tokens: list[Token] = []
    for seat in awaited_seats(match):
        for move in legal_moves(match, seat):
            if isinstance(match.awaiting, Window):
                tokens.append(answer_token(match.awaiting, seat, move))
            else:
                tokens.append(Token(move))
    return tuple(tokens)


def _judge_part(entries: Sequence[Entry], edition: Edition | None) -> Judgement:
    _check_keys(entries)
    title = " ".join(entry.raw() for entry in entries if entry.label == "title")
    strict, seats = strict_entries([e for e in entries if e.label != "title"], edition)
    words = [word for entry in strict if entry.label == "moves" for word in entry.words]
    start = match = read_position([e for e in strict if e.label != "moves"], edition)
    verdicts: list[Verdict] = []
    for token in read_tokens(words, start.players):
        verdict = _judge_move(match, token)
        verdicts.append(verdict)
        match = verdict.match
    return Judgement(title, start, tuple(verdicts), seats)


def _check_keys(entries: Sequence[Entry]) -> None:
    """Refuse a key that a judge's file cannot have. Positions have fewer keys to name."""
    numbered = (*NUMBERED_KEYS, "seat")
    listed = ", ".join(f"{key} N" if key in numbered else key for key in _KEYS)
    for entry in entries:
        if entry.key not in _KEYS:
            raise RecordError(entry.line, 1, quote(entry.label), f"one of the keys {listed}")


def _judge_move(match: Match, token: Token) -> Verdict:
    move = token.move
    if isinstance(move, Decline) and token.seat is None and isinstance(match.awaiting, Window):
        return _pass_window(match, match.awaiting, token)
    reached = match
    if isinstance(move, Play | Discard):
        if token.seat is not None:
            match = reached = _bring_turn_to(match, token.seat)
        elif isinstance(match.awaiting, Window) and not _holders(match, match.awaiting):
            reached, _ = _declined(match, match.awaiting)
    seat = _seat_of(reached, token) if token.seat is None else token.seat
    reached = _holding(reached, seat, move)
    reason = why_not(reached, seat, move)
    rule = ruling(reached, seat, move, reason)
    if reason is not None:
        return Verdict(token, seat, reason, match, (), rule)
    after, events = apply(reached, seat, move)
    return Verdict(token, seat, None, after, events, rule)


def _holding(match: Match, seat: int, move: Move) -> Match:
    """The state in which the seat holds the card of its move, if a `?` of its hand may be it."""
    if match.hand is None or not isinstance(move, Play | Discard | CoupFourre):
        return match
    return reveal(match, seat, move.card) if may_be_held(match, move.card) else match


def _pass_window(match: Match, window: Window, token: Token) -> Verdict:
    match, events = _declined(match, window)
    answered = window.asked[0] if len(window.asked) == 1 else None
    return Verdict(token, answered, None, match, events)


def _declined(match: Match, window: Window) -> tuple[Match, tuple[Event, ...]]:
    """The state once every seat still asked has declined, and what happened then."""
    events: tuple[Event, ...] = ()
    for seat in window.open_to:
        match, more = apply(match, seat, Decline())
        events += more
    return match, events


def _holders(match: Match, window: Window) -> tuple[int, ...]:
    """The seats still asked whose hand names the safety; a `?` does not count."""
    hand = match.hand
    assert hand is not None
    safety = SAFETY_OF[window.hazard]
    return tuple(seat for seat in window.open_to if safety in hand.hands[seat])


def _seat_of(match: Match, token: Token) -> int:
    """The seat that a token without a seat belongs to, in the order of play."""
    awaiting = match.awaiting
    if isinstance(awaiting, Turn | ExtensionChoice):
        return awaiting.seat
    if not isinstance(awaiting, Window):
        return 0
    if isinstance(token.move, CoupFourre):
        hand = match.hand
        assert hand is not None
        holders = [s for s in awaiting.open_to if token.move.card in hand.hands[s]]
        return (holders or awaiting.open_to)[0]
    return (awaiting.attacker + 1) % match.players


def _bring_turn_to(match: Match, seat: int) -> Match:
    """The state at this seat's turn, after all windows are declined and others discard a `?`.

    Where that is impossible (a hand without a `?`, an extension to decide), `match` itself.
    """
    hand = match.hand
    assert hand is not None
    reached = match
    for _ in range(match.players + 1):
        awaiting = reached.awaiting
        if isinstance(awaiting, Window):
            reached, _ = _declined(reached, awaiting)
            awaiting = reached.awaiting
        if not isinstance(awaiting, Turn):
            return match
        if awaiting.seat == seat:
            return reached
        if why_not(reached, awaiting.seat, Discard(Card.UNKNOWN)) is not None:
            return match
        reached, _ = apply(reached, awaiting.seat, Discard(Card.UNKNOWN))
    return match
