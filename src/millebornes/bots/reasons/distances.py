"""Reasons to drive."""

from millebornes.bots.reading import (
    LONGEST,
    completes,
    front_of,
    is_late,
    left_to,
    own_of,
    playable_distances,
    result_of_finishing,
    rivals_of,
)
from millebornes.rules import Card, Move, Play, View
from millebornes.rules.car import is_limited
from millebornes.rules.cards import MILES

from .reason import Params, by_code, must_play, params

__all__ = ["DISTANCES"]


def _driven(move: Move) -> Card | None:
    return move.card if isinstance(move, Play) and move.card in MILES else None


def wins_match(view: View, move: Move) -> Params | None:
    """It completes the trip, and that wins the match."""
    card = _driven(move)
    over = result_of_finishing(view, card) if card is not None else None
    if card is None or over is None or over.winner != view.side:
        return None
    return params(card=card, trip=view.trip)


def completes_trip(view: View, move: Move) -> Params | None:
    """It completes the trip exactly."""
    card = _driven(move)
    return params(card=card, trip=view.trip) if card is not None and completes(view, card) else None


def drive_fits_next(view: View, move: Move) -> Params | None:
    """It leaves just the miles of another distance in the hand."""
    card = _driven(move)
    if card is None:
        return None
    own = own_of(view)
    left = view.trip - own.miles - MILES[card]
    kept = list(view.hand)
    kept.remove(card)
    fits = [other for other in kept if MILES.get(other) == left]
    laid_200s = (*own.distance, card).count(Card.D200)
    if not fits or (fits[0] is Card.D200 and laid_200s >= view.edition.max_200s):
        return None
    return params(card=card, left=left)


def drive_saves_200(view: View, move: Move) -> Params | None:
    """A 200 could be driven, too, and would cost the safe trip."""
    card = _driven(move)
    points = view.edition.safe_trip_points
    if card in (None, Card.D200) or not points or Card.D200 in own_of(view).distance:
        return None
    return params(card=card, points=points) if LONGEST in playable_distances(view) else None


def drive_another_200(view: View, move: Move) -> Params | None:
    """It is a 200, and the safe trip is lost already."""
    is_another = _driven(move) is Card.D200 and Card.D200 in own_of(view).distance
    return params(card=Card.D200) if is_another and view.edition.safe_trip_points else None


def drive_first(view: View, move: Move) -> Params | None:
    """It is the first distance: nobody can score the shut-out against this side any more."""
    card, points = _driven(move), view.edition.shut_out_points
    if card is None or not points or own_of(view).distance:
        return None
    return params(card=card, points=points)


def drive_limited(view: View, move: Move) -> Params | None:
    """It is the longest distance that the Speed Limit allows."""
    card = _driven(move)
    if card is None or not is_limited(own_of(view)) or not _is_longest(view, card):
        return None
    return params(card=card, hazard=Card.LIM)


def drive_late(view: View, move: Move) -> Params | None:
    """The pile is almost gone."""
    card = _driven(move)
    return params(card=card, pile=view.pile) if card is not None and is_late(view) else None


def drive_pressed(view: View, move: Move) -> Params | None:
    """An opponent could finish with one card."""
    card = _driven(move)
    close = [side for side, _ in rivals_of(view) if left_to(view, side) <= LONGEST]
    if card is None or not close:
        return None
    side = min(close, key=lambda other: left_to(view, other))
    return params(card=card, side=side, left=left_to(view, side))


def drive_takes_lead(view: View, move: Move) -> Params | None:
    """It puts this side ahead of all others, which it is not yet."""
    card = _driven(move)
    side, front = front_of(view)
    before = own_of(view).miles
    if card is None or not before <= front.miles < before + MILES[card]:
        return None
    return params(card=card, side=side)


def drive_longest(view: View, move: Move) -> Params | None:
    """Several distances could be driven, and this is the longest."""
    card = _driven(move)
    is_choice = len(playable_distances(view)) > 1
    return params(card=card) if card is not None and is_choice and _is_longest(view, card) else None


def drive_catches_up(view: View, move: Move) -> Params | None:
    """An opponent is ahead, by so many miles."""
    card = _driven(move)
    side, front = front_of(view)
    behind = front.miles - own_of(view).miles
    return params(card=card, side=side, behind=behind) if card is not None and behind > 0 else None


def drive_away(view: View, move: Move) -> Params | None:
    """It makes the lead over all others larger."""
    card = _driven(move)
    side, front = front_of(view)
    ahead = own_of(view).miles - front.miles
    if card is None or ahead <= 0:
        return None
    return params(card=card, side=side, ahead=ahead + MILES[card])


def drive(view: View, move: Move) -> Params | None:
    """It brings this side so far."""
    card = _driven(move)
    if card is None:
        return None
    return params(card=card, miles=own_of(view).miles + MILES[card], trip=view.trip)


def _is_longest(view: View, card: Card) -> bool:
    return MILES[card] == max(playable_distances(view))


DISTANCES = by_code(
    wins_match,
    completes_trip,
    drive_fits_next,
    drive_saves_200,
    drive_another_200,
    drive_first,
    drive_limited,
    drive_late,
    drive_takes_lead,
    drive_pressed,
    drive_longest,
    drive_catches_up,
    drive_away,
    must_play,
    drive,
)
