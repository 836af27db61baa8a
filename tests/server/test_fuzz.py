"""Nonsense on WebSockets: the server stands, the others play on, memory does not grow.

`python -m tests.server.fuzz --messages 200000` does the same for longer.
"""

from pathlib import Path

from tests.server_process import GENEROUS, server_process

from .fuzz import KINDS, fuzz

MESSAGES = 6000


async def test_nonsense_neither_breaks_the_server_nor_disturbs_the_others(tmp_path: Path) -> None:
    with server_process(tmp_path, **GENEROUS) as server:
        report = await fuzz(server, MESSAGES, seed=20260)
    assert report.faults == []
    assert report.messages == MESSAGES
    assert set(report.by_kind) >= {kind.__name__ for kind in KINDS} | {"handshake", "raw"}
    assert report.answers["stale_decision"] > 0  # from a seat, so that decisions are checked
    assert report.answers["already_done"] > 0
    assert report.answers["bad_message"] > MESSAGES / 10
    assert report.answers["message_too_long"] > MESSAGES / 100
    assert report.answers["closed 1009"] > 0  # more than any frame may have
    assert report.answers["handshake 403"] > 0
    assert report.answers["handshake 404"] > 0
    assert report.moves_played_meanwhile > 5  # a fast machine is through in seconds
    assert report.rss_second_half <= 1.05 * report.rss_first_half
