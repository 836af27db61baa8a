"""The lifecycle of a server: start, restore tables, serve, shut down."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from starlette.applications import Starlette

from millebornes.table import Refused
from millebornes.words import words

from .admission import Admission
from .api import Operation, all_operations
from .bot_workers import Thinkers
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
from .workers import WorkerPool

__all__ = ["Server"]

_DAY = 24 * 3600 * 1000
_HOUSEKEEPING = 600.0
"""Seconds between checks for expired data."""
_CHECK_STORE = 10.0
"""Seconds between checks of the store."""
_NOTIFY = 3.0
"""Maximum seconds to notify clients of a shutdown."""
_LAST_WRITES = 1.0
"""Of these, seconds for pending writes, so that clients still get their frames."""
_log = logging.getLogger(__name__)


class Server:
    """Creates and connects all parts of a server. Request handlers use the parts, not this."""

    def __init__(
        self,
        config: Config,
        *,
        thinkers: Thinkers,
        store: Store | None = None,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        pages: Pages | None = None,
        replays: WorkerPool | None = None,
    ) -> None:
        self.config = config
        self.store = store or store_at(config.database)
        self.pages = pages or read_pages()
        self.metrics = Metrics()
        self._clock = clock or SystemClock()
        entropy = entropy or SystemEntropy()
        self._thinkers = thinkers
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
            thinkers=thinkers,
        )
        self._is_started = False
        self._deleted_at: int | None = None

    @property
    def bot_processes(self) -> int:
        """How many worker processes the bots have."""
        return self._thinkers.processes

    async def start(self) -> None:
        """Open the store and restore its tables, once.

        On `StoreError` everything is released, as by `stop`.
        """
        if self._is_started:
            return
        try:
            await self.store.open()
            await self._restore_tables()
        except BaseException:
            await self.stop()
            raise
        self._is_started = True

    async def _restore_tables(self) -> None:
        try:
            await self.hub.restore_tables()
        except StoreError as error:
            raise StoreError(
                f"the tables in {self.store.place} cannot be read: {error}. Restore a backup."
            ) from error

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Start, serve, then notify clients and stop."""
        await self.start()
        chores = (self._delete_expired_daily(), self._watch_store(), self._warm_up())
        tasks = [asyncio.create_task(chore) for chore in chores]
        _log.info("ready: %d tables", len(self.hub))
        if not self.pages.are_built:
            _log.warning("the browser client is missing. %s", words().sentence(Refused("no_pages")))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.stop()

    async def _delete_expired_daily(self) -> None:
        while True:
            await self._delete_expired()
            await asyncio.sleep(_HOUSEKEEPING)

    async def _watch_store(self) -> None:
        """Detect a store that cannot write or has lost its file, even if nobody plays."""
        while True:
            await asyncio.sleep(_CHECK_STORE)
            await self.store.check()

    async def _warm_up(self) -> None:
        """Note when every level can play."""
        for level in self._thinkers.levels:
            await self._thinkers.settle(level)
        _log.info("bots: %s", ", ".join(self._thinkers.levels))

    async def _delete_expired(self) -> None:
        """Delete games and tables past the retention time: at startup, and once a day."""
        now = self._clock.now()
        due = self._deleted_at is None or now >= self._deleted_at + _DAY
        if not self.config.retention_days or not due:
            return
        try:
            gone = await self.store.forget(now - self.config.retention_days * _DAY)
        except StoreError:
            _log.exception("old games could not be deleted; will retry")
            return
        self._deleted_at = now
        _log.info("retention: %d old tables and games deleted", gone)

    async def say_stopping(self) -> None:
        """Halt the tables, then notify every client of the restart and wait until all are closed.

        The tables halt first, so that no player loses time to a server that is shutting down.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WRITES):
                await self.hub.stop()
        await self.connections.say_stopping()

    async def say_goodbye(self) -> None:
        """The same, with a timeout."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_NOTIFY):
                await self.say_stopping()

    async def stop(self) -> None:
        """Notify clients, finish pending writes, and close everything."""
        await self.say_goodbye()
        await self.hub.stop()  # it may have timed out on a slow disk
        await self._thinkers.close()
        await self._replayer.close()
        await self.store.close()
