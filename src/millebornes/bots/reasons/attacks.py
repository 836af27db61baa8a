"""Reasons to attack, by what the target is about to do."""

from millebornes.bots.reading import LONGEST, front_of, harms, left_to, own_of, rivals_of, unseen
from millebornes.rules import Card, Move, Play, View
from millebornes.rules.car import is_rolling
from millebornes.rules.cards import COPIES, REMEDY_OF

from .reason import Params, by_code, must_play, params

__all__ = ["ATTACKS"]


def _stops(view: View, move: Move) -> tuple[Card, int] | None:
    """The hazard and the side, if a hazard stops a car that nothing stops yet."""
    if not isinstance(move, Play) or move.onto is None or move.card is Card.LIM:
        return None
    return (move.card, move.onto) if harms(view, move) else None


def _slows(view: View, move: Move) -> int | None:
    """The side, if a Speed Limit slows a car that has none yet."""
    if not isinstance(move, Play) or move.onto is None or move.card is not Card.LIM:
        return None
    return move.onto if harms(view, move) else None


def attack_about_to_finish(view: View, move: Move) -> Params | None:
    """The target could finish with one card."""
    found = _stops(view, move)
    if found is None or left_to(view, found[1]) > LONGEST:
        return None
    return params(card=found[0], side=found[1], left=left_to(view, found[1]))


def attack_shut_out(view: View, move: Move) -> Params | None:
    """The target has no distance yet, so that there may be points for a shut-out."""
    found, edition = _stops(view, move), view.edition
    if found is None or not edition.shut_out_points or view.tableaux[found[1]].distance:
        return None
    if edition.shut_out == "all" and any(tableau.distance for _, tableau in rivals_of(view)):
        return None
    return params(card=found[0], side=found[1], points=edition.shut_out_points)


def attack_leader(view: View, move: Move) -> Params | None:
    """The target has more miles than any other opponent."""
    found = _stops(view, move)
    if found is None or not _leads(view, found[1]):
        return None
    return params(card=found[0], side=found[1], miles=view.tableaux[found[1]].miles)


def attack_few_remedies(view: View, move: Move) -> Params | None:
    """Most remedies against it have been seen."""
    found = _stops(view, move)
    if found is None:
        return None
    remedy = REMEDY_OF[found[0]]
    count = unseen(view, remedy)
    if not 0 <= 3 * count <= COPIES[remedy]:
        return None
    return params(card=found[0], side=found[1], remedy=remedy, count=count)


def attack_ahead(view: View, move: Move) -> Params | None:
    """The target is ahead of this side."""
    found = _stops(view, move)
    ahead = _ahead(view, found[1]) if found is not None else 0
    return params(card=found[0], side=found[1], ahead=ahead) if found and ahead > 0 else None


def attack_while_standing(view: View, move: Move) -> Params | None:
    """This side cannot drive now."""
    found = _stops(view, move)
    if found is None or is_rolling(own_of(view), view.edition):
        return None
    return params(card=found[0], side=found[1])


def attack_points(view: View, move: Move) -> Params | None:
    """The target is ahead in the match."""
    found = _stops(view, move)
    if found is None:
        return None
    points = view.totals[found[1]] - view.totals[view.side or 0]
    return params(card=found[0], side=found[1], points=points) if points > 0 else None


def attack_stays_ahead(view: View, move: Move) -> Params | None:
    """This side is ahead of the target."""
    found = _stops(view, move)
    ahead = -_ahead(view, found[1]) if found is not None else 0
    return params(card=found[0], side=found[1], ahead=ahead) if found and ahead > 0 else None


def attack(view: View, move: Move) -> Params | None:
    """The target cannot drive until it has cured this."""
    found = _stops(view, move)
    if found is None:
        return None
    return params(card=found[0], side=found[1], remedy=REMEDY_OF[found[0]])


def limit_leader(view: View, move: Move) -> Params | None:
    """The target has more miles than any other opponent."""
    side = _slows(view, move)
    if side is None or not _leads(view, side):
        return None
    return params(card=Card.LIM, side=side, miles=view.tableaux[side].miles)


def limit_ahead(view: View, move: Move) -> Params | None:
    """The target is ahead of this side."""
    side = _slows(view, move)
    ahead = _ahead(view, side) if side is not None else 0
    return params(card=Card.LIM, side=side, ahead=ahead) if side is not None and ahead > 0 else None


def limit(view: View, move: Move) -> Params | None:
    """The target has so far to go, at 50 a card."""
    side = _slows(view, move)
    if side is None:
        return None
    return params(card=Card.LIM, side=side, left=left_to(view, side))


def one_more_hazard(view: View, move: Move) -> Params | None:
    """The target is held up already."""
    if not isinstance(move, Play) or move.onto is None or harms(view, move):
        return None
    return params(card=move.card, side=move.onto)


def _leads(view: View, side: int) -> bool:
    """Whether a side is alone in front of several opponents."""
    miles = view.tableaux[side].miles
    others = [tableau.miles for other, tableau in rivals_of(view) if other != side]
    return bool(others) and front_of(view)[0] == side and miles > max(others)


def _ahead(view: View, side: int) -> int:
    return view.tableaux[side].miles - own_of(view).miles


ATTACKS = by_code(
    attack_about_to_finish,
    attack_shut_out,
    attack_leader,
    attack_few_remedies,
    attack_ahead,
    attack_while_standing,
    attack_points,
    attack_stays_ahead,
    attack,
    limit_leader,
    limit_ahead,
    limit,
    must_play,
    one_more_hazard,
)
