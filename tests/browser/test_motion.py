"""Every event travels, at the pace that is wanted; and what sounds, only sounds if it may."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from millebornes.rules import Match
from millebornes.rules.cards import HAZARDS
from millebornes.rules.events import Discarded

from .conftest import Visit
from .listener import Listener
from .motion import Flight, Watch
from .playing import ENGLISH, Mouse, act, choose, is_asked, is_over
from .rehearsal import holds_answer, rehearse
from .visitor import Visitor

TWO_HANDS = """
parent = "winning-moves"
name = "Two hands"
hands = 2
trip = {2 = 200}
extension_at = []
"""
"""Two hands that are soon over."""


def test_every_event_travels_as_fast_as_is_wanted(visit: Visit) -> None:
    visitor = visit(still=False)
    page = visitor.page
    listener, way, watch = Listener(page), Mouse(page), Watch(page)
    rehearsed = rehearse(TWO_HANDS, holds_answer, has_discards)
    begin(visitor, **rehearsed.settings)

    # The first deal
    see_that_we_are_asked(page, listener)
    assert [flight.where for flight in watch.take()].count("hand") >= 6

    # A whole hand, from our first decision on
    begun = len(listener.frames)
    for decision in rehearsed.decisions:
        see_that_we_are_asked(page, listener)
        act(listener, way, decision.move)
    sheet = page.get_by_role("dialog", name="Hand 1")
    expect(sheet).to_be_visible()
    events = [event for frame in listener.frames[begun:] for event in frame["events"]]
    assert {"played", "discarded", "countered", "drawn"} <= {event["type"] for event in events}
    full = watch.take()
    assert [(flight.where, flight.what) for flight in full] == told(listener.frames[begun:])
    see_that_all_is_back(page)

    # The next deal travels, too, and faster.
    set_motion(page, "Fast")
    way.press(page.get_by_role("button", name="Next hand"))
    see_that_we_are_asked(page, listener)
    fast = watch.take()
    assert [flight.where for flight in fast].count("hand") >= 6
    assert [(flight.where, flight.what) for flight in fast].count(("air", "?")) >= 3
    act(listener, way, choose(listener.clear_moves))
    listener.until(lambda: is_asked(listener) or is_over(listener))
    expect(page.get_by_role("button", name=re.compile("^(Hint|Next hand)$"))).to_be_enabled()
    fast += watch.take()
    assert shortest(fast, "hand") < shortest(full, "hand")
    assert shortest(fast, "air") < shortest(full, "air")

    # Off, and then as the system wants it: at another table, where a hand lasts longer
    set_motion(page, "Off")
    begin(visitor, seed="still")
    see_that_nothing_flies(page, listener, way, watch)
    set_motion(page, "Full")
    page.emulate_media(reduced_motion="reduce")
    see_that_nothing_flies(page, listener, way, watch)
    see_that_all_is_back(page)


def has_discards(match: Match) -> bool:
    assert match.hand is not None
    return any(isinstance(event, Discarded) for event in match.hand.history)


def begin(visitor: Visitor, **settings: Any) -> None:
    """Sit down among bots. Nobody is in a hurry to answer an attack."""
    visitor.know("sunday-driver")
    visitor.open(f"/t/{visitor.new_table(**{'window': 60_000, 'practice': True, **settings})}")
    visitor.page.get_by_role("button", name="Fill with bots and start").click()


def see_that_we_are_asked(page: Page, listener: Listener) -> None:
    """Everything has been told, and it is for us to act: whoever acts sooner cuts the story."""
    listener.until(lambda: is_asked(listener))
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()


def told(frames: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """What is to fly for each event: first what was done, then what was drawn for the next turn."""
    flights: list[tuple[str, str]] = []
    for frame in frames:
        events = frame["events"]
        flights += [one for event in events for one in done(event)]
        draws = [event for event in events if event["type"] == "drawn"]
        you = frame["table"]["you"]
        flights += [
            ("hand", ENGLISH.card(event["card"])) if event["seat"] == you else ("air", "?")
            for event in draws
        ]
    return flights


def done(event: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What flies for a move."""
    if event["type"] == "countered":
        yield "air", ENGLISH.card(event["hazard"])
    if event["type"] in ("played", "discarded", "countered"):
        yield "air", ENGLISH.card(event["card"])
    if event["type"] == "countered":
        yield "shaken", f"side-{event['side']}"
    if event["type"] == "played":
        if event["card"] in HAZARDS:
            yield "shaken", f"side-{event['side']}"
        yield from (("air", ENGLISH.card(card)) for card in event["cleared"])


def shortest(flights: Sequence[Flight], where: str) -> float:
    return min(flight.ms for flight in flights if flight.where == where)


def set_motion(page: Page, how: str) -> None:
    """In the settings; whatever lies over the table goes first."""
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Settings").click()
    dialog.get_by_role("group", name="Animation").get_by_role("radio", name=how).check()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def see_that_nothing_flies(page: Page, listener: Listener, way: Mouse, watch: Watch) -> None:
    """A move of ours and the answers to it are shown, and nothing travels."""
    see_that_we_are_asked(page, listener)
    watch.take()
    shown = len(listener.frames)
    act(listener, way, choose(listener.clear_moves))
    see_that_we_are_asked(page, listener)
    assert told(listener.frames[shown:])
    assert watch.take() == []


def see_that_all_is_back(page: Page) -> None:
    """Nothing is left in the air, and nothing is hidden for something that was."""
    expect(page.locator(".air > *")).to_have_count(0)
    expect(page.locator(".table [style*='opacity: 0']")).to_have_count(0)


def test_nothing_sounds_until_it_is_switched_on(visit: Visit) -> None:
    visitor = visit(still=False)
    page = visitor.page
    listener, way, watch = Listener(page), Mouse(page), Watch(page)
    begin(visitor, seed="quiet")
    see_that_we_are_asked(page, listener)
    act(listener, way, choose(listener.clear_moves))
    see_that_we_are_asked(page, listener)
    assert watch.sounds == (0, 0)

    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("group", name="Sound").get_by_role("radio", name="On").check()
    page.keyboard.press("Escape")
    act(listener, way, choose(listener.clear_moves))
    see_that_we_are_asked(page, listener)
    contexts, sources = watch.sounds
    assert contexts == 1
    assert sources > 0
