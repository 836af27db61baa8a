"""Players for real servers: they make random moves through any number of lost connections."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

from millebornes.client import Client, Seat
from millebornes.table import In
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out

QUICK: dict[str, Any] = {"pace": 0, "bot_window": 0, "window": 1000}
"""A table where nobody waits for bots."""


class CheckedSeat(Seat):
    """A seat that keeps its frames, and checks that none is missing or comes twice."""

    def __init__(self, client: Client, table: str) -> None:
        super().__init__(client, table)
        self.frames: dict[int, out.Frame] = {}
        self.faults_of_order: list[str] = []
        self.moves: set[str] = set()
        """Ids of moves that the server called done."""
        self.has_begun = False
        self.on_said: Callable[[], None] = lambda: None

    async def say(self, message: In) -> None:
        await super().say(message)
        self.on_said()

    @property
    def member(self) -> int:
        """Which member of the table this is."""
        assert self.table is not None
        assert self.table.member is not None
        return self.table.member

    def _is_old(self, message: out.Out) -> bool:
        if isinstance(message, out.Frame) and self.has_begun:
            last = self.seq or 0
            if message.seq <= last and self.frames.get(message.seq) == message:
                return True  # it also came over the connection before, and has not changed
            if message.seq != last + 1:
                self.faults_of_order.append(f"{message.seq} after {last}")
            self.frames[message.seq] = message
        elif isinstance(message, out.Frame):
            self.has_begun = True  # the first frame shows the current table, not an input
        return False


class Person:
    """Plays at one table as fast as it can, through any number of lost connections."""

    def __init__(self, seat: CheckedSeat, rng: random.Random, on_frame: Callable[[], None]) -> None:
        self.seat = seat
        self._rng = rng
        self.on_frame = on_frame
        self._answered: int | None = None

    async def play(self) -> None:
        """Until the task is cancelled."""
        async for message in self.seat.messages():
            if isinstance(message, out.Rejected):
                self._note(message)
            if isinstance(message, out.Frame):
                self.on_frame()
            await self._answer()

    def _note(self, rejected: out.Rejected) -> None:
        if rejected.code == "already_done" and rejected.id is not None:
            self.seat.moves.add(rejected.id)
        elif rejected.code in ("cannot_write", "try_again", "server_stopping"):
            self._answered = None

    async def _answer(self) -> None:
        table = self.seat.table
        if table is None or table.you is None:
            return
        if table.phase == "lobby" and table.host == table.member:
            kinds = [seat.kind for seat in table.seats]
            if "empty" in kinds:
                await self.seat.say(says.AddBot(kinds.index("empty"), "sunday-driver"))
            else:
                await self.seat.say(says.Start())
            return
        if table.phase == "over" and table.you not in table.continued:
            await self.seat.say(says.Rematch())
            return
        asked = table.asked
        if asked is None or asked.decision == self._answered:
            return
        if asked.what == "next":
            self._answered = asked.decision
            await self.seat.say(says.Next(asked.decision))
        elif table.hand is not None and table.hand.legal_moves:
            self._answered = asked.decision
            moves = table.hand.legal_moves
            plays = [move for move in moves if not move.startswith("x")]
            await self.seat.move(self._rng.choice(plays or moves))


class Party:
    """A table where a match has begun, and the people at it."""

    def __init__(self, table: str, people: list[Person], clients: list[Client]) -> None:
        self.table = table
        self.people = people
        self._clients = clients
        self._tasks = [asyncio.ensure_future(person.play()) for person in people]

    @property
    def decision(self) -> int:
        """How far they are."""
        views = [person.seat.table for person in self.people]
        return max((v.asked.decision for v in views if v is not None and v.asked), default=0)

    async def go_home(self) -> None:
        """Everybody stops playing."""
        for task in self._tasks:
            task.cancel()
        outcomes = await asyncio.gather(*self._tasks, return_exceptions=True)
        for person in self.people:
            await person.seat.disconnect()
        for client in self._clients:
            await client.__aexit__(None, None, None)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome


async def open_party(
    url: str, rng: random.Random, on_frame: Callable[[], None], *, people: int, bots: int
) -> Party:
    """People sit down with bots and start to play."""
    clients = [Client(url) for _ in range(people)]
    for client in clients:
        await client.become_guest()
    host = clients[0]
    table = await host.open_table("Host", players=people + bots, edition="winning-moves", **QUICK)
    for number, client in enumerate(clients[1:], start=1):
        await client.join(table, f"Guest {number}")
    seats = [CheckedSeat(client, table) for client in clients]
    seeds = [random.Random(rng.random()) for _ in seats]
    persons = [Person(seat, seed, on_frame) for seat, seed in zip(seats, seeds, strict=True)]
    return Party(table, persons, clients)
