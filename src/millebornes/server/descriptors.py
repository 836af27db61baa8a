"""The limit on file descriptors, and how many of them connections may use."""

import contextlib

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

__all__ = ["room_for_connections"]

_WANTED = (65_536, 10_240, 4_096)
"""Limits to try. Some systems allow fewer than they report."""
_RESERVE = 64
"""Reserved for the database, the log, the listener, and files that libraries open briefly."""
_EACH_WORKER = 8


def room_for_connections(workers: int) -> tuple[int, int] | None:
    """Raise the limit if possible; return it and the number of connections. None: no limit."""
    if resource is None:
        return None
    _raise()
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return None
    # With a very low limit use half of it: a server without connections is useless.
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
