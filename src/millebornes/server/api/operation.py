"""One REST operation: what the routes and the OpenAPI document are made from."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

__all__ = ["Operation"]


@dataclass(frozen=True)
class Operation:
    """A method and a path, who handles it, what it takes and gives."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    gives: Any
    takes: Any = None
    status: int = 200
    """When it is done."""
    also: int | None = None
    """Another status that answers with the same type."""
    is_described: bool = True
    """Is it in the OpenAPI document?"""
