"""Playing a hand: legal moves, and the effect of a move."""

import numpy as np

from .chance import below, next_random
from .compiling import hot, inner
from .constants import (
    ALL_TURNS,
    AUTOROUTE,
    COUP_FOURRE,
    CROSSWISE,
    DISCARD,
    DISCARDED,
    DISTANCE,
    EACH,
    END_HAND,
    END_TURN,
    EXTEND,
    EXTENSION,
    FAR,
    FOUR,
    HALF,
    HAZARD,
    HAZARDS,
    KIND_ACC,
    KIND_ACE,
    KIND_LIM,
    KIND_ROW,
    KIND_STOP,
    LIMITED,
    LIMITS,
    MILES,
    NEXT,
    NOBODY,
    NOTHING,
    ONE,
    ONE_TURN,
    PARTNER,
    PLAIN,
    ROW,
    SAFETY,
    SAFETY_PLAYED,
    SEVEN,
    STATUS,
    THREE,
    TOP_ACC,
    TOP_STOP,
    TURN,
    TWO,
    WINDOW,
    ZERO,
    U,
)
from .ending import end_hand

# Cards


@hot
def draw(game, seat):
    """Draw a card if there is one."""
    left = game.left
    if left > ZERO:
        last = left - ONE
        place = last
        if game.lazy:
            place = below(next_random(game) >> HALF, left)
        card = game.deck[place]
        game.deck[place] = game.deck[last]
        game.deck[last] = card
        game.left = last
        game.hand[seat] += ONE << (THREE * U(card))


@hot
def side_of(rules, seat):
    """The side a seat plays for."""
    return seat - rules.sides if seat >= rules.sides else seat


@inner
def to_discard(game, side, kind):
    """Move a card from a side to the discard pile."""
    card = ONE << (FOUR * kind)
    game.laid[side] -= card
    game.laid[DISCARDED] += card


@inner
def lift_battle(game, side):
    """Take the hazard off the battle pile."""
    car = game.car[side]
    under = game.under[side]
    to_discard(game, side, (car & SEVEN) - TOP_ACC + KIND_ACC)
    game.car[side] = (car & ~SEVEN) | (under & SEVEN)
    game.under[side] = under >> THREE


@inner
def lift_limit(game, side):
    """Take the Speed Limit off the speed pile."""
    to_discard(game, side, KIND_LIM)
    game.car[side] -= ONE << LIMITS


@inner
def lift_showing(game, side, safety):
    """Discard the hazards on top that a safety, given by its number, protects from."""
    if game.car[side] & SEVEN == TOP_ACC + safety:
        lift_battle(game, side)
    if safety == THREE and game.car[side] & LIMITED:
        lift_limit(game, side)


# Legality


@hot
def held_kinds(hand):
    """The set of kinds in a hand."""
    return (hand | hand >> ONE | hand >> TWO) & EACH


@hot
def target_shift(slot):
    """How far the hazards for an opponent are shifted: see `packing.TARGET_SHIFT`."""
    if slot < THREE:
        return slot
    return slot + U(13) if slot < U(5) else slot + U(26)


@hot
def legal_plays(game, rules, seat, held):
    """The legal plays of a seat on its turn, holding these kinds."""
    own = side_of(rules, seat)
    car = game.car[own]
    far = ONE if game.caller >= 0 else ZERO
    plays = held & rules.status[car & STATUS] & rules.reach[far, car >> DISTANCE]
    attacks = held & HAZARDS
    sides = rules.sides
    if sides == TWO:
        return plays | (attacks & rules.status[game.car[ONE - own] & STATUS])
    if attacks:
        side = own
        for slot in range(ZERO, sides - ONE):
            side += ONE
            if side == sides:
                side = ZERO
            plays |= (attacks & rules.status[game.car[side] & STATUS]) << target_shift(slot)
    return plays


@hot
def legal_discards(game, rules, held, plays):
    """The kinds that a seat on its turn may discard."""
    if rules.must_play_out and game.left == ZERO and plays:
        return ZERO
    return held


# Moves
#
# Each returns how the game continues, so that the next turn begins in one place only. That keeps
# the loop of a whole hand small.


@hot
def make_move(game, rules, move):
    """Make one decision, and advance to the next one."""
    seat = game.seat
    awaiting = game.awaiting
    if awaiting == TURN:
        then = put_down(game, rules, seat, move)
    elif awaiting == WINDOW:
        if move == COUP_FOURRE:
            then = counter(game, rules, seat)
        else:
            seat = game.attacker
            then = NEXT
    else:
        then = END_HAND
        if move == EXTEND:
            game.trip = FAR
            game.caller = np.int64(side_of(rules, seat))
            then = END_TURN
    if then <= NEXT:
        if then == END_TURN:
            count_turn(game, rules, seat)
        next_turn(game, rules, seat)
    elif then == END_HAND:
        end_hand(game, rules, np.int64(side_of(rules, seat)))


@hot
def put_down(game, rules, seat, move):
    """Play or discard a card."""
    game.decisions += ONE
    kind = rules.card[move]
    game.hand[seat] -= ONE << (THREE * kind)
    if move >= DISCARD:
        game.laid[DISCARDED] += rules.laid[move]
        game.public |= rules.shows[move]
        return END_TURN
    own = side_of(rules, seat)
    side = own + rules.target[move]
    if side >= rules.sides:
        side -= rules.sides
    before = game.car[side]
    car = (before & rules.keep[move]) + rules.add[move]
    game.car[side] = car
    game.laid[side] += rules.laid[move]
    special = rules.special[move]
    if special == PLAIN:
        if (car >> MILES) != game.trip:
            return END_TURN
        if not rules.extension or game.caller >= 0:
            return END_HAND
        game.awaiting = EXTENSION
        return NOTHING
    if special == HAZARD:
        if kind != KIND_LIM:
            game.under[side] = (game.under[side] << THREE) | (before & SEVEN)
        return attack(game, rules, seat, side, kind)
    if special == SAFETY_PLAYED:
        safety = kind - KIND_ACE
        game.public |= rules.shows[move]
        if rules.safety_restores_roll or (rules.right_of_way_discards and safety == THREE):
            lift_showing(game, side, safety)
        return take_another_turn(game, rules, seat)
    lay_autoroute(game, rules, seat, own)
    return take_another_turn(game, rules, seat) if rules.autoroute_is_safety else END_TURN


@inner
def lay_autoroute(game, rules, seat, own):
    """Remove the active hazards, and protect the side for some turns."""
    top = game.car[own] & SEVEN
    if TOP_ACC <= top <= TOP_STOP and not (game.car[own] >> (SAFETY + top - TOP_ACC)) & ONE:
        lift_battle(game, own)
    if game.car[own] & LIMITED and not game.car[own] & ROW:
        lift_limit(game, own)
    car = (game.car[own] & ~(ONE << PARTNER)) | AUTOROUTE | ALL_TURNS
    if seat >= rules.sides:
        car |= ONE << PARTNER
    game.car[own] = car


@inner
def attack(game, rules, seat, side, kind):
    """End the attacker's turn; open a window if someone holds the safety."""
    count_turn(game, rules, seat)
    safety = safety_against(kind)
    if (game.public >> (safety - KIND_ACE)) & ONE:
        return NEXT
    holder = holder_of(game, rules, seat, side, safety)
    if holder == rules.players:
        return NEXT
    game.awaiting = WINDOW
    game.attacker = seat
    game.victim = side
    game.hazard = kind
    game.seat = holder
    return NOTHING


@inner
def safety_against(hazard):
    """The kind of the safety against a hazard."""
    return KIND_ROW if hazard >= KIND_STOP else hazard - KIND_ACC + KIND_ACE


@inner
def holder_of(game, rules, attacker, side, safety):
    """The seat that may answer with this safety; the number of players if there is none."""
    players = rules.players
    bit = THREE * safety
    if rules.third_party:
        own = side_of(rules, attacker)
        for seat in range(ZERO, players):
            if (game.hand[seat] >> bit) & SEVEN and side_of(rules, seat) != own:
                return seat
        return players
    if (game.hand[side] >> bit) & SEVEN:
        return side
    partner = side + rules.sides
    if partner < players and (game.hand[partner] >> bit) & SEVEN:
        return partner
    return players


@inner
def counter(game, rules, seat):
    """Play the coup fourré."""
    kind = game.hazard
    safety = safety_against(kind)
    number = safety - KIND_ACE
    side = side_of(rules, seat)
    game.hand[seat] -= ONE << (THREE * safety)
    game.public |= ONE << number
    game.car[side] |= (ONE << (SAFETY + number)) | (ONE << (CROSSWISE + number))
    is_victim = side == game.victim
    if is_victim:
        if kind == KIND_LIM:
            lift_limit(game, side)
        else:
            lift_battle(game, side)
    if rules.right_of_way_discards and safety == KIND_ROW:
        # At most one card leaves each pile, including the attacking card.
        if (game.car[side] & SEVEN) == TOP_STOP and not (is_victim and kind == KIND_STOP):
            lift_battle(game, side)
        if game.car[side] & LIMITED and not (is_victim and kind == KIND_LIM):
            lift_limit(game, side)
    game.began_empty = ONE if game.left == ZERO else ZERO
    draw(game, seat)
    return play_again(game, seat)


# Turns


@inner
def take_another_turn(game, rules, seat):
    """Give the extra turn for a safety played on your turn, if there is one."""
    if game.left > ZERO or rules.replay_on_empty_pile:
        return play_again(game, seat)
    return END_TURN


@inner
def play_again(game, seat):
    """Draw and play once more in the same turn, if there is a card to play."""
    draw(game, seat)
    if game.hand[seat]:
        game.awaiting = TURN
        game.seat = seat
        return NOTHING
    return END_TURN


@hot
def count_turn(game, rules, seat):
    """End a turn of this seat: it counts for the Autoroute that the seat played."""
    own = side_of(rules, seat)
    car = game.car[own]
    if car & AUTOROUTE:
        second = ONE if seat >= rules.sides else ZERO
        if (car >> PARTNER) & ONE == second:
            car -= ONE_TURN
            if not car & ALL_TURNS:
                car &= ~(AUTOROUTE | ONE << PARTNER)
            game.car[own] = car


@hot
def next_turn(game, rules, seat):
    """Start the turn of the next seat that has a card, or end the hand if none has."""
    players = rules.players
    seat += ONE
    if seat == players:
        seat = ZERO
    if game.left == ZERO:
        seat = next_with_cards(game, rules, seat)
        if seat == players:
            end_hand(game, rules, NOBODY)
            return
        game.began_empty = ONE
    else:
        game.began_empty = ZERO
        draw(game, seat)
    game.awaiting = TURN
    game.seat = seat


@inner
def next_with_cards(game, rules, seat):
    """The first seat with a card, from this one on; the number of players if there is none."""
    players = rules.players
    held = ZERO
    for other in range(ZERO, players):
        held |= game.hand[other]
    if held == ZERO:
        return players
    while game.hand[seat] == ZERO:
        count_turn(game, rules, seat)  # a turn skipped for an empty hand counts
        seat += ONE
        if seat == players:
            seat = ZERO
    return seat
