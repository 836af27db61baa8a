"""Bots in worker processes: none queues behind a search, and each level makes its own moves."""

import asyncio
import os
import select
from pathlib import Path

import pytest

from millebornes.bots import BOTS, LEVELS, Advice, Commuter, Level, SundayDriver, strongest
from millebornes.records.tokens import to_text
from millebornes.rules import Move, View
from millebornes.server import thinking as thinking_module
from millebornes.server.bot_workers import (
    LocalThinkers,
    ProcessThinkers,
    advise,
    choose,
)
from millebornes.server.clock import SystemClock
from millebornes.server.sample import sample_turn
from millebornes.server.thinking import Thinking
from millebornes.server.workers import NoAnswer
from millebornes.table import Think

from .fork_server import ForkServer
from .local_app import local_app

LEVEL = next(iter(BOTS))
TURN = sample_turn()
OTHERS = {name: level for name, level in LEVELS.items() if not level.needs_kernel}


class Last:
    """Plays the last of the legal moves."""

    def choose(self, view: View) -> Move:
        return view.legal_moves[-1]

    def explain(self, view: View) -> Advice:
        return Advice(self.choose(view), "finish", {})


class Burner(Last):
    """Searches for ever, except at the position that it is warmed up with."""

    def choose(self, view: View) -> Move:
        while view != TURN:
            pass
        return view.legal_moves[0]


class Niceness(Last):
    """Tells how nice its process is: by the number of its move."""

    def choose(self, view: View) -> Move:
        return view.legal_moves[0 if os.nice(0) >= 15 else -1]


class Cheat(Last):
    def choose(self, _view: View) -> Move:
        return "not a move"  # type: ignore[return-value]


class Broken(Last):
    def choose(self, _view: View) -> Move:
        raise ZeroDivisionError


def other_turn() -> View:
    """Not the position that bots are warmed up with."""
    return TURN._replace(number=TURN.number + 1)


def token(index: int) -> str:
    return to_text(TURN.legal_moves[index])


@pytest.mark.timeout(120)
async def test_levels_without_kernel_play_at_once_and_the_others_when_they_are_warm() -> None:
    thinkers = ProcessThinkers(1)
    try:
        assert [level for level, state in thinkers.levels.items() if state.is_ready] == [*OTHERS]
        assert await thinkers.think("learner", TURN) == choose(BOTS["learner"], TURN)
        await thinkers.settle("commuter")
        assert all(state.is_ready for state in thinkers.levels.values())
        assert await thinkers.think("commuter", TURN) == choose(Commuter, TURN)
        assert await thinkers.think(None, TURN) == choose(Commuter, TURN)
        assert await thinkers.advise(TURN) == advise(BOTS[strongest()], TURN)
        with pytest.raises(NoAnswer):
            await thinkers.think("no longer there", TURN)
        # One whose worker dies has no move; it does not get anybody else's.
        thinkers._quick._workers[0]._process.kill()
        thinkers._quick._workers[0]._process.join()
        with pytest.raises(NoAnswer):
            await thinkers.think("commuter", TURN)
        assert await thinkers.think("learner", TURN) == choose(BOTS["learner"], TURN)
        assert await thinkers.think("commuter", TURN) == choose(Commuter, TURN)
        assert thinkers.workers_replaced == 1
    finally:
        await thinkers.close()
    with pytest.raises(NoAnswer):
        await thinkers.think("commuter", TURN)


@pytest.mark.timeout(120)
async def test_a_base_policy_never_queues_behind_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one worker for searches is busy for ever; every table still has its own level's move."""
    # On a busy machine the base policy may take longer than it has at a live table.
    monkeypatch.setattr(thinking_module, "_FAILED", 60_000)
    levels = {**OTHERS, "rally": Level(Burner, base=Last)}
    thinkers = ProcessThinkers(1, levels=levels)
    clock = SystemClock()
    thinking = Thinking(thinkers, clock)
    watched = asyncio.Event()
    watched.set()
    try:
        await thinkers.settle("rally")
        assert thinkers.levels["rally"].is_ready
        assert await thinkers.think("rally", TURN) == token(0)
        asked = [Think(seat, "rally", other_turn(), "turn", 1, clock.now()) for seat in range(5)]
        moves = await asyncio.gather(*(thinking.move(think, watched) for think in asked))
        assert moves == [token(-1)] * 5
        assert (thinking.counts.thoughts, thinking.counts.capped) == (5, 5)
        assert thinking.counts.replaced == 0
        # Quick levels do not notice, and no thought is left over.
        assert await thinkers.think("learner", TURN) == choose(BOTS["learner"], TURN)
    finally:
        await thinkers.close()


@pytest.mark.timeout(120)
async def test_searches_step_back_for_the_server() -> None:
    levels = {**OTHERS, "rally": Level(Niceness, base=Niceness)}
    thinkers = ProcessThinkers(1, levels=levels)
    try:
        await thinkers.settle("rally")
        assert await thinkers.think("rally", TURN) == token(0)
        assert await thinkers.think_at_once("rally", TURN) == token(-1)
    finally:
        await thinkers.close()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("bot", [Cheat, Broken])
async def test_a_level_that_cannot_be_loaded_is_not_offered_and_keeps_nobody_waiting(
    bot: type[Cheat | Broken], caplog: pytest.LogCaptureFixture
) -> None:
    levels = {**OTHERS, "odd": Level(bot, needs_kernel=True)}
    thinkers = ProcessThinkers(1, levels=levels)
    try:
        await thinkers.settle("odd")
        assert [*thinkers.levels] == [*OTHERS]
        assert all(state.is_ready for state in thinkers.levels.values())
        assert await thinkers.think(None, TURN) == choose(SundayDriver, TURN)
        assert await thinkers.advise(TURN) == advise(SundayDriver, TURN)
    finally:
        await thinkers.close()
    assert caplog.text.count("the level odd is not offered") == 1


@pytest.mark.parametrize("bot", [Cheat, Broken])
async def test_a_bot_that_fails_or_cheats_has_no_move(bot: type[Cheat | Broken]) -> None:
    thinkers = LocalThinkers({"odd": Level(bot)})
    with pytest.raises(NoAnswer):
        await thinkers.think("odd", TURN)


@pytest.mark.timeout(60)
async def test_a_hint_waits_for_a_bot_and_nobody_waits_for_the_hint() -> None:
    class Pensive(LocalThinkers):
        """Gives advice when it is let."""

        def __init__(self) -> None:
            self.may_answer = asyncio.Event()
            super().__init__()

        async def advise(self, view: View) -> Advice:
            await self.may_answer.wait()
            return await super().advise(view)

    thinkers = Pensive()
    async with local_app(thinkers=thinkers) as app:
        token, host = await app.guest()
        async with host:
            body = {"name": "Ada", "practice": True, "seed": "1", "bot_window": 0, "pace": 0}
            table = (await host.post("/api/tables", json=body)).json()["table"]
        async with app.socket(table, token) as wire:
            wire.say({"type": "add_bot", "seat": 1, "level": LEVEL})
            wire.say({"type": "start"})
            frame = await wire.next()
            while not (frame["table"]["hand"] or {}).get("legal_moves"):
                frame = await wire.next()
            decision = frame["table"]["asked"]["decision"]
            wire.say({"type": "hint", "decision": decision})
            wire.say({"type": "hint", "decision": decision})  # it is on its way
            wire.say({"type": "hint", "decision": decision + 1})
            assert (await wire.next("rejected"))["code"] == "too_many"
            # The table goes on while the bot thinks.
            wire.say({"type": "chat", "text": "hm"})
            chats = [e for e in (await wire.next())["events"] if e["type"] == "chat"]
            assert [chat["text"] for chat in chats] == ["hm"]
            thinkers.may_answer.set()
            hint = await wire.next("hinted")
            assert hint["decision"] == decision
            assert hint["move"] in frame["table"]["hand"]["legal_moves"]


def children_of(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs process descriptors")
def test_no_worker_is_left_behind_by_a_server_that_was_killed(tmp_path: Path) -> None:
    with ForkServer() as fork_server:
        pid = fork_server.start(tmp_path / "tables.sqlite", workers=True, bot_workers=2)
        children = children_of(pid)
        assert len(children) >= 2
        watched = [os.pidfd_open(child) for child in children]
        try:
            fork_server.kill(pid)
            for descriptor in watched:
                assert select.select([descriptor], [], [], 60)[0], "it is still there"
        finally:
            for descriptor in watched:
                os.close(descriptor)
