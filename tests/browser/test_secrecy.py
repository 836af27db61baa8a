"""Hidden cards never reach the page: everything it received and stored is read, word for word."""

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, WebSocket, expect

from millebornes.records import game
from millebornes.rules import Card
from tests.server_process import ServerProcess

from .conftest import Visit
from .player import Player
from .visitor import Visitor

SEED = "the-lake-on-a-sunday-morning"
BRIEF = 'parent = "winning-moves"\nname = "Brief"\ntrip = {2 = 250, 3 = 250}\nextension_at = []\n'
"""A short hand, but nobody can arrive in their first turn."""

CODES = "|".join(card.value for card in Card if card is not Card.UNKNOWN)
CARD = re.compile(rf"x?({CODES})(>\d|!)?")
"""A card, or a move with one."""

RECAP = r"recap\.params\.(card|hazard|remedy)"
OWN = rf"(table\.)?hand\.(cards|legal_moves|refused\.move|doubts|{RECAP})"
PUBLIC = r"(table\.)?(hand\.(discard|sides\.\w+)|asked\.hazard)"
TOLD = r"((table\.)?hand\.(refused|stakes)\.params|params)\.\w+|move"
HAPPENED = r"events\.(card|hazard|cleared|hands)|hands"
KNOWN = re.compile(rf"({OWN}|{PUBLIC}|{TOLD}|{HAPPENED})")
"""Where cards may occur in what a page receives."""

STORED = """
async () => {
  const kept = { ...localStorage, ...sessionStorage, cookie: document.cookie };
  for (const { name, version } of await indexedDB.databases()) kept[name] = `database ${version}`;
  for (const name of await caches.keys().catch(() => [])) kept[name] = 'cache';
  return JSON.stringify(kept);
}
"""


KEEP_LINE = """
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      window.line = this;
    }
  };
"""
"""Gives tests the WebSocket of the page: to send what no button sends, and to cut it."""


@dataclasses.dataclass(frozen=True)
class Found:
    """One thing that the page received, stored or shows.

    A `frame`, an `answer` to this page alone (a hint, a refusal), a `body` of JSON, a `record`,
    any other `file`, what was `stored`, the `page`; between them what it has `sent`.
    """

    kind: str
    text: str


class Collector:
    """Notes everything that reaches one page, in order."""

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.page
        self.found: list[Found] = []
        self._unread: list[tuple[int, Request]] = []
        """Where it stands among what was found, for its order matters."""
        self._read: set[str] = set()
        self.page.add_init_script(KEEP_LINE)
        self.page.on("websocket", self._listen)
        self.page.on("requestfinished", self._note)

    def _note(self, request: Request) -> None:
        self._unread.append((len(self.found), request))
        self.found.append(Found("unread", ""))

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.found.append(Found("sent", str(text))))
        socket.on("framereceived", lambda text: self._hear(str(text)))

    def _hear(self, text: str) -> None:
        self.found.append(Found("frame" if json.loads(text)["type"] == "frame" else "answer", text))

    def look(self) -> None:
        """Read what the page has stored and shows now, and what came by HTTP."""
        while self._unread:
            at, request = self._unread.pop(0)
            # A page that is loaded again takes these from memory: their names are digests.
            if "/assets/" in request.url and request.url in self._read:
                continue
            self._read.add(request.url)
            response = request.response()
            assert response is not None
            kind = "body" if "json" in response.headers.get("content-type", "") else "file"
            if response.url.endswith("/record"):
                kind = "record"
            self.found[at] = Found(kind, response.body().decode(errors="replace"))
        self.found.append(Found("stored", self.page.evaluate(STORED)))
        self.found.append(Found("page", self.page.content()))


def walk(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a JSON value and where it stands; the keys of tables count as texts."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "transcript":
                yield path, key
                yield from walk(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner, path)
    elif isinstance(value, str):
        yield path, value


def faces(event: dict[str, Any], you: int | None) -> list[str]:
    """The faces in an event that this viewer may not see."""
    if event["type"] == "dealt":
        return [card for at, hand in enumerate(event["hands"]) if at != you for card in hand]
    if event["type"] == "drawn" and event["seat"] != you:
        return [event["card"]]
    return []


class Viewer:
    """What one viewer may know, from the events that they were shown."""

    def __init__(self) -> None:
        self.you: int | None = None
        self.held: Counter[str] = Counter()
        """In hand."""
        self.had: Counter[str] = Counter()
        """Dealt to this seat or drawn by it, in this hand."""
        self.is_playing = False
        self._laid: set[str] = set()
        """Played on the table, in this hand."""
        self._table: dict[str, Any] = {}
        self._sent: dict[str, Any] = {}
        self._went_back_to = -1
        self._at: dict[int, tuple[Counter[str], Counter[str]]] = {}
        """The two of above at each decision: a practice table may go back to it."""

    def say(self, sent: dict[str, Any]) -> None:
        """The viewer has sent something: the next answer may repeat it."""
        self._sent = sent
        if sent["type"] == "back":
            self._went_back_to = int(sent["decision"])

    def see(self, frame: dict[str, Any]) -> list[str]:
        """Take a frame in; what it should not have revealed."""
        self._table = frame["table"]
        self.you = self._table["you"]
        asked = self._table["asked"] or {"what": None, "decision": -1}
        self.is_playing = asked["what"] not in (None, "deal", "next", "over")
        told: list[str] = []
        for event in frame["events"]:
            told += [f"{face} of another" for face in faces(event, self.you) if face != "?"]
            self._follow(event)
            if event["type"] == "fair_revealed" and self.is_playing:
                told.append("the shuffle of a hand that is being played")
        self._at[asked["decision"]] = self.held, self.had
        return told

    def _follow(self, event: dict[str, Any]) -> None:
        if event["type"] == "played":
            self._laid.add(event["card"])
        if event["type"] == "dealt":
            self._laid = set()
            self.held = Counter() if self.you is None else Counter(event["hands"][self.you])
            self.had = self.held
        elif event["type"] == "told" and event["code"] == "went_back":
            self.held, self.had = self._at[self._went_back_to]
        elif self.you is None or event.get("seat") != self.you:
            return
        elif event["type"] == "drawn":
            card = Counter([event["card"]])
            self.held, self.had = self.held + card, self.had + card
        elif event["type"] in ("played", "discarded", "countered"):
            self.held = self.held - Counter([event["card"]])

    def strange_hand(self, hand: dict[str, Any]) -> list[str]:
        """Cards in a picture that the viewer does not hold."""
        moves = [*hand["legal_moves"], *hand["doubts"], *(no["move"] for no in hand["refused"])]
        recap = [fact["params"] for fact in hand.get("recap", [])]
        told = {
            "card": {*self.had},
            "hazard": self._laid,
            # Which remedy ends a hazard is no secret.
            "remedy": {card.value for card in Card},
        }
        return [
            *(
                f"{params[what]} in a recap"
                for params in recap
                for what, known in told.items()
                if params.get(what) not in (None, *known)
            ),
            *(f"{card} is not in this hand" for card in Counter(hand["cards"]) - self.held),
            *(f"{card} is no card to play" for card in cards_in(moves) - {*self.held}),
        ]

    def strange_answer(self, answer: dict[str, Any]) -> list[str]:
        """Cards in a hint or a refusal that neither lie in sight nor were named by the viewer."""
        lie = (text for path, text in walk(self._table) if re.fullmatch(PUBLIC, path))
        known = {*self.held} | cards_in([*lie, self._sent.get("move", "")])
        texts = [text for path, text in walk(answer) if not path.startswith("table")]
        return [f"{card} in {answer['type']}" for card in cards_in(texts) - known]

    def strange_record(self, text: str) -> list[str]:
        """Cards in the deck of a hand being played that never were in the viewer's hand."""
        if not self.is_playing:
            return []
        deck = Counter(card.value for card in game.from_text(text).deals[-1].deck)
        del deck["?"]
        return [f"{card} in a record" for card in deck - self.had]

    def strange_step(self, step: dict[str, Any]) -> list[str]:
        """Cards in a step of a replay that the viewer may not know."""
        told = [face for event in step["events"] for face in faces(event, self.you)]
        dealt = [event["hands"] for event in step["events"] if event["type"] == "dealt"]
        for hands in (step["hands"], *dealt):
            for seat, hand in enumerate(hands):
                told += Counter(hand) - self.had if seat == self.you else hand
        return [f"{face} in a replay" for face in told if face != "?"]


def leaks(found: list[Found], secrets: dict[str, str]) -> list[str]:
    """Everything that the page should not have."""
    told: list[str] = []
    viewer = Viewer()
    hidden = dict(secrets)
    ends = [one for one in found if one.kind == "frame" and '"fair_revealed"' in one.text]
    for end in ends:
        shuffle = next(
            event for event in json.loads(end.text)["events"] if event["type"] == "fair_revealed"
        )["transcript"]
        hidden["the seed of the server"] = shuffle["server_seed"]
        hidden["the deck"] = json.dumps(shuffle["deck"], separators=(",", ":"))[1:60]
    for one in found:
        if one.kind == "sent":
            viewer.say(json.loads(one.text))
            continue
        if one in ends:
            hidden = dict(secrets)
        told += [f"{name} in a {one.kind}" for name, text in hidden.items() if text in one.text]
        if one.kind == "record":
            told += viewer.strange_record(one.text)
        elif one.kind == "stored":
            kept = stored(json.loads(one.text or "{}"))
            told += [f"{text} is stored" for path, text in walk(kept) if is_card(text)]
        elif one.kind in ("frame", "answer", "body"):
            told += strange(one, viewer)
    return told


def strange(one: Found, viewer: Viewer) -> list[str]:
    """What a message or a JSON body reveals that this viewer may not know."""
    value = json.loads(one.text or "{}")
    told = [
        f"{text} at {path} in a {one.kind}"
        for path, text in walk(value)
        if is_card(text) and not KNOWN.fullmatch(path)
    ]
    if isinstance(value, list):
        steps = [step for step in value if "hands" in step]
        return told + [card for step in steps for card in viewer.strange_step(step)]
    if one.kind == "frame":
        told += viewer.see(value)
    elif one.kind == "answer":
        told += viewer.strange_answer(value)
    hand = (value.get("table") or value).get("hand")
    return told + (viewer.strange_hand(hand) if hand else [])


def stored(value: dict[str, str]) -> list[Any]:
    """What lies in a store, unpacked where it is JSON itself."""
    unpacked: list[Any] = []
    for text in value.values():
        try:
            unpacked.append(json.loads(text))
        except ValueError:
            unpacked.append(text)
    return unpacked


def is_card(text: str) -> bool:
    return CARD.fullmatch(text) is not None


def cards_in(texts: Iterable[str]) -> set[str]:
    """The cards that these moves, or whatever they are, name."""
    return {match[1] for text in texts if (match := CARD.fullmatch(text))}


def token(context: BrowserContext) -> str:
    """The guest's token: what no script may read."""
    (cookie,) = context.cookies()
    return str(cookie["value"])


def shown_cards(page: Page) -> list[str]:
    """The hand as the DOM has it."""
    cards = page.locator("[data-card]").evaluate_all("(all) => all.map((one) => one.dataset.card)")
    return [str(card) for card in cards]


# Requests beyond playing


def say(player: Player, **message: Any) -> dict[str, Any]:
    """Send a message over the page's WebSocket; the answer."""
    before = len(player.messages)
    player.page.evaluate("(message) => window.line.send(JSON.stringify(message))", message)
    player.until(lambda: any(map(is_answer, player.messages[before:])))
    return next(filter(is_answer, player.messages[before:]))


def is_answer(message: dict[str, Any]) -> bool:
    """Frames also come by themselves, for the shuffle."""
    events = message.get("events", ())
    return message["type"] != "frame" or "went_back" in [event.get("code") for event in events]


def be_refused(player: Player) -> None:
    """Send illegal moves: every card that is not held, and an old decision."""
    held, decision = now(player)["hand"]["cards"], player.decision
    tries = [(decision, f"x{code}") for code in CODES.split("|") if code not in held]
    for about, move in [*tries, (decision - 1, "x25")]:
        answer = say(player, type="move", decision=about, id=f"{move}-{about}", move=move)
        assert answer["type"] == "rejected"


def fetch(player: Player, address: str) -> None:
    """Let the page read something of the server."""
    with player.page.expect_request_finished(lambda request: request.url.endswith(address)):
        player.page.evaluate("(path) => fetch(path).then((answer) => answer.text())", address)


def ask_record(player: Player, table: str) -> None:
    """Read the record of the match so far, and its first hand step by step."""
    fetch(player, f"/api/tables/{table}/record")
    fetch(player, f"/api/tables/{table}/hands/1")


def come_again(player: Player, collector: Collector, how: Callable[[], object]) -> None:
    """The page loses its connection, and receives what it has missed over another one."""
    collector.look()  # what a page has loaded goes with it
    with player.page.expect_event("websocket", lambda socket: "after=" in socket.url):
        how()


def since_dealt(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages after the deal came for the second time."""
    kinds = [[event["type"] for event in message.get("events", ())] for message in messages]
    dealt = [at for at, kind in enumerate(kinds) if "dealt" in kind]
    return messages[dealt[1] :] if len(dealt) > 1 else []


def latest(messages: list[dict[str, Any]]) -> int:
    """The number of the last frame."""
    return max((message["seq"] for message in messages if "seq" in message), default=0)


@pytest.mark.parametrize("is_practice", [True, False])
def test_a_page_among_bots_gets_no_card_of_theirs(visit: Visit, is_practice: bool) -> None:
    visitor = visit()
    player, collector = Player(visitor), Collector(visitor)
    how = {"practice": True, "seed": SEED} if is_practice else {}
    table = player.sit_down(players=3, house_rules=BRIEF, **how)
    player.go_along(1)
    player.until(lambda: player.asked)
    be_refused(player)
    assert say(player, type="hint", decision=player.decision)["type"] == (
        "hinted" if is_practice else "rejected"
    )
    ask_record(player, table)
    collector.look()
    earlier = now(player)["back"][0] if is_practice else 0
    assert say(player, type="back", decision=earlier)["type"] == (
        "frame" if is_practice else "rejected"
    )
    be_refused(player)
    come_again(player, collector, lambda: player.page.evaluate("window.line.close()"))
    last = latest(player.messages)
    come_again(player, collector, player.page.reload)
    player.until(lambda: latest(since_dealt(player.messages)) >= last)
    ask_record(player, table)
    while player.asked not in ("next", "over"):
        player.go_along(1)
        collector.look()
        player.until(lambda: player.asked)
    expect(player.page.get_by_role("dialog")).to_be_visible()
    collector.look()

    secrets = {"the token": token(visitor.context), "the seed": SEED}
    assert leaks(collector.found, secrets) == []
    kinds = Counter(one.kind for one in collector.found)
    assert kinds["frame"] > 10
    assert min(kinds[kind] for kind in ("answer", "body", "file", "stored", "page")) >= 3
    assert kinds["record"] == 2
    is_open = any("fair_revealed" in one.text for one in collector.found if one.kind == "frame")
    assert is_open != is_practice


def test_people_and_spectators_get_no_card_of_others(visit: Visit) -> None:
    visitors = [visit(), visit(device="phone"), visit()]
    people = [Player(visitor) for visitor in visitors]
    collectors = [Collector(visitor) for visitor in visitors]
    table = visitors[0].new_table(house_rules=BRIEF, window=60_000)
    visitors[0].open(f"/t/{table}")
    for player, name, button in zip(people[1:], ("Léa", "Max"), ("Join", "Watch"), strict=True):
        player.visitor.open(f"/t/{table}")
        player.page.get_by_role("textbox", name="Your name").fill(name)
        player.button(button).click()
        player.page.get_by_role("heading", name="Before the start").wait_for()
    people[0].button("Start").click()
    people[0].until(lambda: people[0].table and people[0].table["hand"])

    moves = count()
    while (asked := now(people[0])["asked"])["what"] not in ("next", "over"):
        if next(moves) == 2:
            for player in people:
                be_refused(player)
                ask_record(player, table)
        player = people[asked["seats"][0]]
        player.catch_up(asked["decision"])
        player.step()
        for other in people:
            other.catch_up(player.decision)
        assert shown_cards(people[2].page) == []
    for collector in collectors:
        expect(collector.page.get_by_role("dialog")).to_be_visible()
        collector.look()

    for visitor, collector in zip(visitors, collectors, strict=True):
        assert leaks(collector.found, {"a token": token(visitor.context)}) == []
        others = [token(other.context) for other in visitors if other is not visitor]
        assert leaks(collector.found, {f"token {at}": text for at, text in enumerate(others)}) == []
    # Both saw the same hand, and neither the other's.
    dealt = [first(collector.found, "dealt") for collector in collectors]
    assert [[set(hand) == {"?"} for hand in event["hands"]] for event in dealt] == [
        [False, True],
        [True, False],
        [True, True],
    ]


def now(player: Player) -> dict[str, Any]:
    assert player.table is not None
    return player.table


def first(found: list[Found], kind: str) -> dict[str, Any]:
    """The first event of a kind that came."""
    frames = (json.loads(one.text) for one in found if one.kind == "frame")
    events = (event for frame in frames for event in frame.get("events", ()))
    event: dict[str, Any] = next(event for event in events if event["type"] == kind)
    return event


def has_drawn(player: Player, seat: int) -> bool:
    """Has this seat drawn a card yet?"""
    events = (event for message in player.messages for event in message.get("events", ()))
    return any(event["type"] == "drawn" and event["seat"] == seat for event in events)


def test_a_planted_leak_is_found(visit: Visit) -> None:
    visitor = visit()
    player, collector = Player(visitor), Collector(visitor)
    table = player.sit_down(players=2, house_rules=BRIEF)
    # A safety gives its player another turn: the bot draws its first card after one, or later.
    while not has_drawn(player, 1):
        player.go_along(1)
        player.until(lambda: player.asked)
    be_refused(player)
    ask_record(player, table)
    collector.look()
    while player.asked not in ("next", "over"):
        player.go_along(1)
        player.until(lambda: player.asked)
    collector.look()
    secrets = {"the token": token(visitor.context)}
    assert leaks(collector.found, secrets) == []

    frames = [one.text for one in collector.found if one.kind == "frame"]
    end = next(text for text in frames if "fair_revealed" in text)
    (shuffle,) = (e for e in json.loads(end)["events"] if e["type"] == "fair_revealed")
    deck = json.dumps(shuffle["transcript"]["deck"], separators=(",", ":"))
    seed = shuffle["transcript"]["server_seed"]
    codes = json.dumps(CODES.split("|"))
    plants = {
        "a drawn card": ("frame", '"drawn","seat":1,"card":"?"', '"drawn","seat":1,"card":"ACE"'),
        "a dealt card": ("frame", '["?",', '["ROW",'),
        "a card in a new field": ("frame", '"pile":', '"peek":["TANK"],"pile":'),
        "a card too many": ("frame", '"cards":["', '"cards":["ACE","ACE","'),
        "a card in a refusal": ("answer", '"params":', f'"move":{codes},"params":'),
        "a hand in a refusal": ("answer", '"cards":["', '"cards":["ACE","ACE","'),
        "a card in a record": ("record", " ? ", " ACE ACE "),
        "a seat in a replay": ("body", '"hands":[["', '"hands":[["ACE","ACE","'),
        "a hand in a replay": ("body", '["?","?"', '["ACE","?"'),
        "a draw in a replay": (
            "body",
            '"drawn","seat":1,"card":"?"',
            '"drawn","seat":1,"card":"25"',
        ),
        "the deck": ("frame", '"pile":', f'"order":{deck},"pile":'),
        "the seed of the server": ("frame", '"pile":', f'"commit":"{seed}","pile":'),
        "a stored card": ("stored", "}", ',"note":"[\\"ACE\\"]"}'),
        "the token, stored": ("stored", "}", f',"note":"{secrets["the token"]}"}}'),
        "the token on the page": ("page", "<body", f'<body data-guest="{secrets["the token"]}"'),
    }
    for plant, (kind, where, what) in plants.items():
        at = next(
            at for at, one in enumerate(collector.found) if one.kind == kind and where in one.text
        )
        text = collector.found[at].text
        head, _, tail = text.rpartition(where) if kind == "stored" else text.partition(where)
        spoilt = [*collector.found]
        spoilt[at] = Found(kind, head + what + tail)
        assert leaks(spoilt, secrets) != [], plant


def test_the_guest_is_known_by_a_cookie_that_no_script_reads(
    visit: Visit, server: ServerProcess
) -> None:
    visitor = visit()
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    page = visitor.open("/")
    page.get_by_role("button", name="Play now").click()
    page.get_by_role("button", name="Play", exact=True).wait_for()

    (cookie,) = visitor.context.cookies()
    assert cookie["httpOnly"]
    assert cookie["sameSite"] in ("Lax", "Strict")
    assert page.evaluate("document.cookie") == ""
    # Nothing works behind the page's back, and nothing comes from elsewhere.
    assert (
        page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    )
    assert visitor.context.service_workers == []
    assert len(asked) > 5
    assert [url for url in asked if not url.startswith(server.url + "/")] == []
    linked = page.evaluate(
        "[...document.querySelectorAll('[src], [href]')].map((one) => one.src ?? one.href)"
    )
    assert [url for url in linked if isinstance(url, str) and not url.startswith(server.url)] == []
