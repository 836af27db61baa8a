"""The Sunday driver: sensible priorities, no calculation.

Drive when you can, cure what stops you, attack the leader, keep safeties for a coup fourré
until late in the hand. Targets depend on the state of the race alone, never on who sits there.
"""

from millebornes.rules import Card, Discard, Extend, Finish, Move, Play, View
from millebornes.rules.car import active_hazard, is_limited
from millebornes.rules.cards import (
    DISTANCES,
    HAZARD_OF_REMEDY,
    HAZARDS,
    HAZARDS_OF,
    MILES,
    SAFETIES,
    SAFETY_OF,
)
from millebornes.rules.state import ExtensionChoice, Tableau, Window

from .bot import Advice
from .reading import (
    call_if_possible,
    completes,
    front_of,
    harms,
    is_held_up,
    is_late,
    own_of,
    piled_on,
    race_of,
    rivals_of,
    row_starts,
    suffers,
    unseen,
)
from .reasons import why

__all__ = ["SundayDriver"]

# With somebody this close to the end, a safety kept any longer may never score.
_CLOSE = 100
# An extension is worth the risk with this lead over everybody and this many draws per player.
_EXTENSION_LEAD = 300
_EXTENSION_DRAWS = 10


class SundayDriver:
    """Plays by a fixed list of priorities."""

    def choose(self, view: View) -> Move:
        """The move of the highest priority that the rules allow."""
        if isinstance(view.awaiting, Window):
            return call_if_possible(view)
        if isinstance(view.awaiting, ExtensionChoice):
            return _extend_or_finish(view)
        return _on_turn(view)

    def explain(self, view: View) -> Advice:
        """The same move, and the reason for it."""
        return why(view, self.choose(view))


def _extend_or_finish(view: View) -> Move:
    ahead = own_of(view).miles - front_of(view)[1].miles
    has_time = view.pile >= _EXTENSION_DRAWS * view.players
    return Extend() if ahead >= _EXTENSION_LEAD and has_time else Finish()


def _on_turn(view: View) -> Move:
    plays = [move for move in view.legal_moves if isinstance(move, Play)]
    useful = [play for play in plays if _is_useful(view, play)]
    discards = [move for move in view.legal_moves if isinstance(move, Discard)]
    if useful or not discards:  # a house rule may forbid discards while anything can be played
        return max(useful or plays, key=lambda play: _worth(view, play))
    return min(discards, key=lambda discard: _keep(view, discard.card))


def _is_useful(view: View, play: Play) -> bool:
    """Whether this play is better than a discard."""
    if play.card in SAFETIES:
        return _should_lay(view, play.card)
    if play.card is Card.AUTO:
        own = own_of(view)
        return is_held_up(own) or view.trip - own.miles <= 300
    if play.onto is not None:
        return harms(view, play)
    return True


def _should_lay(view: View, safety: Card) -> bool:
    """Whether to lay a safety now and not to keep it for a coup fourré."""
    own = own_of(view)
    is_slowed_by_it = safety is Card.ROW and is_limited(own)
    return (
        active_hazard(own) in HAZARDS_OF[safety]
        or is_slowed_by_it
        or is_late(view)
        or any(view.trip - tableau.miles <= _CLOSE for tableau in view.tableaux)
        or (safety is Card.ROW and row_starts(view))
        or unseen(view, *HAZARDS_OF[safety]) == 0
    )


def _worth(view: View, play: Play) -> tuple[int, int]:
    """Priority, then size within the same priority."""
    card = play.card
    if card in MILES:
        if completes(view, card):
            return 100, 0
        # The first 200 costs the safe trip; the second costs nothing more.
        is_first_200 = card is Card.D200 and card not in own_of(view).distance
        return 50, MILES[card] - (60 if is_first_200 else 0)
    if card in SAFETIES:
        return 90, 0
    if card is Card.AUTO:
        return 65, 0
    if play.onto is not None:
        return 60 if card is not Card.LIM else 45, race_of(view, play.onto)
    return (70 if card is not Card.EOL else 48), 0


def _keep(view: View, card: Card) -> int:
    """How much a card is worth keeping; the lowest is discarded."""
    own = own_of(view)
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
    return _keep_roll(view, own) if card is Card.ROLL else _keep_remedy(view, own, card)


def _keep_roll(view: View, own: Tableau) -> int:
    edition, held = view.edition, view.hand.count(Card.ROLL)
    if Card.ROW in own.safeties and edition.row_replaces_roll:
        return 5 - held
    if edition.remedy_restores_roll and (edition.start_rolling or own.battle):
        # Little more than the remedy against a Stop: one or two are enough.
        return 70 - 25 * held
    return 80


def _keep_distance(view: View, own: Tableau, card: Card) -> int:
    left = view.trip - own.miles
    if MILES[card] > left:
        return 0
    if card is Card.D200 and own.distance.count(card) >= view.edition.max_200s:
        return 0
    return 20 + MILES[card] // 5 + (20 if MILES[card] == left else 0)


def _keep_hazard(view: View, card: Card) -> int:
    if all(SAFETY_OF[card] in tableau.safeties for _, tableau in rivals_of(view)):
        return 1
    return 55 if card is not Card.LIM else 35


def _keep_remedy(view: View, own: Tableau, card: Card) -> int:
    hazard = HAZARD_OF_REMEDY[card]
    safety = SAFETY_OF[hazard]
    if safety in own.safeties or safety in view.hand:
        return 2
    is_needed = suffers(own, hazard)
    if not is_needed and hazard not in piled_on(own) and unseen(view, hazard) == 0:
        return 3
    return (90 if is_needed else 40) - 25 * (view.hand.count(card) - 1)
