"""Why a hand cannot be as it is told: for the judge's positions and for the score pad.

Only what is told can contradict; None means that it is not told.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal, NamedTuple

from .cards import MILES, Card
from .distance_cards import STEP, Distance, distance_cards
from .edition import EXTENDED_TRIP, Edition
from .state import Match

__all__ = ["Impossible", "ImpossibleCode", "Told", "ToldSide", "why_impossible"]

ImpossibleCode = Literal[
    # the extension
    "no_extension",
    "caller_behind",
    # the cards
    "odd_miles",
    "safety_twice",
    "too_many_200s",
    "too_short_for_200",
    "no_such_cards",
    # the trip
    "past_the_trip",
    "not_completed",
    "other_completed",
    "completed_but_exhausted",
    "completed_but_playing",
    # the end of the cards
    "pile_left",
    "hand_left",
    # the match
    "after_the_match",
]


@dataclass(frozen=True, slots=True)
class Impossible:
    """What cannot be: a stable `code`, and `params` that fill in its sentence."""

    section: ClassVar = "endings"
    code: ImpossibleCode
    params: tuple[tuple[str, str | int], ...] = ()
    field: str | None = None
    """The field of `Edition` that it rests on; None: it follows from the cards alone."""

    @property
    def mapping(self) -> Mapping[str, str | int]:
        """The parameters by name."""
        return dict(self.params)


class ToldSide(NamedTuple):
    """What is told of one side."""

    miles: int | None = None
    has_200: bool | None = None
    """Did it play a 200? Asked only if `cards` are not told."""
    cards: tuple[Card, ...] | None = None
    """Its distance cards, if they are told; `miles` is then their sum."""
    safeties: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is told of a hand."""

    now: Literal["playing", "choosing", "completed", "exhausted"]
    """Does it go on, does a side choose whether to extend the trip, or has it ended, and how?"""
    by: int | None = None
    """The side that completed the trip or chooses."""
    caller: int | None = None
    """The side that called the extension; None: nobody did."""
    sides: tuple[ToldSide, ...]
    left: Mapping[Card, int]
    """The distance cards that nothing told has named."""
    pile: int | None = None
    """Cards in the draw pile."""
    holders: tuple[int, ...] = ()
    """Seats that are told to hold cards."""


def why_impossible(match: Match, told: Told) -> Impossible | None:
    """Why no hand of this match can be like this; None if it can."""
    return next(_impossibilities(match, told), None)


def _impossibilities(match: Match, told: Told) -> Iterator[Impossible]:
    """Everything that cannot be, the plainest first."""
    if told.caller is not None and match.players not in match.edition.extension_at:
        yield _impossible("no_extension", "extension_at", players=match.players)
    yield from _in_the_cards(match.edition, told)
    yield from _on_the_way(match, told)
    if told.now == "exhausted":
        if told.pile:
            yield _impossible("pile_left", count=told.pile)
        for seat in told.holders:
            yield _impossible("hand_left", seat=seat)
    distances = [
        Distance(side.miles, side.has_200)
        for side in told.sides
        if side.miles is not None and side.cards is None
    ]
    if distance_cards(distances, told.left, match.edition.max_200s) is None:
        yield _impossible("no_such_cards")


def _in_the_cards(edition: Edition, told: Told) -> Iterator[Impossible]:
    """What the cards of one side, or the four safeties, cannot be."""
    shown: set[Card] = set()
    for number, side in enumerate(told.sides):
        for safety in side.safeties:
            if safety in shown:
                yield _impossible("safety_twice", safety=safety)
            shown.add(safety)
        if side.miles is not None and side.miles % STEP:
            yield _impossible("odd_miles", side=number, miles=side.miles)
        count = (side.cards or ()).count(Card.D200) or int(side.has_200 is True)
        if count > edition.max_200s:
            yield _impossible("too_many_200s", "max_200s", side=number, most=edition.max_200s)
        if side.has_200 and side.miles is not None and side.miles < MILES[Card.D200]:
            yield _impossible("too_short_for_200", side=number, miles=side.miles)


def _on_the_way(match: Match, told: Told) -> Iterator[Impossible]:
    """Where no side can be, given the trip and how far the hand has come."""
    extended = told.caller is not None
    trip = EXTENDED_TRIP if extended else match.trip
    field = "extension_at" if extended else _field_of_trip(match)
    # Somebody may have called the extension and nobody has said so.
    is_open = "uncalled" if not extended and match.players in match.edition.extension_at else "no"
    for number, side in enumerate(told.sides):
        if side.miles is None:
            continue
        where: dict[str, str | int] = {"side": number, "miles": side.miles, "trip": trip}
        if side.miles > trip:
            yield _impossible("past_the_trip", field, **where, extension=is_open)
        if number == told.caller and side.miles < match.trip:
            where["trip"] = match.trip
            yield _impossible("caller_behind", "extension_at", **where)
        if number == told.by:
            if told.now == "completed" and side.miles != trip:
                yield _impossible("not_completed", field, **where, extension=is_open)
        elif side.miles == trip:
            yield _impossible(_AT_THE_TRIP[told.now], field, side=number, trip=trip)


_AT_THE_TRIP: Mapping[str, ImpossibleCode] = MappingProxyType(
    {
        "completed": "other_completed",
        "choosing": "other_completed",
        "exhausted": "completed_but_exhausted",
        "playing": "completed_but_playing",
    }
)
"""What is wrong with a side that has completed the trip, if it is not the one told of."""


def _field_of_trip(match: Match) -> str:
    is_usual = match.trip == match.edition.trip_at(match.players)
    return "trip" if is_usual else "short_trip_at"


def _impossible(code: ImpossibleCode, field: str | None = None, **params: str | int) -> Impossible:
    return Impossible(code, tuple(params.items()), field)
