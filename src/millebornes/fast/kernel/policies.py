"""What the engine can play by itself."""

import numpy as np

from .bits import count_bits, leading_zeros, lowest_bit, nth_bit, nth_kind
from .chance import below, next_random
from .compiling import hot, inner
from .constants import (
    ATTACKS,
    AUTOROUTE_CARD,
    BATTLE_HAZARDS,
    COUP_FOURRE,
    CURES,
    DEAL,
    DISCARD,
    DISTANCE,
    DISTANCES,
    END_OF_LIMIT,
    EXTEND,
    FINISH,
    FOUR,
    HALF,
    HAZARDS,
    KIND_ACE,
    MILES,
    ONE,
    RANDOM,
    RANKS,
    SAFETY,
    SAFETY_CARDS,
    SIX,
    SLOWED,
    SPEED_LIMIT,
    STATUS,
    STOPPED,
    THREE,
    TURN,
    TWO,
    WINDOW,
    ZERO,
    U,
)
from .play import held_kinds, legal_discards, legal_plays, make_move, side_of, target_shift


@hot
def choose(game, rules, policy):
    """The decision of a built-in policy for the seat that is awaited."""
    if game.awaiting == TURN:
        seat = game.seat
        held = held_kinds(game.hand[seat])
        plays = legal_plays(game, rules, seat, held)
        discards = legal_discards(game, rules, held, plays)
        if policy == RANDOM:
            return any_of(game, rules, plays, discards)
        return best_of(game, rules, seat, held, plays, discards)
    if game.awaiting == WINDOW:
        return COUP_FOURRE
    if policy == RANDOM:
        return EXTEND + (next_random(game) >> U(63))
    return EXTEND if is_well_ahead(game, rules) else FINISH


@hot
def any_of(game, rules, plays, discards):
    """Any legal move."""
    n_plays = count_bits(plays)
    n = below(next_random(game) >> HALF, n_plays + count_bits(discards))
    if n < n_plays:
        return nth_kind(plays, n) if rules.sides == TWO else nth_bit(plays, n)
    return DISCARD + nth_kind(discards, n - n_plays)


@inner
def best_of(game, rules, seat, held, plays, discards):
    """The greedy policy: a fixed list of priorities, as a sensible beginner would play."""
    own = side_of(rules, seat)
    car = game.car[own]
    drives = plays & DISTANCES
    if drives:
        left = game.trip - (car >> MILES)
        winning = drives & rules.exact[min(left, U(9))]
        if winning:
            return lowest_bit(winning)
    safeties = plays & SAFETY_CARDS
    if safeties:
        useful = safeties if is_late(game, rules) else safeties & rules.cures[car & STATUS]
        if useful:
            return lowest_bit(useful)
    cures = plays & (CURES | AUTOROUTE_CARD)
    if cures & CURES:
        return lowest_bit(cures & CURES)
    if cures and rules.cures[car & STATUS]:
        return lowest_bit(cures)
    attacks = plays & ATTACKS
    limit = ZERO
    if attacks:
        hit, limit = best_attack(game, rules, own, plays)
        if hit:
            return hit
    if drives:
        return U(63) - leading_zeros(drives)
    if plays & END_OF_LIMIT:
        return lowest_bit(plays & END_OF_LIMIT)
    if limit:
        return limit
    if discards == ZERO:
        return lowest_bit(plays)
    return DISCARD + lowest_bit(least_of(game, rules, own, held, discards))


@inner
def best_attack(game, rules, own, plays):
    """The best move against a car that is on its way, and the best Speed Limit; 0 is none."""
    hit, limit = ZERO, ZERO
    hit_race, limit_race = np.int64(-1), np.int64(-1)
    side = own
    for slot in range(ZERO, rules.sides - ONE):
        side += ONE
        if side == rules.sides:
            side = ZERO
        shift = target_shift(slot)
        here = (plays >> shift) & HAZARDS
        trouble = rules.cures[game.car[side] & STATUS]
        race = np.int64(U(100) * (game.car[side] >> MILES)) + game.total[side]
        stops = here & BATTLE_HAZARDS
        if stops and not trouble & STOPPED and race > hit_race:
            hit, hit_race = lowest_bit(stops) + shift, race
        slows = here & SPEED_LIMIT
        if slows and not trouble & SLOWED and race > limit_race:
            limit, limit_race = lowest_bit(slows) + shift, race
    return hit, limit


@inner
def least_of(game, rules, own, held, discards):
    """The cards that are missed least."""
    car = game.car[own]
    far = ONE if game.caller >= 0 else ZERO
    useless = DISTANCES & ~rules.reach[far, car >> DISTANCE]
    useless |= rules.spared[((car >> SAFETY) | packed_safeties(held)) & U(15)]
    protected = ~ZERO
    for side in range(ZERO, rules.sides):
        if side != own:
            protected &= game.car[side] >> SAFETY
    useless |= rules.harmless[protected & U(15)]
    if discards & useless:
        return discards & useless
    for rank in range(ZERO, U(len(RANKS))):
        if discards & RANKS[rank]:
            return discards & RANKS[rank]
    return discards


@inner
def packed_safeties(held):
    """The safeties of a set of kinds as four bits."""
    ace = held >> (THREE * KIND_ACE)
    return (ace & ONE) | (ace >> TWO & TWO) | (ace >> FOUR & FOUR) | (ace >> SIX & U(8))


@inner
def is_late(game, rules):
    """Is the hand about to end?"""
    if game.left < THREE * rules.players:
        return True
    for side in range(ZERO, rules.sides):
        if game.trip - (game.car[side] >> MILES) <= FOUR:
            return True
    return False


@inner
def is_well_ahead(game, rules):
    """May one risk an extension?"""
    own = side_of(rules, game.seat)
    for side in range(ZERO, rules.sides):
        ahead = (game.car[own] >> MILES) - (game.car[side] >> MILES)
        if side != own and ahead < U(12):
            return False
    return game.left >= U(10) * rules.players


@inner
def play_out(game, rules, policies):
    """Play the hand to its end."""
    while game.awaiting < DEAL:
        make_move(game, rules, choose(game, rules, policies[game.seat]))
