"""The bots as people meet them: a level to choose, one to be offered, a face and a voice."""

import json
import sys
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from millebornes.bots import LEVELS, Learner
from millebornes.rules import Match, apply, legal_moves
from millebornes.rules.state import Over

from .conftest import Visit
from .player import Player, said
from .rehearsal import rehearse
from .visitor import FAST, ROOT, Visitor

SPRINT = """
parent = "winning-moves"
trip = {2 = 100}
extension_at = []
hands = 1
tie = "drawn"
"""
"""A match of a few cards."""


def table_of(visitor: Visitor) -> dict[str, Any]:
    """The table at the page's address, as the server tells it."""
    visitor.page.wait_for_url("**/t/*")
    table = visitor.page.url.rpartition("/")[2]
    answer = visitor.context.request.get(f"{visitor.server.url}/api/tables/{table}")
    found: dict[str, Any] = answer.json()
    return found


def levels_of(visitor: Visitor) -> list[str | None]:
    return [seat["level"] for seat in table_of(visitor)["seats"]]


def level(within: Page | Locator, group: str, name: str) -> Locator:
    """One level of a choice."""
    return within.get_by_role("radiogroup", name=group).get_by_role("radio", name=name, exact=True)


MEASURED = "wins 72 of 100 matches against the Learner"


def say_of_each(page: Page, **facts: Any) -> None:
    """The server says this of each bot, whatever it has measured."""

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps([bot | facts for bot in route.fetch().json()]))

    page.route("**/api/bots", answer)


def test_a_level_is_chosen_on_the_first_page_and_a_hand_finished_against_it(visit: Visit) -> None:
    visitor = visit(device="small")
    # The last table was a short one, with bots that are in no hurry to be seen.
    visitor.know("", last={"house_rules": SPRINT, "players": 2, "practice": True, **FAST})
    player = Player(visitor)
    say_of_each(visitor.page, against="learner", wins=72)
    page = visitor.open("/")
    learner = level(page, "Your opponent", "Learner")
    expect(learner).to_be_checked()
    rival = level(page, "Your opponent", "Sunday Driver")
    about = said("en")["web"]["level_lines"]["sunday-driver"]
    expect(rival).to_have_accessible_description(f"{about} {MEASURED}")
    # By keys alone, as any choice
    learner.press("ArrowDown")
    expect(rival).to_be_checked()
    expect(page.get_by_text(about)).to_be_visible()
    player.button("Play now").click()
    player.until(lambda: player.table and player.table["hand"])
    assert levels_of(visitor) == [None, "sunday-driver"]
    # A tap on a bot tells who it is.
    page.get_by_title("Sunday Driver").click()
    told = page.get_by_role("dialog", name="Bots at the table")
    expect(told).to_contain_text(about)
    expect(told).to_contain_text(MEASURED)
    page.keyboard.press("Escape")
    player.go_along(100)
    expect(page.get_by_role("dialog", name="The match is over")).to_be_visible()
    # It is suggested again.
    visitor.open("/")
    expect(rival).to_be_checked()


def test_each_bot_of_a_new_table_may_have_a_level_of_its_own(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/new")
    for group, count in (("Players", "3"), ("Bots at the table", "2")):
        page.get_by_role("group", name=group, exact=True).get_by_role(
            "radio", name=count, exact=True
        ).check()
    # One for all, unless somebody wants it otherwise
    level(page, "The bots", "Sunday Driver").check()
    page.get_by_role("checkbox", name="Choose each bot").check()
    expect(level(page, "Bot 1", "Sunday Driver")).to_be_checked()
    level(page, "Bot 2", "Learner").check()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("log").wait_for(state="attached")
    assert levels_of(visitor) == [None, "sunday-driver", "learner"]
    visitor.open("/")
    expect(page.get_by_role("checkbox", name="Choose each bot")).to_be_checked()
    page.get_by_role("checkbox", name="Choose each bot").uncheck()
    expect(level(page, "The bots", "Sunday Driver")).to_be_checked()


def test_the_host_chooses_a_bot_for_each_seat_and_mutes_one(visit: Visit) -> None:
    visitor = visit()
    player = Player(visitor)
    page = visitor.open(f"/t/{visitor.new_table(players=3)}")
    player.button("Add a bot at seat 2").click()
    choice = page.get_by_role("dialog", name="A bot for seat 2")
    expect(level(choice, "Which bot?", "Learner")).to_be_checked()
    level(choice, "Which bot?", "Sunday Driver").check()
    page.keyboard.press("Enter")
    seats = page.get_by_role("region", name="Seats").get_by_role("listitem")
    expect(seats.nth(1)).to_contain_text("Sunday Driver")
    # The others are like it, or like another.
    player.button("Bots: Sunday Driver. Change").click()
    choice = page.get_by_role("dialog", name="Which bot?")
    level(choice, "Which bot?", "Learner").check()
    choice.get_by_role("button", name="Choose", exact=True).click()
    player.button("Fill with bots and start").click()
    player.until(lambda: player.table and player.table["hand"])
    assert levels_of(visitor) == [None, "sunday-driver", "learner"]

    # One of them says hello, which is no chat.
    assert player.table is not None
    bots = [seat["name"] for seat in player.table["seats"][1:]]
    events = [event for message in player.messages for event in message.get("events", ())]
    (hello,) = (event for event in events if event["type"] == "bot_emote")
    assert hello["name"] in bots
    expect(page.get_by_role("log")).to_contain_text(f"{hello['name']}: Hello!")
    expect(page.get_by_role("group", name="Chat")).not_to_contain_text("Hello!")

    player.button("Mute").click()
    for verb in ("Mute", "Unmute", "Mute"):
        player.button(f"{verb} {bots[1]}").click()
        expect(player.button(f"{verb} {bots[1]}")).to_have_count(0)
    assert table_of(visitor)["muted_bots"] == [2]


HANGS = f"dud=cmd:{sys.executable} {ROOT / 'tests' / 'plugins' / 'strange_bot.py'} hang-later"


@pytest.mark.parametrize("server", [{"bot": [HANGS]}], indirect=True, ids=["with a bot that hangs"])
def test_a_bot_that_hangs_is_replaced_for_the_hand_and_the_page_says_so(visit: Visit) -> None:
    visitor = visit()
    visitor.server.wait_until_ready()
    player = Player(visitor)

    def seat_of_bot() -> dict[str, Any]:
        assert player.table is not None
        seat: dict[str, Any] = player.table["seats"][1]
        return seat

    # Too long a trip for the Sunday Driver to end the hand at once, whatever is dealt.
    page = visitor.open(f"/t/{visitor.new_table()}")
    player.button("Add a bot at seat 2").click()
    choice = page.get_by_role("dialog", name="A bot for seat 2")
    level(choice, "Which bot?", "dud").check()
    page.keyboard.press("Enter")
    player.button("Start").click()
    player.until(lambda: player.asked or seat_of_bot()["replaced_by"])
    if not seat_of_bot()["replaced_by"]:
        player.step()
        player.until(lambda: seat_of_bot()["replaced_by"])
    name = seat_of_bot()["name"]
    told = said("en")["web"]["told"]["bot_replaced"].format(name=name)
    expect(page.get_by_role("log")).to_contain_text(told)
    # Whoever comes later can see it, too.
    page.reload()
    page.get_by_title("the Sunday Driver plays for it until the end of this hand.").click()
    roster = page.get_by_role("dialog", name="Bots at the table")
    expect(roster).to_contain_text(f"{name} · dud")
    expect(roster).to_contain_text("the Sunday Driver plays for it until the end of this hand.")
    visitor.check()


def can_win(match: Match) -> bool:
    """Does a move of the first seat win the match?"""
    afterwards = (apply(match, 0, move)[0].awaiting for move in legal_moves(match, 0))
    return Over(winner=0) in afterwards


def test_the_next_level_is_offered_once_after_three_wins(visit: Visit) -> None:
    visitor = visit()
    player = Player(visitor)
    page = player.page
    rehearsed = rehearse(SPRINT, can_win, seeds=20, rival=Learner)
    last = {"players": 3, "practice": True, **FAST}
    visitor.know("learner", wins={"learner": 2}, last=last)
    table = player.sit_down(**rehearsed.settings)
    for decision in rehearsed.decisions:
        player.until(lambda: player.asked)
        player.play(decision.move)
    sheet = page.get_by_role("dialog", name="The match is over")
    expect(sheet).to_contain_text("You have won three matches against the Learner.")
    expect(sheet).to_contain_text("Ready for the Sunday Driver?")
    # One click, and a game like the last one begins.
    player.button("Play against the Sunday Driver").click()
    page.wait_for_url(lambda url: not url.endswith(table))
    player.until(lambda: player.table and player.table["players"] == 3 and player.table["hand"])
    assert levels_of(visitor) == [None, "sunday-driver", "sunday-driver"]

    visitor.open(f"/t/{table}")
    expect(sheet).to_be_visible()
    expect(sheet).not_to_contain_text("Ready for")
    # Until it is beaten, the first page marks it.
    visitor.open("/")
    expect(page.locator("label").filter(has_text="Next for you")).to_contain_text("Sunday Driver")


def test_a_level_that_is_warming_up_cannot_be_chosen_yet(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    cold = set(LEVELS) - {"learner"}

    def answer(route: Route) -> None:
        bots = route.fetch().json()
        route.fulfill(body=json.dumps([{**bot, "ready": bot["level"] not in cold} for bot in bots]))

    page.route("**/api/bots", answer)
    visitor.open("/")
    commuter = level(page, "Your opponent", "Commuter")
    expect(commuter).to_be_disabled()
    expect(page.locator("label").filter(has_text="Commuter")).to_contain_text("warming up")
    visitor.check()
    cold.clear()
    expect(commuter).to_be_enabled()
    commuter.check()
