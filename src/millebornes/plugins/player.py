"""A bot that has been started, and what can go wrong with it."""

from typing import Literal, Protocol

from millebornes.records.tokens import to_text
from millebornes.rules import Move, View

__all__ = ["BotFailure", "Fault", "Player", "not_legal", "safe"]

Fault = Literal["hung", "died", "nonsense", "illegal", "error"]
"""What can be wrong with a bot: no answer in time, the end of its process, an answer that is not
of the protocol, a move that the rules refuse, an exception."""

_LONGEST = 300


class BotFailure(Exception):  # noqa: N818 (says it best)
    """A bot has failed; it plays no more in this match.

    `detail` is one line of printable English, whatever the bot said. It may tell the cards of the
    bot, so it is for the bot's owner; the sentence of its code is for everybody.
    """

    def __init__(self, fault: Fault, detail: str = "", why: str = "") -> None:
        super().__init__(fault, detail, why)
        self.fault: Fault = fault
        self.detail = detail
        self.why = why
        """The bot's own code for an error, if it gave one."""

    def __str__(self) -> str:
        return f"{self.fault}: {self.detail}" if self.detail else self.fault

    @property
    def section(self) -> str:
        """The section of the language files that holds its sentence."""
        return "bot_faults"

    @property
    def code(self) -> Fault:
        """The key in that section."""
        return self.fault

    @property
    def params(self) -> dict[str, str | int]:
        """The values to insert into its sentence: none."""
        return {}


class Player(Protocol):
    """A bot that has been started. Threads may share it: it answers one question at a time."""

    def get_ready(self) -> None:
        """Wait until it can play; otherwise its first choice waits. Raises `BotFailure`."""
        ...

    def choose(self, view: View) -> Move:
        """Its move, which is legal. Raises `BotFailure`."""
        ...

    def close(self) -> None:
        """End it."""
        ...


def safe(text: str, most: int = _LONGEST) -> str:
    """What a bot said, as one short line that is safe to print: no control characters."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * most])
    line = " ".join(seen.split())
    return line if len(line) <= most else line[: most - 3] + "..."


def not_legal(move: Move, view: View) -> str:
    """The detail of the fault `illegal`."""
    allowed = " ".join(map(to_text, view.legal_moves))
    return safe(f"{to_text(move)} is not legal here: must be one of {allowed}")
