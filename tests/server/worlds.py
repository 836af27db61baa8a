"""Two worlds that differ in two hidden cards only, each played on the real server app.

A world is one match in virtual time: people and spectators on sockets, bots, a stranger who
only knows the link, and the operator who reads the log and the metrics. The first world makes
up its own script; another world follows it, with two cards of one deck exchanged.
"""

import asyncio
import contextlib
import hashlib
import io
import json
import logging
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol, Self
from unittest import mock

import httpx

from millebornes.bots import BOTS, stand_in
from millebornes.fair.protocol import client_commit, deck_order
from millebornes.rules import Edition, Match, View
from millebornes.server.admission import hash_token
from millebornes.server.bot_workers import LocalThinkers, choose
from millebornes.server.logs import Lines
from millebornes.server.server import Server
from tests.virtual_time import run_in_virtual_time

from .entropy import RepeatableEntropy
from .local_app import virtual_app

STEP = 0.25
"""Seconds of virtual time between two looks at the table."""
PROBE = 6
"""Steps between probes: every viewer sends every request, and messages that are refused."""
PEOPLE = ("Ada", "Bea", "Cy", "Dan", "Eve", "Fay", "Gus", "Hal")
WATCHERS = ("Kim", "Lou")
COMES_LATE = 20
"""The step in which a latecomer comes."""
STRANGER = "a stranger"
OPERATOR = "the operator"
_SERVER_SEED = 64
_OF_THE_MACHINE = re.compile(
    r"^millebornes_(database_bytes|writes_waiting|descriptors_free) .*", re.M
)
"""Figures that differ from run to run: when the disk was ready, what else is open."""


def _is_past(text: str) -> bool:
    return text.startswith('{"type":"past"')


class Setup(NamedTuple):
    edition: str
    players: int
    seats: tuple[int, ...]
    """Where people sit, the host first; bots have the other seats."""
    watchers: int = 1
    is_late: bool = False
    """Does the last watcher come only after a while?"""

    @property
    def latecomer(self) -> str | None:
        return WATCHERS[self.watchers - 1] if self.is_late and self.watchers else None

    @property
    def people(self) -> dict[str, int]:
        """Where each of them sits."""
        return dict(zip(PEOPLE, self.seats, strict=False))

    @property
    def on_sockets(self) -> tuple[str, ...]:
        return (*self.people, *WATCHERS[: self.watchers])

    @property
    def viewers(self) -> tuple[str, ...]:
        return (*self.on_sockets, STRANGER, OPERATOR)


def random_setup(edition: Edition, rng: random.Random) -> Setup:
    """Somebody's table: who sits where, how many people there are, who watches."""
    players = rng.choice(edition.player_counts)
    people = rng.randint(1, players)
    # A person with nobody but bots has no one to keep a secret from, unless somebody comes.
    watchers = rng.randint(1 if people == 1 else 0, len(WATCHERS))
    seats = tuple(rng.sample(range(players), people))
    return Setup(edition.id, players, seats, watchers, is_late=rng.random() < 0.5)


class Exchange(NamedTuple):
    """Two places in the deck of one hand, both hidden up to a step."""

    step: int
    hand: int
    first: int
    second: int


class Action(NamedTuple):
    who: str
    does: str
    """`says`, `leaves`, `returns` or `asks`."""
    message: dict[str, Any] | None = None


@dataclass
class World:
    """What happened: for each step, what each viewer got."""

    script: list[list[Action]]
    told: dict[str, list[list[str]]]
    """On the socket; the operator: in the log."""
    came_at: dict[str, list[float]]
    """When each frame came, if time is virtual."""
    asked: dict[str, dict[int, list[str]]]
    """By REST, at the steps where they asked."""
    thoughts: list[str] = field(default_factory=list)
    took: list[int] = field(default_factory=list)
    """How long bots have thought, in milliseconds."""
    states: list[Match | None] = field(default_factory=list)
    """The match after each step, uncut."""
    decks: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The order of the deck of each hand."""
    seeds: list[str] = field(default_factory=list)
    """The server's seed of each hand."""
    private: dict[str, list[str]] = field(default_factory=dict)
    """Tokens and ids that only one viewer may know (nobody, where the key is empty)."""


class _Entropy(RepeatableEntropy):
    """Secrets that are the same in every world; remembers the seeds of its hands."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def hex(self, size: int) -> str:
        text = super().hex(size)
        if size == _SERVER_SEED:
            self._world.seeds.append(text)
        return text


class _Thinkers(LocalThinkers):
    """Bots choose in the first world; in the others they do the same again.

    How long a bot thinks depends on its cards, up to the whole time that it has.
    """

    def __init__(self, world: World, again: list[str] | None, slot: int) -> None:
        super().__init__()
        self._world = world
        self._slot = slot
        self._again = None if again is None else iter(again)

    def slot(self, _level: str | None) -> int:
        return self._slot

    async def think(self, level: str | None, view: View) -> str:
        if self._slot:
            cards = hashlib.sha256(" ".join(view.hand).encode()).digest()
            took = cards[0] * self._slot // 256
            self._world.took.append(took)
            await asyncio.sleep(took / 1000)
        bot = BOTS[level or stand_in()]
        move = choose(bot, view) if self._again is None else next(self._again)
        self._world.thoughts.append(move)
        return move


@contextlib.contextmanager
def _log() -> Iterator[io.StringIO]:
    """Everything the server logs, as the operator would read it; the time left out."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    lines = Lines()
    handler.setFormatter(lines)
    logger = logging.getLogger("millebornes")
    level = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(handler)
    with mock.patch.object(lines, "formatTime", return_value="now"):
        yield stream
    logger.removeHandler(handler)
    logger.setLevel(level)


def play_world(
    setup: Setup, seed: int, steps: int, like: World | None = None, other: Exchange | None = None
) -> World:
    """Play a world; like another one, but for two cards, if asked to."""
    world = new_world(setup, like)
    with injected(world, other) as log:
        run_in_virtual_time(_in_virtual_time(Play(setup, seed, steps, world, like, log)))
    return world


async def _in_virtual_time(play: "Play") -> None:
    async with virtual_app(
        thinkers=play.thinkers,
        entropy=play.entropy,
        messages_per_second=1000,
        requests_per_second=1000,
    ) as app:
        await play.run(app)


def new_world(setup: Setup, like: World | None) -> World:
    return World(
        [] if like is None else like.script,
        {viewer: [] for viewer in setup.viewers},
        {viewer: [] for viewer in setup.viewers},
        {viewer: {} for viewer in setup.viewers},
    )


@contextlib.contextmanager
def injected(world: World, other: Exchange | None) -> Iterator[io.StringIO]:
    """Exchange two cards of a deck; gives the log."""

    def exchanged(ctx: str, server: bytes, brought: Any, size: int) -> tuple[int, ...]:
        order = list(deck_order(ctx, server, brought, size))
        hand = int(ctx.split("|")[2])
        if other is not None and hand == other.hand:
            a, b = other.first, other.second
            order[a], order[b] = order[b], order[a]
        world.decks[hand] = tuple(order)
        return tuple(order)

    with mock.patch("millebornes.table.play.deck_order", exchanged), _log() as log:
        yield log


class Heard(Protocol):
    """A socket: the frames it received, and a way to send."""

    frames: list[str]
    came_at: list[float]
    looked_at: int
    accepted: bool

    async def __aenter__(self) -> Self: ...
    def say(self, message: object) -> None: ...
    async def hang_up(self) -> None: ...


class Doors(Protocol):
    """The ways into a server."""

    @property
    def server(self) -> Server: ...
    async def guest(self) -> tuple[str, httpx.AsyncClient]: ...
    def http(self, **headers: str) -> httpx.AsyncClient: ...
    def socket(self, table: str, token: str, query: str) -> Heard: ...


class Play:
    """A world being played."""

    times: ClassVar[dict[str, int]] = {"window": 1000, "bot_window": 100, "pace": 100}
    slot: ClassVar[int] = 300
    """Longer than pace and window: bots need all their time."""

    def __init__(
        self,
        setup: Setup,
        seed: int,
        steps: int,
        world: World,
        like: World | None,
        log: io.StringIO,
    ) -> None:
        self._setup = setup
        self._rng = random.Random(seed)
        self._steps = steps
        self._world = world
        self._like = like
        self._log = log
        self.thinkers = _Thinkers(world, None if like is None else like.thoughts, self.slot)
        self.entropy = _Entropy(world)
        self._tokens: dict[str, str] = {}
        self._wires: dict[str, Heard | None] = {}
        self._seen: dict[str, dict[str, Any]] = {}
        """The table as each viewer last saw it."""
        self._seqs: dict[str, int] = {}
        self._answered: dict[str, Any] = {}
        self._held: dict[str, list[str]] = {}
        """What each viewer got in this step."""

    async def run(self, app: Doors) -> None:
        await self._sit_down(app)
        for step in range(self._steps):
            if self._like is None:
                self._world.script.append(self._invent(step))
            for action in self._world.script[step]:
                if action.does != "asks":
                    await self._do(app, action)
                elif self._like is None or step == self._steps - 1:
                    # In another world only the last answers are compared.
                    answers = await self._ask(app, action.who)
                    self._world.asked[action.who][step] = answers
            await self._settle()
            self._collect()
            self._world.states.append(self._room(app).table.match)
        for wire in self._wires.values():
            if wire is not None:
                await wire.hang_up()

    async def _settle(self) -> None:
        """Wait until every message has been answered, and bots have moved."""
        await asyncio.sleep(STEP)

    def _room(self, app: Doors) -> Any:
        return app.server.hub.find(self._table)

    async def _sit_down(self, app: Doors) -> None:
        setup = self._setup
        for name in setup.on_sockets:
            self._tokens[name], client = await app.guest()
            if name == setup.latecomer:
                self._wires[name] = None
                continue
            async with client:
                if name == PEOPLE[0]:
                    body = {"edition": setup.edition, "players": setup.players, "name": name}
                    answer = await client.post("/api/tables", json={**body, **self.times})
                    self._table = answer.json()["table"]
                else:
                    seat = setup.people.get(name)
                    body = {"name": name, "seat": seat, "watch": seat is None}
                    answer = await client.post(f"/api/tables/{self._table}/join", json=body)
                assert answer.is_success, answer.text
            await self._do(app, Action(name, "returns"))
            if name == PEOPLE[0] and setup.seats[0] != 0:
                # Away from the first seat, before somebody comes who is to have it.
                await self._do(app, Action(name, "says", {"type": "sit", "seat": setup.seats[0]}))
                await self._settle()
        self._world.private = {name: [token] for name, token in self._tokens.items()}
        guests = [member.guest for member in self._room(app).table.members]
        hashes = [hash_token(token) for token in self._tokens.values()]
        self._world.private[""] = [*guests, *hashes]
        bots: list[dict[str, Any]] = [
            {"type": "add_bot", "seat": seat, "level": "sunday-driver"}
            for seat in sorted(set(range(setup.players)) - set(setup.seats))
        ]
        for message in (*bots, {"type": "start"}):
            await self._do(app, Action(PEOPLE[0], "says", message))

    async def _connect(self, app: Doors, name: str) -> None:
        query = f"?past=1&after={self._seqs[name]}" if name in self._seqs else "?past=1"
        wire = app.socket(self._table, self._tokens[name], query)
        await wire.__aenter__()
        assert wire.accepted
        self._wires[name] = wire

    async def _do(self, app: Doors, action: Action) -> None:
        wire = self._wires.get(action.who)
        if action.does == "says":
            assert wire is not None
            wire.say(action.message)
        elif action.does == "leaves":
            assert wire is not None
            await wire.hang_up()
            self._wires[action.who] = None
            self._hold(action.who, wire)
        elif action.does == "comes":
            async with app.http(Authorization=f"Bearer {self._tokens[action.who]}") as client:
                body = {"name": action.who, "watch": True}
                await client.post(f"/api/tables/{self._table}/join", json=body)
            await self._connect(app, action.who)
        else:
            await self._connect(app, action.who)

    async def _ask(self, app: Doors, who: str) -> list[str]:
        """The answers to every REST request of this viewer."""
        headers = {"Authorization": f"Bearer {self._tokens[who]}"} if who in self._tokens else {}
        paths = [
            f"/api/tables/{self._table}",
            f"/api/tables/{self._table}/record",
            f"/api/tables/{self._table}/hands/1",
            f"/api/tables/{self._table}/edition",
            "/api/games",
            "/api/games/nope",
            "/api/lobby",
        ]
        if who == OPERATOR:
            paths = ["/metrics", "/api/health", "/api/ready"]
        async with app.http(**headers) as client:
            answers = [await client.get(path) for path in paths]
        return [
            f"{answer.url.path} {answer.status_code} {_OF_THE_MACHINE.sub('', answer.text)}"
            for answer in answers
        ]

    def _hold(self, who: str, wire: Heard) -> None:
        """Keep the new frames of a socket."""
        fresh = wire.frames[wire.looked_at :]
        self._world.came_at[who] += [round(time, 9) for time in wire.came_at[wire.looked_at :]]
        wire.looked_at = len(wire.frames)
        # The past comes when it has been read, which may be between any two frames.
        fresh.sort(key=_is_past)
        self._held.setdefault(who, []).extend(fresh)
        for text in fresh:
            message = json.loads(text)
            if message.get("table") is not None:
                self._seen[who] = message["table"]
            if message["type"] == "frame":
                self._seqs[who] = message["seq"]

    def _collect(self) -> None:
        for name, wire in self._wires.items():
            if wire is not None:
                self._hold(name, wire)
        self._held.setdefault(OPERATOR, []).extend(self._log.getvalue().splitlines())
        self._log.seek(0)
        self._log.truncate()
        for viewer in self._setup.viewers:
            self._world.told[viewer].append(self._held.pop(viewer, []))

    # The script

    def _invent(self, step: int) -> list[Action]:
        rng = self._rng
        actions = []
        for name in self._setup.people:
            if self._wires[name] is None:
                actions.append(Action(name, "returns"))
            elif rng.random() < 0.8:
                actions += self._answer(name)
            if rng.random() < 0.05:
                actions.append(Action(name, "says", {"type": "chat", "text": f"at {step}"}))
        for name in self._setup.on_sockets:
            if name == self._setup.latecomer and step < COMES_LATE:
                continue
            if name == self._setup.latecomer and step == COMES_LATE:
                actions.append(Action(name, "comes"))
            elif self._wires[name] is None and name in WATCHERS:
                actions.append(Action(name, "returns"))
            elif rng.random() < 0.02 and not any(action.who == name for action in actions):
                actions.append(Action(name, "leaves"))
            elif rng.random() < 0.05 and self._wires[name] is not None:
                actions.append(Action(name, "says", {"type": "ping"}))
        leaving = {action.who for action in actions if action.does == "leaves"}
        if step % PROBE == PROBE - 1:
            # Send every request, and every message that is refused.
            for name in self._setup.on_sockets:
                if self._wires[name] is not None and name not in leaving:
                    actions += [Action(name, "says", bad) for bad in self._refusals(name, step)]
            actions += [Action(viewer, "asks") for viewer in self._setup.viewers]
        return actions

    def _refusals(self, name: str, step: int) -> list[dict[str, Any]]:
        table = self._seen.get(name)
        decision = table["asked"]["decision"] if table and table["asked"] else 0
        move = {"type": "move", "decision": decision, "id": f"bad{step}", "move": "x99"}
        refused: list[dict[str, Any]] = [
            move,
            {**move, "decision": decision + 7},
            {"type": "start"},
            {"type": "nope"},
        ]
        # Out of turn, or a card that cannot be played now: never a move that would be taken.
        asked = table["asked"] if table and table["hand"] else None
        if table and asked and asked["what"] == "turn" and table["you"] not in asked["seats"]:
            refused += [{**move, "move": "ROLL"}, {**move, "move": "xACE"}]
        return refused

    def _answer(self, name: str) -> list[Action]:
        """The next action of a person: take part in the shuffle, move, continue."""
        table, rng = self._seen.get(name), self._rng
        if table is None or table["phase"] != "playing":
            return []
        actions = []
        fair, asked, hand = table["fair"], table["asked"], table["hand"]
        if fair and (message := self._shuffle(name, fair, table["you"])):
            actions.append(Action(name, "says", message))
        if asked and self._answered.get(name) != asked["decision"]:
            message = None
            if asked["what"] == "next":
                message = {"type": "next", "decision": asked["decision"]}
            elif hand and hand["legal_moves"]:
                moves = hand["legal_moves"]
                # Coups fourrés are often left out: so the safeties stay hidden longer.
                plain = [move for move in moves if not move.endswith("!")] or moves
                plays = [move for move in plain if not move.startswith("x")]
                move = rng.choice(plays or plain) if rng.random() < 0.8 else rng.choice(moves)
                message = {"type": "move", "decision": asked["decision"], "move": move}
                message["id"] = f"m{asked['decision']}"
            if message is not None:
                self._answered[name] = asked["decision"]
                actions.append(Action(name, "says", message))
        return actions

    def _shuffle(self, name: str, fair: dict[str, Any], seat: int) -> dict[str, Any] | None:
        key = (name, fair["hand"], fair["stage"])
        if fair["stage"] == "ready" or self._answered.get(str(key)):
            return None
        self._answered[str(key)] = True
        entropy = hashlib.sha256(f"{name} {fair['ctx']}".encode()).digest()
        self._world.private.setdefault(f"{name} {fair['hand']}", [entropy.hex()])
        if fair["stage"] == "commit":
            commit = client_commit(fair["ctx"], seat, fair["commit"], entropy)
            return {"type": "commit", "hand": fair["hand"], "commit": commit}
        return {"type": "reveal", "hand": fair["hand"], "entropy": entropy.hex()}
