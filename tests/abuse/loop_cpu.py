"""CPU time of the event loop for every request and message, with the worst content we know.

    python -m tests.abuse.loop_cpu [--inputs 20000] [--seed 1]

While one callback of the event loop runs, every table waits. So this measures the CPU time of
each callback, by what was asked for, and prints the longest as JSON. The server's application
runs in this process, without limits, on a loop that is measured; requests reach it as ASGI
messages. Garbage collection is off: it has its own schedule (`server/run.py`).

The exit code is 1 if one callback took more than 20 ms.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import logging
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
from starlette.types import Message, Scope

from millebornes.server.api.openapi import Operation
from millebornes.server.bot_workers import ProcessThinkers
from millebornes.server.replayer import replay_workers
from millebornes.server.store import Summary
from millebornes.table import In
from millebornes.table.rest import Judge, ScorePad
from tests.server import fuzz
from tests.server.local_app import HOST, LocalApp, local_app
from tests.server_process import GENEROUS

from .attacks import SLOW_RULES
from .planting import finished_match

MOST_MS = 20.0
_PATIENCE = 30.0


class Slowest(NamedTuple):
    """The callback of one kind of input that took longest."""

    ms: float
    content: str


class CpuWatch:
    """CPU time of every callback of an event loop that is written in Python."""

    def __init__(self) -> None:
        self.label = "start"
        self.content = ""
        self.slowest: dict[str, Slowest] = {}
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._run = run = asyncio.Handle._run

        def timed(handle: asyncio.Handle) -> None:
            began = time.thread_time()
            run(handle)
            took = (time.thread_time() - began) * 1000
            if took > self.slowest.get(self.label, (0.0,))[0]:
                self.slowest[self.label] = Slowest(round(took, 2), self.content)

        asyncio.Handle._run = timed  # type: ignore[assignment,method-assign]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.Handle._run = self._run  # type: ignore[method-assign]

    def begin(self, label: str, content: object) -> None:
        """From now on, count the time of the loop for this input."""
        self.label = label
        self.content = repr(content)[:300]
        self.counts[label] += 1


# Inputs

_NASTY = (
    *("a", "\u0301", "\u0315\u0300", "\U0001f468\u200d\U0001f469", "\ufb03", "\u1fb7", "ﷺ"),
    *("\x00", "\u202e", '"', "\\", "<script>", "é", "\u1100\u1161", "\u3164", " ", "9", "."),
)
_NUMBERS = (0, 1, -1, 2, 7, 8, 2**31, 2**53, 2**53 + 1, 10**30, 0.5, 1e308)


def _bad_rules(rng: random.Random) -> str:
    """House rules that are absurd in one way or another."""
    head = 'parent = "winning-moves"\n'
    key = rng.choice(["a", "trip", "target", "deck", '"q"', "'q'"])
    many = rng.choice([3, 30, 190, 900, 3900])
    shapes: list[Callable[[], str]] = [
        lambda: SLOW_RULES,
        lambda: head + key + f".{key}" * many + " = 1",
        lambda: head + "\n".join(f"{key}.b{n} = {n}" for n in range(many)),
        lambda: head + "\n".join(f"[{key}.{'b.' * rng.randrange(90)}c{n}]" for n in range(many)),
        lambda: head + f"[[{key}]]\n" * many,
        lambda: head + f"{key} = " + "[" * many + "]" * many,
        lambda: head + f"{key} = " + "{a=" * many + "1" + "}" * many,
        lambda: head + f"{key} = {'9' * many}",
        lambda: head + f"{key} = [{'1,' * many}]",
        lambda: head + f'{key} = "{"".join(rng.choices(_NASTY, k=many))}"',
        lambda: head + f'{key} = """{chr(92)}u0301{"x" * many}"""',
        lambda: head + "# " + "." * many + "\n" * many,
        lambda: head + f"trip = {{ 2 = {'9' * (many % 18 + 1)} }}",
        lambda: head + f"target = {'9' * (many % 18 + 1)}\nmax_200s = {rng.choice(_NUMBERS)}",
        lambda: head + f"deck = {{ roll = {rng.choice(_NUMBERS)} }}",
    ]
    return rng.choice(shapes)()[: rng.choice([8000, 8000, 7999, 4000])]


def _long_pad(rng: random.Random) -> dict[str, Any]:
    """A score pad with as many hands as fit, of eight sides that share the distance cards."""

    def hand(number: int) -> dict[str, Any]:
        miles = [425] * 6 + [425 - number % 17 * 25, 75 + number * 5 // 25 * 25]
        told: dict[str, Any] = {"miles": rng.choice([miles, [325 + number % 4 * 25] * 8])}
        if rng.random() < 0.3:
            told["with_200s"] = rng.choice([[0, 1, 2, 3], [0] * 8])
        if rng.random() < 0.3:
            told["safeties"] = [{"card": "ACE", "side": 7}, {"card": "ROW", "side": 0}]
        return told

    rules = 'parent = "dujardin-2019"\ntarget = 100000\n'
    rules = rng.choice([rules, rules + "a.b.c.d.e.f = 1\n", _bad_rules(rng)[:2000]])
    hands = [hand(number) for number in range(rng.choice([1, 40, 60, 61]))]
    return {"toml": rules, "players": 8, "teams": False, "names": ["é" * 40] * 8, "hands": hands}


def _long_position(rng: random.Random) -> str:
    """A position for the judge that is long, or absurd, or takes many moves."""
    many = rng.choice([1, 8, 16, 17, 98, 390, 900])
    moves = rng.choice(["x?", "0:x? 1:x?", "0:x? 3:x?", "25", "STOP>1", "0:STOP>1 1:ROLL", "ACE!"])
    every = "25 " * 10 + "50 " * 10 + "75 " * 10 + "100 " * 12 + "ROLL " * 12
    head = rng.choice(["", "players: 4\n", "players: 6\n", "edition: dujardin-2019\nplayers: 8\n"])
    shapes: list[Callable[[], str]] = [
        lambda: f"battle 1: ROLL\nhand 0: 25 STOP\nmoves: {' '.join([moves] * many)}",
        lambda: f"discard: {every}\nbattle 1: ROLL\nmoves: {' '.join([moves] * (many % 17))}",
        lambda: f"rule: a{'.a' * many} = 1\n" * rng.choice([1, 10]),
        lambda: "rule: trip = { 2 = 900, 3 = 900 }\n" * rng.choice([1, 10]) + f"moves: {moves}",
        lambda: "title: " + "a " * many,
        lambda: "title: a\n" + "a a a a\n" * many,
        lambda: "hand 0: " + "Véhicule prioritaire " * many,
        lambda: "hand 0: " + rng.choice(["zq ", "etaoin shrdlu ", "ROLL ", "fin de "]) * many,
        lambda: "moves: " + rng.choice([">", ": ", "a ", "fin de limite "]) * many,
        lambda: "title: " + '"\\' * many * 4,
        lambda: "miles 0: 975\n" * many,
        lambda: "---\n" * many,
        lambda: f"{rng.choice(_NASTY) * many}: {rng.choice(_NASTY) * many}",
    ]
    return head + rng.choice(shapes)()[: rng.choice([8000, 7000, 500])]


def value(rng: random.Random, schema: dict[str, Any], name: str = "") -> Any:
    """Something like what this JSON schema describes, at its bounds more often than not."""
    if name in ("toml", "house_rules"):
        return _bad_rules(rng)
    if rng.random() < 0.05:
        return fuzz.value(rng)
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return value(rng, rng.choice(schema[choice]), name)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema.get("type"):
        case "string":
            longest = schema.get("maxLength", 64)
            if "pattern" in schema:
                return "f" * rng.choice([1, 40, 64, 128])
            size = rng.choice([1, 5, longest, longest, longest + 1])
            some = rng.choices(_NASTY, k=rng.randrange(1, 4))
            return "".join(rng.choices(some, k=size))[:size]
        case "integer":
            low, high = schema.get("minimum", 0), schema.get("maximum", 2**53)
            return rng.choice([low, high, rng.randint(low, high), *_NUMBERS])
        case "boolean":
            return rng.random() < 0.5
        case "object":
            fields = schema.get("properties", {})
            needed = set(schema.get("required", ()))
            kept = [one for one in fields if one in needed or rng.random() < 0.6]
            return {one: value(rng, fields[one], one) for one in kept}
    return None


def _schemas(type_: Any) -> dict[str, dict[str, Any]]:
    """The schema of each member of a tagged union, or of one type, by its tag or name."""
    _, parts = msgspec.json.schema_components([type_], ref_template="{name}")
    return {
        part.get("properties", {}).get("type", {}).get("enum", [name])[0]: part
        for name, part in parts.items()
    }


_HEADERS = (
    ("accept-language", ",".join(f"x{n};q=0.{n}" for n in range(200))),
    ("accept-language", "fr-FR,fr;q=0.9"),
    ("accept-encoding", "gzip, br;q=0.5, " + "x," * 400),
    ("cookie", "; ".join(f"a{n}=b" for n in range(400))),
    ("cookie", "millebornes_guest=" + "=" * 4000),
    # Some versions of Python take the square of this to unquote it (CVE-2024-7592).
    ("cookie", 'millebornes_guest="' + "\\" * 12_000 + '"'),
    ("authorization", "Bearer " + "A" * 4000),
    ("content-type", "multipart/form-data; boundary=" + "x" * 500),
    ("origin", "http://" + "a" * 2000),
)


class Fuzzer:
    """Sends every kind of request and message to one server app."""

    def __init__(self, app: LocalApp, watch: CpuWatch, rng: random.Random) -> None:
        self._house = app
        self._watch = watch
        self._rng = rng
        self._tokens: list[str] = []
        self._tables: list[str] = []
        self._games: list[str] = []
        self._device = ""
        """A device that its guest signs out again and again; there is always one more."""
        self._messages = _schemas(In)
        self.failed: list[str] = []

    async def prepare(self) -> None:
        """Tables in every state, a long match, a full lobby."""
        for _ in range(3):
            self._tokens.append((await self._house.guest())[0])
        guests = await self._guests()
        game = finished_match("a-long-match", guests)
        self._games.append(game.id)
        for number in range(50):  # a list of them must not read all of it
            other = finished_match(f"match-{number}", guests)
            other = other._replace(record=other.record + other.record * 40)
            summary = Summary("winning-moves", ("Ada", "Ben"), (5000, 4000))
            await self._house.server.store.close_table("", other._replace(summary=summary))
        await self._house.server.store.close_table("", game)
        practice: dict[str, Any] = {"practice": True, "players": 8, "edition": "dujardin-2019"}
        quick = {"pace": 0, "bot_window": 0, "window": 1000}
        for body in (practice | quick, {"players": 2}, *[{"is_open": True}] * 60):
            answer = await self.ask("POST", "/api/tables", json.dumps({"name": "Ada", **body}))
            self._tables.append(json.loads(answer[1])["table"])
        for number, token in enumerate(self._tokens[1:]):
            await self.ask(
                "POST",
                f"/api/tables/{self._tables[1]}/join",
                json.dumps({"name": f"Ben {number}"}),
                token=token,
            )
        async with self._house.socket(self._tables[0], self._tokens[0]) as wire:
            for seat in range(1, 8):
                wire.say({"type": "add_bot", "seat": seat, "level": "sunday-driver"})
            wire.say({"type": "start"})
            while True:
                seen = (await wire.next())["table"]
                asked, hand = seen["asked"], seen["hand"]
                if asked is not None and asked["what"] == "next":
                    return  # a whole hand to go back in
                if asked is not None and hand and hand["legal_moves"]:
                    decision = asked["decision"]
                    move = {"move": hand["legal_moves"][-1], "id": f"p{decision}"}
                    wire.say({"type": "move", "decision": decision, **move})

    async def _guests(self) -> tuple[str, ...]:
        admission = self._house.server.admission
        request = Asked("GET", "/", b"", [("authorization", f"Bearer {self._tokens[0]}")])
        return (await admission.need_guest(request.connection()),)

    async def ask(
        self,
        method: str,
        path: str,
        body: str | bytes = b"",
        headers: list[tuple[str, str]] | None = None,
        token: str | None = None,
    ) -> tuple[int, bytes]:
        """One request."""
        data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
        token = token or self._tokens[0]
        given = [("authorization", f"Bearer {token}"), ("host", HOST), *(headers or [])]
        return await Asked(method, path, data, given).answer(self._house)

    async def any_request(self) -> None:
        """One request, to any operation."""
        rng = self._rng
        operation = rng.choice(self._house.server.operations)
        if operation.method == "DELETE":
            await self._sign_out(operation)
            return
        path = self._path(operation)
        body = self._body(operation)
        some = rng.sample(_HEADERS, rng.randrange(3))
        self._watch.begin(f"{operation.method} {operation.path}", (path, body, some))
        status, _ = await self.ask(operation.method, path, body, some, rng.choice(self._tokens))
        if status == 500:
            self.failed.append(f"{operation.method} {path[:80]}")

    async def _sign_out(self, operation: Operation) -> None:
        """By the device itself, so that its cookie is looked at, too."""
        _, made = await self.ask("POST", "/api/guests/link")
        headers = [("authorization", "Bearer none"), ("host", HOST)]
        claim = Asked("POST", "/api/guests/claim", made, headers)
        _, claimed = await claim.answer(self._house)
        token = json.loads(claimed)["token"]
        _, listed = await self.ask("GET", "/api/guests/devices", token=token)
        (self._device,) = (one["device"] for one in json.loads(listed) if one["is_this"])
        path = self._path(operation)
        some = self._rng.sample(_HEADERS, self._rng.randrange(3))
        self._watch.begin(f"{operation.method} {operation.path}", (path, some))
        status, _ = await self.ask(operation.method, path, b"", some, token)
        if status != 200:  # then it is still there, and there is a limit
            await self.ask("DELETE", f"/api/guests/devices/{self._device}", token=token)

    def _path(self, operation: Operation) -> str:
        rng, path = self._rng, operation.path
        known = {
            "{table}": [*self._tables[:3], "x" * 500],
            "{game}": [*self._games, "x"],
            "{hand}": ["1", "2", "99", "x" * 300],
            "{edition}": ["article", "dujardin-2019", "x"],
            "{device}": [self._device, "x"],
        }
        for name, choices in known.items():
            path = path.replace(name, rng.choice(choices))
        path = path.replace("{", "").replace("}", "")
        queries = ["", "?lang=fr", "?lang=" + "x" * 500, "?page=2", "?" + "a=b&" * 400, "?after=1"]
        return path + rng.choice(queries)

    def _body(self, operation: Operation) -> str:
        rng = self._rng
        if operation.takes is None or rng.random() < 0.05:
            return rng.choice(["", "{}", "[" * 9000, '{"a":' * 3000, " " * 16_000, "9" * 16_000])
        if operation.takes is ScorePad and rng.random() < 0.8:
            return json.dumps(_long_pad(rng), separators=(",", ":"), ensure_ascii=False)
        body = value(rng, _schemas(operation.takes)[operation.takes.__name__])
        if operation.takes is Judge and isinstance(body, dict):
            body |= {"text": _long_position(rng)}
            body = {key: text for key, text in body.items() if key == "text" or rng.random() < 0.2}
        return json.dumps(body)

    async def some_messages(self, count: int) -> None:
        """Messages on one socket, of a member of a table."""
        rng = self._rng
        table = rng.choice(self._tables[:3])
        query = rng.choice(["", "?after=0", "?after=3", "?after=99999"])
        self._watch.begin("socket", query)
        async with self._house.socket(table, self._tokens[0], query) as wire:
            if not wire.accepted:
                return
            for _ in range(count):
                if wire.closed is not None:
                    return
                tag = rng.choice(list(self._messages))
                message: Any = value(rng, self._messages[tag] | {"type": "object"})
                if isinstance(message, dict):
                    message["type"] = tag
                if rng.random() < 0.1:
                    kind: Any = rng.choice(fuzz.KINDS[:7])
                    message = kind(rng, self)
                    tag = "nonsense"
                self._watch.begin(f"message {tag}", message)
                wire.say(message)
                # Refused by name, and in order: what came before has been worked on.
                wire.say({"type": fuzz.MARKED})
                async with asyncio.timeout(_PATIENCE):
                    with contextlib.suppress(AssertionError):  # it was closed
                        while fuzz.MARKED not in str((await wire.next("rejected"))["params"]):
                            pass


class Asked(NamedTuple):
    """A request as ASGI messages: nothing of a client's work is measured."""

    method: str
    path: str
    body: bytes
    headers: list[tuple[str, str]]

    def _scope(self) -> Scope:
        path, _, query = self.path.partition("?")
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), text.encode("latin-1")) for name, text in self.headers],
            "client": ("127.0.0.1", 1000),
            "server": (HOST, 80),
        }

    def connection(self) -> Any:
        """The same, for what only looks at its headers."""
        from starlette.requests import HTTPConnection

        return HTTPConnection(self._scope())

    async def answer(self, app: LocalApp) -> tuple[int, bytes]:
        """Status and body."""
        got: dict[str, Any] = {"status": 0, "body": b""}
        done = asyncio.Event()
        waiting = [{"type": "http.request", "body": self.body, "more_body": False}]

        async def receive() -> Message:
            if waiting:
                return waiting.pop()
            await done.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            got["status"] = message.get("status", got["status"])
            got["body"] += message.get("body", b"")

        async with asyncio.timeout(_PATIENCE):
            # A task of its own, as a web server does it: its steps are what is measured.
            await asyncio.create_task(app.asgi(self._scope(), receive, send))
        return got["status"], got["body"]


class Report(NamedTuple):
    """The findings."""

    inputs: dict[str, int]
    slowest: dict[str, Slowest]
    failed: list[str]


async def _fuzz(inputs: int, seed: int, watch: CpuWatch) -> Report:
    thinkers = ProcessThinkers(1)
    limits: dict[str, Any] = GENEROUS
    async with local_app(thinkers=thinkers, replays=replay_workers(), **limits) as app:
        fuzzer = Fuzzer(app, watch, random.Random(seed))
        await fuzzer.prepare()
        with _no_collection():
            await asyncio.sleep(0)  # collecting took long, and is none of the inputs
            watch.slowest.clear()
            watch.counts.clear()
            while sum(watch.counts.values()) < inputs:
                await fuzzer.any_request()
                if fuzzer._rng.random() < 0.05:
                    await fuzzer.some_messages(20)
        watch.label = "the end"
        slowest = {name: one for name, one in watch.slowest.items() if name in watch.counts}
    return Report(dict(watch.counts), slowest, fuzzer.failed)


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def fuzz_loop(inputs: int, seed: int) -> Report:
    """Send this number of inputs; report what each cost the event loop."""
    with CpuWatch() as watch, asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(asyncio.sleep(0))
        assert "start" in watch.slowest, "this loop is not looked at"
        return runner.run(_fuzz(inputs, seed, watch))


def main() -> int:
    """Fuzz, and print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable()
    report = fuzz_loop(options.inputs, options.seed)
    order = sorted(report.slowest.items(), key=lambda one: -one[1].ms)
    told = {
        "inputs": sum(report.inputs.values()),
        "most_ms": order[0][1].ms,
        "allowed_ms": MOST_MS,
        "by_kind": {name: {"count": report.inputs[name], "most_ms": one.ms} for name, one in order},
        "slowest": [one._asdict() for _, one in order[:3]],
        "failed": report.failed,
    }
    print(json.dumps(told, indent=1, ensure_ascii=False))  # noqa: T201
    return 1 if order[0][1].ms > MOST_MS or report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
