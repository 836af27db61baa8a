"""Random numbers: splitmix64, the same on every machine.

A game holds one random number, made ahead of its use, so that neither a draw nor a decision waits
for it. The high half draws a card, the low half makes the decision that comes before. Each draw
moves on to the next number, even if the pile is empty.
"""

from .compiling import hot, inner
from .constants import HALF, LOW, U


@hot
def mixed(x):
    """The finalizer of splitmix64."""
    x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
    return x ^ (x >> U(31))


@inner
def seeded(seed, index):
    """The first state of a sequence of random numbers."""
    return mixed(mixed(seed + U(0x9E3779B97F4A7C15)) + index * U(0xD1342543DE82EF95))


@hot
def start(game, seed):
    """Begin a sequence of random numbers."""
    game.rng = seed
    move_on(game)


@hot
def move_on(game):
    """Make the next random number: splitmix64."""
    game.rng += U(0x9E3779B97F4A7C15)
    game.chance = mixed(game.rng)


@hot
def chance_to_draw(game, n):
    """A number below n, for drawing a card."""
    return ((game.chance >> HALF) * n) >> HALF


@hot
def chance_to_choose(game, n):
    """A number below n, for a decision."""
    return ((game.chance & LOW) * n) >> HALF
