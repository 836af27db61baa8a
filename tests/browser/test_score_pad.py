"""The score pad: a match with the box on the table, kept by taps."""

import re
from collections.abc import Sequence
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from millebornes.words.elision import elided

from .conftest import Visit
from .player import said
from .test_layout import PAGE, SIZES, faults
from .visitor import Visitor

SMALLEST = (320, 550)
SAFETIES = ("ACE", "TANK", "PROOF", "ROW")
COUNT_CLICKS = """
  window.clicks = 0;
  document.addEventListener('click', (event) => (window.clicks += event.isTrusted), true);
"""


class Keeper:
    """Whoever keeps the score, and finds everything by its name."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page = visitor.page

    @property
    def words(self) -> dict[str, Any]:
        return said(self.page.locator("html").get_attribute("lang") or "en")

    def text(self, key: str, **params: object) -> str:
        text = str(self.words["pages"]["score-pad"]["pad"][key])
        if self.visitor.language == "fr":
            text = elided(text, params)
        return text.format(**params)

    def button(self, key: str, **params: object) -> Locator:
        return self.page.get_by_role("button", name=self.text(key, **params), exact=True)

    def start(self, *names: str, edition: str = "winning-moves", teams: bool | None = None) -> None:
        """Open the pad and begin a match."""
        self.visitor.open("/score")
        new = said(self.visitor.language)["web"]["new"]
        self.page.get_by_role("group", name=new["players"]).wait_for()
        editions = self.words["web"]["editions"]
        self.page.get_by_role("radio", name=editions[edition]).check()
        self.page.get_by_role("radio", name=str(len(names)), exact=True).check()
        if teams is not None:
            self.page.get_by_role("checkbox", name=new["teams"]).set_checked(teams)
        for number, name in enumerate(names, start=1):
            self.page.get_by_role("textbox", name=self.text("name_of", number=number)).fill(name)
        self.button("start").click()
        self.button("todo_finished").wait_for()

    def finished(self, name: str) -> Locator:
        """The radio button of who completed the trip."""
        question = self.text("finished", miles="").split()[0]
        return self.page.get_by_role("group", name=re.compile(f"^{question}")).first.get_by_role(
            "radio", name=re.compile(f"{re.escape(name)}$")
        )

    def drive(self, name: str, miles: int) -> None:
        """Two taps: the hundreds, then the rest."""
        group = self.page.get_by_role("group", name=self.text("miles_of", name=name), exact=True)
        group.get_by_role("button").nth(miles // 100).click()
        self.page.get_by_role(
            "button", name=self.text("and_miles", miles=miles % 100), exact=True
        ).click()

    def lay(self, name: str, card: str, taps: int = 1) -> None:
        """Give a safety to a side; the second tap is a coup fourré."""
        side = self.page.get_by_role("group", name=self.text("safeties_of", name=name), exact=True)
        button = side.get_by_role("button").nth(SAFETIES.index(card))
        for _ in range(taps):
            button.click()

    def save(self) -> None:
        hands = self.page.locator("tbody:not(.pencilled)").count()
        self.button("save").click()
        expect(self.page.locator("tbody:not(.pencilled)")).to_have_count(hands + 1)

    def enter(self, winner: str, miles: dict[str, int]) -> None:
        """A hand without safeties."""
        self.finished(winner).check()
        for name, driven in miles.items():
            self.drive(name, driven)
        self.save()

    @property
    def totals(self) -> Locator:
        """The points on the kilometre stones."""
        return self.page.get_by_role("list", name=self.text("totals")).locator(".total")

    def hand(self, number: int) -> Locator:
        """The rows of a hand on the sheet."""
        return self.page.locator("tbody").nth(number - 1)


def sealed(match: str) -> str:
    """The text of a match with its checksum, as a link carries it."""
    total = 7
    for letter in match:
        total = (total * 31 + ord(letter)) % 46649
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return f"{match}.{digits[total // 1296]}{digits[total // 36 % 36]}{digits[total % 36]}"


def is_above(first: Locator, second: Locator) -> bool:
    """Whether one thing ends on the page before the other begins."""
    upper, lower = first.bounding_box(), second.bounding_box()
    assert upper is not None
    assert lower is not None
    return upper["y"] + upper["height"] <= lower["y"]


def test_a_usual_hand_for_two_takes_at_most_twelve_taps_and_no_keyboard(visit: Visit) -> None:
    keeper = Keeper(visit(device="phone"))
    page = keeper.page
    keeper.visitor.open("/score")
    # The usual edition, two players, names that nobody has to type
    keeper.button("start").tap()
    keeper.finished("Player 1").wait_for()
    page.evaluate(COUNT_CLICKS)

    keeper.finished("Player 1").tap()
    # Whatever takes points away is asked before the miles, so that nobody misses it.
    questions = page.get_by_role("checkbox").all()
    assert len(questions) == 2
    miles = page.get_by_role("group", name="Miles of Player 2")
    for question in questions:
        assert is_above(question, miles)
    page.get_by_role("checkbox", name="Player 1 played a 200").tap()
    miles.get_by_role("button", name="400", exact=True).tap()
    miles.get_by_role("button", name="plus 75 miles").tap()
    first = page.get_by_role("group", name="Safeties of Player 1")
    first.get_by_role("button", name="Driving Ace").tap()
    first.get_by_role("button", name="Extra Tank").tap()
    first.get_by_role("button", name="Extra Tank").tap()
    expect(first.get_by_role("button", name="Extra Tank, coup fourré")).to_be_visible()
    page.get_by_role("group", name="Safeties of Player 2").get_by_role(
        "button", name="Right of Way"
    ).tap()
    keeper.button("save").tap()

    # 700 + two safeties + a coup fourré + the trip; 475 + a safety
    expect(keeper.totals).to_have_text(["1,600", "575"])
    assert page.evaluate("window.clicks") <= 12
    expect(page.get_by_text("Player 2 deals hand 2.")).to_be_visible()
    # A third tap takes a safety away; a tap on the other side moves it.
    first.get_by_role("button", name="Driving Ace").tap()
    page.get_by_role("group", name="Safeties of Player 2").get_by_role("button").first.tap()
    expect(page.get_by_role("button", pressed=True)).to_have_count(1)
    for _ in range(2):
        page.get_by_role("group", name="Safeties of Player 2").get_by_role("button").first.tap()
    expect(page.get_by_role("button", pressed=True)).to_have_count(0)


def test_a_match_is_kept_corrected_shared_and_won(visit: Visit) -> None:
    keeper = Keeper(visit())
    page = keeper.page
    keeper.start("Léa", "Max")
    keeper.enter("Léa", {"Max": 475})
    keeper.finished("Max").check()
    keeper.drive("Léa", 25)
    expect(page.locator(".pencilled")).to_contain_text("Hand 2")

    # A reload forgets nothing, not even the hand that is being entered.
    page.reload()
    expect(keeper.totals).to_have_text(["1,400", "475"])
    expect(keeper.finished("Max")).to_be_checked()
    keeper.save()
    expect(keeper.totals).to_have_text(["1,425", "1,875"])

    # Undo puts the hand back into the form.
    keeper.button("undo", number=2).click()
    expect(keeper.totals).to_have_text(["1,400", "475"])
    expect(keeper.finished("Max")).to_be_checked()
    keeper.save()

    # An earlier hand is changed; what was begun waits.
    keeper.finished("Léa").check()
    hand = keeper.hand(1)
    hand.get_by_role("button", name="Hand 1").click()
    row = hand.get_by_role("row", name=re.compile("^Milestones"))
    expect(row.get_by_role("cell")).to_have_text(["700", "475"])
    hand.get_by_role("button", name="Change hand 1").click()
    page.get_by_role("button", name="Miles of Max: 475").click()
    keeper.drive("Max", 500)
    keeper.button("save_edit").click()
    expect(keeper.totals).to_have_text(["1,425", "1,900"])
    expect(keeper.finished("Léa")).to_be_checked()

    # A link carries the match, and replaces nothing by itself.
    keeper.button("share").click()
    link = page.get_by_role("textbox", name="Link to this sheet").input_value()
    assert len(link) < 110
    assert "/score#1.winning-moves.-.s-20.L%C3%A9a.Max." in link
    other = Keeper(visit(language="fr"))
    other.start("Ida", "Tom", "Zoé")
    other.enter("Zoé", {"Ida": 0, "Tom": 100})
    other.page.goto(link)
    expect(other.totals).to_have_text(["1\u202f425", "1\u202f900"])
    expect(other.page.get_by_text(other.text("shared"))).to_be_visible()
    expect(other.page.locator("form")).to_have_count(0)
    other.button("leave_shared").click()
    expect(other.totals).to_have_count(3)
    other.page.goto(link)
    other.button("keep").click()
    other.page.get_by_role("dialog").get_by_role("button", name=other.text("replace")).click()
    expect(other.button("todo_finished")).to_be_visible()
    other.page.reload()
    expect(other.totals).to_have_text(["1\u202f425", "1\u202f900"])
    alert = other.page.get_by_role("alert").first
    for end in (link.index(".s-2"), link.rindex("."), link.rindex(".", 0, link.rindex("."))):
        other.page.goto(link[:end])
        expect(alert).to_contain_text(other.text("unreadable"))
        other.button("leave_shared").click()
    other.visitor.forgive(r"score-pad: 400|status of 400")
    other.page.goto(f"/score#{sealed('1.nosuch.-.s-20.A.B')}")
    expect(alert).to_contain_text(other.text("strange", why=""))
    expect(alert).to_contain_text("nosuch")
    expect(other.button("keep")).to_have_count(0)
    other.button("leave_shared").click()
    expect(other.totals).to_have_text(["1\u202f425", "1\u202f900"])

    # The winner, and the next match
    page.keyboard.press("Escape")
    keeper.drive("Max", 0)
    for card in SAFETIES:
        keeper.lay("Léa", card, 2)
    keeper.save()
    expect(
        page.get_by_role("status").filter(has_text="Léa wins").get_by_role("paragraph")
    ).to_have_text("Léa wins with 5,225 points!")
    expect(page.locator("form")).to_have_count(0)
    keeper.button("new").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Léa, Max")
    dialog.get_by_role("button", name="Cancel").click()
    expect(keeper.totals).to_have_text(["5,225", "1,900"])
    keeper.button("new").click()
    dialog.get_by_role("button", name="Yes, go on").click()
    expect(page.get_by_role("textbox", name="Name of player 1")).to_have_value("Léa")
    keeper.button("start").click()
    expect(keeper.totals).to_have_text(["0", "0"])


def test_an_impossible_hand_is_refused_and_nothing_is_lost_without_the_server(visit: Visit) -> None:
    keeper = Keeper(visit())
    page = keeper.page
    keeper.start("Ann", "Bob")
    keeper.finished("Cards ran out").check()
    keeper.drive("Ann", 100)
    keeper.drive("Bob", 400)
    called = page.get_by_role("group", name="Who extended the trip to 1,000?")
    called.get_by_role("radio", name="Ann").check()
    alert = page.locator("form").get_by_role("alert")
    expect(alert).to_have_text(re.compile("Ann .*100"))
    for wrong in (called, page.get_by_role("button", name="Miles of Ann: 100")):
        expect(wrong).to_have_accessible_description(alert.inner_text())
    right = page.get_by_role("button", name="Miles of Bob: 400")
    expect(right).to_have_accessible_description("")
    expect(keeper.button("save")).to_have_attribute("aria-disabled", "true")
    keeper.button("save").click(force=True)
    expect(page.locator("tbody")).to_have_count(0)
    called.get_by_role("radio", name="Nobody").check()
    expect(alert).to_be_empty()
    keeper.save()
    expect(keeper.totals).to_have_text(["100", "400"])

    # Without the server, what is entered is kept, and scored when it is back.
    keeper.visitor.server.kill()
    with keeper.visitor.without_server():
        keeper.finished("Ann").check()
        keeper.drive("Bob", 50)
        expect(page.get_by_text(keeper.text("kept"))).to_be_visible()
        keeper.button("save").click()
        expect(page.get_by_text(keeper.text("unscored", number=1))).to_be_visible()
        keeper.visitor.server.start()
        expect(keeper.totals).to_have_text(["1,500", "450"])
        expect(page.get_by_text(keeper.text("kept"))).to_be_hidden()


def test_a_tie_is_explained_and_a_correction_may_end_the_match_earlier(visit: Visit) -> None:
    keeper = Keeper(visit())
    page = keeper.page
    keeper.start("Ann", "Bob")
    expect(page.get_by_text("match to 5,000 points").first).to_be_visible()
    for winner, other in [("Ann", "Bob"), ("Bob", "Ann")] * 2:
        keeper.enter(winner, {other: 0})
    expect(keeper.totals).to_have_text(["3,800", "3,800"])
    tie = page.get_by_text("The leaders are tied, so the match goes on. Bob deals hand 6.")
    expect(tie).to_be_hidden()
    keeper.finished("Cards ran out").check()
    for name, cards in {"Ann": SAFETIES[:2], "Bob": SAFETIES[2:]}.items():
        keeper.drive(name, 600)
        for card in cards:
            keeper.lay(name, card, 2)
    keeper.save()
    expect(keeper.totals).to_have_text(["5,200", "5,200"])
    expect(tie).to_be_visible()

    # With four coups fourrés in hand 3, the match was over then.
    keeper.hand(3).get_by_role("button", name="Hand 3").click()
    keeper.hand(3).get_by_role("button", name="Change hand 3").click()
    for card in SAFETIES:
        keeper.lay("Ann", card, 2)
    alert = page.locator("form").get_by_role("alert")
    expect(alert).to_have_text(re.compile("^Hand 4: The match was over before this hand"))
    keeper.button("save_and_drop", number=3).click()
    won = page.get_by_role("status").filter(has_text="Ann wins with 5,700 points!")
    expect(won).to_be_visible()
    expect(page.locator("tbody")).to_have_count(3)
    keeper.button("undo", number=3).click()
    expect(keeper.totals).to_have_text(["1,900", "1,900"])


def test_a_hand_is_entered_with_the_keyboard_alone(visit: Visit) -> None:
    keeper = Keeper(visit())
    page = keeper.page
    keeper.visitor.open("/score")
    keeper.button("start").wait_for()

    def tab_to(target: Locator, most: int = 60) -> None:
        for _ in range(most):
            page.keyboard.press("Tab")
            if target.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"no Tab reaches {target}")

    tab_to(page.get_by_role("textbox", name="Name of player 1"))
    page.keyboard.type("Ann")
    tab_to(keeper.button("start"))
    page.keyboard.press("Enter")
    keeper.finished("Ann").wait_for()
    expect(page.get_by_role("heading", level=1)).to_be_focused()

    tab_to(keeper.finished("Ann"))
    page.keyboard.press("Space")
    tab_to(page.get_by_role("checkbox", name="Ann played a 200"))
    page.keyboard.press("Space")
    tab_to(page.get_by_role("button", name="300", exact=True))
    page.keyboard.press("Enter")
    tab_to(page.get_by_role("button", name="plus 25 miles"))
    page.keyboard.press("Space")
    ann = page.get_by_role("group", name="Safeties of Ann").get_by_role("button").first
    ann.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Driving Ace, coup fourré")).to_be_focused()
    tab_to(keeper.button("save"))
    page.keyboard.press("Enter")
    expect(keeper.totals).to_have_text(["1,500", "325"])
    expect(page.get_by_role("heading", name="Hand 2")).to_be_focused()


EIGHT = ("Léa", "Max", "Zoé", "Tom", "Ida", "Pia", "Jean-Christophe", "Bob")


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("fr", "dark")])
def test_nothing_is_wrong_on_the_pad_at_any_size(
    visit: Visit, language: Literal["en", "fr"], theme: Literal["light", "dark"]
) -> None:
    keeper = Keeper(visit(language=language, theme=theme))
    page = keeper.page
    # French words are the longer ones.
    sizes = [SMALLEST, *SIZES] if language == "fr" else [SMALLEST]
    wrong: list[str] = []

    def see(what: str, sizes: Sequence[tuple[int, int]] = sizes) -> None:
        page.evaluate("scrollTo(0, 0)")
        for size in sizes:
            wrong.extend(f"{what}, {size}: {fault}" for fault in faults(page, size, PAGE))
        keeper.visitor.check_access()

    keeper.visitor.open("/score")
    keeper.button("start").wait_for()
    see("setup", [SMALLEST])
    keeper.start("Jean-Christophe", "Marie-Antoinette")
    keeper.finished("Jean-Christophe").check()
    see("miles")
    keeper.drive("Marie-Antoinette", 475)
    keeper.lay("Jean-Christophe", "ACE", 2)
    page.locator(".pencilled").wait_for()
    see("entered")
    keeper.save()
    keeper.finished("Marie-Antoinette").check()
    keeper.drive("Jean-Christophe", 0)
    for card in SAFETIES:
        keeper.lay("Marie-Antoinette", card, 2)
    keeper.save()
    keeper.hand(1).get_by_role("button").first.click()
    page.get_by_role("button", name=keeper.words["web"]["score"]["explain"]).click()
    see("sheet")
    for dialog in ("share", "new"):
        keeper.button(dialog).click()
        page.get_by_role("dialog").wait_for()
        see(dialog, [SMALLEST])
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="hidden")

    # The names and numbers of eight who play for themselves
    page.evaluate("localStorage.removeItem('millebornes-pad')")
    keeper.start(*EIGHT, edition="dujardin-2019", teams=False)
    keeper.finished("Léa").check()
    for side, name in enumerate(EIGHT[1:]):
        keeper.drive(name, 25 + 100 * side)
    see("eight", [SMALLEST, (1366, 768)])
    assert not wrong, "\n".join(wrong)


def test_the_sheet_is_printed_with_its_lines_black_on_white(visit: Visit) -> None:
    keeper = Keeper(visit(theme="dark"))
    page = keeper.page
    keeper.start("Ann", "Bob")
    keeper.enter("Ann", {"Bob": 475})
    page.emulate_media(media="print")
    lines = keeper.hand(1).get_by_role("rowheader")
    names = said("en")["score"]
    # Lines without a point in the whole match save paper.
    scored = [names[line] for line in ("miles", "trip", "safe_trip")]
    expect(lines).to_have_text(["Hand 1", *scored, names["combined"]])
    expect(page.locator(".printed")).to_have_text(re.compile(r"20\d\d · match to 5,000 points"))
    expect(page.locator("form, header, .tools").locator("visible=true")).to_have_count(0)
    assert page.evaluate(
        "document.querySelector('table').offsetWidth > 0.9 * document.body.offsetWidth"
    )
    colours = """(element) => [
      getComputedStyle(element).color, getComputedStyle(document.body).backgroundColor,
    ]"""
    assert lines.first.evaluate(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    page.emulate_media(media="screen")
    page.evaluate("window.print = () => (window.printed = true)")
    keeper.button("print").click()
    assert page.evaluate("window.printed")


def test_the_pad_is_found_from_the_first_page_and_speaks_the_chosen_language(visit: Visit) -> None:
    visitor = visit()
    page: Page = visitor.open("/")
    page.get_by_role("link", name="Score pad").click()
    expect(page.get_by_role("heading", name="Score pad", level=1)).to_be_visible()
    expect(page).to_have_title("Score pad · Mille Bornes")
    page.get_by_role("combobox", name="Language").select_option("fr")
    expect(page.get_by_role("heading", name="Feuille de score", level=1)).to_be_visible()
    page.get_by_role("link", name="Mille Bornes").first.click()
    expect(page).to_have_url(f"{visitor.server.url}/")
