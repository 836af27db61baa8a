"""Games as text: tags, then for each deal the deck and the moves."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from millebornes.rules import RULES_VERSION
from millebornes.rules.apply import apply, deal_cards, new_match
from millebornes.rules.cards import Card
from millebornes.rules.edition import SHORT_TRIP, Edition
from millebornes.rules.events import Dealt, Drawn, Event, Passed
from millebornes.rules.moves import CoupFourre, Decline, Discard, Move, Play
from millebornes.rules.reason import IllegalMove, Reason
from millebornes.rules.state import Deal, ExtensionChoice, Match, Over, Turn, Window

from .entries import (
    Entry,
    Word,
    fill,
    integer,
    quote,
    quoted,
    read_entries,
    text_value,
    unexpected,
)
from .error import RecordError
from .heading import by_key, heading_text, read_edition, read_players, read_short_trip
from .reveal import reveal
from .tokens import Token, answer_token, card_of, read_tokens, token_of

__all__ = ["DealRecord", "Game", "Step", "cut_game", "from_text", "replay", "to_text"]

FORMAT = 1
_TAGS = (
    "game",
    "edition",
    "rule",
    "players",
    "trip",
    "dealer",
    "date",
    "rules",
    "seed",
    "practice",
    "result",
)
_DEAL_KEYS = ("deal", "deck", "moves", "transcript")
_KEYS = (*_TAGS, "seat", "bot", *_DEAL_KEYS)
_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_DATE = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True)
class DealRecord:
    """One hand: the deck in order (`?` for hidden cards) and the moves."""

    deck: tuple[Card, ...]
    moves: tuple[Token, ...] = ()
    transcript: str | None = None
    """The proof of the shuffle (MB-FAIR-1) as JSON text, once the hand has ended."""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, kw_only=True)
class Game:
    """The record of a match."""

    edition: Edition
    players: int
    short_trip: bool = False
    dealer: int = 0
    seats: tuple[str, ...] = ()
    """Names by seat; empty if there are no names."""
    bots: tuple[str | None, ...] = ()
    """Levels of bots by seat, None for a person; empty if the record does not say."""
    date: str | None = None
    seed: str | None = None
    practice: bool = False
    """Played at a practice table, where players may ask for hints and take moves back."""
    rules_version: int = RULES_VERSION
    result: tuple[int, ...] | None = None
    """The final totals, once the match is over."""
    result_at: tuple[int, int] = field(default=(1, 1), compare=False, repr=False)
    """The line and column of the result in the text."""
    deals: tuple[DealRecord, ...] = ()

    def __post_init__(self) -> None:
        # If the usual trip is already the short one, there is nothing to choose.
        could_choose = self.players in self.edition.short_trip_at
        if self.short_trip and could_choose and self.edition.trip_at(self.players) == SHORT_TRIP:
            object.__setattr__(self, "short_trip", False)

    def start(self) -> Match:
        """The match before its first deal."""
        return new_match(self.edition, self.players, dealer=self.dealer, short_trip=self.short_trip)

    def with_deal(self, deck: Sequence[Card]) -> "Game":
        """The record with a new hand."""
        return replace(self, deals=(*self.deals, DealRecord(tuple(deck))))

    def with_transcript(self, transcript: object) -> "Game":
        """The record with the proof of its last shuffle, given as plain JSON values."""
        last = replace(self.deals[-1], transcript=_json_text(transcript))
        return replace(self, deals=(*self.deals[:-1], last))

    def with_move(
        self, before: Match, seat: int, move: Move, after: Match, events: Sequence[Event]
    ) -> "Game":
        """The record with one more move, made in `before`. A declined window is one `-`."""
        token = token_of(move)
        if isinstance(before.awaiting, Window):
            if isinstance(move, CoupFourre):
                token = answer_token(before.awaiting, seat, move)
            elif not any(isinstance(event, Passed) for event in events):
                return self
        last = self.deals[-1]
        moves = (*last.moves, token)
        deals = (*self.deals[:-1], DealRecord(last.deck, moves, last.transcript, last.line))
        result = after.totals if isinstance(after.awaiting, Over) else None
        # Written out, because this runs for every move and `replace` takes twice as long.
        return Game(
            edition=self.edition,
            players=self.players,
            short_trip=self.short_trip,
            dealer=self.dealer,
            seats=self.seats,
            bots=self.bots,
            date=self.date,
            seed=self.seed,
            practice=self.practice,
            rules_version=self.rules_version,
            result=result,
            result_at=self.result_at,
            deals=deals,
        )


class Step(NamedTuple):
    """One step of a replay: a deal (no token) or a move, and the state after it."""

    match: Match
    events: tuple[Event, ...]
    token: Token | None
    seat: int | None
    """Who moved; None for a deal and for a window that all declined."""


def from_text(text: str) -> Game:
    """Read a game, or raise `RecordError`. Only `replay` checks whether its moves are legal."""
    entries = read_entries(text, "game", _KEYS)
    if not entries or entries[0].label != "game":
        line, label = (entries[0].line, quote(entries[0].label)) if entries else (1, "nothing")
        raise RecordError(line, 1, label, "'game: 1' on the first line")
    integer(entries[0].single("the format version"), FORMAT, FORMAT, "format version")
    first_deal = next((i for i, entry in enumerate(entries) if entry.key == "deal"), len(entries))
    tags, hands = entries[:first_deal], entries[first_deal:]
    edition = read_edition(tags)
    players = read_players({entry.label: entry for entry in tags}, edition)
    by_label = by_key(tags, _TAGS, {"seat": players, "bot": players})
    return Game(
        edition=edition,
        players=players,
        short_trip=read_short_trip(by_label, edition, players),
        dealer=_number(by_label.get("dealer"), 0, players - 1, "a seat", 0),
        seats=_read_seats(by_label, players),
        bots=_read_bots(by_label, players),
        date=_read_date(by_label.get("date")),
        seed=_read_text(by_label.get("seed")),
        practice=_read_practice(by_label.get("practice")),
        rules_version=_number(
            by_label.get("rules"), 1, 1_000_000, "a rules version", RULES_VERSION
        ),
        result=_read_result(by_label.get("result"), edition.sides_at(players)),
        result_at=_place(by_label.get("result")),
        deals=tuple(_read_deals(hands, players)),
    )


def to_text(game: Game) -> str:
    """Write a game."""
    trip = game.start().trip
    text = f"game: {FORMAT}\n" + heading_text(game.edition, game.players, trip)
    text += f"dealer: {game.dealer}\n"
    text += "".join(f"seat {i}: {quoted(name)}\n" for i, name in enumerate(game.seats))
    text += "".join(f"bot {i}: {quoted(level)}\n" for i, level in enumerate(game.bots) if level)
    if game.date is not None:
        text += f"date: {game.date}\n"
    text += f"rules: {game.rules_version}\n"
    if game.seed is not None:
        text += f"seed: {quoted(game.seed)}\n"
    if game.practice:
        text += "practice: yes\n"
    text += f"result: {' '.join(map(str, game.result)) if game.result else '*'}\n"
    for number, hand in enumerate(game.deals, start=1):
        text += f"\ndeal: {number}\n"
        text += fill("deck:", [card.value for card in hand.deck])
        text += fill("moves:", [str(token) for token in hand.moves])
        if hand.transcript is not None:
            text += fill("transcript:", hand.transcript.split(" "))
    return text


def replay(game: Game) -> Iterator[Step]:
    """Replay a record step by step. Raises `RecordError` at an illegal move.

    If a seat shows a card that is not known to be in its hand, that card replaces a `?`
    there. So a record that was cut for one viewer can be replayed, too.
    """
    match = game.start()
    for hand in game.deals:
        if not isinstance(match.awaiting, Deal):
            raise RecordError(
                hand.line, 1, "a deal", "the rest of the previous hand, or the end of the text"
            )
        try:
            match, events = deal_cards(match, hand.deck)
        except ValueError as error:
            raise RecordError(hand.line, 1, "this deck", f"another deck: {error}") from None
        yield Step(match, events, None, None)
        for token in hand.moves:
            match, events, seat = _make(match, token)
            yield Step(match, events, token, seat)
    over = isinstance(match.awaiting, Over)
    if game.result is not None and (not over or game.result != match.totals):
        totals = " ".join(map(str, match.totals)) if over else "* (the match is not over)"
        result = " ".join(map(str, game.result))
        expected = f"the result of these moves: {totals}"
        raise RecordError(*game.result_at, f"result {result}", expected)


def cut_game(game: Game, seat: int | None, match: Match | None = None) -> Game:
    """The record as this seat (None: a spectator) may know it.

    In a hand that is still running, the deck keeps only the cards that the seat was dealt or
    drew; the others become `?`. While the match runs, the seed is removed, because it reveals
    the hands to come. `match` is the state after the recorded moves; pass it to save a replay.
    """
    if seat is not None and not 0 <= seat < game.players:
        raise ValueError(f"there is no seat {seat}: seats are 0 to {game.players - 1}")
    if match is None:
        match = game.start()
        for step in replay(game):
            match = step.match
    if isinstance(match.awaiting, Over):
        return game
    game = replace(game, seed=None)
    if isinstance(match.awaiting, Deal):
        return game
    last = game.deals[-1]
    hand = match.hand
    assert hand is not None
    takers: list[int] = []  # who got each card that has left the deck so far
    for event in hand.history:
        if isinstance(event, Dealt):
            dealt = len(last.deck) - event.pile
            takers += [(event.dealer + 1 + place) % game.players for place in range(dealt)]
        elif isinstance(event, Drawn):
            takers.append(event.seat)
    known = [
        card if taker == seat else Card.UNKNOWN
        for card, taker in zip(last.deck, takers, strict=False)
    ]
    unseen = (Card.UNKNOWN,) * (len(last.deck) - len(known))
    return replace(game, deals=(*game.deals[:-1], replace(last, deck=(*known, *unseen))))


def _make(match: Match, token: Token) -> tuple[Match, tuple[Event, ...], int | None]:
    """Make one recorded move; the seat is None for a window that all declined."""
    awaiting = match.awaiting
    move = token.move
    if isinstance(awaiting, Turn | ExtensionChoice):
        seat = awaiting.seat
        if token.seat not in (None, seat):
            raise _refused(token, f"a move of seat {seat}")
    elif isinstance(awaiting, Window):
        if isinstance(move, Decline):
            return _pass_window(match, awaiting, token)
        if token.seat is None and len(awaiting.asked) > 1:
            seats = " or ".join(str(seat) for seat in awaiting.asked)
            raise _refused(token, f"the calling seat, {seats}, before the coup fourré")
        seat = awaiting.asked[0] if token.seat is None else token.seat
    else:
        raise _refused(token, "no more moves in this hand")
    if isinstance(move, Play | Discard | CoupFourre):
        match = reveal(match, seat, move.card)
    try:
        match, events = apply(match, seat, move)
    except IllegalMove as error:
        expected = f"a legal move ({error.reason.code})"
        raise _refused(token, expected, (seat, error.reason)) from None
    return match, events, seat


def _pass_window(
    match: Match, window: Window, token: Token
) -> tuple[Match, tuple[Event, ...], None]:
    if token.seat is not None:
        raise _refused(token, "a bare '-': a record does not show who declined")
    events: tuple[Event, ...] = ()
    for seat in window.open_to:
        match, more = apply(match, seat, Decline())
        events += more
    return match, events, None


def _refused(token: Token, expected: str, why: tuple[int, Reason] | None = None) -> RecordError:
    return RecordError(token.line, token.column, f"'{token}'", expected, why)


def _number(entry: Entry | None, low: int, high: int, what: str, default: int) -> int:
    return default if entry is None else integer(entry.single(what), low, high, what)


def _read_text(entry: Entry | None) -> str | None:
    return None if entry is None else text_value(entry.single("a text in double quotes"))


def _read_seats(entries: dict[str, Entry], players: int) -> tuple[str, ...]:
    named = [entries.get(f"seat {seat}") for seat in range(players)]
    if not any(named):
        return ()
    names: list[str] = []
    for seat, entry in enumerate(named):
        name = _read_text(entry)
        if name is None:
            line = max(e.line for e in named if e is not None)
            raise RecordError(line, 1, "names for only some seats", f"a name for seat {seat}")
        names.append(name)
    return tuple(names)


def _read_bots(entries: dict[str, Entry], players: int) -> tuple[str | None, ...]:
    levels = tuple(_read_text(entries.get(f"bot {seat}")) or None for seat in range(players))
    return levels if any(levels) else ()


def _read_date(entry: Entry | None) -> str | None:
    if entry is None:
        return None
    word = entry.single("a date such as 1954-06-01")
    found = _DATE.fullmatch(word.text)
    if not found:
        raise unexpected(word, "a date such as 1954-06-01")
    year, month, day = map(int, found.groups())
    days = 29 if month == 2 and _is_leap(year) else _DAYS[month - 1]
    if day > days:
        raise unexpected(word, f"a day from 1 to {days} in {found[1]}-{found[2]}")
    return word.text


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _read_practice(entry: Entry | None) -> bool:
    if entry is None:
        return False
    word = entry.single("yes")
    if word.text != "yes":
        raise unexpected(word, "yes")
    return True


def _read_result(entry: Entry | None, sides: int) -> tuple[int, ...] | None:
    if entry is None or [word.text for word in entry.words] == ["*"]:
        return None
    if len(entry.words) != sides:
        raise RecordError(
            *entry.end(), f"{len(entry.words)} totals", f"{sides} totals, or * for a running match"
        )
    return tuple(integer(word, 0, 1_000_000, "points") for word in entry.words)


def _place(entry: Entry | None) -> tuple[int, int]:
    return (1, 1) if entry is None else (entry.line, entry.column)


def _read_deals(entries: Sequence[Entry], players: int) -> Iterator[DealRecord]:
    hands: list[list[Entry]] = []
    for entry in entries:
        if entry.key == "deal":
            hands.append([])
        hands[-1].append(entry)
    for number, hand in enumerate(hands, start=1):
        found = by_key(hand, _DEAL_KEYS, {})
        start = found["deal"]
        integer(start.single("the deal number"), number, number, "deal number")
        if "deck" not in found:
            raise RecordError(start.line, 1, f"deal {number} without a deck", "its deck")
        deck = tuple(_card(word) for word in found["deck"].words)
        moves = found["moves"].words if "moves" in found else ()
        yield DealRecord(
            deck,
            tuple(read_tokens(moves, players)),
            _read_transcript(found.get("transcript")),
            found["deck"].line,
        )


def _read_transcript(entry: Entry | None) -> str | None:
    if entry is None:
        return None
    try:
        value = json.loads(entry.raw())
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise RecordError(entry.line, entry.column, "this transcript", "a JSON object")
    return _json_text(value)


def _json_text(value: object) -> str:
    # ASCII, so that no character can end a line; and no spaces within strings, so that lines
    # can be wrapped at every space and no word begins with a `#`.
    text = json.dumps(value, ensure_ascii=True)
    return _JSON_TEXT.sub(lambda found: found[0].replace(" ", "\\u0020"), text)


def _card(word: Word) -> Card:
    return card_of(word, frozenset(Card), "a card")
