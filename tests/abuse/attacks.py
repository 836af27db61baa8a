"""The attacks. Each is what one address can do within the default limits, as fast as it can.

`begin` runs once, `wave` again and again. The attacker's `counts` hold what was tried and how
the server responded. A wave is bounded: a test looks at the counts of one, the long run
(`python -m tests.abuse.run`) makes as many as it can and looks at the others at the same time.
"""

import asyncio
import contextlib
import json
from collections.abc import Iterable
from itertools import cycle
from pathlib import Path

from .attacker import PING, TEXT, Answer, Attacker, frame
from .planting import GAME, MEMBERS, TABLE, TOKEN, TOKENS, plant

_MEGABYTE = 1 << 20
_FEW = 4096
"""Bytes that the system keeps for us: the server notices soon that we do not read."""


class Attack:
    """One way to hurt other players. Its docstring describes it."""

    at_once = 1
    """Waves at the same time in the long run."""
    calm = 0.0
    """Seconds between two waves: for those that need no speed."""

    def plant(self, database: Path) -> None:
        """What must be there before the server starts."""

    async def begin(self, attacker: Attacker) -> None:
        """Set the attack up, once."""

    async def wave(self, attacker: Attacker) -> None:
        """One assault."""
        raise NotImplementedError


def _count(attacker: Attacker, answers: Iterable[Answer]) -> None:
    for answer in answers:
        attacker.counts[f"status {answer.status}"] += 1


async def _status(reader: asyncio.StreamReader) -> int:
    """The status of an answer; 0 if there is none."""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(5):
            return int((await reader.read(12))[9:12] or 0)
    return 0


# Connections


class _Endless(Attack):
    """A request that never ends, on one connection."""

    at_once = 8
    most = 30 * _MEGABYTE

    def parts(self, _: Attacker, /) -> tuple[bytes, bytes]:
        """How it begins, and what comes again and again."""
        raise NotImplementedError

    async def wave(self, attacker: Attacker) -> None:
        first, more = self.parts(attacker)
        with contextlib.suppress(OSError):
            async with attacker.connection(buffer=_FEW) as (reader, writer):
                # Read from the beginning: a server that hangs up does not wait for us to read.
                answer = asyncio.ensure_future(_status(reader))
                writer.write(first)
                attacker.counts["bytes sent"] += await attacker.pour(writer, more, self.most)
                attacker.counts[f"status {await answer}"] += 1
        attacker.counts["requests"] += 1


class EndlessHeaders(_Endless):
    """A request whose headers never end."""

    def parts(self, attacker: Attacker, /) -> tuple[bytes, bytes]:
        return attacker.request("GET", "/api/health")[:-2], b"x-more: " + b"a" * 8000 + b"\r\n"


class EndlessHeader(_Endless):
    """A request with one header that never ends."""

    def parts(self, attacker: Attacker, /) -> tuple[bytes, bytes]:
        return attacker.request("GET", "/api/health")[:-2] + b"x-more: ", b"a" * 16_000


class EndlessAddress(_Endless):
    """A request whose URL never ends."""

    def parts(self, _: Attacker, /) -> tuple[bytes, bytes]:
        return b"GET /api/", b"a" * 16_000


class EndlessBody(_Endless):
    """A request whose body never ends, in chunks."""

    def parts(self, attacker: Attacker, /) -> tuple[bytes, bytes]:
        more = "Transfer-Encoding: chunked\r\n"
        return attacker.request("POST", "/api/guests", headers=more), b"1000\r\n" + b" " * 4096 + (
            b"\r\n"
        )


class EndlessTrailers(_Endless):
    """A request whose body has ended, with trailers that never do."""

    def parts(self, attacker: Attacker, /) -> tuple[bytes, bytes]:
        more = "Transfer-Encoding: chunked\r\nTrailer: x-more\r\n"
        first = attacker.request("POST", "/api/guests", headers=more)
        return first + b"2\r\n{}\r\n0\r\n", b"x-more: " + b"a" * 8000 + b"\r\n"


class PipelinedRequests(_Endless):
    """Megabytes of small requests on one connection, whose answers nobody reads."""

    most = 5 * _MEGABYTE

    def parts(self, attacker: Attacker, /) -> tuple[bytes, bytes]:
        return b"", attacker.request("GET", "/api/health", keep=True) * 500


class SilentConnections(Attack):
    """Connections that send nothing, or half a request, and stay open."""

    most = 1500
    stay = 5.0

    async def wave(self, attacker: Attacker) -> None:
        async with contextlib.AsyncExitStack() as held:
            ends = []
            for number in range(self.most):
                try:
                    async with asyncio.timeout(2):
                        reader, writer = await held.enter_async_context(attacker.connection())
                except (OSError, TimeoutError):
                    attacker.counts["not let in"] += 1
                    break
                if number % 2:
                    writer.write(b"GET /api/health HTTP/1.1\r\nHost: a\r\n")
                ends.append(asyncio.ensure_future(_end(reader)))
            # Connections are accepted in order: this request comes after all of them.
            await attacker.elsewhere().ask("GET", "/api/health")
            closed, still_open = await asyncio.wait(ends, timeout=self.stay)
            attacker.counts["opened"] += len(ends)
            attacker.counts["closed by the server"] += len(closed)
            attacker.counts["still open"] += len(still_open)
            for end in still_open:
                end.cancel()
            await asyncio.wait(ends)


async def _end(reader: asyncio.StreamReader) -> None:
    """Wait until the server sends something or closes the connection."""
    with contextlib.suppress(OSError):
        await reader.read(1)


class InvalidRequests(Attack):
    """Bytes that are not HTTP, each time on a new connection."""

    at_once = 8

    async def wave(self, attacker: Attacker) -> None:
        for _ in range(50):
            with contextlib.suppress(OSError):
                async with attacker.connection() as (reader, writer):
                    writer.write(b"\x16\x03\x01 nonsense\r\n\r\n")
                    await reader.read(100)
            attacker.counts["requests"] += 1


# Requests

SLOW_RULES = 'parent = "winning-moves"\na' + ".a" * 3900 + " = 1"
"""A dotted key, which takes the square of its length."""


class SlowHouseRules(Attack):
    """House rules that are slow to parse, sent without a token and by a guest."""

    at_once = 8

    def plant(self, database: Path) -> None:
        plant(database)

    async def wave(self, attacker: Attacker) -> None:
        body = {"toml": SLOW_RULES}
        for token in (None, TOKEN):
            answer = await attacker.ask("POST", "/api/house-rules", body, token=token)
            _count(attacker, [answer])
        table = {"name": "Eve", "house_rules": body["toml"]}
        _count(attacker, [await attacker.ask("POST", "/api/tables", table, token=TOKEN)])


class Requests(Attack):
    """Requests that give much for little."""

    at_once = 16

    def plant(self, database: Path) -> None:
        plant(database, games=50)

    async def wave(self, attacker: Attacker) -> None:
        for path in ("/api/editions", "/api/openapi.json", "/api/games", f"/api/games/{GAME}"):
            _count(attacker, [await attacker.ask("GET", path, token=TOKEN)])


class Replays(Attack):
    """Hands of long matches, replayed, for somebody who does not wait for the answer."""

    matches = 40
    together = 8

    def plant(self, database: Path) -> None:
        plant(database, games=self.matches)

    async def wave(self, attacker: Attacker) -> None:
        for first in range(0, self.matches, self.together):
            some = range(first, first + self.together)
            await asyncio.gather(*(self._ask(attacker, number) for number in some))

    async def _ask(self, attacker: Attacker, number: int) -> None:
        path = f"/api/games/a-match-{number}/hands/2"
        with contextlib.suppress(OSError):
            async with attacker.connection() as (reader, writer):
                writer.write(attacker.request("GET", path, token=TOKEN))
                with contextlib.suppress(OSError, TimeoutError):
                    async with asyncio.timeout(0.05):
                        head = await reader.read(12)
                        attacker.counts[f"status {head[9:12].decode()}"] += 1
        attacker.counts["requests"] += 1


class NewGuests(Attack):
    """As many guests as one address can become."""

    at_once = 8

    async def wave(self, attacker: Attacker) -> None:
        _count(attacker, [await attacker.ask("POST", "/api/guests", {}) for _ in range(20)])


class ManyTables(Attack):
    """As many tables in the lobby as the server allows; then the lobby, again and again."""

    at_once = 4
    tables = 60
    """In one wave; and as many looks at the lobby."""

    async def begin(self, attacker: Attacker) -> None:
        self._tokens = [await attacker.become_guest() for _ in range(10)]

    async def wave(self, attacker: Attacker) -> None:
        wanted = {"name": "Eve", "is_open": True}
        for number in range(self.tables):
            token = self._tokens[number % len(self._tokens)]
            answer = await attacker.ask("POST", "/api/tables", wanted, token=token)
            attacker.counts["tables opened"] += answer.status == 201
            attacker.counts["tables refused"] += answer.status == 429
            answer = await attacker.ask("GET", "/api/lobby", token=token)
            if answer.status == 200:
                attacker.counts["lobbies"] += 1
                attacker.counts["largest lobby"] = max(
                    attacker.counts["largest lobby"], len(answer.json())
                )


# Tables


class _AtATable(Attack):
    """Something done by members of a table of their own, all from one address."""

    guests = 5

    async def begin(self, attacker: Attacker) -> None:
        tokens = [await attacker.become_guest() for _ in range(self.guests)]
        self.table = await attacker.open_table(tokens[0], players=2)
        for number, token in enumerate(tokens[1:]):
            await attacker.join(self.table, token, f"Eve the {number}", watch=True)
        self._tokens = cycle(tokens)

    def token(self) -> str:
        """The next of these guests: a connection ends the one that the same guest had before."""
        return next(self._tokens)


class Pings(_AtATable):
    """Empty pings as fast as the line takes them, and nobody reads the answers."""

    at_once = 4
    most = 2 * _MEGABYTE

    async def wave(self, attacker: Attacker) -> None:
        with contextlib.suppress(OSError):
            async with attacker.socket(self.table, self.token(), buffer=_FEW) as socket:
                attacker.counts[f"status {socket.status}"] += 1
                if socket.status != 101:
                    await asyncio.sleep(0.1)
                    return
                many = frame(PING) * 1000
                sent = await attacker.pour(socket.writer, many, self.most)
                attacker.counts["pings sent"] += sent // 6
                code = 0
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(5):
                        code = await socket.close_code()
                attacker.counts[f"closed {code}"] += 1


class Fragments(_AtATable):
    """A message in thousands of fragments without content, which never ends."""

    at_once = 4
    most = _MEGABYTE

    async def wave(self, attacker: Attacker) -> None:
        with contextlib.suppress(OSError):
            async with attacker.socket(self.table, self.token(), buffer=_FEW) as socket:
                if socket.status == 101:
                    socket.writer.write(frame(0x01))
                    sent = await attacker.pour(socket.writer, frame(0x00) * 1000, self.most)
                    attacker.counts["fragments sent"] += sent // 6
                attacker.counts[f"status {socket.status}"] += 1


class TalkAndReconnect(_AtATable):
    """Chat up to the limit, disconnect, and reconnect in the hope of a full bucket."""

    at_once = 4
    lines = 20

    async def wave(self, attacker: Attacker) -> None:
        for _ in range(10):
            with contextlib.suppress(OSError):
                async with attacker.socket(self.table, self.token()) as socket:
                    attacker.counts[f"status {socket.status}"] += 1
                    if socket.status != 101:
                        await asyncio.sleep(0.1)
                        continue
                    for _ in range(self.lines):
                        socket.say(type="chat", text="x" * 480)
                    socket.say(type="hint", decision=0)  # refused: all before it has been heard
                    attacker.counts["lines sent"] += self.lines
                    while (heard := await socket.next()) is not None:
                        if heard[0] != TEXT:
                            break
                        if b'"not_practice"' in heard[1]:
                            break


class ComeAndGo(_AtATable):
    """Connect and disconnect, join and leave: everybody is notified, and each is logged."""

    at_once = 4

    async def wave(self, attacker: Attacker) -> None:
        for _ in range(20):
            with contextlib.suppress(OSError):
                async with attacker.socket(self.table, self.token()) as socket:
                    attacker.counts[f"status {socket.status}"] += 1
                    if socket.status == 101:
                        socket.say(type="leave")
                        await socket.next()
            answer = await attacker.join(self.table, self.token(), "Eve", watch=True)
            _count(attacker, [answer])


class Backlogs(Attack):
    """Sockets that ask for all there ever was at a table with a long log, and read nothing."""

    rows = 120_000
    stay = 10.0

    def plant(self, database: Path) -> None:
        plant(database, rows=self.rows)

    async def wave(self, attacker: Attacker) -> None:
        # All were there from the beginning: the whole log is theirs to follow.
        async with contextlib.AsyncExitStack() as held:
            for token in TOKENS[:MEMBERS]:
                with contextlib.suppress(OSError):
                    opened = attacker.socket(TABLE, token, after=0, buffer=_FEW)
                    socket = await held.enter_async_context(opened)
                    attacker.counts[f"status {socket.status}"] += 1
            await asyncio.sleep(self.stay)


class RefusedMessages(_AtATable):
    """Messages that are refused, each with a sentence and a picture, on many sockets."""

    guests = 20
    messages = 40

    async def wave(self, attacker: Attacker) -> None:
        floods = (self._flood(attacker, self.token()) for _ in range(self.guests))
        await asyncio.gather(*floods)

    async def _flood(self, attacker: Attacker, token: str) -> None:
        with contextlib.suppress(OSError):
            async with attacker.socket(self.table, token) as socket:
                attacker.counts[f"status {socket.status}"] += 1
                if socket.status != 101:
                    await asyncio.sleep(0.1)
                    return
                for number in range(self.messages):
                    socket.say(type="move", decision=number, id="x", move="ROLL")
                    attacker.counts["messages"] += 1
                    if await socket.answer("rejected") is None:
                        break


class Hints(Attack):
    """Hints at practice tables, as fast as one may ask: others play with the same bots."""

    at_once = 10

    async def begin(self, attacker: Attacker) -> None:
        self._token = await attacker.become_guest()

    async def wave(self, attacker: Attacker) -> None:
        answer = await attacker.ask(
            "POST",
            "/api/tables",
            {"name": "Eve", "players": 2, "practice": True, "pace": 0, "bot_window": 0},
            token=self._token,
        )
        attacker.counts[f"status {answer.status}"] += 1
        if answer.status != 201:
            await asyncio.sleep(0.1)
            return
        with contextlib.suppress(OSError):
            async with attacker.socket(answer.json()["table"], self._token) as socket:
                socket.say(type="add_bot", seat=1, level="sunday-driver")
                socket.say(type="start")
                for _ in range(200):
                    heard = await socket.next(patience=1.0)
                    if heard is None or heard[0] != TEXT:
                        return
                    message = json.loads(heard[1])
                    attacker.counts[message["type"]] += 1
                    asked = (message.get("table") or {}).get("asked")
                    if asked is not None:
                        socket.say(type="hint", decision=asked["decision"])


class Watchers(_AtATable):
    """Guests who join a table and never connect, until nobody else can."""

    guests = 2
    calm = 1.0

    def plant(self, database: Path) -> None:
        plant(database)

    async def wave(self, attacker: Attacker) -> None:
        for number, token in enumerate(TOKENS):
            # Digits at the end of a name could look like another's.
            name = f"{chr(65 + number // 26)}{chr(97 + number % 26)} watches"
            answer = await attacker.join(self.table, token, name, watch=True)
            attacker.counts[f"watcher {answer.status}"] += 1


ATTACKS: dict[str, type[Attack]] = {
    "endless-headers": EndlessHeaders,
    "endless-header": EndlessHeader,
    "endless-address": EndlessAddress,
    "endless-body": EndlessBody,
    "endless-trailers": EndlessTrailers,
    "pipelined-requests": PipelinedRequests,
    "silent-connections": SilentConnections,
    "invalid-requests": InvalidRequests,
    "slow-house-rules": SlowHouseRules,
    "requests": Requests,
    "replays": Replays,
    "new-guests": NewGuests,
    "many-tables": ManyTables,
    "pings": Pings,
    "fragments": Fragments,
    "talk-and-reconnect": TalkAndReconnect,
    "come-and-go": ComeAndGo,
    "backlogs": Backlogs,
    "refused-messages": RefusedMessages,
    "hints": Hints,
    "watchers": Watchers,
}
