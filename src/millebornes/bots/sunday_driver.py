"""The Sunday driver: sensible priorities, no calculation.

Drive when you can, cure what stops you, hit whoever leads the race, keep safeties for a
coup fourré until it gets late. Targets are chosen by the race alone, never by who sits there.
"""

from millebornes.rules import (
    Card,
    CoupFourre,
    Discard,
    Extend,
    Finish,
    Move,
    Play,
    View,
)
from millebornes.rules.car import active_hazard, is_limited, is_rolling
from millebornes.rules.cards import (
    COPIES,
    DISTANCES,
    HAZARDS,
    HAZARDS_OF,
    MILES,
    REMEDY_OF,
    SAFETIES,
    SAFETY_OF,
)
from millebornes.rules.state import ExtensionChoice, Tableau, Window

__all__ = ["SundayDriver"]

# With so few cards left for each player, a safety kept any longer may never score.
_LATE = 3
# How far ahead one must be of everybody, with cards enough to draw, to risk an extension.
_EXTENSION_LEAD = 300
_EXTENSION_DRAWS = 10


class SundayDriver:
    """Plays by a fixed list of priorities."""

    def choose(self, view: View) -> Move:
        """The first thing on the list that the rules allow."""
        if isinstance(view.awaiting, Window):
            return _answer(view)
        if isinstance(view.awaiting, ExtensionChoice):
            return _extend_or_finish(view)
        return _on_turn(view)


def _answer(view: View) -> Move:
    return next((m for m in view.legal_moves if isinstance(m, CoupFourre)), view.legal_moves[-1])


def _extend_or_finish(view: View) -> Move:
    own = _own(view)
    rivals = max(tableau.miles for tableau in view.tableaux if tableau is not own)
    far_ahead = own.miles - rivals >= _EXTENSION_LEAD
    if far_ahead and view.pile >= _EXTENSION_DRAWS * view.players:
        return Extend()
    return Finish()


def _on_turn(view: View) -> Move:
    plays = [move for move in view.legal_moves if isinstance(move, Play)]
    useful = [play for play in plays if _is_useful(view, play)]
    if useful:
        return max(useful, key=lambda play: _worth(view, play))
    discards = [move for move in view.legal_moves if isinstance(move, Discard)]
    if not discards:  # a house rule may forbid them while anything can be played
        return max(plays, key=lambda play: _worth(view, play))
    return min(discards, key=lambda discard: _keep(view, discard.card))


def _own(view: View) -> Tableau:
    assert view.side is not None
    return view.tableaux[view.side]


def _is_late(view: View) -> bool:
    close = any(view.trip - tableau.miles <= 100 for tableau in view.tableaux)
    return view.pile < _LATE * view.players or close


def _is_useful(view: View, play: Play) -> bool:
    """Is it better than a discard?"""
    own = _own(view)
    if play.card in SAFETIES:
        stopped_by_it = active_hazard(own) in HAZARDS_OF[play.card]
        slowed_by_it = play.card is Card.ROW and is_limited(own)
        must_start = play.card is Card.ROW and not is_rolling(own, view.edition)
        no_roll = Card.ROLL not in view.hand
        return (
            _is_late(view)
            or stopped_by_it
            or slowed_by_it
            or (must_start and no_roll)
            or _unseen(view, *HAZARDS_OF[play.card]) == 0
        )
    if play.card is Card.AUTO:
        return active_hazard(own) is not None or is_limited(own) or view.trip - own.miles <= 300
    if play.onto is not None:
        return _hurts(view, play)
    return True


def _hurts(view: View, play: Play) -> bool:
    """A Stop on a car that is worse off already would only help it."""
    assert play.onto is not None
    target = view.tableaux[play.onto]
    if play.card is Card.LIM:
        return not is_limited(target)
    return active_hazard(target) is None


def _worth(view: View, play: Play) -> tuple[int, int]:
    """Priority, then size."""
    own = _own(view)
    card = play.card
    if card in MILES:
        if own.miles + MILES[card] == view.trip:
            return 100, 0
        # A 200 costs the safe trip, and the second one nothing more.
        return 50, MILES[card] - (60 if card is Card.D200 and card not in own.distance else 0)
    if card in SAFETIES:
        return 90, 0
    if card is Card.AUTO:
        return 65, 0
    if play.onto is not None:
        return 60 if card is not Card.LIM else 45, _race(view, play.onto)
    return (70 if card is not Card.EOL else 48), 0


def _race(view: View, side: int) -> int:
    """How dangerous a side is: its miles in this hand and its points in the match."""
    return 4 * view.tableaux[side].miles + view.totals[side]


def _keep(view: View, card: Card) -> int:
    """How much a card is worth keeping: the lowest is discarded."""
    own = _own(view)
    copies = view.hand.count(card)
    if card is Card.UNKNOWN:
        return -100
    if card in SAFETIES:
        return 1000
    if card in DISTANCES:
        return _keep_distance(view, own, card)
    if card in HAZARDS:
        return _keep_hazard(view, card)
    if card is Card.AUTO:
        return 70
    if card is Card.ROLL:
        return 80 if Card.ROW not in own.safeties else 5 - copies
    hazard = next(hazard for hazard, remedy in REMEDY_OF.items() if remedy is card)
    return _keep_remedy(view, own, card, hazard)


def _keep_distance(view: View, own: Tableau, card: Card) -> int:
    left = view.trip - own.miles
    full = card is Card.D200 and own.distance.count(card) >= view.edition.max_200s
    if MILES[card] > left or full:
        return 0
    return 20 + MILES[card] // 5 + (20 if MILES[card] == left else 0)


def _keep_hazard(view: View, card: Card) -> int:
    rivals = [tableau for side, tableau in enumerate(view.tableaux) if side != view.side]
    if all(SAFETY_OF[card] in tableau.safeties for tableau in rivals):
        return 1
    return 55 if card is not Card.LIM else 35


def _keep_remedy(view: View, own: Tableau, card: Card, hazard: Card) -> int:
    if SAFETY_OF[hazard] in own.safeties or SAFETY_OF[hazard] in view.hand:
        return 2
    suffers = active_hazard(own) is hazard or (hazard is Card.LIM and is_limited(own))
    if not suffers and _unseen(view, hazard) == 0:
        return 3
    spare_copies = view.hand.count(card) - 1
    return (90 if suffers else 40) - 25 * spare_copies


def _unseen(view: View, *hazards: Card) -> int:
    """How many of these cards this seat has not seen yet: they may still come."""
    seen = [*view.discard, *view.hand]
    for tableau in view.tableaux:
        seen += tableau.battle + tableau.speed
    removed = view.players in view.edition.hazards_removed_at
    return sum(COPIES[hazard] - removed - seen.count(hazard) for hazard in hazards)
