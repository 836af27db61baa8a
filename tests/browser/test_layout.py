"""Everything on one screen: every size, every number of seats; nothing overlaps or is cut off."""

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from .conftest import Visit
from .player import Player
from .rehearsal import SHORT, holds_answer, is_extension, rehearse
from .visitor import ROOT

PICTURES = ROOT / "screenshots"
SIZES = [(360, 640), (390, 844), (768, 1024), (1366, 768), (1920, 1080), (3840, 2160)]
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
() => {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`${root.scrollWidth} px wide`);
  if (root.scrollHeight > root.clientHeight) faults.push(`${root.scrollHeight} px high`);

  // The parts of the table, each by what it is called here
  const PARTS = {
    bar: '.bar', road: '.table > .road', piles: '.table > .piles', own: '.table > .near',
    status: '.table > .status', hand: '.table > .hand', actions: '.table > .actions',
    beside: '.aside.shown',
  };
  const parts = Object.entries(PARTS)
    .map(([name, found]) => [name, document.querySelector(found)])
    .concat([...document.querySelectorAll('.others > *')].map((side, at) => [`other ${at}`, side]))
    .filter(([, part]) => part !== null)
    .map(([name, part]) => [name, part.getBoundingClientRect()]);
  const text = ({ left, top, right, bottom }) =>
    [left, top, right, bottom].map(Math.round).join(' ');
  const overlaps = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
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
  const walker = document.createTreeWalker(document.querySelector('.table'), NodeFilter.SHOW_TEXT);
  const shown = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.textContent.trim() === '' || node.parentElement.closest('svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    shown.push([node.parentElement, range.getBoundingClientRect()]);
  }
  for (const element of document.querySelectorAll('.table .card, .table button, .table input')) {
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
  const boxes = () => [...document.querySelectorAll('.table :not(svg *)')]
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


def faults(page: Page, size: tuple[int, int]) -> list[str]:
    """What does not fit on a screen of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function("([w, h]) => innerWidth === w && innerHeight === h", arg=list(size))
    page.evaluate(RESTED)
    found: list[str] = page.evaluate(MEASURE)
    may_scroll = size == TWICE
    return [fault for fault in found if not (may_scroll and fault.endswith("px high"))]


def look(page: Page, what: str, sizes: list[tuple[int, int]]) -> list[str]:
    """Measure the table at these sizes, and keep pictures."""
    PICTURES.mkdir(exist_ok=True)
    wrong = []
    for size in sizes:
        name = f"{size[0]}x{size[1]}-{what}"
        wrong += [f"{name}: {fault}" for fault in faults(page, size)]
        page.screenshot(path=PICTURES / f"{name}.png")
    return wrong


@pytest.mark.parametrize("seats", TABLES)
def test_the_table_fits_on_every_screen(visit: Visit, seats: str) -> None:
    # French words are the longer ones.
    player = Player(visit(language="fr"))
    player.sit_down(practice=True, seed="layout", **TABLES[seats])
    player.go_along(5)
    player.until(lambda: player.asked == "turn")
    player.page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    wrong = look(player.page, seats, [*SIZES, TWICE])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_moment_fits_on_small_screens(visit: Visit, language: Literal["en", "fr"]) -> None:
    small = [SIZES[0], SIZES[3], TWICE]
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
            player.button(texts["continue"]).wait_for()
            wrong += look(player.page, f"attacked-{language}", small)
        elif at == arrival:
            player.button(texts["extend"]).wait_for()
            wrong += look(player.page, f"arrived-{language}", small)
        player.play(decision.move)
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
        ".actions .icon-btn { block-size: 30px !important; min-height: 0 }": "30.0",
    }.items():
        page.evaluate(SPOIL, spoilt)
        assert any(sign in fault for fault in faults(page, size)), spoilt
