"""The judge as a page: an argument is settled by taps, by keys, or by opening a link."""

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from millebornes.records.arguments import ARGUMENTS
from millebornes.rules import EDITIONS

from .conftest import Visit
from .player import said
from .test_access import Checked
from .test_layout import DIALOG, PAGE, SIZES, look
from .visitor import Visitor

Language = Literal["en", "fr"]
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])
SMALLEST = (320, 550)


class Judge:
    """Somebody at the judge's page. Counts the taps."""

    def __init__(self, visitor: Visitor, language: Language, path: str = "/judge") -> None:
        words = said(language)
        self.visitor = visitor
        self.page: Page = visitor.open(path)
        self.cards: dict[str, str] = words["cards"]
        self.texts: dict[str, Any] = words["pages"]["judge"]["judge"]
        self.questions: dict[str, str] = words["pages"]["judge"]["arguments"]
        self.editions: dict[str, str] = words["web"]["editions"]
        self.taps = 0
        expect(self.page.get_by_role("heading", name=self.texts["title"])).to_be_visible()

    def tap(self, what: Locator) -> None:
        if self.visitor.page.evaluate("navigator.maxTouchPoints") > 0:
            what.tap()
        else:
            what.click()
        self.taps += 1

    def player(self, seat: int) -> str:
        return str(self.texts["player"].format(number=seat + 1))

    def pile(self, pile: str, seat: int) -> Locator:
        name = self.texts[f"{pile}_of"].format(side=self.player(seat), cards="")
        return self.page.get_by_role("button", name=name)

    def pick(self, card: str) -> None:
        """Take a card from the tray that is open."""
        dialog = self.page.get_by_role("dialog")
        self.tap(dialog.get_by_role("button", name=self.cards[card], exact=True))
        expect(dialog).to_have_count(0)

    def put(self, pile: str, seat: int, card: str) -> None:
        self.tap(self.pile(pile, seat))
        self.pick(card)

    def ask(self, card: str) -> None:
        """May the first player play this card?"""
        self.tap(self.page.get_by_role("button", name=self.texts["choose"]))
        self.pick(card)

    @property
    def verdict(self) -> Locator:
        return self.page.locator(".own")

    def reads(self, verdict: str, *more: str) -> None:
        """The verdict of your own edition."""
        for text in (self.texts[verdict], *more):
            expect(self.verdict).to_contain_text(text)

    def legal_in(self, number: int, possible: int = 5) -> None:
        """In how many of the five editions it is legal, and in how many it can come up."""
        key = {0: "legal_in_none", 1: "legal_in_one", 5: "legal_in_all"}.get(number, "legal_in")
        if 0 < number == possible < 5:
            key = "legal_in_possible"
        heading = self.texts[key].format(number=number)
        expect(self.page.get_by_role("heading", name=heading, exact=True)).to_be_visible()


@LANGUAGES
def test_an_argument_is_settled_by_taps_on_a_phone(visit: Visit, language: Language) -> None:
    judge = Judge(visit(device="phone", language=language), language)
    judge.put("battle", 1, "ROLL")
    judge.put("battle", 1, "ACC")
    judge.ask("FLAT")
    assert judge.taps == 6
    judge.reads("illegal", "Winning Moves, §2", judge.player(1))
    judge.legal_in(2)
    expect(judge.verdict).to_be_in_viewport()
    edition = judge.page.get_by_role("combobox", name=judge.texts["edition"])
    edition.select_option(label=judge.editions["parker-1988"])
    judge.reads("legal", "Parker 1988")
    judge.legal_in(2)
    edition.select_option(label=judge.editions["family"])
    judge.reads("illegal")
    judge.legal_in(2)
    judge.visitor.check()


def test_miles_safeties_and_a_second_move_count_too(visit: Visit) -> None:
    judge = Judge(visit(device="phone"), "en")
    page, texts = judge.page, judge.texts
    judge.put("battle", 0, "ROLL")
    judge.tap(page.get_by_role("button", name=re.compile(f"^{judge.player(0)}: 0 ")))
    judge.tap(page.get_by_role("radio", name="2", exact=True))
    judge.tap(page.get_by_role("button", name=texts["done"]))
    judge.ask("200")
    judge.reads("illegal", "200")
    judge.legal_in(0)

    judge.tap(page.get_by_role("button", name=texts["clear"]))
    judge.put("speed", 0, "LIM")
    safety = page.get_by_role("group", name=texts["safeties_of"].format(side=judge.player(0)))
    way = safety.get_by_role("button", name=re.compile(f"^{judge.cards['ROW']}"))
    judge.tap(way)
    judge.ask("200")
    judge.reads("legal")
    judge.tap(way)
    expect(way).to_have_accessible_name(f"{judge.cards['ROW']}: {texts['crosswise']}")
    judge.tap(page.get_by_role("button", name=texts["then"]))
    judge.ask("OUT")
    # The turn went to the other player and came back, and nobody there has started.
    judge.reads("illegal", judge.player(1))
    judge.tap(page.get_by_role("button", name=texts["remove"].format(number=2)))
    judge.reads("legal")


def test_the_twelve_arguments_are_settled_in_two_taps_each(visit: Visit) -> None:
    judge = Judge(visit(device="phone", language="fr"), "fr")
    page, texts = judge.page, judge.texts
    for number, argument in enumerate(ARGUMENTS):
        listed = page.locator("details").filter(has_text=judge.questions[argument.id])
        judge.tap(listed.locator("summary"))
        expect(listed.locator(".editions > li")).to_have_count(len(EDITIONS))
        legal = listed.locator(".editions > .legal").count()
        possible = legal + listed.locator(".editions > .illegal").count()
        short = {0: texts["no"], possible: texts["yes"]}
        some = texts["some"].format(number=legal, all=possible)
        expect(listed.locator(".chip")).to_have_text(short.get(legal, some))
        judge.tap(listed.get_by_role("link", name=texts["open"]))
        assert judge.taps == 2 * (number + 1)
        judge.legal_in(legal, possible)
        expect(page.get_by_text(texts["only_text"])).to_have_count(0)
        own = listed.locator(".editions > li").nth(list(EDITIONS).index("winning-moves"))
        judge.reads("legal" if "legal" in (own.get_attribute("class") or "").split() else "illegal")
        judge.tap(listed.locator("summary"))
        judge.taps -= 1  # only to find the next one


def test_a_link_carries_the_question_and_no_server_hears_of_it(visit: Visit) -> None:
    one, other = visit(device="phone"), visit()
    asked: list[Request] = []

    def note(request: Request) -> None:
        asked.append(request)

    for visitor in (one, other):
        visitor.page.on("request", note)
    judge = Judge(one, "en")
    judge.put("battle", 1, "ROLL")
    judge.ask("STOP")
    judge.reads("legal")
    link = judge.page.get_by_role("textbox", name=judge.texts["link"]).input_value()
    assert link == judge.page.url
    fragment = link.partition("#")[2]
    assert len(fragment) > 40

    opened = Judge(other, "en", link)
    opened.reads("legal", opened.player(1))
    assert not any(fragment in request.url for request in asked)
    posted = {request.url.rpartition("/api/")[2] for request in asked if request.method == "POST"}
    assert posted == {"guests", "judge"}
    # Going on from there makes a link of its own.
    opened.put("speed", 1, "LIM")
    expect(opened.page).not_to_have_url(link)


def test_a_damaged_link_says_so_and_leaves_an_empty_table(visit: Visit) -> None:
    judge = Judge(visit(), "en", "/judge#%20")
    for fragment in ("%20", "A", "_w", "ZWRpdGlvbjog"):
        judge.page.goto(f"/judge#{fragment}")
        expect(judge.page.get_by_role("alert")).to_have_text(judge.texts["bad_link"])
    judge.ask("ROLL")
    judge.reads("legal")
    expect(judge.page.get_by_role("alert")).to_have_count(0)


def test_the_keyboard_is_enough(visit: Visit) -> None:
    judge = Judge(visit(), "en")
    page, keys = judge.page, judge.page.keyboard

    def reach(name: str | re.Pattern[str]) -> None:
        """Press Tab until it has the focus."""
        target = page.get_by_role("button", name=name, exact=isinstance(name, str)).first
        for _ in range(60):
            if target.evaluate("it => it === document.activeElement"):
                return
            keys.press("Tab")
        raise AssertionError(f"{name} is out of reach")

    reach(re.compile(f"^{judge.texts['battle']} pile of {judge.player(1)}"))
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    reach(judge.cards["ROLL"])
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(judge.pile("battle", 1)).to_be_focused()
    reach(judge.texts["choose"])
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name=judge.texts["choose"], exact=True)).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    reach(judge.cards["STOP"])
    keys.press("Enter")
    judge.reads("legal")


def test_the_text_can_be_written_by_hand(visit: Visit) -> None:
    judge = Judge(visit(), "en")
    page, texts = judge.page, judge.texts
    page.get_by_text(texts["as_text"], exact=True).click()
    text = page.get_by_role("textbox", name=texts["text"])
    expect(text).to_have_value("edition: winning-moves\nplayers: 2\n")
    # In words, which the server reads and the page then puts on the table
    words = "title: Why?\nseat 1: Max\nbattle Max: Roll\nhand 0: stop\nmoves: stop > Max"
    text.fill(words)
    judge.reads("legal", "Max")
    expect(page.get_by_role("heading", name="Max", exact=True)).to_be_visible()
    expect(page.get_by_text(texts["only_text"])).to_have_count(0)
    expect(text).to_have_value(words)
    text.blur()
    expect(text).to_have_value(re.compile("title: Why.*battle 1: ROLL\n.*moves: 0:STOP>1", re.S))
    # What the table cannot show stays a text.
    text.fill("battle 1: Roll\nhand 0: only stop\nmoves: stop > 1")
    expect(page.get_by_text(texts["only_text"])).to_be_visible()
    judge.reads("legal")
    text.fill("battle 1: Roll\nhand 0: banana\nmoves: stop > 1")
    judge.reads("unreadable", "2", "banana")
    text.fill("ended: completed 0\nmiles 0: 400\nbattle 1: Roll")
    judge.reads("impossible", "400")
    # In codes, which the page puts on the table
    text.fill("seat 1: Max\nbattle 1: ROLL\nhand 0: STOP\nmoves: 0:STOP>1")
    judge.reads("legal", "Max")
    expect(page.get_by_role("heading", name="Max", exact=True)).to_be_visible()
    expect(page.get_by_text(texts["only_text"])).to_have_count(0)


def test_a_hand_that_ends_is_scored(visit: Visit) -> None:
    judge = Judge(visit(), "en")
    page = judge.page
    page.get_by_text(judge.texts["as_text"], exact=True).click()
    text = page.get_by_role("textbox", name=judge.texts["text"])
    text.fill("battle 0: ROLL\nmiles 0: 600\nhand 0: 100\nmoves: 100 end")
    judge.reads("legal")
    total = page.get_by_role("row", name=re.compile("^Trip completed"))
    expect(total.get_by_role("cell").first).to_have_text("400")


@LANGUAGES
def test_nothing_is_wrong_with_the_judge(visit: Visit, language: Language) -> None:
    """On every screen, by day and at night: it fits, and axe-core finds nothing."""
    judge = Judge(visit(language=language), language)
    page, checked = judge.page, Checked()
    name = judge.questions["coup_fourre_by_partner"]
    listed = page.locator("details").filter(has_text=name)
    listed.locator("summary").click()
    listed.get_by_role("link").click()
    judge.legal_in(4, possible=4)
    page.get_by_text(judge.texts["as_text"], exact=True).click()
    page.evaluate("scrollTo(0, 0)")
    sizes = [*SIZES, SMALLEST]
    wrong = look(page, f"judge-{language}", sizes, PAGE)
    checked.see(page, "judge")
    judge.page.get_by_role("button", name=judge.cards["OUT"]).click()
    wrong += look(page, f"judge-tray-{language}", [SIZES[0], SMALLEST], DIALOG)
    checked.see(page, "tray")
    page.keyboard.press("Escape")
    page.locator(".miles").first.click()
    wrong += look(page, f"judge-miles-{language}", [SIZES[0], SMALLEST], DIALOG)
    checked.see(page, "miles")
    assert not wrong, "\n".join(wrong)
    checked.verdict()
