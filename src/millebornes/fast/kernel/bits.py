"""Counting and finding bits."""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from .compiling import hot
from .constants import EACH, ONE, TWO, ZERO
from .processor import deposits_bits


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


@intrinsic
def deposit(_typing, _bits, _word):
    """The lowest bits, deposited where the word has its bits: the instruction `pdep`."""

    def generate(_context, builder, _signature, args):
        kind = ir.FunctionType(args[0].type, [args[0].type, args[1].type])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), generate


@hot
def nth_by_deposit(word, n):
    """The position of the n-th bit that is set, on processors that have `pdep`."""
    return lowest_bit(deposit(ONE << n, word))


@hot
def nth_by_steps(word, n):
    """The position of the n-th bit that is set, on any processor."""
    while n > ZERO:
        word &= word - ONE
        n -= ONE
    return lowest_bit(word)


@hot
def nth_by_counting(kinds, n):
    """The position of the n-th kind in a set of at most seven, on any processor."""
    # After the multiplication, each field of three bits holds the number of kinds up to there:
    # the first field that holds n + 1 is the one.
    difference = (kinds * EACH) ^ ((n + ONE) * EACH)
    return lowest_bit(~(difference | difference >> ONE | difference >> TWO) & EACH)


# All of them find the same bit, so a seed gives the same hands on every processor.
CAN_DEPOSIT = deposits_bits()
nth_bit = nth_by_deposit if CAN_DEPOSIT else nth_by_steps
nth_kind = nth_by_deposit if CAN_DEPOSIT else nth_by_counting
