"""Outside bots for tests, and positions to ask them about."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from millebornes.plugins import Entrant, Player
from millebornes.plugins.places import places
from millebornes.rules import DEFAULT_EDITION, View

STRANGE = Path(__file__).with_name("strange_bot.py")
CLASSES = "tests.plugins.class_bots"


def strange(way: str, *more: object) -> str:
    """The name of a bot that goes wrong in this way."""
    return " ".join(["cmd:" + sys.executable, str(STRANGE), way, *map(str, more)])


@cache
def views() -> tuple[View, ...]:
    """Some positions."""
    return tuple(places(DEFAULT_EDITION, 2))


@contextmanager
def started(entrant: Entrant, patience: float = 30.0) -> Iterator[Player]:
    """The bot, and its end. It has much time: a busy machine must not fail a test."""
    player = entrant.start(patience=patience, start_patience=30.0)
    try:
        yield player
    finally:
        player.close()
