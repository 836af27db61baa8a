"""A REST operation, and the OpenAPI document made from all of them."""

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


_LANGUAGE = "lang", "The language of sentences; else Accept-Language decides."


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
    query: tuple[tuple[str, str], ...] = ()
    """What may stand in the query besides the language: names, and what they say."""
    is_described: bool = True
    """Is it in the OpenAPI document?"""


class Description:
    """`/api/openapi.json`: these operations, described."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._operations = operations
        self._encoded: bytes | None = None

    def operation(self) -> Operation:
        """How to ask for it."""
        return Operation("GET", "/api/openapi.json", self.get_openapi, dict, is_described=False)

    async def get_openapi(self, _request: Request) -> Response:
        """This interface, described."""
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
        "description": "Done.",
        "content": {media: {"schema": by_type[id(operation.gives)]}},
    }
    failure = {
        "description": "Not done; the sentence says why.",
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
    """Give the fields of a type the sentences that stand under them in the source."""
    cls = getattr(rest, name, None) or getattr(messages_out, name, None)
    means = {} if cls is None else docs_of_fields(cls)
    for field, described in schema.get("properties", {}).items():
        if field in means:
            described["description"] = means[field]


def docs_of_fields(cls: type) -> Mapping[str, str]:
    """The sentences that stand under the fields of a class in the source, as JSON has it."""
    return _docs_of_module(cls.__module__).get(cls.__name__, {})


@cache
def _docs_of_module(name: str) -> Mapping[str, Mapping[str, str]]:
    """The same for every class of a module: it is read once."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[name]))
    except OSError:  # installed without sources: the types alone must do
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
