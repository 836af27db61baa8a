"""How the functions of the kernel are compiled."""

from collections.abc import Callable
from typing import Any

import numba

from millebornes.fast.cache import own_folder

__all__ = ["entry", "hot", "inner"]

_OPTIONS = {"nogil": True, "error_model": "numpy"}
# Only what Python calls needs a door to Python: without one, compiling takes half the time.
_INNER = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def inner(function: Callable[..., Any]) -> Any:
    """Called by the kernel only."""
    return numba.njit(**_INNER)(function)


def hot(function: Callable[..., Any]) -> Any:
    """As `inner`, and made part of its caller: a call would cost as much as the work itself."""
    return numba.njit(**_INNER, forceinline=True)(function)


def entry(function: Callable[..., Any]) -> Any:
    """Called by Python; the compiled code is kept for the next run."""
    with own_folder() as can_be_kept:
        return numba.njit(**_OPTIONS, cache=can_be_kept)(function)
