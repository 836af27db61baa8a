"""For whoever runs the server: health, readiness, metrics."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from millebornes.server.hub import Hub
from millebornes.server.metrics import Metrics
from millebornes.server.requests import as_json
from millebornes.table.rest import Health, Status

from .openapi import Operation

__all__ = ["Operator"]


class Operator:
    """`/api/health`, `/api/ready` and `/metrics`."""

    def __init__(self, hub: Hub, metrics: Metrics) -> None:
        self._hub = hub
        self._metrics = metrics

    def operations(self) -> list[Operation]:
        """What can be asked for."""
        return [
            Operation("GET", "/api/health", self.get_health, Health),
            Operation("GET", "/api/ready", self.get_ready, Status, also=503),
            Operation("GET", "/metrics", self.get_metrics, str, is_described=False),
        ]

    async def get_health(self, _request: Request) -> Response:
        """The process answers."""
        return as_json(Health())

    async def get_ready(self, _request: Request) -> Response:
        """Tables are loaded and can be played."""
        is_ready = self._hub.is_ready
        return as_json(Status("ready" if is_ready else "starting"), 200 if is_ready else 503)

    async def get_metrics(self, _request: Request) -> Response:
        """Counts for Prometheus."""
        self._metrics.set("tables", len(self._hub))
        return PlainTextResponse(self._metrics.text())
