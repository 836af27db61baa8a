"""Reasons for answers: to an attack, and to the question whether to extend the trip."""

from millebornes.bots.reading import front_of, own_of, result_of_finishing
from millebornes.rules import CoupFourre, Decline, Extend, Finish, Move, View
from millebornes.rules.car import is_rolling
from millebornes.rules.cards import MILES, SAFETIES, SAFETY_OF
from millebornes.rules.edition import EXTENDED_TRIP
from millebornes.rules.state import Window

from .reason import Params, by_code, params

__all__ = ["ANSWERS", "EXTENSIONS"]

_FAR_AHEAD = 300
"""The miles that an extension adds to a trip of 700: a lead that nobody makes good at once."""
_DRAWS = 10
"""Cards of the pile for each player that a longer trip takes."""

_GIVES = {
    (True, True): "both",
    (True, False): "points",
    (False, True): "turn",
    (False, False): "neither",
}
"""What a coup fourré gives: points, another turn."""


def coup_fourre(view: View, move: Move) -> Params | None:
    """The safety answers the hazard, and this is what it gives."""
    if not isinstance(move, CoupFourre) or not isinstance(view.awaiting, Window):
        return None
    scores = view.edition.coup_fourre_points > 0
    plays = view.pile > 0 or len(view.hand) > 1  # the hand without this safety
    return params(card=move.card, hazard=view.awaiting.hazard, gives=_GIVES[scores, plays])


def nothing_to_answer(view: View, move: Move) -> Params | None:
    """The safety is not in the hand."""
    if not isinstance(move, Decline) or not isinstance(view.awaiting, Window):
        return None
    safety = SAFETY_OF[view.awaiting.hazard]
    if safety in view.hand:
        return None
    return params(safety=safety, hazard=view.awaiting.hazard)


# The extension


def finish_wins(view: View, move: Move) -> Params | None:
    """To finish wins the match."""
    over = result_of_finishing(view) if isinstance(move, Finish) else None
    return params() if over is not None and over.winner == view.side else None


def extend_not_lost(view: View, move: Move) -> Params | None:
    """To finish would end the match, and another side would win it."""
    over = result_of_finishing(view) if isinstance(move, Extend) else None
    if over is None or over.winner in (None, view.side):
        return None
    return params(side=over.winner)


def extend_far_ahead(view: View, move: Move) -> Params | None:
    """The lead is large, and there are many cards left to draw."""
    ahead = _lead(view)
    if not isinstance(move, Extend) or ahead < _FAR_AHEAD or _is_short_of_cards(view):
        return None
    return params(ahead=ahead, pile=view.pile)


def extend_safe(view: View, move: Move) -> Params | None:
    """Few hazards can stop this side: it has two safeties or more."""
    count = len(own_of(view).safeties) + sum(card in SAFETIES for card in view.hand)
    return params(count=count) if isinstance(move, Extend) and count >= 2 else None


def extend_standing(view: View, move: Move) -> Params | None:
    """The opponent with the most miles cannot drive now."""
    side, tableau = front_of(view)
    if not isinstance(move, Extend) or is_rolling(tableau, view.edition):
        return None
    return params(side=side)


def extend_holding(view: View, move: Move) -> Params | None:
    """The hand holds half of the miles to come, or more."""
    left = EXTENDED_TRIP - own_of(view).miles
    miles = sum(MILES.get(card, 0) for card in view.hand)
    if not isinstance(move, Extend) or 2 * miles < left:
        return None
    return params(miles=miles, left=left)


def extend(view: View, move: Move) -> Params | None:
    """There is so far to go, with so many cards left to draw."""
    if not isinstance(move, Extend):
        return None
    return params(left=EXTENDED_TRIP - own_of(view).miles, pile=view.pile)


def finish_few_cards(view: View, move: Move) -> Params | None:
    """There are few cards left to draw."""
    if not isinstance(move, Finish) or not _is_short_of_cards(view):
        return None
    return params(left=EXTENDED_TRIP - own_of(view).miles, pile=view.pile)


def finish_close_race(view: View, move: Move) -> Params | None:
    """An opponent is close behind."""
    if not isinstance(move, Finish) or _lead(view) >= _FAR_AHEAD:
        return None
    return params(side=front_of(view)[0], behind=_lead(view))


def finish(_: View, move: Move) -> Params | None:
    """The trip is complete."""
    return params() if isinstance(move, Finish) else None


def _lead(view: View) -> int:
    return own_of(view).miles - front_of(view)[1].miles


def _is_short_of_cards(view: View) -> bool:
    return view.pile < _DRAWS * view.players


ANSWERS = by_code(coup_fourre, nothing_to_answer)
EXTENSIONS = by_code(
    finish_wins,
    extend_not_lost,
    extend_far_ahead,
    extend_safe,
    extend_standing,
    extend_holding,
    extend,
    finish_few_cards,
    finish_close_race,
    finish,
)
