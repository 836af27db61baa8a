"""Who chooses the moves of a seat: a policy of the fast engine, or a bot that has been started.

A bot is started once in each process and used again for the next match. Outside bots take a
while to start; and no bot remembers anything, because the same view must give the same choice.
"""

import atexit
from collections import defaultdict
from time import perf_counter
from types import TracebackType

from millebornes.fast import POLICIES
from millebornes.fast.decks import choice_seed
from millebornes.plugins import Entrant, Player
from millebornes.rules import Move, View

from .matches import Chooser
from .setup import Setup

__all__ = ["Clock", "Players", "chooser", "dismiss_idle", "is_policy"]

_idle: defaultdict[Entrant, list[Player]] = defaultdict(list)
"""The players of this process that wait for work: each thread takes one for itself."""


def is_policy(entrant: Entrant) -> bool:
    """Whether the kernel can play this bot. A level may be a policy, too."""
    return not entrant.is_outside and entrant.name in POLICIES


class Clock:
    """How long a bot has thought, and about how many decisions."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.decisions = 0


class Players:
    """The players that one part of a contest needs, started when they are first asked."""

    def __init__(self) -> None:
        self._taken: dict[Entrant, Player] = {}

    def __enter__(self) -> "Players":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for entrant, player in self._taken.items():
            if kind is None:
                _idle[entrant].append(player)
            else:  # it may have been interrupted in the middle of a thought
                player.close()

    def of(self, entrant: Entrant) -> Player:
        """The player of a bot. Raises `BotFailure` if it cannot be started."""
        player = self._taken.get(entrant)
        if player is None:
            idle = _idle[entrant]
            player = self._taken[entrant] = idle.pop() if idle else entrant.start()
            player.get_ready()
        return player

    def end(self, entrant: Entrant) -> None:
        """End a player that has failed: the next match starts it anew."""
        player = self._taken.pop(entrant, None)
        if player is not None:
            player.close()


def dismiss_idle() -> None:
    """End all players of this process that wait for work."""
    for idle in _idle.values():
        while idle:
            idle.pop().close()


atexit.register(dismiss_idle)


def chooser(entrant: Entrant, setup: Setup, index: int, players: Players, clock: Clock) -> Chooser:
    """What chooses the moves of this bot in the match with this number."""
    if not is_policy(entrant):
        return _timed_player(entrant, players, clock)
    engine = setup.engine()

    def choose(seen: View, asked: int) -> Move:
        word = choice_seed(seed=setup.seed, index=index, hand=seen.number - 1, asked=asked)
        started = perf_counter()
        move = engine.choose(seen, entrant.name, seed=word)
        clock.seconds += perf_counter() - started
        clock.decisions += 1
        return move

    return choose


def _timed_player(entrant: Entrant, players: Players, clock: Clock) -> Chooser:
    def choose(seen: View, _: int) -> Move:
        player = players.of(entrant)
        started = perf_counter()
        move = player.choose(seen)
        clock.seconds += perf_counter() - started
        clock.decisions += 1
        return move

    return choose
