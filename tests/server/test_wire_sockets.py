"""Frames of a WebSocket are counted before anybody parses them: over real sockets."""

import asyncio
import struct
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

from millebornes.server import uvicorn_sockets
from millebornes.server.frame_count import BYTES_PER_TOKEN, FrameCount
from millebornes.table.close_codes import CloseCode

from .live import GENEROUS
from .stand import LIMITS, LOOPS, UPGRADE, Stand, frame, run, stand, until

BURST = 90
"""Frames at once by the default of 15 messages each second."""


@pytest.fixture(params=["the short way", "the ordinary way"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """As uvicorn is, and as one that lacks something."""
    if request.param == "the ordinary way":
        monkeypatch.setattr(uvicorn_sockets, "PARTS", ("no_such_part",))
    return str(request.param)


BOTH_WAYS = pytest.mark.usefixtures("way")
BOTH_LOOPS = pytest.mark.parametrize("loop", LOOPS)


class Echo:
    """Says again what it hears."""

    def __init__(self) -> None:
        self.heard: list[str | bytes] = []
        self.accepts = asyncio.Event()
        self.accepts.set()
        self.ended = 0

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await self.accepts.wait()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            said = message.get("text") or message.get("bytes") or ""
            self.heard.append(said)
            await send({"type": "websocket.send", "text": str(len(said))})
        self.ended += 1


def _is_short_way(server: Stand) -> bool:
    """Which class serves the only connection."""
    (place,) = server.places
    return isinstance(place.transport.get_protocol(), uvicorn_sockets.Sockets)


@BOTH_LOOPS
def test_honest_messages_of_any_form_are_heard(way: str, loop: str) -> None:
    long = b"x" * 4096

    async def main() -> None:
        app = Echo()
        async with stand(app) as server:
            peer = await (await server.connect()).upgraded()
            assert _is_short_way(server) is (way == "the short way")
            peer.say(Opcode.TEXT, b"short")
            peer.say(Opcode.TEXT, long)
            peer.say(Opcode.BINARY, long)
            peer.say(Opcode.PING, b"still there?")
            peer.say(Opcode.TEXT, long[:1000], fin=False)
            peer.say(Opcode.PING)
            peer.say(Opcode.CONT, long[1000:2000], fin=False)
            peer.say(Opcode.CONT, long[2000:])
            peer.say(Opcode.PONG)
            for one in frame(Opcode.TEXT, b"byte by byte"):
                peer.send(bytes((one,)))
                await asyncio.sleep(0)
            heard = [await peer.hear() for _ in range(7)]
            assert sorted(heard) == sorted(
                [
                    *((Opcode.TEXT, b"%d" % size) for size in (5, 4096, 4096, 4096, 12)),
                    *((Opcode.PONG, said) for said in (b"still there?", b"")),
                ]
            )
            peer.say(Opcode.CLOSE, struct.pack("!H", 1000))
            assert (await peer.hear())[0] == Opcode.CLOSE
            await server.emptied()
            assert server.counted("rate_limited_total") == 0

    run(main(), loop)


@BOTH_WAYS
@BOTH_LOOPS
@pytest.mark.parametrize(
    "flood",
    [
        frame(Opcode.PING) * 40_000,
        frame(Opcode.PONG) * 40_000,
        frame(Opcode.TEXT) * 40_000,
        frame(Opcode.TEXT, b"x", fin=False) + frame(Opcode.CONT, fin=False) * 40_000,
        frame(Opcode.PING, b"x" * 125) * 2_000,
        frame(Opcode.TEXT, b"x" * 16_000) * 200,
    ],
    ids=["pings", "pongs", "texts", "parts", "long pings", "long texts"],
)
def test_a_flood_in_a_few_packets_is_cut_off_before_it_is_parsed(
    flood: bytes, loop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[int] = []
    original = WebSocketsSansIOProtocol.data_received

    def noting(self: WebSocketsSansIOProtocol, data: bytes) -> None:
        if not data.startswith(b"GET"):
            parsed.append(len(data))
        original(self, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", noting)

    async def main() -> None:
        app = Echo()
        async with stand(app) as server:
            peer = await (await server.connect()).upgraded()
            peer.send(flood)
            code = b""
            pongs = texts = 0
            while not code:
                kind, said = await peer.hear()
                pongs += kind == Opcode.PONG
                texts += kind == Opcode.TEXT
                code = said if kind == Opcode.CLOSE else b""
            assert struct.unpack("!H", code[:2]) == (CloseCode.TOO_MANY,)
            assert code[2:] == b"too many frames"
            # No more was parsed than the tokens allow, however the packets were cut.
            assert pongs + texts <= BURST
            assert sum(parsed) <= BURST * BYTES_PER_TOKEN
            assert server.counted("rate_limited_total") == 1
            await server.emptied()
            await until(lambda: app.ended == 1)

    run(main(), loop)


@BOTH_WAYS
def test_frames_that_come_one_by_one_are_counted_too() -> None:
    async def main() -> None:
        async with stand(Echo()) as server:
            peer = await (await server.connect()).upgraded()
            for _ in range(BURST):
                peer.say(Opcode.PING, b"?")
                assert await peer.hear() == (Opcode.PONG, b"?")
            server.clock.move(0.1)  # 30 more in a second
            for _ in range(3):
                peer.say(Opcode.PING, b"?")
                assert await peer.hear() == (Opcode.PONG, b"?")
            peer.say(Opcode.PING, b"?")
            kind, said = await peer.hear()
            assert (kind, struct.unpack("!H", said[:2])) == (Opcode.CLOSE, (CloseCode.TOO_MANY,))
            await server.emptied()

    run(main())


@BOTH_WAYS
@BOTH_LOOPS
def test_a_flood_before_the_handshake_ends_the_connection(loop: str) -> None:
    async def main() -> None:
        app = Echo()
        app.accepts.clear()
        async with stand(app, connections_per_address=1) as server:
            peer = await server.connect()
            peer.send(UPGRADE)
            protocol = uvicorn_sockets.CountedSockets
            await until(
                lambda: (
                    bool(server.places)
                    and isinstance(server.places[0].transport.get_protocol(), protocol)
                )
            )
            peer.send(frame(Opcode.PING) * 1_000)
            assert await peer.rest() == b""
            await server.emptied()
            app.accepts.set()
            again = await server.connect()
            await again.upgraded()

    run(main(), loop)


@BOTH_WAYS
@BOTH_LOOPS
def test_nothing_is_read_while_pongs_wait_to_be_read(loop: str) -> None:
    count, ping = 20_000, frame(Opcode.PING, b"x" * 100)

    async def main() -> None:
        async with stand(Echo(), send_buffer=2**14, **GENEROUS) as server:
            peer = await (await server.connect(take=2**14)).upgraded()
            (place,) = server.places
            for _ in range(count):
                peer.send(ping)
            await until(lambda: place.is_blocked)
            assert not place.transport.is_reading()
            # 64 KiB until it is full, and the answers to one packet (256 KB) at most.
            assert place.transport.get_write_buffer_size() < 64 * 1024 + 256_000
            for _ in range(count):  # nothing is lost by waiting
                assert await peer.hear() == (Opcode.PONG, b"x" * 100)
            peer.say(Opcode.TEXT, b"hello")
            assert await peer.hear() == (Opcode.TEXT, b"5")

    run(main(), loop)


class Shouter:
    """Says something long, then only listens: what waits to be sent does not hold it up."""

    LENGTH = 1_000_000

    def __init__(self) -> None:
        self.heard = 0
        self.shouts, self.listens = asyncio.Event(), asyncio.Event()

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await self.shouts.wait()
        await send({"type": "websocket.send", "bytes": bytes(self.LENGTH)})
        await self.listens.wait()
        while (await receive())["type"] == "websocket.receive":
            self.heard += 1


@BOTH_WAYS
@BOTH_LOOPS
def test_a_message_taken_does_not_make_the_server_read_on_while_answers_wait(loop: str) -> None:
    """uvicorn reads on when the application has taken a message, whatever waits to be sent."""
    pings = 10_000

    async def main() -> None:
        app = Shouter()
        async with stand(app, send_buffer=2**14, **GENEROUS) as server:
            peer = await (await server.connect(take=2**14)).upgraded()
            (place,) = server.places
            peer.say(Opcode.TEXT, b"hello")
            await until(lambda: not place.transport.is_reading())  # it waits in uvicorn's queue
            app.shouts.set()
            await until(lambda: place.is_blocked)
            unsent = place.transport.get_write_buffer_size()
            peer.send(frame(Opcode.PING, b"x" * 125) * pings)
            app.listens.set()
            await until(lambda: place.transport.get_write_buffer_size() > unsent)
            for _ in range(100):
                await asyncio.sleep(0)
            # The answers to one packet are added to what waits, and no more.
            assert place.transport.get_write_buffer_size() <= unsent + 256_000
            assert not place.transport.is_reading()
            assert await peer.hear() == (Opcode.BINARY, bytes(app.LENGTH))
            for _ in range(pings):  # nothing is lost by waiting
                assert await peer.hear() == (Opcode.PONG, b"x" * 125)
            assert app.heard == 1

    run(main(), loop)


@BOTH_WAYS
@BOTH_LOOPS
def test_answers_taken_do_not_make_the_server_read_on_while_messages_wait(loop: str) -> None:
    """uvicorn stops reading while a message waits for the application."""

    async def main() -> None:
        app = Shouter()
        async with stand(app, send_buffer=2**14, **GENEROUS) as server:
            peer = await (await server.connect(take=2**14)).upgraded()
            (place,) = server.places
            peer.say(Opcode.TEXT, b"hello")
            await until(lambda: not place.transport.is_reading())
            app.shouts.set()
            await until(lambda: place.is_blocked)
            assert await peer.hear() == (Opcode.BINARY, bytes(app.LENGTH))
            await until(lambda: not place.is_blocked)
            assert not place.transport.is_reading()
            app.listens.set()
            await until(place.transport.is_reading)
            assert app.heard == 1

    run(main(), loop)


@BOTH_WAYS
def test_a_websocket_that_reads_nothing_is_dropped() -> None:
    async def main() -> None:
        app = Echo()
        limits = replace(LIMITS, unread=0.0)
        async with stand(app, limits, send_buffer=2**14, **GENEROUS) as server:
            peer = await (await server.connect(take=2**14)).upgraded()
            peer.send(frame(Opcode.PING, b"x" * 125) * 60_000)
            await until(lambda: server.places[0].is_blocked)
            server.look()
            server.look()
            await server.emptied()
            await until(lambda: app.ended == 1)

    run(main())


# The counter


def _tokens(packets: list[bytes]) -> int:
    taken = 0

    def may() -> bool:
        nonlocal taken
        taken += 1
        return True

    counter = FrameCount()
    assert all(counter.count(packet, may) for packet in packets)
    return taken


@given(st.data())
def test_the_count_does_not_depend_on_how_bytes_are_cut_into_packets(data: Any) -> None:
    sent = data.draw(_frames_of_clients())
    stream = b"".join(sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=30)))
    ends = [*cuts, len(stream)]
    packets = [stream[start:end] for start, end in zip([0, *cuts], ends, strict=True)]
    assert b"".join(packets) == stream
    assert _tokens(packets) == len(sent) + len(stream) // BYTES_PER_TOKEN


def _frames_of_clients() -> st.SearchStrategy[list[bytes]]:
    def made(code: Opcode, data: bytes, fin: bool, mask: bool) -> bytes:
        is_control = code >= Opcode.CLOSE
        content = data[:125] if is_control else data
        return Frame(code, content, fin=fin or is_control).serialize(mask=mask)

    sizes = st.sampled_from([0, 1, 125, 126, 8191, 8192, 8193, 65_535, 65_536]).map(bytes)
    one = st.builds(
        made,
        st.sampled_from([Opcode.TEXT, Opcode.BINARY, Opcode.CONT, Opcode.PING, Opcode.PONG]),
        st.one_of(st.binary(max_size=300), sizes),
        st.booleans(),
        st.booleans(),
    )
    return st.lists(one, max_size=12)


@given(st.binary(max_size=400), st.integers(0, 20))
def test_whatever_comes_it_stops_at_the_first_no(data: bytes, most: int) -> None:
    left = most

    def may() -> bool:
        nonlocal left
        left -= 1
        return left >= 0

    is_within = FrameCount().count(data, may)
    assert left >= -1
    assert is_within is (left >= 0)
