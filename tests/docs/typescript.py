"""The messages and REST types as TypeScript, for the web client."""

import inspect
import json
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from msgspec import inspect as types

from millebornes.server.openapi import docs_of_fields
from millebornes.table import messages_in, messages_out
from millebornes.table.settings import EMOTES

from .protocol import rest_types, values


def typescript() -> str:
    """`web/src/lib/protocol.ts`: the JSON that the server speaks, name for name."""
    ins, outs = get_args(messages_in.In), get_args(messages_out.Out)
    events = get_args(messages_out.Event)
    emotes = "".join(f"  {quoted(emote)},\n" for emote in EMOTES)
    parts = [
        "// Written by `make regenerate` from the Python types. Do not edit.",
        f"export const PROTOCOL_VERSION = {messages_in.PROTOCOL_VERSION};",
        f"export const EMOTES = [\n{emotes}] as const;",
        "// What the page says to a table.",
        union("In", ins),
        *map(interface, ins),
        "// What a table says to the page.",
        union("Out", outs),
        *map(interface, outs),
        "// What happened.",
        union("Event", events),
        *map(interface, events),
        "// The parts of a table.",
        *map(interface, values()),
        "// What the REST interface takes and gives.",
        *map(interface, rest_types()),
    ]
    return "\n\n".join(parts) + "\n"


def union(name: str, members: Iterable[Any]) -> str:
    return f"export type {name} =" + "".join(f"\n  | {one.__name__}" for one in members) + ";"


def interface(cls: Any) -> str:
    """One type, with what its source says of it."""
    info = types.type_info(cls)
    assert isinstance(info, types.StructType)
    about = comment(inspect.cleandoc(cls.__doc__).split("\n"))
    lines = "".join(f"  {line}\n" for line in fields(cls, info))
    if not lines:
        return "\n".join([*about, f"export type {cls.__name__} = Record<string, never>;"])
    return "\n".join([*about, f"export interface {cls.__name__} {{\n{lines}}}"])


def fields(cls: Any, info: types.StructType) -> Iterator[str]:
    if info.tag is not None:
        yield f"type: {quoted(str(info.tag))};"
    means = docs_of_fields(cls)
    for one in info.fields:
        if one.name in means:
            yield from comment([means[one.name]])
        # What the server sends is whole; what it takes may leave defaults out.
        may_lack = info.forbid_unknown_fields and not one.required
        yield f"{one.encode_name}{'?' if may_lack else ''}: {kind(one.type)};"


def comment(lines: list[str]) -> list[str]:
    if len(lines) == 1:
        return [f"/** {lines[0]} */"]
    return ["/**", *(f" * {line}".rstrip() for line in lines), " */"]


def kind(type_: types.Type) -> str:
    """A type as TypeScript writes it."""
    match type_:
        case types.UnionType(members):
            if all(isinstance(member, types.StructType) for member in members):
                return "Event"
            return " | ".join(kind(member) for member in members)
        case types.StructType(cls=cls):
            return str(cls.__name__)
        case types.VarTupleType(item) | types.ListType(item):
            inner = kind(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case types.DictType(_, value):
            return f"Record<string, {kind(value)}>"
        case types.LiteralType(options):
            return " | ".join(quoted(str(option)) for option in options)
    return _PLAIN[type(type_)]


_PLAIN: dict[type, str] = {
    types.IntType: "number",
    types.StrType: "string",
    types.BoolType: "boolean",
    types.NoneType: "null",
    types.AnyType: "unknown",
}


def quoted(text: str) -> str:
    return "'" + json.dumps(text, ensure_ascii=False)[1:-1].replace("'", "\\'") + "'"
