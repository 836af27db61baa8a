"""What a bot is called, and how it is started: the same names in every command.

A name is a level of ours, `package.module:Class`, an entry point of the group `millebornes.bots`,
or `cmd:PROGRAM`. In the arena and in simulations it may also be a yardstick, or a policy of the
fast engine.
"""

import os
import re
import shlex
import shutil
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from millebornes.bots import BOTS, LEVELS, YARDSTICKS, Bot, has_kernel, playable
from millebornes.rules import Move, View
from millebornes.words import words

from .player import BotFailure, Player, not_legal, safe

__all__ = ["GROUP", "PATIENCE", "START_PATIENCE", "Entrant", "UnknownBot", "find_bot", "installed"]

GROUP = "millebornes.bots"
"""The group of entry points in which packages list their bots."""
PATIENCE, START_PATIENCE = 5.0, 10.0
"""How many seconds an outside bot may take for a move, and to start."""

Kind = Literal["policy", "level", "yardstick", "class", "entry_point", "program"]
Code = Literal[
    "unknown",
    "needs_numba",
    "no_module",
    "no_class",
    "no_choose",
    "cannot_load",
    "bad_command",
    "no_program",
    "not_executable",
]
"""What can be wrong with a name."""

_PROGRAM = "cmd:"
_CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_LOADING: tuple[Code, ...] = ("no_module", "no_class", "no_choose")


class UnknownBot(ValueError):  # noqa: N818 (says it best)
    """There is no bot of this name: a code with parameters, and as text an English sentence."""

    def __init__(self, code: Code, params: Mapping[str, str | int]) -> None:
        super().__init__(code, params)
        self.code: Code = code
        self.params = params

    def __str__(self) -> str:
        return words().sentence(self)

    @property
    def section(self) -> str:
        """The section of the language files that holds its sentence."""
        return "unknown_bot"


@dataclass(frozen=True)
class Entrant:
    """A bot that can be started: a name and nothing else, so that it can be sent anywhere."""

    name: str
    kind: Kind

    @property
    def is_outside(self) -> bool:
        """Whether it is not ours: it runs in a process of its own."""
        return self.kind in ("class", "entry_point", "program")

    def start(
        self, *, patience: float = PATIENCE, start_patience: float = START_PATIENCE
    ) -> Player:
        """Start it. A policy of the fast engine is not started: the engine plays it.

        An outside bot has `start_patience` seconds to start, and `patience` seconds for each
        move. Raises `BotFailure` if its process cannot be started.
        """
        if not self.is_outside:
            return _Ours(BOTS[self.name]() if self.kind == "level" else YARDSTICKS[self.name]())
        from .outside import OutsidePlayer  # noqa: PLC0415 (most commands never need it)

        return OutsidePlayer(self.command(), patience=patience, start_patience=start_patience)

    def command(self) -> list[str]:
        """The command that runs it in a process of its own."""
        if self.kind == "program":
            return _split(self.name.removeprefix(_PROGRAM))
        from .outside import host_command  # noqa: PLC0415

        return host_command(self.name)


class _Ours:
    """A bot of ours: it runs in the caller's process."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def get_ready(self) -> None:
        """Nothing to wait for."""

    def choose(self, view: View) -> Move:
        move = self._bot.choose(view)
        if move not in view.legal_moves:
            raise BotFailure("illegal", not_legal(move, view))
        return move

    def close(self) -> None:
        """Nothing to end."""


def find_bot(name: str, *, in_arena: bool = False) -> Entrant:
    """The bot of this name. `in_arena` also admits yardsticks and policies of the engine.

    A class is loaded in a process of its own, to see whether it can play; a program is looked up,
    but not started. Raises `UnknownBot`.

    Never call this with a name that somebody else may choose: it runs their code.
    """
    if name in LEVELS:
        if name not in playable():
            raise UnknownBot("needs_numba", {"name": name, "bots": ", ".join(playable())})
        return Entrant(name, "level")
    if in_arena and name in YARDSTICKS:
        return Entrant(name, "yardstick")
    if in_arena and name in _policies():
        return Entrant(name, "policy")
    if name.startswith(_PROGRAM):
        return _program(name)
    if _CLASS.fullmatch(name):
        return _loaded(Entrant(name, "class"), name)
    for entry_point in metadata.entry_points(group=GROUP, name=name):
        return _loaded(Entrant(name, "entry_point"), entry_point.value)
    raise UnknownBot("unknown", {"name": safe(name, 60), "bots": ", ".join(_known(in_arena))})


def _known(in_arena: bool) -> list[str]:
    """The names to offer."""
    ours = [*_policies(), *YARDSTICKS] if in_arena else []
    return list(dict.fromkeys([*playable(), *ours, *installed()]))


def installed() -> tuple[str, ...]:
    """The names of other people's bots that packages on this machine bring. None is imported."""
    return tuple(sorted(metadata.entry_points(group=GROUP).names))


def _policies() -> tuple[str, ...]:
    if not has_kernel():
        return ()
    from millebornes.fast import POLICIES  # noqa: PLC0415 (loads the compiled engine)

    return POLICIES


def _loaded(entrant: Entrant, place: str) -> Entrant:
    """This bot, if its class can be loaded."""
    module, _, cls = place.partition(":")
    params = {"name": safe(entrant.name, 100), "module": safe(module), "class": safe(cls)}
    try:
        with closing(entrant.start(start_patience=START_PATIENCE)) as player:
            player.get_ready()
    except BotFailure as failure:
        code: Code = next((code for code in _LOADING if code == failure.why), "cannot_load")
        raise UnknownBot(code, {**params, "problem": failure.detail}) from None
    return entrant


def _program(name: str) -> Entrant:
    """This program, if there is one that can be executed."""
    try:
        command = _split(name.removeprefix(_PROGRAM))
    except ValueError:
        command = []
    if not command:
        raise UnknownBot("bad_command", {"name": safe(name, 100)})
    program = command[0]
    if shutil.which(program) is None:
        code: Code = "not_executable" if Path(program).exists() else "no_program"
        raise UnknownBot(code, {"program": safe(program, 100)})
    return Entrant(name, "program")


def _split(command: str) -> list[str]:
    """A command and its arguments, quoted as in a shell. Nothing is expanded."""
    if os.name == "posix":
        return shlex.split(command)
    return [part.strip('"') for part in shlex.split(command, posix=False)]
