"""The first page and the new table, used as people use them."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from millebornes.rules import PRESETS

from .conftest import Visit
from .listener import Listener
from .player import Player, said
from .qr import read
from .rehearsal import rehearse
from .visitor import Visitor

ONE_HAND = (
    'parent = "winning-moves"\nhands = 1\ntie = "drawn"\ntrip = {2 = 400}\nextension_at = []\n'
)


def posted(page: Page) -> list[dict[str, Any]]:
    """The tables that the page wants to be opened, from now on."""
    wanted: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/api/tables"):
            wanted.append(json.loads(request.post_data or ""))

    page.on("request", note)
    return wanted


def choose(page: Page, group: str, option: str) -> None:
    page.get_by_role("group", name=group, exact=True).get_by_role(
        "radio", name=option, exact=True
    ).check()


def open_text(page: Page) -> Locator:
    """Opens the house rules and, under Advanced, their text."""
    page.get_by_role("heading", name="House rules", exact=True).click()
    page.get_by_role("heading", name="Advanced").click()
    return page.get_by_role("textbox", name="House rules, in TOML")


def info(visitor: Visitor) -> dict[str, Any]:
    """The table at the page's address, as the server tells it."""
    visitor.page.wait_for_url("**/t/*")
    table = visitor.page.url.rpartition("/")[2]
    answer = visitor.context.request.get(f"{visitor.server.url}/api/tables/{table}")
    found: dict[str, Any] = answer.json()
    return found


def test_a_family_opens_a_table_by_rules_that_no_box_has(visit: Visit) -> None:
    host = visit()
    page = host.open("/new")
    presets = page.get_by_role("group", name="Not from a box", exact=True)
    expect(presets.get_by_role("radio")).to_have_count(len(PRESETS))
    presets.get_by_role("radio", name=re.compile("^Family ")).check()
    page.get_by_text("How it differs from Winning Moves Classic").click()
    expect(page.get_by_text("A car needs no Roll to start")).to_be_visible()
    # House rules may start from it.
    house = open_text(page)
    expect(house).to_have_value('parent = "family"\n')
    expect(page.get_by_role("checkbox", name="Cars start rolling")).to_be_checked()
    choose(page, "Bots at the table", "1")
    page.get_by_role("button", name="Start the game").click()
    assert info(host)["edition"] == PRESETS["family"].id
    # The memo card of this table does not ask for a Roll.
    page.get_by_role("button", name="Menu", exact=True).click()
    memo = page.get_by_role("dialog")
    memo.get_by_role("button", name="Memo card").click()
    expect(memo.get_by_text("A car needs no Roll to start")).to_be_visible()
    expect(memo.get_by_text("A car needs a Roll on top to drive")).to_have_count(0)
    host.open("/")
    expect(page.locator("summary").filter(has_text="Family")).to_be_visible()


def test_a_table_is_opened_as_it_was_wished_and_found_by_others(visit: Visit) -> None:
    host = visit()
    page = host.open("/")
    page.get_by_role("link", name="New table").click()
    page.get_by_role("radio", name="Dujardin Collector 2019").check()
    house = open_text(page)
    expect(house).to_have_value(re.compile("dujardin-2019"))
    house.fill(house.input_value() + "\nmax_200s = 1\n")
    expect(page.get_by_text("These rules are sound.")).to_be_visible()
    choose(page, "Players", "6")
    teams = page.get_by_role("checkbox", name="Teams of two")
    expect(teams).to_be_checked()
    teams.uncheck()
    choose(page, "Bots at the table", "3")
    choose(page, "Time for a turn", "30 s")
    choose(page, "Who may come", "Anyone, listed as an open table")
    # Without a name nobody can be asked to a table.
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("Please say your name first.")).to_be_visible()
    page.get_by_role("textbox", name="Your name").fill("Zoé")
    page.get_by_role("button", name="Open the table").click()

    expect(page.get_by_role("heading", name="Before the start")).to_be_visible()
    facts = page.get_by_role("main").get_by_role("list").first.get_by_role("listitem")
    expect(facts.filter(has_text="6 players")).to_be_visible()
    expect(facts.filter(has_text="30 s a turn")).to_be_visible()
    expect(facts.filter(has_text="Open to anyone")).to_be_visible()
    seats = page.get_by_role("region", name="Seats")
    # Whoever is new meets the gentlest bots.
    expect(seats.get_by_role("listitem").filter(has_text="Learner")).to_have_count(3)
    table = info(host)
    assert (table["players"], table["teams"], table["clock"]) == (6, False, 30_000)
    assert table["is_open"]
    assert not table["practice"]
    page.get_by_role("button", name="Rules", exact=True).click()
    rules = page.get_by_role("dialog")
    expect(rules).to_contain_text("200s that a side may play in a hand: 1 at most.")

    # One comes by the link, typed in …
    link = page.url
    max_ = visit()
    other = max_.open("/")
    field = other.get_by_role("textbox", name="Link or code of a table")
    field.fill("https://example.org/nowhere")
    other.get_by_role("button", name="Join", exact=True).click()
    expect(other.get_by_role("alert").filter(has_text="not the link of a table")).to_be_visible()
    field.fill(link)
    other.get_by_role("button", name="Join", exact=True).click()
    join(other, "Max")
    # … and one sits down at an open table.
    ida = visit()
    third = ida.open("/")
    third.get_by_role("link", name=re.compile("^Sit down.*Zoé")).click()
    join(third, "Ida")
    expect(seats).to_contain_text("Max")
    expect(seats).to_contain_text("Ida")


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_the_page_ends_with_its_content_however_many_tables_are_open(
    visit: Visit, device: str
) -> None:
    visitor = visit(device=device)
    for _ in range(20):
        visitor.new_table(is_open=True)
    page = visitor.open("/")
    expect(page.get_by_role("link", name=re.compile("^Sit down"))).to_have_count(20)
    visitor.check()


def join(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name="Zoé invites you")).to_be_visible()
    page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("heading", name="Before the start")).to_be_visible()


def test_the_code_beside_the_link_is_the_link(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open(f"/t/{visitor.new_table()}")
    squares = page.get_by_role("img", name="QR code of the link").locator("path")
    path = squares.get_attribute("d")
    assert path is not None
    link = page.get_by_label("Link to this table").input_value()
    assert read(path) == link == f"{page.url}?lang=en"


def test_an_invitation_speaks_the_language_of_its_link(visit: Visit) -> None:
    host = visit(language="fr")
    link = host.open(f"/t/{host.new_table()}").get_by_label("Lien de cette table").input_value()
    guest = visit()
    page = guest.open(link.removeprefix(host.server.url))
    head = page.locator("head")
    expect(head.locator("meta[property='og:title']")).to_have_attribute(
        "content", re.compile("^Mille Bornes\u00a0: .* vous invite$")
    )
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("vous invite$"))
    # They choose their own language, and the link no longer changes it.
    page.get_by_role("combobox", name="Langue").select_option("en")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("invites you$"))
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("invites you$"))


def test_no_screen_is_blank_while_code_is_on_its_way(visit: Visit) -> None:
    page = visit().page
    page.route("**/assets/*.js", lambda _: None)
    page.goto("/", wait_until="commit")
    expect(page.locator(".waiting")).to_contain_text("Mille Bornes")
    page.unroute("**/assets/*.js")
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator(".waiting")).to_be_hidden()
    page.route("**/NewTable*.js", lambda _: None)
    page.locator("a[href='/new']").first.click()
    expect(page.get_by_role("status")).to_have_text("One moment…")
    page.unroute("**/NewTable*.js")
    expect(page.locator("main h1")).to_be_focused()


def test_a_game_is_continued_and_its_record_kept(visit: Visit) -> None:
    visitor = visit()
    player = Player(visitor)
    page = player.page
    rehearsed = rehearse(ONE_HAND, seeds=10)
    table = player.sit_down(**rehearsed.settings)
    first, *others = rehearsed.decisions
    player.until(lambda: player.asked)
    player.play(first.move)

    visitor.open("/")
    running = page.get_by_role("region", name="Your tables")
    expect(running).to_contain_text("being played")
    running.get_by_role("link", name=re.compile("^Continue")).click()
    page.wait_for_url(f"**/t/{table}")
    for decision in others:
        player.until(lambda: player.asked)
        player.play(decision.move)
    page.get_by_role("dialog", name="The match is over").get_by_role("button", name="Home").click()

    recent = page.get_by_role("region", name="Recent games")
    with page.expect_download() as saved:
        recent.get_by_role("button", name=re.compile("^Download the record of")).click()
    record = saved.value.path().read_text(encoding="utf-8")
    assert saved.value.suggested_filename.endswith(".txt")
    assert rehearsed.settings["seed"] in record
    answer = visitor.context.request.get(f"{visitor.server.url}/api/tables/{table}/record")
    assert record == answer.text()


def test_what_is_chosen_is_kept(visit: Visit) -> None:
    page = visit().open("/")
    html = page.locator("html")
    page.get_by_role("combobox", name="Language").select_option("fr")
    expect(html).to_have_attribute("lang", "fr")
    play = page.get_by_role("button", name=said("fr")["web"]["home"]["play"], exact=True)
    expect(play).to_be_visible()
    page.get_by_role("combobox", name="Langue").select_option("en")
    page.get_by_role("button", name="Theme: as the system").click()
    page.get_by_role("button", name="Theme: light").click()
    expect(html).to_have_attribute("data-theme", "dark")
    sound = page.get_by_role("button", name="Sound", exact=True)
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    page.get_by_role("button", name="Settings").click()
    choose(page, "Animation", "Fast")
    page.get_by_role("textbox", name="Your name").last.fill("Zoé")
    choose(page, "Language", "Français")
    expect(html).to_have_attribute("lang", "fr")

    page.reload()
    texts = said("fr")["web"]
    expect(html).to_have_attribute("lang", "fr")
    expect(html).to_have_attribute("data-theme", "dark")
    sound = page.get_by_role("button", name=texts["page"]["sound"], exact=True)
    expect(sound).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name=texts["page"]["settings"], exact=True).click()
    fast = page.get_by_role("radio", name=texts["settings"]["motion_fast"], exact=True)
    expect(fast).to_be_checked()
    name = texts["name"]["as"].format(name="Zoé")
    expect(page.get_by_role("dialog").get_by_text(name)).to_be_visible()


AGREED: dict[str, Any] = {
    "players": 2,
    "edition": "winning-moves",
    "house_rules": None,
    "teams": None,
    "clock": None,
    "practice": False,
    "short_trip": False,
}
"""What is agreed at a table, and what is meant where nothing is said."""


def agreed(wanted: dict[str, Any]) -> dict[str, Any]:
    return {key: wanted.get(key, usual) for key, usual in AGREED.items()}


def test_play_now_plays_the_same_again(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    listener = Listener(page)
    wanted = posted(page)

    # As it was chosen in "New table"
    visitor.open("/new")
    page.get_by_role("radio", name="Dujardin Collector 2019").check()
    choose(page, "Players", "4")
    page.get_by_role("checkbox", name="Teams of two").click()
    choose(page, "Bots at the table", "3")
    page.get_by_role("checkbox", name="Practice table").uncheck()
    choose(page, "Time for a turn", "3 min")
    page.get_by_role("button", name="Start the game").click()
    see_cards(listener)
    visitor.open("/")
    play_now(page, listener)
    assert agreed(wanted[0]) == agreed(wanted[1])
    assert agreed(wanted[0])["clock"] == 180_000
    assert agreed(wanted[0])["teams"] is not None

    # As it was changed beside the button
    visitor.open("/")
    page.locator("summary").click()
    page.get_by_role("combobox", name="Edition").select_option("Parker Brothers 1988")
    choose(page, "Players at the table", "3")
    play_now(page, listener)
    visitor.open("/")
    page.reload()
    play_now(page, listener)
    assert wanted[2]["edition"] == "parker-1988"
    assert wanted[2]["players"] == 3
    assert agreed(wanted[2]) == agreed(wanted[3])


def play_now(page: Page, listener: Listener) -> None:
    listener.frames.clear()
    with page.expect_event("websocket"):
        page.get_by_role("button", name="Play now").click()
    see_cards(listener)


def see_cards(listener: Listener) -> None:
    listener.until(lambda: bool(listener.frames) and listener.table["hand"] is not None)
