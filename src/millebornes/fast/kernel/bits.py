"""Counting and finding bits."""

from numba.core import types
from numba.extending import intrinsic

from .compiling import hot
from .constants import EACH, ONE, TWO, ZERO


@intrinsic
def count_bits(_typing, _word):
    """The number of bits that are set."""

    def generate(_context, builder, _signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def lowest_bit(_typing, _word):
    """The position of the lowest bit that is set; there must be one."""

    def generate(context, builder, _signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, 1))

    return types.uint64(types.uint64), generate


@intrinsic
def leading_zeros(_typing, _word):
    """The number of bits above the highest one that is set; there must be one."""

    def generate(context, builder, _signature, args):
        return builder.ctlz(args[0], context.get_constant(types.boolean, 1))

    return types.uint64(types.uint64), generate


@hot
def nth_kind(kinds, n):
    """The position of the n-th kind in a set of at most seven."""
    # After the multiplication, each field of three bits holds the number of kinds up to there:
    # the first field that holds n + 1 is the one.
    difference = (kinds * EACH) ^ ((n + ONE) * EACH)
    return lowest_bit(~(difference | difference >> ONE | difference >> TWO) & EACH)


@hot
def nth_bit(word, n):
    """The position of the n-th bit that is set."""
    while n > ZERO:
        word &= word - ONE
        n -= ONE
    return lowest_bit(word)
