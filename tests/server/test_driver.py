"""What drives a table: bots, timers, and what happens when something cannot be written."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from millebornes.server.store import LogRow, StoreError
from millebornes.table import inputs, messages_in
from tests.virtual_time import ManualClock

from .rooms import (
    FOR_TWO,
    HOST,
    PRACTICE,
    Listener,
    move_of,
    moves_of,
    open_hub,
    open_practice,
    refusal_code,
    until_asked,
)

pytestmark = pytest.mark.usefixtures("no_grace")


async def test_a_bots_move_that_could_not_be_written_is_written_later(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await open_practice(hub)
        listener = Listener(HOST)
        room.listeners.append(listener)
        written = store.append
        tries = 0

        async def only_people(table: str, row: LogRow, **more: Any) -> None:
            nonlocal tries
            if row.guest is None:
                tries += 1
                if tries <= 5:
                    raise StoreError("the disk is full")
            await written(table, row, **more)

        store.append = only_people  # type: ignore[method-assign]
        assert refusal_code(await room.put(HOST, move_of(room))) is None
        decision = room.table.decision
        await listener.until(lambda: room.table.decision > decision and bool(moves_of(room)))
        assert tries > 5
        seqs = listener.seqs()
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


async def test_a_thought_that_came_too_late_is_asked_for_again(path: Path) -> None:
    """The person takes the seat back just before the bot moves, and leaves just after."""
    async with open_hub(path) as (_, hub):
        room = await open_practice(hub)
        decision = room.table.decision
        put = room.put
        refused: list[str | None] = []

        async def crossing(guest: str | None, message: Any) -> Any:
            if not isinstance(message, inputs.Thought) or refused:
                return await put(guest, message)
            assert refusal_code(await put(HOST, messages_in.Return())) is None
            outcome = await put(guest, message)
            refused.append(refusal_code(outcome))
            assert refusal_code(await put(HOST, messages_in.Leave())) is None
            return outcome

        room.put = crossing  # type: ignore[method-assign, assignment]
        assert refusal_code(await put(HOST, messages_in.Leave())) is None
        while room.table.decision == decision and room.driver._tasks:
            await asyncio.wait(room.driver._tasks, return_when=asyncio.FIRST_COMPLETED)
        assert refused == ["not_needed"]
        assert room.table.decision > decision


async def test_time_in_which_nothing_could_be_written_does_not_count(path: Path) -> None:
    clock = ManualClock()
    async with open_hub(path, clock) as (store, hub):
        room = await hub.open(replace(PRACTICE, clock=60_000), HOST, "Host")
        room.driver.retry_after = 3600
        for message in (messages_in.AddBot(1, "sunday-driver"), messages_in.Start()):
            await room.put(HOST, message)
        await until_asked(room)
        clock.advance(20)
        store.fails = True
        assert refusal_code(await room.put(HOST, move_of(room))) == "cannot_write"
        left = (room.table.answer_by or 0) - clock.now()
        clock.advance(3600)
        store.fails = False
        assert refusal_code(await room.put(HOST, messages_in.Chat("back"))) is None
        assert (room.table.answer_by or 0) - clock.now() == left == 40_000
        shifts = [row for row in await store.log(room.id) if b'"shift"' in row.data]
        assert len(shifts) == 1
        assert refusal_code(await room.put(HOST, move_of(room))) is None


async def test_a_table_where_nothing_ever_happens_is_closed(path: Path) -> None:
    async with open_hub(path) as (_, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        assert room.driver._timer is not None  # it was put there without any input
