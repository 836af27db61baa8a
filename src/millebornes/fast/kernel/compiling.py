"""How the functions of the kernel are compiled."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba
from numba.core.caching import FunctionCache

from millebornes.fast.cache import own_folder

__all__ = ["entry", "hot", "inner"]

_OPTIONS = {"nogil": True, "error_model": "numpy"}
# Only functions that Python calls need a wrapper; without it, compiling takes half the time.
_INNER = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that only the kernel calls."""
    return numba.njit(**_INNER)(function)


def hot(function: Callable[..., Any]) -> Any:
    """As `inner`, and inlined: a call would cost as much as the work itself."""
    return numba.njit(**_INNER, forceinline=True)(function)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, and cache the compiled code."""
    compiled = numba.njit(**_OPTIONS)(function)
    with own_folder() as can_cache:
        if can_cache:
            # As enable_caching does, which supports only Numba's own class.
            compiled._cache = _SafeCache(function)  # noqa: SLF001
    return compiled


class _SafeCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, except that errors in its files do no harm.

    Numba raises every error: a full disk, a truncated file. Here, a function that cannot be
    read is compiled again, and one that cannot be written is not cached.
    """

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # reading a damaged file can fail in any way
            self._clear()
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except Exception:
            self._clear()

    def _clear(self):
        with suppress(OSError):
            self.flush()  # writes an empty index
