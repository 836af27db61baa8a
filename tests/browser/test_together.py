"""Two people and a spectator at one table, each in a browser of their own."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server_process import ServerProcess

from .conftest import Visit
from .listener import Listener
from .playing import ENGLISH, LET_IT_STAND, Mouse, act, choose, is_asked, is_over, see_hand
from .proxy import Proxy, proxy_to
from .visitor import Visitor

LIVELY = """
parent = "winning-moves"
hands = 1
tie = "drawn"
trip = { 2 = 100 }
hazards_removed_at = []
battle_hazard_on = "started"
"""
"""One hand that is soon extended, with every hazard: nearly always with a coup fourré."""
SHORT = """
parent = "winning-moves"
hands = 2
tie = "drawn"
trip = { 2 = 100 }
extension_at = [3]
"""
"""Two hands that are soon over."""
MOST_MATCHES = 6
WINDOW = 60_000
"""Time to answer an attack: enough on any machine."""
LOST = "Connection lost. Trying again…"
TAKE_BACK = "Take your seat back"
NO_PROXIES: Mapping[str, Proxy] = {}


Choose = Callable[[Sequence[str]], str]


class Person:
    """Someone at the table: a page, its frames, and a mouse."""

    def __init__(self, visitor: Visitor, name: str) -> None:
        self.visitor = visitor
        self.name = name
        self.page = visitor.page
        self.listener = Listener(self.page)
        self.way = Mouse(self.page)

    @property
    def chat(self) -> Locator:
        """The chat."""
        return self.page.get_by_role("group", name="Chat")

    @property
    def seen(self) -> int:
        """The seq of the last frame that the page has received."""
        return int(self.listener.frames[-1]["seq"])

    def hear_hand(self, number: int = 1) -> None:
        """Until cards have been dealt, and are not counted yet."""
        self.listener.until(lambda: self._is_dealt(number))

    def _is_dealt(self, number: int) -> bool:
        hand = self.listener.table["hand"] if self.listener.frames else None
        return hand is not None and hand["number"] == number and not is_over(self.listener)

    def hear(self, frame: int) -> None:
        """Wait until the page has received the frame with this seq."""
        self.listener.until(lambda: self.seen >= frame)

    def is_asked(self) -> bool:
        return is_asked(self.listener)

    def act(self, how: Choose = choose) -> None:
        """Do something that is allowed now."""
        act(self.listener, self.way, how(self.listener.clear_moves))

    def say(self, text: str) -> None:
        self.page.get_by_label("Message").fill(text)
        self.page.get_by_role("button", name="Send").click()

    def come(self, link: str, how: str) -> None:
        """Come to a table by its link."""
        self.page.goto(link)
        expect(self.page.get_by_role("heading", level=1)).to_have_text(re.compile("Zoé"))
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("button", name=how, exact=True).click()
        expect(self.page.get_by_role("heading", name="Before the start")).to_be_visible()


def at_a_table(
    visit: Visit, rules: str = LIVELY, proxies: Mapping[str, Proxy] = NO_PROXIES
) -> tuple[Person, Person, Person]:
    """Zoé has opened a table and passed its link on: Max sits down, Ida watches."""
    zoe, max_, ida = (Person(visit(), name) for name in ("Zoé", "Max", "Ida"))
    table = zoe.visitor.new_table(house_rules=rules, window=WINDOW)
    zoe.visitor.open(f"/t/{table}")
    link = zoe.page.get_by_label("Link to this table").input_value()
    for person, how in ((max_, "Join"), (ida, "Watch")):
        if proxy := proxies.get(person.name):
            person.visitor.forgive(f"another machine: {proxy.url}")
        person.come(f"{proxy.url}/t/{table}" if proxy else link, how)
    return zoe, max_, ida


def start(people: Sequence[Person]) -> None:
    for person in people:
        seats = person.page.get_by_role("region", name="Seats")
        expect(seats).to_contain_text("Zoé")
        expect(seats).to_contain_text("Max")
    host = people[0]
    expect(host.page.get_by_role("region", name="Watching")).to_contain_text("Ida")
    host.page.get_by_role("button", name="Start", exact=True).click()
    for person in people:
        person.hear_hand()


def _glance(_: Person) -> None:
    """Look at nothing in particular."""


def play(
    players: Sequence[Person],
    is_enough: Callable[[], bool],
    how: Choose = choose,
    look: Callable[[Person], None] = _glance,
) -> None:
    """Each page answers what its own socket asks, until it is enough or the hand is over."""
    while not is_enough() and not is_over(players[0].listener):
        on_turn = next((person for person in players if person.is_asked()), None)
        if on_turn is not None:
            look(on_turn)
            on_turn.act(how)
        else:
            # The page that is furthest behind will receive more.
            last = min(players, key=lambda person: person.seen)
            last.hear(last.seen + 1)


def drive(moves: Sequence[str]) -> str:
    """The shortest way to the end of a hand."""
    own = [move for move in moves if move[0] not in "x-" and ">" not in move]
    return max((move for move in own if move.isdigit()), key=int, default=(own or moves)[0])


def catch_up(people: Sequence[Person]) -> None:
    """Wait until every page has received the same frames."""
    newest = max(person.seen for person in people)
    for person in people:
        person.hear(newest)


def mark(people: Sequence[Person]) -> None:
    for person in people:
        person.page.evaluate("window.marked = true")


def check_marks(people: Sequence[Person]) -> None:
    """No page was reloaded, and none missed a frame or received one twice."""
    for person in people:
        assert person.page.evaluate("window.marked === true"), f"{person.name} was reloaded"
        numbers = [frame["seq"] for frame in person.listener.frames]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), person.name


def test_two_people_play_and_one_watches(visit: Visit) -> None:
    """Until a coup fourré and an extension have been called, in one hand or another."""
    people = zoe, max_, ida = at_a_table(visit)
    start(people)
    witness = Witness(people)
    for _ in range(MOST_MATCHES):
        play((zoe, max_), witness.has_seen_all, look=witness.look)
        if witness.has_seen_all():
            break
        catch_up(people)
        see_the_end(people)
        play_again(people)
    assert witness.has_seen_all()
    log = ida.page.get_by_role("log")
    expect(log).to_contain_text(re.compile("Coup fourré! (Zoé|Max) answers"))
    expect(log).to_contain_text(re.compile("(Zoé|Max) calls the extension"))


class Witness:
    """Looks at the great moments of a game on the pages of those who have them."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.people = people
        self.seen: set[str] = set()

    def has_seen_all(self) -> bool:
        return self.seen >= {"attacked", "attacked with an answer", "crosswise", "extension"}

    def look(self, person: Person) -> None:
        """Before this person acts."""
        asked = person.listener.asked
        assert asked is not None
        if asked["what"] == "window":
            self._see_attack(person)
        elif asked["what"] == "extension":
            self._see_choice(person)
        for side in person.listener.table["hand"]["sides"]:
            for card in side["crosswise"]:
                self._see_crosswise(card)

    def _see_attack(self, person: Person) -> None:
        """The same time with the safety and without; with it, a button to call it."""
        asked = person.listener.asked
        assert asked is not None
        opened = next(
            frame
            for frame in person.listener.frames
            if (frame["table"]["asked"] or {}).get("decision") == asked["decision"]
        )
        assert asked["deadline"] - opened["now"] == WINDOW
        buttons = person.page.get_by_role("button")
        has_answer = any(move.endswith("!") for move in person.listener.moves)
        words = LET_IT_STAND if has_answer else "Continue"
        go_on = buttons.filter(has_text=re.compile(f"^\\s*{words}\\s*$"))
        expect(go_on).to_be_enabled()
        expect(person.page.locator(".status .ring")).to_be_visible()
        call = buttons.filter(has_text="Coup fourré!")
        if has_answer:
            expect(call).to_be_enabled()
            assert area(call) >= area(go_on)
        else:
            expect(call).to_have_count(0)
        self.seen.add("attacked with an answer" if has_answer else "attacked")

    def _see_choice(self, person: Person) -> None:
        """What is at stake stands beside the choice; the others hear who decides."""
        question = "Finish the hand, or extend the trip to 1000?"
        stakes = person.page.get_by_role("region", name=question).get_by_role("listitem")
        expect(stakes).to_have_count(len(person.listener.table["hand"]["stakes"]))
        expect(stakes.first).to_have_text(re.compile(r"\d"))
        decides = f"{person.name} has completed the trip and decides: finish or extend?"
        for other in self.people:
            if other is not person:
                expect(other.page.get_by_text(decides, exact=True)).to_be_visible()
        self.seen.add("extension")

    def _see_crosswise(self, card: str) -> None:
        if "crosswise" in self.seen:
            return
        title = f"{ENGLISH.card(card)}: laid as a coup fourré"
        for person in self.people:
            expect(person.page.get_by_title(title)).to_be_visible()
        self.seen.add("crosswise")


def area(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return box["width"] * box["height"]


def test_everybody_checks_the_shuffle_and_plays_again(visit: Visit) -> None:
    people = zoe, max_, _ = at_a_table(visit, SHORT)
    start(people)
    play((zoe, max_), lambda: False, drive)
    catch_up(people)
    go_to_the_next_hand(people)
    play((zoe, max_), lambda: False, drive)
    catch_up(people)
    see_the_end(people, "hand 1 and 2")
    play_again(people)


def go_to_the_next_hand(people: Sequence[Person]) -> None:
    """Both must have seen the sheet; then it goes, and what was scored is brought forward."""
    points = [side["points"] for side in people[0].listener.table["hand"]["sides"]]
    assert max(points) > 0
    sheets = [person.page.get_by_role("dialog", name="Hand 1") for person in people]
    for sheet in sheets:
        expect(sheet).to_contain_text("Shuffle verified: hand 1")
    expect(sheets[2]).to_contain_text("Waiting for Zoé and Max.")
    expect(sheets[2].get_by_role("button", name="Next hand")).to_have_count(0)

    next_hand = [sheet.get_by_role("button", name="Next hand") for sheet in sheets]
    next_hand[0].click()
    expect(next_hand[0]).to_be_disabled()
    expect(sheets[0]).to_contain_text("Waiting for Max.")
    expect(sheets[1]).not_to_contain_text("Waiting for")
    expect(next_hand[1]).to_be_enabled()
    next_hand[1].click()
    for person, sheet in zip(people, sheets, strict=True):
        person.hear_hand(2)
        expect(sheet).to_be_hidden()
        hand = person.listener.table["hand"]
        assert [side["points"] for side in hand["sides"]] == points
        expect(person.page.get_by_text("Hand 2 of 2", exact=True)).to_be_visible()


def see_the_end(people: Sequence[Person], verified: str = "hand 1") -> None:
    """Every page shows the score sheet, and has checked the shuffle itself."""
    for person in people:
        sheet = person.page.get_by_role("dialog", name="The match is over")
        expect(sheet).to_contain_text(re.compile(r"wins? with [\d,]+ points!|A draw"))
        expect(sheet).to_contain_text(f"Shuffle verified: {verified}")
        hand = person.listener.table["hand"]
        totals = [side["points"] for side in hand["sides"]]
        if person.listener.table["you"] == 1:
            totals.reverse()  # one's own side comes first
        cells = sheet.get_by_role("row", name="Combined total").get_by_role("cell")
        for at, points in enumerate(totals):
            expect(cells.nth(len(totals) * (hand["number"] - 1) + at)).to_have_text(f"{points:,}")


def play_again(people: Sequence[Person]) -> None:
    """Both want a rematch: everybody moves one seat on, and new cards are dealt."""
    zoe, max_, _ = people
    seats = zoe.listener.table["you"], max_.listener.table["you"]
    rematch(zoe.page).click()
    expect(max_.page.get_by_role("dialog")).to_contain_text("Rematch wanted by: Zoé")
    rematch(max_.page).click()
    for person in people:
        person.hear_hand()
        expect(person.page.get_by_role("dialog")).to_be_hidden()
    assert (max_.listener.table["you"], zoe.listener.table["you"]) == seats


def rematch(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_role("button", name="Rematch")


def test_what_people_say_is_heard_unless_it_is_muted(visit: Visit) -> None:
    people = zoe, max_, ida = at_a_table(visit)
    start(people)
    max_.say("Bonjour à tous")
    for person in people:
        expect(person.chat).to_contain_text("Bonjour à tous")
    max_.page.get_by_role("button", name="Reactions").click()
    max_.page.get_by_role("button", name="Bravo!").click()
    for person in people:
        expect(person.chat).to_contain_text("Bravo!")

    zoe.page.get_by_role("button", name="Mute", exact=True).click()
    zoe.page.get_by_role("button", name="Mute Max", exact=True).click()
    expect(zoe.page.get_by_role("listitem").filter(has_text="Max muted")).to_be_visible()
    max_.say("Is anyone there?")
    expect(ida.chat).to_contain_text("Is anyone there?")
    ida.say("I hear you")
    expect(zoe.chat).to_contain_text("I hear you")
    expect(zoe.chat).not_to_contain_text("Is anyone there?")

    zoe.page.get_by_role("button", name="Unmute Max").click()
    expect(zoe.page.get_by_role("button", name="Mute Max", exact=True)).to_be_visible()
    max_.say("And now?")
    expect(zoe.chat).to_contain_text("And now?")


@pytest.mark.parametrize("name", ["Max", "Ida"])
def test_a_cut_connection_comes_back_without_a_reload(
    visit: Visit, server: ServerProcess, name: str
) -> None:
    with proxy_to(server.port) as proxy:
        people = zoe, max_, _ = at_a_table(visit, proxies={name: proxy})
        lost = next(person for person in people if person.name == name)
        start(people)
        mark(people)
        play((zoe, max_), zoe.is_asked)
        with lost.visitor.without_server():
            proxy.cut()
            expect(lost.page.get_by_text(LOST)).to_be_visible()
            # The table goes on without them, and they hear of it when they are back.
            zoe.say("Where are you?")
            zoe.act()
            proxy.mend()
            catch_up(people)
        expect(lost.page.get_by_text(LOST)).to_be_hidden()
        expect(lost.chat).to_contain_text("Where are you?")
        play_some_more(people)
        check_marks(people)


def test_a_page_that_is_loaded_again_shows_the_hand_and_its_story(visit: Visit) -> None:
    people = zoe, max_, _ = at_a_table(visit)
    start(people)
    play((zoe, max_), lambda: zoe.is_asked() and len(zoe.listener.events("drawn")) > 4)
    cards, last = sorted(zoe.listener.table["hand"]["cards"]), zoe.seen
    see_hand(zoe.page, len(cards))
    log = zoe.page.get_by_role("log").locator("p")
    lines = log.all_text_contents()
    story = lines[next(at for at, line in enumerate(lines) if line.startswith("Hand 1")) :]
    assert len(story) > 4

    heard = len(zoe.listener.frames)
    with zoe.page.expect_event("websocket"):
        zoe.page.reload()
    zoe.listener.until(lambda: len(zoe.listener.frames) > heard and zoe.seen >= last)
    see_hand(zoe.page, len(cards))
    assert sorted(zoe.listener.table["hand"]["cards"]) == cards
    expect(log.filter(has_text=story[-1])).not_to_have_count(0)
    assert [line for line in log.all_text_contents() if line in story] == story
    play_some_more(people)


def test_a_bot_plays_on_when_time_runs_out_and_the_seat_is_taken_back(visit: Visit) -> None:
    zoe = Person(visit(), "Zoé")
    # Time enough to play in, once she is back; bots take theirs, so that there is a hand left.
    table = zoe.visitor.new_table(clock=10_000, pace=4000, window=WINDOW)
    zoe.visitor.open(f"/t/{table}")
    zoe.page.get_by_role("button", name="Fill with bots and start").click()
    zoe.hear_hand()
    take_back = zoe.page.get_by_role("button", name=TAKE_BACK)
    take_back.click()
    expect(take_back).to_be_hidden()
    # Not an attack: alone with bots, what cannot be answered passes by itself.
    zoe.listener.until(
        lambda: (
            zoe.is_asked()
            and zoe.listener.table["asked"]["what"] == "turn"
            and not zoe.listener.table["seats"][0]["away"]
        )
    )
    zoe.act()
    told = [event["code"] for event in zoe.listener.events("told") if event["seat"] == 0]
    assert [code for code in told if code in ("bot_plays_on", "returned")] == [
        "bot_plays_on",
        "returned",
    ]


def test_a_killed_server_comes_back_and_nothing_is_lost(
    visit: Visit, server: ServerProcess
) -> None:
    people = zoe, max_, _ = at_a_table(visit)
    start(people)
    mark(people)
    play((zoe, max_), zoe.is_asked)
    catch_up(people)
    discard = choose([move for move in zoe.listener.moves if move.startswith("x")])
    cards = zoe.listener.table["hand"]["cards"]
    with ExitStack() as away:
        for person in people:
            away.enter_context(person.visitor.without_server())
        server.kill()
        for person in people:
            expect(person.page.get_by_text(LOST)).to_be_visible()
        # What is done meanwhile is done.
        see_hand(zoe.page, len(cards))
        zoe.way.lay(discard, None)
        server.start()
        max_.listener.until(max_.is_asked)
        catch_up(people)
    for person in people:
        expect(person.page.get_by_text(LOST)).to_be_hidden()
        discarded = [event["card"] for event in person.listener.events("discarded")]
        assert discarded == [discard.removeprefix("x")], person.name
    play_some_more(people)
    check_marks(people)


def play_some_more(people: Sequence[Person]) -> None:
    """Both players have another turn, and all have seen it."""
    zoe, max_, _ = people
    for person in (zoe, max_, zoe):
        play((zoe, max_), person.is_asked)
        person.act()
    catch_up(people)


def test_a_second_tab_takes_over_and_the_first_can_take_it_back(visit: Visit) -> None:
    people = zoe, max_, _ = at_a_table(visit)
    start(people)
    play((zoe, max_), zoe.is_asked)
    elsewhere = "This table is open in another window"

    tab = zoe.visitor.new_page()
    listener, way = Listener(tab), Mouse(tab)
    tab.goto(zoe.page.url)
    expect(zoe.page.get_by_role("heading", name=elsewhere)).to_be_visible()
    listener.until(lambda: is_asked(listener))
    act(listener, way, choose(listener.clear_moves))
    max_.hear(listener.frames[-1]["seq"])

    zoe.page.get_by_role("button", name="Play here").click()
    expect(tab.get_by_role("heading", name=elsewhere)).to_be_visible()
    zoe.hear(listener.frames[-1]["seq"])
    tab.close()
    play_some_more(people)
