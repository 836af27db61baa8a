"""The bot that plays the other seats, and the Sunday Driver where it fails."""

from collections.abc import Callable

from millebornes.bots import SundayDriver
from millebornes.plugins import BotFailure, Entrant
from millebornes.rules import Move, View

__all__ = ["Opponent"]


class Opponent:
    """A bot of any name. If it fails, the Sunday Driver plays on until the end of the hand."""

    def __init__(self, entrant: Entrant, on_failure: Callable[[BotFailure], None]) -> None:
        """Start the bot. Raises `BotFailure` if it cannot play at all."""
        self._entrant = entrant
        self._on_failure = on_failure
        self._failed_in: int | None = None
        """The number of the hand in which it has failed."""
        self._player = entrant.start()
        try:
            self._player.get_ready()
        except BotFailure:
            self._player.close()
            raise

    def choose(self, view: View) -> Move:
        """A move for this view, which is always legal."""
        if self._failed_in != view.number:
            try:
                return self._asked(view)
            except BotFailure as failure:
                self._failed_in = view.number
                self._player.close()
                self._on_failure(failure)
        return SundayDriver().choose(view)

    def _asked(self, view: View) -> Move:
        if self._failed_in is not None:
            self._player = self._entrant.start()
            self._failed_in = None
        return self._player.choose(view)

    def close(self) -> None:
        """End the bot."""
        self._player.close()
