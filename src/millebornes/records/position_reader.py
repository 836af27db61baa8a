"""Reads positions: from entries to a state, or an error that says where it cannot be."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from millebornes.rules.apply import end_hand, new_match, seats_asked
from millebornes.rules.cards import (
    BATTLE_HAZARDS,
    DISTANCES,
    HAZARDS,
    REMEDIES,
    SAFETIES,
    SAFETY_OF,
    Card,
)
from millebornes.rules.distance_cards import Distance, distance_cards
from millebornes.rules.edition import EXTENDED_TRIP, Edition
from millebornes.rules.ending import Impossible, Told, ToldSide, why_impossible
from millebornes.rules.legality import can_extend
from millebornes.rules.scoring import safe_trip_side
from millebornes.rules.state import (
    AUTOROUTE_TURNS,
    HAND_SIZE,
    Autoroute,
    ExtensionChoice,
    Hand,
    Match,
    Tableau,
    Turn,
    Window,
)

from .entries import Entry, Word, integer, unexpected
from .error import RecordError
from .heading import by_key, read_edition, read_players, read_short_trip
from .tokens import card_of

__all__ = ["NUMBERED_KEYS", "POSITION_KEYS", "any_case", "read_position"]

POSITION_KEYS = (
    "edition",
    "rule",
    "players",
    "trip",
    "deal",
    "dealer",
    "scores",
    "turn",
    "window",
    "extension",
    "ended",
    "called",
    "began",
    "pile",
    "next",
    "discard",
)
_SIDE_KEYS = ("battle", "speed", "distance", "miles", "safeties", "autoroute")
NUMBERED_KEYS = (*_SIDE_KEYS, "hand")
_AWAITING_KEYS = ("turn", "window", "extension", "ended")
_BATTLE = BATTLE_HAZARDS | REMEDIES | {Card.ROLL}
_SPEED = frozenset({Card.LIM, Card.EOL})
_ANY = frozenset(Card)
_MILES = re.compile(r"[0-9]{1,9}")


def any_case(entries: Iterable[Entry]) -> list[Entry]:
    """The entries with their keys in small letters: people write positions by hand."""
    return [entry._replace(key=entry.key.lower()) for entry in entries]


def read_position(entries: Sequence[Entry], edition: Edition | None = None) -> Match:
    """The state that these entries describe."""
    return _Reader(entries, edition).match()


class _Reader:
    """Reads one position. Counts the cards that it places, to reject impossible positions."""

    def __init__(self, entries: Sequence[Entry], edition: Edition | None) -> None:
        self.edition = read_edition(entries, edition)
        self.players = read_players({e.label: e for e in entries}, self.edition)
        sides = self.edition.sides_at(self.players)
        numbered = dict.fromkeys(_SIDE_KEYS, sides)
        numbered["hand"] = self.players
        self.entries = by_key(entries, POSITION_KEYS, numbered)
        self.last_line = max((e.end()[0] for e in entries), default=1)
        short = read_short_trip(self.entries, self.edition, self.players)
        self.base = new_match(self.edition, self.players, short_trip=short)
        self.left = Counter(self.edition.deck(self.players))
        self.is_exhausted = False
        """Has the hand ended because the cards ran out? Then no pile and no hand has any."""
        self.displayed: set[Card] = set()
        self.repeated: dict[Card, Word] = {}
        """Safeties that are displayed twice, and where the second one is written."""

    def match(self) -> Match:
        called = self.number("called", self.base.sides, "a side")
        trip = EXTENDED_TRIP if called is not None else self.base.trip
        seat, kind = self.awaited_seat()
        named = [self.tableau(side) for side in range(self.base.sides)]
        discard = self.cards("discard", _ANY, "a card")
        self.is_exhausted = kind == "ended" and self.completed_by() is None
        hands = tuple(self.hand(holder, holder == seat) for holder in range(self.players))
        if seat is not None and kind == "turn" and not hands[seat]:
            raise self.refuse(f"hand {seat}", "at least one card, because it is this seat's turn")
        front = self.cards("next", _ANY, "a card")
        told = self.told(kind, called, named)
        impossible = why_impossible(self.base, told)
        if impossible is not None:
            raise self.contradiction(impossible, told)
        tableaux = self.with_miles(named, told)
        pile = self.pile(front, len(discard) + sum(map(len, hands)), tableaux)
        hand = Hand(
            number=self.number("deal", 1_000_000, "a number", low=1) or 1,
            dealer=self.number("dealer", self.players, "a seat") or 0,
            hands=hands,
            pile=pile,
            discard=discard,
            tableaux=tableaux,
            trip=trip,
            caller=called,
            began_empty=not self.began_with_cards() and not pile,
        )
        match = self.base._replace(forward=self.scores(), hand=hand)
        return self.awaiting(match, kind)

    # Single entries

    def refuse(self, key: str, expected: str) -> RecordError:
        entry = self.entries.get(key)
        if entry is None:
            return RecordError(self.last_line, 1, f"no '{key}'", f"{key}: {expected}")
        return RecordError(entry.line, entry.column, entry.found(), expected)

    def number(self, key: str, count: int, what: str, low: int = 0) -> int | None:
        entry = self.entries.get(key)
        if entry is None:
            return None
        return integer(entry.single(what), low, count - 1, what)

    def scores(self) -> tuple[int, ...]:
        entry = self.entries.get("scores")
        if entry is None:
            return self.base.forward
        if len(entry.words) != self.base.sides:
            raise self.refuse("scores", f"{self.base.sides} totals, one for each side")
        return tuple(integer(word, 0, 1_000_000, "points") for word in entry.words)

    def began_with_cards(self) -> bool:
        entry = self.entries.get("began")
        if entry is None:
            return False
        word = entry.single("'cards' or 'empty'")
        if word.text not in ("cards", "empty"):
            raise unexpected(word, "'cards' or 'empty': the pile before the turn's first draw")
        if word.text == "empty" and self.size_of_pile():
            raise unexpected(word, "'cards', because the pile holds some now")
        return word.text == "cards"

    def size_of_pile(self) -> int | None:
        """The number of cards in the pile, if it is given."""
        return self.number("pile", len(self.edition.deck(self.players)) + 1, "a number of cards")

    # What is awaited

    def awaited_seat(self) -> tuple[int | None, str]:
        """The seat whose turn it is, and the key of what is awaited."""
        given = [key for key in _AWAITING_KEYS if key in self.entries]
        if len(given) > 1:
            entry = max((self.entries[key] for key in given), key=lambda e: e.line)
            raise RecordError(
                entry.line, 1, f"'{entry.label}'", "only one of " + ", ".join(_AWAITING_KEYS)
            )
        kind = given[0] if given else "turn"
        if kind == "turn":
            return self.number("turn", self.players, "a seat") or 0, kind
        return None, kind

    def awaiting(self, match: Match, kind: str) -> Match:
        if kind == "turn":
            return match._replace(awaiting=Turn(self.awaited_seat()[0] or 0))
        if kind == "window":
            return match._replace(awaiting=self.window(match))
        if kind == "extension":
            return match._replace(awaiting=self.extension(match))
        return end_hand(match, self.completed_by())

    def window(self, match: Match) -> Window:
        hand = match.hand
        assert hand is not None
        entry = self.entries["window"]
        expected = "a hazard, the attacking seat and the attacked side, such as: OUT 0>1"
        if len(entry.words) < 2:
            raise self.refuse("window", expected)
        hazard = card_of(entry.words[0], HAZARDS, "a hazard")
        attacker_text, arrow, side_text = entry.words[1].text.partition(">")
        if not arrow:
            raise unexpected(
                entry.words[1], "the attacking seat and the attacked side, such as 0>1"
            )
        attacker = integer(
            entry.words[1]._replace(text=attacker_text), 0, self.players - 1, "a seat"
        )
        after = entry.words[1].column + len(attacker_text) + 1
        side = integer(Word(side_text, entry.words[1].line, after), 0, match.sides - 1, "a side")
        if side == match.side_of(attacker):
            raise unexpected(entry.words[1], "a side that is not the attacker's own")
        tableau = hand.tableaux[side]
        pile, name = (tableau.speed, "speed") if hazard is Card.LIM else (tableau.battle, "battle")
        if pile[-1:] != (hazard,):
            raise self.refuse(f"{name} {side}", f"{hazard} on top, because it has just been played")
        asked = seats_asked(match, attacker, hazard, side)
        if not asked:
            raise self.refuse(
                "window",
                f"no window: {SAFETY_OF[hazard]} was played or discarded, or no seat that may "
                "answer holds a card",
            )
        declined = self.declined(entry.words[2:], asked)
        return Window(attacker, side, hazard, asked, declined)

    def declined(self, words: Sequence[Word], asked: tuple[int, ...]) -> tuple[int, ...]:
        if not words:
            return ()
        if words[0].text != "declined":
            raise unexpected(words[0], "'declined' and seats, or nothing more")
        seats = tuple(sorted({integer(w, 0, self.players - 1, "a seat") for w in words[1:]}))
        if not seats or len(seats) < len(words) - 1 or not set(seats) < set(asked):
            raise unexpected(
                words[0], f"some, but not all, of the seats asked: {' '.join(map(str, asked))}"
            )
        return seats

    def extension(self, match: Match) -> ExtensionChoice:
        hand = match.hand
        assert hand is not None
        seat = self.number("extension", self.players, "a seat")
        assert seat is not None
        if not can_extend(match):
            raise self.refuse("extension", "no extension: none can be called now")
        miles = hand.tableaux[match.side_of(seat)].miles
        if miles != hand.trip:
            raise self.refuse(
                "extension", f"a seat whose side has travelled {hand.trip} miles, not {miles}"
            )
        return ExtensionChoice(seat)

    def completed_by(self) -> int | None:
        """The side that completed the trip, in a hand that has ended; None: the cards ran out."""
        words = self.entries["ended"].words
        if len(words) == 1 and words[0].text == "exhausted":
            return None
        if len(words) != 2 or words[0].text != "completed":
            raise self.refuse("ended", "'completed' and a side, or 'exhausted'")
        return integer(words[1], 0, self.base.sides - 1, "a side")

    # What cannot be

    def told(self, kind: str, called: int | None, named: Sequence[Tableau]) -> Told:
        """What the position says of the hand: what it leaves out cannot contradict."""
        by: int | None = None
        now: Literal["playing", "choosing", "completed", "exhausted"] = "playing"
        if kind == "ended":
            by = self.completed_by()
            now = "exhausted" if by is None else "completed"
        elif kind == "extension":
            seat = self.number("extension", self.players, "a seat")
            assert seat is not None
            now, by = "choosing", self.base.side_of(seat)
        miles = [self.miles(side, tableau) for side, tableau in enumerate(named)]
        safe = safe_trip_side(self.edition, by, tuple(known or 0 for known in miles))
        return Told(
            now=now,
            by=by,
            caller=called,
            sides=tuple(
                ToldSide(
                    miles=miles[side],
                    # `miles` never picks a 200 for the side that a safe trip depends on.
                    has_200=False if side == safe and kind == "ended" else None,
                    cards=tableau.distance if f"distance {side}" in self.entries else None,
                    safeties=tableau.safeties,
                )
                for side, tableau in enumerate(named)
            ),
            left=self.left,
            pile=self.size_of_pile(),
            holders=tuple(seat for seat in range(self.players) if self.names_cards_of(seat)),
        )

    def miles(self, side: int, tableau: Tableau) -> int | None:
        """The miles of a side, if they or its cards are given."""
        if f"distance {side}" in self.entries:
            return tableau.miles
        entry = self.entries.get(f"miles {side}")
        if entry is None:
            return None
        word = entry.single("miles, in steps of 25")
        if not _MILES.fullmatch(word.text):
            raise unexpected(word, f"miles from 0 to {EXTENDED_TRIP}")
        return int(word.text)

    def names_cards_of(self, seat: int) -> bool:
        entry = self.entries.get(f"hand {seat}")
        return entry is not None and any(word.text != "only" for word in entry.words)

    def contradiction(self, impossible: Impossible, told: Told) -> RecordError:
        """The error at the entry that cannot be."""
        params = impossible.mapping
        if "safety" in params:
            word = self.repeated[Card(str(params["safety"]))]
            return RecordError(
                word.line, word.column, f"'{word.text}'", "a possible hand", impossible=impossible
            )
        if "side" in params:
            side = params["side"]
            key = f"miles {side}" if f"miles {side}" in self.entries else f"distance {side}"
        elif "seat" in params:
            key = f"hand {params['seat']}"
        elif "count" in params:
            key = "pile"
        elif "players" in params:
            key = "called"
        else:
            sides = [n for n in range(len(told.sides)) if f"miles {n}" in self.entries]
            key = f"miles {sides[-1]}"
        entry = self.entries[key]
        return RecordError(
            entry.line, entry.column, entry.found(), "a possible hand", impossible=impossible
        )

    # Cards

    def take(self, card: Card, word: Word) -> Card:
        """Count a named card."""
        if card is not Card.UNKNOWN:
            if not self.left[card]:
                copies = self.edition.deck(self.players).count(card)
                if not copies:
                    raise unexpected(word, f"no {card}: {self.edition.id} has no such card")
                raise unexpected(word, f"at most {copies} {card} in the position")
            self.left[card] -= 1
        return card

    def cards(self, label: str, allowed: frozenset[Card], what: str) -> tuple[Card, ...]:
        entry = self.entries.get(label)
        if entry is None:
            return ()
        return tuple(self.take(card_of(word, allowed, what), word) for word in entry.words)

    def with_miles(self, named: Sequence[Tableau], told: Told) -> tuple[Tableau, ...]:
        """Pick cards for `miles` among those that no other entry names."""
        sides = [side for side in range(len(named)) if f"miles {side}" in self.entries]
        wanted = [Distance(told.sides[side].miles or 0, told.sides[side].has_200) for side in sides]
        picked = distance_cards(wanted, self.left, self.edition.max_200s)
        assert picked is not None, "told to be possible"
        cards = dict(zip(sides, picked, strict=True))
        return tuple(
            tableau._replace(distance=cards.get(side, tableau.distance))
            for side, tableau in enumerate(named)
        )

    def tableau(self, side: int) -> Tableau:
        if f"miles {side}" in self.entries and f"distance {side}" in self.entries:
            raise self.refuse(f"miles {side}", f"either miles {side} or distance {side}")
        safeties, crosswise = self.safeties(side)
        return Tableau(
            battle=self.cards(f"battle {side}", _BATTLE, "a card of the battle pile"),
            speed=self.cards(f"speed {side}", _SPEED, "a card of the speed pile"),
            distance=self.cards(f"distance {side}", DISTANCES, "a distance card"),
            safeties=safeties,
            crosswise=crosswise,
            autoroute=self.autoroute(side),
        )

    def safeties(self, side: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        entry = self.entries.get(f"safeties {side}")
        shown: list[Card] = []
        crosswise: list[Card] = []
        for word in entry.words if entry else ():
            card = card_of(word._replace(text=word.text.removesuffix("!")), SAFETIES, "a safety")
            if card in self.displayed:
                self.repeated.setdefault(card, word)
            else:
                self.displayed.add(card)
                self.take(card, word)
            shown.append(card)
            if word.text.endswith("!"):
                crosswise.append(card)
        return tuple(shown), tuple(crosswise)

    def autoroute(self, side: int) -> Autoroute | None:
        entry = self.entries.get(f"autoroute {side}")
        if entry is None:
            return None
        expected = "the turns left, such as '2' or '2 turns of seat 0'"
        words = list(entry.words)
        has_seat = [word.text for word in words[1:4]] == ["turns", "of", "seat"]
        if not (len(words) == 1 or (len(words) == 5 and has_seat)):
            raise self.refuse(entry.label, expected)
        turns = integer(words[0], 1, AUTOROUTE_TURNS, "turns left")
        seat = side
        if has_seat:
            seat = integer(words[4], 0, self.players - 1, "a seat")
            if self.base.side_of(seat) != side:
                raise unexpected(words[4], f"a seat of side {side}")
        self.take(Card.AUTO, words[0])
        return Autoroute(seat, turns)

    def hand(self, seat: int, on_turn: bool) -> tuple[Card, ...]:
        full = HAND_SIZE + on_turn
        filled = 0 if self.is_exhausted else full
        entry = self.entries.get(f"hand {seat}")
        if entry is None:
            return (Card.UNKNOWN,) * filled
        only = entry.words[:1] and entry.words[0].text == "only"
        words = entry.words[1:] if only else entry.words
        if len(words) > full:
            raise unexpected(words[full], f"at most {full} cards in this hand")
        cards = tuple(self.take(card_of(word, _ANY, "a card"), word) for word in words)
        return cards if only else cards + (Card.UNKNOWN,) * (filled - len(cards))

    def pile(
        self, front: tuple[Card, ...], elsewhere: int, tableaux: Sequence[Tableau]
    ) -> tuple[Card, ...]:
        """The draw pile: the rest of the deck, unless its size is given."""
        for tableau in tableaux:
            elsewhere += sum(map(len, tableau[:4])) + (tableau.autoroute is not None)
        size = len(self.edition.deck(self.players))
        most = size - elsewhere
        if most < 0:
            raise RecordError(
                self.last_line, 1, f"{elsewhere} cards", f"at most the {size} cards of the deck"
            )
        entry = self.entries.get("pile")
        if entry is None:
            count = 0 if self.is_exhausted else most
        else:
            count = integer(entry.single("a number of cards"), 0, most, "a number of cards")
        if len(front) > count:
            raise self.refuse("next", f"no more cards than the pile holds: {count}")
        return front + (Card.UNKNOWN,) * (count - len(front))
