"""Bots in worker processes: one that overruns or dies is replaced, and the move still comes."""

import asyncio
import os
import select
from pathlib import Path

import pytest

from millebornes.bots import BOTS, Advice, strongest
from millebornes.records.tokens import to_text
from millebornes.rules import EDITIONS, Move, View, deal, new_match, view
from millebornes.server import bot_workers
from millebornes.server.bot_workers import LocalThinkers, ProcessThinkers, advise, choose

from .fork_server import ForkServer
from .local_app import local_app

LEVEL = next(iter(BOTS))


@pytest.fixture(scope="module")
def turn() -> View:
    edition = EDITIONS["winning-moves"]
    match, _ = deal(new_match(edition, 2), range(len(edition.deck(2))))
    return next(seen for seat in (0, 1) if (seen := view(match, seat)).legal_moves)


async def test_the_move_falls_back_to_the_simplest_bot(turn: View) -> None:
    thinkers = ProcessThinkers(workers=1, patience=60)
    try:
        assert await thinkers.think(LEVEL, turn) == choose(LEVEL, turn)
        thinkers._workers._workers[0]._process.kill()
        assert await thinkers.think(LEVEL, turn) == choose(None, turn)
        thinkers._workers._patience = 0  # as if all workers were busy for too long
        assert await thinkers.think(LEVEL, turn) == choose(None, turn)
    finally:
        await thinkers.close()
    assert await thinkers.think(LEVEL, turn) == choose(None, turn)


async def test_advice_comes_from_a_worker_and_falls_back_to_the_simplest_bot(turn: View) -> None:
    thinkers = ProcessThinkers(workers=1, patience=60)
    try:
        assert await thinkers.advise(LEVEL, turn) == advise(LEVEL, turn)
        thinkers._workers._workers[0]._process.kill()
        assert await thinkers.advise(LEVEL, turn) == advise(None, turn)
    finally:
        await thinkers.close()


@pytest.mark.timeout(60)
async def test_a_hint_waits_for_a_bot_and_nobody_waits_for_the_hint() -> None:
    class Pensive(LocalThinkers):
        """Gives advice when it is let."""

        def __init__(self) -> None:
            self.may_answer = asyncio.Event()
            self.asked: list[str | None] = []

        async def advise(self, level: str | None, view: View) -> Advice:
            self.asked.append(level)
            await self.may_answer.wait()
            return await super().advise(level, view)

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
            assert thinkers.asked == [strongest()]


class Cheat:
    def choose(self, _view: View) -> Move:
        return "not a move"  # type: ignore[return-value]

    def explain(self, view: View) -> Advice:
        return Advice(self.choose(view), "finish", {})


class Broken:
    def choose(self, _view: View) -> Move:
        raise ZeroDivisionError

    def explain(self, _view: View) -> Advice:
        raise ZeroDivisionError


@pytest.mark.parametrize("bot", [Cheat, Broken])
def test_a_bot_that_fails_or_cheats_is_replaced_for_this_move(
    bot: type[Cheat | Broken], turn: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_workers, "BOTS", {"odd": bot})
    move = choose("odd", turn)
    assert move == choose(None, turn)
    assert move in map(to_text, turn.legal_moves)
    assert advise("odd", turn) == advise(None, turn)


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
