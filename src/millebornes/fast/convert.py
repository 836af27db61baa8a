"""Converts between packed games and readable states.

A packed game forgets the order of cards where it can never matter again: buried cards,
discards, the cards within a hand. `to_state` puts those in canonical order; `canonical` does
the same with any state, for comparisons. A forced `Decline` is not a decision: a packed game
waits only for a seat that has a choice, and `settled` advances a state to the same point.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import (
    Card,
    Decline,
    Edition,
    Match,
    ScoreSheet,
    View,
    apply,
    new_match,
    view,
)
from millebornes.rules.apply import seats_asked
from millebornes.rules.cards import (
    ALL_CARDS,
    BATTLE_HAZARDS,
    DISTANCES,
    MILES,
    REMEDIES,
    SAFETY_OF,
)
from millebornes.rules.state import (
    Autoroute,
    Awaiting,
    Deal,
    ExtensionChoice,
    Hand,
    Over,
    Tableau,
    Turn,
    Window,
)

from . import packing
from .packing import (
    AWAIT_DEAL,
    AWAIT_EXTENSION,
    AWAIT_OVER,
    AWAIT_TURN,
    AWAIT_WINDOW,
    DISCARDED,
    GAME,
    KIND,
    NO_CARD,
    REMEDY_ORDER,
    SAFETY_ORDER,
    TOP_OF,
    Record,
    safeties_of,
)

__all__ = ["canonical", "from_state", "from_view", "settled", "to_state"]

_HAZARD_OF_TOP = {TOP_OF[card]: card for card in BATTLE_HAZARDS}
_COUNTED = tuple(card for card in ALL_CARDS if card not in SAFETY_ORDER and card is not Card.AUTO)


def settled(match: Match) -> Match:
    """The match with every forced `Decline` made."""
    while isinstance(match.awaiting, Window):
        window, hand = match.awaiting, match.hand
        assert hand is not None
        safety = SAFETY_OF[window.hazard]
        forced = [seat for seat in window.open_to if safety not in hand.hands[seat]]
        if not forced:
            return match
        match, _ = apply(match, forced[0], Decline())
    return match


def canonical(match: Match) -> Match:
    """The match without history, and in canonical order wherever order cannot matter."""
    match = settled(match)
    hand = match.hand
    if hand is None:
        return match
    return match._replace(
        hand=hand._replace(
            hands=tuple(_sorted(cards) for cards in hand.hands),
            discard=_sorted(hand.discard),
            tableaux=tuple(map(_canonical_tableau, hand.tableaux)),
            history=(),
        )
    )


# A move changes little of a game, so conversions are cached.
_cached = lru_cache(maxsize=4096)


@_cached
def _canonical_tableau(tableau: Tableau) -> Tableau:
    battle, speed = tableau.battle, tableau.speed
    battle_base = _base(battle, BATTLE_HAZARDS)
    speed_base = _base(speed, {Card.LIM})
    return tableau._replace(
        battle=_sorted(battle[:battle_base]) + battle[battle_base:],
        speed=_sorted(speed[:speed_base]) + speed[speed_base:],
        distance=_sorted(tableau.distance),
        safeties=_sorted(tableau.safeties),
        crosswise=_sorted(tableau.crosswise),
    )


def _base(pile: Sequence[Card], hazards: Iterable[Card]) -> int:
    """The index of the topmost card that is not a hazard: only cards above it can ever go."""
    hazards = set(hazards)
    return max((place for place, card in enumerate(pile) if card not in hazards), default=0)


def _sorted(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=KIND.__getitem__))


# From packed to readable


def to_state(game: Record, edition: Edition, players: int, *, short_trip: bool = False) -> Match:
    """The readable match of a packed game, in canonical order.

    In a randomly dealt hand the order of the draw pile is not decided yet: its cards come in
    arbitrary order.
    """
    match = new_match(edition, players, short_trip=short_trip)
    sides = match.sides
    hands = tuple(_unpack_hand(int(game["hand"][seat])) for seat in range(players))
    left = int(game["left"])
    pile = tuple(ALL_CARDS[kind] for kind in game["deck"][:left][::-1])
    words = zip(game["car"].tolist(), game["under"].tolist(), game["laid"].tolist(), strict=False)
    tableaux = tuple(
        _unpack_tableau(*word, match.seats_of(side))
        for side, word in zip(range(sides), words, strict=False)
    )
    caller, completed = int(game["caller"]), int(game["completed"])
    has_ended = int(game["awaiting"]) >= AWAIT_DEAL
    hand = Hand(
        number=int(game["number"]),
        dealer=int(game["dealer"]),
        hands=hands,
        pile=pile,
        discard=_unpack_discard(game, edition.autoroute_cards, (*hands, pile), tableaux),
        tableaux=tableaux,
        trip=25 * int(game["trip"]),
        caller=None if caller < 0 else caller,
        began_empty=bool(game["began_empty"]),
        completed_by=None if completed < 0 else completed,
        sheets=tuple(ScoreSheet(*map(int, game["sheet"][side])) for side in range(sides))
        if has_ended
        else None,
    )
    forward = tuple(int(game["forward"][side]) for side in range(sides))
    match = match._replace(forward=forward, hand=hand)
    return match._replace(awaiting=_unpack_awaiting(game, match))


@_cached
def _unpack_hand(word: int) -> tuple[Card, ...]:
    return tuple(card for card in ALL_CARDS for _ in range(word >> 3 * KIND[card] & 7))


def _unpack_counts(word: int) -> Counter[Card]:
    return Counter({card: word >> 4 * place & 15 for place, card in enumerate(_COUNTED)})


@_cached
def _unpack_tableau(car: int, under: int, counts: int, seats: tuple[int, ...]) -> Tableau:
    laid = _unpack_counts(counts)
    top = car & 7
    battle: list[Card] = []
    while top in _HAZARD_OF_TOP:
        battle.insert(0, _HAZARD_OF_TOP[top])
        top, under = under & 7, under >> 3
    if top == TOP_OF[Card.ROLL]:
        battle.insert(0, Card.ROLL)
    elif top:
        battle.insert(0, REMEDY_ORDER[car >> packing.REMEDY & 3])
    limits = car >> packing.LIMITS & 7
    speed = [Card.EOL] * (laid[Card.EOL] > 0) + [Card.LIM] * limits
    battle_cards = BATTLE_HAZARDS | REMEDIES | {Card.ROLL}
    return Tableau(
        battle=_buried(laid, battle_cards, battle) + tuple(battle),
        speed=_buried(laid, {Card.LIM, Card.EOL}, speed) + tuple(speed),
        distance=_sorted(Counter({card: laid[card] for card in DISTANCES}).elements()),
        safeties=safeties_of(car >> packing.SAFETY),
        crosswise=safeties_of(car >> packing.CROSSWISE),
        autoroute=Autoroute(seats[car >> packing.PARTNER & 1], car >> packing.TURNS & 3)
        if car >> packing.AUTOROUTE & 1
        else None,
    )


def _buried(laid: Counter[Card], cards: Iterable[Card], shown: Iterable[Card]) -> tuple[Card, ...]:
    there = Counter({card: laid[card] for card in cards})
    there.subtract(shown)
    return _sorted(there.elements())


def _unpack_discard(
    game: Record,
    autoroutes: int,
    elsewhere: Iterable[tuple[Card, ...]],
    tableaux: Iterable[Tableau],
) -> tuple[Card, ...]:
    discard = _unpack_counts(int(game["laid"][DISCARDED]))
    # Safeties and Autoroutes are not counted: those that are in no other place are here.
    uncounted = Counter({**dict.fromkeys(SAFETY_ORDER, 1), Card.AUTO: autoroutes})
    uncounted.subtract(card for cards in elsewhere for card in cards if card in uncounted)
    for tableau in tableaux:
        uncounted.subtract(tableau.safeties)
        uncounted[Card.AUTO] -= tableau.autoroute is not None
    discard.update(uncounted)
    return _sorted(discard.elements())


def _unpack_awaiting(game: Record, match: Match) -> Awaiting:
    awaiting, seat = int(game["awaiting"]), int(game["seat"])
    if awaiting == AWAIT_TURN:
        return Turn(seat)
    if awaiting == AWAIT_EXTENSION:
        return ExtensionChoice(seat)
    if awaiting == AWAIT_WINDOW:
        attacker, side = int(game["attacker"]), int(game["victim"])
        hazard = ALL_CARDS[int(game["hazard"])]
        asked = seats_asked(match, attacker, hazard, side)
        declined = tuple(other for other in asked if other != seat)
        return Window(attacker, side, hazard, asked, declined)
    if awaiting == AWAIT_DEAL:
        return Deal(seat)
    winner = int(game["winner"])
    return Over(None if winner < 0 else winner)


# From readable to packed


def from_state(match: Match) -> NDArray[np.void]:
    """The packed game of a match whose cards are all known: an array of one record."""
    match = settled(match)
    hand = match.hand
    if hand is None:
        raise ValueError("no hand has been dealt yet")
    if any(Card.UNKNOWN in cards for cards in (*hand.hands, hand.pile, hand.discard)):
        raise ValueError("the match has unknown cards: use a view, so that the engine deals them")
    games = np.zeros(1, GAME)
    game = games[0]
    for seat, cards in enumerate(hand.hands):
        game["hand"][seat] = _pack_hand(cards)
    _pack_deck(game, hand.pile)
    _pack_public(game, view(match, None, brief=True))
    if isinstance(match.awaiting, Window):
        game["seat"] = match.awaiting.open_to[0]
    return games


def from_view(seen: View) -> NDArray[np.void]:
    """The packed game as this viewer knows it: an array of one record.

    The hidden cards are not dealt yet: each rollout deals them anew.
    """
    if Card.UNKNOWN in (*seen.hand, *seen.discard):
        raise ValueError("the view has unknown cards (?): every card it shows must have a face")
    games = np.zeros(1, GAME)
    game = games[0]
    deck = seen.edition.deck(seen.players)
    known = Counter((*seen.hand, *seen.discard))
    for tableau in seen.tableaux:
        known.update(tableau.battle + tableau.speed + tableau.distance + tableau.safeties)
        known[Card.AUTO] += tableau.autoroute is not None
    unseen = tuple((Counter(deck) - known).elements())
    _pack_deck(game, unseen)
    for seat, size in enumerate(seen.hand_sizes):
        if seat == seen.seat:
            game["hand"][seat] = _pack_hand(seen.hand)
        else:
            game["hidden"][seat] = size
    own_hand_known = seen.seat is None or len(seen.hand) == seen.hand_sizes[seen.seat]
    if not own_hand_known or len(unseen) != seen.pile + int(game["hidden"].sum()):
        raise ValueError("the cards of this view do not add up to the deck")
    game["lazy"] = 1
    _pack_public(game, seen)
    return games


def _pack_hand(cards: Iterable[Card]) -> int:
    return sum(1 << 3 * KIND[card] for card in cards)


def _pack_deck(game: Record, pile: Sequence[Card]) -> None:
    """Pack the cards still to be drawn; the order of those already drawn is not known."""
    game["deck"] = NO_CARD
    game["deck"][: len(pile)] = [KIND[card] for card in reversed(pile)]
    game["left"] = len(pile)


def _pack_public(game: Record, seen: View) -> None:
    """Pack everything that is public."""
    sides = seen.sides
    for side, tableau in enumerate(seen.tableaux):
        _pack_tableau(game, side, sides, tableau)
    game["laid"][DISCARDED] = _pack_counts(seen.discard)
    game["trip"] = seen.trip // 25
    game["caller"] = -1 if seen.caller is None else seen.caller
    game["completed"] = -1 if seen.completed_by is None else seen.completed_by
    game["began_empty"] = seen.began_empty
    game["dealer"], game["number"] = seen.dealer, seen.number
    game["forward"][:sides] = seen.forward
    game["total"][:sides] = seen.totals
    for side, sheet in enumerate(seen.sheets or ()):
        game["sheet"][side] = sheet
    _pack_awaiting(game, seen.awaiting)


def _pack_counts(cards: Iterable[Card]) -> int:
    return sum(1 << 4 * KIND[card] for card in cards if card in _COUNTED)


def _pack_safeties(cards: Iterable[Card]) -> int:
    return sum(1 << SAFETY_ORDER.index(card) for card in cards)


def _pack_tableau(game: Record, side: int, sides: int, tableau: Tableau) -> None:
    base = _base(tableau.battle, BATTLE_HAZARDS)
    under, top = 0, 0
    for card in tableau.battle[base:]:
        under, top = under << 3 | top, TOP_OF[card]
    last = [card for card in tableau.battle if card in REMEDIES]
    limits = len(tableau.speed) - _base((Card.EOL, *tableau.speed), {Card.LIM})
    miles = sum(MILES[card] for card in tableau.distance)
    car = (
        top
        | _pack_safeties(tableau.safeties) << packing.SAFETY
        | limits << packing.LIMITS
        | (REMEDY_ORDER.index(last[-1]) if last else 0) << packing.REMEDY
        | _pack_safeties(tableau.crosswise) << packing.CROSSWISE
        | (miles // 25 << 3 | tableau.distance.count(Card.D200)) << packing.DISTANCE
    )
    if tableau.autoroute is not None:
        seat, turns = tableau.autoroute
        car |= 1 << packing.AUTOROUTE | turns << packing.TURNS
        car |= (seat // sides) << packing.PARTNER
    game["car"][side] = car
    game["under"][side] = under
    game["laid"][side] = _pack_counts((*tableau.battle, *tableau.speed, *tableau.distance))


def _pack_awaiting(game: Record, awaiting: Awaiting) -> None:
    if isinstance(awaiting, Turn):
        game["awaiting"], game["seat"] = AWAIT_TURN, awaiting.seat
    elif isinstance(awaiting, ExtensionChoice):
        game["awaiting"], game["seat"] = AWAIT_EXTENSION, awaiting.seat
    elif isinstance(awaiting, Window):
        game["awaiting"] = AWAIT_WINDOW
        game["attacker"], game["victim"] = awaiting.attacker, awaiting.side
        game["hazard"] = KIND[awaiting.hazard]
        game["declined"] = sum(1 << seat for seat in awaiting.declined)
    elif isinstance(awaiting, Deal):
        game["awaiting"], game["seat"] = AWAIT_DEAL, awaiting.dealer
    else:
        game["awaiting"] = AWAIT_OVER
        game["winner"] = -1 if awaiting.winner is None else awaiting.winner
