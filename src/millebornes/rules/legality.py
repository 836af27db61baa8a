"""Which moves the rules allow, and why they refuse the others.

`why_not` is the only judge of legality: `legal_moves` and `apply` both rely on it.
"""

from functools import cache

from .car import active_hazard, has_roll, is_limited, is_rolling
from .cards import (
    DISTANCES,
    HAZARD_OF_REMEDY,
    HAZARDS,
    MILES,
    REMEDIES,
    REMEDY_OF,
    SAFETIES,
    SAFETY_OF,
    Card,
)
from .edition import Edition
from .moves import CoupFourre, Decline, Discard, Extend, Finish, Move, Play
from .reason import Reason
from .state import Deal, ExtensionChoice, Hand, Match, Over, Tableau, Turn, Window

__all__ = ["can_extend", "choices", "legal_moves", "why_not"]

_SPEED_LIMIT = 50


def legal_moves(match: Match, seat: int) -> tuple[Move, ...]:
    """Every move the rules allow this seat now: plays first, then discards."""
    awaiting = match.awaiting
    if isinstance(awaiting, Turn):
        if awaiting.seat != seat:
            return ()
        return _moves_on_turn(match, seat, _judged_plays(match, seat))
    answers: tuple[Move, ...] = ()
    if isinstance(awaiting, Window):
        answers = (CoupFourre(SAFETY_OF[awaiting.hazard]), Decline())
    elif isinstance(awaiting, ExtensionChoice):
        answers = (Extend(), Finish())
    return tuple([move for move in answers if why_not(match, seat, move) is None])


def choices(match: Match, seat: int) -> tuple[tuple[Move, ...], tuple[tuple[Play, Reason], ...]]:
    """The legal moves of this seat, and why each other play of its cards is refused."""
    if isinstance(match.awaiting, Turn) and match.awaiting.seat == seat:
        judged = _judged_plays(match, seat)
        moves = _moves_on_turn(match, seat, judged)
        return moves, tuple([(play, reason) for play, reason in judged if reason is not None])
    plays = _plays_of_hand(match, _hand(match), seat)
    # When it is not this seat's turn, the reason is the same for every card.
    reason = why_not(match, seat, plays[0]) if plays else None
    refused = () if reason is None else tuple([(play, reason) for play in plays])
    return legal_moves(match, seat), refused


def _moves_on_turn(
    match: Match, seat: int, judged: list[tuple[Play, Reason | None]]
) -> tuple[Move, ...]:
    moves: list[Move] = [play for play, reason in judged if reason is None]
    if _why_not_discard(match, seat) is None:
        moves += [_DISCARDS[card] for card in dict.fromkeys(_hand(match).hands[seat])]
    return tuple(moves)


def _judged_plays(match: Match, seat: int) -> list[tuple[Play, Reason | None]]:
    """Every play of the hand of a seat on turn, and why it is refused; None if it is legal."""
    hand, own = _hand(match), match.side_of(seat)
    return [
        (play, _why_not_play(match, hand, own, play)) for play in _plays_of_hand(match, hand, seat)
    ]


def _plays_of_hand(match: Match, hand: Hand, seat: int) -> list[Play]:
    """Every play of the cards of a hand, legal or not."""
    own, sides = match.side_of(seat), match.sides
    return [play for card in dict.fromkeys(hand.hands[seat]) for play in _plays(card, own, sides)]


# Moves are values: one object for each is enough.
_DISCARDS = {card: Discard(card) for card in Card}


@cache
def _plays(card: Card, own: int, sides: int) -> tuple[Play, ...]:
    """Every play of a card: a hazard has one for each opposing side."""
    if card not in HAZARDS:
        return (Play(card),)
    return tuple(Play(card, side) for side in range(sides) if side != own)


def why_not(match: Match, seat: int, move: Move) -> Reason | None:
    """Why this seat may not make this move now; None if it may."""
    if not 0 <= seat < match.players:
        return Reason.of("no_such_seat", number=seat, seats=match.players)
    awaiting = match.awaiting
    if isinstance(awaiting, Turn):
        if isinstance(move, (CoupFourre, Decline)):
            return Reason.of("no_window")
        if isinstance(move, (Extend, Finish)):
            possible = "yes" if match.players in match.edition.extension_at else "no"
            return Reason.of("no_extension", possible=possible)
        if seat != awaiting.seat:
            return Reason.of("not_your_turn", seat=awaiting.seat)
        return _why_not_on_turn(match, seat, move)
    if isinstance(awaiting, Window):
        return _why_not_answer(match, awaiting, seat, move)
    if isinstance(awaiting, ExtensionChoice):
        if seat == awaiting.seat and isinstance(move, (Extend, Finish)):
            return None
        return Reason.of("extension_awaited", seat=awaiting.seat)
    if isinstance(awaiting, Deal):
        return Reason.of("no_hand_dealt", seat=awaiting.dealer)
    assert isinstance(awaiting, Over)
    return Reason.of("match_over")


def can_extend(match: Match) -> bool:
    """May the side that completes the trip now call the extension?"""
    return match.players in match.edition.extension_at and _hand(match).caller is None


def _hand(match: Match) -> Hand:
    assert match.hand is not None, "a turn is awaited only during a hand"
    return match.hand


def _why_not_answer(match: Match, window: Window, seat: int, move: Move) -> Reason | None:
    # A refusal to a seat that is not asked must not depend on anybody's hand.
    if seat not in window.asked:
        open_to = "opponents" if match.edition.coup_fourre_for_third_party else "side"
        return Reason.of(
            "window_open",
            side=window.side,
            hazard=window.hazard,
            seat=window.attacker,
            open_to=open_to,
        )
    if seat in window.declined:
        return Reason.of("already_answered")
    if isinstance(move, Decline):
        return None
    if not isinstance(move, CoupFourre):
        return Reason.of("answer_first", hazard=window.hazard)
    if move.card not in SAFETIES:
        return Reason.of("not_a_safety", card=move.card)
    safety = SAFETY_OF[window.hazard]
    if move.card is not safety:
        return Reason.of("wrong_safety", card=move.card, hazard=window.hazard, safety=safety)
    return _why_not_held(_hand(match), seat, safety)


def _why_not_on_turn(match: Match, seat: int, move: Play | Discard) -> Reason | None:
    reason = _why_not_held(_hand(match), seat, move.card)
    if reason is not None:
        return reason
    if isinstance(move, Discard):
        return _why_not_discard(match, seat)
    return _why_not_play(match, _hand(match), match.side_of(seat), move)


def _why_not_held(hand: Hand, seat: int, card: Card) -> Reason | None:
    held = hand.hands[seat]
    if card in held:
        return None
    if card is Card.UNKNOWN:
        return Reason.of("no_unknown_card")
    # An unknown card of the hand might be this card.
    return Reason.of("not_named" if Card.UNKNOWN in held else "not_in_hand", card=card)


def _why_not_discard(match: Match, seat: int) -> Reason | None:
    """Any card may be discarded, unless house rules demand a play while one is legal."""
    hand = _hand(match)
    if match.edition.must_play_out and not hand.pile:
        for play, reason in _judged_plays(match, seat):
            if reason is None:
                return Reason.of("must_play_out", card=play.card)
    return None


def _why_not_play(match: Match, hand: Hand, own: int, play: Play) -> Reason | None:
    """Why a seat of this side cannot make this play with a card it holds."""
    card = play.card
    if card is Card.UNKNOWN:
        return Reason.of("unknown_card")
    if card in HAZARDS:
        side = play.onto
        if side is None:
            return Reason.of("needs_target", card=card)
        if not 0 <= side < match.sides:
            return Reason.of("no_such_side", number=side, sides=match.sides)
        if side == own:
            return Reason.of("own_side", card=card)
        return _why_not_attack(match.edition, hand.tableaux[side], side, card)
    if play.onto is not None:
        return Reason.of("no_target", card=card)
    tableau = hand.tableaux[own]
    if card in DISTANCES:
        return _why_not_distance(match.edition, tableau, card, hand.trip)
    if card is Card.ROLL:
        return _why_not_roll(match.edition, tableau)
    if card in REMEDIES:
        return _why_not_remedy(tableau, card)
    if card is Card.EOL:
        return _why_not_end_of_limit(tableau)
    return None  # a safety or an Autoroute: at any time on one's turn


def _why_not_distance(edition: Edition, tableau: Tableau, card: Card, trip: int) -> Reason | None:
    hazard = active_hazard(tableau)
    if hazard is not None:
        return Reason.of("stopped", hazard=hazard, remedy=REMEDY_OF[hazard])
    if not is_rolling(tableau, edition):
        return Reason.of("needs_roll", top=tableau.battle[-1] if tableau.battle else "")
    if MILES[card] > _SPEED_LIMIT and is_limited(tableau):
        return Reason.of("speed_limit", card=card)
    miles = tableau.miles
    if miles + MILES[card] > trip:
        return Reason.of("too_far", card=card, miles=miles, trip=trip, left=trip - miles)
    if card is Card.D200 and tableau.distance.count(card) >= edition.max_200s:
        return Reason.of("no_more_200s", most=edition.max_200s)
    return None


def _why_not_roll(edition: Edition, tableau: Tableau) -> Reason | None:
    hazard = active_hazard(tableau)
    if hazard not in (None, Card.STOP):
        return Reason.of("cure_first", hazard=hazard, remedy=REMEDY_OF[hazard])
    if has_roll(tableau, edition):
        return Reason.of("already_rolling")
    return Reason.of("right_of_way_rolls") if is_rolling(tableau, edition) else None


def _why_not_remedy(tableau: Tableau, card: Card) -> Reason | None:
    cures = HAZARD_OF_REMEDY[card]
    top = tableau.battle[-1] if tableau.battle else None
    hazard = active_hazard(tableau)
    if hazard is cures:
        return None
    if hazard is not None:
        return Reason.of("other_hazard", card=card, hazard=hazard, remedy=REMEDY_OF[hazard])
    if top is cures:
        return Reason.of("safety_cured_it", card=card, hazard=cures, safety=SAFETY_OF[cures])
    return Reason.of("no_hazard", card=card, hazard=cures)


def _why_not_end_of_limit(tableau: Tableau) -> Reason | None:
    if is_limited(tableau):
        return None
    if tableau.speed and tableau.speed[-1] is Card.LIM:
        return Reason.of("right_of_way_lifts")
    return Reason.of("not_limited")


def _why_not_attack(edition: Edition, target: Tableau, side: int, hazard: Card) -> Reason | None:
    safety = SAFETY_OF[hazard]
    if safety in target.safeties:
        return Reason.of("safety_protects", side=side, hazard=hazard, safety=safety)
    if target.autoroute is not None:
        return Reason.of("autoroute_protects", side=side)
    if hazard is Card.LIM:
        return _why_not_limit(edition, target, side)
    if not target.battle:
        return _why_not_hit_unstarted(edition, target, side)
    if edition.battle_hazard_on == "started" or is_rolling(target, edition):
        return None
    showing = active_hazard(target)
    if showing is not None:
        return Reason.of("already_stopped", side=side, hazard=showing)
    return Reason.of("not_rolling", side=side)


def _why_not_hit_unstarted(edition: Edition, target: Tableau, side: int) -> Reason | None:
    """Why a battle hazard cannot land on a car that has no battle card."""
    if has_roll(target, edition):
        return None
    if Card.ROW in target.safeties:
        starts = edition.battle_hazard_on == "started" or edition.row_replaces_roll
        if starts and edition.row_empty_attackable:
            return None
        shows = Card.ROW.value
    else:
        shows = Card.LIM.value if _why_not_limit(edition, target, side) is not None else ""
    return Reason.of("not_started", side=side, shows=shows)


def _why_not_limit(edition: Edition, target: Tableau, side: int) -> Reason | None:
    if target.speed and target.speed[-1] is Card.LIM and not edition.limit_on_limit:
        return Reason.of("already_limited", side=side)
    return None
