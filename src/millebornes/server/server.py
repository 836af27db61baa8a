"""The life of a server: it starts, brings its tables back, serves, and says goodbye."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from starlette.applications import Starlette

from millebornes.table import Refused
from millebornes.words import words

from .admission import Admission
from .api import Operation, all_operations
from .caps import Caps
from .clock import Clock, SystemClock
from .config import Config
from .connections import Connections
from .entropy import Entropy, SystemEntropy
from .hub import Hub
from .metrics import Metrics
from .pages import Pages, read_pages
from .replayer import Replayer, replay_workers
from .store import Store, StoreError
from .store.opening import store_at
from .thinking import ProcessThinkers, Thinkers
from .workers import Asked

__all__ = ["Server"]

_DAY = 24 * 3600 * 1000
_HOUSEKEEPING = 600.0
"""Seconds between looks at whether something old is to be forgotten."""
_LOOK = 10.0
"""Seconds between looks at whether the store is well."""
_FAREWELL = 3.0
"""Seconds that clients get to hear that the server stops."""
_LAST_WRITES = 1.0
"""Seconds of these for what is being written: clients hear of it if the disk is not slow."""
_log = logging.getLogger(__name__)


class Server:
    """Everything one server process holds. No request calls anything of it."""

    def __init__(
        self,
        config: Config,
        *,
        store: Store | None = None,
        thinkers: Thinkers | None = None,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        pages: Pages | None = None,
        replays: Asked | None = None,
    ) -> None:
        self.config = config
        self.store = store or store_at(config.database)
        self.pages = pages or read_pages()
        self.metrics = Metrics()
        self._clock = clock or SystemClock()
        entropy = entropy or SystemEntropy()
        self._thinkers = thinkers or ProcessThinkers(config.bot_workers or None)
        self._replayer = Replayer(replays or replay_workers())
        caps = Caps(config.inputs_per_table, config.megabytes_per_table * 2**20)
        self.hub = Hub(self.store, self._thinkers, self._clock, entropy, caps)
        self.admission = Admission(config, self.store, self._clock, self.metrics)
        self.connections = Connections(self.hub, self.admission, self.metrics)
        self.operations: list[Operation] = all_operations(
            config=config,
            store=self.store,
            hub=self.hub,
            clock=self._clock,
            entropy=entropy,
            admission=self.admission,
            metrics=self.metrics,
            connections=self.connections,
            replayer=self._replayer,
        )
        self._is_started = False
        self._forgotten_at: int | None = None

    async def start(self) -> None:
        """Open the store and bring its tables back, once.

        `StoreError` if that cannot be: then everything is let go, as by `stop`.
        """
        if self._is_started:
            return
        try:
            await self.store.open()
            await self._bring_back()
        except BaseException:
            await self.stop()
            raise
        self._is_started = True

    async def _bring_back(self) -> None:
        try:
            await self.hub.bring_back()
        except StoreError as error:
            raise StoreError(
                f"the tables in {self.store.place} cannot be read: {error}. Restore a backup."
            ) from error

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Start, serve, then tell everybody and stop."""
        await self.start()
        keeping = [asyncio.create_task(work) for work in (self._keep_house(), self._watch_store())]
        _log.info("ready: %d tables", len(self.hub))
        if not self.pages.are_built:
            _log.warning("browsers find no game here. %s", words().sentence(Refused("no_pages")))
        try:
            yield
        finally:
            for task in keeping:
                task.cancel()
            await asyncio.gather(*keeping, return_exceptions=True)
            await self.stop()

    async def _keep_house(self) -> None:
        while True:
            await self._forget_old()
            await asyncio.sleep(_HOUSEKEEPING)

    async def _watch_store(self) -> None:
        """A store that cannot write, or has lost its file, is found out even if nobody plays."""
        while True:
            await asyncio.sleep(_LOOK)
            await self.store.check()

    async def _forget_old(self) -> None:
        """Delete what is older than the operator keeps: at the start, and once a day."""
        now = self._clock.now()
        due = self._forgotten_at is None or now >= self._forgotten_at + _DAY
        if not self.config.retention_days or not due:
            return
        try:
            gone = await self.store.forget(now - self.config.retention_days * _DAY)
        except StoreError:
            _log.exception("old games could not be deleted; trying again later")
            return
        self._forgotten_at = now
        _log.info("retention: %d old tables and games deleted", gone)

    async def say_stopping(self) -> None:
        """Tell every client that the server stops, and to come back; wait until they know.

        The tables stand still before that: nobody loses time to a server that is going away.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WRITES):
                await self.hub.stop()
        await self.connections.say_stopping()

    async def say_goodbye(self) -> None:
        """The same, but do not wait for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL):
                await self.say_stopping()

    async def stop(self) -> None:
        """Clients are told; what was accepted is durable."""
        await self.say_goodbye()
        await self.hub.stop()  # a slow disk may have taken longer
        await self._thinkers.close()
        await self._replayer.close()
        await self.store.close()
