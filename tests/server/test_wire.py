"""Limits on connections and bytes before a request is understood, over real sockets."""

import asyncio
import gc
import json
import logging
import subprocess
import sys
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from millebornes.server import uvicorn_http, uvicorn_sockets
from millebornes.server.config import Config
from millebornes.server.metrics import Metrics
from millebornes.server.protocols import http_protocol, websocket_protocol
from millebornes.server.uvicorn_http import _STEP
from millebornes.server.wire import Wire, WireLimits
from tests.server_process import GENEROUS, PATIENCE, server_process
from tests.virtual_time import ManualClock

from .uvicorn_server import LIMITS, UPGRADE, Peer, on_each_loop, on_uvloop, until, uvicorn_server

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
HURRY = replace(LIMITS, in_time=0.0)
"""Whatever is not whole at a look is late."""
pytestmark = on_uvloop


class App:
    """Reads the whole request, answers with its number, and notes what it was asked."""

    def __init__(self, body: bytes | None = None) -> None:
        self.asked: list[bytes] = []
        self.gone = 0
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self._body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            if scope["query_string"] == b"no":
                await send({"type": "websocket.close"})
                return
            await send({"type": "websocket.accept"})
            while (await receive())["type"] != "websocket.disconnect":
                pass
            return
        self.asked.append(scope["query_string"])
        number = len(self.asked)
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.gone += 1
                return
            if not message["more_body"]:
                break
        await self.goes_on.wait()
        body = self._body if self._body is not None else b"%d" % number
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@pytest.fixture
def fed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes uvicorn, and with it the parser, got each time."""
    sizes: list[int] = []
    original = HttpToolsProtocol.data_received

    def noting(self: HttpToolsProtocol, data: bytes) -> None:
        sizes.append(len(data))
        original(self, data)

    monkeypatch.setattr(HttpToolsProtocol, "data_received", noting)
    return sizes


def code_of(body: bytes) -> str:
    return str(json.loads(body)["code"])


@on_each_loop
@pytest.mark.parametrize(
    "endless",
    [
        b"GET /" + b"a" * 1_000_000,
        b"GET / HTTP/1.1\r\nX: " + b"a" * 1_000_000,
        b"GET / HTTP/1.1\r\n" + b"a" * 1_000_000,
    ],
    ids=["an address", "a value", "a name"],
)
async def test_a_head_without_end_is_refused_when_it_is_too_long(
    endless: bytes, fed: list[int]
) -> None:
    app = App()
    async with uvicorn_server(app) as server:
        peer = await server.connect()
        peer.send(endless)
        status, body = await peer.answer()
        assert (status, code_of(body)) == (431, "head_too_long")
        assert str(server.wire.limits.head) in json.loads(body)["sentence"]
        assert server.wire.limits.head < sum(fed) <= server.wire.limits.head + _STEP
        assert await peer.rest() == b""
        await server.emptied()
    assert app.asked == []


async def test_a_request_has_no_more_headers_than_anybody_needs(fed: list[int]) -> None:
    app = App()
    async with uvicorn_server(app) as server:
        most = server.wire.limits.headers
        peer = await server.connect()
        for _ in range(2):  # each request has as many
            peer.send(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * most + b"\r\n")
            assert (await peer.answer())[0] == 200
        fed.clear()
        peer.send(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200_000)
        status, body = await peer.answer()
        assert (status, code_of(body)) == (431, "too_many_headers")
        assert sum(fed) <= _STEP
        assert await peer.rest() == b""
        await server.emptied()
    assert len(app.asked) == 2


@on_each_loop
@pytest.mark.parametrize(
    "endless",
    [
        b"0\r\n" + b"X: y\r\n" * 200_000,
        b"0\r\nX: " + b"y" * 1_000_000,
        b"1;" + b"x" * 1_000_000,
        b"1\r\na\r\n" * 200_000,
    ],
    ids=["trailers", "a trailer", "a chunk extension", "chunks"],
)
async def test_what_follows_a_head_is_bounded_too(endless: bytes, fed: list[int]) -> None:
    app = App()
    async with uvicorn_server(app) as server:
        peer = await server.connect()
        peer.send(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + endless)
        # The application is being asked: nobody else may answer for it.
        assert await peer.rest() == b""
        assert server.wire.limits.request < sum(fed) <= server.wire.limits.request + _STEP
        await server.emptied()
        await until(lambda: app.gone == len(app.asked))


async def test_a_body_that_says_it_is_too_long_is_refused_before_anybody_is_asked() -> None:
    app = App()
    async with uvicorn_server(app) as server:
        for length in (b"50000", b"9" * 18):
            peer = await server.connect()
            peer.send(b"POST / HTTP/1.1\r\nContent-Length: " + length + b"\r\n\r\nbla")
            status, body = await peer.answer()
            assert (status, code_of(body)) == (413, "message_too_long")
            assert await peer.rest() == b""
        await server.emptied()
    assert app.asked == []


async def test_trailers_do_not_become_headers() -> None:
    seen: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        seen.extend(scope["headers"])
        await send({"type": "http.response.start", "status": 204})
        await send({"type": "http.response.body"})

    async with uvicorn_server(app) as server:
        peer = await server.connect()
        peer.send(
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"0\r\nAuthorization: Bearer x\r\n\r\n"
        )
        assert (await peer.answer())[0] == 204
        peer.close()
    assert [name for name, _ in seen] == [b"transfer-encoding"]


@on_each_loop
async def test_of_many_pipelined_requests_only_a_few_are_taken(fed: list[int]) -> None:
    app = App()
    app.goes_on.clear()  # the worst case: no answer makes room
    async with uvicorn_server(app) as server:
        peer = await server.connect()
        peer.send(GET * 200_000)
        assert await peer.rest() == b""
        assert sum(fed) <= _STEP  # it stopped in the middle of the first packet
        assert len(app.asked) <= server.wire.limits.pipelined
        assert server.counted("rate_limited_total") == 1
        await server.emptied()
        app.goes_on.set()


async def test_an_unread_flood_of_requests_ends_soon_though_each_is_answered_at_once() -> None:
    app = App()
    async with uvicorn_server(app, **GENEROUS) as server:
        peer = await server.connect()
        peer.send(GET * 200_000)
        await peer.rest()
        await server.emptied()
    assert len(app.asked) <= LIMITS.pipelined


@on_each_loop
async def test_a_few_pipelined_requests_are_answered_in_order() -> None:
    async with uvicorn_server(App()) as server:
        peer = await server.connect()
        for turn in range(3):
            peer.send(GET * server.wire.limits.pipelined)
            for number in range(server.wire.limits.pipelined):
                expected = turn * server.wire.limits.pipelined + number + 1
                assert await peer.answer() == (200, b"%d" % expected)
        peer.close()
        await server.emptied()


async def test_a_proxy_may_use_one_connection_for_many_requests() -> None:
    async with uvicorn_server(App(), trust_proxy=True) as server:
        peer = await server.connect()
        body = b"x" * 15_000
        post = b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        for number in range(1, 201):
            peer.send(GET if number % 2 else post)
            assert await peer.answer() == (200, b"%d" % number)
        peer.close()


@on_each_loop
@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"", None, None),
        (b"\r\n", 408, "request_too_late"),
        (b"GET / HT", 408, "request_too_late"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", 408, "request_too_late"),
        (b"POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nhalf", None, None),
    ],
    ids=["nothing", "an empty line", "half a line", "half a head", "half a body"],
)
async def test_a_request_that_is_not_whole_in_time_ends_its_connection(
    sent: bytes, status: int | None, code: str | None, fed: list[int]
) -> None:
    app = App()
    async with uvicorn_server(app, HURRY) as server:
        peer = await server.connect()
        peer.send(sent)
        await until(lambda: len(server.places) == 1 and sum(fed) == len(sent))
        server.look()
        if status is not None:
            answered, body = await peer.answer()
            assert (answered, code_of(body)) == (status, code)
        assert await peer.rest() == b""
        await server.emptied()
        assert server.counted("connections_dropped_total") == 1
        await until(lambda: app.gone == len(app.asked))


async def test_the_second_request_of_a_connection_has_a_time_of_its_own() -> None:
    app = App()
    async with uvicorn_server(app, HURRY) as server:
        peer = await server.connect()
        peer.send(GET + b"GET /half")
        assert await peer.answer() == (200, b"1")
        server.look()
        assert (await peer.answer())[0] == 408
        await server.emptied()


async def test_an_empty_line_after_an_answer_does_not_keep_a_connection_for_ever(
    fed: list[int],
) -> None:
    """It ends uvicorn's timer for idle connections, and begins no request."""
    async with uvicorn_server(App(), HURRY) as server:
        peer = await server.connect()
        peer.send(GET)
        assert await peer.answer() == (200, b"1")
        peer.send(b"\r\n")
        await until(lambda: sum(fed) == len(GET) + 2)
        server.look()
        assert (await peer.answer())[0] == 408
        await server.emptied()


async def test_whoever_waits_for_an_answer_is_not_late() -> None:
    app = App()
    app.goes_on.clear()
    async with uvicorn_server(app, HURRY) as server:
        peer = await server.connect()
        peer.send(GET)
        await until(lambda: bool(app.asked))
        server.look()
        app.goes_on.set()
        assert await peer.answer() == (200, b"1")
        server.look()  # now it is idle, and uvicorn's own timer runs
        peer.send(GET)
        assert await peer.answer() == (200, b"2")
        peer.close()
        await server.emptied()


@on_each_loop
async def test_a_client_that_takes_no_answer_is_dropped_and_one_that_takes_some_is_not() -> None:
    limits = replace(LIMITS, unread=0.0)  # at each look some must have been taken
    body = b"x" * 20_000_000
    async with uvicorn_server(App(body), limits, send_buffer=2**16) as server:
        peer = await server.connect(take=2**16)
        peer.send(GET)
        await until(lambda: server.places[0].is_blocked)
        (place,) = server.places
        taken = 0
        for _ in range(5):
            server.look()
            left = place.transport.get_write_buffer_size()
            while place.transport.get_write_buffer_size() > left - 100_000:
                taken += len(await peer.reader.readexactly(10_000))
        server.look()
        assert server.places == [place]
        assert taken < len(body)
        server.look()  # nothing was taken since
        await server.emptied()
        assert server.counted("connections_dropped_total") == 1
        peer.abort()


@on_each_loop
async def test_a_connection_that_is_closed_while_its_answer_is_unread_ends_all_the_same() -> None:
    limits = replace(LIMITS, unread=0.0)
    async with uvicorn_server(App(b"x" * 20_000_000), limits, send_buffer=2**16) as server:
        peer = await server.connect(take=2**16)
        peer.send(b"GET / HTTP/1.0\r\n\r\n")  # uvicorn closes after the answer
        await until(lambda: bool(server.places) and server.places[0].transport.is_closing())
        server.look()
        assert len(server.places) == 1
        server.look()
        assert server.counted("connections_dropped_total") == 1
        await server.emptied()
        peer.abort()


@on_each_loop
async def test_no_more_requests_are_read_while_answers_wait() -> None:
    app = App(b"x" * 5_000_000)
    async with uvicorn_server(app, send_buffer=2**16) as server:
        peer = await server.connect(take=2**16)
        peer.send(GET)
        await until(lambda: server.places[0].is_blocked)
        assert not server.places[0].transport.is_reading()
        peer.send(GET)
        assert len((await peer.answer())[1]) == 5_000_000
        assert len((await peer.answer())[1]) == 5_000_000
        assert len(app.asked) == 2
        peer.close()


# Places


async def test_an_address_has_so_many_connections_and_gets_each_place_back() -> None:
    async with uvicorn_server(App(), connections_per_address=3) as server:
        peers = [await server.connect() for _ in range(3)]
        await until(lambda: len(server.places) == 3)
        refused = await server.connect()
        status, body = await refused.answer()
        assert (status, code_of(body)) == (429, "too_many_connections")
        assert "3" in json.loads(body)["sentence"]
        assert await refused.rest() == b""
        assert server.counted("connections_refused_total") == 1
        assert len(server.places) == 3

        other = await server.connect("127.0.0.2")  # nobody else is refused for that
        other.send(GET)
        assert await other.answer() == (200, b"1")

        for end in (Peer.close, Peer.abort):
            end(peers.pop())
            await until(lambda: len(server.places) == 3)
            peers.append(await server.connect())
            peers[-1].send(GET)
            assert (await peers[-1].answer())[0] == 200
        for peer in (*peers, other):
            peer.close()
        await server.emptied()


@on_each_loop
@pytest.mark.parametrize("end", ["closed", "aborted", "refused", "not supported", "wrong"])
async def test_a_websocket_keeps_the_place_of_its_connection_to_its_end(end: str) -> None:
    async with uvicorn_server(App(), connections_per_address=1) as server:
        for _ in range(3):
            peer = await server.connect()
            match end:
                case "refused":
                    peer.send(UPGRADE.replace(b"/socket", b"/socket?no"))
                    assert b" 403 " in await peer.rest()
                case "not supported":
                    peer.send(UPGRADE.replace(b"websocket", b"h2c"))
                    assert (await peer.answer())[0] == 200
                    peer.close()
                case "wrong":
                    peer.send(UPGRADE.replace(b"Version: 13", b"Version: 7"))
                    assert b" 400 " in await peer.rest()
                case _:
                    await peer.upgraded()
                    assert len(server.places) == 1
                    assert (await (await server.connect()).answer())[0] == 429
                    if end == "closed":
                        peer.close()
                    else:
                        peer.abort()
            await server.emptied()


async def test_a_class_of_thirty_behind_one_address_is_not_refused_anything() -> None:
    """At the default limits: thirty browsers with six connections each, and a WebSocket each."""
    async with uvicorn_server(App()) as server:
        pages = [await server.connect() for _ in range(30 * 6)]
        for _ in range(4):  # two dozen files for each
            for page in pages:
                page.send(GET)
            for page in pages:
                assert (await page.answer())[0] == 200
        for _ in range(30):
            await (await server.connect()).upgraded()
        assert len(server.places) == 30 * 7
        assert server.counted("connections_refused_total") == 0
        assert server.counted("rate_limited_total") == 0


async def test_nothing_keeps_the_http_of_a_websocket_or_of_a_lost_connection_in_memory() -> None:
    async with uvicorn_server(App()) as server:
        peer = await server.connect()
        await until(lambda: bool(server.places))
        (place,) = server.places
        http = weakref.ref(place.transport.get_protocol())
        await peer.upgraded()
        gc.collect()  # uvicorn's own object and its parser know each other
        assert http() is None
        peer.close()
        await server.emptied()


@pytest.mark.parametrize("step", [1, 7, 4095, 4096, 4097])
async def test_however_the_bytes_come_every_request_is_answered(step: int) -> None:
    post = b"POST /?a HTTP/1.1\r\nContent-Length: 9000\r\n\r\n" + b"x" * 9000
    chunks = b"POST /?b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    app = App()
    async with uvicorn_server(app) as server:
        peer = await server.connect()
        requests = GET + post * (step > 1) + chunks + GET
        for at in range(0, len(requests), step):
            peer.send(requests[at : at + step])
            await asyncio.sleep(0)
        for number in range(4 if step > 1 else 3):
            assert await peer.answer() == (200, b"%d" % (number + 1))
        assert app.asked == [b"", *[b"a"] * (step > 1), b"b", b""]


async def test_a_silent_websocket_is_not_late() -> None:
    async with uvicorn_server(App(), HURRY) as server:
        peer = await (await server.connect()).upgraded()
        server.look()
        server.look()
        assert len(server.places) == 1
        peer.close()


async def test_connections_of_a_trusted_proxy_do_not_count_by_its_address() -> None:
    limits: dict[str, Any] = {"connections_per_address": 1, "requests_per_second": 1}
    async with uvicorn_server(App(), trust_proxy=True, **limits) as server:
        peers = [await server.connect() for _ in range(50)]
        for peer in peers:
            peer.send(GET)
        for peer in peers:
            assert (await peer.answer())[0] == 200
            peer.close()
        await server.emptied()


async def test_more_requests_than_anybody_needs_are_refused_before_the_application() -> None:
    app = App()
    async with uvicorn_server(app, requests_per_second=1) as server:
        peer = await server.connect()
        statuses = []
        while 429 not in statuses:
            peer.send(GET)
            status, body = await peer.answer()
            statuses.append(status)
        assert code_of(body) == "too_many"
        assert await peer.rest() == b""
        # 30 at once: one for the connection, the others for its requests.
        assert len(app.asked) == 29
        again = await server.connect()
        assert (await again.answer())[0] == 429
        server.clock.advance(0.3)
        again = await server.connect()
        again.send(GET)
        assert await again.answer() == (200, b"30")
        again.close()


async def test_when_descriptors_run_out_the_log_says_so_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def told() -> list[str]:
        return [line.getMessage() for line in caplog.records if line.levelno >= logging.ERROR]

    async with uvicorn_server(App(), descriptors=(100, 2)) as server:
        peers = [await server.connect("127.0.0.2"), await server.connect("127.0.0.3")]
        await until(lambda: len(server.places) == 2)
        for _ in range(3):
            refused = await server.connect()
            status, body = await refused.answer()
            assert (status, code_of(body)) == (503, "server_full")
            assert await refused.rest() == b""
        assert len(told()) == 1
        for part in ("2 connections", "100 descriptors", "ulimit -n", "LimitNOFILE"):
            assert part in told()[0]
        server.clock.advance(61)
        await (await server.connect()).answer()
        assert len(told()) == 2
        for peer in peers:
            peer.close()
        await server.emptied()
        late = await server.connect()
        late.send(GET)
        assert (await late.answer())[0] == 200
        late.close()


ROOM = """
import resource, sys
from millebornes.server.descriptors import room_for_connections
soft, hard, workers = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(*room_for_connections(workers), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(
    ("soft", "hard", "workers", "room"),
    [(64, 1024, 2, (1024, 944)), (1024, 1024, 0, (1024, 960)), (100, 100, 9, (100, 50))],
)
def test_the_limit_of_descriptors_is_raised_and_some_are_kept(
    soft: int, hard: int, workers: int, room: tuple[int, int]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ROOM, str(soft), str(hard), str(workers)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    allowed, connections, now = map(int, done.stdout.split())
    assert (allowed, connections) == room
    assert now == allowed


# A whole server process


async def test_a_server_out_of_descriptors_goes_on_serving(tmp_path: Path) -> None:
    most = 128
    with server_process(tmp_path, changes={"descriptors": most}) as server:
        port = int(server.url.rpartition(":")[2])

        async def main() -> list[bytes]:
            opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(200)]
            heard = [await reader.read() for reader, _ in opened[most:]]
            for _, writer in opened:
                writer.close()
            return heard

        heard = await main()
        assert all(b" 503 " in one for one in heard)
        while (answer := httpx.get(f"{server.url}/metrics")).status_code == 503:
            pass  # it has not noticed yet that all of them are closed
        assert "millebornes_connections_refused_total " in answer.text
    lines = [line for line in server.log() if line["level"] == "error"]
    assert len(lines) == 1
    assert f"{most} descriptors" in lines[0]["message"]
    assert "LimitNOFILE" in lines[0]["message"]


@pytest.mark.parametrize("renamed", ["on_response_complete", "send_400_response", "flow"])
def test_a_uvicorn_without_a_part_we_need_serves_with_fewer_limits(
    renamed: str, tmp_path: Path
) -> None:
    with (
        server_process(tmp_path, changes={"renamed": renamed}, connections_per_address=2) as server,
        httpx.Client(base_url=server.url) as first,
        httpx.Client(base_url=server.url) as second,
    ):
        for client in (first, second):
            for _ in range(20):  # on one connection
                assert client.get("/api/health").status_code == 200
        assert httpx.get(f"{server.url}/api/health").status_code == 429
    warnings = [line["message"] for line in server.log() if line["level"] == "warning"]
    assert len(warnings) == 1
    assert renamed in warnings[0]
    assert "reverse proxy" in warnings[0]


@pytest.fixture
def wire() -> Wire:
    return Wire(Config(), ManualClock(), Metrics(), WireLimits())


def test_this_uvicorn_has_everything_that_our_protocols_need(wire: Wire) -> None:
    assert issubclass(http_protocol(wire), uvicorn_http.Requests)
    assert issubclass(websocket_protocol(wire), uvicorn_sockets.Sockets)


def test_a_uvicorn_that_cannot_be_looked_into_is_used_as_it_is(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delattr(uvicorn_http, "PARTS")
    monkeypatch.delattr(uvicorn_sockets, "PARTS")
    assert http_protocol(wire) == "httptools"
    assert websocket_protocol(wire) == "websockets-sansio"
    assert [line.levelname for line in caplog.records] == ["WARNING", "WARNING"]
