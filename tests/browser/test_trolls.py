"""People who annoy others: they are sent away, and nobody has to wait for them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.server_process import GENEROUS, ServerProcess, server_process

from .conftest import Visit
from .visitor import Visitor

IMPATIENT = """
from millebornes.__main__ import main
from millebornes.table import table

table.STALLED = table.STALLED_AGAIN = 0
main()
"""
"""A server where three minutes are over at once."""
SENT_AWAY = "The host has sent you away from this table"
AGREE = "Let a bot play for Zoé"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    command = (sys.executable, "-c", IMPATIENT)
    with server_process(tmp_path, command=command, **GENEROUS) as server:
        yield server


def come(visitor: Visitor, table: str, name: str, how: str = "Join") -> Page:
    page = visitor.open(f"/t/{table}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name=how, exact=True).click()
    expect(page.get_by_role("heading", name="Before the start")).to_be_visible()
    return page


def start(host: Page, *others: Page) -> None:
    host.get_by_role("button", name="Start", exact=True).click()
    for page in (host, *others):
        expect(page.get_by_text("Trip 700")).to_be_visible()


def is_out(troll: Visitor) -> None:
    """They are told why, once and for all."""
    page = troll.page
    expect(page.get_by_role("heading", name=SENT_AWAY)).to_be_focused()
    page.reload()
    expect(page.get_by_role("heading", name=SENT_AWAY)).to_be_visible()
    expect(page.get_by_role("link", name="To the home page")).to_be_visible()
    troll.check()


def test_nobody_is_offered_to_send_away_whoever_opened_the_table(visit: Visit) -> None:
    zoe, max_, ida = visit(), visit(), visit()
    table = zoe.new_table()
    opener = zoe.open(f"/t/{table}")
    heir = come(max_, table, "Max")
    come(ida, table, "Ida", "Watch")
    opener.get_by_role("button", name="Leave", exact=True).click()
    expect(heir.get_by_role("button", name="Send Ida away")).to_be_visible()  # they are host now
    send = heir.get_by_role("button", name="Send Zoé away")
    expect(opener.get_by_role("button", name="Play now")).to_be_visible()
    zoe.open(f"/t/{table}")  # they are known there, and watch
    expect(heir.get_by_text("Zoé", exact=True)).to_be_visible()
    expect(send).to_have_count(0)
    opener.get_by_role("button", name="Sit here, at seat 1").click()
    expect(heir.get_by_role("region", name="Seats")).to_contain_text("Zoé")
    expect(send).to_have_count(0)


def test_the_host_sends_people_away_and_is_asked_first(visit: Visit) -> None:
    zoe, eve, otto, max_ = visit(), visit(device="small", theme="dark"), visit(), visit()
    table = zoe.new_table()
    host = zoe.open(f"/t/{table}")
    come(eve, table, "Eve")
    come(otto, table, "Otto", "Watch")

    # A player before the start, with keys alone: the question has the focus, and can be denied.
    send = host.get_by_role("button", name="Send Eve away")
    send.focus()
    host.keyboard.press("Enter")
    question = host.get_by_text("Send Eve away? They cannot come back to this table.")
    expect(question).to_be_visible()
    zoe.check()
    host.get_by_role("button", name="Let them stay").click()
    expect(question).to_have_count(0)
    send.focus()
    host.keyboard.press("Enter")
    expect(host.get_by_role("button", name="Send away", exact=True)).to_be_focused()
    host.keyboard.press("Enter")
    is_out(eve)
    expect(host.get_by_role("status").filter(has_text="sent Eve away")).to_be_visible()
    expect(host.get_by_role("button", name="Sit here, at seat 2")).to_be_visible()

    # Somebody who only watches cannot do that; and one who watches can be sent away in a match.
    friend = come(max_, table, "Max")
    expect(friend.get_by_role("region", name="Watching")).to_contain_text("Otto")
    expect(friend.get_by_role("button", name="Send Otto away")).to_have_count(0)
    start(host, friend, otto.page)
    host.get_by_role("button", name="Menu", exact=True).click()
    host.get_by_role("button", name="Who is watching").click()
    host.get_by_role("button", name="Send Otto away").click()
    zoe.check()
    host.get_by_role("button", name="Send away", exact=True).click()
    is_out(otto)
    expect(host.get_by_text("Nobody is watching.")).to_be_visible()
    host.keyboard.press("Escape")
    expect(host.get_by_role("button", name="Menu", exact=True)).to_be_focused()


def test_the_others_let_a_bot_play_for_one_who_does_not_move(visit: Visit) -> None:
    zoe, max_, ida = visit(device="small"), visit(device="small", theme="dark"), visit()
    table = zoe.new_table(players=3, window=60_000, pace=0)
    slow = zoe.open(f"/t/{table}")
    one, other = come(max_, table, "Max"), come(ida, table, "Ida")
    start(slow, one, other)

    expect(slow.locator("#asked")).to_contain_text("the others may now let a bot play for you")
    for visitor in (max_, ida):
        told = visitor.page.get_by_role("status").filter(has_text="Zoé is taking a long time.")
        expect(told).to_have_count(1)
        expect(visitor.page.get_by_text("0 of 2 agree.")).to_be_visible()
    one.get_by_role("button", name=AGREE).focus()
    one.keyboard.press("Enter")
    for page in (one, other):
        expect(page.get_by_text("1 of 2 agree.")).to_be_visible()
    expect(slow.locator("#asked")).to_contain_text("1 of 2 agree.")
    expect(other.get_by_role("log")).to_contain_text("Max would let a bot play on.")
    agreed = one.get_by_role("button", name=AGREE)
    expect(agreed).to_be_focused()
    expect(agreed).to_be_disabled()
    box = agreed.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    for visitor in (zoe, max_, ida):
        visitor.check()

    other.get_by_role("button", name=AGREE).click()
    expect(slow.get_by_text("A bot plays for you.")).to_be_visible()
    for page in (one, other):
        expect(page.get_by_role("button", name=AGREE)).to_have_count(0)
    slow.get_by_role("button", name="Take your seat back").click()
    expect(slow.get_by_text("A bot plays for you.")).to_have_count(0)
