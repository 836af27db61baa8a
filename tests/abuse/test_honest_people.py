"""The default limits do not hurt honest players: a school class behind one address.

Thirty pupils open the page at the same moment, open 15 tables, play a hand and chat. The server's
application and every limit in it are real; time is virtual.
"""

import asyncio
import random
from typing import Any

from millebornes.fair.protocol import client_commit
from tests.server.local_app import LocalApp, Socket, virtual_app
from tests.virtual_time import on_virtual_time

PUPILS = 30
ADDRESS = "192.0.2.7"
THINKS = 1.0
"""Seconds that a quick pupil takes for a move."""
TALKS_EVERY = 2
"""Moves between two lines of chat."""


class Pupil:
    def __init__(self, app: LocalApp, number: int) -> None:
        self._app = app
        self._name = f"Pupil {number}"
        self._rng = random.Random(number)
        self._answered = -1
        self._told: tuple[int, str] = (0, "")
        self._entropy: dict[int, bytes] = {}
        self.moves = 0
        self.lines = 0
        self.refusals: list[str] = []

    async def arrive(self) -> None:
        """Send the requests that a browser sends when it opens the page."""
        token, http = await self._app.guest(ADDRESS)
        self._token = token
        async with http:
            for path in ("/api/editions", "/api/bots", "/api/games", "/api/lobby"):
                self._note((await http.get(path)).status_code, path)

    def _note(self, status: int, what: str) -> None:
        if status >= 400:
            self.refusals.append(f"{status} {what}")

    async def open_table(self, found: "asyncio.Future[str]") -> None:
        """Open a table for two."""
        async with self._app.http(ADDRESS, Authorization=f"Bearer {self._token}") as http:
            answer = await http.post("/api/tables", json={"name": self._name, "is_open": True})
            self._note(answer.status_code, "open")
            found.set_result(answer.json()["table"])
        await self._play(await found, starts=True)

    async def join(self, found: "asyncio.Future[str]") -> None:
        """Come to a neighbour's table."""
        table = await found
        async with self._app.http(ADDRESS, Authorization=f"Bearer {self._token}") as http:
            path = f"/api/tables/{table}"
            self._note((await http.get(path)).status_code, "look")
            answer = await http.post(f"{path}/join", json={"name": self._name})
            self._note(answer.status_code, "join")
        await self._play(table, starts=False)

    async def _play(self, table: str, *, starts: bool) -> None:
        wire = self._app.socket(table, self._token, address=ADDRESS)
        async with wire:
            self._note(wire.denied or 0, "socket")
            while (seen := (await wire.next())["table"])["phase"] == "lobby":
                if starts and all(seat["kind"] == "person" for seat in seen["seats"]):
                    starts = False
                    wire.say({"type": "start"})
            while not (seen["asked"] and seen["asked"]["what"] == "next"):
                await self._answer(wire, seen)
                seen = (await wire.next())["table"]
            self.refusals += [text for text in wire.frames if '"type":"rejected"' in text]
            self.refusals += [f"closed {wire.closed}"] if wire.closed else []

    async def _answer(self, wire: Socket, seen: dict[str, Any]) -> None:
        fair, asked, hand = seen["fair"], seen["asked"], seen["hand"]
        if fair is not None and self._told != (fair["hand"], fair["stage"]):
            self._told = (fair["hand"], fair["stage"])
            self._shuffle(wire, fair, seen["you"])
        if asked is None or asked["decision"] == self._answered:
            return
        if hand is None or not hand["legal_moves"]:
            return
        self._answered = asked["decision"]
        await asyncio.sleep(THINKS)
        move = self._rng.choice(hand["legal_moves"])
        id_ = str(asked["decision"])
        wire.say({"type": "move", "decision": asked["decision"], "id": id_, "move": move})
        self.moves += 1
        if self.moves % TALKS_EVERY == 0:
            wire.say({"type": "chat", "text": "Vite, c'est à toi !"})
            self.lines += 1

    def _shuffle(self, wire: Socket, fair: dict[str, Any], seat: int) -> None:
        hand = fair["hand"]
        if fair["stage"] == "commit":
            entropy = self._entropy[hand] = self._rng.randbytes(32)
            commit = client_commit(fair["ctx"], seat, fair["commit"], entropy)
            wire.say({"type": "commit", "hand": hand, "commit": commit})
        elif fair["stage"] == "reveal":
            wire.say({"type": "reveal", "hand": hand, "entropy": self._entropy[hand].hex()})


async def a_lesson() -> list[Pupil]:
    async with virtual_app() as app, asyncio.timeout(24 * 3600):
        pupils = [Pupil(app, number) for number in range(PUPILS)]
        await asyncio.gather(*(pupil.arrive() for pupil in pupils))
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as group:
            for host, guest in zip(pupils[::2], pupils[1::2], strict=True):
                found = loop.create_future()
                group.create_task(host.open_table(found))
                group.create_task(guest.join(found))
    return pupils


@on_virtual_time
async def test_a_class_of_thirty_behind_one_address_opens_15_tables_plays_and_chats() -> None:
    pupils = await a_lesson()
    assert [refusal for pupil in pupils for refusal in pupil.refusals] == []
    assert all(pupil.moves > 10 for pupil in pupils)
    assert all(pupil.lines > 5 for pupil in pupils)
