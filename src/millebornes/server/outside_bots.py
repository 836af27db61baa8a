"""Bots that the operator has added: found at startup, and run in processes of their own.

Only the settings name them. A table knows no more than their names.
"""

import atexit
import logging
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Protocol

from millebornes.bots import LEVELS
from millebornes.plugins import BotFailure, Player, UnknownBot, find_bot
from millebornes.plugins import Entrant as Named
from millebornes.records.tokens import to_text
from millebornes.rules import View
from millebornes.words import words

from .sample import sample_turn
from .workers import NoAnswer, Workers

__all__ = ["BadBot", "Entrant", "OutsideBot", "find_outside_bots"]

_log = logging.getLogger(__name__)
_INSTANCES = 2
"""Processes of each bot: so many of its tables can be served at the same time."""
_PATIENCE = 60.0
"""Seconds until a process that runs a bot is killed. The bot itself is given up long before."""
_FAREWELL = 5.0
"""Seconds that such a process has to end its bot."""
_NICENESS = 10


class BadBot(Exception):  # noqa: N818 (says it best)
    """A bot that the operator named cannot be added; the text says why."""


class Entrant(Protocol):
    """A bot that can be started, as `find_bot` finds it. It is pickled."""

    def start(self) -> Player:
        """Start it."""
        ...


def find_outside_bots(named: Sequence[str]) -> Mapping[str, Entrant]:
    """The bots of the setting `bot`, by name. Each has shown that it starts. Raises `BadBot`."""
    found: dict[str, Entrant] = {}
    for text in named:
        name, _, bot = text.partition("=")
        if name in LEVELS or name in found:
            whose = "a level" if name in LEVELS else "another bot"
            raise BadBot(f"the bot {name} cannot be added: {whose} already has this name")
        try:
            found[name] = _that_starts(find_bot(bot.strip()))
        except (UnknownBot, BotFailure) as error:
            why = words().sentence(error).rstrip(".")
            raise BadBot(f"the bot {name} cannot be added. {why[:1].upper()}{why[1:]}") from None
    return found


def _that_starts(entrant: Named) -> Named:
    """This bot. A class has been loaded to find it; a program has not been started yet."""
    if entrant.kind == "program":
        with closing(entrant.start()) as player:
            player.get_ready()
    return entrant


class OutsideBot:
    """One bot of the operator, in a few processes."""

    def __init__(self, name: str, entrant: Entrant) -> None:
        self._name = name
        self._entrant = entrant
        self.workers = Workers(
            f"bot {name}",
            _ask,
            count=_INSTANCES,
            patience=_PATIENCE,
            niceness=_NICENESS,
            prepare=partial(_begin, entrant),
            farewell=_FAREWELL,
        )

    async def choose(self, view: View) -> str:
        """Its move as a token; `NoAnswer` if it has failed."""
        move, fault = await self.workers.ask(_ask, self._entrant, view)
        if move is None:
            _log.warning("the bot %s has failed: %s", self._name, fault)
            raise NoAnswer
        return move


# In a process that runs a bot

_player: Player | None = None
"""The bot of this process, while it runs."""


def _begin(entrant: Entrant) -> None:
    """Start the bot, and see whether it can play."""
    # So that nothing is left of the bot, however this process is asked to end.
    signal.signal(signal.SIGTERM, _on_term)
    atexit.register(_end)
    _choose(entrant, sample_turn())


def _on_term(*_: object) -> None:
    sys.exit()


def _ask(entrant: Entrant, view: View) -> tuple[str | None, str]:
    """The bot's move as a token; or None, and what is wrong."""
    try:
        return _choose(entrant, view), ""
    except BotFailure as failure:
        return None, failure.fault  # without its detail, which may quote a card


def _choose(entrant: Entrant, view: View) -> str:
    global _player  # noqa: PLW0603 (one per process)
    if _player is None:
        _player = entrant.start()
    try:
        move = _player.choose(view)
        if move not in view.legal_moves:
            raise BotFailure("illegal")
    except BaseException:
        _end()  # the next question starts it again
        raise
    return to_text(move)


def _end() -> None:
    global _player
    player, _player = _player, None
    if player is not None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # ending once is enough
        player.close()
        signal.signal(signal.SIGTERM, _on_term)
