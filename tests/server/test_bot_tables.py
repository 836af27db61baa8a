"""Bots at a table of the real server app: when they move, and what happens if they cannot."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from millebornes.bots import LEVELS, Level, SundayDriver
from millebornes.rules import View
from millebornes.server.bot_workers import CAP, RESERVE, SIMPLEST, LocalThinkers, State
from millebornes.server.workers import NoAnswer
from millebornes.words import words
from tests.virtual_time import on_virtual_time

from .local_app import LocalApp, Socket, open_table, room_of, virtual_app
from .memory_store import MemoryStore
from .test_operator import metric, ready

ROCKET = "rocket"
"""The name of a bot of the operator."""


class Garage(LocalThinkers):
    """Our levels, and a bot of the operator that fails while it is told to."""

    def __init__(self) -> None:
        super().__init__({**LEVELS, ROCKET: Level(SundayDriver)})
        self.warm = asyncio.Event()
        self.warm.set()
        self.how: Callable[[], Any] | None = None
        """What the rocket does instead of thinking."""
        self.asked: list[str | None] = []
        self.given_up = 0

    @property
    def levels(self) -> dict[str, State]:
        return {
            name: State(self.warm.is_set() or not level.needs_kernel, name == ROCKET)
            for name, level in self._levels.items()
        }

    async def think(self, level: str | None, view: View) -> str:
        self.asked.append(level)
        if level == ROCKET and self.how is not None:
            try:
                await self.how()
            except asyncio.CancelledError:
                self.given_up += 1
                raise
        return await super().think(level, view)

    async def think_at_once(self, level: str | None, view: View) -> str:
        if level == ROCKET:
            raise NoAnswer
        return await super().think_at_once(level, view)


async def hangs() -> None:
    await asyncio.Event().wait()


async def errs() -> None:
    raise NoAnswer


class Table:
    """A practice table of one person and bots."""

    def __init__(self, wire: Socket, id_: str, token: str = "") -> None:
        self.wire = wire
        self.id = id_
        self.token = token
        self._acted_on = 0
        self.frames: list[dict[str, Any]] = []

    async def until(self, is_there: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Play until a frame is as wanted; make any move when asked for one."""
        while True:
            if self.frames:
                self._act(self.frames[-1]["table"])
            frame = await self.wire.next()
            self.frames.append(frame)
            if is_there(frame):
                return frame

    def _act(self, table: dict[str, Any]) -> None:
        asked, hand = table["asked"], table["hand"]
        if not asked or asked["decision"] == self._acted_on:
            return
        if asked["what"] == "next":
            self.wire.say({"type": "next", "decision": asked["decision"]})
        elif hand and hand["legal_moves"]:
            move = {"type": "move", "decision": asked["decision"], "move": hand["legal_moves"][-1]}
            self.wire.say({**move, "id": f"m{asked['decision']}"})
        self._acted_on = asked["decision"]


def told(frame: dict[str, Any]) -> list[str]:
    return [event["code"] for event in frame["events"] if event["type"] == "told"]


def moved(seat: int) -> Callable[[dict[str, Any]], bool]:
    def has_moved(frame: dict[str, Any]) -> bool:
        made = [e for e in frame["events"] if e["type"] in ("played", "discarded")]
        return any(event["seat"] == seat for event in made)

    return has_moved


def is_asked(seat: int) -> Callable[[dict[str, Any]], bool]:
    def asks(frame: dict[str, Any]) -> bool:
        asked = frame["table"]["asked"]
        return bool(asked) and asked["what"] == "turn" and seat in asked["seats"]

    return asks


async def sit_down(app: LocalApp, level: str, **settings: Any) -> Table:
    """Start a match against a bot of this level."""
    token, client = await app.guest()
    async with client:
        given = {"practice": True, "seed": "bots", "pace": 200, "bot_window": 0, **settings}
        table = await open_table(client, **given)
    wire = app.socket(table, token)
    await wire.__aenter__()
    wire.say({"type": "add_bot", "seat": 1, "level": level})
    wire.say({"type": "start"})
    return Table(wire, table, token)


@on_virtual_time
@pytest.mark.parametrize("how", [hangs, errs])
async def test_a_bot_that_fails_is_replaced_for_the_rest_of_the_hand_and_the_table_is_told(
    how: Callable[[], Any],
) -> None:
    garage = Garage()
    garage.how = how
    async with virtual_app(thinkers=garage) as app:
        table = await sit_down(app, ROCKET)
        asked = await table.until(is_asked(1))
        replaced = await table.until(lambda frame: "bot_replaced" in told(frame))
        # Whether it hangs or dies at once, for whatever reason: at the same time.
        assert replaced["now"] - asked["now"] == CAP - RESERVE
        seat = replaced["table"]["seats"][1]
        assert (seat["level"], seat["replaced_by"]) == (ROCKET, SIMPLEST)
        played = await table.until(moved(1))
        assert played["now"] - asked["now"] <= CAP
        garage.how = None
        dealt = await table.until(lambda frame: any(e["type"] == "dealt" for e in frame["events"]))
        assert dealt["table"]["seats"][1]["replaced_by"] is None
        await table.until(moved(1))
        others = [level for level in garage.asked if level != ROCKET]
        assert garage.asked == [ROCKET, *others, ROCKET]
        assert set(others) == {SIMPLEST}
        assert await metric(app, "bots_replaced_total") == 1
        await table.wire.hang_up()


@on_virtual_time
async def test_a_thought_that_the_table_no_longer_needs_is_given_up() -> None:
    garage = Garage()
    garage.how = hangs
    async with virtual_app(thinkers=garage) as app:
        table = await sit_down(app, ROCKET)
        asked = await table.until(is_asked(1))
        earlier = asked["table"]["back"][-1]
        table.wire.say({"type": "back", "decision": earlier})
        await table.until(lambda frame: "went_back" in told(frame))
        await asyncio.sleep(0.001)
        assert garage.given_up == 1
        assert room_of(app, table.id).driver._thoughts == {}
        await table.wire.hang_up()


@on_virtual_time
async def test_a_restored_table_whose_bot_is_no_longer_there_goes_on_and_is_told() -> None:
    store = MemoryStore()
    async with virtual_app(thinkers=Garage(), store=store) as app:
        table = await sit_down(app, ROCKET)
        await table.until(is_asked(1))
        await table.wire.hang_up()
    async with virtual_app(thinkers=LocalThinkers(), store=store) as app:
        wire = app.socket(table.id, table.token)
        async with wire:
            again = Table(wire, table.id)
            replaced = await again.until(lambda frame: "bot_replaced" in told(frame))
            assert ROCKET not in replaced["table"]["levels"]
            await again.until(moved(1))


class Cold(Garage):
    """A server that has just been started: the kernel levels are warm after this many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.warm.clear()
        asyncio.get_running_loop().call_later(seconds, self.warm.set)

    async def settle(self, level: str) -> None:
        if LEVELS[level].needs_kernel:
            await self.warm.wait()


@on_virtual_time
@pytest.mark.parametrize(("warm_after", "is_replaced"), [(1, False), (9, True)])
async def test_a_restored_table_never_waits_longer_than_the_cap_for_its_bot_to_warm_up(
    warm_after: float, is_replaced: bool
) -> None:
    store = MemoryStore()
    async with virtual_app(thinkers=Garage(), store=store) as app:
        table = await sit_down(app, "commuter")
        await table.until(is_asked(1))
        await table.wire.hang_up()
    async with virtual_app(thinkers=Cold(warm_after), store=store) as app:
        began = asyncio.get_running_loop().time()
        async with app.socket(table.id, table.token) as wire:
            again = Table(wire, table.id)
            await again.until(moved(1))
            assert (asyncio.get_running_loop().time() - began) * 1000 <= CAP
            was_told = any("bot_replaced" in told(frame) for frame in again.frames)
            assert was_told == is_replaced
        assert await metric(app, "bot_thoughts_waited_total") == 1
        assert await metric(app, "bots_replaced_total") == is_replaced
        assert await metric(app, "bot_thoughts_capped_total") == 0


@on_virtual_time
async def test_a_restored_table_keeps_its_bot_if_nobody_is_back_before_it_is_warm() -> None:
    store = MemoryStore()
    async with virtual_app(thinkers=Garage(), store=store) as app:
        table = await sit_down(app, "commuter")
        await table.until(is_asked(1))
        await table.wire.hang_up()
    async with virtual_app(thinkers=Cold(9), store=store) as app:
        await asyncio.sleep(8)  # virtual
        began = asyncio.get_running_loop().time()
        async with app.socket(table.id, table.token) as wire:
            await Table(wire, table.id).until(moved(1))
        assert (asyncio.get_running_loop().time() - began) * 1000 <= CAP
        assert await metric(app, "bots_replaced_total") == 0


@on_virtual_time
async def test_while_bots_warm_up_the_server_serves_and_says_so() -> None:
    garage = Garage()
    garage.warm.clear()
    async with virtual_app(thinkers=garage) as app:
        assert await ready(app) == (503, "warming_up")
        async with app.http() as client:
            bots = {bot["level"]: bot for bot in (await client.get("/api/bots")).json()}
        assert [bots[level]["ready"] for level in LEVELS] == [True, True, False]
        assert [bot["level"] for bot in bots.values() if bot["outside"]] == [ROCKET]
        table = await sit_down(app, "commuter")
        refused = await table.wire.next("rejected")
        assert refused["code"] == "level_warming_up"
        assert refused["params"] == {"level": "commuter"}
        assert refused["table"]["seats"][1]["kind"] == "empty"
        assert (await table.wire.next("rejected"))["code"] == "seats_empty"
        # What needs no kernel can be played at once, and the others later.
        table.wire.say({"type": "add_bot", "seat": 1, "level": "learner"})
        await table.until(lambda frame: "bot_added" in told(frame))
        table.wire.say({"type": "kick", "seat": 1})
        garage.warm.set()
        assert await ready(app) == (200, "ready")
        table.wire.say({"type": "add_bot", "seat": 1, "level": "commuter"})
        table.wire.say({"type": "start"})
        await table.until(moved(1))
        await table.wire.hang_up()


@on_virtual_time
async def test_a_bot_of_the_operator_that_never_starts_keeps_nobody_waiting() -> None:
    class Broken(Garage):
        @property
        def levels(self) -> dict[str, State]:
            return {**super().levels, ROCKET: State(False, is_outside=True)}

    async with virtual_app(thinkers=Broken()) as app:
        assert await ready(app) == (200, "ready")
        table = await sit_down(app, ROCKET)
        assert (await table.wire.next("rejected"))["code"] == "level_warming_up"
        await table.wire.hang_up()


@on_virtual_time
async def test_no_message_starts_anything_whatever_level_it_names() -> None:
    async with virtual_app(thinkers=Garage()) as app:
        for level in ("tests.server.local_app:Socket", "cmd:true", "no-such-level"):
            table = await sit_down(app, level)
            refused = await table.wire.next("rejected")
            assert refused["code"] == "no_such_level", level
            await table.wire.hang_up()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_everybody_is_told_in_their_language_that_a_bot_was_replaced(language: str) -> None:
    sentence = json.dumps(words(language).data["web"]["told"]["bot_replaced"])
    assert "{name}" in sentence
