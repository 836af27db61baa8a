"""A bot in a process of its own, asked by the protocol. A failure of it is a `BotFailure`."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import msgspec

from millebornes.records.tokens import parse_move
from millebornes.rules import Move, View

from . import protocol
from .player import BotFailure, not_legal, safe
from .process import BotProcess

__all__ = ["OutsidePlayer", "host_command"]

_HOST = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from millebornes.plugins.host import main; main(sys.argv[2])"
)


class OutsidePlayer:
    """A bot that is not ours, or one of ours that is checked as if it were not.

    The process is started at once, but only `get_ready` and the first choice wait for it, for
    `start_patience` seconds. Each answer may take `patience` seconds.
    """

    def __init__(self, command: Sequence[str], *, patience: float, start_patience: float) -> None:
        self._patience = patience
        self._start_patience = start_patience
        self._lock = Lock()
        self._asked = 0
        self._is_ready = False
        self.process = BotProcess(command)

    def get_ready(self) -> None:
        """Wait until the bot has said that it is ready."""
        with self._lock:
            self._greet()

    def choose(self, view: View) -> Move:
        """Its move for this view."""
        with self._lock:
            self._greet()
            self._asked += 1
            answer = self._ask(self.question(self._asked, view), self._patience)
            return self._move(answer, view)

    def question(self, number: int, view: View) -> bytes:
        """What is sent to ask for a move."""
        return protocol.question(number, view)

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self.process.close(protocol.line_of(protocol.Bye()))

    def _greet(self) -> None:
        if self._is_ready:
            return
        hello = protocol.Hello(protocol.PROTOCOL, self._patience)
        answer = self._ask(protocol.line_of(hello), self._start_patience)
        if not isinstance(answer, protocol.Ready):
            raise self._unexpected(answer, "ready")
        if answer.protocol != protocol.PROTOCOL:
            spoken = f"it speaks version {answer.protocol} of the protocol"
            raise self.process.nonsense(f"{spoken}: must be {protocol.PROTOCOL}")
        self._is_ready = True

    def _ask(self, line: bytes, patience: float) -> protocol.FromBot:
        said = self.process.ask(line, patience)
        try:
            answer = protocol.decode_answer(said)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            quoted = safe(said.decode("utf-8", "replace"), 80)
            raise self.process.nonsense(f"it said “{quoted}”: {safe(str(error), 120)}") from None
        if isinstance(answer, protocol.Error):
            text = safe(answer.text) or "it gave no reason"
            raise BotFailure("error", text, safe(answer.code, 40))
        return answer

    def _move(self, answer: protocol.FromBot, view: View) -> Move:
        if not isinstance(answer, protocol.Move):
            raise self._unexpected(answer, "move")
        if answer.id != self._asked:
            wrong = f"it answered question {answer.id}: must be {self._asked}"
            raise self.process.nonsense(wrong)
        quoted = safe(answer.move, 40)
        try:
            move = parse_move(answer.move)
        except ValueError:
            raise self.process.nonsense(f"“{quoted}” is not a move") from None
        if move not in view.legal_moves:
            raise BotFailure("illegal", not_legal(move, view))
        return move

    def _unexpected(self, answer: protocol.FromBot, expected: str) -> BotFailure:
        said = type(answer).__name__.lower()
        return self.process.nonsense(f"it said “{said}”: must be “{expected}”")


def host_command(name: str) -> list[str]:
    """The command that runs a bot written as a Python class."""
    # The process finds the modules that this one finds, and those of the current folder first.
    folders = dict.fromkeys([str(Path.cwd()), *(str(Path(entry).absolute()) for entry in sys.path)])
    return [sys.executable, "-c", _HOST, json.dumps(list(folders)), name]
