"""Whole matches of every edition and player count over real sockets, with lost connections.

All are played by the printed rules, from the first hand to the last.
Clients make random legal moves like people, and lose their connections now and then; one bot
plays over the network, others in the server. One client reconnects at the end and receives all
it has missed. Every record must replay and prove its shuffles.
"""

import asyncio
import random
from pathlib import Path
from typing import NamedTuple

from millebornes.bots import SundayDriver
from millebornes.client import Client, Seat, play_seat
from millebornes.records import game as game_text
from millebornes.records import replay
from millebornes.rules import EDITIONS
from millebornes.rules.state import Over
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from millebornes.table.proof import check_record
from tests.server_process import GENEROUS, server_process

PATIENCE = 300
AT_ONCE = 6
HARMLESS = {"already_done", "stale_decision", "shuffle_moved_on", "already_answered", "bot_plays"}
"""Refusals that follow when a client reconnects and sends again what had arrived after all."""


class Setup(NamedTuple):
    edition: str
    players: int
    short_trip: bool = False


SETUPS = [
    Setup(edition.id, players, short)
    for edition in EDITIONS.values()
    for players in edition.player_counts
    for short in ((False, True) if players in edition.short_trip_at else (False,))
]


async def play(seat: Seat, rng: random.Random, starts: bool) -> None:
    """Play as a person might: any legal move, rather a play than a discard; losing the line."""
    answered = -1
    made = 0
    last: int | None = None
    async for message in seat.messages():
        if isinstance(message, out.Rejected):
            assert message.code in HARMLESS, (message.code, message.sentence)
        if isinstance(message, out.Frame):
            assert last is None or message.seq == last + 1, "a frame was left out or came twice"
            last = message.seq
        table = seat.table
        if table is None:
            continue
        if table.phase == "over":
            assert seat.reconnects > 0
            return
        if table.phase == "lobby":
            if starts and all(taken.kind != "empty" for taken in table.seats):
                starts = False
                await seat.say(says.Start())
            continue
        asked = table.asked
        if asked is None or asked.decision == answered:
            continue
        if asked.what == "next":
            answered = asked.decision
            await seat.say(says.Next(asked.decision))
        elif table.hand is not None and table.hand.legal_moves:
            answered = asked.decision
            plays = [move for move in table.hand.legal_moves if not move.startswith("x")]
            await seat.move(rng.choice(plays or table.hand.legal_moves))
            made += 1
            # One for certain: chance may leave a match alone.
            if made == 5 or rng.random() < 0.03:
                await seat.disconnect()


async def bot_elsewhere(url: str, table: str) -> None:
    async with Client(url) as client:
        edition = await client.edition(table)
        async with await client.join(table, "Robot") as seat:
            await play_seat(seat, edition, SundayDriver().choose)
            assert not seat.faults


async def watch_the_first_and_the_last(url: str, table: str, is_over: asyncio.Event) -> int:
    """A spectator who goes away at once and comes back at the end; how much was missed."""
    async with Client(url) as client:
        async with await client.join(table, "Cy", watch=True) as seat:
            async for message in seat.messages():
                assert isinstance(message, out.Frame)
                break
        assert seat.seq is not None
        first = last = seat.seq
        await is_over.wait()
        async with client.seat(table, after=first) as seat:
            async for message in seat.messages():
                assert isinstance(message, out.Frame)
                assert message.seq == last + 1
                last = message.seq
                if message.table.phase == "over":
                    return last - first
    raise AssertionError


async def whole_match(url: str, setup: Setup, number: int) -> None:
    rng = random.Random(number)
    async with Client(url) as client:
        table = await client.open_table(
            "Ada",
            edition=setup.edition,
            players=setup.players,
            short_trip=setup.short_trip,
            pace=0,
            bot_window=0,
            window=1000,
        )
        is_over = asyncio.Event()
        async with client.seat(table) as seat, asyncio.TaskGroup() as group:
            watcher = group.create_task(watch_the_first_and_the_last(url, table, is_over))
            for bot in range(2, setup.players - 1):
                await seat.say(says.AddBot(bot, "sunday-driver"))
            if setup.players > 2:
                group.create_task(bot_elsewhere(url, table))
            group.create_task(join_and_play(url, table, rng))
            await play(seat, rng, starts=True)
            is_over.set()
        missed = watcher.result()
        record = await client.record(table)
        (finished,) = (await client.games()).recent
        assert await client.game(finished.game) == record
    game = game_text.from_text(record)
    assert (game.players, game.short_trip) == (setup.players, setup.short_trip)
    assert game.edition == EDITIONS[setup.edition]
    *_, end = replay(game)
    assert isinstance(end.match.awaiting, Over)
    assert game.result is not None
    assert max(game.result) >= game.edition.target
    assert missed > 128, "too short to be replayed from the log"
    faults = [finding for finding in check_record(game) if finding.fault is not None]
    assert not faults, (setup, faults)


async def join_and_play(url: str, table: str, rng: random.Random) -> None:
    async with Client(url) as client, await client.join(table, "Bea") as seat:
        await play(seat, rng, starts=False)
        assert not seat.faults


async def test_whole_matches_of_every_edition_and_player_count_over_real_sockets(
    tmp_path: Path,
) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        turnstile = asyncio.Semaphore(AT_ONCE)

        async def one(number: int, setup: Setup) -> None:
            async with turnstile:
                await whole_match(server.url, setup, number)

        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            for number, setup in enumerate(SETUPS):
                group.create_task(one(number, setup))
        assert server.stop() == 0
        assert not [line for line in server.log() if line["level"] in ("warning", "error")]
