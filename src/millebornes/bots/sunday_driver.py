"""The Sunday driver: sensible priorities, no calculation.

Drive when you can, cure what stops you, attack the leader, keep safeties for a coup fourré
until late in the hand. Targets depend on the state of the race alone, never on who sits there.
"""

from itertools import takewhile
from typing import Literal, NamedTuple

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
    BATTLE_HAZARDS,
    COPIES,
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

__all__ = ["Code", "SundayDriver"]

# With fewer cards than this left per player, a safety kept any longer may never score.
_LATE = 3
# An extension is worth the risk with this lead over everybody and this many draws per player.
_EXTENSION_LEAD = 300
_EXTENSION_DRAWS = 10


Code = Literal[
    # answers
    "coup_fourre",
    "nothing_to_answer",
    "extend",
    "finish",
    # plays
    "safety_late",
    "safety_cures",
    "safety_starts",
    "safety_unneeded",
    "completes_trip",
    "drive",
    "autoroute",
    "attack",
    "limit",
    "cure",
    "roll",
    "end_limit",
    "must_play",
    # discards
    "discard_unknown",
    "discard_too_far",
    "discard_no_more_200s",
    "discard_no_target",
    "discard_roll",
    "discard_protected",
    "discard_no_more_hazards",
    "discard_spare",
    "discard_least",
]
"""Every possible reason for a move."""


_GIVES = {
    (True, True): "both",
    (True, False): "points",
    (False, True): "turn",
    (False, False): "neither",
}
"""What a coup fourré gives: points, another turn."""


class SundayDriver:
    """Plays by a fixed list of priorities."""

    def choose(self, view: View) -> Move:
        """The move of the highest priority that the rules allow."""
        return self.explain(view).move

    def explain(self, view: View) -> Advice:
        """The same move, and the reason for it."""
        if isinstance(view.awaiting, Window):
            return _answer(view, view.awaiting.hazard)
        if isinstance(view.awaiting, ExtensionChoice):
            return _extend_or_finish(view)
        return _on_turn(view)


def _advice(move: Move, code: Code, **params: str | int) -> Advice:
    return Advice(move, code, params)


def _answer(view: View, hazard: Card) -> Advice:
    safety = SAFETY_OF[hazard]
    for move in view.legal_moves:
        if isinstance(move, CoupFourre):
            scores = view.edition.coup_fourre_points > 0
            plays = view.pile > 0 or len(view.hand) > 1  # the hand without this safety
            gives = _GIVES[scores, plays]
            return _advice(move, "coup_fourre", card=safety.value, hazard=hazard.value, gives=gives)
    return _advice(
        view.legal_moves[-1], "nothing_to_answer", safety=safety.value, hazard=hazard.value
    )


def _extend_or_finish(view: View) -> Advice:
    own = _own(view)
    rivals = max(tableau.miles for tableau in view.tableaux if tableau is not own)
    ahead = own.miles - rivals
    if ahead >= _EXTENSION_LEAD and view.pile >= _EXTENSION_DRAWS * view.players:
        return _advice(Extend(), "extend", ahead=ahead, pile=view.pile)
    return _advice(Finish(), "finish")


def _on_turn(view: View) -> Advice:
    plays = [move for move in view.legal_moves if isinstance(move, Play)]
    useful = [play for play in plays if _is_useful(view, play)]
    if useful:
        return _why_play(view, max(useful, key=lambda play: _worth(view, play)))
    discards = [move for move in view.legal_moves if isinstance(move, Discard)]
    if not discards:  # a house rule may forbid them while anything can be played
        best = max(plays, key=lambda play: _worth(view, play))
        return _advice(best, "must_play", card=best.card.value)
    least = min(discards, key=lambda discard: _keep(view, discard.card).worth)
    keep = _keep(view, least.card)
    return _advice(least, keep.code, **keep.params)


def _why_play(view: View, play: Play) -> Advice:
    """Why this play, which must be useful, is useful."""
    own = _own(view)
    card = play.card.value
    if play.card in SAFETIES:
        code = _why_safety(view, play.card)
        assert code is not None, "a safety is played for a reason"
        if code != "safety_cures":
            return _advice(play, code, card=card)
        cured = active_hazard(own)
        hazard = cured if cured in HAZARDS_OF[play.card] else Card.LIM
        again = _yes(_plays_again(view))
        return _advice(play, code, card=card, hazard=hazard.value, again=again)
    if play.card in MILES:
        if own.miles + MILES[play.card] == view.trip:
            return _advice(play, "completes_trip", card=card, trip=view.trip)
        return _advice(play, "drive", card=card)
    if play.onto is not None:
        code = "limit" if play.card is Card.LIM else "attack"
        return _advice(play, code, card=card, side=play.onto)
    if play.card is Card.AUTO:
        return _advice(play, "autoroute", card=card, clears=_yes(_is_held_up(own)))
    if play.card is Card.ROLL:
        return _advice(play, "roll", card=card)
    hazard = HAZARD_OF_REMEDY[play.card]
    code = "end_limit" if play.card is Card.EOL else "cure"
    return _advice(play, code, card=card, hazard=hazard.value)


def _own(view: View) -> Tableau:
    assert view.side is not None
    return view.tableaux[view.side]


def _is_late(view: View) -> bool:
    close = any(view.trip - tableau.miles <= 100 for tableau in view.tableaux)
    return view.pile < _LATE * view.players or close


def _is_useful(view: View, play: Play) -> bool:
    """Whether this play is better than a discard."""
    if play.card in SAFETIES:
        return _why_safety(view, play.card) is not None
    if play.card is Card.AUTO:
        own = _own(view)
        return _is_held_up(own) or view.trip - own.miles <= 300
    if play.onto is not None:
        return _hurts(view, play)
    return True


def _why_safety(view: View, safety: Card) -> Code | None:
    """Why to play a safety now; None: better keep it for a coup fourré."""
    own = _own(view)
    is_slowed_by_it = safety is Card.ROW and is_limited(own)
    if active_hazard(own) in HAZARDS_OF[safety] or is_slowed_by_it:
        return "safety_cures"
    if _is_late(view):
        return "safety_late"
    if safety is Card.ROW and _row_starts(view, own):
        return "safety_starts"
    return "safety_unneeded" if _unseen(view, *HAZARDS_OF[safety]) == 0 else None


def _row_starts(view: View, own: Tableau) -> bool:
    """Whether Right of Way would take the place of a Roll that is needed and not in the hand."""
    edition = view.edition
    if not edition.row_replaces_roll or is_rolling(own, edition) or Card.ROLL in view.hand:
        return False
    return active_hazard(own) is None or not edition.remedy_restores_roll


def _is_held_up(own: Tableau) -> bool:
    return active_hazard(own) is not None or is_limited(own)


def _plays_again(view: View) -> bool:
    """Whether a safety played now gives another turn, with a card to play in it."""
    return view.pile > 0 or (view.edition.replay_on_empty_pile and len(view.hand) > 1)


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _hurts(view: View, play: Play) -> bool:
    """Whether a hazard does harm: a Stop on a car that is already worse off would only help it."""
    assert play.onto is not None
    target = view.tableaux[play.onto]
    if play.card is Card.LIM:
        return not is_limited(target)
    return active_hazard(target) is None


def _worth(view: View, play: Play) -> tuple[int, int]:
    """Priority, then size within the same priority."""
    own = _own(view)
    card = play.card
    if card in MILES:
        if own.miles + MILES[card] == view.trip:
            return 100, 0
        # The first 200 costs the safe trip; the second costs nothing more.
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


class _Keep(NamedTuple):
    """How much a card is worth keeping, and why not more; the lowest is discarded."""

    worth: int
    code: Code
    params: dict[str, str | int]


def _keeping(worth: int, code: Code, card: Card, **params: str | int) -> _Keep:
    return _Keep(worth, code, {"card": card.value, **params})


def _keep(view: View, card: Card) -> _Keep:
    own = _own(view)
    if card is Card.UNKNOWN:
        return _keeping(-100, "discard_unknown", card)
    if card in SAFETIES:
        return _keeping(1000, "discard_least", card)
    if card in DISTANCES:
        return _keep_distance(view, own, card)
    if card in HAZARDS:
        return _keep_hazard(view, card)
    if card is Card.AUTO:
        return _keeping(70, "discard_least", card)
    if card is Card.ROLL:
        return _keep_roll(view, own)
    return _keep_remedy(view, own, card)


def _keep_roll(view: View, own: Tableau) -> _Keep:
    edition, held = view.edition, view.hand.count(Card.ROLL)
    if Card.ROW in own.safeties and edition.row_replaces_roll:
        return _keeping(5 - held, "discard_roll", Card.ROLL, safety=Card.ROW.value)
    if edition.remedy_restores_roll and (edition.start_rolling or own.battle):
        # Little more than the remedy against a Stop: one or two are enough.
        code: Code = "discard_spare" if held > 1 else "discard_least"
        return _keeping(70 - 25 * held, code, Card.ROLL)
    return _keeping(80, "discard_least", Card.ROLL)


def _keep_distance(view: View, own: Tableau, card: Card) -> _Keep:
    left = view.trip - own.miles
    if MILES[card] > left:
        return _keeping(0, "discard_too_far", card, left=left)
    if card is Card.D200 and own.distance.count(card) >= view.edition.max_200s:
        return _keeping(0, "discard_no_more_200s", card, most=view.edition.max_200s)
    worth = 20 + MILES[card] // 5 + (20 if MILES[card] == left else 0)
    return _keeping(worth, "discard_least", card)


def _keep_hazard(view: View, card: Card) -> _Keep:
    rivals = [tableau for side, tableau in enumerate(view.tableaux) if side != view.side]
    if all(SAFETY_OF[card] in tableau.safeties for tableau in rivals):
        return _keeping(1, "discard_no_target", card)
    return _keeping(55 if card is not Card.LIM else 35, "discard_least", card)


def _keep_remedy(view: View, own: Tableau, card: Card) -> _Keep:
    hazard = HAZARD_OF_REMEDY[card]
    safety = SAFETY_OF[hazard]
    if safety in own.safeties or safety in view.hand:
        return _keeping(2, "discard_protected", card, safety=safety.value)
    suffers = active_hazard(own) is hazard or (hazard is Card.LIM and is_limited(own))
    if not suffers and hazard not in _piled(own) and _unseen(view, hazard) == 0:
        return _keeping(3, "discard_no_more_hazards", card, hazard=hazard.value)
    spare_copies = view.hand.count(card) - 1
    worth = (90 if suffers else 40) - 25 * spare_copies
    return _keeping(worth, "discard_spare" if spare_copies else "discard_least", card)


def _piled(own: Tableau) -> list[Card]:
    """The hazards piled on top of the battle pile: one beneath may count again."""
    return list(takewhile(BATTLE_HAZARDS.__contains__, reversed(own.battle)))


def _unseen(view: View, *hazards: Card) -> int:
    """How many of these cards this seat has not seen yet, so that they may still come."""
    seen = [*view.discard, *view.hand]
    for tableau in view.tableaux:
        seen += tableau.battle + tableau.speed
    removed = view.players in view.edition.hazards_removed_at
    return sum(COPIES[hazard] - removed - seen.count(hazard) for hazard in hazards)
