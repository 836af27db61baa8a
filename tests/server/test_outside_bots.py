"""Bots of the operator: found at startup, run elsewhere, and replaced when they fail."""

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from millebornes.plugins import BotFailure, Player
from millebornes.records.tokens import to_text
from millebornes.rules import Move, View
from millebornes.server.bot_workers import CAP, ProcessThinkers
from millebornes.server.config import Config
from millebornes.server.outside_bots import BadBot, find_outside_bots
from millebornes.server.run import StartError, prepare
from millebornes.server.sample import sample_turn
from millebornes.server.workers import NoAnswer

TURN = sample_turn()
EXAMPLE = Path(__file__).parents[2] / "docs" / "bots" / "example_bot.py"


def turn(number: int) -> View:
    """A position by number: the first is the one that bots are warmed up with."""
    return TURN._replace(number=number)


@dataclass(frozen=True)
class Rocket:
    """A bot of somebody: what it does depends on the number of the hand."""

    notes: str
    """A file to which it writes when it is started and closed."""

    def start(self) -> Player:
        self._note("started")
        return _Flight(self)

    def _note(self, what: str) -> None:
        with Path(self.notes).open("a", encoding="utf-8") as notes:
            notes.write(f"{what}\n")


class _Flight:
    def __init__(self, rocket: Rocket) -> None:
        self._rocket = rocket

    def get_ready(self) -> None:
        pass

    def choose(self, view: View) -> Move:
        match view.number:
            case 2:
                raise BotFailure("hung", "with ROLL in its hand")
            case 3:
                return "not a move"  # type: ignore[return-value]
            case 4:
                raise ZeroDivisionError
            case 5:
                os.kill(os.getpid(), signal.SIGKILL)
        return view.legal_moves[-1]

    def close(self) -> None:
        self._rocket._note("closed")


@dataclass(frozen=True)
class Dud:
    """A bot that cannot be started."""

    def start(self) -> Player:
        raise BotFailure("died", "there is no such program")


@pytest.mark.timeout(120)
async def test_a_bot_of_the_operator_plays_and_has_no_move_when_it_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("millebornes.server.outside_bots._INSTANCES", 1)
    notes = tmp_path / "notes"
    thinkers = ProcessThinkers(1, outside={"rocket": Rocket(str(notes))})
    try:
        await thinkers.settle("rocket")
        assert thinkers.levels["rocket"] == (True, True)
        assert thinkers.slot("rocket") == CAP
        legal = [to_text(move) for move in TURN.legal_moves]
        assert await thinkers.think("rocket", TURN) == legal[-1]
        with pytest.raises(NoAnswer):
            await thinkers.think_at_once("rocket", TURN)  # it has only one way to think
        for number in (2, 3, 4, 5):
            with pytest.raises(NoAnswer):
                await thinkers.think("rocket", turn(number))
            assert await thinkers.think("rocket", TURN) == legal[-1], "it was not started again"
    finally:
        await thinkers.close()
    said = notes.read_text(encoding="utf-8").split()
    # Nothing is left of it, unless its process was killed.
    assert said == ["started", "closed"] * 3 + ["started", "started", "closed"]
    assert "the bot rocket has failed: hung" in caplog.text
    assert "the bot rocket has failed: illegal" in caplog.text
    assert "ROLL" not in caplog.text


@pytest.mark.timeout(120)
async def test_a_bot_that_cannot_be_started_is_never_ready_and_the_log_says_why(
    caplog: pytest.LogCaptureFixture,
) -> None:
    thinkers = ProcessThinkers(1, outside={"dud": Dud()})
    try:
        await thinkers.settle("dud")
        assert thinkers.levels["dud"] == (False, True)
        with pytest.raises(NoAnswer):
            await thinkers.think("dud", TURN)
    finally:
        await thinkers.close()
    assert "bot dud: a process cannot be started: BotFailure" in caplog.text
    assert "there is no such program" in caplog.text


@pytest.mark.timeout(120)
async def test_a_program_and_a_class_of_somebody_play_at_the_server() -> None:
    classes = "tests.server.test_bot_workers:Last"
    named = [f"example=cmd:{sys.executable} {EXAMPLE}", f"last={classes}"]
    thinkers = ProcessThinkers(1, outside=find_outside_bots(named))
    try:
        for level in ("example", "last"):
            await thinkers.settle(level)
            assert thinkers.levels[level] == (True, True)
            move = await thinkers.think(level, TURN)
            assert move in map(to_text, TURN.legal_moves)
        assert move == to_text(TURN.legal_moves[-1])
    finally:
        await thinkers.close()


def test_bots_are_found_by_their_names() -> None:
    found = find_outside_bots(["sunday=sunday-driver", "other= learner "])
    assert [*found] == ["sunday", "other"]


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        (["rocket=no-such-bot"], "rocket cannot be added. There is no bot .*no-such-bot"),
        ([f"mute=cmd:{sys.executable} -c pass"], "mute cannot be added. .*ended"),
        (["learner=sunday-driver"], "learner cannot be added: a level already has this name"),
        (["one=learner", "one=sunday-driver"], "another bot already has this name"),
    ],
)
def test_a_bot_that_cannot_be_added_is_an_error_at_the_start(
    named: list[str], problem: str
) -> None:
    with pytest.raises(BadBot, match=problem):
        find_outside_bots(named)
    with pytest.raises(StartError, match=problem) as caught:
        prepare(Config(database=":memory:", bot=tuple(named)))
    assert "--bot" in str(caught.value)
