"""The sparring partner: a yardstick for the arena, in the manner of the classic BSD `mille`.

It was written from a description in words of how that program plays: it counts the cards that it
has seen, keeps safeties for a coup fourré, and gives every card a value; it plays the highest, or
discards the lowest. All figures here are our own.
"""

from millebornes.rules import Card, Discard, Extend, Finish, Move, Play, View
from millebornes.rules.cards import (
    COPIES,
    HAZARD_OF_REMEDY,
    HAZARDS,
    HAZARDS_OF,
    MILES,
    REMEDY_OF,
    SAFETIES,
    SAFETY_OF,
)
from millebornes.rules.state import ExtensionChoice, Window

from .reading import (
    LONGEST,
    call_if_possible,
    completes,
    harms,
    is_held_up,
    left_to,
    own_of,
    own_side,
    race_of,
    rivals_of,
    suffers,
    unseen,
)

__all__ = ["Sparring"]

# Values of plays; that of a distance is its miles.
_COMPLETE = 1000
_CURE = 200
_NEEDED = 25  # for each card that the target needs to drive again
_GONE = 3  # for each of its remedies that has been seen
_NOT_STARTED = 15  # if either car has not driven yet
_ONE_CARD = 60  # if the target could finish with one card
_AUTOROUTE = 90
# How many cards of the pile for each player are few, and how many are enough to extend.
_LOW = 2
_ENOUGH = 9


class Sparring:
    """Values every card by the cards that it has seen."""

    def choose(self, view: View) -> Move:
        """The play of the highest value, or the discard of the lowest."""
        if isinstance(view.awaiting, Window):
            return call_if_possible(view)
        if isinstance(view.awaiting, ExtensionChoice):
            return Extend() if _should_extend(view) else Finish()
        plays = [move for move in view.legal_moves if isinstance(move, Play)]
        discards = [move for move in view.legal_moves if isinstance(move, Discard)]
        laid = [play for play in plays if play.card in SAFETIES and _should_lay(view, play.card)]
        others = [play for play in plays if play.card not in SAFETIES]
        if not discards:  # a house rule may forbid them while anything can be played
            return laid[0] if laid else max(plays, key=lambda play: _value(view, play))
        useful = [play for play in others if _value(view, play) > (0, 0)]
        if not laid and not useful and view.pile < _LOW * view.players:
            laid = [play for play in plays if play.card in SAFETIES]
        if laid:
            return laid[0]
        if useful:
            return max(useful, key=lambda play: _value(view, play))
        return min(discards, key=lambda discard: _keep(view, discard.card))


def _should_extend(view: View) -> bool:
    own = own_of(view)
    safeties = len(own.safeties) + sum(card in SAFETIES for card in view.hand)
    are_behind = all(
        tableau.miles > 0 and left_to(view, side) > LONGEST for side, tableau in rivals_of(view)
    )
    return safeties >= 2 and are_behind and view.pile >= _ENOUGH * view.players


def _should_lay(view: View, safety: Card) -> bool:
    """Whether to lay a safety now and not to keep it for a coup fourré."""
    if any(suffers(own_of(view), hazard) for hazard in HAZARDS_OF[safety]):
        return True
    could_lose = any(left_to(view, side) <= LONGEST for side, _ in rivals_of(view))
    return could_lose or _can_finish(view) or unseen(view, *HAZARDS_OF[safety]) == 0


def _can_finish(view: View) -> bool:
    return any(
        isinstance(move, Play) and move.card in MILES and completes(view, move.card)
        for move in view.legal_moves
    )


def _value(view: View, play: Play) -> tuple[int, int]:
    """The value of a play; between equal attacks, the race decides."""
    card = play.card
    if play.onto is not None:
        value = _attack(view, card, play.onto) if harms(view, play) else 0
        return value, race_of(view, play.onto)
    if card in MILES:
        return _drive(view, card), 0
    if card is Card.AUTO:
        own = own_of(view)
        return _AUTOROUTE if is_held_up(own) or view.trip - own.miles <= LONGEST else 0, 0
    return _CURE if card is not Card.EOL else _CURE // 4, 0


def _attack(view: View, hazard: Card, side: int) -> int:
    """By the cards that the target needs to drive again, and how many of them are gone."""
    remedy = REMEDY_OF[hazard]
    edition = view.edition
    has_row = Card.ROW in view.tableaux[side].safeties and edition.row_replaces_roll
    needs_one = hazard in (Card.STOP, Card.LIM) or edition.remedy_restores_roll or has_row
    value = _NEEDED * (1 if needs_one else 2) + _GONE * (COPIES[remedy] - unseen(view, remedy))
    if hazard is Card.LIM:
        value //= 2
    if 0 in (own_of(view).miles, view.tableaux[side].miles):
        value += _NOT_STARTED
    if left_to(view, side) <= LONGEST:
        value += _ONE_CARD
    return value


def _drive(view: View, card: Card) -> int:
    if completes(view, card):
        return _COMPLETE
    left = view.trip - own_of(view).miles - MILES[card]
    if MILES[card] <= 50 and left <= LONGEST and not _is_reachable(view, left):
        return 0
    return MILES[card]


def _is_reachable(view: View, left: int) -> bool:
    """Whether one card of the hand, or one that may still come, drives just this far."""
    return any(
        miles == left and (card in view.hand or unseen(view, card) > 0)
        for card, miles in MILES.items()
    )


def _keep(view: View, card: Card) -> int:
    """The value of a card that is not played now."""
    own = own_of(view)
    if card is Card.UNKNOWN:
        return -1
    if card in SAFETIES:
        return 1000
    if card in MILES:
        is_dead = MILES[card] > left_to(view, own_side(view)) or (
            card is Card.D200 and own.distance.count(card) >= view.edition.max_200s
        )
        return 0 if is_dead else 10 + MILES[card] // 5
    if card in HAZARDS:
        targets = [side for side, one in rivals_of(view) if SAFETY_OF[card] not in one.safeties]
        return max((_attack(view, card, side) for side in targets), default=0)
    if card is Card.AUTO:
        return _AUTOROUTE
    return _keep_remedy(view, card)


def _keep_remedy(view: View, card: Card) -> int:
    """By the hazards that may still come, less for each further copy in the hand."""
    own, hazard = own_of(view), HAZARD_OF_REMEDY[card]
    if suffers(own, hazard):
        return _CURE
    held = view.hand.count(card)
    if card is Card.ROLL and not (Card.ROW in own.safeties and view.edition.row_replaces_roll):
        return 80 // held
    if SAFETY_OF[hazard] in (*own.safeties, *view.hand):
        return 0
    return 12 * unseen(view, hazard) // held
