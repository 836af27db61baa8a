"""One address of an attacker, or of a victim: requests and WebSockets as bytes, from that address.

Every address of 127.0.0.0/8 is this machine's own, and the server tells them apart.
"""

import asyncio
import contextlib
import json
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

VICTIM = "127.0.0.2"
ATTACKER = "127.0.0.3"
PATIENCE = 20.0
"""Seconds for anything that must come."""
TEXT, CLOSE, PING = 0x81, 0x88, 0x89
_GONE = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError)


class Answer(NamedTuple):
    """The server's answer to a request; status 0: it closed the connection without one."""

    status: int
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Attacker:
    """Somebody at one address, and what has become of what they did."""

    def __init__(self, url: str, address: str = ATTACKER) -> None:
        self.host, self.port = urlsplit(url).hostname or "", urlsplit(url).port or 0
        self.address = address
        self.counts: Counter[str] = Counter()
        """Counts of what was tried and how the server responded."""

    def elsewhere(self) -> "Attacker":
        """Somebody at another address, for whom nothing has been used up."""
        return Attacker(f"http://{self.host}:{self.port}", "127.0.0.200")

    # Bytes

    @contextlib.asynccontextmanager
    async def connection(
        self, *, buffer: int | None = None
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection; `buffer` is how many bytes the system takes before it makes us wait."""
        own = socket.socket()
        own.setblocking(False)
        if buffer is not None:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        writer = None
        try:
            own.bind((self.address, 0))
            await asyncio.get_running_loop().sock_connect(own, (self.host, self.port))
            reader, writer = await asyncio.open_connection(sock=own, limit=1 << 20)
            yield reader, writer
        finally:
            if writer is None:
                own.close()
            else:
                writer.transport.abort()

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        headers: str = "",
    ) -> Answer:
        """One request on its own connection, and the answer."""
        try:
            async with asyncio.timeout(PATIENCE), self.connection() as (reader, writer):
                writer.write(self.request(method, path, body, token=token, headers=headers))
                head = await reader.readuntil(b"\r\n\r\n")
                return Answer(int(head[9:12]), await reader.read())
        except _GONE:
            return Answer(0, b"")

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        headers: str = "",
        keep: bool = False,
    ) -> bytes:
        """The bytes of a request."""
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        lines.append(f"Authorization: Bearer {token or 'none'}")
        if not keep:
            lines.append("Connection: close")
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
        return ("\r\n".join(lines) + "\r\n" + headers + "\r\n").encode() + data

    async def pour(self, writer: asyncio.StreamWriter, chunk: bytes, most: int) -> int:
        """Send this again and again; how many bytes went out until the server had enough."""
        sent = 0
        with contextlib.suppress(*_GONE):
            while sent < most and not writer.is_closing():
                writer.write(chunk)
                sent += len(chunk)
                async with asyncio.timeout(2.0):
                    await writer.drain()
        return sent

    # Guests and tables

    async def become_guest(self) -> str:
        """A token."""
        answer = await self.ask("POST", "/api/guests", {})
        assert answer.status == 201, answer
        return str(answer.json()["token"])

    async def open_table(self, token: str, **settings: Any) -> str:
        """A table of one's own."""
        answer = await self.ask("POST", "/api/tables", {"name": "Host", **settings}, token=token)
        assert answer.status == 201, answer
        return str(answer.json()["table"])

    async def join(self, table: str, token: str, name: str, **more: Any) -> Answer:
        """Come to a table."""
        body = {"name": name, **more}
        return await self.ask("POST", f"/api/tables/{table}/join", body, token=token)

    @contextlib.asynccontextmanager
    async def socket(
        self, table: str, token: str, after: int | None = None, *, buffer: int | None = None
    ) -> AsyncIterator["Socket"]:
        """A WebSocket at a table, as bytes; `status` is 101 if the server opened it."""
        query = "" if after is None else f"?after={after}"
        async with self.connection(buffer=buffer) as (reader, writer):
            headers = (
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            )
            path = f"/api/tables/{table}/socket{query}"
            writer.write(self.request("GET", path, token=token, headers=headers, keep=True))
            status = 0
            with contextlib.suppress(*_GONE):
                async with asyncio.timeout(PATIENCE):
                    status = int((await reader.readuntil(b"\r\n\r\n"))[9:12])
            yield Socket(status, reader, writer)


class Socket:
    """An open WebSocket of a client."""

    def __init__(
        self, status: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.status = status
        self.reader = reader
        self.writer = writer

    def say(self, **message: Any) -> None:
        """Send a message; nobody waits until it is gone."""
        self.writer.write(frame(TEXT, json.dumps(message).encode()))

    async def next(self, patience: float = PATIENCE) -> tuple[int, bytes] | None:
        """The next frame, its first byte and its content; None: there will be no more."""
        try:
            async with asyncio.timeout(patience):
                first, size = await self.reader.readexactly(2)
                if size == 126:
                    (size,) = struct.unpack("!H", await self.reader.readexactly(2))
                elif size == 127:
                    (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
                return first, await self.reader.readexactly(size)
        except _GONE:
            return None

    async def answer(self, type_: str) -> dict[str, Any] | None:
        """The next message of this type; None: the connection ended."""
        while (heard := await self.next()) is not None:
            first, data = heard
            if first == CLOSE:
                break
            if first == TEXT:
                message: dict[str, Any] = json.loads(data)
                if message["type"] == type_:
                    return message
        return None

    async def close_code(self) -> int:
        """How the server ended it, reading up to there; 0: without a word."""
        while (heard := await self.next()) is not None:
            if heard[0] == CLOSE:
                return int.from_bytes(heard[1][:2], "big")
        return 0


def frame(first: int, content: bytes = b"") -> bytes:
    """A frame of a client. Its mask is zero, which leaves the content unchanged."""
    size = len(content)
    length = bytes((0x80 | size,)) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
    return bytes((first,)) + length + bytes(4) + content
