"""Plays any legal play or discard at random, each kind of card being one choice."""

from millebornes.fast.kernel.bits import count_bits, nth_bit, nth_kind
from millebornes.fast.kernel.chance import chance_to_choose, move_on
from millebornes.fast.kernel.compiling import hot
from millebornes.fast.kernel.constants import (
    COUP_FOURRE,
    DISCARD,
    EXTEND,
    TURN,
    TWO,
    WINDOW,
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
    move_on(game)  # the last number has chosen the play before
    return EXTEND + chance_to_choose(game, TWO)


@hot
def any_of(game, rules, plays, discards):
    """Any of these plays and discards."""
    n_plays = count_bits(plays)
    n = chance_to_choose(game, n_plays + count_bits(discards))
    if n < n_plays:
        return nth_kind(plays, n) if rules.sides == TWO else nth_bit(plays, n)
    return DISCARD + nth_kind(discards, n - n_plays)
