"""People who come to annoy, seen from the network: sent away, and making room."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from millebornes.server.driver import TableDriver
from millebornes.server.hub import Hub
from millebornes.table import messages_in
from millebornes.table.close_codes import CloseCode

from . import virtual
from .house import House, Wire
from .test_api import code_of, open_table
from .test_presence import join, virtual_house
from .test_room import FOR_TWO, GUEST, HOST, Ear, TroubledStore, run

SOON = TableDriver.connects_within + 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


def last(wire: Wire) -> Any:
    return json.loads(wire.frames[-1])


def test_whoever_is_sent_away_is_told_and_shut_out_of_everything() -> None:
    async def main() -> None:
        async with virtual_house() as built:
            token, host = await built.guest()
            other, troll = await built.guest()
            async with host, troll:
                table = await open_table(host)
                await join(troll, table, "Eve")
                async with built.socket(table, token) as ours, built.socket(table, other) as theirs:
                    ours.say({"type": "send_away", "member": 1})
                    assert await theirs.end() == (CloseCode.SENT_AWAY, "sent away")
                    assert last(theirs)["table"]["sent_away"]
                    assert last(theirs)["events"] == []
                    assert last(ours)["events"] == [
                        {"type": "told", "code": "sent_away", "name": "Eve", "seat": 1}
                    ]
                    assert not last(ours)["table"]["sent_away"]
                    assert ours.closed is None
                await shut_out(built, troll, table, other)

    async def shut_out(built: House, troll: Any, table: str, token: str) -> None:
        again = await troll.post(f"/api/tables/{table}/join", json={"name": "Adam"})
        assert (again.status_code, code_of(again)) == (409, "sent_away")
        async with built.socket(table, token) as wire:
            assert wire.denied == 403
            assert json.loads(wire.denial)["code"] == "sent_away"
        seen = (await troll.get(f"/api/tables/{table}")).json()
        assert seen["sent_away"]
        assert (await troll.get("/api/games")).json()["running"] == []

    virtual.run(main())


def test_a_kick_by_the_socket_is_written_as_what_it_means() -> None:
    async def main() -> None:
        async with virtual_house() as built:
            token, host = await built.guest()
            other, troll = await built.guest()
            async with host, troll:
                table = await open_table(host)
                await join(troll, table, "Eve")
                async with built.socket(table, token) as ours, built.socket(table, other) as theirs:
                    ours.say({"type": "kick", "seat": 1})
                    assert (await theirs.end())[0] == CloseCode.SENT_AWAY
                rows = await built.server.store.log(table)
                kept = [json.loads(row.data) for row in rows]
                assert {"type": "send_away", "member": 1} in kept
                assert "kick" not in [one["type"] for one in kept]

    virtual.run(main())


def test_whoever_is_sent_away_while_connecting_does_not_stay(path: Path) -> None:
    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        await room.put(GUEST, messages_in.Join("Guest"))
        ear = Ear(GUEST)  # admitted, but not listening yet
        await room.put(HOST, messages_in.SendAway(1))
        frames = [frame async for frame in room.add(ear, None)]
        assert ear.ended == (CloseCode.SENT_AWAY, "sent away")
        assert [frame.table.sent_away for frame in frames] == [True]

    run(path, work)


def test_the_one_who_opened_a_table_cannot_be_sent_away_from_it(path: Path) -> None:
    async def work(_: TroubledStore, hub: Hub) -> None:
        room = await hub.open(FOR_TWO, HOST, "Host")
        await room.put(GUEST, messages_in.Join("Guest"))
        await room.put(HOST, messages_in.Leave())
        outcome = await room.put(GUEST, messages_in.SendAway(0))
        assert outcome.refused is not None
        assert outcome.refused.code == "opener_stays"
        assert hub.openers.by_guest(HOST) == 1
        hub._forget(room.id)
        assert hub.openers.by_guest(HOST) == 0

    run(path, work)


def test_watchers_who_never_connect_keep_nobody_out() -> None:
    async def main() -> None:
        async with virtual_house() as built:
            token, host = await built.guest()
            async with host:
                table = await open_table(host)
                room = built.server.hub.find(table)
                assert room is not None
                for number in range(63):
                    await room.put(f"troll{number}", messages_in.Join("Troll", watch=True))
                    room.expect(f"troll{number}")
                _, friend = await built.guest()
                async with built.socket(table, token), friend:
                    answer = await friend.post(f"/api/tables/{table}/join", json={"name": "Bea"})
                    assert (answer.status_code, code_of(answer)) == (409, "table_full")
                    await asyncio.sleep(SOON)
                    await join(friend, table, "Bea")
                    assert room.table.seat_name(1) == "Bea"

    virtual.run(main())


def test_a_table_where_one_made_room_is_not_among_their_games() -> None:
    async def main() -> None:
        async with virtual_house() as built:
            token, host = await built.guest()
            _, gone = await built.guest()
            async with host, gone:
                table = await open_table(host)
                room = built.server.hub.find(table)
                assert room is not None
                answer = await gone.post(
                    f"/api/tables/{table}/join", json={"name": "Bea", "watch": True}
                )
                assert answer.status_code == 200
                async with built.socket(table, token):
                    await asyncio.sleep(SOON)
                    for number in range(63):
                        running = (await gone.get("/api/games")).json()["running"]
                        assert len(running) == 1
                        await room.put(f"g{number}", messages_in.Join("Guest", watch=True))
                    assert (await gone.get("/api/games")).json()["running"] == []

    virtual.run(main())
