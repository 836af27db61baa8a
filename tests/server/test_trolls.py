"""People who come to annoy, seen from the network: sent away, and making room."""

import asyncio
import json
from pathlib import Path
from typing import Any

from millebornes.server.driver import TableDriver
from millebornes.table import messages_in
from millebornes.table.close_codes import CloseCode
from tests.virtual_time import on_virtual_time

from .local_app import (
    LocalApp,
    Socket,
    error_code,
    host_and_guest,
    join,
    open_table,
    virtual_app,
)
from .rooms import FOR_TWO, GUEST, HOST, Listener, open_hub

SOON = TableDriver.connects_within + 1


def last(wire: Socket) -> Any:
    return json.loads(wire.frames[-1])


@on_virtual_time
async def test_whoever_is_sent_away_is_told_and_shut_out_of_everything() -> None:

    async def shut_out(app: LocalApp, troll: Any, table: str, token: str) -> None:
        again = await troll.post(f"/api/tables/{table}/join", json={"name": "Adam"})
        assert (again.status_code, error_code(again)) == (409, "sent_away")
        async with app.socket(table, token) as wire:
            assert wire.denied == 403
            assert json.loads(wire.denial)["code"] == "sent_away"
        seen = (await troll.get(f"/api/tables/{table}")).json()
        assert seen["sent_away"]
        assert (await troll.get("/api/games")).json()["running"] == []

    async with host_and_guest() as (app, table, host, troll):
        await join(troll.client, table, "Eve")
        async with app.socket(table, host.token) as ours, app.socket(table, troll.token) as theirs:
            ours.say({"type": "send_away", "member": 1})
            assert await theirs.end() == (CloseCode.SENT_AWAY, "sent away")
            assert last(theirs)["table"]["sent_away"]
            assert last(theirs)["events"] == []
            assert last(ours)["events"] == [
                {"type": "told", "code": "sent_away", "name": "Eve", "seat": 1}
            ]
            assert not last(ours)["table"]["sent_away"]
            assert ours.closed is None
        await shut_out(app, troll.client, table, troll.token)


@on_virtual_time
async def test_a_kick_by_the_socket_is_written_as_what_it_means() -> None:
    async with host_and_guest() as (app, table, host, troll):
        await join(troll.client, table, "Eve")
        async with app.socket(table, host.token) as ours, app.socket(table, troll.token) as theirs:
            ours.say({"type": "kick", "seat": 1})
            assert (await theirs.end())[0] == CloseCode.SENT_AWAY
        rows = await app.server.store.log(table)
        kept = [json.loads(row.data) for row in rows]
        assert {"type": "send_away", "member": 1} in kept
        assert "kick" not in [one["type"] for one in kept]


async def test_whoever_is_sent_away_while_connecting_does_not_stay(path: Path) -> None:
    async with open_hub(path) as (_, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        await room.put(GUEST, messages_in.Join("Guest"))
        listener = Listener(GUEST)  # admitted, but not listening yet
        await room.put(HOST, messages_in.SendAway(1))
        frames = [frame async for frame in room.add(listener, None)]
        assert listener.ended == (CloseCode.SENT_AWAY, "sent away")
        assert [frame.table.sent_away for frame in frames] == [True]


async def test_the_one_who_opened_a_table_cannot_be_sent_away_from_it(path: Path) -> None:
    async with open_hub(path) as (_, hub):
        room = await hub.open(FOR_TWO, HOST, "Host")
        await room.put(GUEST, messages_in.Join("Guest"))
        await room.put(HOST, messages_in.Leave())
        outcome = await room.put(GUEST, messages_in.SendAway(0))
        assert outcome.refused is not None
        assert outcome.refused.code == "opener_stays"
        assert hub.table_counts.by_guest(HOST) == 1
        hub._forget(room.id)
        assert hub.table_counts.by_guest(HOST) == 0


@on_virtual_time
async def test_watchers_who_never_connect_keep_nobody_out() -> None:
    async with virtual_app(requests_per_second=1000) as app:
        token, host = await app.guest()
        async with host:
            table = await open_table(host)
            room = app.server.hub.find(table)
            assert room is not None
            for number in range(63):
                await room.put(f"troll{number}", messages_in.Join("Troll", watch=True))
                room.expect(f"troll{number}")
            _, friend = await app.guest()
            async with app.socket(table, token), friend:
                answer = await friend.post(f"/api/tables/{table}/join", json={"name": "Bea"})
                assert (answer.status_code, error_code(answer)) == (409, "table_full")
                await asyncio.sleep(SOON)
                await join(friend, table, "Bea")
                assert room.table.seat_name(1) == "Bea"


@on_virtual_time
async def test_a_table_where_one_made_room_is_not_among_their_games() -> None:
    async with host_and_guest() as (app, table, host, gone):
        room = app.server.hub.find(table)
        assert room is not None
        answer = await gone.client.post(
            f"/api/tables/{table}/join", json={"name": "Bea", "watch": True}
        )
        assert answer.status_code == 200
        async with app.socket(table, host.token):
            await asyncio.sleep(SOON)
            for number in range(63):
                running = (await gone.client.get("/api/games")).json()["running"]
                assert len(running) == 1
                await room.put(f"g{number}", messages_in.Join("Guest", watch=True))
            assert (await gone.client.get("/api/games")).json()["running"] == []
