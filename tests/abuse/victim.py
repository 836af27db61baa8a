"""Two people who play while others attack: how long each of their moves takes.

    python -m tests.abuse.victim URL FILE

They sit at one table, move every 100 ms, and have a separate address. A third opens the
page once a second. Every line of the file is a kind (`move`, `page`), when it was done (monotonic
seconds) and how long it took in milliseconds; -1 if it failed. It runs until it is stopped.
"""

import asyncio
import contextlib
import json
import random
import secrets
import sys
import time
from pathlib import Path
from typing import IO, Any

from millebornes.fair.protocol import client_commit

from .attacker import TEXT, VICTIM, Attacker, Socket

PACE = 0.1
PAGE_EVERY = 1.0
STUCK = 20.0
"""Seconds without a frame after which somebody counts as lost, and comes again."""


class Player:
    """One of the two."""

    def __init__(self, people: "Victims", token: str) -> None:
        self.people = people
        self.token = token
        self.seen: dict[str, Any] = {}
        self.decision = -1
        self.entropy: dict[int, bytes] = {}
        self.told: tuple[int, str] = (0, "")
        self.socket: Socket | None = None

    async def play(self) -> None:
        """Until the task is cancelled, over as many connections as it takes."""
        while True:
            async with self.people.address.socket(self.people.table, self.token) as self.socket:
                if self.socket.status != 101:
                    self.people.note("move", -1)
                    await asyncio.sleep(1)
                    continue
                self.told = (0, "")
                while (heard := await self.socket.next()) is not None:
                    if heard[0] == TEXT:
                        self.hear(json.loads(heard[1]))
                self.people.note("move", -1)
                await asyncio.sleep(PACE)

    def hear(self, message: dict[str, Any]) -> None:
        if message["type"] != "frame":
            return
        self.seen = message["table"]
        if self.seen["asked"] is not None:
            self.decision = self.seen["asked"]["decision"]
        if self.seen["fair"] is not None:
            self.shuffle(self.seen["fair"])
        self.people.heard()

    def shuffle(self, fair: dict[str, Any]) -> None:
        hand, stage = fair["hand"], fair["stage"]
        if self.told == (hand, stage) or self.socket is None:
            return
        self.told = (hand, stage)
        if stage == "commit":
            entropy = self.entropy.setdefault(hand, secrets.token_bytes(32))
            commit = client_commit(fair["ctx"], self.seen["you"], fair["commit"], entropy)
            self.socket.say(type="commit", hand=hand, commit=commit)
        elif stage == "reveal" and hand in self.entropy:
            self.socket.say(type="reveal", hand=hand, entropy=self.entropy[hand].hex())


class Victims:
    """Their table."""

    def __init__(self, url: str, out: IO[str]) -> None:
        self.address = Attacker(url, VICTIM)
        self.table = ""
        self._out = out
        self._rng = random.Random(1954)
        self._players: list[Player] = []
        self._answered = -1
        self._sent: float | None = None
        self._due = 0.0
        self._later: asyncio.Task[None] | None = None

    def note(self, kind: str, took: float) -> None:
        self._out.write(f"{kind} {time.monotonic():.3f} {took * 1000 if took >= 0 else -1:.2f}\n")
        self._out.flush()

    async def play(self) -> None:
        """Until the task is cancelled."""
        tokens = [await self.address.become_guest() for _ in range(2)]
        # Nobody's window closes by itself: it is always the players who answer.
        self.table = await self.address.open_table(tokens[0], players=2, window=60_000)
        answer = await self.address.join(self.table, tokens[1], "Guest")
        assert answer.status == 200, answer
        self._players = [Player(self, token) for token in tokens]
        async with asyncio.TaskGroup() as group:
            for player in self._players:
                group.create_task(player.play())
            group.create_task(self._look_in())
            group.create_task(self._go_on())

    async def _look_in(self) -> None:
        """Somebody new opens the page."""
        while True:
            began = time.monotonic()
            answer = await self.address.ask("GET", "/api/health")
            self.note("page", time.monotonic() - began if answer.status == 200 else -1)
            await asyncio.sleep(PAGE_EVERY)

    async def _go_on(self) -> None:
        """A move that nobody answers at all must be seen, too."""
        while True:
            await asyncio.sleep(1)
            if self._sent is not None and time.monotonic() - self._sent > STUCK:
                self.note("move", STUCK)
                self._sent, self._answered = None, -1
                self.heard()

    def heard(self) -> None:
        first = self._players[0]
        if first.seen.get("phase") == "lobby" and first.socket is not None:
            if self._answered != -2 and all(player.seen for player in self._players):
                self._answered = -2
                first.socket.say(type="start")
            return
        decision = first.decision
        if decision == self._answered or any(p.decision != decision for p in self._players):
            return
        now = time.monotonic()
        if self._sent is not None:
            self.note("move", now - self._sent)
            self._sent = None
        asked = first.seen.get("asked")
        if asked is None or asked["what"] == "deal":
            return
        self._answered = decision
        self._due = max(self._due + PACE, now)
        self._later = asyncio.create_task(self._act(asked, self._due - now))

    async def _act(self, asked: dict[str, Any], wait: float) -> None:
        await asyncio.sleep(wait)
        decision = asked["decision"]
        sockets = {p.seen["you"]: p for p in self._players if p.socket is not None}
        if asked["what"] in ("next", "over"):
            for player in sockets.values():
                assert player.socket is not None
                if asked["what"] == "next":
                    player.socket.say(type="next", decision=decision)
                else:
                    player.socket.say(type="rematch")
            return
        for seat in asked["seats"]:
            one = sockets.get(seat)
            if one is None or one.socket is None or one.seen["hand"] is None:
                return
            moves = one.seen["hand"]["legal_moves"]
            if not moves:
                return
            lively = [move for move in moves if not move.startswith("x")]
            move = self._rng.choice(lively or moves)
            self._sent = time.monotonic()
            one.socket.say(type="move", decision=decision, id=f"{decision}", move=move)


async def main(url: str, file: str) -> None:
    """Play."""
    with Path(file).open("w", encoding="utf-8") as out:
        await Victims(url, out).play()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(*sys.argv[1:]))
