"""The short way of messages, and the long one beside it."""

import asyncio
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode

from millebornes.client import Client
from millebornes.server.sockets import _head
from millebornes.table import messages_in, messages_out

from .live import GENEROUS, live_server


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_text_begins_as_websockets_writes_it(size: int) -> None:
    text = b"x" * size
    assert _head(size) + text == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_what_is_said_at_once_is_heard_in_order_by_either_way(tmp_path: Path) -> None:
    # What is not ASCII goes the long way; so does whatever comes while another is written.
    lines = [f"{number} é" if number % 3 else f"{number}" for number in range(60)]

    async def main(url: str) -> list[str]:
        heard: list[str] = []
        async with Client(url) as client:
            table = await client.open_table("Host", players=2)
            async with client.seat(table) as seat:
                for line in lines:
                    await seat.say(messages_in.Chat(line))
                async for message in seat.messages():
                    assert isinstance(message, messages_out.Frame)
                    heard += [
                        e.text for e in message.events if isinstance(e, messages_out.ChatSaid)
                    ]
                    if len(heard) == len(lines):
                        break
        return heard

    with live_server(tmp_path, **GENEROUS) as server:
        assert asyncio.run(main(server.url)) == lines
