"""Rooms: first the commit, then the effect, then the frames; and failures of the store."""

import asyncio
from pathlib import Path

import pytest

from millebornes.records import game as game_text
from millebornes.table import inputs, messages_in, messages_out, picture

from .rooms import (
    FOR_TWO,
    HOST,
    Listener,
    move_of,
    moves_of,
    open_hub,
    open_practice,
    refusal_code,
    until_asked,
)

pytestmark = pytest.mark.usefixtures("no_grace")


async def test_nothing_takes_effect_and_nothing_is_sent_before_the_commit(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        listener = Listener(HOST)
        room.listeners.append(listener)
        before = room.table
        store.gate.clear()
        put = asyncio.ensure_future(room.put(HOST, messages_in.Chat("hello")))
        for _ in range(20):
            await asyncio.sleep(0)
        assert room.table is before
        assert listener.heard == []
        assert not put.done()
        store.gate.set()
        outcome = await put
        assert outcome.table is room.table
        assert listener.seqs() == [before.seq + 1]
        assert [row.seq for row in await store.log(room.id)] == [1, 2]


async def test_an_input_is_finished_even_if_its_sender_has_gone(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        listener = Listener(HOST)
        room.listeners.append(listener)
        store.gate.clear()
        put = asyncio.ensure_future(room.put(HOST, messages_in.Chat("hello")))
        await asyncio.sleep(0)
        put.cancel()
        store.gate.set()
        await listener.until(lambda: bool(listener.heard))
        assert room.table.seq == len(await store.log(room.id)) == 2


async def test_a_move_with_an_id_that_was_played_is_not_played_again(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await open_practice(hub)
        move = move_of(room)
        assert refusal_code(await room.put(HOST, move)) is None
        await until_asked(room)
        assert refusal_code(await room.put(HOST, move)) == "already_done"
        # Not even as an answer to what is asked now.
        assert refusal_code(await room.put(HOST, move_of(room))) == "already_done"
        assert sum(b'"m1"' in row.data for row in await store.log(room.id)) == 1


async def test_a_move_must_answer_the_decision_that_is_asked(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await open_practice(hub)
        for off in (-1, 1, 1000):
            move = move_of(room, f"m{off}")
            other = messages_in.Move(move.decision + off, move.id, move.move)
            assert refusal_code(await room.put(HOST, other)) == "stale_decision"
        assert room.table.seq == len(await store.log(room.id))


async def test_a_full_disk_refuses_moves_keeps_reads_and_recovers_by_itself(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await open_practice(hub)
        store._writer.pragma("max_page_count", store._writer.pragma("page_count"))
        code = None
        for _ in range(100):  # until the last page is full
            seq = room.table.seq
            code = refusal_code(await room.put(HOST, messages_in.Chat("x" * 500)))
            if code is not None:
                break
        assert code == "cannot_write"
        assert room.table.seq == seq == len(await store.log(room.id))
        assert refusal_code(await room.put(HOST, messages_in.Chat("y" * 500))) == "cannot_write"
        seq = room.table.seq
        listener = Listener(HOST)
        frames = [frame async for frame in room.add(listener, 0)]
        assert [frame.seq for frame in frames] == list(range(1, seq + 1))
        assert moves_of(room)
        store._writer.pragma("max_page_count", 2**30)
        assert refusal_code(await room.put(HOST, move_of(room))) is None
        await until_asked(room)
        assert room.table.seq == len(await store.log(room.id)) > seq + 1


async def test_a_commit_that_seemed_to_fail_is_looked_up_before_anyone_is_answered(
    path: Path,
) -> None:
    async with open_hub(path) as (store, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        listener = Listener(HOST)
        room.listeners.append(listener)
        store.forgets_to_answer = True
        assert refusal_code(await room.put(HOST, messages_in.Chat("hello"))) is None
        assert listener.seqs() == [2]
        assert len(await store.log(room.id)) == 2


async def test_what_could_not_be_looked_up_is_read_before_the_next_input(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        listener = Listener(HOST)
        room.listeners.append(listener)
        store.forgets_to_answer = store.cannot_read = True
        assert refusal_code(await room.put(HOST, messages_in.Chat("first"))) == "cannot_write"
        assert refusal_code(await room.put(HOST, messages_in.Chat("second"))) == "cannot_write"
        assert listener.heard == []
        store.forgets_to_answer = store.cannot_read = False
        assert refusal_code(await room.put(HOST, messages_in.Chat("third"))) is None
        said = [
            e.text for m in listener.heard for e in m.events if isinstance(e, messages_out.ChatSaid)
        ]
        assert said == ["first", "third"]
        assert listener.seqs() == [row.seq for row in await store.log(room.id)][1:]


async def test_of_two_servers_on_one_table_the_slower_reads_again(path: Path) -> None:
    async with open_hub(path) as (_, one):
        mine = await open_practice(one)
        async with open_hub(path) as (store, other):
            await other.restore_tables()
            theirs = other.find(mine.id)
            assert theirs is not None
            listener = Listener(HOST)
            mine.listeners.append(listener)
            seq = mine.table.seq
            old = move_of(mine, "old")
            assert refusal_code(await theirs.put(HOST, messages_in.Chat("theirs"))) is None
            assert refusal_code(await mine.put(HOST, messages_in.Chat("mine"))) is None
            assert mine.table.seq == len(await store.log(mine.id))
            assert listener.seqs() == list(range(seq + 1, mine.table.seq + 1))
            # Both want to move: one move counts, and both know which.
            assert refusal_code(await mine.put(HOST, old)) is None
            late = messages_in.Move(old.decision, "late", old.move)
            assert refusal_code(await theirs.put(HOST, late)) == "stale_decision"
            assert theirs.table.decision > old.decision


async def test_a_match_played_to_its_end_leaves_its_record_with_its_last_input(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await open_practice(hub)
        listener = Listener(HOST)
        room.listeners.append(listener)
        number = 0
        while room.table.phase != "over":
            number += 1
            shown = picture(room.table, HOST)
            assert shown.asked is not None
            if moves_of(room):
                await room.put(HOST, move_of(room, f"m{number}"))
            elif shown.asked.what == "next":
                await room.put(HOST, messages_in.Next(room.table.decision))
            else:
                await listener.after(room, room.table.decision)
        (listed,) = await store.games_of(HOST, 10)
        kept = await store.game(listed.id)
        assert kept is not None
        assert kept.ended == room.table.last_input
        record = game_text.from_text(kept.record)
        assert room.table.match is not None
        assert record.result == room.table.match.totals


async def test_a_table_closed_in_the_middle_of_a_match_keeps_what_was_played(path: Path) -> None:
    async with open_hub(path) as (store, hub):
        room = await open_practice(hub)
        await room.put(HOST, move_of(room))
        await until_asked(room)
        assert await store.games_of(HOST, 10) == []
        assert room.table.game is not None
        played = game_text.to_text(room.table.game)
        await room.put(None, inputs.Shut("idle"))
        (listed,) = await store.games_of(HOST, 10)
        kept = await store.game(listed.id)
        assert kept is not None
        assert kept.record == played
        assert kept.table == room.id
        # Where nothing was dealt, or the end was kept already, there is nothing to keep.
        other = await hub.open(FOR_TWO, HOST, "Host")
        await other.put(None, inputs.Shut("idle"))
        assert len(await store.games_of(HOST, 10)) == 1


# Connections
