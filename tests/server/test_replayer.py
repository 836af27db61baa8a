"""Replays: once for each match, one at a time for each reader, ended with their client."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from millebornes.records import Game, RecordError
from millebornes.records import game as game_text
from millebornes.rules import EDITIONS
from millebornes.server.admission import hash_token
from millebornes.server.clock import SystemClock
from millebornes.server.replayer import Busy, Replayer, TooMany, hands_of, replay_workers
from millebornes.server.store import FinishedGame
from millebornes.server.workers import LocalWorkers, NoAnswer, WorkerPool

from .bot_matches import bot_match
from .local_app import HOST, LocalApp, error_code, local_app, open_table, watched_practice

_T = TypeVar("_T")
GAME = bot_match(3)
RECORD = game_text.to_text(GAME)
OTHER = game_text.to_text(bot_match(2))


class Spy(LocalWorkers):
    """Notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def ask(self, function: Callable[..., _T], *args: Any) -> _T:
        self.asked.append(args[0])
        return await super().ask(function, *args)


class Slow(Spy):
    """Answers only when the test allows it, and notes cancelled questions."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = asyncio.Event()
        self.given_up: list[Any] = []
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()

    async def ask(self, function: Callable[..., _T], *args: Any) -> _T:
        self.begun.set()
        self.asked.append(args[0])
        try:
            await self.may_answer.wait()
            return function(*args)
        except asyncio.CancelledError:
            self.given_up.append(args[0])
            self.ended.set()
            raise


async def settled() -> None:
    """Let all tasks run until they wait for something else."""
    for _ in range(10):
        await asyncio.sleep(0)


def named(name: str) -> Game:
    """Another game: nothing has been dealt yet."""
    return Game(edition=EDITIONS["article"], players=2, seats=(name, "Bob"))


async def test_all_hands_of_a_match_cost_one_replay_whoever_reads_them() -> None:
    spy = Spy()
    replayer = Replayer(spy)
    told = [
        await replayer.hand(reader, "g-1", RECORD, str(number))
        for number in range(1, len(GAME.deals) + 1)
        for reader in ("ada", "léa")
    ]
    assert None not in told
    assert len({*told}) == 3
    assert spy.asked == [RECORD]
    for number in ("0", "01", "-1", "one", "99", ""):
        assert await replayer.hand("ada", "g-1", RECORD, number) is None
    assert await replayer.hand("ada", "g-2", GAME, "1") == told[0]
    assert spy.asked == [RECORD, GAME]


async def test_a_record_that_does_not_replay_is_asked_about_once() -> None:
    spy = Spy()
    replayer = Replayer(spy)
    for _ in range(3):
        for bad in ("nonsense", RECORD.replace("ROLL", "STOP>1")):
            with pytest.raises(RecordError):
                await replayer.hand("ada", bad[:4], bad, "1")
    assert len(spy.asked) == 2


async def test_a_reader_asks_for_one_match_at_a_time_and_waits_for_what_is_on_its_way() -> None:
    slow = Slow()
    replayer = Replayer(slow)
    first = asyncio.ensure_future(replayer.hand("ada", "g-1", RECORD, "1"))
    again = asyncio.ensure_future(replayer.hand("ada", "g-1", RECORD, "1"))
    other = asyncio.ensure_future(replayer.hand("léa", "g-1", RECORD, "1"))
    await settled()
    with pytest.raises(TooMany):
        await replayer.hand("ada", "g-2", GAME, "1")
    more = asyncio.ensure_future(replayer.hand("cy", "g-2", GAME, "1"))
    await settled()
    assert slow.asked == [RECORD]  # there is one worker, and one question at a time for it
    slow.may_answer.set()
    told = await asyncio.gather(first, again, other, more)
    assert slow.asked == [RECORD, GAME]
    assert len({*told}) == 1
    assert told[0] is not None
    assert await replayer.hand("ada", "g-2", GAME, "1") == told[0]
    assert not replayer._flights


async def test_one_address_keeps_nobody_else_from_replays() -> None:
    slow = Slow()
    replayer = Replayer(slow, most_asked=3)

    async def ask(name: str, record: str, address: str) -> None:
        await replayer.hand(name, name, record, "1", address)

    eves = [f"eve {number}" for number in range(3)]
    waiting = [asyncio.ensure_future(ask(eve, RECORD, "there")) for eve in eves]
    await settled()
    with pytest.raises(Busy):
        await ask("eve 4", RECORD, "there")
    honest = asyncio.ensure_future(ask("ada", OTHER, "here"))
    await settled()
    slow.may_answer.set()
    await asyncio.gather(honest, *waiting)
    # Hers came last. The next of theirs had its turn before, and then it was hers.
    assert slow.asked == [RECORD, RECORD, OTHER, RECORD]


async def test_only_so_many_wait_for_one_address() -> None:
    slow = Slow()
    replayer = Replayer(slow, most_asked=2)
    waiting = [
        asyncio.ensure_future(replayer.hand(name, name, RECORD, "1")) for name in ("ada", "léa")
    ]
    await settled()
    with pytest.raises(Busy):
        await replayer.hand("cy", "cy", RECORD, "1")
    joined = asyncio.ensure_future(replayer.hand("cy", "léa", RECORD, "1"))
    slow.may_answer.set()
    assert None not in await asyncio.gather(*waiting, joined)
    assert await replayer.hand("cy", "cy", RECORD, "1") is not None


async def test_a_question_is_given_up_when_the_last_who_waits_has_gone() -> None:
    slow = Slow()
    replayer = Replayer(slow)
    one, two = (
        asyncio.ensure_future(replayer.hand(name, "g-1", RECORD, "1")) for name in ("ada", "léa")
    )
    await settled()
    one.cancel()
    await settled()
    assert slow.given_up == []
    two.cancel()
    await settled()
    assert slow.given_up == [RECORD]
    assert not replayer._flights
    slow.may_answer.set()
    assert await replayer.hand("ada", "g-1", RECORD, "1") is not None


async def test_a_match_that_went_on_meanwhile_is_asked_about_again() -> None:
    slow = Slow()
    replayer = Replayer(slow)
    first = asyncio.ensure_future(replayer.hand("ada", "t-1", named("Ada"), "1"))
    await settled()
    second = asyncio.ensure_future(replayer.hand("ada", "t-1", GAME, "1"))
    await settled()
    slow.may_answer.set()
    with pytest.raises(RecordError):  # nothing was dealt: there is nothing to tell
        await first
    assert await second is not None
    assert slow.asked == [named("Ada"), GAME]
    assert await replayer.hand("ada", "t-1", GAME, "1") is not None
    assert len(slow.asked) == 2


async def test_what_was_not_asked_for_longest_is_forgotten_first() -> None:
    spy = Spy()
    size = sum(map(len, hands_of(RECORD).values())) + len(RECORD) + 4096
    replayer = Replayer(spy, most_bytes=2 * size)
    for place in ("a", "b", "a", "c", "a", "b"):
        await replayer.hand("ada", place, RECORD, "1")
    assert len(spy.asked) == 4  # a, b, c, and b again
    assert replayer._size == sum(kept.size for kept in replayer._kept.values()) == 2 * size
    small = Replayer(spy, most_bytes=size - 1)
    for _ in range(2):
        assert await small.hand("ada", "a", RECORD, "1") is not None
    assert (small._size, len(spy.asked)) == (0, 6)


async def test_a_worker_without_an_answer_is_busy() -> None:
    class Broken(LocalWorkers):
        async def ask(self, _function: Callable[..., _T], *_args: Any) -> _T:
            raise NoAnswer

    replayer = Replayer(Broken())
    with pytest.raises(Busy):
        await replayer.hand("ada", "g-1", RECORD, "1")
    assert not replayer._flights
    await replayer.close()


async def test_a_long_record_is_written_by_the_worker_and_a_short_one_at_once() -> None:
    spy = Spy()
    replayer = Replayer(spy)
    assert await replayer.text("ada", "t-1", GAME) == game_text.to_text(GAME)
    assert spy.asked == []
    long = GAME
    while len(long.deals) <= 10:
        long = long.with_deal(GAME.deals[0].deck)
    assert await replayer.text("ada", "t-1", long) == game_text.to_text(long)
    assert spy.asked == [long]


async def guest_with_games(app: LocalApp, *records: str) -> tuple[str, list[str]]:
    """A guest who has played these."""
    token, client = await app.guest()
    async with client:
        table = await open_table(client)
    guest = await app.server.store.guest_of(hash_token(token))
    assert guest is not None
    ids = [f"g-{number}" for number in range(len(records))]
    now = SystemClock().now()  # old games are forgotten, in the background
    for id_, record in zip(ids, records, strict=True):
        finished = FinishedGame(id_, table, now, record, (guest,), None)
        await app.server.store.close_table(table, finished)
    return token, ids


async def test_a_second_match_meanwhile_is_refused_and_the_same_one_waits() -> None:
    slow = Slow()
    async with local_app(replays=slow) as app:
        token, (one, two) = await guest_with_games(app, RECORD, RECORD + "\n")
        async with app.http(Authorization=f"Bearer {token}") as client:
            asked = [
                asyncio.ensure_future(client.get(f"/api/games/{one}/hands/1")) for _ in range(3)
            ]
            await slow.begun.wait()
            refused = await client.get(f"/api/games/{two}/hands/1")
            assert (refused.status_code, error_code(refused)) == (429, "too_many")
            slow.may_answer.set()
            answers = await asyncio.gather(*asked)
            assert [answer.status_code for answer in answers] == [200] * 3
            assert slow.asked == [RECORD]
            assert (await client.get(f"/api/games/{two}/hands/1")).status_code == 200


async def test_too_many_replays_at_once_are_refused_with_what_to_do() -> None:
    class Dead(LocalWorkers):
        async def ask(self, _function: Callable[..., _T], *_args: Any) -> _T:
            raise NoAnswer

    async with local_app(replays=Dead()) as app:
        token, (one,) = await guest_with_games(app, RECORD)
        async with app.http(Authorization=f"Bearer {token}") as client:
            answer = await client.get(f"/api/games/{one}/hands/1")
            assert (answer.status_code, error_code(answer)) == (503, "replays_busy")
            assert "try again" in answer.json()["sentence"]


@pytest.mark.timeout(60)
async def test_a_replay_ends_with_its_client() -> None:
    slow = Slow()
    async with local_app(replays=slow) as app:
        token, (one,) = await guest_with_games(app, RECORD)
        came: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": f"/api/games/{one}/hands/1",
            "raw_path": b"",
            "query_string": b"",
            "root_path": "",
            "headers": [
                (b"host", HOST.encode()),
                (b"authorization", f"Bearer {token}".encode()),
            ],
            "client": ("127.0.0.1", 1000),
            "server": (HOST, 80),
        }
        came.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        request = asyncio.ensure_future(app.asgi(scope, came.get, send))
        await slow.begun.wait()
        came.put_nowait({"type": "http.disconnect"})
        await slow.ended.wait()
        assert slow.given_up == [RECORD]
        await request


async def test_the_worker_is_told_no_more_than_the_reader_may_know() -> None:
    spy = Spy()
    async with local_app(replays=spy) as app:
        token, host = await app.guest()
        _, watcher = await app.guest()
        async with host, watcher:
            table = await watched_practice(app, token, host, watcher)
            for reader in (host, watcher, host, watcher):
                told = await reader.get(f"/api/tables/{table}/hands/1")
                assert told.status_code == 200
            own, seen = spy.asked
            assert own.seed is None
            assert seen.seed is None
            assert set(seen.deals[-1].deck) == {"?"}
            assert 6 <= sum(card != "?" for card in own.deals[-1].deck) <= 8


@pytest.mark.timeout(120)
async def test_a_process_tells_the_same_as_the_server_itself_would() -> None:
    async def told(workers: WorkerPool) -> list[bytes]:
        async with local_app(replays=workers) as app:
            token, ids = await guest_with_games(app, RECORD, "nonsense")
            async with app.http(Authorization=f"Bearer {token}") as client:
                return [
                    (await client.get(f"/api/games/{id_}/hands/{number}")).content
                    for id_ in ids
                    for number in ("1", "99")
                ]

    mine = await told(LocalWorkers())
    assert await told(replay_workers()) == mine
    assert mine[0].startswith(b"[{")
    assert b"no_replay" in mine[2]
