"""What a person can mean by a typed line."""

from dataclasses import dataclass
from typing import Literal, get_args

from millebornes.rules import Card, Move, Reason

__all__ = [
    "COMMANDS",
    "ChooseTarget",
    "Command",
    "Explain",
    "Intention",
    "Make",
    "Refused",
    "RunCommand",
    "Unclear",
]

Command = Literal["help", "score", "log", "rules", "table", "hint", "back", "mute", "quit"]
COMMANDS: tuple[Command, ...] = get_args(Command)


@dataclass(frozen=True, slots=True)
class Make:
    """A legal move."""

    move: Move


@dataclass(frozen=True, slots=True)
class ChooseTarget:
    """A hazard that could go to any of these sides: ask which."""

    card: Card
    sides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A move that the rules refuse: one reason for each way to play it."""

    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Explain:
    """A question why this card cannot be played. No reasons if it can be, in every way."""

    card: Card
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class RunCommand:
    """A command instead of a move."""

    command: Command


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line that is neither a move nor a command."""

    problem: Literal["empty", "unknown", "ambiguous", "which_card", "whom", "no_number"]
    text: str = ""
    cards: tuple[Card, ...] = ()


Intention = Make | ChooseTarget | Refused | Explain | RunCommand | Unclear
