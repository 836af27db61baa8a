"""Hidden cards never reach the page: everything it received and stored is read, word for word."""

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, WebSocket, expect

from millebornes.rules import Card
from tests.client.serving import Server

from .conftest import Visit
from .player import Player
from .visitor import Visitor

SEED = "the-lake-on-a-sunday-morning"
BRIEF = 'parent = "winning-moves"\nname = "Brief"\ntrip = {2 = 200, 3 = 200}\nextension_at = []\n'

CODES = "|".join(card.value for card in Card if card is not Card.UNKNOWN)
CARD = re.compile(rf"x?({CODES})(>\d|!)?")
"""A card, or a move with one."""

OWN = r"(table\.)?hand\.(cards|moves|refused\.move|doubts)"
PUBLIC = r"(table\.)?(hand\.(discard|sides\.\w+)|asked\.hazard)"
TOLD = r"((table\.)?hand\.(refused|stakes)\.params|params)\.\w+|move"
HAPPENED = r"events\.(card|hazard|cleared|hands)"
KNOWN = re.compile(rf"({OWN}|{PUBLIC}|{TOLD}|{HAPPENED})")
"""Where cards may stand in what a page receives."""

STORED = """
async () => {
  const kept = { ...localStorage, ...sessionStorage, cookie: document.cookie };
  for (const { name, version } of await indexedDB.databases()) kept[name] = `database ${version}`;
  for (const name of await caches.keys().catch(() => [])) kept[name] = 'cache';
  return JSON.stringify(kept);
}
"""


@dataclasses.dataclass(frozen=True)
class Found:
    """One thing that came to the page or lay there: a frame, a body, what was stored, the DOM."""

    kind: str
    text: str


class Collector:
    """Notes everything that reaches one page, in order."""

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.page
        self.found: list[Found] = []
        self._unread: list[Request] = []
        self.page.on("websocket", self._listen)
        self.page.on("requestfinished", self._note)

    def _note(self, request: Request) -> None:
        self._unread.append(request)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self.found.append(Found("frame", str(text))))

    def look(self) -> None:
        """Read what the page has stored and shows now, and what came by HTTP."""
        while self._unread:
            response = self._unread.pop(0).response()
            assert response is not None
            kind = "body" if "json" in response.headers.get("content-type", "") else "file"
            self.found.append(Found(kind, response.body().decode(errors="replace")))
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


def own_cards(held: Counter[str], event: dict[str, Any], you: int | None) -> Counter[str]:
    """The viewer's hand after an event."""
    if event["type"] == "dealt":
        return Counter() if you is None else Counter(event["hands"][you])
    if you is None or event.get("seat") != you:
        return held
    if event["type"] == "drawn":
        return held + Counter([event["card"]])
    if event["type"] in ("played", "discarded", "countered"):
        return held - Counter([event["card"]])
    return held


def faces(event: dict[str, Any], you: int | None) -> list[str]:
    """The faces in an event that this viewer may not see."""
    if event["type"] == "dealt":
        return [card for at, hand in enumerate(event["hands"]) if at != you for card in hand]
    if event["type"] == "drawn" and event["seat"] != you:
        return [event["card"]]
    return []


def leaks(found: list[Found], secrets: dict[str, str]) -> list[str]:
    """Whatever the page should not have."""
    told: list[str] = []
    held: Counter[str] = Counter()
    hidden = dict(secrets)
    ends = [one for one in found if one.kind == "frame" and '"fair_revealed"' in one.text]
    for end in ends:
        shuffle = next(
            event for event in json.loads(end.text)["events"] if event["type"] == "fair_revealed"
        )["transcript"]
        hidden["the seed of the server"] = shuffle["server_seed"]
        hidden["the deck"] = json.dumps(shuffle["deck"], separators=(",", ":"))[1:60]
    for one in found:
        if one in ends:
            hidden = dict(secrets)
        told += [f"{name} in a {one.kind}" for name, text in hidden.items() if text in one.text]
        if one.kind not in ("frame", "body", "stored"):
            continue
        value = json.loads(one.text or "{}")
        if one.kind == "stored":
            told += [f"{text} is stored" for path, text in walk(stored(value)) if is_card(text)]
            continue
        told += [
            f"{text} at {path} in a {one.kind}"
            for path, text in walk(value)
            if is_card(text) and not KNOWN.fullmatch(path)
        ]
        if one.kind == "frame" and value["type"] == "frame":
            you = value["table"]["you"]
            for event in value["events"]:
                told += [f"{face} of another" for face in faces(event, you) if face != "?"]
                held = own_cards(held, event, you)
                asked = value["table"]["asked"] or {"what": None}
                if event["type"] == "fair_revealed" and asked["what"] not in ("next", "over"):
                    told.append("the shuffle of a hand that is being played")
        hand = (value.get("table") or value).get("hand") if isinstance(value, dict) else None
        if hand:
            told += [f"{card} is not in this hand" for card in Counter(hand["cards"]) - held]
            moves = [*hand["moves"], *hand["doubts"], *(no["move"] for no in hand["refused"])]
            cards = {match[1] for move in moves if (match := CARD.fullmatch(move))}
            told += [f"{card} is no card to play" for card in cards - {*held}]
    return told


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


def token(context: BrowserContext) -> str:
    """The guest's token: what no script may read."""
    (cookie,) = context.cookies()
    return str(cookie["value"])


def shown_cards(page: Page) -> list[str]:
    """The hand as the DOM has it."""
    cards = page.locator("[data-card]").evaluate_all("(all) => all.map((one) => one.dataset.card)")
    return [str(card) for card in cards]


@pytest.mark.parametrize("is_practice", [True, False])
def test_a_page_among_bots_gets_no_card_of_theirs(visit: Visit, is_practice: bool) -> None:
    visitor = visit()
    player, collector = Player(visitor), Collector(visitor)
    how = {"practice": True, "seed": SEED} if is_practice else {}
    player.sit_down(players=3, house_rules=BRIEF, **how)
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
    assert min(kinds[kind] for kind in ("body", "file", "stored", "page")) >= 3
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

    while (asked := now(people[0])["asked"])["what"] not in ("next", "over"):
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


def test_a_planted_leak_is_found(visit: Visit) -> None:
    visitor = visit()
    player, collector = Player(visitor), Collector(visitor)
    player.sit_down(players=2, house_rules=BRIEF)
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
    plants = {
        "a drawn card": ("frame", '"drawn","seat":1,"card":"?"', '"drawn","seat":1,"card":"ACE"'),
        "a dealt card": ("frame", '["?",', '["ROW",'),
        "a card in a new field": ("frame", '"pile":', '"peek":["TANK"],"pile":'),
        "a card too many": ("frame", '"cards":["', '"cards":["ACE","ACE","'),
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


def test_the_guest_is_known_by_a_cookie_that_no_script_reads(visit: Visit, server: Server) -> None:
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
