"""Plays by a fixed list of priorities, as a sensible beginner would."""

from collections.abc import Iterable

from millebornes.fast.kernel.bits import leading_zeros, lowest_bit
from millebornes.fast.kernel.compiling import hot, inner
from millebornes.fast.kernel.constants import (
    AUTOROUTE_CARD,
    BATTLE_ATTACKS,
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
    LIMIT_ATTACKS,
    MILES,
    ONE,
    SAFETY,
    SAFETY_CARDS,
    SPEED_LIMIT,
    STATUS,
    TURN,
    TWO,
    WINDOW,
    ZERO,
    U,
)
from millebornes.fast.kernel.play import held_kinds, legal_plays
from millebornes.fast.packing import KIND, STATUSES, Record, kinds, safeties_of, statuses
from millebornes.rules import Edition, Match
from millebornes.rules.car import active_hazard, is_limited
from millebornes.rules.cards import BATTLE_HAZARDS as BATTLE_CARDS
from millebornes.rules.cards import HAZARDS_OF, REMEDY_OF, SAFETY_OF, Card
from millebornes.rules.cards import MILES as MILES_OF

TABLES = [
    ("helps", "u8", (STATUSES,)),  # safeties that would help, and the Autoroute if it would
    ("hurts", "u8", (STATUSES,)),  # hazards that would make matters worse
    ("exact", "u8", (64,)),  # by miles in 25s: the distance card of that length
    ("spared", "u8", (16,)),  # by your safeties on the table: cards no longer needed
    ("replaced", "u8"),  # remedies that a safety replaces, except End of Limit
    ("harmless", "u8", (16,)),  # by safeties that all opponents have: hazards that hit nobody
    ("late", "u8"),  # with fewer cards left to draw, the hand is about to end
    ("ranks", "u8", (7,)),  # sets of cards: those of the first are discarded first
]

ALWAYS_USEFUL = DISTANCES | CURES | END_OF_LIMIT
"""Cards that are played whenever they may be."""

TO_REMEDY = U(3 * (KIND[Card.ACE] - KIND[Card.REP]))
TO_END_OF_LIMIT = U(3 * (KIND[Card.ROW] - KIND[Card.EOL]))
"""How far down a safety must be shifted to become the remedy that it replaces."""

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
        helps, hurts = set[Card](), set[Card]()
        hazard = active_hazard(tableau)
        if hazard is not None:
            helps |= {SAFETY_OF[hazard], Card.AUTO}
        else:
            hurts |= BATTLE_CARDS
        if is_limited(tableau):
            helps |= {Card.ROW, Card.AUTO}
        else:
            hurts.add(Card.LIM)
        tables["helps"][status] = kinds(*helps)
        tables["hurts"][status] = kinds(*hurts)
    for card, miles in MILES_OF.items():
        tables["exact"][miles // 25] = kinds(card)
    for bits in range(16):
        hazards = [hazard for safety in safeties_of(bits) for hazard in HAZARDS_OF[safety]]
        tables["harmless"][bits] = kinds(*hazards)
        spared = {REMEDY_OF[hazard] for hazard in hazards}
        if not match.edition.row_replaces_roll:
            spared.discard(Card.ROLL)
        tables["spared"][bits] = kinds(*spared)
    tables["replaced"] = int(tables["spared"][15]) & ~kinds(Card.EOL)
    tables["late"] = 3 * match.players
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
        return best_move(game, rules)
    if game.awaiting == WINDOW:
        return COUP_FOURRE
    return EXTEND if is_well_ahead(game, rules) else FINISH


@hot
def best_move(game, rules):
    """The move of the first priority that some card fits.

    The processor cannot predict which priority it will be. So all candidates are computed, and
    the first set that is not empty is selected without a branch.
    """
    tables = rules.greedy
    own = rules.side_of[game.seat]
    car = game.car[own]
    held = held_kinds(game.hand[game.seat])
    attacks = held & HAZARDS
    stops, slows, miles, protected = look_at_opponents(game, rules, own, attacks)
    is_late = (game.left < tables.late) | (game.trip - max(miles, car >> MILES) <= FOUR)
    useful = ALWAYS_USEFUL | tables.helps[car & STATUS] | (SAFETY_CARDS if is_late else ZERO)
    plays = (held ^ attacks) & game.accepts[own] & useful
    if plays | stops | slows:
        best = first_of(plays & END_OF_LIMIT, slows)
        best = first_of(highest(plays & DISTANCES), best)
        best = first_of(stops, best)
        best = first_of(plays & AUTOROUTE_CARD, best)
        best = first_of(plays & CURES, best)
        best = first_of(plays & SAFETY_CARDS, best)
        best = first_of(plays & tables.exact[game.trip - (car >> MILES)], best)
        return lowest_bit(best)
    if rules.must_play_out and game.left == ZERO:
        plays = legal_plays(game, rules, game.seat, held)
        if plays:
            return lowest_bit(plays)
    return DISCARD + lowest_bit(least_of(game, rules, car, held, protected))


@hot
def first_of(one, other):
    """The first of two sets that is not empty."""
    return one if one else other


@hot
def highest(kinds):
    """The highest kind of a set, as a set."""
    return U(1 << 63) >> leading_zeros(kinds) if kinds else ZERO


@hot
def look_at_opponents(game, rules, own, attacks):
    """What to do to them, and what they have.

    Returns the best plays of battle hazards and of Speed Limits, the miles of the opponent in
    front, and the safeties that every opponent has.
    """
    hurts = rules.greedy.hurts
    if rules.sides == TWO:
        car = game.car[ONE - own]
        attacks &= game.accepts[ONE - own] & hurts[car & STATUS]
        return attacks & BATTLE_HAZARDS, attacks & SPEED_LIMIT, car >> MILES, car >> SAFETY
    stops, slows = ZERO, ZERO
    best_stop, best_slow = ZERO, ZERO
    miles, protected = ZERO, ~ZERO
    for opponent in range(ZERO, rules.sides - ONE):
        side = rules.side_of[own + opponent + ONE]
        car = game.car[side]
        here = attacks & game.accepts[side] & hurts[car & STATUS]
        plays = here << rules.shift[opponent]
        race = U(100) * (car >> MILES) + U(game.total[side]) + ONE
        to_stop = race if here & BATTLE_HAZARDS else ZERO
        to_slow = race if here & SPEED_LIMIT else ZERO
        stops = plays if to_stop > best_stop else stops
        slows = plays if to_slow > best_slow else slows
        best_stop, best_slow = max(best_stop, to_stop), max(best_slow, to_slow)
        miles = max(miles, car >> MILES)
        protected &= car >> SAFETY
    return stops & BATTLE_ATTACKS, slows & LIMIT_ATTACKS, miles, protected


@hot
def least_of(game, rules, car, held, protected):
    """The cards that are least useful."""
    tables = rules.greedy
    far = ONE if game.caller >= 0 else ZERO
    useless = DISTANCES & ~rules.reach[far, car >> DISTANCE]
    useless |= tables.spared[(car >> SAFETY) & U(15)]
    useless |= (held >> TO_REMEDY) & tables.replaced
    useless |= (held >> TO_END_OF_LIMIT) & END_OF_LIMIT
    useless |= tables.harmless[protected & U(15)]
    least = held
    for rank in range(U(len(tables.ranks)), ZERO, -1):
        least = first_of(held & tables.ranks[rank - ONE], least)
    return first_of(held & useless, least)


@inner
def is_well_ahead(game, rules):
    """Whether an extension is worth the risk."""
    own = rules.side_of[game.seat]
    for side in range(ZERO, rules.sides):
        ahead = (game.car[own] >> MILES) - (game.car[side] >> MILES)
        if side != own and ahead < U(12):
            return False
    return game.left >= U(10) * rules.players
