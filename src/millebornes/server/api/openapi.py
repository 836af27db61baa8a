"""REST operations, and the OpenAPI document generated from them."""

import ast
import inspect
import re
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from millebornes import __version__
from millebornes.table import messages_out, rest
from millebornes.table.messages_in import PROTOCOL_VERSION
from millebornes.table.rest import ErrorBody

__all__ = ["Description", "Operation", "docs_of_fields", "document"]


_LANGUAGE = "lang", "Language of sentences; defaults to Accept-Language."


@dataclass(frozen=True)
class Operation:
    """A method and a path, with handler, request type and response type."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    gives: Any
    takes: Any = None
    status: int = 200
    """Status code on success."""
    also: int | None = None
    """Another status code with the same response type."""
    query: tuple[tuple[str, str], ...] = ()
    """Query parameters besides the language: names and descriptions."""
    is_described: bool = True
    """Whether it is in the OpenAPI document."""


class Description:
    """`/api/openapi.json`: the description of these operations."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._operations = operations
        self._encoded: bytes | None = None

    def operation(self) -> Operation:
        """The operation of this path."""
        return Operation("GET", "/api/openapi.json", self.get_openapi, dict, is_described=False)

    async def get_openapi(self, _request: Request) -> Response:
        """Get the OpenAPI description."""
        if self._encoded is None:
            self._encoded = msgspec.json.encode(document(self._operations))
        return Response(self._encoded, media_type="application/json")


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The OpenAPI 3.1 description of these operations."""
    operations = [operation for operation in operations if operation.is_described]
    types = [operation.gives for operation in operations]
    types += [operation.takes for operation in operations if operation.takes is not None]
    types.append(ErrorBody)
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    for name, schema in components.items():
        _explain_fields(name, schema)
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
        "description": "Success.",
        "content": {media: {"schema": by_type[id(operation.gives)]}},
    }
    failure = {
        "description": "Failure; the sentence says why.",
        "content": {"application/json": {"schema": by_type[id(ErrorBody)]}},
    }
    responses: dict[str, Any] = {str(operation.status): success}
    for status in (400, 401, 403, 404, 409, 413, 421, 429, 503):
        responses[str(status)] = failure
    if operation.also is not None:
        responses[str(operation.also)] = success
    described: dict[str, Any] = {
        "operationId": operation.handler.__name__,
        "summary": (operation.handler.__doc__ or "").strip(),
        "responses": responses,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"{(\w+)}", operation.path)
        ]
        + [
            {"name": name, "in": "query", "description": says, "schema": {"type": "string"}}
            for name, says in (*operation.query, _LANGUAGE)
        ],
    }
    if operation.takes is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": by_type[id(operation.takes)]}},
        }
    return described


def _explain_fields(name: str, schema: dict[str, Any]) -> None:
    """Add the docstrings of a type's fields as descriptions."""
    cls = getattr(rest, name, None) or getattr(messages_out, name, None)
    means = {} if cls is None else docs_of_fields(cls)
    for field, described in schema.get("properties", {}).items():
        if field in means:
            described["description"] = means[field]


def docs_of_fields(cls: type) -> Mapping[str, str]:
    """The docstrings under the fields of a class, with `null` for `None`."""
    return _docs_of_module(cls.__module__).get(cls.__name__, {})


@cache
def _docs_of_module(name: str) -> Mapping[str, Mapping[str, str]]:
    """The same for every class of a module, which is parsed once."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[name]))
    except OSError:  # installed without sources: describe the types only
        return {}
    return {node.name: _docs_of_class(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _docs_of_class(tree: ast.ClassDef) -> dict[str, str]:
    found: dict[str, str] = {}
    for field, after in zip(tree.body, tree.body[1:], strict=False):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            text = str(after.value.value).replace("None:", "null:")
            found[field.target.id] = " ".join(text.split())
    return found
