"""A server without Numba: the levels that need the compiled engine are refused, and say why."""

import asyncio
import os
from pathlib import Path

import httpx
import pytest

from millebornes.bots import LEVELS
from millebornes.client import Client
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from tests.server_process import PATIENCE, server_process

_HIDDEN = "import sys\nsys.modules['numba'] = None\n"


async def refusal(url: str, level: str) -> out.Rejected:
    async with Client(url) as client:
        await client.become_guest()
        table = await client.open_table("Ada", practice=True)
        async with client.seat(table) as seat, asyncio.timeout(PATIENCE):
            await seat.say(says.AddBot(1, level))
            async for message in seat.messages():
                if isinstance(message, out.Rejected):
                    return message
    raise AssertionError("the connection has ended")


@pytest.mark.timeout(120)
def test_without_numba_only_the_levels_that_do_without_it_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(_HIDDEN, encoding="utf-8")
    path = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *path.split(os.pathsep)]))
    without = [name for name, level in LEVELS.items() if not level.needs_kernel]
    with server_process(tmp_path, bot="rocket=sunday-driver; old-car=learner") as server:
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as http:
            # The bots of the operator may still be starting: nobody waits for them.
            assert http.get("/api/ready").json() == {"status": "ready"}
            listed = http.get("/api/bots").json()
        ours = [bot["level"] for bot in listed if not bot["outside"]]
        assert ours == without == ["learner", "sunday-driver"]
        assert [bot["level"] for bot in listed if bot["outside"]] == ["rocket", "old-car"]
        refused = asyncio.run(refusal(server.url, "commuter"))
        assert refused.code == "level_needs_numba"
        assert "Numba" in refused.sentence
        assert "learner, sunday-driver" in refused.sentence
        assert server.troubles() == []
