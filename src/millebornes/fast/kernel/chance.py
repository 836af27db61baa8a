"""Random numbers: splitmix64, the same on every machine."""

from .compiling import hot, inner
from .constants import HALF, U


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
def next_random(game):
    """The next 64 random bits: splitmix64."""
    game.rng += U(0x9E3779B97F4A7C15)
    return mixed(game.rng)


@hot
def below(bits, n):
    """A number below n from 32 random bits."""
    return (bits * n) >> HALF
