"""Reasons to play a remedy, a Roll, an End of Limit or an Autoroute."""

from millebornes.bots.reading import is_held_up, left_to, own_of, own_side
from millebornes.rules import Card, Move, Play, View
from millebornes.rules.car import active_hazard, is_limited, is_rolling
from millebornes.rules.cards import HAZARD_OF_REMEDY, MILES
from millebornes.rules.cards import REMEDIES as BATTLE_REMEDIES

from .reason import Params, by_code, must_play, params

__all__ = ["REMEDIES"]

_NEAR = 300
_LIMIT = 50


def cure(view: View, move: Move) -> Params | None:
    """The remedy ends the hazard; then the car rolls, or needs a Roll, which may be in the hand."""
    own = own_of(view)
    if not isinstance(move, Play) or move.card not in BATTLE_REMEDIES:
        return None
    if active_hazard(own) is not HAZARD_OF_REMEDY[move.card]:
        return None
    cured = own._replace(battle=(*own.battle, move.card))
    then = "held" if Card.ROLL in view.hand else "needed"
    if is_rolling(cured, view.edition):
        then = "rolls"
    return params(card=move.card, hazard=HAZARD_OF_REMEDY[move.card], then=then)


def roll_starts(view: View, move: Move) -> Params | None:
    """The car has not started."""
    return params(card=Card.ROLL) if _is(move, Card.ROLL) and not own_of(view).battle else None


def roll_ends_stop(view: View, move: Move) -> Params | None:
    """A Stop lies on the car."""
    if not _is(move, Card.ROLL) or active_hazard(own_of(view)) is not Card.STOP:
        return None
    return params(card=Card.ROLL, hazard=Card.STOP)


def roll_goes_on(view: View, move: Move) -> Params | None:
    """A remedy lies on the car, and only a Roll is missing."""
    battle = own_of(view).battle
    if not _is(move, Card.ROLL) or not battle or battle[-1] not in BATTLE_REMEDIES:
        return None
    return params(card=Card.ROLL, remedy=battle[-1])


def roll(view: View, move: Move) -> Params | None:
    """The car does not roll."""
    is_needed = _is(move, Card.ROLL) and not is_rolling(own_of(view), view.edition)
    return params(card=Card.ROLL) if is_needed else None


def end_limit_for(view: View, move: Move) -> Params | None:
    """The hand holds a distance that the Speed Limit does not allow, and that fits the trip."""
    if not _is(move, Card.EOL) or not is_limited(own_of(view)):
        return None
    left = left_to(view, own_side(view))
    far = max((MILES[card] for card in view.hand if MILES.get(card, left + 1) <= left), default=0)
    return params(card=Card.EOL, hazard=Card.LIM, miles=far) if far > _LIMIT else None


def end_limit(view: View, move: Move) -> Params | None:
    """A Speed Limit lies on the car."""
    if not _is(move, Card.EOL) or not is_limited(own_of(view)):
        return None
    return params(card=Card.EOL, hazard=Card.LIM)


def autoroute_clears(view: View, move: Move) -> Params | None:
    """What holds the car up is cleared, and nothing of the kind lies beneath."""
    own = own_of(view)
    battle = own.battle[:-1] if active_hazard(own) is not None else own.battle
    speed = own.speed[:-1] if is_limited(own) else own.speed
    is_free = not is_held_up(own._replace(battle=battle, speed=speed))
    is_so = _is(move, Card.AUTO) and is_held_up(own) and is_free
    return params(card=Card.AUTO) if is_so else None


def autoroute_near(view: View, move: Move) -> Params | None:
    """The end of the trip is near."""
    left = left_to(view, own_side(view))
    return params(card=Card.AUTO, left=left) if _is(move, Card.AUTO) and left <= _NEAR else None


def autoroute(_: View, move: Move) -> Params | None:
    """It keeps hazards away."""
    return params(card=Card.AUTO) if _is(move, Card.AUTO) else None


def _is(move: Move, card: Card) -> bool:
    return isinstance(move, Play) and move.card is card


REMEDIES = by_code(
    cure,
    roll_starts,
    roll_ends_stop,
    roll_goes_on,
    roll,
    end_limit_for,
    end_limit,
    autoroute_clears,
    autoroute_near,
    must_play,
    autoroute,
)
