"""Chooses the protocol classes for uvicorn: ours, if this version of uvicorn supports them.

Our classes depend on internals of uvicorn. Each is checked before use; if an internal is missing,
a simpler class takes its place, and the log says what is lost.
"""

import asyncio
import importlib
import logging
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send

from .wire import Wire, bound_to

__all__ = ["http_protocol", "missing_parts", "websocket_protocol"]

_log = logging.getLogger(__name__)


def http_protocol(wire: Wire) -> Any:
    """The protocol class for HTTP."""
    return _chosen(
        wire,
        "uvicorn_http",
        ("Requests", "PlainRequests"),
        "httptools",
        "the size, time and number of requests are not limited before they are parsed; let a "
        "reverse proxy do that",
    )


def websocket_protocol(wire: Wire) -> Any:
    """The protocol class for WebSockets."""
    return _chosen(
        wire,
        "uvicorn_sockets",
        ("Sockets", "CountedSockets"),
        "websockets-sansio",
        "messages go through the ASGI queue, which costs more CPU",
    )


def _chosen(wire: Wire, module: str, names: tuple[str, str], ordinary: str, lost: str) -> Any:
    """The best class of a module that works with this uvicorn, or the name of uvicorn's own."""
    best, simpler = names
    try:
        ours = importlib.import_module(f".{module}", __package__)
        missing = missing_parts(getattr(ours, simpler), ours.PARTS, wire)
        name = simpler if missing else best
        chosen: Any = bound_to(wire, getattr(ours, name))
    except Exception as error:  # another version of uvicorn may fail in any way
        missing, chosen = [f"{type(error).__name__}: {error}"], ordinary
    if missing:
        _log.warning("this version of uvicorn lacks %s: %s", ", ".join(missing), lost)
    return chosen


def missing_parts(protocol: Any, parts: tuple[str, ...], wire: Wire) -> list[str]:
    """The attributes in `parts` that an instance of this class lacks."""
    config = uvicorn.Config(_nothing, loop="none", lifespan="off", log_config=None)
    loop = asyncio.new_event_loop()
    try:
        state = uvicorn.server.ServerState()
        probe = bound_to(wire, protocol)(config, state, {}, loop)  # type: ignore[call-arg]
    finally:
        loop.close()
    return [part for part in parts if not _has(probe, part)]


async def _nothing(_scope: Scope, _receive: Receive, _send: Send) -> None:
    pass


def _has(found: object, part: str) -> bool:
    for name in part.split("."):
        if not hasattr(found, name):
            return False
        found = getattr(found, name)
    return True
