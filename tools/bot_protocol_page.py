"""The page on the protocol of bots, generated from its messages."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
from msgspec import inspect as types

from millebornes.plugins import PATIENCE, START_PATIENCE, protocol
from millebornes.plugins.places import places
from millebornes.plugins.process import LONGEST_LINE
from millebornes.rules import DEFAULT_EDITION
from millebornes.rules.cards import ALL_CARDS
from millebornes.words import words

from .markdown import hand_written, page, table
from .protocol_page import structs

_WIDTH = 96
_MOVE = "200"
"""What the example bot chooses in the example."""


def bot_protocol_page() -> str:
    """The page, with every message and an example filled in."""
    text = hand_written("bot-protocol")
    parts = {
        "{version}": str(protocol.PROTOCOL),
        "{start}": f"{START_PATIENCE:g}",
        "{seconds}": f"{PATIENCE:g}",
        "{longest}": str(LONGEST_LINE),
        "{cards}": cards(),
        "{example}": example(),
        "{to}": structs(get_args(protocol.ToBot)),
        "{from}": structs(get_args(protocol.FromBot)),
        "{parts}": structs(values()),
    }
    for mark, part in parts.items():
        assert text.count(mark) == 1, mark
        text = text.replace(mark, part)
    return page([text], "bot-protocol", "src/millebornes/plugins")


def cards() -> str:
    """One row per kind of card: its name and its code."""
    rows = [(words("en").card(card), f"`{card.value}`") for card in ALL_CARDS]
    return table(("", ""), rows).partition("\n")[2].partition("\n")[2]


def values() -> list[Any]:
    """The types that a question is made of, in the order in which it names them."""
    found: dict[Any, None] = {}
    for message in get_args(protocol.ToBot):
        found.update(dict.fromkeys(parts_of(types.type_info(message))))
    return [cls for cls in found if cls not in get_args(protocol.ToBot)]


def parts_of(type_: types.Type) -> Iterator[Any]:
    match type_:
        case types.StructType(cls=cls, fields=fields):
            yield cls
            for field in fields:
                yield from parts_of(field.type)
        case types.UnionType(members):
            for member in members:
                yield from parts_of(member)
        case types.VarTupleType(item):
            yield from parts_of(item)


def example() -> str:
    """A conversation about one position. A test has it with the example bot."""
    view = next(places(DEFAULT_EDITION, 2))
    said = [
        protocol.line_of(protocol.Hello(protocol.PROTOCOL, PATIENCE)),
        protocol.line_of(protocol.Ready(protocol.PROTOCOL)),
        protocol.question(1, view),
        protocol.line_of(protocol.Move(1, _MOVE)),
        protocol.line_of(protocol.Bye()),
    ]
    speakers = ("To the bot:", "The bot:", "To the bot:", "The bot:", "To the bot:")
    return "\n\n".join(f"{who}\n\n{block(line)}" for who, line in zip(speakers, said, strict=True))


def block(line: bytes) -> str:
    return f"```json\n{pretty(msgspec.json.decode(line))}\n```"


def pretty(value: Any, indent: int = 0) -> str:
    """JSON with one line for all that fits on a line."""
    flat = json.dumps(value, ensure_ascii=False)
    if indent + len(flat) <= _WIDTH or not isinstance(value, dict | list):
        return flat
    inner, outer = " " * (indent + 2), " " * indent
    if isinstance(value, list):
        items = [pretty(item, indent + 2) for item in value]
        return "[\n" + ",\n".join(inner + item for item in items) + f"\n{outer}]"
    items = [f"{json.dumps(key)}: {pretty(item, indent + 2)}" for key, item in value.items()]
    return "{\n" + ",\n".join(inner + item for item in items) + f"\n{outer}}}"
