"""What a bot is called, and how it is started: the same names in every command.

A name is a level of ours, `package.module:Class`, an entry point of the group `millebornes.bots`,
or `cmd:PROGRAM`. In the arena and in simulations it may also be a yardstick, or a policy of the
fast engine.
"""

from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Literal, Protocol

from millebornes.bots import BOTS, YARDSTICKS, Bot
from millebornes.rules import Move, View

__all__ = ["BotFailure", "Entrant", "Player", "UnknownBot", "find_bot", "installed"]

_GROUP = "millebornes.bots"
Fault = Literal["hung", "died", "nonsense", "illegal", "error"]
"""What can be wrong with a bot: no answer in time, the end of its process, an answer that is not
of the protocol, a move that the rules refuse, an exception."""


class UnknownBot(ValueError):  # noqa: N818 (says it best)
    """There is no bot of this name; the text says what is allowed."""


class BotFailure(Exception):  # noqa: N818 (says it best)
    """A bot has failed; it plays no more in this match."""

    def __init__(self, fault: Fault, detail: str = "") -> None:
        super().__init__(fault, detail)
        self.fault: Fault = fault
        self.detail = detail


class Player(Protocol):
    """A bot that has been started."""

    def choose(self, view: View) -> Move:
        """Its move. Raises `BotFailure`; whether the move is legal is for the caller to check."""
        ...

    def close(self) -> None:
        """End it."""
        ...


@dataclass(frozen=True)
class Entrant:
    """A bot that can be started: a name and nothing else, so that it can be sent anywhere."""

    name: str
    kind: Literal["policy", "level", "yardstick", "class", "entry_point", "program"]

    @property
    def is_outside(self) -> bool:
        """Whether it is not ours: it runs in a process of its own."""
        return self.kind in ("class", "entry_point", "program")

    def start(self) -> Player:
        """Start it. A policy of the fast engine is not started: the engine plays it."""
        return _Ours(BOTS[self.name]() if self.kind == "level" else YARDSTICKS[self.name]())


class _Ours:
    """A bot of ours: it runs in the caller's process."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def choose(self, view: View) -> Move:
        return self._bot.choose(view)

    def close(self) -> None:
        """Nothing to end."""


def find_bot(name: str, *, in_arena: bool = False) -> Entrant:
    """The bot of this name. `in_arena` also admits yardsticks and policies of the engine.

    Nothing is imported or started yet. Raises `UnknownBot`.
    """
    if name in BOTS:
        return Entrant(name, "level")
    if in_arena and name in YARDSTICKS:
        return Entrant(name, "yardstick")
    if in_arena:
        from millebornes.fast import POLICIES  # noqa: PLC0415 (loads the compiled engine)

        if name in POLICIES:
            return Entrant(name, "policy")
    raise UnknownBot(f"there is no bot {name}: must be one of {', '.join(BOTS)}")


def installed() -> tuple[str, ...]:
    """The names of other people's bots that packages on this machine bring. None is imported."""
    return tuple(sorted(entry_points(group=_GROUP).names))
