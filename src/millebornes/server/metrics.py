"""Metrics in the Prometheus text format, without names or cards."""

from collections import Counter

__all__ = ["Metrics"]

_MEANS = {
    "inputs_accepted_total": ("counter", "Inputs that tables accepted."),
    "inputs_refused_total": ("counter", "Messages from people that tables refused."),
    "messages_bad_total": ("counter", "Messages that could not be decoded."),
    "connections_opened_total": ("counter", "WebSocket connections accepted."),
    "connections_dropped_total": ("counter", "Connections dropped for being too slow."),
    "connections_refused_total": ("counter", "Connections refused because a limit was reached."),
    "rate_limited_total": ("counter", "Requests and messages over a rate limit."),
    "writes_failed_total": ("counter", "Failed writes of the store."),
    "writes_waiting": ("gauge", "Writes waiting in the queue of the store."),
    "database_bytes": ("gauge", "Size of the database file and its write-ahead log."),
    "bot_thoughts_total": ("counter", "Moves and answers that bots were asked for."),
    "bot_thoughts_late_total": (
        "counter",
        "Those that appeared later than at the pace of their table.",
    ),
    "bot_thoughts_capped_total": (
        "counter",
        "Those that a level made by its base policy, because it had no other move in time.",
    ),
    "bot_thoughts_waited_total": (
        "counter",
        "Those that waited for bots to warm up, after a restart.",
    ),
    "bots_replaced_total": (
        "counter",
        "Bots that failed or were not warm in time, replaced for a hand.",
    ),
    "bot_workers_replaced_total": ("counter", "Worker processes of bots that were replaced."),
    "descriptors_free": ("gauge", "Files and connections that this process can still open."),
    "tables": ("gauge", "Tables being served."),
    "connections": ("gauge", "Open WebSocket connections."),
    "connections_tcp": ("gauge", "Open connections of any kind."),
}
_NOT_EVERYWHERE = ("descriptors_free",)
"""Metrics that not every system can report."""


class Metrics:
    """Counters since startup, and gauges."""

    def __init__(self) -> None:
        self._values: Counter[str] = Counter()

    def add(self, name: str, amount: int = 1) -> None:
        """Increment a counter."""
        assert name in _MEANS, name
        self._values[name] += amount

    def set(self, name: str, value: int) -> None:
        """Set a gauge."""
        assert name in _MEANS, name
        self._values[name] = value

    def text(self) -> str:
        """The Prometheus text."""
        lines = []
        for name, (kind, means) in _MEANS.items():
            if name in _NOT_EVERYWHERE and name not in self._values:
                continue
            full = f"millebornes_{name}"
            lines += [
                f"# HELP {full} {means}",
                f"# TYPE {full} {kind}",
                f"{full} {self._values[name]}",
            ]
        return "\n".join(lines) + "\n"
