"""Playing by the page: with the mouse, with keys alone, or with a finger."""

import re
import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple, Protocol

from playwright.sync_api import CDPSession, Locator, Page, expect

from millebornes.bots import BOTS
from millebornes.fair import key_from_seed, shuffled
from millebornes.records.tokens import parse_move, to_text
from millebornes.rules import (
    Edition,
    Match,
    ScoreSheet,
    apply,
    awaited_seats,
    deal,
    new_match,
    view,
)
from millebornes.rules.cards import SAFETIES
from millebornes.words import words

from .listener import Listener

__all__ = [
    "ENGLISH",
    "LET_IT_STAND",
    "Aim",
    "Choice",
    "Finger",
    "Keys",
    "Mouse",
    "Way",
    "act",
    "card_in_hand",
    "choose",
    "is_asked",
    "is_over",
    "play_on",
    "rehearse",
    "see_hand",
]

ENGLISH = words("en")
ANSWERS = {"-": "Continue", "end": "Finish", "ext": "Extend to 1000"}
LET_IT_STAND = "Let it stand"
"""Whoever could answer an attack does not just continue."""


# What to do


def choose(moves: Sequence[str]) -> str:
    """A lively game: attack, drive, keep safeties for a coup fourré, and never stop early.

    Of several whom it may hit, an attack goes to the last.
    """
    return min(moves, key=lambda move: (_rank(move), -int(move.partition(">")[2] or 0)))


def _rank(move: str) -> int:
    is_discard = move.startswith("x")
    is_safety = move.removeprefix("x") in SAFETIES
    if move.endswith("!") or move == "ext" or ">" in move:
        return 0
    if move.isdigit():
        return 300 - int(move)
    if is_discard:
        return 900 if is_safety else 700
    return 800 if is_safety else 10


class Choice(NamedTuple):
    """What we hold when something is asked of us, what we may do, and what we do."""

    cards: list[str]
    moves: list[str]
    move: str


class Aim(NamedTuple):
    """Whose car a hazard is to hit, and all those whom it may."""

    onto: str
    among: list[str]


def rehearse(
    edition: Edition,
    players: int,
    seed: str,
    hands: int = 1,
    sheets: list[tuple[ScoreSheet, ...]] | None = None,
) -> list[Choice]:
    """Every choice of ours, at seat 0, in the first hands of a practice match from this seed.

    The score sheets of the hands are added to `sheets`.
    """
    match = new_match(edition, players=players, dealer=players - 1)  # the host begins
    choices: list[Choice] = []
    for hand in range(1, hands + 1):
        deck = shuffled(key_from_seed(seed, hand), len(edition.deck(players)))
        match, _ = deal(match, deck)
        match = _play(match, choices)
        if sheets is not None and match.hand is not None and match.hand.sheets is not None:
            sheets.append(match.hand.sheets)
    return choices


def _play(match: Match, choices: list[Choice]) -> Match:
    """To the end of the hand, against bots."""
    bot = BOTS["sunday-driver"]()
    while seats := awaited_seats(match):
        seen = view(match, seats[0])
        move = bot.choose(seen)
        if seats[0] == 0:
            moves = [to_text(one) for one in seen.legal_moves]
            choices.append(Choice([str(card) for card in seen.hand], moves, choose(moves)))
            move = parse_move(choices[-1].move)
        match, _ = apply(match, seats[0], move)
    return match


# How to do it


class Way(Protocol):
    """A way to act on a page. Each knows only what its person sees or feels."""

    page: Page

    def press(self, button: Locator) -> None:
        """Use a button."""

    def regard(self, card: str) -> None:
        """Look at a card of the hand without doing anything with it."""

    def lay(self, move: str, aim: Aim | None) -> None:
        """Play or discard a card; if it may hit several, there is somebody to aim at."""

    def discard(self, card: str) -> None:
        """Want to discard a card: a safety asks first."""

    def ask_hint(self) -> None:
        """At a practice table."""

    def ask_help(self) -> None:
        """Open the memo card."""

    def say_no(self, question: Locator) -> None:
        """Answer a question with no."""


def play_on(listener: Listener, way: Way, is_enough: Callable[[], bool] = lambda: False) -> None:
    """Answer whatever is asked of this seat, until the hand is over or it is enough."""
    while True:
        listener.until(lambda: is_enough() or is_over(listener) or is_asked(listener))
        if is_enough() or is_over(listener):
            return
        act(listener, way, choose(listener.clear_moves))


def is_over(listener: Listener) -> bool:
    """Is there nothing left to play in this hand?"""
    return listener.asked is not None and listener.asked["what"] in ("next", "over")


def is_asked(listener: Listener) -> bool:
    """Is something asked of this page's seat?"""
    if listener.asked is None or listener.table["you"] not in listener.asked["seats"]:
        return False
    # The table does not wait for a person alone with bots who has no choice.
    return bool(listener.moves) and not (listener.table["practice"] and listener.moves == ["-"])


def act(listener: Listener, way: Way, move: str) -> None:
    """Make a move, and wait until the table has accepted it."""
    assert listener.asked is not None
    decision = listener.asked["decision"]
    see_hand(way.page, len(listener.table["hand"]["cards"]))
    if move in ANSWERS:
        is_chance = any(one.endswith("!") for one in listener.moves)
        name = LET_IT_STAND if is_chance else ANSWERS[move]
        way.press(way.page.get_by_role("button", name=name, exact=True))
    elif move.endswith("!"):
        name = f"Coup fourré with {ENGLISH.card(move[:-1])}"
        way.press(way.page.get_by_role("button", name=name))
    else:
        way.lay(move, aim_of(listener, move))
    listener.until_new(decision)


def aim_of(listener: Listener, move: str) -> Aim | None:
    """Whose car it hits, if there is a choice."""
    card, _, side = move.partition(">")
    sides = [one.partition(">")[2] for one in listener.moves if one.startswith(f"{card}>")]
    if len(sides) < 2 or not side:
        return None
    names = [str(seat["name"]) for seat in listener.table["seats"]]
    return Aim(names[int(side)], [names[int(one)] for one in sides])


def see_hand(page: Page, cards: int) -> None:
    """Wait until the page shows this number of cards in hand."""
    expect(page.get_by_role("list", name=f"Your hand, {cards} cards")).to_be_visible()


def card_in_hand(page: Page, card: str) -> Locator:
    """A card of the hand: the first, if there are several of the kind."""
    hand = page.get_by_role("list", name="Your hand")
    name = re.compile(rf"^{re.escape(ENGLISH.card(card))}( —|$)")
    return hand.get_by_role("button", name=name).first


def card_of(move: str) -> str:
    return move.removeprefix("x").split(">")[0]


def _glance() -> None:
    """Look at nothing in particular."""


class Pointer:
    """What mouse and finger have in common: choose a card, then where it goes; or drag it there."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._laid = count()
        self._aimed = count()

    def press(self, button: Locator) -> None:
        raise NotImplementedError

    def drag(self, card: Locator, place: Locator, look: Callable[[], None] = _glance) -> None:
        """Lift a card, look, and let it go over a place."""
        raise NotImplementedError

    def discard(self, card: str) -> None:
        self.press(card_in_hand(self.page, card))
        self.press(self.page.get_by_role("button", name="Discard", exact=True))

    def ask_hint(self) -> None:
        self.press(self.page.get_by_role("button", name="Hint"))

    def ask_help(self) -> None:
        self.press(self.page.get_by_role("button", name="Help (?)"))

    def say_no(self, question: Locator) -> None:
        self.press(question.get_by_role("button", name=re.compile("^(Keep it|Think again)$")))

    def lay(self, move: str, aim: Aim | None) -> None:
        """Each of the ways there are, in turn."""
        card = card_in_hand(self.page, card_of(move))
        if aim is not None:
            self._aim(card_of(move), card, aim)
            return
        ways = (self._by_button, self._by_target, self._by_drag)
        ways[next(self._laid) % len(ways)](move, card)

    def _by_button(self, move: str, card: Locator) -> None:
        self.press(card)
        expect(card).to_have_attribute("aria-pressed", "true")
        name = "Discard" if move.startswith("x") else "Play"
        self.press(self.page.get_by_role("button", name=name, exact=True))

    def _by_target(self, move: str, card: Locator) -> None:
        self.press(card)
        name = ENGLISH.card(card_of(move))
        if move.startswith("x"):
            self.press(self.page.get_by_role("button", name=f"Discard {name}"))
        else:
            self.press(self.page.get_by_role("button", name=f"Play {name} on"))

    def _by_drag(self, move: str, card: Locator) -> None:
        if move.startswith("x"):
            self.drag(card, self.page.get_by_title(re.compile("^Discard pile")))
        else:
            side = "Opponents" if ">" in move else "Your car"
            self.drag(card, self.page.get_by_role("region", name=side))

    def _aim(self, name: str, card: Locator, aim: Aim) -> None:
        """One of several: exactly those whom it may hit are lit, for a tap and for a drag."""
        is_drag = next(self._aimed) % 2 == 1
        if is_drag:
            others = self.page.get_by_role("region", name="Opponents").locator("section")
            place = others.filter(has_text=aim.onto)
            self.drag(card, place, lambda: self._see_lit(name, aim))
            return
        self.press(card)
        self._see_lit(name, aim)
        expect(self.page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
        self.press(self.page.get_by_role("button", name=_aiming(name, aim.onto)))

    def _see_lit(self, name: str, aim: Aim) -> None:
        lit = self.page.get_by_role("button", name=_aiming(name, ""))
        expect(lit).to_have_count(len(aim.among))
        names = {button.get_attribute("aria-label") for button in lit.all()}
        assert names == {_aiming(name, one) for one in aim.among}


def _aiming(card: str, onto: str) -> str:
    return f"Play {ENGLISH.card(card)} on {onto}"


class Mouse(Pointer):
    def press(self, button: Locator) -> None:
        button.click()

    def regard(self, card: str) -> None:
        card_in_hand(self.page, card).hover()

    def drag(self, card: Locator, place: Locator, look: Callable[[], None] = _glance) -> None:
        mouse = self.page.mouse
        card.hover()  # waits until it lies still: cards make room for one another
        mouse.down()
        mouse.move(*middle(place), steps=4)
        look()
        mouse.up()


class Finger(Pointer):
    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._touch: CDPSession = page.context.new_cdp_session(page)

    def press(self, button: Locator) -> None:
        button.tap()

    def regard(self, card: str) -> None:
        """A finger cannot hover: it chooses the card."""
        self.press(card_in_hand(self.page, card))

    def drag(self, card: Locator, place: Locator, look: Callable[[], None] = _glance) -> None:
        card.tap(trial=True)  # only waits until it lies still
        (x, y), (to_x, to_y) = middle(card), middle(place)
        path = [(x + (to_x - x) * step, y + (to_y - y) * step) for step in (0, 0.1, 0.4, 0.7, 1, 1)]
        # A second for the way, by its own clock: at a machine's pace it would be a fling, and the
        # browser takes the next tap for the one that stops it.
        begun = time.time() - 1
        for at, point in enumerate(path):
            self._send("touchMove" if at else "touchStart", begun + at * 0.15, point)
        look()
        self._send("touchEnd", begun + 1)

    def _send(self, kind: str, when: float, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": touches, "timestamp": when},
        )


class Keys:
    """Never a pointer: the focus is led by Tab and arrows."""

    MOST_STEPS = 80

    def __init__(self, page: Page) -> None:
        self.page = page
        self._regarded = count()
        self._aimed = count()

    def press(self, button: Locator) -> None:
        self.tab_to(button)
        self.page.keyboard.press("Enter")

    def regard(self, card: str) -> None:
        """Arrows go round the hand, and letters and digits to the cards that begin so; in turn."""
        first = ENGLISH.card(card)[0].lower()
        # These two do something.
        is_by_name = next(self._regarded) % 2 == 1 and first not in "dh"
        self._step_to(card_in_hand(self.page, card), first if is_by_name else "ArrowRight")

    def discard(self, card: str) -> None:
        self.regard(card)
        self.page.keyboard.press("d")

    def lay(self, move: str, aim: Aim | None) -> None:
        if move.startswith("x"):
            self.discard(card_of(move))
            return
        self.regard(card_of(move))
        self.page.keyboard.press("Enter")
        if aim is None:
            return
        target = self.page.get_by_role("button", name=_aiming(card_of(move), aim.onto))
        if next(self._aimed) % 2 == 1:
            expect(target).to_be_visible()
            self.page.keyboard.press(str(int(move.partition(">")[2]) + 1))
            return
        self._step_to(target, "ArrowRight")
        self.page.keyboard.press("Enter")

    def ask_hint(self) -> None:
        self.page.keyboard.press("h")

    def ask_help(self) -> None:
        self.page.keyboard.press("?")

    def say_no(self, question: Locator) -> None:
        expect(question).to_be_visible()
        self.page.keyboard.press("Escape")

    def tab_to(self, wanted: Locator) -> None:
        expect(wanted).to_be_enabled()
        self._step_to(wanted, "Tab")

    def _step_to(self, wanted: Locator, key: str) -> None:
        for _ in range(self.MOST_STEPS):
            if is_focused(wanted):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead to {wanted}")


def is_focused(locator: Locator) -> bool:
    focused: bool = locator.evaluate("element => element === document.activeElement")
    return focused


def middle(locator: Locator) -> tuple[float, float]:
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
