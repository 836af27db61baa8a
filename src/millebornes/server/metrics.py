"""Counts for the operator, in the Prometheus text format. No names, no cards."""

from collections import Counter

__all__ = ["Metrics"]

_MEANS = {
    "inputs_accepted_total": ("counter", "Inputs that tables accepted."),
    "inputs_refused_total": ("counter", "Messages of people that tables refused."),
    "messages_bad_total": ("counter", "Messages that could not be read."),
    "connections_opened_total": ("counter", "WebSocket connections accepted."),
    "connections_dropped_total": ("counter", "Connections dropped for being too slow."),
    "connections_refused_total": ("counter", "Connections for which there was no place."),
    "rate_limited_total": ("counter", "Requests and messages over the limit."),
    "writes_failed_total": ("counter", "Writes of the store that failed."),
    "writes_waiting": ("gauge", "Writes that wait for the store."),
    "database_bytes": ("gauge", "Bytes of the database file and its write-ahead log."),
    "descriptors_free": ("gauge", "Files and connections that this process can still open."),
    "tables": ("gauge", "Tables being served."),
    "connections": ("gauge", "WebSocket connections now."),
    "connections_tcp": ("gauge", "Connections of any kind now."),
}
_NOT_EVERYWHERE = ("descriptors_free",)
"""What not every system can tell."""


class Metrics:
    """What has happened since the start, and what is now."""

    def __init__(self) -> None:
        self._values: Counter[str] = Counter()

    def add(self, name: str, amount: int = 1) -> None:
        """Count."""
        assert name in _MEANS, name
        self._values[name] += amount

    def set(self, name: str, value: int) -> None:
        """Note the present value."""
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
