"""Rate limits: requests, messages, talk and connections of one guest and of one address."""

import asyncio
import json
from collections import Counter
from typing import Any

from millebornes.server.config import Config
from millebornes.server.limits import Allowances, Buckets
from tests.virtual_time import ManualClock, VirtualClock, on_virtual_time

from .local_app import (
    PROGRAM,
    LocalApp,
    Socket,
    error_code,
    local_app,
    open_table,
    table_with_host,
    virtual_app,
)
from .memory_store import MemoryStore, SlowStore

CHAT = {"type": "chat", "text": "hello"}
TALK = (
    {"type": "chat", "text": "hello"},
    {"type": "emote", "emote": "bravo"},
    {"type": "join", "name": "Ada"},
    {"type": "mute", "member": 0},
    {"type": "leave"},
    {"type": "return"},
    {"type": "sit", "seat": 1},
    {"type": "stand"},
    {"type": "add_bot", "seat": 1, "level": "sunday-driver"},
    {"type": "kick", "seat": 1},
    {"type": "back", "decision": 1},
)


def codes(wire: Socket) -> Counter[str]:
    """The refusals on a connection, by code."""
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
    for number in range(100):  # enough others to push mine out of the cache
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
        token, table = await table_with_host(app)
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
        places = [await table_with_host(app) for _ in range(10)]
        for token, table in places:
            async with app.socket(table, token) as wire:
                if wire.accepted:
                    await say_much(wire, CHAT, 10)
        said = [sum(b'"chat"' in row.data for row in store.logs[table]) for _, table in places]
        assert sum(said) == 15  # five times three; a connection is its guest's own affair
        token, table = await table_with_host(app, "10.0.0.9")
        async with app.socket(table, token, address="10.0.0.9") as wire:
            await say_much(wire, CHAT, 5)
            assert codes(wire) == {}


async def test_neighbours_who_say_too_much_cost_nobody_the_connection() -> None:
    clock = ManualClock()
    limits: dict[str, Any] = {"messages_per_second": 5, "messages_per_address": 5}
    async with local_app(clock=clock, store=MemoryStore(), **limits) as app:
        eve, eves_table = await table_with_host(app)
        token, table = await table_with_host(app)
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
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await say_much(wire, f'{{"type": "chat", "text": "{"é" * 480}"}}', 14)
        assert 1 < sum(b'"chat"' in row.data for row in store.logs[table]) <= 7


@on_virtual_time
async def test_coming_and_going_as_fast_as_one_can_hardly_lengthens_the_log() -> None:
    """Twenty seconds of opening and closing connections, joining and leaving, by one guest."""
    store = MemoryStore()
    async with virtual_app(store=store) as app:
        token, table = await table_with_host(app)
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
        token, table = await table_with_host(app)
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


def test_a_bucket_fills_again_with_time_and_never_overflows() -> None:
    clock = ManualClock()
    buckets = Buckets(clock, burst=3, per_second=2)
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]
    assert buckets.take("b")
    clock.advance(0.5)
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    clock.advance(1000)
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]


def test_buckets_forget_the_oldest_when_there_are_too_many() -> None:
    buckets = Buckets(ManualClock(), burst=1, per_second=1, most=10)
    for number in range(100):
        buckets.take(str(number))
    assert len(buckets._kept) == 10


async def test_requests_are_limited_for_each_address() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, requests_per_second=2) as app, app.http() as client:
        answers = [await client.get("/api/health") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 6 + [429]
        assert error_code(answers[-1]) == "too_many"
        async with app.http("10.0.0.9") as other:
            assert (await other.get("/api/health")).status_code == 200
        clock.advance(1)
        assert (await client.get("/api/health")).status_code == 200


async def test_new_guests_are_limited_for_each_address() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, guests_per_minute=3) as app, app.http() as client:
        statuses = []
        for _ in range(4):
            statuses.append((await client.post("/api/guests", headers=PROGRAM)).status_code)
            client.cookies.clear()
        assert statuses == [201, 201, 201, 429]
        async with app.http("10.0.0.9") as other:
            assert (await other.post("/api/guests", headers=PROGRAM)).status_code == 201
        clock.advance(20)
        assert (await client.post("/api/guests", headers=PROGRAM)).status_code == 201


async def test_whoever_says_too_much_is_dropped_and_may_come_back() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, messages_per_second=2) as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            for _ in range(6):
                wire.say({"type": "chat", "text": "hello"})
            for _ in range(6):
                await wire.next()
            clock.advance(1)
            wire.say({"type": "chat", "text": "again"})
            wire.say({"type": "chat", "text": "again"})
            wire.say({"type": "chat", "text": "too much"})
            assert (await wire.end())[0] == 4429
        async with app.socket(table, token) as wire:
            assert wire.accepted


async def test_talk_is_limited_more_than_what_is_played_and_only_refused() -> None:
    clock = ManualClock()
    async with local_app(clock=clock, messages_per_second=100) as app:
        token, table = await table_with_host(app)
        async with app.socket(table, token) as wire:
            await wire.next()
            for _ in range(14):  # one less than 15: to come here was the first
                wire.say(TALK[0])
            for talk in TALK:
                wire.say(talk)
                assert (await wire.next("rejected"))["code"] == "too_many"
                assert not wire.closed
            wire.say({"type": "start"})
            assert (await wire.next("rejected"))["code"] == "seats_empty"
            clock.advance(0.5)
            wire.say({"type": "chat", "text": "again"})
            assert (await wire.next())["events"][0]["text"] == "again"


async def test_sockets_are_limited_for_each_address() -> None:
    async with local_app(sockets_per_address=2) as app:
        token, table = await table_with_host(app)
        second, other_table = await table_with_host(app)
        third, third_table = await table_with_host(app)
        async with app.socket(table, token), app.socket(other_table, second):
            async with app.socket(third_table, third) as wire:
                assert (wire.accepted, wire.denied) == (False, 429)
            async with app.socket(third_table, third, address="10.0.0.9") as wire:
                assert wire.accepted
        async with app.socket(third_table, third) as wire:
            assert wire.accepted


async def test_sockets_opened_all_at_once_are_limited_while_the_store_takes_its_time() -> None:
    most = 4
    async with local_app(store=SlowStore(), sockets_per_address=most) as app:
        places = [await table_with_host(app) for _ in range(2 * most)]
        wires = [app.socket(table, token) for token, table in places]
        await asyncio.gather(*(wire.__aenter__() for wire in wires))
        assert [wire.accepted for wire in wires].count(True) == most
        assert [wire.denied for wire in wires].count(429) == most
        await asyncio.gather(*(wire.hang_up() for wire in wires))
        token, table = places[-1]
        async with app.socket(table, token) as wire:  # every place was given back
            assert wire.accepted


async def test_opening_sockets_counts_as_requests() -> None:
    async with local_app(clock=ManualClock(), requests_per_second=1) as app:
        denied = []
        for _ in range(5):
            async with app.socket("nope", "nope") as wire:
                denied.append(wire.denied)
        assert denied == [404, 404, 404, 429, 429]
