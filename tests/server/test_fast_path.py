"""Messages on the fast path, and on the ASGI queue beside it."""

import asyncio
import base64
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode
from websockets.utils import apply_mask

from millebornes.client import Client
from millebornes.server.uvicorn_sockets import _SHORT, _head, _start_of_only_frame
from millebornes.table import messages_in, messages_out
from tests.server_process import GENEROUS, server_process


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_text_begins_as_websockets_writes_it(size: int) -> None:
    text = b"x" * size
    assert _head(size) + text == Frame(Opcode.TEXT, text).serialize(mask=False)


@given(st.sampled_from(list(Opcode)), st.binary(max_size=300))
def test_a_frame_that_came_alone_is_read_as_websockets_writes_it(code: Opcode, sent: bytes) -> None:
    data = Frame(code, sent).serialize(mask=True)
    start = _start_of_only_frame(data)
    assert start is not None
    assert apply_mask(data[start:], data[start - 4 : start]) == sent


@given(st.binary(min_size=1, max_size=300), st.integers(1, 310))
def test_less_or_more_than_one_frame_is_not_read(sent: bytes, cut: int) -> None:
    data = Frame(Opcode.TEXT, sent).serialize(mask=True)
    first = Frame(Opcode.TEXT, sent, fin=False).serialize(mask=True)
    bare = Frame(Opcode.TEXT, sent).serialize(mask=False)
    part = data[:-cut]
    for other in (part, data + data, data + data[:cut], data + b"x", first, bare, b""):
        assert _start_of_only_frame(other) is None
    long = Frame(Opcode.TEXT, b"x" * _SHORT).serialize(mask=True)
    assert _start_of_only_frame(long) is None


def _as_packets(way: str, texts: list[bytes]) -> list[bytes]:
    """The same texts, cut into packets in one way or another."""
    frames = [Frame(Opcode.TEXT, text).serialize(mask=True) for text in texts]
    match way:
        case "one by one":
            return frames
        case "all at once":
            return [b"".join(frames)]
        case "byte by byte":
            return [bytes((one,)) for frame in frames for one in frame]
        case "across":
            data = b"".join(frames)
            return [data[at : at + 50] for at in range(0, len(data), 50)]
        case "head first":
            return [part for frame in frames for part in (frame[:2], frame[2:])]
    ping = Frame(Opcode.PING, b"?").serialize(mask=True)
    packets = []
    for text in texts:  # a message in parts, with a ping between them
        packets += [
            Frame(Opcode.TEXT, text[:9], fin=False).serialize(mask=True),
            ping,
            Frame(Opcode.CONT, text[9:]).serialize(mask=True),
        ]
    return packets


@pytest.mark.parametrize(
    "way", ["one by one", "all at once", "byte by byte", "across", "head first", "in parts"]
)
async def test_however_the_bytes_come_every_text_is_heard_once_and_in_order(
    way: str, tmp_path: Path
) -> None:
    lines = [f"line {number}" for number in range(20)]
    texts = [f'{{"type":"chat","text":"{line}"}}'.encode() for line in lines]

    async def main(url: str) -> list[str]:
        heard: list[str] = []
        async with Client(url) as client:
            table = await client.open_table("Host", players=2)
            socket = await connect(
                client.socket_url(table, None),
                additional_headers={"Authorization": f"Bearer {client.token}"},
                compression=None,
            )
            await socket.recv()
            # One short text that comes alone is before and after all that.
            await socket.send('{"type":"chat","text":"first"}')
            for packet in _as_packets(way, texts):
                socket.transport.write(packet)
                await asyncio.sleep(0)
            await socket.send('{"type":"chat","text":"last"}')
            while "last" not in heard:
                message = msgspec.json.decode(await socket.recv())
                assert message["type"] == "frame", message
                heard += [e["text"] for e in message["events"] if e["type"] == "chat"]
            await socket.close()
        return heard

    with server_process(tmp_path, **GENEROUS) as server:
        assert await main(server.url) == ["first", *lines, "last"]


@pytest.mark.parametrize("renamed", [None, "writable", "handle_text", "scope"])
async def test_what_is_said_at_once_is_heard_in_order_by_either_way(
    renamed: str | None, tmp_path: Path
) -> None:
    # What is not ASCII goes the ASGI queue; so does whatever comes while another is written, and
    # everything, with a warning, where a part of uvicorn is not there under its name.
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

    changes = None if renamed is None else {"renamed": renamed}
    with server_process(tmp_path, changes=changes, **GENEROUS) as server:
        assert await main(server.url) == lines
    warnings = [line["message"] for line in server.log() if line["level"] == "warning"]
    # Without the scope it is never offered; nobody can know that before somebody connects.
    assert len(warnings) == (renamed not in (None, "scope"))
    assert all("go through the ASGI queue" in told and str(renamed) in told for told in warnings)


@pytest.mark.parametrize("by", ["the fast path", "the ASGI queue"])
async def test_a_peer_that_answers_no_ping_is_dropped(by: str, tmp_path: Path) -> None:
    with server_process(tmp_path, changes={"ping": 0.2}) as server:
        async with Client(server.url) as client:
            table = await client.open_table("Host", players=2)
            where = urlsplit(server.url)
            reader, writer = await asyncio.open_connection(where.hostname, where.port)
            writer.write(
                f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {where.netloc}\r\n"
                f"Authorization: Bearer {client.token}\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\n\r\n".encode()
            )
            assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
            text = '{"type":"chat","text":"%s"}' % ("hello" if by == "the fast path" else "é")
            writer.write(Frame(Opcode.TEXT, text.encode()).serialize(mask=True))
            heard = await reader.read()  # until the server hangs up
            writer.close()
            assert text.encode()[15:-2] in heard
            assert Frame(Opcode.PING, b"....").serialize(mask=False)[:2] in heard
