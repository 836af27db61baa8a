"""The form of a new table: the rules as controls, and as a text that stays in step with them."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from .conftest import Visit
from .test_home import choose, info, open_text
from .visitor import Visitor


def rules_of(visitor: Visitor) -> tuple[str | None, dict[str, Any]]:
    """The name and the rules by which the table at the page's address plays."""
    visitor.page.wait_for_url("**/t/*")
    table = visitor.page.url.rpartition("/")[2]
    answer = visitor.context.request.get(f"{visitor.server.url}/api/tables/{table}/edition")
    edition = answer.json()
    return edition["name"], {rule["name"]: rule["value"] for rule in edition["rules"]}


def is_sound(page: Page) -> None:
    expect(page.get_by_text("These rules are sound.")).to_be_visible()


def test_a_table_by_house_rules_is_opened_with_controls_alone_and_named(visit: Visit) -> None:
    host = visit(device="phone")
    host.page.set_viewport_size({"width": 320, "height": 550})
    page = host.open("/new")
    house = page.get_by_role("heading", name="House rules", exact=True)
    summary = page.locator("summary").filter(has=house)
    expect(summary).to_contain_text("None: just as Winning Moves Classic plays it.")
    choose(page, "Length of the match", "One hand")
    house.click()
    page.get_by_role("combobox", name="Hazards on hazards").select_option(
        "Any car that has started"
    )
    choose(page, "200s for each side", "1")
    page.get_by_role("textbox", name="Name of your rules").fill("Sunday at the lake")
    is_sound(page)
    expect(summary).to_contain_text("Hazards on hazards: Any car that has started")
    expect(summary).to_contain_text("200s for each side: 1 · One hand")
    host.check_width()
    host.check_access()
    choose(page, "Time for a coup fourré", "10 s")
    choose(page, "Who may come", "Anyone, listed as an open table")
    page.get_by_role("textbox", name="Your name").fill("Zoé")
    page.get_by_role("button", name="Open the table").click()

    facts = page.get_by_role("main").get_by_role("list").first
    expect(facts).to_contain_text("Sunday at the lake")
    expect(facts).to_contain_text("One hand")
    name, rules = rules_of(host)
    assert name == "Sunday at the lake"
    assert (rules["hands"], rules["max_200s"], rules["target"]) == (1, 1, 5000)
    assert rules["battle_hazard_on"] == "started"
    assert info(host)["edition"].startswith("house-")
    # Others find it by its name, on the first page and where they join.
    guest = visit()
    other = guest.open("/")
    expect(other.get_by_text("Sunday at the lake", exact=False)).to_be_visible()
    other.get_by_role("link", name=re.compile("^Sit down.*Zoé")).click()
    expect(other.get_by_text("Sunday at the lake")).to_be_visible()
    host.open("/")
    expect(page.get_by_text("Sunday at the lake · waiting for players")).to_be_visible()


def test_the_text_and_the_controls_stay_in_step(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/new")
    text = open_text(page)
    two_hundreds = page.get_by_role("group", name="200s for each side")
    # What is written by hand moves the controls, the edition among them.
    text.fill('parent = "article"\n\nmax_200s = 4  # why not\ntarget = 3000\n')
    is_sound(page)
    expect(two_hundreds.get_by_role("radio", name="4")).to_be_checked()
    expect(page.get_by_role("radio", name=re.compile("^Web article"))).to_be_checked()
    expect(page.get_by_role("radio", name="3,000 points")).to_be_checked()
    # A control changes its own line.
    two_hundreds.get_by_role("radio", name="3").check()
    expect(text).to_have_value('parent = "article"\n\nmax_200s = 3  # why not\ntarget = 3000\n')
    # Back to the edition, one rule at a time or all.
    page.get_by_role("button", name="200s for each side, back to: 2").click()
    expect(text).to_have_value('parent = "article"\n\ntarget = 3000\n')
    page.get_by_role("button", name="Everything as in Web article").click()
    expect(text).to_have_value('parent = "article"\n')
    expect(page.get_by_role("radio", name="5,000 points")).to_be_checked()


def test_a_mistake_is_shown_at_its_control_and_nothing_is_lost(visit: Visit) -> None:
    visitor = visit()
    visitor.forgive("400")
    page = visitor.open("/new")
    page.get_by_role("heading", name="House rules", exact=True).click()
    page.get_by_role("heading", name="Players, deck and trip").click()
    # A full trip leaves nothing to extend.
    trip = page.get_by_role("spinbutton", name="With 2 players")
    trip.fill("1000")
    trip.press("Tab")
    extension = page.locator("[data-rule=extension_at]")
    expect(extension).to_contain_text("expected player counts with a trip below 1000")
    page.get_by_role("textbox", name="Your name").fill("Zoé")
    page.get_by_role("button", name="Open the table").click()
    expect(extension.get_by_role("checkbox", name="With 2 players")).to_be_focused()
    expect(trip).to_have_value("1000")
    extension.get_by_role("checkbox", name="With 2 players").uncheck()
    is_sound(page)
    # A number that cannot be is refused by the server, not changed in silence.
    page.get_by_role("heading", name="Points", exact=True).click()
    points = page.get_by_role("spinbutton", name="Coup fourré", exact=True)
    points.fill("310")
    points.press("Tab")
    expect(page.locator("[data-rule=coup_fourre_points]")).to_contain_text("in steps of 25")
    page.get_by_role("button", name="Coup fourré: more").click()
    expect(points).to_have_value("325")
    is_sound(page)
    page.get_by_role("button", name="Open the table").click()
    name, rules = rules_of(visitor)
    assert name is None
    assert (rules["trip"]["2"], rules["extension_at"]) == (1000, [3, 6])
    assert rules["coup_fourre_points"] == 325
    expect(page.get_by_text("House rules on top of Winning Moves Classic")).to_be_visible()
