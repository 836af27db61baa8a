"""File descriptors: how many this process may have, and how many of them are for connections."""

import contextlib

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

__all__ = ["room_for_connections"]

_WANTED = (65_536, 10_240, 4_096)
"""How many to ask for. Some systems allow fewer than they say."""
_RESERVE = 64
"""For the database, the log, the listener, and what libraries open for a moment."""
_EACH_WORKER = 8


def room_for_connections(workers: int) -> tuple[int, int] | None:
    """Raise the limit as far as allowed; it, and how many connections fit. None: no limit."""
    if resource is None:
        return None
    _raise()
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return None
    # With very few, half of them: a server that nobody reaches is of no use.
    return allowed, max(allowed - _RESERVE - _EACH_WORKER * workers, allowed // 2)


def _raise() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return
    for wanted in _WANTED:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if most <= soft:
            return
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            return
