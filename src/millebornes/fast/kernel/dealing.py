"""Starting a hand or a match, and dealing the cards that a viewer cannot see."""

from .chance import seeded, start
from .compiling import inner
from .constants import DISCARDED, FULL_HAND, NOBODY, ONE, WINDOW, ZERO
from .play import draw, holder_of, next_turn, safety_against, set_car


@inner
def deal_hand(game, rules, dealer):
    """Deal the next hand: at random if the game is lazy, else from the given deck."""
    players = rules.players
    game.caller = NOBODY
    for side in range(ZERO, rules.sides):
        set_car(game, rules, side, ZERO)
        game.under[side] = ZERO
        game.laid[side] = ZERO
        game.forward[side] = game.total[side]
    game.laid[DISCARDED] = ZERO
    game.trip = rules.trip
    game.completed = NOBODY
    game.dealer = dealer
    game.number += ONE
    game.decisions = ZERO
    game.left = rules.size
    if game.lazy:
        for place in range(ZERO, rules.size):
            game.deck[place] = rules.deck[place]
    for seat in range(ZERO, players):
        game.hand[seat] = ZERO
    seat = dealer
    for _ in range(ZERO, FULL_HAND * players):
        seat = rules.next_seat[seat]
        draw(game, seat)
    next_turn(game, rules, dealer)


@inner
def begin_match(game, rules, seed, index):
    """Reset the totals, and seed the match."""
    for side in range(ZERO, rules.sides):
        game.total[side] = 0
    game.number = ZERO
    game.source = seeded(seed, index)
    game.seat = index % rules.players if rules.dealer_rotates else ZERO


@inner
def deal_next(game, rules):
    """Deal the next hand of the match, with its own random numbers."""
    start(game, seeded(game.source, game.number))
    deal_hand(game, rules, game.seat)


@inner
def deal_hidden(game, rules):
    """Deal the hidden cards; then find out who may answer an attack."""
    for seat in range(ZERO, rules.players):
        for _ in range(ZERO, game.hidden[seat]):
            draw(game, seat)
        game.hidden[seat] = ZERO
    if game.awaiting == WINDOW:
        safety = safety_against(game.hazard)
        holder = holder_of(game, rules, game.attacker, game.victim, safety)
        if holder == rules.players or (game.declined >> holder) & ONE:
            next_turn(game, rules, game.attacker)
        else:
            game.seat = holder
