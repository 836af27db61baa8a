"""Bots that fail in every way, as entrants that can be sent to other processes."""

from dataclasses import dataclass
from typing import ClassVar

from millebornes.bots import SundayDriver
from millebornes.plugins import BotFailure, Entrant, Player
from millebornes.rules import Extend, Move, View


@dataclass(frozen=True)
class Bad(Entrant):
    """A Sunday Driver until its decision number `good`, counted since it was started."""

    kind: str = "class"  # type: ignore[assignment]
    fault: str = "died"
    good: int = 0
    started: ClassVar[list["BadPlayer"]] = []
    """All that were started in this process."""

    def start(self, **_: float) -> Player:
        player = BadPlayer(self.fault, self.good)
        self.started.append(player)
        return player


class BadPlayer:
    def __init__(self, fault: str, good: int) -> None:
        self.left = good
        self.fault = fault
        self.is_closed = False
        self._driver = SundayDriver()

    def get_ready(self) -> None:
        if self.fault == "not started":
            raise BotFailure("error", "there is no such module")

    def choose(self, view: View) -> Move:
        assert not self.is_closed
        if self.left:
            self.left -= 1
            return self._driver.choose(view)
        if self.fault == "illegal":
            return Extend()
        raise BotFailure(self.fault, "as told")  # type: ignore[arg-type]

    def close(self) -> None:
        assert not self.is_closed
        self.is_closed = True
