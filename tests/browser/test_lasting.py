"""Nothing is forgotten: words and events outlast a page, a cut line is told, a seat comes back."""

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .test_together import LOST, SHORT, Person, at_a_table, catch_up, play, play_some_more, start


def lines_of(person: Person) -> list[str]:
    return person.page.get_by_role("log", name="What happened").locator("p").all_text_contents()


def test_chat_and_earlier_hands_survive_a_reload_also_on_another_device(visit: Visit) -> None:
    people = zoe, max_, _ = at_a_table(visit, SHORT)
    start(people)
    zoe.say("First hand!")
    play((zoe, max_), lambda: False)
    for person in (zoe, max_):
        # Not the button on the table, over which the score sheet is about to open.
        person.page.get_by_role("dialog").get_by_role("button", name="Next hand").click()
    for person in people:
        person.hear_hand(2)
    # A single card ends no hand.
    play((zoe, max_), lambda: zoe.is_asked() or max_.is_asked())
    (zoe if zoe.is_asked() else max_).act()
    catch_up(people)
    for person in people:
        before = lines_of(person)
        assert any("The hand is over" in line for line in before), person.name
        # Another device of the same guest knows nothing but who they are.
        person.page.evaluate("localStorage.removeItem('millebornes.tables')")
        with person.page.expect_event("websocket"):
            person.page.reload()
        expect(person.chat).to_contain_text("First hand!")
        log = person.page.get_by_role("log", name="What happened")
        expect(log.locator("h3")).to_have_text(["Hand 1", "Hand 2"])
        # The verdict on a shuffle is this page's own: only a page that saw the deal has it.
        story = [line for line in before if "shuffle" not in line and "onnect" not in line]
        told = [line for line in lines_of(person) if "shuffle" not in line and "onnect" not in line]
        assert told[-len(story) :] == story, person.name


def test_whoever_comes_later_reads_only_from_then(visit: Visit) -> None:
    people = zoe, max_, _ = at_a_table(visit)
    start(people)
    zoe.say("Before Tom came")
    expect(max_.chat).to_contain_text("Before Tom came")
    tom = Person(visit(), "Tom")
    tom.page.goto(zoe.page.url)
    tom.page.get_by_label("Your name").fill("Tom")
    tom.page.get_by_role("button", name="Watch", exact=True).click()
    tom.hear_hand()
    max_.say("After Tom came")
    expect(tom.chat).to_contain_text("After Tom came")
    for _ in range(2):
        expect(tom.chat).not_to_contain_text("Before Tom came")
        tom.page.reload()
        expect(tom.chat).to_contain_text("After Tom came")


def test_a_line_that_is_cut_is_noticed_at_once_and_told_to_the_others(visit: Visit) -> None:
    people = zoe, max_, _ = at_a_table(visit)
    start(people)
    zoe.visitor.forgive("ERR_INTERNET_DISCONNECTED|WebSocket connection")
    zoe.visitor.context.set_offline(True)
    expect(zoe.page.get_by_text(LOST)).to_be_visible()
    log = max_.page.get_by_role("log", name="What happened")
    expect(log.get_by_text("Zoé has lost the connection.")).to_have_count(1)
    zoe.visitor.context.set_offline(False)
    expect(zoe.page.get_by_text(LOST)).to_be_hidden()
    catch_up(people)
    play_some_more(people)


@pytest.mark.parametrize("is_opened_again", [False, True], ids=["touched", "opened again"])
def test_after_a_missed_clock_the_seat_comes_back(visit: Visit, is_opened_again: bool) -> None:
    zoe = Person(visit(), "Zoé")
    # The first thing that is asked here is a turn: an attack would wait for someone alone.
    table = zoe.visitor.new_table(practice=True, seed="1954", clock=5000, pace=3000)
    zoe.visitor.open(f"/t/{table}")
    zoe.page.get_by_role("button", name="Fill with bots and start").click()
    zoe.listener.until(lambda: "bot_plays_on" in told(zoe))
    if is_opened_again:
        zoe.page.goto("/")
        with zoe.page.expect_event("websocket"):
            zoe.page.goto(f"/t/{table}")
    else:
        zoe.page.keyboard.press("Shift")
    zoe.listener.until(lambda: "returned" in told(zoe))


def told(person: Person) -> list[str]:
    """What a page was told that is not part of the game."""
    return [event["code"] for event in person.listener.events("told")]


def test_the_mark_of_the_card_just_drawn_survives_a_reload(visit: Visit) -> None:
    zoe = Person(visit(), "Zoé")
    table = zoe.visitor.new_table(practice=True, seed="1954")
    zoe.visitor.open(f"/t/{table}")
    zoe.page.get_by_role("button", name="Fill with bots and start").click()
    zoe.listener.until(lambda: bool(zoe.listener.frames) and zoe.is_asked())
    drawn = zoe.page.locator(".drawn [data-card]")
    expect(drawn).to_have_count(1)
    card = drawn.get_attribute("data-card")
    for is_new_device in (False, True):
        if is_new_device:
            zoe.page.evaluate("localStorage.removeItem('millebornes.tables')")
        zoe.page.reload()
        expect(drawn).to_have_attribute("data-card", str(card))
