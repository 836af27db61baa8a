"""The conformance test: can a bot play wherever bots play?

It asks about positions of every edition, and looks at what the bot says and how it ends. Bots of
ours are checked in the same way, in a process of their own.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Literal, NamedTuple

import msgspec

from millebornes.rules import Move, View

from . import protocol
from .entrant import PATIENCE, START_PATIENCE, Entrant
from .outside import OutsidePlayer
from .player import BotFailure, Fault, safe

__all__ = ["Check", "Finding", "Result", "check_bot"]

Check = Literal["start", "moves", "time", "same", "unknown", "end", "output"]
"""What is checked, in the order of the report."""
Result = Literal["passed", "warning", "failed", "skipped"]
_CHECKS: tuple[Check, ...] = ("start", "moves", "time", "same", "unknown", "end", "output")
_AGAIN = 5
"""One question in so many is asked again."""
_CHECK_OF: Mapping[Fault, Check] = {"hung": "time", "nonsense": "output"}
"""The check that a fault belongs to, if it is not `moves`."""


class Finding(NamedTuple):
    """The result of one check."""

    check: Check
    result: Result
    params: Mapping[str, str | int]
    failure: BotFailure | None = None
    view: View | None = None
    """The position in which it failed."""

    @property
    def section(self) -> str:
        """The section of the language files that holds its sentence."""
        return "bot_findings"

    @property
    def code(self) -> str:
        """The key in that section."""
        return f"{self.check}_{self.result}"


def check_bot(
    entrant: Entrant,
    asked: Sequence[View],
    *,
    patience: float = PATIENCE,
    start_patience: float = START_PATIENCE,
    on_answer: Callable[[], None] = lambda: None,
) -> list[Finding]:
    """What the checks found, one finding each, after asking about all these positions."""
    if not entrant.is_outside:
        # A level may have to be compiled, which takes longer than a move may; then it is cached.
        with closing(entrant.start()) as ours:
            ours.choose(max(asked, key=lambda view: len(view.legal_moves)))
    conformance = _Conformance(entrant, patience, start_patience, on_answer)
    conformance.run(asked)
    return [conformance.found.get(check, Finding(check, "skipped", {})) for check in _CHECKS]


class _FromTheFuture(OutsidePlayer):
    """Asks as a later version may: with messages and fields that are not known yet."""

    def question(self, number: int, view: View) -> bytes:
        told = msgspec.json.decode(super().question(number, view))
        told["weather"] = "fine"
        told["table"]["hand"]["weather"] = {"tomorrow": ["fine"]}
        news = {"type": "weather", "weather": "fine"}
        return msgspec.json.encode(news) + b"\n" + msgspec.json.encode(told) + b"\n"


class _Conformance:
    """One run of the checks: everything is asked once, then some of it in a second process."""

    def __init__(
        self,
        entrant: Entrant,
        patience: float,
        start_patience: float,
        on_answer: Callable[[], None],
    ) -> None:
        self.entrant = entrant
        self.patience = patience
        self.start_patience = start_patience
        self.on_answer = on_answer
        self.found: dict[Check, Finding] = {}
        self.answers: dict[int, Move] = {}

    def run(self, asked: Sequence[View]) -> None:
        player = self._started(OutsidePlayer)
        if player is None:
            return
        try:
            is_alive = self._ask_all(player, asked)
        finally:
            bye = protocol.line_of(protocol.Bye())
            has_ended = player.process.close(bye)
        if not is_alive:
            return
        self._look_at_end(player, has_ended)
        player = self._started(_FromTheFuture)
        if player is None:
            return
        try:
            is_alive = self._ask_again(player, asked)
        finally:
            has_ended = player.process.close()  # this time without a farewell
        if is_alive:
            self._look_at_end(player, has_ended)

    def note(self, check: Check, result: Result, **params: str | int) -> None:
        """Note a finding; one that is worse than an earlier one replaces it."""
        worse: tuple[Result, ...] = ("passed", "warning", "failed")
        earlier = self.found.get(check)
        if earlier is None or worse.index(earlier.result) < worse.index(result):
            self.found[check] = Finding(check, result, params)

    def blame(self, check: Check, failure: BotFailure, view: View | None = None) -> None:
        """Note a failure, unless an earlier one was noted."""
        if check not in self.found or self.found[check].result != "failed":
            self.found[check] = Finding(check, "failed", {}, failure, view)

    def _started(self, kind: type[OutsidePlayer]) -> OutsidePlayer | None:
        began = time.monotonic()
        player = None
        try:
            player = kind(
                self.entrant.command(),
                patience=self.patience,
                start_patience=self.start_patience,
            )
            player.get_ready()
        except BotFailure as failure:
            if player is not None:
                player.close()
            self.blame("start", failure)
            return None
        self.note("start", "passed", ms=_ms(time.monotonic() - began))
        return player

    def _ask_all(self, player: OutsidePlayer, asked: Sequence[View]) -> bool:
        """Ask about every position. Return whether the process is still there."""
        slowest = 0.0
        for number, view in enumerate(asked):
            began = time.monotonic()
            try:
                self.answers[number] = player.choose(view)
            except BotFailure as failure:
                if failure.fault not in ("illegal", "error"):
                    self.blame(_CHECK_OF.get(failure.fault, "moves"), failure, view)
                    return False
                self.blame("moves", failure, view)
            slowest = max(slowest, time.monotonic() - began)
            self.on_answer()
        editions = len({view.edition for view in asked})
        self.note("moves", "passed", count=len(asked), editions=editions)
        if self.answers:
            self.note("time", "passed", ms=_ms(slowest), seconds=round(self.patience))
        return True

    def _ask_again(self, player: OutsidePlayer, asked: Sequence[View]) -> bool:
        """Ask about some positions again. Return whether the process is still there."""
        different = 0
        numbers = [number for number in sorted(self.answers, reverse=True) if not number % _AGAIN]
        for number in numbers:
            try:
                different += player.choose(asked[number]) != self.answers[number]
            except BotFailure as failure:
                self.blame("unknown", failure, asked[number])
                return False
        if numbers:
            self.note("unknown", "passed")
            result: Result = "warning" if different else "passed"
            self.note("same", result, count=len(numbers), different=different)
        return True

    def _look_at_end(self, player: OutsidePlayer, has_ended: bool) -> None:
        code = player.process.exit_code
        if not has_ended:
            self.note("end", "failed")
        else:
            self.note("end", "warning" if code else "passed", exit_code=code or 0)
        unread = player.process.unread
        if unread:
            failure = BotFailure("nonsense", safe(unread.decode("utf-8", "replace"), 80))
            self.blame("output", failure)
        self.note("output", "passed")


def _ms(seconds: float) -> int:
    return round(1000 * seconds)
