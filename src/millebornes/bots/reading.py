"""Reading a view: what bots and reasons ask of the cards on the table and in the hand."""

from collections.abc import Iterator
from itertools import takewhile

from millebornes.rules import Card, CoupFourre, Match, Move, Play, View
from millebornes.rules.car import active_hazard, is_limited, is_rolling
from millebornes.rules.cards import BATTLE_HAZARDS, COPIES, HAZARDS, MILES
from millebornes.rules.scoring import outcome, score
from millebornes.rules.state import Over, Tableau

__all__ = [
    "LONGEST",
    "call_if_possible",
    "completes",
    "front_of",
    "harms",
    "is_held_up",
    "is_late",
    "left_to",
    "own_of",
    "own_side",
    "piled_on",
    "playable_distances",
    "plays_again",
    "race_of",
    "result_of_finishing",
    "rivals_of",
    "row_starts",
    "suffers",
    "unseen",
]

LONGEST = max(MILES.values())
"""The most that one card drives: who has no more to go may finish with the next card."""
_LATE = 3


def own_side(view: View) -> int:
    """The side of the seat that looks."""
    assert view.side is not None, "a spectator has no side"
    return view.side


def own_of(view: View) -> Tableau:
    """The cards in front of the own side."""
    return view.tableaux[own_side(view)]


def rivals_of(view: View) -> Iterator[tuple[int, Tableau]]:
    """The other sides, and the cards in front of them."""
    own = own_side(view)
    return ((side, tableau) for side, tableau in enumerate(view.tableaux) if side != own)


def call_if_possible(view: View) -> Move:
    """The answer to an attack: a coup fourré, if the hand has one."""
    calls = (move for move in view.legal_moves if isinstance(move, CoupFourre))
    return next(calls, view.legal_moves[-1])


def left_to(view: View, side: int) -> int:
    """What a side still has to drive."""
    return view.trip - view.tableaux[side].miles


def race_of(view: View, side: int) -> int:
    """How dangerous a side is: its miles in this hand and its points in the match."""
    return 4 * view.tableaux[side].miles + view.totals[side]


def front_of(view: View) -> tuple[int, Tableau]:
    """The opponent with the most miles; of equals, the one ahead in the match."""
    return max(rivals_of(view), key=lambda rival: (rival[1].miles, view.totals[rival[0]]))


def is_late(view: View) -> bool:
    """Whether few cards are left to draw: what is kept any longer may never be played."""
    return view.pile < _LATE * view.players


def completes(view: View, card: Card) -> bool:
    """Whether this distance would complete the trip exactly."""
    return own_of(view).miles + MILES[card] == view.trip


def playable_distances(view: View) -> list[int]:
    """The lengths of the distance cards that may be played now, longest first."""
    plays = (move for move in view.legal_moves if isinstance(move, Play))
    return sorted((MILES[play.card] for play in plays if play.card in MILES), reverse=True)


def is_held_up(own: Tableau) -> bool:
    """Whether a hazard or a Speed Limit lies on this car."""
    return active_hazard(own) is not None or is_limited(own)


def suffers(own: Tableau, hazard: Card) -> bool:
    """Whether this hazard stops or slows the car now."""
    return active_hazard(own) is hazard or (hazard is Card.LIM and is_limited(own))


def piled_on(own: Tableau) -> list[Card]:
    """The hazards piled on top of the battle pile: one beneath may count again."""
    return list(takewhile(BATTLE_HAZARDS.__contains__, reversed(own.battle)))


def row_starts(view: View) -> bool:
    """Whether Right of Way would take the place of a Roll that is needed and not in the hand."""
    edition, own = view.edition, own_of(view)
    if not edition.row_replaces_roll or is_rolling(own, edition) or Card.ROLL in view.hand:
        return False
    return active_hazard(own) is None or not edition.remedy_restores_roll


def plays_again(view: View) -> bool:
    """Whether a safety played now gives another turn, with a card to play in it."""
    return view.pile > 0 or (view.edition.replay_on_empty_pile and len(view.hand) > 1)


def harms(view: View, play: Play) -> bool:
    """Whether a hazard does harm: a Stop on a car that is already worse off would only help it."""
    assert play.onto is not None
    target = view.tableaux[play.onto]
    if play.card is Card.LIM:
        return not is_limited(target)
    return active_hazard(target) is None


def unseen(view: View, *cards: Card) -> int:
    """How many cards of these kinds the seat has not seen yet, so that they may still come."""
    seen = [*view.discard, *view.hand]
    for tableau in view.tableaux:
        seen += tableau.battle + tableau.speed + tableau.distance + tableau.safeties
    removed = view.players in view.edition.hazards_removed_at
    return sum(COPIES[card] - (removed and card in HAZARDS) - seen.count(card) for card in cards)


def result_of_finishing(view: View, card: Card | None = None) -> Over | None:
    """How the match ends if this side finishes now, with this distance; None if it goes on."""
    own, tableaux = own_side(view), list(view.tableaux)
    if card is not None:
        can_extend = view.players in view.edition.extension_at and view.caller is None
        if can_extend or not completes(view, card):
            return None
        tableaux[own] = own_of(view)._replace(distance=(*own_of(view).distance, card))
    sheets = score(view.edition, view._replace(tableaux=tuple(tableaux), completed_by=own))
    totals = tuple(before + sheet.total for before, sheet in zip(view.forward, sheets, strict=True))
    match = Match(view.edition, view.players, view.trip, view.forward, view.awaiting)
    return outcome(match, totals, view.number)
