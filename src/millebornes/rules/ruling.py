"""The rule that a verdict rests on: its place in the text, and which editions decide otherwise."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from .apply import seats_asked
from .cards import Card
from .citations import HOUSE_RULE, RULES, Place, place_of
from .edition import EXTENDED_TRIP, Edition
from .editions import EDITIONS
from .legality import why_not
from .moves import Move
from .reason import Code, Reason
from .state import Awaiting, ExtensionChoice, Hand, Match, Window

__all__ = ["Ruling", "ruling", "under"]


class Ruling(NamedTuple):
    """The rule behind a verdict."""

    code: Code
    """Why the move is refused; for a legal move, why other editions refuse it."""
    place: Place
    """Where the text of the edition refuses the move, or allows it."""
    refused_by: tuple[str, ...] = ()
    """For a legal move: the printed editions that would refuse it in the same position."""


def ruling(match: Match, seat: int, move: Move, reason: Reason | None) -> Ruling | None:
    """The rule behind the verdict on a move: refused for `reason`, or legal if that is None.

    None if the verdict rests on no rule of the printed texts. A legal move rests on one only
    where some printed edition would refuse it.
    """
    if reason is not None and reason.code not in RULES:
        return None
    verdicts = _verdicts(match, seat, move)
    if reason is not None:
        return Ruling(reason.code, _place(match.edition, reason.code, reason.code, verdicts))
    refusing = {name: code for name, code in verdicts.items() if code is not None}
    code = next((code for code in refusing.values() if code in RULES), None)
    if code is None:
        return None
    return Ruling(code, _place(match.edition, code, None, verdicts), tuple(refusing))


def under(match: Match, edition: Edition) -> Match | None:
    """The same position by the rules of another edition; None if that edition cannot have it."""
    hand, players = match.hand, match.players
    if players not in edition.player_counts or edition.sides_at(players) != match.sides:
        return None
    trip = edition.trip_at(players)
    if match.trip != match.edition.trip_at(players):  # the short trip was chosen
        if players not in edition.short_trip_at:
            return None
        trip = match.trip
    assert hand is not None, "a move is judged only during a hand"
    extends = players in edition.extension_at
    if (hand.caller is not None or isinstance(match.awaiting, ExtensionChoice)) and not extends:
        return None
    there = match._replace(edition=edition, trip=trip)
    length = trip if hand.caller is None else EXTENDED_TRIP
    arrived = max(tableau.miles for tableau in hand.tableaux) >= length
    if arrived and not isinstance(match.awaiting, ExtensionChoice):
        return None
    if _named_cards(hand) - Counter(edition.deck(players)):
        return None
    awaiting = _awaiting(there)
    if awaiting is None:
        return None
    return there._replace(hand=hand._replace(trip=length), awaiting=awaiting)


def _awaiting(match: Match) -> Awaiting | None:
    """What is awaited, with the seats that this edition asks; None if it would ask nobody."""
    window = match.awaiting
    if not isinstance(window, Window):
        return window
    asked = seats_asked(match, window.attacker, window.hazard, window.side)
    declined = tuple(seat for seat in window.declined if seat in asked)
    return replace(window, asked=asked, declined=declined) if len(declined) < len(asked) else None


def _named_cards(hand: Hand) -> Counter[Card]:
    cards = Counter(hand.discard) + Counter(hand.pile)
    for held in hand.hands:
        cards.update(held)
    for tableau in hand.tableaux:
        for pile in (tableau.battle, tableau.speed, tableau.distance, tableau.safeties):
            cards.update(pile)
        cards[Card.AUTO] += tableau.autoroute is not None
    del cards[Card.UNKNOWN]
    return cards


def _verdicts(match: Match, seat: int, move: Move) -> dict[str, Code | None]:
    """Why each printed edition that can have the position refuses the move; None if it does not."""
    verdicts: dict[str, Code | None] = {}
    for name, edition in EDITIONS.items():
        there = under(match, edition)
        if there is not None:
            reason = why_not(there, seat, move)
            verdicts[name] = None if reason is None else reason.code
    return verdicts


def _place(
    edition: Edition, code: Code, decided: Code | None, verdicts: Mapping[str, Code | None]
) -> Place:
    """The place of a rule. House rules cite their parent's text if it decides alike."""
    parent = edition.parent
    if parent is not None and parent in verdicts:
        if verdicts[parent] != decided:
            return HOUSE_RULE
        edition = EDITIONS[parent]
    place = place_of(edition, code, allowed=decided is None)
    assert place is not None, f"{code} is a rule"
    return place
