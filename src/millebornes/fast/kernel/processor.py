"""What the processor that Numba compiles for can do."""

import llvmlite.binding as llvm
import numba

__all__ = ["deposits_bits"]

_SLOW = {"bdver4", "znver1", "znver2"}
"""Processors that have the instruction `pdep`, but take many cycles for it."""


def deposits_bits() -> bool:
    """Whether to use `pdep`, of the extension BMI2 of x86.

    LLVM ends the whole process if the instruction is missing. So the answer is yes only if the
    processor is known to have it, and if neither NUMBA_CPU_NAME nor NUMBA_CPU_FEATURES, which
    choose another processor than this one, says otherwise.
    """
    if not llvm.get_process_triple().startswith("x86_64"):
        return False
    name = numba.config.CPU_NAME or llvm.get_host_cpu_name()
    return name not in _SLOW and "bmi2" in _features()


def _features() -> set[str]:
    """The features of the processor, by LLVM's names."""
    chosen = numba.config.CPU_FEATURES
    if chosen is None:
        try:
            host = llvm.get_host_cpu_features()
        except RuntimeError:  # LLVM cannot tell
            return set()
        return {name for name, is_there in host.items() if is_there}
    features = set()
    for word in chosen.split(","):
        sign, name = word[:1], word[1:]
        if sign == "+":
            features.add(name)
        elif sign == "-":
            features.discard(name)
    return features
