"""Runs a bot that is a Python class: `python -m millebornes.plugins.host NAME`.

It speaks the protocol for the class. What the class prints goes to standard error, so that it
cannot disturb the protocol, and it cannot read the questions from standard input.
"""

import os
import sys
import traceback
from importlib import import_module, metadata
from typing import BinaryIO

import msgspec

from millebornes.bots import BOTS, Bot
from millebornes.records.tokens import to_text
from millebornes.rules import Move

from . import protocol
from .entrant import GROUP

__all__ = ["load", "main"]


class _Kind(msgspec.Struct):
    type: str


class CannotLoad(Exception):  # noqa: N818 (says it best)
    """There is no such bot, or it cannot be made."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def load(name: str) -> Bot:
    """The bot of this name: a level of ours, an entry point, or `package.module:Class`."""
    if name in BOTS:
        return BOTS[name]()
    for entry_point in metadata.entry_points(group=GROUP, name=name):
        return _made(entry_point.value)
    return _made(name)


def _made(place: str) -> Bot:
    module_name, _, attribute = place.partition(":")
    try:
        found: object = import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise _failed(error) from error
        raise CannotLoad("no_module", f"there is no module {module_name}") from None
    except (Exception, SystemExit) as error:
        raise _failed(error) from error
    for part in attribute.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type):
        raise CannotLoad("no_class", f"{module_name} has no class {attribute}")
    if not callable(getattr(found, "choose", None)):
        raise CannotLoad("no_choose", f"{place} has no method choose")
    try:
        made: Bot = found()
    except (Exception, SystemExit) as error:
        raise _failed(error) from error
    return made


def _failed(error: BaseException) -> CannotLoad:
    return CannotLoad("cannot_load", _told(error))


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def main(name: str) -> None:
    """Answer questions until there are no more."""
    questions, answers = _pipes()
    problem: CannotLoad | None = None
    try:
        bot = load(name)
    except CannotLoad as error:
        traceback.print_exc()
        problem = error
    for line in questions:
        kind = msgspec.json.decode(line, type=_Kind).type
        if kind == "bye":
            return
        if problem is not None:
            answer: protocol.FromBot = protocol.Error(str(problem), code=problem.code)
        elif kind == "hello":
            answer = protocol.Ready(protocol.PROTOCOL)
        elif kind == "choose":
            answer = _chosen(bot, msgspec.json.decode(line, type=protocol.Choose))
        else:
            continue
        answers.write(protocol.line_of(answer))
        answers.flush()


def _chosen(bot: Bot, asked: protocol.Choose) -> protocol.FromBot:
    try:
        move = bot.choose(protocol.view_from(asked))
    except Exception as error:
        traceback.print_exc()
        return protocol.Error(_told(error), asked.id)
    return protocol.Move(asked.id, to_text(move) if isinstance(move, Move) else repr(move))


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes of the protocol, out of the class's reach."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return questions, answers


if __name__ == "__main__":
    main(sys.argv[1])
