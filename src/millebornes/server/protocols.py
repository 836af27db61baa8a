"""Which protocol classes uvicorn is to use: ours, as far as it has what they lean on.

They lean on parts of uvicorn that are nobody's promise. Each class is looked at before it is used;
where a part is missing, a simpler one takes its place, and the log says what is lost by that.
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
    """What uvicorn is to use for HTTP."""
    return _chosen(
        wire,
        "uvicorn_http",
        ("Requests", "PlainRequests"),
        "httptools",
        "requests are not limited in bytes, time and number before they are understood; let a "
        "reverse proxy do that",
    )


def websocket_protocol(wire: Wire) -> Any:
    """What uvicorn is to use for WebSockets."""
    return _chosen(
        wire,
        "uvicorn_sockets",
        ("Sockets", "CountedSockets"),
        "websockets-sansio",
        "messages take the ordinary way, which costs more",
    )


def _chosen(wire: Wire, module: str, names: tuple[str, str], ordinary: str, lost: str) -> Any:
    """The best class of a module that works with this uvicorn; else uvicorn's, by its name."""
    best, simpler = names
    try:
        ours = importlib.import_module(f".{module}", __package__)
        missing = missing_parts(getattr(ours, simpler), ours.PARTS, wire)
        name = simpler if missing else best
        chosen: Any = bound_to(wire, getattr(ours, name))
    except Exception as error:  # whatever another version of uvicorn does differently
        missing, chosen = [f"{type(error).__name__}: {error}"], ordinary
    if missing:
        _log.warning("this version of uvicorn lacks %s: %s", ", ".join(missing), lost)
    return chosen


def missing_parts(protocol: Any, parts: tuple[str, ...], wire: Wire) -> list[str]:
    """Those of them that an object of this class does not have."""
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
