"""Rows to write."""

from millebornes.server.store import LogRow, TableRow

HOST = "guest-of-the-host"


def table_row(number: int = 1, created: int = 1000) -> TableRow:
    return TableRow(f"table{number}", f"game{number}", created, b"{}", 1)


def log_row(seq: int, now: int = 1000, data: bytes = b"{}") -> LogRow:
    return LogRow(seq, HOST, now, data)
