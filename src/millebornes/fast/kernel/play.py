"""Playing a hand: legal moves, and the effect of a move."""

import numpy as np

from .chance import chance_to_draw, move_on
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
            place = chance_to_draw(game, left)
        card = game.deck[place]
        game.deck[place] = game.deck[last]
        game.deck[last] = card
        game.left = last
        game.hand[seat] += ONE << (THREE * U(card))
    move_on(game)


# Cars


@hot
def set_car(game, rules, side, car):
    """Change the car of a side, and with it what may be laid there.

    That also depends on the trip: if it is extended, `renew_cars` must follow.
    """
    far = ONE if game.caller >= 0 else ZERO
    game.car[side] = car
    game.accepts[side] = rules.status[car & STATUS] & rules.reach[far, car >> DISTANCE]


@inner
def renew_cars(game, rules):
    """Find out what may be laid on each car: the trip has changed, or Python has set the cars."""
    for side in range(ZERO, rules.sides):
        set_car(game, rules, side, game.car[side])


@inner
def to_discard(game, side, kind):
    """Move a card from a side to the discard pile."""
    card = ONE << (FOUR * kind)
    game.laid[side] -= card
    game.laid[DISCARDED] += card


@inner
def lift_battle(game, rules, side):
    """Take the hazard off the battle pile."""
    car = game.car[side]
    under = game.under[side]
    to_discard(game, side, (car & SEVEN) - TOP_ACC + KIND_ACC)
    set_car(game, rules, side, (car & ~SEVEN) | (under & SEVEN))
    game.under[side] = under >> THREE


@inner
def lift_limit(game, rules, side):
    """Take the Speed Limit off the speed pile."""
    to_discard(game, side, KIND_LIM)
    set_car(game, rules, side, game.car[side] - (ONE << LIMITS))


@inner
def lift_showing(game, rules, side, safety):
    """Discard the hazards on top that a safety, given by its number, protects from."""
    if game.car[side] & SEVEN == TOP_ACC + safety:
        lift_battle(game, rules, side)
    if safety == THREE and game.car[side] & LIMITED:
        lift_limit(game, rules, side)


# Legality


@hot
def held_kinds(hand):
    """The set of kinds in a hand."""
    return (hand | hand >> ONE | hand >> TWO) & EACH


@hot
def legal_plays(game, rules, seat, held):
    """The legal plays of a seat on its turn, holding these kinds."""
    own = rules.side_of[seat]
    attacks = held & HAZARDS
    plays = (held ^ attacks) & game.accepts[own]
    if rules.sides == TWO:
        return plays | (attacks & game.accepts[ONE - own])
    if attacks:
        for opponent in range(ZERO, rules.sides - ONE):
            side = rules.side_of[own + opponent + ONE]
            plays |= (attacks & game.accepts[side]) << rules.shift[opponent]
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
            game.caller = np.int64(rules.side_of[seat])
            renew_cars(game, rules)
            then = END_TURN
    if then <= NEXT:
        if then == END_TURN:
            count_turn(game, rules, seat)
        next_turn(game, rules, seat)
    elif then == END_HAND:
        end_hand(game, rules, np.int64(rules.side_of[seat]))


@hot
def put_down(game, rules, seat, move):
    """Play or discard a card."""
    game.decisions += ONE
    game.hand[seat] -= rules.card[move]
    if move >= DISCARD:
        game.laid[DISCARDED] += rules.laid[move]
        return END_TURN
    side = rules.side_of[seat + rules.target[move]]
    before = game.car[side]
    car = (before & rules.keep[move]) + rules.add[move]
    set_car(game, rules, side, car)
    game.laid[side] += rules.laid[move]
    game.under[side] = (game.under[side] << rules.push[move]) | (before & rules.pushed[move])
    if rules.special[move] != PLAIN:
        return put_down_special(game, rules, seat, side, move)
    # A hazard is a card like any other, unless somebody can answer it.
    if rules.answer[move] & hands_asked(game, rules, seat, side):
        return open_window(game, rules, seat, side, rules.kind[move])
    if (car >> MILES) != game.trip:
        return END_TURN
    if not rules.extension or game.caller >= 0:
        return END_HAND
    game.awaiting = EXTENSION
    return NOTHING


@inner
def put_down_special(game, rules, seat, side, move):
    """What a safety or an Autoroute does besides changing the car."""
    if rules.special[move] == SAFETY_PLAYED:
        safety = rules.kind[move] - KIND_ACE
        if rules.safety_restores_roll or (rules.right_of_way_discards and safety == THREE):
            lift_showing(game, rules, side, safety)
        return take_another_turn(game, rules, seat)
    lay_autoroute(game, rules, seat, side)
    return take_another_turn(game, rules, seat) if rules.autoroute_is_safety else END_TURN


@inner
def lay_autoroute(game, rules, seat, own):
    """Remove the active hazards, and protect the side for some turns."""
    top = game.car[own] & SEVEN
    if TOP_ACC <= top <= TOP_STOP and not (game.car[own] >> (SAFETY + top - TOP_ACC)) & ONE:
        lift_battle(game, rules, own)
    if game.car[own] & LIMITED and not game.car[own] & ROW:
        lift_limit(game, rules, own)
    car = (game.car[own] & ~(ONE << PARTNER)) | AUTOROUTE | ALL_TURNS
    if seat >= rules.sides:
        car |= ONE << PARTNER
    set_car(game, rules, own, car)


@hot
def hands_asked(game, rules, attacker, side):
    """The cards of all seats that `holder_of` asks, as one hand without counts."""
    if rules.third_party:
        held = ZERO
        for seat in range(ZERO, rules.players):
            if rules.side_of[seat] != rules.side_of[attacker]:
                held |= game.hand[seat]
        return held
    return game.hand[side] | game.hand[rules.partner[side]]


@inner
def open_window(game, rules, seat, side, kind):
    """End the attacker's turn, and ask the holder of the safety."""
    count_turn(game, rules, seat)
    game.awaiting = WINDOW
    game.attacker = seat
    game.victim = side
    game.hazard = kind
    game.seat = holder_of(game, rules, seat, side, safety_against(kind))
    return NOTHING


@inner
def safety_against(hazard):
    """The kind of the safety against a hazard."""
    return KIND_ROW if hazard >= KIND_STOP else hazard - KIND_ACC + KIND_ACE


@inner
def holder_of(game, rules, attacker, side, safety):
    """The seat that may answer with this safety; the number of players if there is none.

    The same seats as in `hands_asked`, which only finds out whether there is one.
    """
    players = rules.players
    bit = THREE * safety
    if rules.third_party:
        own = rules.side_of[attacker]
        for seat in range(ZERO, players):
            if (game.hand[seat] >> bit) & SEVEN and rules.side_of[seat] != own:
                return seat
        return players
    if (game.hand[side] >> bit) & SEVEN:
        return side
    partner = rules.partner[side]
    if (game.hand[partner] >> bit) & SEVEN:
        return partner
    return players


@inner
def counter(game, rules, seat):
    """Play the coup fourré."""
    kind = game.hazard
    safety = safety_against(kind)
    number = safety - KIND_ACE
    side = rules.side_of[seat]
    game.hand[seat] -= ONE << (THREE * safety)
    shown = (ONE << (SAFETY + number)) | (ONE << (CROSSWISE + number))
    set_car(game, rules, side, game.car[side] | shown)
    is_victim = side == game.victim
    if is_victim:
        if kind == KIND_LIM:
            lift_limit(game, rules, side)
        else:
            lift_battle(game, rules, side)
    if rules.right_of_way_discards and safety == KIND_ROW:
        # At most one card leaves each pile, including the attacking card.
        if (game.car[side] & SEVEN) == TOP_STOP and not (is_victim and kind == KIND_STOP):
            lift_battle(game, rules, side)
        if game.car[side] & LIMITED and not (is_victim and kind == KIND_LIM):
            lift_limit(game, rules, side)
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
    own = rules.side_of[seat]
    car = game.car[own]
    if car & AUTOROUTE:
        second = ONE if seat >= rules.sides else ZERO
        if (car >> PARTNER) & ONE == second:
            car -= ONE_TURN
            if not car & ALL_TURNS:
                car &= ~(AUTOROUTE | ONE << PARTNER)
            set_car(game, rules, own, car)


@hot
def next_turn(game, rules, seat):
    """Start the turn of the next seat that has a card, or end the hand if none has."""
    seat = rules.next_seat[seat]
    if game.left == ZERO:
        seat = next_with_cards(game, rules, seat)
        if seat == rules.players:
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
        seat = rules.next_seat[seat]
    return seat
