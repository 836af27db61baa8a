"""The OpenAPI document, made from the routes and the types they take and give."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from millebornes import __version__
from millebornes.table.messages_in import PROTOCOL_VERSION

from .api_types import ErrorBody

__all__ = ["Operation", "document"]


@dataclass(frozen=True)
class Operation:
    """One REST operation."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    gives: Any
    takes: Any = None
    status: int = 200
    """When it is done."""


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The OpenAPI 3.1 description of these operations."""
    types = [operation.gives for operation in operations]
    types += [operation.takes for operation in operations if operation.takes is not None]
    types.append(ErrorBody)
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    by_type = {id(type_): schema for type_, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _describe(
            operation, by_type
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "millebornes",
            "version": __version__,
            "x-protocol-version": PROTOCOL_VERSION,
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"guest": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"guest": []}, {}],
    }


def _describe(operation: Operation, by_type: dict[int, Any]) -> dict[str, Any]:
    media = "text/plain" if operation.gives is str else "application/json"
    success = {
        "description": "Done.",
        "content": {media: {"schema": by_type[id(operation.gives)]}},
    }
    failure = {
        "description": "Not done; the sentence says why.",
        "content": {"application/json": {"schema": by_type[id(ErrorBody)]}},
    }
    responses: dict[str, Any] = {str(operation.status): success}
    if operation.path == "/api/guests":
        responses["200"] = success  # a guest already
    for status in (400, 401, 403, 404, 409, 413, 429, 503):
        responses[str(status)] = failure
    if operation.path == "/api/ready":
        responses["503"] = success
    described: dict[str, Any] = {
        "operationId": operation.handler.__name__,
        "summary": (operation.handler.__doc__ or "").strip(),
        "responses": responses,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"{(\w+)}", operation.path)
        ]
        + [
            {
                "name": "lang",
                "in": "query",
                "description": "The language of sentences; else Accept-Language decides.",
                "schema": {"type": "string"},
            }
        ],
    }
    if operation.takes is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": by_type[id(operation.takes)]}},
        }
    return described
