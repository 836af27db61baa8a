"""How much a move is worth: the one place where features are computed.

Every function returns a sum of features, each multiplied by its weight. To find the features
themselves, use weights that are all zero except one (see `kernel.entries.weigh`).
"""

from millebornes.fast.kernel.bits import count_bits, lowest_bit
from millebornes.fast.kernel.compiling import hot, inner
from millebornes.fast.kernel.constants import (
    DISCARD,
    DISTANCE,
    END_OF_LIMIT,
    EXTEND,
    FAR,
    FINISH,
    KIND_ACC,
    KIND_ACE,
    KIND_LIM,
    KIND_ROW,
    KIND_STOP,
    MILES,
    ONE,
    SAFETY,
    SAFETY_CARDS,
    SEVEN,
    STATUS,
    THREE,
    TWO,
    ZERO,
    U,
)
from millebornes.fast.kernel.ending import winner_if_ended
from millebornes.fast.kernel.play import held_kinds

from .sight import (
    CLOSE,
    CURE_ROLLS,
    FAR_CARDS,
    HAZARD_CARDS,
    KIND_D50,
    KIND_D100,
    KIND_D200,
    KIND_EOL,
    KIND_REP,
    KIND_ROLL,
    LEAST,
    NONE,
    REMEDIES,
    ROLL_BIT,
    ROLLS,
    ROW_BIT,
    SLOWED,
    STOPPED,
    SURE,
    TO_END_OF_LIMIT_BITS,
    TO_REMEDY,
    TO_REMEDY_BITS,
    I,
    cards_held,
    copies_held,
    flag,
    look,
    risk_of,
    safety_number,
    unseen,
)

# Moves


@hot
def weigh_drive(game, rules, sight, w, kind):
    """A distance."""
    tables = rules.commuter
    miles = tables.miles[kind]
    rest = sight.to_go - miles
    left = held_kinds(sight.hand - (ONE << (THREE * kind)))
    leaves_held = flag(left & tables.exact[rest])
    car = game.car[sight.own]
    total = w.drive + w.drive_miles * miles
    if rest == 0:
        total += w.drive_completes
        if not rules.extension or game.caller >= 0:
            added = rules.add[THREE * kind]
            total += weigh_end(game, rules, sight, w, added)
    if kind == KIND_D200:
        total += w.drive_other_200 if (car >> DISTANCE) & SEVEN else w.drive_first_200
    total += w.drive_close * sight.is_close
    total += w.drive_limited * flag(sight.state & SLOWED)
    total += w.drive_first * flag(car >> DISTANCE == ZERO)
    total += w.drive_leaves_held * leaves_held
    total += w.drive_leaves_little * flag(0 < rest <= 2 and not leaves_held)
    return total + w.drive_late * sight.is_late


@inner
def weigh_end(game, rules, sight, w, added):
    """The end of the hand, after a last card that adds this to the car: does it end the match?"""
    winner = winner_if_ended(game, rules, sight.own, added)
    return w.wins * flag(winner == I(sight.own)) + w.loses * flag(
        winner >= 0 and winner != I(sight.own)
    )


@hot
def weigh_attack(game, rules, sight, w, kind, side):
    """A hazard on one opponent."""
    car = game.car[side]
    state = rules.commuter.state[car & STATUS]
    miles = I(car >> MILES)
    if kind == KIND_LIM:
        total = w.attack_limit + w.attack_limited * flag(state & SLOWED)
    else:
        total = w.attack_stop if kind == KIND_STOP else w.attack
    total += w.attack_standing * flag(not state & ROLLS)
    total += w.attack_risk * risk_of(sight, kind)
    total += w.attack_remedies * unseen(rules, sight, kind + TO_REMEDY)
    total += w.attack_miles * miles
    total += w.attack_first * flag(miles == 0)
    total += w.attack_close * flag(I(game.trip) - miles <= CLOSE)
    total += w.attack_held * (cards_held(sight, HAZARD_CARDS) - SURE)
    total += w.attack_stuck * sight.is_stuck
    total += w.attack_lead * (miles - (I(game.trip) - sight.to_go))
    return total + w.attack_leader * flag(side == sight.leader)


@hot
def weigh_cure(sight, w, kind):
    """Repairs, Gasoline or a Spare Tire."""
    rolls = flag(sight.state & CURE_ROLLS) | flag((sight.hand >> ROLL_BIT) & SEVEN)
    safety = flag((sight.hand >> (THREE * (kind - KIND_REP + KIND_ACE))) & SEVEN)
    return w.cure + w.cure_rolls * rolls + w.cure_safety * safety


@hot
def weigh_roll(sight, w):
    """A Roll."""
    return w.roll + w.roll_far * sight.longest


@hot
def weigh_end_of_limit(sight, w):
    """An End of Limit."""
    return w.end_limit + w.end_limit_far * sight.longest + w.end_limit_standing * sight.is_stuck


@hot
def weigh_safety(game, rules, sight, w, kind):
    """A safety."""
    tables = rules.commuter
    status = game.car[sight.own] & STATUS
    card = ONE << (THREE * kind)
    hazard = kind - KIND_ACE + KIND_ACC
    hazards = unseen(rules, sight, hazard)
    total = w.safety
    if kind == KIND_ROW:
        hazards += unseen(rules, sight, KIND_LIM)
        total += w.safety_row + w.safety_lifts * flag(sight.state & SLOWED)
    total += w.safety_cures * flag(tables.cures[status] & card)
    total += w.safety_starts * flag(tables.starts[status] & card)
    total += w.safety_late * sight.is_late
    total += w.safety_pile * I(game.left >> TWO)
    total += w.safety_hazards * hazards
    total += w.safety_close * (sight.is_close | sight.is_near)
    total += w.safety_stuck * sight.is_stuck
    return total + w.safety_held * I(count_bits(sight.held & SAFETY_CARDS))


@hot
def weigh_autoroute(sight, w):
    """An Autoroute."""
    total = w.autoroute + w.autoroute_cures * flag(sight.state & (STOPPED | SLOWED))
    total += w.autoroute_to_go * (sight.to_go >> 2)
    return total + w.autoroute_close * sight.is_near


@hot
def weigh_discard(game, rules, sight, w, kind):
    """A discard."""
    total = w.discard - w.keep[rules.commuter.group[kind]]
    if kind < KIND_ACC:
        return total + weigh_lost_distance(rules, sight, w, kind)
    if kind <= KIND_LIM:
        return total + weigh_lost_hazard(rules, sight, w, kind)
    if kind <= KIND_EOL:
        return total + weigh_lost_remedy(game, rules, sight, w, kind)
    return total


@hot
def weigh_lost_distance(rules, sight, w, kind):
    """What else counts for the discard of a distance."""
    tables = rules.commuter
    miles = tables.miles[kind]
    rest = sight.to_go - miles
    same = copies_held(sight, kind)
    total = w.discard_same_distance * same
    if not sight.fits & (ONE << (THREE * kind)):
        return total + w.discard_too_far
    left = held_kinds(sight.hand - (ONE << (THREE * kind)))
    total += w.discard_exact * flag(rest == 0)
    total += w.discard_pair * flag(left & tables.exact[rest])
    if sight.state & SLOWED:
        total += w.discard_slow if kind <= KIND_D50 else w.discard_fast
    return total + w.discard_far * flag(kind <= KIND_D50 and sight.to_go > CLOSE)


@hot
def weigh_lost_hazard(rules, sight, w, kind):
    """What else counts for the discard of a hazard."""
    total = w.discard_same_hazard * copies_held(sight, kind)
    total += w.discard_late_hazard * sight.is_late
    if (sight.protected >> safety_number(kind)) & ONE:
        return total + w.discard_no_target
    total += w.discard_risk * risk_of(sight, kind)
    return total + w.discard_remedies * unseen(rules, sight, kind + TO_REMEDY)


@hot
def weigh_lost_remedy(game, rules, sight, w, kind):
    """What else counts for the discard of a remedy, a Roll or an End of Limit."""
    tables = rules.commuter
    car = game.car[sight.own]
    card = ONE << (THREE * kind)
    replaced = tables.spared[(car >> SAFETY) & U(15)]
    replaced |= (sight.held >> TO_REMEDY_BITS) & REMEDIES
    replaced |= (sight.held >> TO_END_OF_LIMIT_BITS) & END_OF_LIMIT
    needed = flag(tables.needs[car & STATUS] & card)
    hazards = unseen(rules, sight, kind - TO_REMEDY)
    total = w.discard_same_remedy * copies_held(sight, kind)
    total += w.discard_late_remedy * sight.is_late
    total += w.discard_needless * flag(replaced & card)
    total += w.discard_needed * needed
    total += w.discard_hazards * hazards
    if kind == KIND_ROLL:
        return total + w.discard_roll_held * flag((sight.hand >> ROW_BIT) & ONE)
    return total + w.discard_gone * flag(hazards == 0 and not needed)


@hot
def weigh_extension(game, rules, sight, w):
    """The extension; to finish is worth nothing, unless it ends the match."""
    tables = rules.commuter
    car = game.car[sight.own]
    state = tables.state[game.car[sight.leader] & STATUS]
    to_go = I(FAR) - I(car >> MILES)
    held, far, hazards = NONE, NONE, NONE
    for kind in range(ZERO, KIND_ACC):
        held += tables.miles[kind] * I((sight.hand >> (THREE * kind)) & SEVEN)
    for kind in range(KIND_ACC, KIND_REP):
        protected = (car >> (SAFETY + safety_number(kind))) & ONE
        hazards += NONE if protected else unseen(rules, sight, kind)
    for kind in range(KIND_D100, KIND_ACC):
        far += unseen(rules, sight, kind)
    total = w.extend + w.extend_pile * I(game.left // rules.players)
    total += w.extend_front * sight.front
    total += w.extend_standing * sight.is_calm
    total += w.extend_limited * flag(state & SLOWED)
    total += w.extend_others * I(rules.sides - TWO)
    total += w.extend_safe * I(count_bits((car >> SAFETY) & U(15)))
    total += w.extend_held * I(count_bits(sight.held & SAFETY_CARDS))
    total += w.extend_miles * min(held, to_go)
    total += w.extend_far * cards_held(sight, FAR_CARDS)
    total += w.extend_attacks * cards_held(sight, HAZARD_CARDS)
    total += w.extend_rolls * min(I((sight.hand >> ROLL_BIT) & SEVEN), I(2))
    total += w.extend_hazards * hazards
    total += w.extend_distances * far
    return total + w.extend_limits * flag(sight.state & SLOWED)


# Choices


@hot
def weigh_play(game, rules, sight, w, move):
    """A play."""
    kind = rules.kind[move]
    if kind < KIND_ACC:
        return weigh_drive(game, rules, sight, w, kind)
    if kind <= KIND_LIM:
        return weigh_attack(
            game, rules, sight, w, kind, rules.side_of[sight.own + rules.target[move]]
        )
    if kind < KIND_ROLL:
        return weigh_cure(sight, w, kind)
    if kind == KIND_ROLL:
        return weigh_roll(sight, w)
    if kind == KIND_EOL:
        return weigh_end_of_limit(sight, w)
    if kind <= KIND_ROW:
        return weigh_safety(game, rules, sight, w, kind)
    return weigh_autoroute(sight, w)


@inner
def best_of(game, rules, w, plays, discards, answers):
    """The best of these moves, and its sum; of equals, the first in this order.

    The answers are to finish, and to extend the trip.
    """
    sight = look(game, rules)
    best, move = LEAST, ZERO
    while plays:
        here = lowest_bit(plays)
        plays &= plays - ONE
        total = weigh_play(game, rules, sight, w, here)
        if total > best:
            best, move = total, here
    while discards:
        here = lowest_bit(discards)
        discards &= discards - ONE
        total = weigh_discard(game, rules, sight, w, here // THREE)
        if total > best:
            best, move = total, DISCARD + here
    if answers & (ONE << FINISH):
        best, move = weigh_end(game, rules, sight, w, ZERO), FINISH
    if answers & (ONE << EXTEND):
        total = weigh_extension(game, rules, sight, w)
        if total > best:
            best, move = total, EXTEND
    return move, best
