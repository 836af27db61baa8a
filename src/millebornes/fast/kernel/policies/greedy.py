"""Plays by a fixed list of priorities, as a sensible beginner would."""

from collections.abc import Iterable

import numpy as np

from millebornes.fast.kernel.bits import leading_zeros, lowest_bit
from millebornes.fast.kernel.compiling import inner
from millebornes.fast.kernel.constants import (
    ATTACKS,
    AUTOROUTE_CARD,
    BATTLE_HAZARDS,
    COUP_FOURRE,
    CURES,
    DISCARD,
    DISTANCE,
    DISTANCES,
    END_OF_LIMIT,
    EXTEND,
    FINISH,
    FOUR,
    HAZARDS,
    KIND_ACE,
    MILES,
    ONE,
    SAFETY,
    SAFETY_CARDS,
    SIX,
    SPEED_LIMIT,
    STATUS,
    THREE,
    TURN,
    TWO,
    WINDOW,
    ZERO,
    U,
)
from millebornes.fast.kernel.play import (
    held_kinds,
    legal_discards,
    legal_plays,
    side_of,
    target_shift,
)
from millebornes.fast.packing import STATUSES, Record, kinds, safeties_of, statuses
from millebornes.rules import Edition, Match
from millebornes.rules.car import active_hazard, is_limited
from millebornes.rules.cards import HAZARDS_OF, REMEDY_OF, SAFETY_OF, Card
from millebornes.rules.cards import MILES as MILES_OF

TABLES = [
    ("cures", "u8", (STATUSES,)),  # safeties that would help, STOPPED and SLOWED
    ("exact", "u8", (64,)),  # by miles in 25s: the distance card of that length
    ("spared", "u8", (16,)),  # by your own safeties: cards no longer needed
    ("harmless", "u8", (16,)),  # by safeties that all opponents have: hazards that hit nobody
    ("ranks", "u8", (7,)),  # sets of cards: those of the first are discarded first
]

STOPPED, SLOWED = U(1), U(2)
"""Bits in the table of cures: the car has an active hazard; it is limited."""

RANKS = (
    {Card.D25, Card.D50},
    {Card.EOL, Card.D75},
    {Card.LIM, Card.D100},
    {Card.REP, Card.GAS, Card.SPARE},
    {Card.D200},
    {Card.ACC, Card.OUT, Card.FLAT, Card.STOP},
    {Card.AUTO, Card.ROLL},
)
"""Cards by rank: the first rank is discarded first."""


def fill(tables: Record, match: Match) -> None:
    """Fill the tables."""
    for status, tableau in statuses():
        hazard = active_hazard(tableau)
        row = 0
        if hazard is not None:
            row |= int(STOPPED) | kinds(SAFETY_OF[hazard])
        if is_limited(tableau):
            row |= int(SLOWED) | kinds(Card.ROW)
        tables["cures"][status] = row
    for card, miles in MILES_OF.items():
        tables["exact"][miles // 25] = kinds(card)
    for bits in range(16):
        hazards = [hazard for safety in safeties_of(bits) for hazard in HAZARDS_OF[safety]]
        tables["harmless"][bits] = kinds(*hazards)
        spared = {REMEDY_OF[hazard] for hazard in hazards}
        if not match.edition.row_replaces_roll:
            spared.discard(Card.ROLL)
        tables["spared"][bits] = kinds(*spared)
    tables["ranks"] = [kinds(*cards) for cards in _ranks(match.edition)]


def _ranks(edition: Edition) -> Iterable[set[Card]]:
    """The ranks; where only a Stop calls for a Roll, it is worth no more than other remedies."""
    is_mere_remedy = edition.start_rolling and edition.remedy_restores_roll
    for cards in RANKS:
        if is_mere_remedy and Card.REP in cards:
            yield cards | {Card.ROLL}
        elif is_mere_remedy:
            yield cards - {Card.ROLL}
        else:
            yield cards


@inner
def choose(game, rules):
    """The best move by the priorities; always calls a coup fourré."""
    if game.awaiting == TURN:
        seat = game.seat
        held = held_kinds(game.hand[seat])
        plays = legal_plays(game, rules, seat, held)
        return best_of(game, rules, seat, held, plays)
    if game.awaiting == WINDOW:
        return COUP_FOURRE
    return EXTEND if is_well_ahead(game, rules) else FINISH


@inner
def best_of(game, rules, seat, held, plays):
    """The move of the first priority that some card fits."""
    own = side_of(rules, seat)
    car = game.car[own]
    drives = plays & DISTANCES
    if drives:
        left = game.trip - (car >> MILES)
        winning = drives & rules.greedy.exact[left]
        if winning:
            return lowest_bit(winning)
    safeties = plays & SAFETY_CARDS
    if safeties:
        useful = safeties if is_late(game, rules) else safeties & rules.greedy.cures[car & STATUS]
        if useful:
            return lowest_bit(useful)
    cures = plays & (CURES | AUTOROUTE_CARD)
    if cures & CURES:
        return lowest_bit(cures & CURES)
    if cures and rules.greedy.cures[car & STATUS]:
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
    discards = legal_discards(game, rules, held, plays)
    if discards == ZERO:
        return lowest_bit(plays)
    return DISCARD + lowest_bit(least_of(game, rules, own, held, discards))


@inner
def best_attack(game, rules, own, plays):
    """The best battle hazard on a car that is not stopped, and the best Speed Limit; 0: none."""
    hit, limit = ZERO, ZERO
    hit_race, limit_race = np.int64(-1), np.int64(-1)
    side = own
    for slot in range(ZERO, rules.sides - ONE):
        side += ONE
        if side == rules.sides:
            side = ZERO
        shift = target_shift(slot)
        here = (plays >> shift) & HAZARDS
        trouble = rules.greedy.cures[game.car[side] & STATUS]
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
    """The cards that are least useful."""
    car = game.car[own]
    far = ONE if game.caller >= 0 else ZERO
    useless = DISTANCES & ~rules.reach[far, car >> DISTANCE]
    useless |= rules.greedy.spared[((car >> SAFETY) | packed_safeties(held)) & U(15)]
    protected = ~ZERO
    side = own
    for _ in range(ONE, rules.sides):
        side += ONE
        if side == rules.sides:
            side = ZERO
        protected &= game.car[side] >> SAFETY
    useless |= rules.greedy.harmless[protected & U(15)]
    if discards & useless:
        return discards & useless
    for rank in range(ZERO, U(len(rules.greedy.ranks))):
        if discards & rules.greedy.ranks[rank]:
            return discards & rules.greedy.ranks[rank]
    return discards


@inner
def packed_safeties(held):
    """The safeties of a set of kinds as four bits."""
    ace = held >> (THREE * KIND_ACE)
    return (ace & ONE) | (ace >> TWO & TWO) | (ace >> FOUR & FOUR) | (ace >> SIX & U(8))


@inner
def is_late(game, rules):
    """Whether the hand is about to end."""
    if game.left < THREE * rules.players:
        return True
    for side in range(ZERO, rules.sides):
        if game.trip - (game.car[side] >> MILES) <= FOUR:
            return True
    return False


@inner
def is_well_ahead(game, rules):
    """Whether an extension is worth the risk."""
    own = side_of(rules, game.seat)
    for side in range(ZERO, rules.sides):
        ahead = (game.car[own] >> MILES) - (game.car[side] >> MILES)
        if side != own and ahead < U(12):
            return False
    return game.left >= U(10) * rules.players
