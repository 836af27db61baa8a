"""Endpoints for operators: health, readiness, metrics."""

import os

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from millebornes.server.bot_workers import Thinkers
from millebornes.server.hub import Hub
from millebornes.server.metrics import Metrics
from millebornes.server.requests import as_json
from millebornes.server.store import Store
from millebornes.table.rest import Health, Status

from .openapi import Operation

__all__ = ["Operator"]


class Operator:
    """`/api/health`, `/api/ready` and `/metrics`."""

    def __init__(self, hub: Hub, store: Store, metrics: Metrics, thinkers: Thinkers) -> None:
        self._hub = hub
        self._store = store
        self._metrics = metrics
        self._thinkers = thinkers

    def operations(self) -> list[Operation]:
        """The operations of these paths."""
        return [
            Operation("GET", "/api/health", self.get_health, Health),
            Operation("GET", "/api/ready", self.get_ready, Status, also=503),
            Operation("GET", "/metrics", self.get_metrics, str, is_described=False),
        ]

    async def get_health(self, _request: Request) -> Response:
        """Liveness: 200 as long as the process runs."""
        return as_json(Health())

    async def get_ready(self, _request: Request) -> Response:
        """Readiness: 200 if the tables are loaded and every level can play, else 503."""
        if not self._hub.is_ready:
            return as_json(Status("starting"), 503)
        if self._store.state().trouble is not None:
            return as_json(Status("cannot_write"), 503)
        levels = self._thinkers.levels.values()
        if not all(level.is_ready for level in levels if not level.is_outside):
            return as_json(Status("warming_up"), 503)
        return as_json(Status("ready"))

    async def get_metrics(self, _request: Request) -> Response:
        """Metrics for Prometheus."""
        state = self._store.state()
        self._metrics.set("writes_failed_total", state.failed)
        self._metrics.set("writes_waiting", state.waiting)
        self._metrics.set("database_bytes", state.bytes)
        counts = self._hub.thinking.counts
        self._metrics.set("bot_thoughts_total", counts.thoughts)
        self._metrics.set("bot_thoughts_late_total", counts.late)
        self._metrics.set("bot_thoughts_capped_total", counts.capped)
        self._metrics.set("bot_thoughts_waited_total", counts.waited)
        self._metrics.set("bots_replaced_total", counts.replaced)
        self._metrics.set("bot_workers_replaced_total", self._thinkers.workers_replaced)
        free = _descriptors_free()
        if free is not None:
            self._metrics.set("descriptors_free", free)
        self._metrics.set("tables", len(self._hub))
        return PlainTextResponse(self._metrics.text())


def _descriptors_free() -> int | None:
    """Number of files and connections this process can still open; None: not reported."""
    try:
        import resource  # noqa: PLC0415 (not on every system)

        most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most == resource.RLIM_INFINITY:
            return None
        return most - len(os.listdir("/dev/fd"))  # noqa: PTH208 (only counted)
    except (ImportError, OSError):
        return None
