"""How the functions of the kernel are compiled."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba
from numba.core.caching import FunctionCache

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
    compiled = numba.njit(**_OPTIONS)(function)
    with own_folder() as can_be_kept:
        if can_be_kept:
            # As enable_caching does, which knows no class but Numba's own.
            compiled._cache = _Kept(function)  # noqa: SLF001
    return compiled


class _Kept(FunctionCache):  # type: ignore[misc]
    """Numba's files of one function, which nobody has to mend by hand.

    Numba lets every trouble with them through: a full disk, a file that was cut off. Here what
    cannot be read is compiled anew, and what cannot be written is not kept.
    """

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # reading a damaged file can fail in any way
            self._forget()
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except Exception:
            self._forget()

    def _forget(self):
        with suppress(OSError):
            self.flush()  # an index without any entry
