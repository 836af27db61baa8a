"""The moments of a game: an attack that stands, a coup fourré, a finish; told where they hide
nothing, and the same facts without animations.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from millebornes.rules import Match
from millebornes.rules.events import Countered

from .conftest import Visit
from .listener import Listener
from .motion import Watch
from .playing import ENGLISH, LET_IT_STAND, Mouse, act, is_asked, is_over
from .rehearsal import Rehearsed, holds_answer, rehearse
from .test_layout import LONG, Forger
from .test_together import LIVELY, Person, catch_up, play
from .visitor import Visitor

QUICK = """
parent = "winning-moves"
name = "Quick"
trip = {2 = 200}
extension_at = []
hands = 2
"""
RICH = f"{QUICK}safety_points = 200\ncoup_fourre_points = 700\n"
WINDOW = 5000
"""Time to read two buttons, and then to let it pass."""
MOST_MATCHES = 6


# An attack that stands
MOVING = """
document.getAnimations().filter(
  (animation) => animation.effect.getComputedTiming().activeDuration > 1,
).length
"""
"""How many animations a person could see; where nothing moves, they all take no time."""


def test_the_holder_lets_it_stand_and_who_can_do_nothing_continues(visit: Visit) -> None:
    zoe, max_ = people = two_people(visit)
    seen: set[str] = set()
    attacks = 0
    for _ in range(MOST_MATCHES):
        while len(seen) < 2:
            play(people, lambda: any(map(is_attacked, people)))
            attacked = next(filter(is_attacked, people), None)
            if attacked is None:
                break  # the hand is over
            attacks += 1
            seen |= see_attack(attacked, max_ if attacked is zoe else zoe)
        if len(seen) == 2:
            break
        catch_up(people)
        play_again(people)
    assert seen == {"held", "not held"}
    assert attacks >= 2


def two_people(visit: Visit) -> tuple[Person, Person]:
    """At a table of their own, each with a phone."""
    zoe, max_ = (Person(visit(device="phone"), name) for name in ("Zoé", "Max"))
    table = zoe.visitor.new_table(house_rules=LIVELY, window=WINDOW)
    zoe.visitor.open(f"/t/{table}")
    link = zoe.page.get_by_label("Link to this table").input_value()
    max_.come(link, "Join")
    expect(zoe.page.get_by_role("region", name="Seats")).to_contain_text("Max")
    zoe.page.get_by_role("button", name="Start", exact=True).click()
    for person in (zoe, max_):
        person.hear_hand()
    return zoe, max_


def play_again(people: tuple[Person, ...]) -> None:
    for person in people:
        person.page.get_by_role("dialog").get_by_role("button", name="Rematch").click()
    for person in people:
        person.hear_hand()


def is_attacked(person: Person) -> bool:
    asked = person.listener.asked
    return asked is not None and asked["what"] == "window" and person.is_asked()


def see_attack(person: Person, attacker: Person) -> set[str]:
    """What the page of the attacked offers, and what both read when it is over."""
    is_held = any(move.endswith("!") for move in person.listener.moves)
    plain = person.page.get_by_role("button", name=LET_IT_STAND if is_held else "Continue")
    other = person.page.get_by_role("button", name="Continue" if is_held else LET_IT_STAND)
    expect(plain).to_be_enabled()
    expect(other).to_have_count(0)
    lines = [len(log_of(one)) for one in (person, attacker)]
    assert person.listener.asked is not None
    decision = person.listener.asked["decision"]
    if is_held:
        person.listener.until_new(decision)  # until the time has run out
    else:
        plain.click()
        person.listener.until_new(decision)
    attacker.listener.until_new(decision)
    told = "You let it stand." if is_held else "The attack stands."
    # Whoever attacks reads the same in any case.
    texts = (told, "The attack stands.")
    for one, begun, text in zip((person, attacker), lines, texts, strict=True):
        line = one.page.get_by_role("log", name="What happened").locator("p").nth(begun)
        expect(line).to_have_text(text)
    # On a phone the status has room for it, unless it has more to say.
    if any(not move.startswith("x") for move in person.listener.moves):
        expect(person.page.locator(".status")).to_contain_text(told)
        return {"held" if is_held else "not held"}
    return set()


def log_of(person: Person) -> list[str]:
    return person.page.get_by_role("log", name="What happened").locator("p").all_text_contents()


# A coup fourré


@pytest.mark.parametrize(
    ("rules", "figure", "still"),
    [(QUICK, "+400", False), (RICH, "+900", True)],
    ids=["moving", "still"],
)
def test_a_coup_fourre_is_a_moment(visit: Visit, rules: str, figure: str, still: bool) -> None:
    visitor = visit(still=still)
    page = visitor.page
    listener, watch = Listener(page), Watch(page)
    rehearsed = rehearse(rules, holds_answer)
    begin(visitor, rehearsed)
    play_until(listener, Mouse(page), rehearsed, rehearsed.until(holds_answer))
    # A person alone with bots takes their time.
    expect(page.get_by_role("button", name=LET_IT_STAND)).to_be_enabled()
    expect(page.locator(".status .ring")).to_have_count(0)
    call = page.get_by_role("button", name=re.compile("^Coup fourré with"))
    expect(call).to_be_enabled()
    watch.take()
    call.click()
    plate = page.locator(".moment.coup")
    expect(plate).to_have_text(re.compile(rf"^\s*{re.escape(figure)}\s+Coup fourré!\s*$"))
    (coup,) = listener.events("countered")
    name = ENGLISH.card(coup["card"])
    laid = page.get_by_title(f"{name}: laid as a coup fourré")
    expect(laid).to_be_visible()
    assert is_crosswise(page, f"{name}: laid as a coup fourré")
    slams = [flight for flight in watch.take() if flight.what == name]
    if still:
        assert slams == []
        assert page.evaluate(MOVING) == 0
    else:
        assert [300 <= slam.ms <= 900 for slam in slams] == [True]


def test_the_coup_fourre_of_another_has_their_name(visit: Visit) -> None:
    visitor = visit()
    listener = Listener(visitor.page)
    rehearsed = rehearse(QUICK, is_countered)
    begin(visitor, rehearsed)
    play_until(listener, Mouse(visitor.page), rehearsed, rehearsed.until(is_countered))
    (coup,) = listener.events("countered")
    assert coup["seat"] == 1
    name = listener.table["seats"][1]["name"]
    expect(visitor.page.locator(".moment.coup")).to_have_text(
        re.compile(rf"^\s*\+400\s+Coup fourré!\s*{name}\s*$")
    )


def is_countered(match: Match) -> bool:
    """Has the other side called a coup fourré?"""
    assert match.hand is not None
    return any(isinstance(one, Countered) and one.seat == 1 for one in match.hand.history)


def begin(visitor: Visitor, rehearsed: Rehearsed) -> None:
    visitor.know("sunday-driver")
    visitor.open(f"/t/{visitor.new_table(**rehearsed.settings)}")
    visitor.page.get_by_role("button", name="Fill with bots and start").click()


def play_until(listener: Listener, way: Mouse, rehearsed: Rehearsed, moves: int) -> None:
    """Make so many moves, and wait for the next question."""
    for decision in rehearsed.decisions[:moves]:
        listener.until(lambda: is_asked(listener))
        act(listener, way, decision.move)
    listener.until(lambda: is_asked(listener) or is_over(listener))


def is_crosswise(page: Page, title: str) -> bool:
    """Does the card lie there on its side?"""
    card = page.get_by_title(title).locator(".card").first
    box = card.bounding_box()
    assert box is not None
    return box["width"] > box["height"]


# The finish


@pytest.mark.parametrize("still", [False, True])
def test_the_car_crosses_the_line(visit: Visit, still: bool) -> None:
    visitor = visit(still=still)
    page = visitor.page
    listener, way = Listener(page), Mouse(page)
    rehearsed = rehearse(QUICK)
    begin(visitor, rehearsed)
    play_until(listener, way, rehearsed, len(rehearsed.decisions))
    assert is_over(listener)
    side = listener.table["hand"]["completed_by"]
    assert side is not None
    # A car in its lane is past the line, and no other is.
    page.wait_for_function(f"() => ({BEYOND})().join() === '{side}'")
    expect(page.locator(".road .flag")).to_be_visible()
    expect(page.locator(".road .flag.waving")).to_have_count(0 if still else 1)
    expect(page.locator(".road .celebration.hand .bunting")).to_be_visible()
    if still:
        expect(page.locator(".road .celebration i")).to_have_count(0)
        assert page.evaluate(MOVING) == 0
    else:
        assert page.locator(".road .celebration i").count() > 0
    expect(page.get_by_role("dialog", name="Hand 1")).to_be_visible()

    # It stands there, too, for a page that is opened later; nothing moves again.
    page.reload()
    expect(page.get_by_role("dialog", name="Hand 1")).to_be_visible()
    page.wait_for_function(f"() => ({BEYOND})().join() === '{side}'")
    expect(page.locator(".road .celebration.hand .bunting")).to_be_visible()
    expect(page.locator(".road .flag.waving")).to_have_count(0)
    expect(page.locator(".road .celebration i")).to_have_count(0)


BEYOND = """
  () => [...document.querySelectorAll('.road .lane')].flatMap((lane, side) => {
    const line = document.querySelector('.road .finish').getBoundingClientRect();
    const road = document.querySelector('.road .picture').getBoundingClientRect();
    const car = lane.querySelector('.mover .car').getBoundingClientRect();
    return car.left >= line.right && car.right <= road.right ? [side] : [];
  })
"""
"""The lanes of all cars that are past the line, and still on the road."""
MOVING = """
  document.getAnimations().filter(({ effect }) => effect.target.closest('.road, .moment')).length
"""


def test_each_end_is_told_apart(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    forger = at_turn(visitor)
    plate = page.locator(".moment")

    def end(what: str, completed_by: int | None, winner: int | None = None) -> None:
        def change(table: dict[str, Any]) -> None:
            table["asked"] |= {"what": what, "winner": winner}
            table["hand"] |= {"completed_by": completed_by, "sheets": [SHEET, SHEET]}

        forger.show(change)

    end("next", None)
    expect(page.locator(".celebration")).to_have_count(0)
    end("next", 1)
    expect(page.locator(".celebration.hand")).to_be_visible()
    end("over", 1, 1)
    expect(page.locator(".celebration.hand")).to_be_visible()
    end("over", 1, 0)
    expect(page.locator(".celebration.match")).to_be_visible()

    for event, kind, text in (
        (hand_ended(None), "news", "All the cards are gone. The hand is over."),
        (hand_ended(0), "finish", "Trip completed!"),
        (hand_ended(0, 500), "finish", r"\+500 Shut-out!"),
        (match_ended(0), "win", "You win the match with 5000 points!"),
        (match_ended(1), "news", f"{LONG} wins the match with 3000 points."),
    ):
        page.keyboard.press("Shift")  # whoever goes on has seen the last one
        expect(plate).to_have_count(0)
        forger.show(name_the_other, event)
        expect(plate).to_have_class(re.compile(rf"\b{kind}\b"))
        expect(plate).to_have_text(re.compile(rf"^\s*{text}\s*$"))


SHEET = dict.fromkeys(
    (
        "miles",
        "safeties",
        "all_four",
        "coups_fourres",
        "trip",
        "delayed_action",
        "safe_trip",
        "shut_out",
        "extension",
        "total",
    ),
    0,
)


def hand_ended(completed_by: int | None, shut_out: int = 0) -> dict[str, Any]:
    sheets = [{**SHEET, "shut_out": shut_out}] * 8
    totals = [0] * 8
    return {
        "type": "hand_ended",
        "completed_by": completed_by,
        "sheets": sheets,
        "totals": totals,
    }


def match_ended(winner: int) -> dict[str, Any]:
    return {"type": "match_ended", "totals": [5000, 3000, *[0] * 6], "winner": winner}


def countered(seat: int, sides: int) -> dict[str, Any]:
    called = {"type": "countered", "seat": seat, "side": seat % sides}
    return {**called, "card": "ROW", "hazard": "STOP", "cleared": []}


# Where the plate lies


SIZES = [(360, 640), (390, 844), (1366, 768), (320, 550), (844, 390)]
BOXES = """
  () => ['.in-play > .road', '.hand', '.status', '.moment .plate'].map((name) => {
    const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect();
    return [name, [left, top, right, bottom]];
  })
"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("players", [2, 8])
def test_the_plate_hides_neither_road_nor_hand_nor_status(visit: Visit, players: int) -> None:
    visitor = visit()
    page = visitor.page
    edition = {"players": 8, "edition": "dujardin-2019", "teams": False} if players == 8 else {}
    forger = at_turn(visitor, **edition)
    forger.show(name_the_other)
    expect(page.get_by_title(LONG)).not_to_have_count(0)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"innerWidth === {width} && innerHeight === {height}")
        page.evaluate(DRAWN)
        for event in (
            countered(0, players),
            countered(players - 1, players),
            {"type": "extended", "seat": 1},
            hand_ended(1, 500),
            hand_ended(None),
            match_ended(0),
            match_ended(1),
        ):
            where = f"{event} at {width}x{height}"
            page.mouse.down()  # whoever touches the table goes on
            page.mouse.up()
            assert page.locator(".moment").count() == 0, where
            before = page.evaluate(PLACES)
            forger.show(name_the_other, event)
            expect(page.locator(".moment")).to_be_visible()
            boxes = dict(page.evaluate(BOXES))
            plate = boxes.pop(".moment .plate")
            for name, box in boxes.items():
                assert not do_meet(plate, box), f"over {name}: {where}"
            assert plate[0] >= 0, where
            assert plate[2] <= width, where
            # Nothing has moved for it.
            assert page.evaluate(PLACES) == before, where


PLACES = """
  () => [...document.querySelectorAll('.in-play > *:not(.moment)')].map((part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    return [part.className, left, top, width, height];
  })
"""


def at_turn(visitor: Visitor, **settings: Any) -> Forger:
    """It is our turn at a table of bots."""
    forger = Forger(visitor.page)
    table = visitor.new_table(**{"practice": True, "seed": "layout", **settings})
    visitor.open(f"/t/{table}")
    visitor.page.get_by_role("button", name="Fill with bots and start").click()
    visitor.page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    return forger


def name_the_other(table: dict[str, Any]) -> None:
    """As long as a name may be."""
    table["seats"][1]["name"] = LONG
    table["seats"][-1]["name"] = LONG


def do_meet(one: list[float], other: list[float]) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 0.5 and down > 0.5
