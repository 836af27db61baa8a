"""Plays any legal play or discard at random, each kind of card being one choice."""

from millebornes.fast.kernel.bits import count_bits, nth_bit, nth_kind
from millebornes.fast.kernel.chance import below, next_random
from millebornes.fast.kernel.compiling import hot
from millebornes.fast.kernel.constants import (
    COUP_FOURRE,
    DISCARD,
    EXTEND,
    HALF,
    TURN,
    TWO,
    WINDOW,
    U,
)
from millebornes.fast.kernel.play import held_kinds, legal_discards, legal_plays


@hot
def choose(game, rules):
    """Any legal move; always calls a coup fourré."""
    if game.awaiting == TURN:
        held = held_kinds(game.hand[game.seat])
        plays = legal_plays(game, rules, game.seat, held)
        return any_of(game, rules, plays, legal_discards(game, rules, held, plays))
    if game.awaiting == WINDOW:
        return COUP_FOURRE
    return EXTEND + (next_random(game) >> U(63))


@hot
def any_of(game, rules, plays, discards):
    """Any of these plays and discards."""
    n_plays = count_bits(plays)
    n = below(next_random(game) >> HALF, n_plays + count_bits(discards))
    if n < n_plays:
        return nth_kind(plays, n) if rules.sides == TWO else nth_bit(plays, n)
    return DISCARD + nth_kind(discards, n - n_plays)
