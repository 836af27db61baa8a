"""What the seat to decide sees, in figures that several features need.

Nothing here reads the hand of another seat, or the order of the pile: *unseen* is a card that is
neither in the own hand nor on the table nor discarded. (A discarded safety counts as unseen: the
packed game does not record it.) All figures are signed, for they are multiplied by weights; the
words of the game are unsigned, so everything is converted once, by `I`.
"""

from collections import namedtuple

import numpy as np

from millebornes.fast.kernel.bits import count_bits, leading_zeros
from millebornes.fast.kernel.compiling import hot
from millebornes.fast.kernel.constants import (
    DISCARDED,
    DISTANCE,
    DISTANCES,
    EACH,
    FOUR,
    HAZARDS,
    KIND_ACC,
    KIND_ACE,
    KIND_ROW,
    KIND_STOP,
    MILES,
    ONE,
    SAFETY,
    SEVEN,
    STATUS,
    THREE,
    TWO,
    ZERO,
    U,
)
from millebornes.fast.kernel.play import held_kinds
from millebornes.fast.packing import KIND, kinds
from millebornes.rules.cards import Card

I = np.int64  # noqa: E741
NONE, SURE = I(0), I(1)
ROLLS, SLOWED, STOPPED, CURE_ROLLS = U(1), U(2), U(4), U(8)
"""The bits of `state`."""
CLOSE = I(8)
"""Close to home: at most 200 miles to go."""
LEAST = I(-(1 << 62))
"""Less than any sum."""
KIND_ROLL, KIND_EOL, KIND_REP = (U(KIND[card]) for card in (Card.ROLL, Card.EOL, Card.REP))
KIND_D50, KIND_D100, KIND_D200 = (U(KIND[card]) for card in (Card.D50, Card.D100, Card.D200))
TO_REMEDY = KIND_REP - KIND_ACC
"""From the kind of a hazard to that of its remedy."""
FAR_CARDS = U(7 << 3 * KIND[Card.D100] | 7 << 3 * KIND[Card.D200])
HAZARD_CARDS = U(7 * int(HAZARDS))
"""All cards of a hand that are long distances, and all that are hazards."""
REMEDIES = U(kinds(Card.REP, Card.GAS, Card.SPARE))
TO_REMEDY_BITS = THREE * (KIND_ACE - KIND_REP)
TO_END_OF_LIMIT_BITS = THREE * (KIND_ROW - KIND_EOL)
"""How far down a safety must be shifted to become the remedy that it replaces."""
ROLL_BIT, ROW_BIT = THREE * KIND_ROLL, THREE * KIND_ROW

Sight = namedtuple(
    "Sight",
    [
        "own",  # the side of the seat to decide
        "hand",
        "held",  # the set of kinds in it
        "seen",  # cards on the table and discarded, four bits for each kind
        "shown",  # safeties on any table
        "state",  # of the own car
        "fits",  # distances that still fit the trip
        "to_go",  # in 25s
        "front",  # miles of the opponent in front, in 25s
        "leader",  # that opponent
        "protected",  # safeties that every opponent has
        "is_late",  # fewer than three cards for each player are left to draw
        "is_calm",  # the opponent in front does not roll
        "is_close",  # the opponent in front is close to home
        "is_near",  # this side is close to home
        "is_stuck",  # the own car does not roll
        "risk",  # the chance that a card that is unseen is in the hand of one opponent, of 64
        "longest",  # the longest distance held that fits, in 25s
    ],
)
"""What the seat to decide sees, in figures that several moves need."""


@hot
def look(game, rules):
    """What the seat to decide sees."""
    tables = rules.commuter
    own = rules.side_of[game.seat]
    hand = game.hand[game.seat]
    held = held_kinds(hand)
    car = game.car[own]
    state = tables.state[car & STATUS]
    seen, shown = game.laid[own] + game.laid[DISCARDED], car >> SAFETY
    front, leader, protected = ZERO, own, U(15)
    best = I(-1)
    for opponent in range(ONE, rules.sides):
        side = rules.side_of[own + opponent]
        other = game.car[side]
        seen += game.laid[side]
        shown |= other >> SAFETY
        protected &= other >> SAFETY
        race = race_of(game, side)
        leader = side if race > best else leader
        best = max(race, best)
        front = max(front, other >> MILES)
    far = ONE if game.caller >= 0 else ZERO
    fits = rules.reach[far, car >> DISTANCE] & DISTANCES
    return Sight(
        own,
        hand,
        held,
        seen,
        shown & U(15),
        state,
        fits,
        I(game.trip) - I(car >> MILES),
        I(front),
        leader,
        protected,
        flag(game.left < tables.late),
        SURE - flag(tables.state[game.car[leader] & STATUS] & ROLLS),
        flag(I(game.trip) - I(front) <= CLOSE),
        flag(I(game.trip) - I(car >> MILES) <= CLOSE),
        SURE - flag(state & ROLLS),
        tables.risk[game.left],
        longest_of(tables, held & fits),
    )


@hot
def flag(is_so):
    """One or zero."""
    return SURE if is_so else NONE


@hot
def race_of(game, side):
    """How far a side is: its miles in this hand and its points in the match."""
    return I(100) * I(game.car[side] >> MILES) + I(game.total[side])


@hot
def longest_of(tables, distances):
    """The longest of some distances, in 25s."""
    if distances == ZERO:
        return NONE
    return tables.miles[(U(63) - leading_zeros(distances)) // THREE]


@hot
def unseen(rules, sight, kind):
    """How many cards of a kind are unseen; not for safeties and Autoroutes."""
    seen = ((sight.seen >> (FOUR * kind)) & U(15)) + ((sight.hand >> (THREE * kind)) & SEVEN)
    return rules.commuter.copies[kind] - I(seen)


@hot
def copies_held(sight, kind):
    """Further copies of a kind in the hand."""
    return I((sight.hand >> (THREE * kind)) & SEVEN) - SURE


@hot
def cards_held(sight, cards):
    """How many cards of some kinds are in the hand."""
    hand = sight.hand & cards
    return I(
        count_bits(hand & EACH)
        + TWO * count_bits(hand & (EACH << ONE))
        + FOUR * count_bits(hand & (EACH << TWO))
    )


@hot
def safety_number(hazard):
    """The number of the safety against a hazard."""
    return min(hazard, KIND_STOP) - KIND_ACC


@hot
def risk_of(sight, hazard):
    """The chance that one opponent holds the safety against a hazard, of 64."""
    number = safety_number(hazard)
    known = (sight.shown >> number) | (sight.hand >> (THREE * (number + KIND_ACE)))
    return NONE if known & ONE else sight.risk
