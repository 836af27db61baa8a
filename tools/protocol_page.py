"""The page on the protocol, generated from the messages and the REST operations."""

import inspect
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import msgspec
from msgspec import inspect as types

from millebornes.server.api.openapi import docs_of_fields, document
from millebornes.server.bot_workers import LocalThinkers
from millebornes.server.config import Config
from millebornes.server.server import Server
from millebornes.table import messages_in, messages_out, rest
from millebornes.table.close_codes import CloseCode
from millebornes.table.settings import EMOTES

from .markdown import hand_written, page, table


def protocol_page() -> str:
    """The page, with every message and REST operation filled in."""
    # Not str.format: the examples are full of braces.
    text = hand_written("protocol")
    parts = {
        "{version}": str(messages_in.PROTOCOL_VERSION),
        "{close-codes}": close_codes(),
        "{rest}": rest_table(),
        "{rest-types}": structs(rest_types()),
        "{in}": structs(get_args(messages_in.In)),
        "{out}": structs(get_args(messages_out.Out)),
        "{events}": structs(get_args(messages_out.Event)),
        "{values}": structs(values()),
        "{emotes}": ", ".join(f"`{emote}`" for emote in EMOTES),
    }
    for mark, part in parts.items():
        assert text.count(mark) == 1, mark
        text = text.replace(mark, part)
    return page([text], "protocol", "src/millebornes/table, src/millebornes/server")


def close_codes() -> str:
    """Every code that a WebSocket is closed with."""
    rows = [(str(code.value), code.meaning, code.advice) for code in CloseCode]
    return table(("code", "meaning", "then"), rows)


def operations() -> dict[str, Any]:
    """The OpenAPI description."""
    # The server is not started, so it opens nothing.
    return document(Server(Config(database=":memory:"), thinkers=LocalThinkers()).operations)


def rest_table() -> str:
    """One row per REST operation."""
    rows = []
    for path, methods in operations()["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody")
            (done,) = [code for code in operation["responses"] if code in ("200", "201")][:1]
            rows.append(
                (
                    f"`{method.upper()} {path}`",
                    " ".join([*operation["summary"].split(), *queries(operation)]),
                    "" if body is None else named(body["content"]["application/json"]["schema"]),
                    named(next(iter(operation["responses"][done]["content"].values()))["schema"]),
                )
            )
    return table(("operation", "description", "request body", "response"), rows)


def queries(operation: dict[str, Any]) -> Iterator[str]:
    """The query parameters of this operation, except `lang`, which all have."""
    for one in operation.get("parameters", ()):
        if one["in"] == "query" and one["name"] != "lang":
            yield f"`?{one['name']}=`: {one['description']}"


def named(schema: dict[str, Any]) -> str:
    """The name of a type of the REST interface, as a link."""
    if "$ref" in schema:
        return link(schema["$ref"].rsplit("/", 1)[1])
    if schema.get("type") == "array":
        return f"list of {named(schema['items'])}"
    return "text"


def rest_types() -> list[Any]:
    """The types that only the REST interface has."""
    return [getattr(rest, name) for name in sorted(rest.__all__)]


def values() -> list[Any]:
    """The types that outgoing messages are made of."""
    own = [getattr(messages_out, name) for name in messages_out.__all__]
    tagged = {*get_args(messages_out.Out), *get_args(messages_out.Event)}
    return [one for one in own if inspect.isclass(one) and one not in tagged]


def structs(found: Iterable[Any]) -> str:
    return "\n\n".join(struct(one) for one in found)


def struct(cls: Any) -> str:
    """One message: its tag, meaning and fields."""
    info = types.type_info(cls)
    assert isinstance(info, types.StructType)
    tag = f'`"type": "{info.tag}"`. ' if info.tag is not None else ""
    heading = f"### {cls.__name__}\n\n{tag}{inspect.cleandoc(cls.__doc__)}"
    if not info.fields:
        return heading
    means = docs_of_fields(cls)
    rows = [
        (f"`{one.encode_name}`", kind(one.type), default(one), means.get(one.name, ""))
        for one in info.fields
    ]
    heads = ("field", "type", "default", "meaning")
    # Leave out a column that is empty for every field.
    shown = [column for column in range(len(heads)) if any(row[column] for row in rows)]
    kept = [[row[column] for column in shown] for row in rows]
    return f"{heading}\n\n{table([heads[column] for column in shown], kept)}"


def default(field: types.Field) -> str:
    if field.required:
        return ""
    if field.default_factory is not msgspec.NODEFAULT:
        return f"`{msgspec.json.encode(field.default_factory()).decode()}`"
    return f"`{msgspec.json.encode(field.default).decode()}`"


def kind(type_: types.Type) -> str:
    """A type in a few words."""
    match type_:
        case types.UnionType(members):
            if all(isinstance(m, types.StructType) for m in members):
                return "an [event](#events)"
            return " or ".join(kind(member) for member in members)
        case types.StructType(cls=cls):
            return link(cls.__name__)
        case types.VarTupleType(item) | types.ListType(item):
            return f"list of {kind(item)}"
        case types.DictType(_, value):
            return f"object of {kind(value)}"
        case types.LiteralType(options):
            return ", ".join(f"`{option}`" for option in options)
        case types.IntType(ge=low, le=high) if low is not None:
            return f"number, {low} to {high if high != 2**53 else '2^53'}"
        case types.StrType(min_length=low, max_length=high, pattern=pattern):
            length = "" if high is None else f", {low or 0} to {high} characters"
            return f"text{length}" + (f", {whole(pattern)}" if pattern else "")
    return _PLAIN[type(type_)]


def whole(pattern: str) -> str:
    """The pattern of a text, without Python's anchors, which differ in other languages."""
    assert pattern.startswith("^"), pattern
    assert pattern.endswith(r"\Z"), pattern
    return f"matching `{pattern[1:-2]}` as a whole"


_PLAIN: dict[type, str] = {
    types.IntType: "number",
    types.FloatType: "number",
    types.BoolType: "true or false",
    types.NoneType: "null",
    types.AnyType: "any",
}


def link(name: str) -> str:
    return f"[{name}](#{name.lower()})"
