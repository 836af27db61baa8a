"""The same worlds on the server as it is run: uvicorn, its sockets, SQLite in a file.

Time stands still, so nothing depends on it: bots answer at once, and a window closes when
people have answered. After each action the play waits until the table is idle again and every
client has received its frames.
"""

import asyncio
import contextlib
import json
import signal
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar, Self
from unittest import mock

import httpx
from websockets.asyncio.client import connect

from millebornes.server import run
from millebornes.server.config import Config
from millebornes.server.driver import TableDriver
from millebornes.server.room import Room
from millebornes.server.server import Server
from tests.server_process import GENEROUS, PATIENCE
from tests.virtual_time import ManualClock

from .local_app import PROGRAM
from .worlds import Action, Exchange, Play, Setup, World, injected, new_world


def play_live_world(
    setup: Setup,
    seed: int,
    steps: int,
    folder: Path,
    like: World | None = None,
    other: Exchange | None = None,
) -> World:
    """Play a world; like another one, but for two cards, if asked to."""
    world = new_world(setup, like)
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(injected(world, other))
        stack.enter_context(mock.patch.object(TableDriver, "connects_within", 3600.0))
        stack.enter_context(mock.patch.object(TableDriver, "gone_after", 0.0))
        # `serve` sets these up for a whole process; this process has other tests to run.
        stack.enter_context(mock.patch.object(run, "set_up_logs"))
        stack.enter_context(mock.patch.object(run, "_tune_garbage_collection"))
        pool = stack.enter_context(ThreadPoolExecutor(1))
        play = _LivePlay(setup, seed, steps, world, like, log)
        given: dict[str, Any] = {**GENEROUS, "database": str(folder / "tables.sqlite")}
        server = run.prepare(
            Config(**given), thinkers=play.thinkers, clock=ManualClock(), entropy=play.entropy
        )
        listener = run.bind("127.0.0.1", 0)
        played: list[Future[None]] = []

        def on_ready() -> None:
            log.seek(0)
            log.truncate()  # so far it was about the port
            loop, stop = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)
            assert callable(stop)
            app = _LiveApp(server, run.addresses(listener)[0], loop)
            played.append(pool.submit(asyncio.run, play.run(app)))
            # As a signal would: a real one would end the tests if the server had ended already.
            played[0].add_done_callback(
                lambda _: loop.call_soon_threadsafe(stop, signal.SIGTERM, None)
            )

        run.serve(server, listener, on_ready)
        played[0].result()
    return world


class _LiveWire:
    """A WebSocket over the network."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self._connecting = connect(url, additional_headers=headers, compression=None)
        self._news = asyncio.Event()
        self.frames: list[str] = []
        self.came_at: list[float] = []
        """Real time differs from run to run."""
        self.looked_at = 0
        self.accepted = False
        self.seq = 0
        self.has_past = False

    async def __aenter__(self) -> Self:
        self._connection = await self._connecting
        self._reading = asyncio.create_task(self._read())
        self.accepted = True
        return self

    async def _read(self) -> None:
        async for text in self._connection:
            assert isinstance(text, str)
            self.frames.append(text)
            message = json.loads(text)
            self.seq = message.get("seq", self.seq)
            self.has_past = self.has_past or message["type"] == "past"
            self._news.set()

    def say(self, message: object) -> None:
        self._saying = asyncio.create_task(self._connection.send(json.dumps(message)))

    async def hang_up(self) -> None:
        await self._connection.close()
        await self._reading

    async def until(self, *, messages: int = 0, seq: int = 0) -> None:
        """Wait until the past has come, this number of messages, and the frame with this seq."""
        async with asyncio.timeout(PATIENCE):
            while len(self.frames) < messages or self.seq < seq or not self.has_past:
                self._news.clear()
                await self._news.wait()


class _LiveApp:
    """The server, its clients and its sockets."""

    def __init__(self, server: Server, url: str, loop: asyncio.AbstractEventLoop) -> None:
        self.server = server
        self._url = url
        self._loop = loop

    def http(self, **headers: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self._url, headers=headers, timeout=PATIENCE)

    async def guest(self) -> tuple[str, httpx.AsyncClient]:
        async with self.http(**PROGRAM) as stranger:
            answer = await stranger.post("/api/guests", json={})
        token = answer.json()["token"]
        return token, self.http(Authorization=f"Bearer {token}")

    def socket(self, table: str, token: str, query: str) -> _LiveWire:
        url = self._url.replace("http:", "ws:")
        return _LiveWire(f"{url}/api/tables/{table}/socket{query}", token)

    async def quiet(self, room: Room, after: int) -> int:
        """Until the table, past an input, waits for people; the seq of its last input."""
        waiting = asyncio.run_coroutine_threadsafe(_quiet(room, after), self._loop)
        return await asyncio.wrap_future(waiting)


async def _quiet(room: Room, after: int) -> int:
    async with asyncio.timeout(PATIENCE):
        while room.table.seq <= after or _is_busy(room):
            await asyncio.sleep(0)
    return room.table.seq


def _is_busy(room: Room) -> bool:
    table, deadline = room.table, room.table.deadline
    is_due = deadline is not None and deadline <= ManualClock().now()
    return bool(room._worker or room.driver._thoughts or table.need_seed() or is_due)


class _LivePlay(Play):
    times: ClassVar[dict[str, int]] = {"window": 1000, "bot_window": 0, "pace": 0}
    slot: ClassVar[int] = 0

    async def _do(self, app: Any, action: Action) -> None:
        room = self._room(app)
        wire = self._wires.get(action.who)
        heard = 0 if wire is None else len(wire.frames)
        # A client that disconnects receives nothing more; its disconnection is an input.
        after = room.table.seq if action.does == "leaves" else 0
        await super()._do(app, action)
        wire = self._wires[action.who]
        if isinstance(wire, _LiveWire):
            await wire.until(messages=heard + 1)
        seq = await app.quiet(room, after)
        for one in self._wires.values():
            if isinstance(one, _LiveWire):
                await one.until(seq=seq)

    async def _settle(self) -> None:
        """Nothing to wait for: `_do` has waited."""
