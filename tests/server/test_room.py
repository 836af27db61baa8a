"""Tables being served: commit first, then effect, then frames; and what if something fails."""

import asyncio
import contextlib
import gc
import json
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketState

from millebornes.records import game as game_text
from millebornes.rules import EDITIONS, RULES_VERSION, view
from millebornes.server.clock import SystemClock
from millebornes.server.codec import encode_input, encode_settings
from millebornes.server.connection import Connection
from millebornes.server.driver import TableDriver
from millebornes.server.entropy import SystemEntropy
from millebornes.server.hub import Hub
from millebornes.server.limits import Allowance, Allowances, Buckets
from millebornes.server.metrics import Metrics
from millebornes.server.room import Room
from millebornes.server.store import LogRow, StoreError
from millebornes.server.store.sqlite import SqliteStore
from millebornes.server.thinking import LocalThinkers, choose
from millebornes.table import Settings, inputs, messages_in, messages_out, picture
from millebornes.table.close_codes import CloseCode
from millebornes.words import words

from .virtual import SetClock

HOST, GUEST = "host", "guest"
EDITION = EDITIONS["winning-moves"]
PRACTICE = Settings(
    edition=EDITION, players=2, practice=True, seed="1954", pace=0, bot_window=0, window=1000
)
FOR_TWO = Settings(edition=EDITION, players=2)


@pytest.fixture(autouse=True)
def nobody_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TableDriver, "gone_after", 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


class Ear:
    """Listens, and can be waited for."""

    def __init__(self, guest: str) -> None:
        self.guest = guest
        self.heard: list[Any] = []
        self.ended: tuple[int, str] | None = None
        self._news = asyncio.Event()

    def hear(self, message: object) -> None:
        self.heard.append(message)
        self._news.set()

    def end(self, code: int, why: str) -> None:
        self.ended = (code, why)

    async def until(self, is_there: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not is_there():
                self._news.clear()
                await self._news.wait()

    async def after(self, room: Room, decision: int) -> None:
        await self.until(lambda: room.table.decision > decision)

    def seqs(self) -> list[int]:
        return [message.seq for message in self.heard]


class TroubledStore(SqliteStore):
    """A real store whose appends can be held up, or fail in several ways."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, shared=True)
        self.gate = asyncio.Event()
        self.gate.set()
        self.fails = False
        self.forgets_to_answer = False
        self.cannot_read = False

    async def append(self, table: str, row: LogRow, **more: Any) -> None:
        await self.gate.wait()
        if self.fails:
            raise StoreError("the disk is full")
        await super().append(table, row, **more)
        if self.forgets_to_answer:
            raise StoreError("the connection was lost")

    async def log(self, table: str, after: int = 0, most: int | None = None) -> Any:
        if self.cannot_read:
            raise StoreError("the connection is lost")
        return await super().log(table, after, most)


def run(path: Path, work: Callable[[TroubledStore, Hub], Awaitable[None]]) -> None:
    async def main() -> None:
        async with serving(path) as (store, hub):
            await work(store, hub)

    asyncio.run(main())


@contextlib.asynccontextmanager
async def serving(path: Path, clock: Any = None) -> AsyncIterator[tuple[TroubledStore, Hub]]:
    store = TroubledStore(path)
    await store.open()
    hub = Hub(store, LocalThinkers(), clock or SystemClock(), SystemEntropy())
    try:
        yield store, hub
    finally:
        store.gate.set()
        await hub.stop()
        await store.close()


async def open_practice(hub: Hub) -> Room:
    """A practice table where the first move of a person is awaited."""
    room = await hub.open(PRACTICE, HOST, "Host")
    room.driver.retry_after = 0
    for message in (messages_in.AddBot(1, "sunday-driver"), messages_in.Start()):
        assert (await room.put(HOST, message)).refused is None
    await until_asked(room)
    return room


async def until_asked(room: Room) -> None:
    """Let the bots play until the person is asked."""
    ear = Ear(HOST)
    room.listeners.append(ear)
    await ear.until(lambda: bool(moves_of(room)))
    room.listeners.remove(ear)


def moves_of(room: Room) -> tuple[str, ...]:
    shown = picture(room.table, HOST)
    return shown.hand.legal_moves if shown.hand is not None else ()


def move_of(room: Room, id_: str = "m1") -> messages_in.Move:
    assert room.table.match is not None
    return messages_in.Move(room.table.decision, id_, choose(None, view(room.table.match, 0)))


def code_of(outcome: Any) -> str | None:
    return None if outcome.refused is None else str(outcome.refused.code)


def test_nothing_takes_effect_and_nothing_is_sent_before_the_commit(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        ear = Ear(HOST)
        room.listeners.append(ear)
        before = room.table
        store.gate.clear()
        put = asyncio.ensure_future(room.put(HOST, messages_in.Chat("hello")))
        for _ in range(20):
            await asyncio.sleep(0)
        assert room.table is before
        assert ear.heard == []
        assert not put.done()
        store.gate.set()
        outcome = await put
        assert outcome.table is room.table
        assert ear.seqs() == [before.seq + 1]
        assert [row.seq for row in await store.log(room.id)] == [1, 2]

    run(path, work)


def test_an_input_is_finished_even_if_its_sender_has_gone(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        ear = Ear(HOST)
        room.listeners.append(ear)
        store.gate.clear()
        put = asyncio.ensure_future(room.put(HOST, messages_in.Chat("hello")))
        await asyncio.sleep(0)
        put.cancel()
        store.gate.set()
        await ear.until(lambda: bool(ear.heard))
        assert room.table.seq == len(await store.log(room.id)) == 2

    run(path, work)


def test_a_move_with_an_id_that_was_played_is_not_played_again(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await open_practice(hub)
        move = move_of(room)
        assert code_of(await room.put(HOST, move)) is None
        await until_asked(room)
        assert code_of(await room.put(HOST, move)) == "already_done"
        # Not even as an answer to what is asked now.
        assert code_of(await room.put(HOST, move_of(room))) == "already_done"
        assert sum(b'"m1"' in row.data for row in await store.log(room.id)) == 1

    run(path, work)


def test_a_move_must_answer_the_decision_that_is_asked(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await open_practice(hub)
        for off in (-1, 1, 1000):
            move = move_of(room, f"m{off}")
            other = messages_in.Move(move.decision + off, move.id, move.move)
            assert code_of(await room.put(HOST, other)) == "stale_decision"
        assert room.table.seq == len(await store.log(room.id))

    run(path, work)


def test_a_full_disk_refuses_moves_keeps_reads_and_recovers_by_itself(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await open_practice(hub)
        store._writer.pragma("max_page_count", store._writer.pragma("page_count"))
        code = None
        for _ in range(100):  # until the last page is full
            seq = room.table.seq
            code = code_of(await room.put(HOST, messages_in.Chat("x" * 500)))
            if code is not None:
                break
        assert code == "cannot_write"
        assert room.table.seq == seq == len(await store.log(room.id))
        assert code_of(await room.put(HOST, messages_in.Chat("y" * 500))) == "cannot_write"
        seq = room.table.seq
        ear = Ear(HOST)
        frames = [frame async for frame in room.add(ear, 0)]
        assert [frame.seq for frame in frames] == list(range(1, seq + 1))
        assert moves_of(room)
        store._writer.pragma("max_page_count", 2**30)
        assert code_of(await room.put(HOST, move_of(room))) is None
        await until_asked(room)
        assert room.table.seq == len(await store.log(room.id)) > seq + 1

    run(path, work)


def test_a_bots_move_that_could_not_be_written_is_written_later(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await open_practice(hub)
        ear = Ear(HOST)
        room.listeners.append(ear)
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
        assert code_of(await room.put(HOST, move_of(room))) is None
        decision = room.table.decision
        await ear.until(lambda: room.table.decision > decision and bool(moves_of(room)))
        assert tries > 5
        seqs = ear.seqs()
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))

    run(path, work)


def test_a_thought_that_came_too_late_is_asked_for_again(path: Path) -> None:
    """The person takes the seat back just before the bot moves, and leaves just after."""

    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await open_practice(hub)
        decision = room.table.decision
        put = room.put
        refused: list[str | None] = []

        async def crossing(guest: str | None, message: Any) -> Any:
            if not isinstance(message, inputs.Thought) or refused:
                return await put(guest, message)
            assert code_of(await put(HOST, messages_in.Return())) is None
            outcome = await put(guest, message)
            refused.append(code_of(outcome))
            assert code_of(await put(HOST, messages_in.Leave())) is None
            return outcome

        room.put = crossing  # type: ignore[method-assign, assignment]
        assert code_of(await put(HOST, messages_in.Leave())) is None
        while room.table.decision == decision and room.driver._tasks:
            await asyncio.wait(room.driver._tasks, return_when=asyncio.FIRST_COMPLETED)
        assert refused == ["not_needed"]
        assert room.table.decision > decision

    run(path, work)


def test_time_in_which_nothing_could_be_written_does_not_count(path: Path) -> None:
    async def main() -> None:
        clock = SetClock()
        async with serving(path, clock) as (store, hub):
            room = await hub.open(replace(PRACTICE, clock=60_000), HOST, "Host")
            room.driver.retry_after = 3600
            for message in (messages_in.AddBot(1, "sunday-driver"), messages_in.Start()):
                await room.put(HOST, message)
            await until_asked(room)
            clock.move(20)
            store.fails = True
            assert code_of(await room.put(HOST, move_of(room))) == "cannot_write"
            left = (room.table.answer_by or 0) - clock.now()
            clock.move(3600)
            store.fails = False
            assert code_of(await room.put(HOST, messages_in.Chat("back"))) is None
            assert (room.table.answer_by or 0) - clock.now() == left == 40_000
            shifts = [row for row in await store.log(room.id) if b'"shift"' in row.data]
            assert len(shifts) == 1
            assert code_of(await room.put(HOST, move_of(room))) is None

    asyncio.run(main())


def test_time_in_which_the_server_was_away_does_not_count(path: Path) -> None:
    async def main() -> None:
        clock = SetClock()
        async with serving(path, clock) as (_, hub):
            room = await hub.open(replace(PRACTICE, clock=60_000), HOST, "Host")
            for message in (messages_in.AddBot(1, "sunday-driver"), messages_in.Start()):
                await room.put(HOST, message)
            await until_asked(room)
            clock.move(20)
            await room.put(HOST, messages_in.Chat("hello"))
            id_, left = room.id, (room.table.answer_by or 0) - clock.now()
            await hub.stop()
            assert code_of(await room.put(HOST, messages_in.Chat("late"))) == "server_stopping"
        for away in (3600, -7200):  # the second time, the wall clock was set back
            clock.move(away)
            async with serving(path, clock) as (_, hub):
                await hub.bring_back()
                found = hub.find(id_)
                assert found is not None
                assert (found.table.answer_by or 0) - clock.now() == left

    asyncio.run(main())


def test_after_a_restart_nobody_is_connected_and_grace_runs_from_then(path: Path) -> None:
    async def main() -> None:
        clock = SetClock()
        async with serving(path, clock) as (_, hub):
            id_ = (await hub.open(FOR_TWO, HOST, "Host")).id
        clock.move(8 * 3600)
        async with serving(path, clock) as (_, hub):
            await hub.bring_back()
            room = hub.find(id_)
            assert room is not None
            await asyncio.gather(*room.driver._tasks)
            assert [member.connected for member in room.table.members] == [False]
            assert [member.gone_since for member in room.table.members] == [clock.now()]

    asyncio.run(main())


def test_a_commit_that_seemed_to_fail_is_looked_up_before_anyone_is_answered(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        ear = Ear(HOST)
        room.listeners.append(ear)
        store.forgets_to_answer = True
        assert code_of(await room.put(HOST, messages_in.Chat("hello"))) is None
        assert ear.seqs() == [2]
        assert len(await store.log(room.id)) == 2

    run(path, work)


def test_what_could_not_be_looked_up_is_read_before_the_next_input(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        ear = Ear(HOST)
        room.listeners.append(ear)
        store.forgets_to_answer = store.cannot_read = True
        assert code_of(await room.put(HOST, messages_in.Chat("first"))) == "cannot_write"
        assert code_of(await room.put(HOST, messages_in.Chat("second"))) == "cannot_write"
        assert ear.heard == []
        store.forgets_to_answer = store.cannot_read = False
        assert code_of(await room.put(HOST, messages_in.Chat("third"))) is None
        said = [e.text for m in ear.heard for e in m.events if isinstance(e, messages_out.ChatSaid)]
        assert said == ["first", "third"]
        assert ear.seqs() == [row.seq for row in await store.log(room.id)][1:]

    run(path, work)


def test_of_two_servers_on_one_table_the_slower_reads_again(path: Path) -> None:
    async def work(_: TroubledStore, one: Hub) -> None:
        mine = await open_practice(one)
        async with serving(path) as (store, other):
            await other.bring_back()
            theirs = other.find(mine.id)
            assert theirs is not None
            ear = Ear(HOST)
            mine.listeners.append(ear)
            seq = mine.table.seq
            old = move_of(mine, "old")
            assert code_of(await theirs.put(HOST, messages_in.Chat("theirs"))) is None
            assert code_of(await mine.put(HOST, messages_in.Chat("mine"))) is None
            assert mine.table.seq == len(await store.log(mine.id))
            assert ear.seqs() == list(range(seq + 1, mine.table.seq + 1))
            # Both want to move: one move counts, and both know which.
            assert code_of(await mine.put(HOST, old)) is None
            late = messages_in.Move(old.decision, "late", old.move)
            assert code_of(await theirs.put(HOST, late)) == "stale_decision"
            assert theirs.table.decision > old.decision

    run(path, work)


def test_missed_frames_are_those_that_others_heard_at_any_distance(path: Path) -> None:
    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        live = Ear(HOST)
        room.listeners.append(live)
        for number in range(300):
            await room.put(HOST, messages_in.Chat(f"line {number}"))
        assert live.seqs() == list(range(2, 302))
        for after in (1, 2, 100, 292, 293, 294, 300, 301):
            missed = [frame async for frame in room.add(Ear(HOST), after)]
            assert missed == live.heard[after - 1 :]

    run(path, work)


def test_whoever_has_seen_more_than_there_is_gets_the_table_as_it_is(path: Path) -> None:
    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        for after in (None, 77):
            frames = [frame async for frame in room.add(Ear(HOST), after)]
            assert [frame.seq for frame in frames] == [room.table.seq]
            assert frames[0].events == ()

    run(path, work)


def test_whoever_came_later_does_not_follow_what_was_before(path: Path) -> None:
    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        await room.put(HOST, messages_in.Chat("a secret"))
        await room.put(GUEST, messages_in.Join("Guest"))
        frames = [frame async for frame in room.add(Ear(GUEST), 0)]
        assert [frame.seq for frame in frames] == [3]

    run(path, work)


def test_only_some_logs_are_read_for_late_comers_at_once(path: Path) -> None:
    async def work(_: TroubledStore, hub: Hub) -> None:
        rooms = [await hub.open(FOR_TWO, HOST, "Host") for _ in range(2)]
        for room in rooms:
            for number in range(40):
                await room.put(HOST, messages_in.Chat(f"line {number}"))
        slow, other = (room.add(Ear(HOST), 0) for room in rooms)
        assert (await anext(slow)).seq == 1  # it takes one frame, and then no more for long
        assert [frame.seq async for frame in other] == list(range(1, 42))
        async with hub._folding.of(
            "another"
        ):  # somebody else reads: who needs no log does not wait
            recent = rooms[0].add(Ear(HOST), 40)
            assert [frame.seq async for frame in recent][:1] == [41]
            late = asyncio.ensure_future(anext(rooms[1].add(Ear(HOST), 0)))
            for _turn in range(20):
                await asyncio.sleep(0)
            assert not late.done()
        assert (await late).seq == 1

    run(path, work)


def test_a_closed_table_is_forgotten_and_its_listeners_are_told(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        ear = Ear(HOST)
        room.listeners.append(ear)
        await room.put(None, inputs.Shut("idle"))
        assert ear.ended == (CloseCode.TABLE_CLOSED, "idle")
        assert hub.find(room.id) is None
        assert await store.running_tables() == []
        assert code_of(await room.put(HOST, messages_in.Chat("hello"))) == "table_closed"
        gone = weakref.ref(room)
        del room
        for _ in range(3):
            await asyncio.sleep(0)
        gc.collect()
        assert gone() is None

    run(path, work)


def test_a_table_where_nothing_ever_happens_is_closed(path: Path) -> None:
    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        assert room.driver._timer is not None  # it was put there without any input

    run(path, work)


def test_a_match_played_to_its_end_leaves_its_record_with_its_last_input(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
        room = await open_practice(hub)
        ear = Ear(HOST)
        room.listeners.append(ear)
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
                await ear.after(room, room.table.decision)
        (listed,) = await store.games_of(HOST, 10)
        kept = await store.game(listed.id)
        assert kept is not None
        assert kept.ended == room.table.last_input
        record = game_text.from_text(kept.record)
        assert room.table.match is not None
        assert record.result == room.table.match.totals

    run(path, work)


def test_a_table_closed_in_the_middle_of_a_match_keeps_what_was_played(path: Path) -> None:
    async def work(store: TroubledStore, hub: Hub) -> None:
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

    run(path, work)


def test_a_log_that_does_not_replay_closes_its_table_alone_and_keeps_its_record(
    path: Path,
) -> None:
    bad = b'{"type":"no_such_input"}'
    refused = encode_input(messages_in.Move(10**6, "id", "x25"))

    async def main() -> None:
        async with serving(path) as (store, hub):
            sound, unknown, wrong, early, odd = [await open_practice(hub) for _ in range(5)]
            await hub.stop()
            await store.append(unknown.id, LogRow(unknown.table.seq + 1, HOST, 0, bad))
            await store.append(wrong.id, LogRow(wrong.table.seq + 1, HOST, 0, refused))
            await store._do(("UPDATE tables SET rules_version = 99 WHERE id = ?", (early.id,)))
            await store._do(("UPDATE tables SET settings = '{' WHERE id = ?", (odd.id,)))
        async with serving(path) as (store, hub):
            await hub.bring_back()
            assert [room.id for room in hub] == [sound.id]
            assert [row.id for row in await store.running_tables()] == [sound.id]
            listed = [await store.game(game.id) for game in await store.games_of(HOST, 10)]
            records = {game.table: game.record for game in listed if game is not None}
            assert records.keys() == {unknown.id, wrong.id, early.id}
            for table, record in records.items():
                game = game_text.from_text(record)
                assert game.result is None
                assert game.rules_version == (99 if table == early.id else RULES_VERSION)
            assert len(await store.log(unknown.id)) == unknown.table.seq + 1

    asyncio.run(main())


def test_the_log_names_what_failed_and_quotes_nothing_of_it(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What an input or a setting holds may be a card of a hand, or a seed."""
    hidden = b'{"type":"ROW in hand"}'

    async def main() -> None:
        async with serving(path) as (store, hub):
            played, again, set_up = [await open_practice(hub) for _ in range(3)]
            await store.append(again.id, LogRow(again.table.seq + 1, None, 0, hidden))
            assert code_of(await again.put(HOST, messages_in.Chat("hello"))) == "cannot_write"
            await hub.stop()
            await store.append(played.id, LogRow(played.table.seq + 1, None, 0, hidden))
            secret = encode_settings(PRACTICE).replace(b'"practice":true', b'"practice":false')
            change = "UPDATE tables SET settings = ? WHERE id = ?"
            await store._do((change, (secret, set_up.id)))
        async with serving(path) as (_, hub):
            await hub.bring_back()

    asyncio.run(main())
    assert caplog.text.count("fails: ValidationError") == 3
    assert caplog.text.count("is closed: EditionError") == 1
    assert "ROW" not in caplog.text
    assert "seed" not in caplog.text


def test_a_database_that_cannot_be_read_closes_no_table(path: Path) -> None:
    async def main() -> None:
        async with serving(path) as (_, hub):
            await hub.open(FOR_TWO, HOST, "Host")
        async with serving(path) as (store, hub):
            store.cannot_read = True
            with pytest.raises(StoreError):
                await hub.bring_back()
            assert len(await store.running_tables()) == 1

    asyncio.run(main())


# Connections


class StubSocket:
    """The server's side of a WebSocket whose reader may stop to read."""

    def __init__(self) -> None:
        self.application_state = WebSocketState.CONNECTED
        self.reads = asyncio.Event()
        self.reads.set()
        self.sent: list[str] = []
        self.next_sent = asyncio.Event()
        self.closed: tuple[int, str] | None = None
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def send(self, message: MutableMapping[str, Any]) -> None:
        await self.reads.wait()
        self.sent.append(message["text"])
        self.next_sent.set()
        self.next_sent.clear()

    async def receive(self) -> dict[str, Any]:
        return await self.inbox.get()

    async def close(self, code: int, why: str) -> None:
        await self.reads.wait()
        self.closed = (code, why)


def connect(room: Room, guest: str, metrics: Metrics) -> tuple[Connection, StubSocket]:
    socket: Any = StubSocket()
    connection = Connection(
        socket, socket.send, room=room, guest=guest, address="", words=words(), metrics=metrics
    )
    return connection, socket


def plenty() -> tuple[Allowance, Allowance]:
    buckets = Buckets(SystemClock(), 10**6, 10**6)
    return (Allowances(buckets, buckets).of(HOST, ""),) * 2


def test_a_reader_that_stops_reading_is_dropped_and_delays_nobody(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("millebornes.server.connection._PATIENCE", 0)

    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        await room.put(GUEST, messages_in.Join("Guest"))
        metrics = Metrics()
        slow, stuck = connect(room, HOST, metrics)
        stuck.reads.clear()
        serving_slow = asyncio.ensure_future(slow.run(None, *plenty()))
        other = Ear(GUEST)
        room.listeners.append(other)
        for number in range(200):
            await room.put(GUEST, messages_in.Chat(f"line {number}"))
        assert len(other.heard) >= 200  # while the slow one has not taken one of them
        async with asyncio.timeout(10):
            await serving_slow
        assert stuck.sent == []
        assert "connections_dropped_total 1" in metrics.text()
        # It comes back with what it had seen, and gets everything, more than a queue holds.
        await asyncio.gather(*room.driver._tasks)
        again, socket = connect(room, HOST, metrics)
        serving_again = asyncio.ensure_future(again.run(2, *plenty()))
        await room.put(GUEST, messages_in.Chat("after"))
        await asyncio.gather(*room.driver._tasks)  # the table knows that it is back
        async with asyncio.timeout(10):
            while len(socket.sent) < room.table.seq - 2:
                await socket.next_sent.wait()
        last = room.table.seq  # that it goes is an input, too
        socket.inbox.put_nowait({"type": "websocket.disconnect"})
        await serving_again
        seqs = [json.loads(text)["seq"] for text in socket.sent]
        assert seqs[: last - 2] == list(range(3, last + 1))
        assert "connections_dropped_total 1" in metrics.text()

    run(path, work)


def test_the_newest_connection_of_a_guest_is_the_active_one_and_the_older_may_reclaim(
    path: Path,
) -> None:
    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        connections = []
        for number in range(3):
            connection, socket = connect(room, HOST, Metrics())
            connections.append((socket, asyncio.ensure_future(connection.run(None, *plenty()))))
            while len(room.listeners) <= number and not socket.sent:
                await asyncio.sleep(0)
        for socket, served in connections[:2]:
            await served
            assert socket.closed == (CloseCode.SUPERSEDED, "superseded")
            assert '"superseded"' in socket.sent[-1]
        newest, served = connections[2]
        await room.put(HOST, messages_in.Chat("hello"))
        member = room.table.member_of(HOST)
        assert member is not None
        assert member.connected
        newest.inbox.put_nowait({"type": "websocket.disconnect"})
        await served
        await asyncio.gather(*room.driver._tasks)
        gone = room.table.member_of(HOST)
        assert gone is not None
        assert not gone.connected

    run(path, work)


def test_what_a_superseded_connection_still_says_does_not_count(path: Path) -> None:
    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        older, stuck = connect(room, HOST, Metrics())
        serving_older = asyncio.ensure_future(older.run(None, *plenty()))
        while older not in room.listeners:
            await asyncio.sleep(0)
        stuck.reads.clear()  # its writer does not finish soon
        newer, socket = connect(room, HOST, Metrics())
        serving_newer = asyncio.ensure_future(newer.run(None, *plenty()))
        while newer not in room.listeners:
            await asyncio.sleep(0)
        for one, text in ((stuck, "from the older"), (socket, "from the newer")):
            said = json.dumps({"type": "chat", "text": text})
            one.inbox.put_nowait({"type": "websocket.receive", "text": said})
            while not one.inbox.empty():
                await asyncio.sleep(0)
            await asyncio.sleep(0)
        while not any("from the newer" in text for text in socket.sent):
            await asyncio.sleep(0)
        assert not any("from the older" in text for text in socket.sent)
        stuck.reads.set()
        await serving_older
        socket.inbox.put_nowait({"type": "websocket.disconnect"})
        await serving_newer

    run(path, work)
