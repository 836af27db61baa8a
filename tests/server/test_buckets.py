"""How much one guest and one address may say, however often they come back."""

import asyncio
import json
from collections import Counter
from typing import Any

from millebornes.server.config import Config
from millebornes.server.limits import Allowances, Buckets
from tests.virtual_time import ManualClock, VirtualClock, on_virtual_time

from .local_app import LocalApp, Socket, local_app, virtual_app
from .memory_store import MemoryStore
from .test_api import open_table

CHAT = {"type": "chat", "text": "hello"}


async def seated(app: LocalApp, address: str = "127.0.0.1") -> tuple[str, str]:
    """A guest's token and a table of theirs."""
    token, host = await app.guest(address)
    async with host:
        return token, await open_table(host)


def codes(wire: Socket) -> Counter[str]:
    """What was refused on a connection."""
    messages = [json.loads(text) for text in wire.frames]
    return Counter(one["code"] for one in messages if one["type"] == "rejected")


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


async def say_much(wire: Socket, message: object, times: int) -> None:
    for _ in range(times):
        wire.say(message)
    await settle()


def test_a_bucket_gives_several_tokens_at_once_and_never_asks_for_more_than_it_holds() -> None:
    clock = ManualClock()
    bucket = Buckets(clock, burst=5, per_second=1).of("a")
    assert bucket.take(3)
    assert not bucket.take(3)
    assert bucket.take(2)
    clock.advance(4.9)
    assert not bucket.take(100)
    clock.advance(0.1)
    assert bucket.take(100)
    assert not bucket.take()


def test_a_bucket_that_somebody_has_is_the_same_for_whoever_asks_next() -> None:
    buckets = Buckets(ManualClock(), burst=2, per_second=1, most=10)
    mine = buckets.of("me")
    assert mine.take()
    for number in range(100):  # so many others that mine is no longer kept
        buckets.take(str(number))
    assert buckets.of("me") is mine


def test_no_address_can_have_a_bucket_of_its_own_forgotten_before_it_is_full() -> None:
    """All that one address can ask for in the time in which a bucket fills is less than is kept."""
    config = Config()
    fills_in = 5.0  # five times as much at once, at the same rate: whatever the setting
    asked = config.requests_per_second * (3 + fills_in)
    assert asked < Buckets(ManualClock(), 1, 1)._most / 10


def test_whoever_has_used_up_their_own_takes_nothing_from_their_neighbours() -> None:
    clock = ManualClock()
    allowances = Allowances(Buckets(clock, 2, 1), Buckets(clock, 3, 1))
    loud, quiet = allowances.of("loud", "home"), allowances.of("quiet", "home")
    assert [loud.take() for _ in range(10)] == [True, True] + [False] * 8
    assert [quiet.take() for _ in range(2)] == [True, False]
    elsewhere = allowances.of("loud", "elsewhere")
    assert not elsewhere.take()  # it is the same guest


async def test_whoever_comes_back_has_not_more_to_say() -> None:
    clock, store = ManualClock(), MemoryStore()
    async with local_app(clock=clock, store=store) as app:
        token, table = await seated(app)
        async with app.socket(table, token) as wire:
            await say_much(wire, CHAT, 20)
            assert codes(wire) == {"too_many": 6}
        for _ in range(8):  # a connection is talk, too
            async with app.socket(table, token) as wire:
                assert (wire.accepted, wire.denied) == (False, 429)
        clock.advance(1)
        async with app.socket(table, token) as wire:
            await say_much(wire, CHAT, 20)
            assert codes(wire) == {"too_many": 18}
        said = sum(b'"chat"' in row.data for row in store.logs[table])
        assert said == 14 + 2  # what one guest may say at once, and in a second
        async with app.http() as operator:
            assert "rate_limited_total 0" not in (await operator.get("/metrics")).text


async def test_messages_of_one_guest_are_counted_over_all_their_connections() -> None:
    async with local_app(clock=ManualClock(), store=MemoryStore(), messages_per_second=2) as app:
        token, host = await app.guest()
        async with host:
            tables = [await open_table(host) for _ in range(2)]
        stale = {"type": "next", "decision": 1}
        async with app.socket(tables[0], token) as wire:
            await say_much(wire, stale, 5)
            assert not wire.closed
        async with app.socket(tables[1], token) as wire:
            await say_much(wire, stale, 2)
            assert (await wire.end())[0] == 4429


async def test_many_guests_of_one_address_share_what_an_address_may_say() -> None:
    store = MemoryStore()
    async with local_app(clock=ManualClock(), store=store, talk_per_address=3) as app:
        places = [await seated(app) for _ in range(10)]
        for token, table in places:
            async with app.socket(table, token) as wire:
                if wire.accepted:
                    await say_much(wire, CHAT, 10)
        said = [sum(b'"chat"' in row.data for row in store.logs[table]) for _, table in places]
        assert sum(said) == 15  # five times three; a connection is its guest's own affair
        token, table = await seated(app, "10.0.0.9")
        async with app.socket(table, token, address="10.0.0.9") as wire:
            await say_much(wire, CHAT, 5)
            assert codes(wire) == {}


async def test_neighbours_who_say_too_much_cost_nobody_the_connection() -> None:
    clock = ManualClock()
    limits: dict[str, Any] = {"messages_per_second": 5, "messages_per_address": 5}
    async with local_app(clock=clock, store=MemoryStore(), **limits) as app:
        eve, eves_table = await seated(app)
        token, table = await seated(app)
        async with app.socket(eves_table, eve) as loud:
            await say_much(loud, CHAT, 15)  # all that the address has
            async with app.socket(table, token) as wire:
                assert wire.accepted
                await say_much(wire, CHAT, 1)
                assert codes(wire) == {"too_many": 1}
                assert wire.closed is None
                clock.advance(1)
                await say_much(wire, CHAT, 1)
                assert codes(wire) == {"too_many": 1}
                assert '"hello"' in wire.frames[-1]


async def test_a_long_text_takes_more_than_a_short_one() -> None:
    store = MemoryStore()
    async with local_app(clock=ManualClock(), store=store) as app:
        token, table = await seated(app)
        async with app.socket(table, token) as wire:
            await say_much(wire, f'{{"type": "chat", "text": "{"é" * 480}"}}', 14)
        assert 1 < sum(b'"chat"' in row.data for row in store.logs[table]) <= 7


@on_virtual_time
async def test_coming_and_going_as_fast_as_one_can_hardly_lengthens_the_log() -> None:
    """Twenty seconds of opening and closing connections, joining and leaving, by one guest."""
    store = MemoryStore()
    async with virtual_app(store=store) as app:
        token, table = await seated(app)
        loop = asyncio.get_running_loop()
        began, opened = loop.time(), 0
        async with app.http(Authorization=f"Bearer {token}") as client:
            while loop.time() < began + 20:
                async with app.socket(table, token) as wire:
                    if wire.accepted:
                        opened += 1
                        wire.say({"type": "leave"})
                await client.post(f"/api/tables/{table}/join", json={"name": "Ada"})
                await asyncio.sleep(0.02)
        assert opened >= 10  # and yet:
        rows = len(store.logs[table])
        assert rows < 20 * 5, rows


@on_virtual_time
async def test_a_connection_that_flickers_is_not_told_to_anybody() -> None:
    store = MemoryStore()
    async with virtual_app(store=store) as app:
        token, table = await seated(app)
        for _ in range(5):
            async with app.socket(table, token):
                await asyncio.sleep(3)
            await asyncio.sleep(1)
        assert len(store.logs[table]) == 1
        await asyncio.sleep(2)
        assert len(store.logs[table]) == 2  # now they are gone
        async with app.socket(table, token):
            await asyncio.sleep(1)
        assert len(store.logs[table]) == 3


@on_virtual_time
async def test_a_class_of_thirty_behind_one_address_plays_and_chats_without_a_refusal() -> None:
    """Fifteen tables for two, at the default limits: a minute of quick moves and chat."""
    clock = VirtualClock()
    async with virtual_app(clock=clock) as app:
        pairs = [await pair(app) for _ in range(15)]
        wires = []
        for table, tokens in pairs:
            for token in tokens:
                wires.append(app.socket(table, token))
                await wires[-1].__aenter__()
                assert wires[-1].accepted
        for second in range(60):
            for number, wire in enumerate(wires):
                if (second + number) % 3 == 0:
                    wire.say(CHAT)
                for _ in range(4):  # moves, as the limits see them
                    wire.say({"type": "next", "decision": 10**6})
            await asyncio.sleep(1)
        refused = sum((codes(wire) for wire in wires), Counter())
        assert "too_many" not in refused
        assert not any(wire.closed for wire in wires)
        assert refused["not_playing"] + refused["stale_decision"] == 60 * 30 * 4
        for wire in wires:
            await wire.hang_up()


async def pair(app: LocalApp) -> tuple[str, list[str]]:
    """A table for two, and the tokens of both."""
    one, host = await app.guest()
    other, friend = await app.guest()
    async with host, friend:
        table = await open_table(host)
        answer = await friend.post(f"/api/tables/{table}/join", json={"name": "Bea"})
        assert answer.status_code == 200, answer.text
    return table, [one, other]
