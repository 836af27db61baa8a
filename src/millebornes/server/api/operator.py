"""For whoever runs the server: health, readiness, metrics, the description of the API."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from millebornes.server.hub import Hub
from millebornes.server.metrics import Metrics
from millebornes.server.requests import json
from millebornes.table.rest import Health, Status

from .openapi import Operation, document

__all__ = ["Operator"]


class Operator:
    """`/api/health`, `/api/ready`, `/api/openapi.json` and `/metrics`."""

    def __init__(self, hub: Hub, metrics: Metrics, described: Sequence[Operation]) -> None:
        self._hub = hub
        self._metrics = metrics
        self._described = described
        """Every operation, complete by the time somebody asks."""

    def operations(self) -> list[Operation]:
        """What can be asked for."""
        return [
            Operation("GET", "/api/health", self.get_health, Health),
            Operation("GET", "/api/ready", self.get_ready, Status, also=503),
            Operation("GET", "/api/openapi.json", self.get_openapi, dict, is_described=False),
            Operation("GET", "/metrics", self.get_metrics, str, is_described=False),
        ]

    async def get_health(self, _request: Request) -> Response:
        """The process answers."""
        return json(Health())

    async def get_ready(self, _request: Request) -> Response:
        """Tables are loaded and can be played."""
        is_ready = self._hub.is_ready
        return json(Status("ready" if is_ready else "starting"), 200 if is_ready else 503)

    async def get_metrics(self, _request: Request) -> Response:
        """Counts for Prometheus."""
        self._metrics.set("tables", len(self._hub))
        return PlainTextResponse(self._metrics.text())

    async def get_openapi(self, _request: Request) -> Response:
        """This interface, described."""
        return json(document(self._described))
