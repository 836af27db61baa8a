"""The client's example of the README is a program that works."""

import textwrap
from pathlib import Path
from typing import Any

from millebornes.client import Client, Seat
from millebornes.table import messages_in
from tests.docs.blocks import blocks_of
from tests.server_process import GENEROUS, server_process
from tools.generate import ROOT


async def test_the_example_of_the_readme_plays(tmp_path: Path) -> None:
    (block,) = (block for block in blocks_of(ROOT / "README.md") if block.kind == "python")
    with server_process(tmp_path, **GENEROUS) as server:
        program = block.text.replace("http://127.0.0.1:8954", server.url)
        # What the reader is to fill in: look at the table, and stop when the cards are dealt.
        program = program.replace("...", "if await done(seat): break", 1)
        names: dict[str, Any] = {"Client": Client, "messages_in": messages_in, "done": done}
        exec("async def main():\n" + textwrap.indent(program, "    "), names)
        await names["main"]()


async def done(seat: Seat) -> bool:
    """Léa is to move: she does, and that is enough."""
    table = seat.table
    if table is None or table.hand is None or table.asked is None or not table.hand.legal_moves:
        return False
    await seat.move(table.hand.legal_moves[0])
    return True
