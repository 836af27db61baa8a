"""Whole matches against bots: by mouse, by keys alone, by touch. Each way can do everything."""

import re
from functools import cache
from typing import Any

from playwright.sync_api import Page, expect

from millebornes.rules import house_rules
from millebornes.rules.cards import SAFETIES

from .conftest import Visit
from .listener import Listener
from .playing import (
    ENGLISH,
    Choice,
    Finger,
    Keys,
    Mouse,
    Way,
    act,
    card_in_hand,
    choose,
    is_asked,
    play_on,
    rehearse,
    see_hand,
)
from .visitor import Visitor

RULES = """
parent = "winning-moves"
hands = {hands}
tie = "drawn"
"""
PLAYERS = 3
SEEDS = 200
PATIENT = {"window": 60_000}
"""An attack waits for the answer: how fast this machine is must not matter."""


def test_one_click_on_the_first_page_begins_a_game(visit: Visit) -> None:
    visitor = visit()
    listener, way = Listener(visitor.page), Mouse(visitor.page)
    page = visitor.open("/")
    way.press(page.get_by_role("button", name="Play now"))
    listener.until(lambda: is_asked(listener))
    expect(page).to_have_title("Your turn · Mille Bornes")
    act(listener, way, listener.clear_moves[0])
    assert listener.events("played") + listener.events("discarded")


def test_a_match_by_mouse(visit: Visit) -> None:
    visitor = visit(device="desktop")
    whole_match(visitor, Mouse(visitor.page), hands=2)


def test_a_match_by_keys_alone(visit: Visit) -> None:
    visitor = visit(device="desktop")
    whole_match(visitor, Keys(visitor.page))


def test_a_match_by_touch_on_a_small_phone(visit: Visit) -> None:
    visitor = visit(device="small")
    whole_match(visitor, Finger(visitor.page))


def whole_match(visitor: Visitor, way: Way, hands: int = 1) -> None:
    listener = Listener(visitor.page)
    visitor.know("sunday-driver")
    rules = RULES.format(hands=hands)
    table = visitor.new_table(
        players=PLAYERS, practice=True, seed=lively_seed(hands), house_rules=rules, **PATIENT
    )
    page = visitor.open(f"/t/{table}")
    way.press(page.get_by_role("button", name="Fill with bots and start"))
    listener.until(lambda: is_asked(listener))
    see_hand(page, 7)

    see_the_memo_card(page, way)
    see_why_a_card_must_wait(page, way, listener)
    see_that_a_safety_is_not_discarded_by_mistake(page, way, listener)
    ask_for_a_hint(page, way)
    go_back(page, way, listener)
    play_on(listener, way)

    assert any(event["side"] != 0 for event in listener.events("played")), (
        "nobody was attacked by us"
    )
    assert listener.events("countered"), "no coup fourré"
    for hand in range(1, hands):
        see_the_score_sheet(page, listener, f"Hand {hand}")
        go_to_the_next_hand(page, way, listener)
        play_on(listener, way)
    see_the_score_sheet(page, listener, "The match is over")
    expect(page.get_by_role("dialog")).to_contain_text(told_winner(listener))
    play_again(page, way, listener)


@cache
def lively_seed(hands: int) -> str:
    """Decks with which everything happens that a test wants to see, and soon."""
    edition = house_rules(RULES.format(hands=hands))
    seeds = map(str, range(SEEDS))
    lively = [seed for seed in seeds if is_lively(rehearse(edition, PLAYERS, seed))]
    return min(lively, key=lambda seed: len(rehearse(edition, PLAYERS, seed, hands)))


def is_lively(choices: list[Choice]) -> bool:
    """First a safety and a distance that must wait; later attacks and a coup fourré of ours.

    Twice there is a choice whom to attack: once for each way to aim.
    """
    first = choices[0]
    is_fit = bool(safeties_in(first.cards)) and bool(waiting_in(first.cards, first.moves))
    has_coup = any("!" in choice.move for choice in choices)
    return is_fit and "-" not in first.moves and has_coup and sum(map(is_aimed, choices)) >= 2


def is_aimed(choice: Choice) -> bool:
    """Do we attack one of several?"""
    card, is_attack, _ = choice.move.partition(">")
    return bool(is_attack) and sum(move.startswith(f"{card}>") for move in choice.moves) > 1


def safeties_in(cards: list[str]) -> list[str]:
    return [card for card in cards if card in SAFETIES]


def waiting_in(cards: list[str], moves: list[str]) -> list[str]:
    """Distances that cannot be driven yet."""
    return [card for card in cards if card.isdigit() and card not in moves]


def see_the_memo_card(page: Page, way: Way) -> None:
    """It tells the keys as well, and leaves everything as it was."""
    way.ask_help()
    memo = page.get_by_role("dialog", name="Memo card")
    expect(memo.get_by_role("table", name="Hazards, their remedies and safeties")).to_be_visible()
    expect(memo).to_contain_text("D: discard")
    way.press(memo.get_by_role("button", name="Close"))
    expect(memo).to_be_hidden()


def see_why_a_card_must_wait(page: Page, way: Way, listener: Listener) -> None:
    card = waiting_in(listener.table["hand"]["cards"], listener.moves)[0]
    why = "You need a Roll first: your car has not started yet."
    expect(card_in_hand(page, card)).to_have_accessible_name(f"{ENGLISH.card(card)} — {why}")
    way.regard(card)
    expect(page.get_by_text(why).filter(visible=True)).to_be_visible()


def see_that_a_safety_is_not_discarded_by_mistake(page: Page, way: Way, listener: Listener) -> None:
    card = safeties_in(listener.table["hand"]["cards"])[0]
    before = len(listener.frames)
    way.discard(card)
    question = page.get_by_role("dialog", name=f"Discard {ENGLISH.card(card)}?")
    expect(question).to_contain_text("worth 100 points, as a coup fourré 300 more")
    way.say_no(question)
    expect(question).to_be_hidden()
    see_hand(page, 7)
    assert len(listener.frames) == before, "something was discarded"


def ask_for_a_hint(page: Page, way: Way) -> None:
    way.ask_hint()
    expect(page.get_by_text(re.compile(r"^I would (play|discard) "))).to_be_visible()
    hand = page.get_by_role("list", name="Your hand")
    expect(hand.get_by_role("button", name=re.compile(r"\(hint\)$"))).to_have_count(1)


def go_back(page: Page, way: Way, listener: Listener) -> None:
    """One move, and back: the same cards are in hand again."""
    cards = listener.table["hand"]["cards"]
    act(listener, way, choose(listener.clear_moves))
    listener.until(lambda: is_asked(listener))
    way.press(page.get_by_role("button", name="Back to your last decision"))
    listener.until(lambda: listener.table["hand"]["cards"] == cards)
    assert [event["code"] for event in listener.events("told")].count("went_back") == 1
    see_hand(page, 7)


def go_to_the_next_hand(page: Page, way: Way, listener: Listener) -> None:
    """The sheet goes, new cards come, and the points are brought forward."""
    points = [side["points"] for side in listener.table["hand"]["sides"]]
    sheet = page.get_by_role("dialog")
    way.press(sheet.get_by_role("button", name="Next hand"))
    listener.until(lambda: is_asked(listener))
    expect(sheet).to_be_hidden()
    hand = listener.table["hand"]
    assert hand["number"] == listener.events("dealt")[-1]["number"] == 2
    assert [side["points"] for side in hand["sides"]] == points
    expect(page.get_by_text("Hand 2 of 2", exact=True)).to_be_visible()
    see_hand(page, len(hand["cards"]))


def see_the_score_sheet(page: Page, listener: Listener, title: str) -> None:
    """It comes by itself, and has the hand with every line and everybody's points."""
    sheet = page.get_by_role("dialog", name=title)
    hand = listener.table["hand"]
    sides = len(hand["sides"])
    expect(sheet.get_by_role("table").get_by_role("row").first).to_be_attached()
    for name, points in score_lines(hand):
        header = page.get_by_role("rowheader", name=name, exact=True)
        row = sheet.get_by_role("row").filter(has=header).last
        cells = row.get_by_role("cell")
        told = [
            f"{one:,}" if one or name == ENGLISH.score_line("combined") else "–" for one in points
        ]
        if page.viewport_size and page.viewport_size["width"] < 500:
            # A phone has the points of the hand beside its name.
            if name != ENGLISH.score_line("total"):
                expect(cells).to_have_text(told)
            continue
        # The hand is the last of the columns.
        for at, one in enumerate(told):
            expect(cells.nth(sides * (hand["number"] - 1) + at)).to_have_text(one)


def score_lines(hand: dict[str, Any]) -> list[tuple[str, list[int]]]:
    """The lines of the sheet and what each side has there; our side, 0, is the first."""
    lines = [(line, [sheet[line] for sheet in hand["sheets"]]) for line in hand["sheets"][0]]
    totals = [side["points"] for side in hand["sides"]]
    return [(ENGLISH.score_line(line), points) for line, points in [*lines, ("combined", totals)]]


def told_winner(listener: Listener) -> str:
    assert listener.asked is not None
    winner = listener.asked["winner"]
    if winner is None:
        return "A draw: nobody is ahead."
    points = listener.table["hand"]["sides"][winner]["points"]
    if winner == listener.table["you"]:
        return f"You win with {points:,} points!"
    return f"{listener.table['seats'][winner]['name']} wins with {points:,} points!"


def play_again(page: Page, way: Way, listener: Listener) -> None:
    """A rematch begins at once, and everybody has moved one seat on."""
    seat = listener.table["you"]
    way.press(page.get_by_role("dialog").get_by_role("button", name="Rematch"))
    listener.until(lambda: is_asked(listener))
    assert listener.table["you"] != seat
    expect(page.get_by_role("dialog")).to_be_hidden()
    see_hand(page, len(listener.table["hand"]["cards"]))
