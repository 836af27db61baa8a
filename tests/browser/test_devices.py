"""One player on two devices: the list of devices, and what a signed-out device shows."""

import re

from playwright.sync_api import Locator, Page, expect

from .conftest import Visit
from .player import said
from .visitor import Visitor


def settings(page: Page) -> Locator:
    page.get_by_role("button", name=words(page)["page"]["settings"], exact=True).click()
    return page.get_by_role("dialog")


def words(page: Page) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = said(page.locator("html").get_attribute("lang") or "en")[
        "web"
    ]
    return found


def join_devices(first: Visitor, second: Visitor) -> None:
    """The second becomes the same player as the first, by the link with the code."""
    dialog = settings(first.page)
    dialog.get_by_role("button", name="Make a code").click()
    code = dialog.get_by_label("Code", exact=True).input_value()
    dialog.get_by_role("button", name="Close").click()
    second.open(f"/#device={code}")
    second.page.get_by_role("button", name=words(second.page)["home"]["device_yes"]).click()
    expect(second.page.get_by_role("dialog")).to_have_count(0)


def test_a_device_is_signed_out_from_another_and_does_not_come_back(visit: Visit) -> None:
    laptop, phone = visit(), visit(device="small", language="fr", theme="dark")
    table = laptop.new_table(players=2)
    laptop.open("/")
    join_devices(laptop, phone)
    phone.open(f"/t/{table}")
    texts = words(phone.page)
    seats = phone.page.get_by_role("region", name=texts["lobby"]["seats"])
    expect(seats).to_contain_text("Zoé")
    sockets: list[str] = []
    phone.page.on("websocket", lambda socket: sockets.append(socket.url))

    dialog = settings(laptop.page)
    devices = dialog.get_by_role("region", name="Your devices")
    expect(devices.get_by_role("listitem")).to_have_count(2)
    expect(devices.get_by_role("listitem").filter(has_text="This device")).to_have_count(1)
    laptop.check()
    other = devices.get_by_role("listitem").filter(has_not_text="This device")
    other.get_by_role("button", name=re.compile("^Sign out: Chrome")).press("Enter")
    expect(devices.get_by_role("listitem")).to_have_count(1)
    expect(dialog.get_by_role("status").filter(has_text="Signed out: Chrome")).to_be_visible()
    expect(devices.get_by_role("heading", name="Your devices")).to_be_focused()

    gone = phone.page.get_by_role("heading", name=texts["connection"]["signed_out"])
    expect(gone).to_be_visible()
    phone.check()
    phone.page.get_by_role("link", name=texts["lost"]["home"]).click()
    expect(phone.page.get_by_role("button", name=texts["home"]["play"], exact=True)).to_be_visible()
    assert sockets == []


def test_whoever_signs_out_here_is_asked_first_and_begins_as_somebody_new(visit: Visit) -> None:
    visitor = visit(device="small")
    table = visitor.new_table(players=2)
    page = visitor.open(f"/t/{table}")
    expect(page.get_by_role("heading", name="Before the start")).to_be_visible()
    visitor.open("/")
    tables = page.get_by_role("region", name="Your tables")
    expect(tables).to_be_visible()

    devices = settings(page).get_by_role("region", name="Your devices")
    sign_out = devices.get_by_role("button", name=re.compile("^Sign out: "))
    sign_out.click()
    question = devices.get_by_text("This is your only device")
    expect(question).to_be_visible()
    visitor.check()
    devices.get_by_role("button", name="Stay signed in").click()
    expect(question).to_have_count(0)
    sign_out.click()
    devices.get_by_role("button", name="Sign out here").click()

    notice = page.get_by_role("status").filter(has_text="This device was signed out")
    expect(notice).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(tables).to_have_count(0)
    visitor.check()
    page.reload()
    expect(page.get_by_role("heading", name="Mille Bornes")).to_be_visible()
    expect(notice).to_have_count(0)
