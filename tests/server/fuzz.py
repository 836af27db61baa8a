"""Nonsense on WebSockets, against a real server with a game going on.

    python -m tests.server.fuzz --messages 200000

Random bytes, bad UTF-8, deep and huge JSON, wrong types, stale and duplicate decisions,
unknown types, foreign Origins, wrong tokens. Meanwhile two others play on at the same table,
and must not notice. The server may not log an error, and its memory may not grow.
"""

import argparse
import asyncio
import base64
import contextlib
import json
import os
import random
import struct
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from millebornes.client import Client, Seat
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out
from tests.server_process import GENEROUS, ServerProcess, server_process

SOCKETS = 4
PATIENCE = 10.0
PER_MOVE = 5
"""A player moves each time that a fuzzer has sent so much: people are slower than machines."""
TYPES = [
    *("join", "sit", "stand", "add_bot", "kick", "start", "move", "next", "commit", "reveal"),
    *("chat", "emote", "mute", "return", "leave", "rematch", "hint", "back", "nope", "", "frame"),
]
FIELDS = ["decision", "id", "move", "seat", "name", "level", "hand", "commit", "entropy", "text"]
MARKED = "the-mark-of-the-fuzzer"
MARK = json.dumps({"type": MARKED})
HANGS = "NO ANSWER"
EXPECTED = "warning uvicorn.error: Invalid HTTP request received."
"""Uvicorn's line for a request that is not HTTP, which it answers with 400."""
HARMLESS = {"already_done", "stale_decision", "shuffle_moved_on", "already_answered"}


class Report(NamedTuple):
    """What happened."""

    messages: int
    by_kind: dict[str, int]
    answers: dict[str, int]
    """The server's answers to the nonsense, by type or close code."""
    rss_first_half: int
    rss_second_half: int
    hands_played_meanwhile: int
    moves_played_meanwhile: int
    log: dict[str, int]
    """Everything the server logged as a warning or worse, counted; nothing is left out."""

    @property
    def faults(self) -> list[str]:
        """What must not be: a line in the log but for refused requests, a status 500, silence."""
        faults = [line for line in self.log if line != EXPECTED]
        return faults + [answer for answer in self.answers if "500" in answer or HANGS in answer]


def value(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value."""
    kind = rng.randrange(10 if depth < 3 else 7)
    match kind:
        case 0:
            return rng.choice([None, True, False])
        case 1:
            return rng.choice([0, -1, 1, 2**31, 2**53, 2**53 + 1, 2**64, -(2**63), 10**30])
        case 2:
            return rng.choice([0.5, -0.0, 1e308, 1e-308, 12345678901234567890.5])
        case 3:
            return "".join(chr(rng.randrange(32, 0x2FF)) for _ in range(rng.randrange(30)))
        case 4:
            return rng.choice(
                ["ROLL", "x25", "ACE!", "-", "ext", "STOP>1", "STOP>9", "", "\0", "\ud83d"]
            )
        case 5:
            return "f" * 64
        case 6:
            return rng.randrange(-5, 50)
        case 7:
            return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(FIELDS): value(rng, depth + 1) for _ in range(rng.randrange(4))}


def random_bytes(rng: random.Random, _: "Fuzzer") -> bytes:
    return rng.randbytes(rng.choice([0, 1, 2, 10, 100, 1000, 4096, 4097]))


def random_text(rng: random.Random, _: "Fuzzer") -> str:
    return "".join(chr(rng.randrange(0xD7FF)) for _ in range(rng.randrange(200)))


def deep_json(rng: random.Random, _: "Fuzzer") -> str:
    depth = rng.choice([10, 100, 1000, 2000])
    opened, closed = rng.choice([("[", "]"), ('{"a":', "}"), ('{"type":', "}")])
    return opened * depth + "1" + closed * rng.choice([0, depth])


def huge_json(rng: random.Random, _: "Fuzzer") -> str:
    size = rng.choice([4000, 4090, 4096, 4097, 5000, 16_000])
    return json.dumps({"type": "chat", "text": "é" * size}, ensure_ascii=False)


def huge_number(rng: random.Random, _: "Fuzzer") -> str:
    return '{"type":"next","decision":' + "9" * rng.choice([20, 400, 4000]) + "}"


def wrong_types(rng: random.Random, _: "Fuzzer") -> str:
    message = {"type": rng.choice(TYPES)}
    for _number in range(rng.randrange(5)):
        message[rng.choice(FIELDS)] = value(rng)
    return json.dumps(message)


def any_json(rng: random.Random, _: "Fuzzer") -> str:
    return json.dumps(value(rng))


def stale_decision(rng: random.Random, fuzzer: "Fuzzer") -> str:
    """A move for an earlier decision, or again under an id that was used already."""
    decision = max(0, fuzzer.decision - rng.choice([0, 0, 1, 2, 3]))
    moves = fuzzer.moves or ["ROLL", "x25", "-", "ext", "25", "STOP>0", "ACE!", "x", "2:ACE!"]
    id_ = f"f{rng.randrange(50)}"  # often one that was used already
    return json.dumps({"type": "move", "decision": decision, "id": id_, "move": rng.choice(moves)})


def future_decision(rng: random.Random, fuzzer: "Fuzzer") -> str:
    return json.dumps({"type": "next", "decision": fuzzer.decision + rng.randrange(1, 100)})


def well_formed(rng: random.Random, _: "Fuzzer") -> str:
    """Messages that are fine in form, and mostly refused for what they ask."""
    number = rng.randrange(8)
    return json.dumps(
        rng.choice(
            [
                {"type": "sit", "seat": number},
                {"type": "stand"},
                {"type": "add_bot", "seat": number, "level": "nope"},
                {"type": "kick", "seat": number},
                {"type": "start"},
                {"type": "rematch"},
                {"type": "return"},
                {"type": "hint", "decision": number},
                {"type": "back", "decision": number},
                {"type": "commit", "hand": number, "commit": "0" * 64},
                {"type": "reveal", "hand": number, "entropy": "0" * 64},
                {"type": "mute", "member": 50 + number},
                {"type": "emote", "emote": "nope"},
                {"type": "chat", "text": "\u200b"},
                {"type": "join", "name": "\u0007"},
            ]
        )
    )


def chatter(rng: random.Random, _: "Fuzzer") -> str:
    return json.dumps({"type": "chat", "text": "".join(rng.choices("<>&'\"é\u202e\n ab", k=20))})


KINDS: list[Callable[[random.Random, "Fuzzer"], str | bytes]] = [
    *(random_bytes, random_text, deep_json, huge_json, huge_number, wrong_types, any_json),
    *(stale_decision, future_decision, well_formed, wrong_types, stale_decision),
]


class Fuzzer:
    """One socket full of nonsense, of a member of the table."""

    def __init__(
        self, server: ServerProcess, table: str, token: str, seed: int, turns: asyncio.Semaphore
    ) -> None:
        self._turns = turns
        self.decision = 0
        self.moves: list[str] = []
        self.kinds: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self._server = server
        self._table = table
        self._token = token
        self._rng = random.Random(seed)
        self._socket: ClientConnection | None = None

    async def run(self, messages: int) -> None:
        for number in range(messages):
            await self._one()
            if number % PER_MOVE == 0:
                self._turns.release()
        if self._socket is not None:
            await self._socket.close()
            self._socket = None

    async def _one(self) -> None:
        rng = self._rng
        dice = rng.random()
        if dice < 0.01:
            await self._strange_handshake()
        elif dice < 0.02:
            await self._raw_frame()
        elif dice < 0.021:
            await self._send(chatter(rng, self), "chatter")  # accepted, and sent to everybody
        else:
            kind = rng.choice(KINDS)
            await self._send(kind(rng, self), kind.__name__)

    async def _send(self, data: str | bytes, kind: str) -> None:
        self.kinds[kind] += 1
        if self._socket is None:
            self._socket = await self._connect()
        try:
            with contextlib.suppress(UnicodeEncodeError):
                await self._socket.send(data)
            await self._socket.send(MARK)
            # What is accepted is not answered, and the table may be quiet. The mark is always
            # refused by name, so its answer shows that this connection is still served.
            answered = False
            while True:
                async with asyncio.timeout(PATIENCE):
                    text = await self._socket.recv()
                message = json.loads(text)
                if message["type"] == "frame":
                    self._note(message["table"])
                elif MARKED in str(message.get("params")):
                    break
                else:
                    answered = True
                    self.answers[message.get("code", message["type"])] += 1
            self.answers["not refused"] += not answered
        except TimeoutError:
            self.answers[f"{HANGS} after {kind}"] += 1
            self._socket = None
        except ConnectionClosed as closed:
            # Without a closing frame: say what came before, and how the line was lost.
            code = closed.rcvd.code if closed.rcvd else f"1006 after {kind}: {closed.__cause__!r}"
            self.answers[f"closed {code}"] += 1
            self._socket = None

    def _note(self, table: dict[str, Any]) -> None:
        self.decision = table["asked"]["decision"] if table["asked"] else 0
        self.moves = table["hand"]["legal_moves"] if table["hand"] else []

    async def _connect(self) -> ClientConnection:
        url = self._server.url.replace("http", "ws")
        return await connect(
            f"{url}/api/tables/{self._table}/socket",
            additional_headers={"Authorization": f"Bearer {self._token}"},
            compression=None,
            max_size=2**21,
        )

    async def _strange_handshake(self) -> None:
        """Foreign Origins, wrong tokens, tables that are not there: refused before the start."""
        self.kinds["handshake"] += 1
        rng = self._rng
        url = self._server.url.replace("http", "ws")
        good = {"Authorization": f"Bearer {self._token}"}
        path, headers = rng.choice(
            [
                (self._table, {**good, "Origin": "https://evil.test"}),
                (self._table, {**good, "Origin": "null"}),
                (self._table, {"Authorization": "Bearer " + "A" * 43}),
                (self._table, {"Authorization": "Bearer \u00ff"}),
                (self._table, {"Cookie": f"millebornes_guest={self._token}"}),
                (self._table, {}),
                ("nope", good),
                ("%ff%00", good),
                ("a/b", good),
                (self._table + "?after=x", {"Authorization": "Bearer x"}),
            ]
        )
        try:
            socket = await connect(
                f"{url}/api/tables/{path}/socket", additional_headers=headers, compression=None
            )
        except InvalidHandshake as refused:
            status = getattr(getattr(refused, "response", None), "status_code", "?")
            self.answers[f"handshake {status}"] += 1
        else:
            await socket.close()
            raise AssertionError(f"let in: {path} {headers}")

    async def _raw_frame(self) -> None:
        """What no library would send: bad UTF-8 in text frames, broken frames, broken requests."""
        self.kinds["raw"] += 1
        rng = self._rng
        host, port = self._server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        key = base64.b64encode(rng.randbytes(16)).decode()
        path = f"/api/tables/{self._table}/socket"
        if rng.random() < 0.2:
            path = rng.choice(["/%", "/\u00e9", "//", "*", "/api/tables/" + "x" * 5000 + "/socket"])
        head = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: {rng.choice([13, 13, 13, 8])}\r\n"
            f"Sec-WebSocket-Key: {key}\r\nAuthorization: Bearer {self._token}\r\n\r\n"
        )
        payload = rng.choice([b"\xff\xfe", b"\xc3", b'{"type": "\xed\xa0\x80"}', b"", b"\x00" * 9])
        first = rng.choice([0x81, 0x81, 0x81, 0x01, 0x80, 0x83, 0xF1, 0x8B, 0x89])
        size = rng.choice([len(payload)] * 4 + [126, 127])
        frame = bytes([first, rng.choice([0x80, 0x80, 0x80, 0x00]) | size])
        if size == 126:
            frame += struct.pack(">H", 65535)
        elif size == 127:
            frame += struct.pack(">Q", 2**62)
        frame += b"\0\0\0\0" + payload
        try:
            writer.write(head.encode("latin-1") + frame)
            writer.write_eof()
            async with asyncio.timeout(PATIENCE):
                data = await reader.read()
            self.answers[f"raw {data[9:12].decode('latin-1') or 'closed'}"] += 1
        except (ConnectionError, TimeoutError) as error:
            self.answers[f"raw {type(error).__name__}"] += 1
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


class Players:
    """Two people who play on, match after match, and are not disturbed."""

    def __init__(self) -> None:
        self.moves = 0
        self.hands = 0
        self.is_over = False
        self.has_begun = asyncio.Event()
        self.turns = asyncio.Semaphore(0)

    async def play(self, seat: Seat, rng: random.Random, starts: bool) -> None:
        answered, last = -1, None
        wants_rematch = False
        async for message in seat.messages():
            if self.is_over:
                return
            assert not isinstance(message, out.Superseded)
            if isinstance(message, out.Rejected):
                assert message.code in HARMLESS, message
            if isinstance(message, out.Frame):
                assert last is None or message.seq == last + 1
                last = message.seq
                if any(isinstance(event, out.Dealt) for event in message.events):
                    self.hands += 1
                    self.has_begun.set()
            table = seat.table
            if table is None or table.asked is None:
                if table is not None and starts and all(s.kind != "empty" for s in table.seats):
                    starts = False
                    await seat.say(says.Start())
                continue
            assert table.you is not None
            assert not table.seats[table.you].away
            if table.phase == "over":
                if not wants_rematch:
                    wants_rematch = True
                    await seat.say(says.Rematch())
                continue
            wants_rematch = False
            asked = table.asked
            if asked.decision == answered:
                continue
            if asked.what == "next":
                answered = asked.decision
                await seat.say(says.Next(asked.decision))
            elif table.hand is not None and table.hand.legal_moves:
                answered = asked.decision
                plays = [move for move in table.hand.legal_moves if not move.startswith("x")]
                await self.turns.acquire()
                await seat.move(rng.choice(plays or table.hand.legal_moves))
                self.moves += 1
        assert seat.reconnects == 0


async def fuzz(server: ServerProcess, messages: int, seed: int) -> Report:
    """Send so much nonsense while two people play."""
    players = Players()
    async with Client(server.url) as ada, Client(server.url) as bea:
        # The third seat is the first fuzzer's: its nonsense reaches the checks of decisions and
        # ids. When its time is up a bot plays on, until it takes the seat back.
        times = {"window": 1000, "bot_window": 0, "pace": 0, "clock": 5000}
        table = await ada.open_table("Ada", players=3, **times)
        tokens = []
        for number in range(SOCKETS):
            async with Client(server.url) as spectator:
                sits = number == 0
                await spectator.join(table, f"F{number}", seat=2 if sits else None, watch=not sits)
                assert spectator.token is not None
                tokens.append(spectator.token)
        async with (
            ada.seat(table) as first,
            await bea.join(table, "Bea") as second,
            asyncio.TaskGroup() as group,
        ):
            games = [
                group.create_task(players.play(first, random.Random(seed), True)),
                group.create_task(players.play(second, random.Random(seed + 1), False)),
            ]
            fuzzers = [
                Fuzzer(server, table, token, seed + number, players.turns)
                for number, token in enumerate(tokens)
            ]
            # As a client the fuzzer takes part in the first shuffle; then the nonsense begins.
            async with Client(server.url, tokens[0]) as third, third.seat(table) as seat:
                async for _ in seat.messages():
                    if seat.table is not None and seat.table.hand is not None:
                        break
            await players.has_begun.wait()
            rss = []
            # A part to warm up, then two halves.
            for part in (messages // 5, 2 * messages // 5, 2 * messages // 5):
                await asyncio.gather(*(fuzzer.run(part // SOCKETS) for fuzzer in fuzzers))
                rss.append(server.rss())
            moves, players.is_over = players.moves, True
            for task in games:
                task.cancel()
    kinds: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    for fuzzer in fuzzers:
        kinds += fuzzer.kinds
        answers += fuzzer.answers
    log = Counter(
        f"{line['level']} {line['from']}: {line['message']}"
        + (f" [{line['error']} at {line['where']}]" if "error" in line else "")
        for line in server.log()
        if line["level"] in ("warning", "error", "critical")
    )
    return Report(
        kinds.total(),
        dict(kinds),
        dict(answers),
        rss[1],
        rss[2],
        players.hands // 2,
        moves,
        dict(log),
    )


def main() -> None:
    """Fuzz from the command line; the report as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        server_process(Path(folder), **GENEROUS) as server,
    ):
        report = asyncio.run(fuzz(server, given.messages, given.seed))
    shown = {"seed": given.seed, **report._asdict(), "faults": report.faults}
    shown["rss_growth"] = round(report.rss_second_half / report.rss_first_half, 4)
    json.dump(shown, sys.stdout, indent=2)
    sys.stdout.write("\n")
    sys.exit(1 if report.faults or shown["rss_growth"] > 1.05 else 0)


if __name__ == "__main__":
    main()
