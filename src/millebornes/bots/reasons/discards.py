"""Reasons to discard a card: what makes it worth less than the others."""

from collections.abc import Container

from millebornes.bots.reading import (
    completes,
    is_late,
    left_to,
    own_of,
    own_side,
    piled_on,
    result_of_finishing,
    rivals_of,
    suffers,
    unseen,
)
from millebornes.rules import Card, Discard, Move, Play, View
from millebornes.rules.car import is_limited, is_rolling
from millebornes.rules.cards import (
    ALL_CARDS,
    HAZARD_OF_REMEDY,
    HAZARDS,
    MILES,
    SAFETIES,
    SAFETY_OF,
)

from .reason import Params, by_code, params

__all__ = ["DISCARDS"]

_LIMIT = 50
_MANY = 4
"""So many copies of a distance to come are no loss."""


def _discarded(move: Move, among: Container[Card] = ALL_CARDS) -> Card | None:
    """The card that is discarded, if it is one of these."""
    return move.card if isinstance(move, Discard) and move.card in among else None


def discard_unknown(_: View, move: Move) -> Params | None:
    """Its face is not known."""
    is_so = isinstance(move, Discard) and move.card is Card.UNKNOWN
    return params(card=Card.UNKNOWN) if is_so else None


def discard_not_to_lose(view: View, move: Move) -> Params | None:
    """To complete the trip would end the match, and another side would win it."""
    if not isinstance(move, Discard):
        return None
    for play in view.legal_moves:
        if isinstance(play, Play) and play.card in MILES and completes(view, play.card):
            over = result_of_finishing(view, play.card)
            if over is not None and over.winner not in (None, view.side):
                return params(card=play.card, side=over.winner)
    return None


def discard_too_far(view: View, move: Move) -> Params | None:
    """A distance longer than the rest of the trip."""
    card, left = _discarded(move, MILES), left_to(view, own_side(view))
    return params(card=card, left=left) if card is not None and MILES[card] > left else None


def discard_no_more_200s(view: View, move: Move) -> Params | None:
    """A 200 that may not be played any more."""
    most = view.edition.max_200s
    if _discarded(move) is not Card.D200 or own_of(view).distance.count(Card.D200) < most:
        return None
    return params(card=Card.D200, most=most)


def discard_no_target(view: View, move: Move) -> Params | None:
    """A hazard from which every opponent is protected."""
    card = _discarded(move, HAZARDS)
    if card is None or any(SAFETY_OF[card] not in one.safeties for _, one in rivals_of(view)):
        return None
    return params(card=card)


def discard_roll(view: View, move: Move) -> Params | None:
    """A Roll that Right of Way on the table replaces."""
    is_replaced = Card.ROW in own_of(view).safeties and view.edition.row_replaces_roll
    if _discarded(move) is not Card.ROLL or not is_replaced:
        return None
    return params(card=Card.ROLL, safety=Card.ROW)


def discard_protected(view: View, move: Move) -> Params | None:
    """A remedy that a safety on the table or in the hand replaces."""
    card = _remedy(move)
    if card is None:
        return None
    safety = SAFETY_OF[HAZARD_OF_REMEDY[card]]
    if safety not in (*own_of(view).safeties, *view.hand):
        return None
    return params(card=card, safety=safety)


def discard_no_more_hazards(view: View, move: Move) -> Params | None:
    """A remedy whose hazards have all been seen, and none of them is on the car."""
    card = _remedy(move)
    if card is None or not _is_idle(view, card) or unseen(view, HAZARD_OF_REMEDY[card]) > 0:
        return None
    return params(card=card, hazard=HAZARD_OF_REMEDY[card])


def discard_spare(view: View, move: Move) -> Params | None:
    """There is another of this card in the hand."""
    card = _discarded(move)
    count = view.hand.count(card) if card is not None else 0
    return params(card=card, count=count) if card is not None and count > 1 else None


def discard_one_hazard(view: View, move: Move) -> Params | None:
    """A remedy against which a single hazard may still come."""
    card = _remedy(move)
    if card is None or not _is_idle(view, card) or unseen(view, HAZARD_OF_REMEDY[card]) != 1:
        return None
    return params(card=card, hazard=HAZARD_OF_REMEDY[card])


def discard_too_fast(view: View, move: Move) -> Params | None:
    """A distance that the Speed Limit on the car does not allow."""
    card = _discarded(move, MILES)
    if card is None or MILES[card] <= _LIMIT or not is_limited(own_of(view)):
        return None
    return params(card=card, hazard=Card.LIM)


def discard_shortest(view: View, move: Move) -> Params | None:
    """The shortest of several distances in the hand."""
    card = _discarded(move, MILES)
    lengths = {MILES[held] for held in view.hand if held in MILES}
    if card is None or len(lengths) < 2 or MILES[card] > min(lengths):
        return None
    return params(card=card)


def discard_only_slows(view: View, move: Move) -> Params | None:
    """A Speed Limit, with a hazard in the hand that stops."""
    others = [card for card in view.hand if card in HAZARDS and card is not Card.LIM]
    if _discarded(move) is not Card.LIM or not others:
        return None
    return params(card=Card.LIM, hazard=others[0])


def discard_no_target_now(view: View, move: Move) -> Params | None:
    """A hazard that cannot be played on anybody now."""
    card = _discarded(move, HAZARDS)
    plays = [play.card for play in view.legal_moves if isinstance(play, Play)]
    return params(card=card) if card is not None and card not in plays else None


def discard_common(view: View, move: Move) -> Params | None:
    """A distance of which many more may come, while the car cannot drive."""
    card = _discarded(move, MILES)
    if card is None or is_rolling(own_of(view), view.edition):
        return None
    count = unseen(view, card)
    return params(card=card, count=count) if count >= _MANY else None


def discard_late(view: View, move: Move) -> Params | None:
    """A hazard or a remedy that is not needed now, with the pile almost gone."""
    card = _discarded(move, HAZARDS | HAZARD_OF_REMEDY.keys())
    if card is None or not is_late(view):
        return None
    is_needed = card in HAZARD_OF_REMEDY and not _is_idle(view, card)
    is_roll = card is Card.ROLL and not is_rolling(own_of(view), view.edition)
    return None if is_needed or is_roll else params(card=card, pile=view.pile)


def discard_in_no_need(view: View, move: Move) -> Params | None:
    """A remedy that the car does not need now."""
    card = _remedy(move)
    if card is None or not _is_idle(view, card):
        return None
    hazard = HAZARD_OF_REMEDY[card]
    count = unseen(view, hazard)
    return params(card=card, hazard=hazard, count=count) if count >= 0 else None


def discard_rolling(view: View, move: Move) -> Params | None:
    """A Roll, while the car rolls."""
    is_so = _discarded(move) is Card.ROLL and is_rolling(own_of(view), view.edition)
    return params(card=Card.ROLL) if is_so else None


def discard_standing(view: View, move: Move) -> Params | None:
    """A distance, while the car cannot drive."""
    card = _discarded(move, MILES)
    is_so = card is not None and not is_rolling(own_of(view), view.edition)
    return params(card=card) if card is not None and is_so else None


def discard_keeps_safeties(view: View, move: Move) -> Params | None:
    """Any card, with a safety in the hand that is kept."""
    card = _discarded(move)
    if card is None or card in SAFETIES:
        return None
    kept = next((held for held in view.hand if held in SAFETIES), None)
    return params(card=card, safety=kept) if kept is not None else None


def discard_least(_: View, move: Move) -> Params | None:
    """Any card."""
    card = _discarded(move)
    return params(card=card) if card is not None else None


def _remedy(move: Move) -> Card | None:
    card = _discarded(move, HAZARD_OF_REMEDY)
    return card if card is not Card.ROLL else None


def _is_idle(view: View, remedy: Card) -> bool:
    """Whether no hazard on the car, not even one beneath others, asks for this remedy."""
    own, hazard = own_of(view), HAZARD_OF_REMEDY[remedy]
    return not suffers(own, hazard) and hazard not in piled_on(own)


DISCARDS = by_code(
    discard_unknown,
    discard_not_to_lose,
    discard_too_far,
    discard_no_more_200s,
    discard_no_target,
    discard_roll,
    discard_protected,
    discard_no_more_hazards,
    discard_spare,
    discard_one_hazard,
    discard_shortest,
    discard_too_fast,
    discard_only_slows,
    discard_no_target_now,
    discard_common,
    discard_late,
    discard_in_no_need,
    discard_rolling,
    discard_standing,
    discard_keeps_safeties,
    discard_least,
)
