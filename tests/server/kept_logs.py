"""Logs of tables as each release wrote them with `tools.logs`, read as the store gives them."""

import json
from pathlib import Path

from millebornes.bots import BOTS
from millebornes.server.codec import decode_settings
from millebornes.server.store import LogRow, TableRow
from millebornes.table import Table, open_table


def read(path: Path) -> tuple[TableRow, list[LogRow]]:
    """A log that was kept."""
    head, *rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    table = TableRow(
        head["table"],
        head["game_id"],
        head["created"],
        head["settings"].encode(),
        head["rules_version"],
    )
    return table, [LogRow(r["seq"], r["guest"], r["now"], r["data"].encode()) for r in rows]


def first_of(row: TableRow) -> Table:
    """The table before its first input."""
    return open_table(decode_settings(row.settings), row.game_id, tuple(BOTS), row.created)
