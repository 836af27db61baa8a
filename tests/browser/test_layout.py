"""Everything on one screen: every size, every number of seats; nothing overlaps or is cut off."""

import copy
import json
import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from .conftest import Visit
from .player import Player, said
from .rehearsal import SHORT, holds_answer, is_extension, rehearse
from .visitor import ROOT

PICTURES = ROOT / "screenshots"
SIZES = [(360, 640), (390, 844), (768, 1024), (1366, 768), (1920, 1080), (3840, 2160)]
SMALLEST = (320, 550)
NARROW = [(320, 640), SIZES[0], SIZES[3]]
TWICE = (683, 384)
"""1366×768 at 200 %: it may scroll down, but not sideways."""
TABLES: dict[str, dict[str, Any]] = {
    "2": {"players": 2},
    "3": {"players": 3},
    "4": {"players": 4},
    "6": {"players": 6, "edition": "dujardin-2019"},
    "8": {"players": 8, "edition": "dujardin-2019"},
    "6-alone": {"players": 6, "edition": "dujardin-2019", "teams": False},
    "8-alone": {"players": 8, "edition": "dujardin-2019", "teams": False},
}
"""Six and eight in teams of two, and each for themselves."""

MEASURE = r"""
(where) => {
  const faults = [];
  const within = document.querySelector(where);
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`${root.scrollWidth} px wide`);
  if (root.scrollHeight > root.clientHeight) faults.push(`${root.scrollHeight} px high`);

  // The parts of the table, each by what it is called here
  const PARTS = {
    bar: '.bar', road: '.table > .road', piles: '.table > .piles', own: '.table > .near',
    status: '.table > .status', hand: '.table > .hand', actions: '.table > .actions',
    beside: '.aside.shown',
  };
  const isTable = within.matches('main.table');
  const isExtension = innerWidth < 600 && document.querySelector('.extension') !== null;
  const parts = Object.entries(isTable ? PARTS : {})
    .map(([name, found]) => [name, document.querySelector(found)])
    .concat([...document.querySelectorAll('.others > *')].map((side, at) => [`other ${at}`, side]))
    .filter(([, part]) => part !== null)
    // On a phone, what is at stake in an extension stands in their place.
    .filter(([name]) => !isExtension || (name !== 'road' && name !== 'piles'))
    .map(([name, part]) => [name, part.getBoundingClientRect()]);
  const text = ({ left, top, right, bottom }) =>
    [left, top, right, bottom].map(Math.round).join(' ');
  const overlaps = (a, b, allowed = 1) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > allowed &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > allowed;
  for (const [at, [name, box]] of parts.entries()) {
    if (box.width < 1 || box.height < 1) faults.push(`${name} has no room`);
    for (const [other, its] of parts.slice(at + 1)) {
      if (overlaps(box, its)) faults.push(`${name} (${text(box)}) over ${other} (${text(its)})`);
    }
  }

  const isHidden = (element) => {
    const style = getComputedStyle(element);
    return style.visibility !== 'visible' || style.opacity === '0' || style.display === 'none';
  };
  const named = ({ className, ariaLabel, textContent }) =>
    `${className} “${ariaLabel ?? textContent.trim().slice(0, 30)}”`;
  const EDGE = 1.5;
  const sticksOut = (box, its) =>
    box.left < its.left - EDGE || box.right > its.right + EDGE ||
    box.top < its.top - EDGE || box.bottom > its.bottom + EDGE;
  const clips = (style) => /hidden|clip|auto|scroll/.test(style.overflowX + style.overflowY);
  const scrolls = (style) => /auto|scroll/.test(style.overflowY);

  // Cards, texts and what can be pressed: within the screen and all that might cut them off
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  const shown = [];
  const pieces = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.textContent.trim() === '' || node.parentElement.closest('svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    shown.push([node.parentElement, range.getBoundingClientRect()]);
    const lines = [...range.getClientRects()];
    for (const line of lines) pieces.push([node.parentElement, line]);
    if (lines.length > 1 && node.parentElement.matches('td:not([colspan])')) {
      faults.push(`“${node.textContent}” in a table is broken into lines`);
    }
  }
  for (const element of within.querySelectorAll('.card, button, input')) {
    shown.push([element, element.getBoundingClientRect()]);
  }
  for (const [element, box] of shown) {
    if (element.closest('.visually-hidden, .aside:not(.shown), .veil, .scenery, .air')) continue;
    if (box.width < 1 || box.height < 1) continue;
    let isSeen = true;
    let isFree = false;
    for (let at = element; at && isSeen; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (isHidden(at)) isSeen = false;
      // What scrolls, and what ends in dots, may hold more than it shows.
      if (scrolls(style) || style.textOverflow === 'ellipsis') {
        isFree = true;
        break;
      }
      const its = at.getBoundingClientRect();
      if (clips(style) && sticksOut(box, its)) {
        const cut = `${at.className} (${text(its)})`;
        faults.push(`${named(element)} (${text(box)}) is cut off by ${cut}`);
        break;
      }
    }
    const screen = { left: 0, top: 0, right: innerWidth, bottom: root.scrollHeight };
    if (!isFree && isSeen && sticksOut(box, screen)) {
      faults.push(`${named(element)} (${text(box)}) is off the screen`);
    }
  }

  // What is seen of texts, controls and places for cards: none of them lies over another
  const seen = (element, { left, top, right, bottom }) => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (isHidden(at) || at.matches('.visually-hidden, .aim, .count, .scenery, .air')) return null;
      if (!clips(style)) continue;
      const its = at.getBoundingClientRect();
      [left, top] = [Math.max(left, its.left), Math.max(top, its.top)];
      [right, bottom] = [Math.min(right, its.right), Math.min(bottom, its.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  };
  for (const element of within.querySelectorAll('button, input, select, textarea, a, .slot')) {
    pieces.push([element, element.getBoundingClientRect()]);
  }
  const apart = pieces
    .map(([element, box]) => [element, seen(element, box)])
    .filter(([element, box]) => box !== null && !element.closest('.road, .hand, .aside'));
  // The box of a line of text is a little higher than what is seen of it.
  const LINE = 3;
  // What sticks to the edge lies over what scrolls beneath it.
  const foot = (element) => element.closest('.foot');
  for (const [at, [one, box]] of apart.entries()) {
    for (const [other, its] of apart.slice(at + 1)) {
      if (one.contains(other) || other.contains(one) || foot(one) !== foot(other)) continue;
      if (overlaps(box, its, LINE)) {
        faults.push(`${named(one)} (${text(box)}) lies over ${named(other)} (${text(its)})`);
      }
    }
  }
  for (const element of [within, ...within.querySelectorAll('*')]) {
    if (!/auto|scroll/.test(getComputedStyle(element).overflowX)) continue;
    if (element.scrollWidth > element.clientWidth + 1 && !element.matches('input, textarea')) {
      faults.push(`${named(element)} scrolls sideways`);
    }
  }
  if (!isTable) return faults;

  // What must be read whole: no dots, no scrolling
  for (const element of document.querySelectorAll('.status p, .actions *, .btn, .bar b')) {
    if (isHidden(element)) continue;
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) {
      faults.push(`${named(element)} is too wide`);
    }
    if (element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0) {
      faults.push(`${named(element)} is too high`);
    }
  }

  // Room for a thumb
  for (const element of document.querySelectorAll('.table button, .table input, .table a')) {
    const box = element.getBoundingClientRect();
    if (element.closest('.aside:not(.shown)') || isHidden(element) || box.width === 0) continue;
    if (box.width < 43.9 || box.height < 43.9) {
      const measures = `${box.width.toFixed(1)} × ${box.height.toFixed(1)}`;
      faults.push(`${named(element)} is only ${measures}`);
    }
  }
  for (const element of document.querySelectorAll('.hand .card')) {
    const { width } = element.getBoundingClientRect();
    if (width < 43.9) faults.push(`a card in hand is only ${width.toFixed(1)} wide`);
  }
  return faults;
}
"""


RESTED = """
async () => {
  const boxes = () => [...document.querySelectorAll(':is(main, dialog) :not(svg *)')]
    .map((element) => JSON.stringify(element.getBoundingClientRect())).join();
  let before = '';
  for (let same = 0; same < 3; ) {
    await new Promise(requestAnimationFrame);
    const now = boxes();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}
"""
"""Nothing moves any more after a change of size."""


PATIENT_LOOKS = 20
TABLE, PAGE, DIALOG = "main.table", "main", "dialog[open]"


def faults(page: Page, size: tuple[int, int], where: str = TABLE) -> list[str]:
    """What does not fit on a screen of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function("([w, h]) => innerWidth === w && innerHeight === h", arg=list(size))
    may_scroll = size == TWICE or where != TABLE
    found: list[str] = []
    # A busy browser may rest before it has seen the new size: only what stays is a fault.
    for _ in range(PATIENT_LOOKS):
        page.evaluate(RESTED)
        measured: list[str] = page.evaluate(MEASURE, where)
        found = [fault for fault in measured if not (may_scroll and fault.endswith("px high"))]
        if not found:
            break
    return found


def look(
    page: Page, what: str, sizes: list[tuple[int, int]] = SIZES, where: str = TABLE
) -> list[str]:
    """Measure what is shown at these sizes, and keep pictures."""
    PICTURES.mkdir(exist_ok=True)
    wrong = []
    for size in sizes:
        name = f"{size[0]}x{size[1]}-{what}"
        wrong += [f"{name}: {fault}" for fault in faults(page, size, where)]
        page.screenshot(path=PICTURES / f"{name}.png")
    return wrong


def smallest(seats: str) -> list[tuple[int, int]]:
    """The smallest phone, on which a table of many scrolls beneath its buttons."""
    return [] if seats in ("6-alone", "8", "8-alone") else [SMALLEST]


@pytest.mark.parametrize("seats", TABLES)
def test_the_table_fits_on_every_screen(visit: Visit, seats: str) -> None:
    # French words are the longer ones.
    player = Player(visit(language="fr"))
    player.sit_down(practice=True, seed="layout", **TABLES[seats])
    player.go_along(5)
    player.until(lambda: player.asked == "turn")
    player.page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    wrong = look(player.page, seats, [*smallest(seats), *SIZES, TWICE])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_moment_fits_on_small_screens(visit: Visit, language: Literal["en", "fr"]) -> None:
    small = [SMALLEST, SIZES[0], SIZES[3], TWICE]
    player = Player(visit(language=language))
    rehearsed = rehearse(SHORT, holds_answer, is_extension)
    attack, arrival = rehearsed.until(holds_answer), rehearsed.until(is_extension)
    player.sit_down(**rehearsed.settings)
    texts = player.words["web"]["table"]
    wrong = []
    for at, decision in enumerate(rehearsed.decisions):
        player.until(lambda: player.asked)
        if at == 0:
            player.card(decision.move).click()
            wrong += look(player.page, f"chosen-{language}", small)
            player.page.keyboard.press("Escape")
        elif at == attack:
            player.button(texts["let_it_stand"]).wait_for()
            wrong += look(player.page, f"attacked-{language}", small)
        elif at == arrival:
            player.button(texts["extend"]).wait_for()
            wrong += look(player.page, f"arrived-{language}", small)
        player.play(decision.move)
    assert not wrong, "\n".join(wrong)


LONG = "Maximilienne-Alexandrine"
"""A name of 24 characters."""
BOX = {"players": 8, "edition": "dujardin-2019", "teams": False}


def test_every_page_fits_on_every_screen(visit: Visit) -> None:
    """The first page, a new table, its lobby with eight seats and the choice of a bot there, an
    invitation, and the table of who watches.
    """
    host, guest = Player(visit(language="fr")), Player(visit(language="fr"))
    web = said("fr")["web"]
    page = host.page
    with page.expect_response("**/api/bots"):
        host.visitor.open("/")
    page.locator("summary").click()
    wrong = look(page, "home", NARROW, where=".play")
    host.visitor.open("/new")
    page.get_by_role("radio", name=web["editions"]["dujardin-2019"]).check()
    for summary in page.locator("summary").all():
        summary.click()
    players = page.get_by_role("group", name=web["new"]["players"], exact=True)
    players.get_by_role("radio", name="8").check()
    bots = page.get_by_role("group", name=web["new"]["bots"], exact=True)
    bots.get_by_role("radio", name="3", exact=True).check()
    wrong += look(page, "new", where=PAGE)
    page.get_by_role("checkbox", name=web["bots"]["each"]).check()
    wrong += look(page, "new-each", NARROW, where=PAGE)

    # The host thinks for as long as the others are looked at.
    table = host.visitor.new_table(name=LONG, **BOX)
    guest.visitor.open(f"/t/{table}")
    name = guest.page.get_by_role("textbox", name=web["name"]["label"])
    name.fill(LONG)
    wrong += look(guest.page, "join", where=PAGE)
    host.visitor.open(f"/t/{table}")
    guest.button(web["join"]["watch_only"]).click()
    page.get_by_role("heading", name=web["lobby"]["watching"]).wait_for()
    wrong += look(page, "lobby", where=PAGE)
    page.get_by_role("button", name=web["lobby"]["add_bot_at"].format(number=2)).click()
    wrong += look(page, "bot", NARROW, where=DIALOG)
    page.get_by_role("button", name=web["bots"]["seat_it"]).click()
    page.get_by_role("button", name=web["lobby"]["start_fill"]).click()
    guest.is_shown(web["table"]["watching_only"])
    wrong += look(guest.page, "watching-8-alone", [*SIZES, TWICE])
    assert not wrong, "\n".join(wrong)


class Forger:
    """Stands between a page and its table, and shows it more than a game would come to."""

    def __init__(self, page: Page) -> None:
        self._frames: list[dict[str, Any]] = []
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket("**/socket*", self._between)

    def _between(self, socket: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "frame":
                self._frames.append(message)
            socket.send(text)

        socket.connect_to_server().on_message(pass_on)
        self._sockets.append(socket)

    @property
    def table(self) -> dict[str, Any]:
        """The table as the page sees it."""
        table: dict[str, Any] = self._frames[-1]["table"]
        return table

    def tell(self, *events: dict[str, Any]) -> None:
        """The table as it is, and that this has happened."""
        self.show(lambda _: None, *events)

    def show(
        self,
        change: Callable[[dict[str, Any]], None],
        *events: dict[str, Any],
        sheets: Callable[[int], list[list[dict[str, int]]]] | None = None,
    ) -> None:
        """The table as it is, but for this; after these events, with sheets for its sides."""
        frame = copy.deepcopy(self._frames[-1])
        frame["seq"] += 1
        frame["events"] = events
        change(frame["table"])
        if sheets is not None:
            frame["sheets"] = sheets(len(frame["table"]["hand"]["sides"]))
        self._frames.append(frame)
        self.send(frame)

    def send(self, message: dict[str, Any]) -> None:
        """What the server has not said."""
        self._sockets[-1].send(json.dumps(message))


def make_late(table: dict[str, Any]) -> None:
    """Everyone's name is long and every pile lies there; one side has called every coup fourré."""
    for at, seat in enumerate(table["seats"]):
        seat["name"] = f"{LONG[:-1]}{at}"
    has_autoroute = table["edition"].startswith("dujardin")
    for at, side in enumerate(table["hand"]["sides"]):
        safeties = ["ACE", "TANK", "PROOF", "ROW"] if at == 1 else []
        side |= {
            "battle": ["ROLL", "ROLL" if at % 2 else "STOP"],
            "hazard": None if at % 2 else "STOP",
            "rolling": at % 2 == 1,
            "speed": ["LIM"],
            "limited": True,
            "distance": [*["25"] * 4, "50", "50", "75", "75", "100", "100", "200"],
            "miles": 850,
            "safeties": safeties,
            "crosswise": safeties,
            "points": 9_975,
            "autoroute": {"seat": at, "turns": 3} if has_autoroute else None,
        }


def make_end(table: dict[str, Any]) -> None:
    """Everyone has scored on every line."""
    sides = len(table["hand"]["sides"])
    sheet = {
        "miles": 1000,
        "safeties": 400,
        "all_four": 300,
        "coups_fourres": 1200,
        "trip": 400,
        "delayed_action": 300,
        "safe_trip": 300,
        "shut_out": 500,
        "extension": 200,
        "total": 4600,
    }
    table["asked"] |= {"what": "next", "seats": [0], "deadline": None}
    table["hand"] |= {
        "sheets": [sheet] * sides,
        "completed_by": sides - 1,
        "legal_moves": [],
        "refused": [],
    }


@pytest.mark.parametrize("seats", ["2", "8", "8-alone"])
def test_a_late_hand_and_its_score_fit_on_every_screen(visit: Visit, seats: str) -> None:
    visitor = visit(language="fr")
    page, web = visitor.page, said("fr")["web"]
    forger = Forger(page)
    visitor.open(f"/t/{visitor.new_table(practice=True, seed='layout', **TABLES[seats])}")
    page.get_by_role("button", name=web["lobby"]["start_fill"]).click()
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    forger.show(make_late)
    expect(page.get_by_title(LONG[:-1])).not_to_have_count(0)
    wrong = look(page, f"late-{seats}", [*smallest(seats), *SIZES, TWICE])
    if seats == "8-alone":
        forger.show(make_end)
        page.get_by_role("dialog").wait_for()
        wrong += look(page, f"score-{seats}", where=DIALOG)
    assert not wrong, "\n".join(wrong)


SPOIL = """
(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}
"""


def test_what_does_not_fit_is_noticed(visit: Visit) -> None:
    player = Player(visit())
    page = player.page
    player.sit_down(practice=True, seed="layout")
    player.card("ROLL").or_(page.get_by_role("button", name=re.compile(" — "))).first.wait_for()
    size = SIZES[1]
    assert faults(page, size) == []
    for spoilt, sign in {
        ".hand { transform: translateY(-40px) }": "over hand",
        ".status p { white-space: nowrap; font-size: 40px }": "too wide",
        ".table { min-inline-size: 500px }": "500 px wide",
        ".hand li { inline-size: 40px }": "only 40",
        ".near .face { translate: -60px }": "cut off",
        ".near .safeties { translate: 0 -40px }": "lies over",
        ".actions .icon-btn { block-size: 30px !important; min-height: 0 }": "30.0",
    }.items():
        page.evaluate(SPOIL, spoilt)
        assert any(sign in fault for fault in faults(page, size)), spoilt
