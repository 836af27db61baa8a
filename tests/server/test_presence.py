"""A guest who joins over REST and never opens a WebSocket does not count as connected."""

import asyncio
import json
from typing import Any

from millebornes.server import run
from millebornes.server.driver import TableDriver
from millebornes.table.table import GRACE
from tests.virtual_time import on_virtual_time

from .local_app import LocalApp, Socket, host_and_guest, join, open_table, virtual_app

SOON = TableDriver.connects_within + 1
GRACE_SECONDS = GRACE / 1000


def told(wire: Socket, app: LocalApp, table: str) -> tuple[list[tuple[str, str]], Any]:
    """The notices of who connected and disconnected so far, and the table."""
    frames = [json.loads(text) for text in wire.frames]
    events = [event for frame in frames for event in frame.get("events", ())]
    room = app.server.hub.find(table)
    assert room is not None
    codes = [(e["code"], e["name"]) for e in events if e["type"] == "told"]
    return [one for one in codes if one[0] in ("connected", "disconnected")], room.table


@on_virtual_time
async def test_a_guest_who_never_opens_a_connection_is_gone_soon() -> None:
    async with (
        host_and_guest() as (app, table, host, friend),
        app.socket(table, host.token) as wire,
    ):
        await join(friend.client, table, "Bea")
        await asyncio.sleep(SOON)
        seen, now = told(wire, app, table)
        assert seen == [("disconnected", "Bea")]
        assert [member.connected for member in now.members] == [True, False]
        # Coming again by REST does not make a connection either.
        await join(friend.client, table, "Bea")
        await asyncio.sleep(SOON)
        assert not told(wire, app, table)[1].members[1].connected


@on_virtual_time
async def test_whoever_opens_a_connection_at_once_is_never_called_gone() -> None:
    async with (
        host_and_guest() as (app, table, host, friend),
        app.socket(table, host.token) as wire,
    ):
        await join(friend.client, table, "Bea")
        async with app.socket(table, friend.token):
            await asyncio.sleep(SOON)
            seen, now = told(wire, app, table)
            assert seen == []
            assert [member.connected for member in now.members] == [True, True]
            assert now.seq == 2  # two came, and nothing else was worth an input


@on_virtual_time
async def test_whoever_has_left_is_not_called_back_by_a_connection_still_open() -> None:
    async with (
        host_and_guest() as (app, table, host, friend),
        app.socket(table, host.token) as wire,
    ):
        await join(friend.client, table, "Bea")
        async with app.socket(table, friend.token) as leaving:
            leaving.say({"type": "leave"})
            await asyncio.sleep(SOON)
            seen, now = told(wire, app, table)
            assert seen == []
            assert not now.members[1].connected


@on_virtual_time
async def test_a_host_who_never_comes_has_a_minute_before_another_is_the_host() -> None:
    async with host_and_guest() as (app, table, _host, friend):
        await join(friend.client, table, "Bea")
        async with app.socket(table, friend.token) as wire:
            await asyncio.sleep(GRACE_SECONDS)
            seen, now = told(wire, app, table)
            assert seen == [("disconnected", "Ada")]
            assert now.host == 0
            await asyncio.sleep(SOON)
            assert told(wire, app, table)[1].host == 1


@on_virtual_time
async def test_a_host_who_comes_within_the_minute_stays_the_host() -> None:
    async with host_and_guest() as (app, table, host, friend):
        await join(friend.client, table, "Bea")
        async with app.socket(table, friend.token) as wire:
            await asyncio.sleep(GRACE_SECONDS)
            async with app.socket(table, host.token):
                await asyncio.sleep(2 * GRACE_SECONDS)
                seen, now = told(wire, app, table)
                assert seen == [("disconnected", "Ada"), ("connected", "Ada")]
                assert now.host == 0


@on_virtual_time
async def test_at_a_table_nobody_has_come_to_the_host_stays_the_host() -> None:
    async with virtual_app(requests_per_second=1000) as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
            await asyncio.sleep(10 * GRACE_SECONDS)
            async with app.socket(table, token) as wire:
                await asyncio.sleep(SOON)
                seen, now = told(wire, app, table)
                assert seen == [("connected", "Ada")]
                assert (now.host, now.phase) == (0, "lobby")


def test_the_others_learn_within_ten_seconds_that_a_line_was_cut() -> None:
    # A ping may have been answered just before; then the next one is not.
    assert 2 * run._PING + TableDriver.gone_after < 10
