"""What a page gets back after a reload or on another device: chat and events, cut for its guest."""

import json
from typing import Any

import httpx

from millebornes.server.log_replay import _PAST_BYTES
from millebornes.table import messages_in
from tests.virtual_time import on_virtual_time

from .local_app import LocalApp, open_table, room_of, virtual_app


async def past_of(app: LocalApp, table: str, token: str, query: str = "?past=1") -> dict[str, Any]:
    """The past that a new page of this guest is told."""
    async with app.socket(table, token, query) as wire:
        return await wire.next("past")


def events_in(past: dict[str, Any]) -> list[dict[str, Any]]:
    inputs = [one for match in past["matches"] for one in match["inputs"]]
    return [event for one in inputs for event in one["events"]]


def chat_in(past: dict[str, Any]) -> list[str]:
    return [event["text"] for event in events_in(past) if event["type"] == "chat"]


async def say(app: LocalApp, table: str, member: int, *texts: str) -> None:
    room = room_of(app, table)
    for text in texts:
        said = messages_in.Chat(text)
        assert (await room.put(room.table.members[member].guest, said)).refused is None


async def watch(client: httpx.AsyncClient, table: str, name: str) -> None:
    answer = await client.post(f"/api/tables/{table}/join", json={"name": name, "watch": True})
    assert answer.is_success


@on_virtual_time
async def test_the_past_begins_when_its_member_came() -> None:
    async with virtual_app() as app:
        host_token, host = await app.guest()
        token, watcher = await app.guest()
        async with host, watcher:
            table = await open_table(host)
            await say(app, table, 0, "before")
            await watch(watcher, table, "Kim")
            await say(app, table, 0, "after")
            assert chat_in(await past_of(app, table, host_token)) == ["before", "after"]
            assert chat_in(await past_of(app, table, token)) == ["after"]


@on_virtual_time
async def test_what_a_member_has_muted_is_left_out() -> None:
    async with virtual_app() as app:
        host_token, host = await app.guest()
        _, watcher = await app.guest()
        async with host, watcher:
            table = await open_table(host)
            await watch(watcher, table, "Kim")
            await say(app, table, 1, "noise")
            room = room_of(app, table)
            for on, heard in ((True, []), (False, ["noise"])):
                await room.put(room.table.members[0].guest, messages_in.Mute(1, on))
                assert chat_in(await past_of(app, table, host_token)) == heard


@on_virtual_time
async def test_events_are_cut_for_their_viewer_and_draws_of_others_left_out() -> None:
    async with virtual_app() as app:
        host_token, host = await app.guest()
        token, watcher = await app.guest()
        async with host, watcher:
            table = await open_table(host, practice=True, seed="1954", pace=0, bot_window=0)
            await watch(watcher, table, "Kim")
            room = room_of(app, table)
            guest = room.table.members[0].guest
            await room.put(guest, messages_in.AddBot(1, "sunday-driver"))
            await room.put(guest, messages_in.Start())
            own = await past_of(app, table, host_token)
            theirs = await past_of(app, table, token)
    (dealt,) = [event for event in events_in(own) if event["type"] == "dealt"]
    assert "?" not in dealt["hands"][0]
    assert set(dealt["hands"][1]) == {"?"}
    assert {one["seat"] for one in events_in(own) if one["type"] == "drawn"} <= {0}
    (dealt,) = [event for event in events_in(theirs) if event["type"] == "dealt"]
    assert {card for hand in dealt["hands"] for card in hand} == {"?"}
    assert not [one for one in events_in(theirs) if one["type"] == "drawn"]
    assert (own["matches"][-1]["you"], theirs["matches"][-1]["you"]) == (0, None)
    assert own["matches"][-1]["sides"] == 2
    assert own["matches"][-1]["seats"][0] == "Ada"


@on_virtual_time
async def test_frames_and_the_past_meet_without_gap_or_overlap() -> None:
    async with virtual_app() as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
            await say(app, table, 0, *"abcdefgh")
            last = room_of(app, table).table.seq
            for after in (last, last - 1, last - 5, 1):
                past = await past_of(app, table, token, f"?past=1&after={after}")
                assert past["until"] == after
                told = [one["seq"] for match in past["matches"] for one in match["inputs"]]
                assert max(told) == after


@on_virtual_time
async def test_of_a_very_long_past_the_latest_part_is_told() -> None:
    async with virtual_app() as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
            await say(app, table, 0, *(f"{number:04}" + "x" * 400 for number in range(400)))
            past = await past_of(app, table, token)
    numbers = [int(text[:4]) for text in chat_in(past)]
    assert numbers == list(range(numbers[0], 400))
    assert _PAST_BYTES / 2 < len(json.dumps(past)) < 1.5 * _PAST_BYTES


@on_virtual_time
async def test_no_past_is_told_to_those_who_do_not_ask() -> None:
    async with virtual_app() as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
            await say(app, table, 0, "hello")
            async with app.socket(table, token) as wire:
                wire.say({"type": "ping"})
                await wire.next("pong")
                assert {json.loads(text)["type"] for text in wire.frames} == {"frame", "pong"}


@on_virtual_time
async def test_a_ping_is_answered_to_its_sender_alone_and_changes_nothing() -> None:
    async with virtual_app() as app:
        token, host = await app.guest()
        other, watcher = await app.guest()
        async with host, watcher:
            table = await open_table(host)
            await watch(watcher, table, "Kim")
            async with app.socket(table, token) as one, app.socket(table, other) as two:
                for wire in (one, two):  # so that nothing else is on its way
                    wire.say({"type": "ping"})
                    await wire.next("pong")
                before, seq = len(two.frames), room_of(app, table).table.seq
                one.say({"type": "ping"})
                assert await one.next("pong") == {"type": "pong"}
                two.say({"type": "ping"})
                await two.next("pong")
                assert len(two.frames) == before + 1
                assert room_of(app, table).table.seq == seq
