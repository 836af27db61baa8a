"""Whole matches over real sockets, whatever happens to the connections and the server."""

import asyncio
import contextlib
import random
import signal
from itertools import pairwise
from pathlib import Path

import pytest

from millebornes.bots import BOTS, SundayDriver
from millebornes.client import Client, ClientError, Seat, play_seat
from millebornes.records import Game, game, replay
from millebornes.rules import DEFAULT_EDITION, EDITIONS, PRESETS, Move, View
from millebornes.rules.state import Over
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from millebornes.table.proof import check_record
from tests.server_process import GENEROUS, PATIENCE, ServerProcess, server_process

from .players import play, seqs, start_when_full

LONG_HAND = """
parent = "winning-moves"
hands = 1
tie = "drawn"
trip = {2 = 1000}
extension_at = []
"""
"""One hand is a match, and nobody can arrive in fewer than nine turns."""
QUICK = {"pace": 0, "bot_window": 0, "window": 1000}


def check(text: str, players: int) -> Game:
    """The record of a finished match replays, and each of its hands is proven."""
    record = game.from_text(text)
    assert record.players == players
    final = list(replay(record))[-1].match
    assert isinstance(final.awaiting, Over)
    assert record.result == final.totals
    assert [finding.fault for finding in check_record(record)] == [None] * len(record.deals)
    return record


async def cut(seat: Seat) -> None:
    """The connection breaks without a word."""
    assert seat._socket is not None
    seat._socket.transport.abort()


async def one_match(url: str, edition: str, players: int) -> None:
    """People and bots play by the printed rules; the people's connections break now and then."""
    rng = random.Random(f"{edition} {players}")
    people = max(1, players // 2)
    moves = 0

    async def after_move(seat: Seat) -> None:
        nonlocal moves
        moves += 1
        # One for certain: chance may leave a match alone.
        if moves == 5 or rng.random() < 0.03:
            await (cut(seat) if rng.random() < 0.5 else seat.disconnect())

    async def follow(seat: Seat, *, host: bool = False) -> tuple[Seat, list[out.Frame]]:
        async with seat:
            if host:
                await start_when_full(seat)
            return seat, await play(seat, rng, after_move=after_move)

    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url)) for _ in range(people)]
        table = await clients[0].open_table("Host", players=players, edition=edition, **QUICK)
        host = clients[0].seat(table)
        for place in range(people, players):
            await host.say(says.AddBot(place, "sunday-driver"))
        seats = [await client.join(table, "Guest") for client in clients[1:]]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(follow(host, host=True))]
            tasks += [group.create_task(follow(seat)) for seat in seats]
        for task in tasks:
            seat, frames = task.result()
            assert seat.faults == []
            numbers = seqs(frames)
            assert numbers == list(range(numbers[0], numbers[-1] + 1))
        assert sum(seat.reconnects for seat in (host, *seats)) > 0
        for client in clients:
            record = check(await client.record(table), players)
            assert record.edition == EDITIONS[edition]
            told = await client.hand(table, len(record.deals))
            assert [step.move for step in told] == [None, *map(str, record.deals[-1].moves)]
            assert len((await client.games()).recent) == 1


async def test_whole_matches_of_every_edition_and_player_count(tmp_path: Path) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        async with asyncio.TaskGroup() as group:
            for edition in EDITIONS.values():
                for players in edition.player_counts:
                    group.create_task(one_match(server.url, edition.id, players))
        assert server.troubles() == []


async def match_with_kills(server: ServerProcess, kills: int) -> None:
    """The server is killed in the middle of the match, again and again."""
    rng = random.Random("kills")
    left = kills
    moves = 0
    now = asyncio.Event()

    async def after_move(_: Seat) -> None:
        nonlocal moves
        moves += 1
        # Not before both are back: who is still on the way would miss a whole life of the server.
        are_back = min(host.reconnects, guest.reconnects) >= kills - left
        if left and are_back and moves >= 15 * (kills - left + 1):
            now.set()

    async def killer() -> None:
        nonlocal left
        while left:
            await now.wait()
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            now.clear()
            left -= 1

    async def follow(seat: Seat, *, host: bool = False) -> list[out.Frame]:
        async with seat:
            if host:
                await start_when_full(seat)
            return await play(seat, rng, after_move=after_move)

    async with Client(server.url) as client, Client(server.url) as other:
        table = await client.open_table("Host", players=3, edition="winning-moves", **QUICK)
        host = client.seat(table)
        await host.say(says.AddBot(2, "sunday-driver"))
        guest = await other.join(table, "Guest")
        async with asyncio.TaskGroup() as group:
            killing = group.create_task(killer())
            tasks = [
                group.create_task(follow(host, host=True)),
                group.create_task(follow(guest)),
            ]
            await asyncio.wait(tasks)
            killing.cancel()
        assert left == 0
        for task in tasks:
            numbers = seqs(task.result())
            assert numbers == list(range(numbers[0], numbers[-1] + 1))
        assert min(host.reconnects, guest.reconnects) >= kills
        check(await client.record(table), 3)


async def test_a_match_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        await match_with_kills(server, 3)
        assert server.troubles() == []


async def test_a_match_goes_on_after_the_server_was_stopped(tmp_path: Path) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        rng = random.Random("stop")
        async with Client(server.url) as client:
            table = await client.open_table("Host", players=2, **QUICK)
            seat = client.seat(table)
            async with seat:
                await seat.say(says.AddBot(1, "sunday-driver"))
                await start_when_full(seat)
                await play(seat, rng, hands=1)
                assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0
                await asyncio.to_thread(server.start)
                await play(seat, rng, hands=1)
                assert seat.reconnects >= 1
                assert seat.faults == []


@pytest.mark.parametrize("turns", [0, 6])
async def test_a_match_goes_on_after_the_server_was_put_back_from_a_backup(
    tmp_path: Path, turns: int
) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        rng = random.Random("backup")
        bot = SundayDriver()
        asked = 0
        is_restored = False

        def choose(view: View) -> Move:
            nonlocal asked
            asked += 1
            if asked == 2:
                server.back_up()
            return bot.choose(view)

        async def before_move(_: Seat) -> None:
            # Without turns since, the host has just answered what it is asked in the copy.
            nonlocal is_restored
            if asked >= 2 + turns and not is_restored:
                is_restored = True
                server.kill()
                server.restore()
                server.start()

        async with Client(server.url) as client, Client(server.url) as other:
            table = await client.open_table("Host", players=2, house_rules=LONG_HAND, **QUICK)
            edition = await client.edition(table)
            async with client.seat(table) as host, await other.join(table, "Guest") as guest:
                await start_when_full(host)
                async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
                    group.create_task(play_seat(host, edition, choose))
                    playing = group.create_task(play(guest, rng, before_move=before_move))
            numbers = seqs(playing.result())
            went_back = [before for before, after in pairwise(numbers) if after <= before]
            # Without turns since, the server's own inputs may have brought it as far already.
            assert len(went_back) == 1 or not turns
            for seat in (host, guest):
                assert (seat.set_backs, seat.faults) == (1, [])
            check(await client.record(table), 2)


async def test_what_was_heard_before_the_server_went_away_is_told_although_it_is_away(
    tmp_path: Path,
) -> None:
    async def main(server: ServerProcess) -> list[object]:
        heard: list[object] = []
        async with Client(server.url) as client, Client(server.url) as other:
            table = await client.open_table("Host", players=2, **QUICK)
            seat = client.seat(table)
            await seat.say(says.AddBot(1, "sunday-driver"))
            async with await other.join(table, "Watcher", watch=True) as watching:
                await seat.say(says.Start())
                async for _ in watching.messages():
                    if watching.table is not None and watching.table.fair is not None:
                        break
                assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0
            async with asyncio.timeout(PATIENCE):
                async for message in seat.messages():
                    heard.append(message)
                    if isinstance(message, out.Stopping):
                        break
        return heard

    with server_process(tmp_path, **GENEROUS) as server:
        heard = await main(server)
    # It was asked for its part in the shuffle, and could not give it any more.
    fair = [one.table.fair for one in heard if isinstance(one, out.Frame)]
    assert [one.stage for one in fair if one is not None] == ["commit"]


async def test_listing_opening_joining_and_watching(tmp_path: Path) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        async with (
            Client(server.url) as host,
            Client(server.url) as guest,
            Client(server.url) as watcher,
        ):
            assert {edition.id for edition in await host.editions()} == set(EDITIONS)
            assert [preset.preset for preset in await host.presets()] == list(PRESETS)
            assert await host.bots() == list(BOTS)
            table = await host.open_table("Léa", players=2, is_open=True, **QUICK)
            (listed,) = await guest.lobby()
            assert await guest.lobby(page=2) == []
            assert (listed.table, listed.names, listed.free) == (table, ("Léa",), 1)
            assert (await guest.edition(table)).id == DEFAULT_EDITION.id
            seated = await guest.join(listed.table, "Max")
            assert seated.table is not None
            assert seated.table.you == 1
            watching = await watcher.join(table, "Zoé", watch=True)
            own = host.seat(table)
            rng = random.Random("watch")

            async def watch() -> list[out.Frame]:
                frames: list[out.Frame] = []
                async for message in watching.messages():
                    assert isinstance(message, out.Frame)
                    frames.append(message)
                    if any(isinstance(event, out.HandEnded) for event in message.events):
                        break
                return frames

            async with own, seated, watching:
                await start_when_full(own)
                async with asyncio.TaskGroup() as group:
                    group.create_task(play(own, rng, hands=1))
                    group.create_task(play(seated, rng, hands=1))
                    seen = group.create_task(watch())
            for frame in seen.result():
                assert frame.table.you is None
                assert frame.table.hand is None or frame.table.hand.cards == ()
                drawn = [event for event in frame.events if isinstance(event, out.Drawn)]
                assert all(event.card == "?" for event in drawn)
            (running,) = (await guest.games()).running
            assert running.names == ("Léa", "Max")


async def test_a_newer_connection_takes_over_and_the_older_may_reclaim(tmp_path: Path) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        async with Client(server.url) as client:
            table = await client.open_table("Léa", players=2, **QUICK)
            async with client.seat(table) as older, client.seat(table) as newer:
                told = [message async for message in older.messages()]
                assert isinstance(told[-1], out.Superseded)
                with pytest.raises(ClientError):
                    await older.say(says.Chat("hello?"))
                async with client.seat(table, older.seq) as again:
                    assert isinstance([m async for m in newer.messages()][-1], out.Superseded)
                    await again.say(says.Chat("back"))
                    async for message in again.messages():
                        assert isinstance(message, out.Frame)
                        if any(isinstance(event, out.ChatSaid) for event in message.events):
                            break


async def test_a_client_chooses_whether_a_table_plays_in_teams(tmp_path: Path) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        async with Client(server.url) as client:
            for chosen, teams in ((None, True), (True, True), (False, False)):
                table = await client.open_table("Léa", players=4, teams=chosen)
                assert (await client.look(table)).teams is teams
            with pytest.raises(ClientError, match="teams of two at 4, 6 or 8 players"):
                await client.open_table("Léa", players=3, teams=True)


async def test_refusals_have_a_code_and_a_sentence(tmp_path: Path) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        async with Client(server.url) as client:
            with pytest.raises(ClientError) as nowhere:
                await client.join("no-such-table", "Léa")
            assert (nowhere.value.status, nowhere.value.code) == (404, "not_found")
            with pytest.raises(ClientError):
                async with client.seat("no-such-table"):
                    pass
            with pytest.raises(ClientError) as bad:
                await client.open_table("Léa", edition="no-such-edition")
            assert bad.value.status == 400
            table = await client.open_table("Léa", **QUICK)
            async with client.seat(table) as seat:
                await seat.say(says.Start())
                async for message in seat.messages():
                    if isinstance(message, out.Rejected):
                        assert message.code == "seats_empty"
                        assert message.sentence.startswith("Every seat must be taken")
                        break
        unreachable = Client("http://127.0.0.1:9")
        with pytest.raises(ClientError) as error:
            await unreachable.become_guest()
        assert error.value.code == "unreachable"
