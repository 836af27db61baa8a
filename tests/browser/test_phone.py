"""A table on a phone: the hand first, parts that explain themselves, and two lines of status."""

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Visit
from .player import Player, said
from .test_layout import RESTED, Forger

Language = Literal["en", "fr"]
SIZES = [(320, 550), (360, 640), (390, 844)]
ALONE: dict[str, Any] = {"players": 4, "edition": "dujardin-2019", "teams": False}
TABLES: dict[str, dict[str, Any]] = {
    "2": {"players": 2},
    "3": {"players": 3},
    "4": {"players": 4},
    "4-alone": ALONE,
}
"""Four in teams of two, and each for themselves."""

WIDTHS: dict[str, dict[tuple[int, int], float]] = {
    "2": {(320, 550): 53, (360, 640): 70, (390, 844): 85},
    "3": {(320, 550): 43.9, (360, 640): 59, (390, 844): 85},
    "4": {(320, 550): 43.9, (360, 640): 70, (390, 844): 85},
    "4-alone": {(320, 550): 43.9, (360, 640): 55, (390, 844): 85},
}
"""How wide a card in hand is at least. In one row of seven it was 41, 46.9 and 51."""

BOXES = """
(found) => [...document.querySelectorAll(found)].map((element) => {
  const { left, top, right, bottom, width } = element.getBoundingClientRect();
  return { left, top, right, bottom, width };
})
"""


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function("([w, h]) => innerWidth === w && innerHeight === h", arg=list(size))


def inside(box: dict[str, float], size: tuple[int, int]) -> bool:
    return (
        box["left"] >= -0.5
        and box["top"] >= -0.5
        and box["right"] <= size[0] + 0.5
        and box["bottom"] <= size[1] + 0.5
    )


@pytest.mark.parametrize("seats", TABLES)
def test_the_hand_and_its_buttons_are_on_screen_and_the_cards_are_large(
    visit: Visit, seats: str
) -> None:
    player = Player(visit(device="small"))
    page = player.page
    player.sit_down(practice=True, seed="layout", **TABLES[seats])
    player.until(lambda: player.asked == "turn")
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    for size in SIZES:
        resize(page, size)
        page.evaluate(RESTED)
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1], size
        buttons = page.evaluate(BOXES, ".actions .discard, .actions .play")
        assert len(buttons) == 2
        assert all(inside(box, size) for box in buttons), (size, buttons)
        cards = page.evaluate(BOXES, ".hand .card")
        assert len(cards) == 7
        assert all(inside(box, size) for box in cards), (size, cards)
        assert min(box["width"] for box in cards) >= WIDTHS[seats][size], (size, cards[0]["width"])
        # Rows of a hand do not lie over each other.
        rows = sorted(cards, key=lambda box: (box["top"], box["left"]))
        for at, box in enumerate(rows):
            for other in rows[at + 1 :]:
                across = min(box["right"], other["right"]) - max(box["left"], other["left"])
                down = min(box["bottom"], other["bottom"]) - max(box["top"], other["top"])
                assert across < 1 or down < 1, (size, box, other)


def asked_line(page: Page) -> Locator:
    return page.locator("#asked")


def plain(text: str) -> re.Pattern[str]:
    """The text, with spaces of any kind."""
    return re.compile(r"\s+".join(map(re.escape, text.split())))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_everything_on_the_table_explains_itself_on_tap(visit: Visit, language: Language) -> None:
    player = Player(visit(device="phone", language=language))
    page, words = player.page, said(language)
    texts, cards = words["web"]["table"], words["cards"]
    player.sit_down(practice=True, seed="layout")
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    rival = page.locator(".others .side")
    name = rival.locator(".name").inner_text()
    page.locator("[data-place=battle-1]").tap()
    expect(asked_line(page)).to_contain_text(
        plain(texts["about_waiting"].format(card=cards["ROLL"]))
    )
    page.locator("[data-place=speed-0]").tap()
    expect(asked_line(page)).to_contain_text(plain(texts["about_free"]))
    page.locator("[data-place=distance-0-75]").tap()
    told = texts["about_distance"].format(card=cards["75"], count=0, miles=0)
    expect(asked_line(page)).to_contain_text(plain(told))
    page.locator("[data-place=safety-0-ACE]").tap()
    expect(asked_line(page)).to_contain_text(plain(texts["safety_none"].format(card=cards["ACE"])))
    expect(asked_line(page)).to_contain_text(cards["ACC"])
    rival.locator(".cards").tap()
    told = texts["cards_of"].format(name=name, count=6)
    expect(asked_line(page)).to_have_text(plain(told))
    # The bot's name opens what is known of bots; its cards do not.
    expect(page.get_by_role("dialog")).to_have_count(0)
    rival.locator(".points").tap()
    expect(asked_line(page)).to_have_text(plain(texts["about_points"].format(side=name, points=0)))
    rival.locator(".miles-total").tap()
    told = texts["about_miles"].format(side=name, miles=0, trip=700)
    expect(asked_line(page)).to_have_text(plain(told))
    page.locator("[data-place=pile]").tap()
    expect(asked_line(page)).to_contain_text(plain(texts["about_pile"]))
    page.locator("[data-place=discard]").tap()
    expect(asked_line(page)).to_contain_text(plain(texts["about_discard"]))
    # A card of the hand takes its place again.
    page.get_by_role("button", name=re.compile(" — ")).first.tap()
    expect(asked_line(page)).not_to_contain_text(plain(texts["about_discard"]))


def test_keys_lead_through_the_same_explanations_and_screen_readers_hear_them(visit: Visit) -> None:
    player = Player(visit())
    page = player.page
    player.sit_down(practice=True, seed="layout")
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    player.button("Help (?)").focus()
    page.keyboard.press("Tab")
    car = page.get_by_role("region", name="Your car")
    expect(car).to_be_focused()
    expect(asked_line(page)).to_have_text("You: 0 of 700, not rolling, 0 points.")
    told = []
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        told.append(asked_line(page).inner_text())
    expect(page.locator(".status [role=status]").last).to_have_text(told[-1])
    for sign in ["Battle pile", "Speed pile", "200 miles", "Right of Way", "points", "in hand"]:
        assert any(sign in sentence for sentence in told), (sign, told)
    page.keyboard.press("Tab")
    expect(car).not_to_be_focused()
    expect(asked_line(page)).not_to_have_text(told[-1])


TWELVE = "Maximilienne"

LETTERS = """
(name) => {
  const text = name.firstChild;
  const edge = name.getBoundingClientRect().right;
  const range = document.createRange();
  const dots = name.scrollWidth > name.clientWidth ? 12 : 0;
  let seen = 0;
  for (; seen < text.length; seen += 1) {
    range.setStart(text, seen);
    range.setEnd(text, seen + 1);
    if (range.getBoundingClientRect().right > edge - dots + 0.5) break;
  }
  return seen;
}
"""
"""How many letters of a name are seen before the dots."""


@pytest.mark.parametrize("seats", ["3", "4", "4-alone"])
def test_a_name_keeps_six_letters_on_a_small_phone(visit: Visit, seats: str) -> None:
    visitor = visit(device="small")
    page = visitor.page
    forger = Forger(page)
    visitor.open(f"/t/{visitor.new_table(practice=True, seed='layout', **TABLES[seats])}")
    page.get_by_role("button", name=said("en")["web"]["lobby"]["start_fill"]).click()
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()

    def crowd(table: dict[str, Any]) -> None:
        for at, seat in enumerate(table["seats"]):
            seat["name"] = f"{TWELVE[:-1]}{at}"
        safeties = ["ACE", "TANK", "PROOF", "ROW"]
        for side in table["hand"]["sides"]:
            side |= {"safeties": safeties, "crosswise": safeties, "miles": 650, "points": 4_250}

    forger.show(crowd)
    names = page.locator(".others .name")
    expect(names.first).to_contain_text(TWELVE[:-1])
    for name in names.all():
        assert name.evaluate(LETTERS) >= 6, name.inner_text()
    names.first.tap()
    expect(asked_line(page)).to_contain_text(names.first.inner_text())


def played(seat: int, card: str, side: int) -> dict[str, Any]:
    return {"type": "played", "seat": seat, "card": card, "side": side, "cleared": []}


def discarded(seat: int, card: str) -> dict[str, Any]:
    return {"type": "discarded", "seat": seat, "card": card}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_was_done_to_me_while_stopped_is_in_the_fixed_line(
    visit: Visit, language: Language
) -> None:
    visitor = visit(device="small", language=language)
    page, words = visitor.page, said(language)
    texts, cards = words["web"]["table"], words["cards"]
    forger = Forger(page)
    table = visitor.new_table(practice=True, seed="layout", players=3)
    visitor.open(f"/t/{table}")
    page.get_by_role("button", name=words["web"]["lobby"]["start_fill"]).click()
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    names = [seat["name"] for seat in forger.table["seats"]]

    forger.tell(discarded(0, "25"))
    forger.tell(played(1, "LIM", 0))
    forger.tell(played(2, "100", 2))
    forger.tell(discarded(1, "200"))
    fixed = page.locator(".status .fixed")
    item = texts["card_from"].format(card=cards["LIM"], name=names[1])
    expect(fixed).to_contain_text(plain(texts["on_your_car"].format(cards=item)))
    expect(fixed).to_contain_text(texts["your_turn"])
    assert fixed.evaluate("line => line.scrollHeight <= line.clientHeight + 1")

    # The rest of the round is one tap away; what was done to me comes first.
    page.get_by_role("button", name=texts["since_turn"]).tap()
    lines = page.locator(".recap li")
    expect(lines).to_have_count(3)
    expect(lines.first).to_contain_text(plain(cards["LIM"]))
    expect(lines.nth(1)).to_contain_text(plain(cards["100"]))
    expect(lines.nth(2)).to_contain_text(plain(cards["200"]))
    for box in page.evaluate(BOXES, ".recap"):
        assert inside(box, (360, 640))
    visitor.check_access()
    page.locator(".bar .trip").tap()
    expect(lines).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_long_hint_is_read_whole(visit: Visit, language: Language) -> None:
    visitor = visit(device="small", language=language)
    page, words = visitor.page, said(language)
    forger = Forger(page)
    visitor.open(f"/t/{visitor.new_table(practice=True, seed='layout')}")
    page.get_by_role("button", name=words["web"]["lobby"]["start_fill"]).click()
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    hint = {"code": "safety_guards", "params": {"card": "ROW", "count": 7}}
    whole = words["hints"]["safety_guards"].format(card=words["cards"]["ROW"], count=7)
    button = page.get_by_role("button", name=words["web"]["table"]["hint"], exact=True)
    for is_attacked in (False, True):
        if is_attacked:
            forger.tell(played(1, "LIM", 0))
            expect(page.locator(".status .fixed")).to_contain_text(plain(words["cards"]["LIM"]))
        button.tap()
        expect(page.locator("#asked .icon")).to_be_visible()
        decision = forger.table["asked"]["decision"]
        forger.send({"type": "hinted", "decision": decision, "move": "ROW", **hint})
        expect(asked_line(page)).to_contain_text(plain(whole))
        for size in SIZES:
            resize(page, size)
            page.evaluate(RESTED)
            for line in page.locator(".status p").all():
                assert line.evaluate("line => line.scrollHeight <= line.clientHeight + 1"), size
            status, asked = page.evaluate(BOXES, ".status, #asked")
            assert asked["bottom"] <= status["bottom"] + 0.5, size


WATCH = """
() => {
  window.seenBoxes = new Set();
  const look = () => {
    const status = document.querySelector('.status');
    if (status) {
      const { x, y, width, height } = status.getBoundingClientRect();
      window.seenBoxes.add([x, y, width, height].map((one) => one.toFixed(1)).join(' '));
      for (const line of status.querySelectorAll('p')) {
        if (line.scrollHeight > line.clientHeight + 1) window.seenBoxes.add(line.textContent);
      }
    }
    requestAnimationFrame(look);
  };
  look();
}
"""
SPRINT = """
parent = "winning-moves"
name = "Sprint"
trip = {2 = 200}
extension_at = []
hands = 1
tie = 'drawn'
"""


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_status_stays_where_it_is_over_a_whole_hand(visit: Visit, language: Language) -> None:
    player = Player(visit(device="small", language=language))
    page = player.page
    player.sit_down(practice=True, seed="3", house_rules=SPRINT)
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    page.evaluate(WATCH)
    on_its_way = player.words["web"]["table"]["sent"]
    page.evaluate(
        """(text) => {
          window.flashes = 0;
          new MutationObserver(() => {
            if (document.querySelector('#asked')?.textContent.includes(text)) window.flashes += 1;
          }).observe(document.body, { subtree: true, childList: true, characterData: true });
        }""",
        on_its_way,
    )
    player.go_along(200)
    assert player.asked in ("next", "over")
    seen = page.evaluate("[...window.seenBoxes]")
    assert len(seen) == 1, seen
    assert page.evaluate("window.flashes") == 0
