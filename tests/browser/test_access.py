"""Accessibility: axe-core, the keyboard, and what a screen reader announces."""

import json
import re
from functools import cache
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from .conftest import Visit
from .player import Player, said
from .rehearsal import SHORT, Rehearsed, holds_answer, is_extension, rehearse
from .visitor import AXE, Device

Language = Literal["en", "fr"]
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])

SPRINT = """
parent = "winning-moves"
name = "Sprint"
trip = {2 = 100}
extension_at = []
"""
"""A hand of a few cards, and others after it."""
ONE_SPRINT = f"{SPRINT}hands = 1\ntie = 'drawn'\n"
"""A hand of a few cards."""

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SETTLED = """
async (theme) => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let frames = 0; document.documentElement.dataset.theme !== theme; frames += 1) {
    if (frames > 3000) throw new Error(`the theme is not ${theme}`);
    await frame();
  }
  // One colour may set off the next. Only the time for an answer runs for longer than this.
  const isShort = ({ effect, playState }) =>
    playState === 'running' && effect.getComputedTiming().endTime < 5000;
  let running;
  do {
    await frame();
    await frame();
    running = document.getAnimations().filter(isShort);
    await Promise.allSettled(running.map(({ finished }) => finished));
  } while (running.length > 0);
}
"""
"""Colours have arrived where they were going to."""


@cache
def attacked_then_arrived() -> Rehearsed:
    """The first seat is attacked and holds the answer; later it completes the trip."""
    return rehearse(SHORT, holds_answer, is_extension)


@cache
def soon_over() -> Rehearsed:
    return rehearse(SPRINT, seeds=20)


class Checked:
    """Screens of one language that axe-core looks at, each by day and at night."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def see(self, page: Page, screen: str) -> None:
        """Look at the page as it is now."""
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE.read_text(encoding="utf-8"))
        for theme in THEMES:
            # Without the grain: of text over a picture axe-core cannot tell.
            page.emulate_media(color_scheme=theme, contrast="more", reduced_motion="reduce")
            page.evaluate(SETTLED, theme)
            result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
            self.found += [
                f"{screen}, {theme}: {violation['id']} at {node['target']}: {node['html'][:160]}"
                f" {node['failureSummary']}"
                for violation in result["violations"]
                for node in violation["nodes"]
            ]

    def verdict(self) -> None:
        """Nothing was found on any screen."""
        assert not self.found, "\n".join(self.found)


def open_dialog(player: Player, item: str) -> None:
    """Through the menu of the table."""
    texts = player.words["web"]["table"]
    player.button(texts["menu"]).click()
    player.page.get_by_role("dialog").get_by_role("button", name=texts[item], exact=True).click()


def close_dialog(player: Player) -> None:
    player.page.keyboard.press("Escape")
    # The browser closes it at once; the page hears of that later, and then moves the focus.
    expect(player.page.locator("dialog")).to_have_count(0)


@LANGUAGES
def test_nothing_is_wrong_before_a_game(visit: Visit, language: Language) -> None:
    checked = Checked()
    host = visit(language=language)
    player = Player(host)
    page, web = player.page, said(language)["web"]

    # A game that is over, one that is being played, and a table that waits for people
    rehearsed = attacked_then_arrived()
    player.sit_down(**rehearsed.settings)
    for decision in rehearsed.decisions:
        player.until(lambda: player.asked)
        player.play(decision.move)
    player.sit_down(practice=True, seed="home")
    table = host.new_table(players=4, is_open=True)

    host.open("/")
    expect(page.get_by_role("heading", name=web["home"]["recent"])).to_be_visible()
    expect(page.get_by_role("heading", name=web["home"]["continue_here"])).to_be_visible()
    page.locator("summary").click()
    checked.see(page, "home")
    player.button(web["home"]["how"]).click()
    checked.see(page, "how to play")
    close_dialog(player)
    player.button(web["home"]["memo"]).click()
    checked.see(page, "memo card")
    close_dialog(player)
    player.button(web["page"]["settings"]).click()
    player.button(web["settings"]["code_make"]).click()
    code = page.get_by_label(web["settings"]["code"], exact=True).input_value()
    checked.see(page, "settings with a code for another device")
    close_dialog(player)
    host.open(f"/#device={code}")
    page.get_by_role("dialog", name=web["home"]["device"]).wait_for()
    checked.see(page, "a code is used")
    player.button(web["home"]["device_no"]).click()
    host.forgive("404")
    host.open("/nowhere")
    expect(page.get_by_role("heading", name=web["lost"]["title"])).to_be_visible()
    checked.see(page, "no such page")

    host.open("/new")
    page.get_by_role("radio", name=web["editions"]["dujardin-2019"]).check()
    page.locator("summary").first.click()
    page.get_by_role("heading", name=web["new"]["house"], exact=True).click()
    player.is_shown(web["new"]["house_how"].format(edition=web["editions"]["dujardin-2019"]))
    for group in ("deal", "safeties", "end", "points"):
        title = said(language)["rule_forms"][group]["title"]
        page.get_by_role("heading", name=title, exact=True).click()
    page.get_by_role("heading", name=web["new"]["advanced"]).click()
    players = page.get_by_role("group", name=web["new"]["players"], exact=True)
    players.get_by_role("radio", name="8").check()
    bots = page.get_by_role("group", name=web["new"]["bots"], exact=True)
    bots.get_by_role("radio", name="2", exact=True).check()
    checked.see(page, "new table")
    page.get_by_role("checkbox", name=web["bots"]["each"]).check()
    checked.see(page, "new table with a level for each bot")
    player.button(web["new"]["all_rules"]).click()
    checked.see(page, "rules of a new table")
    close_dialog(player)
    host.forgive("400")
    page.get_by_role("textbox", name=web["new"]["house_text"]).fill("max_200s = many")
    expect(page.get_by_role("textbox", name=web["new"]["house_text"])).to_have_attribute(
        "aria-invalid", "true"
    )
    checked.see(page, "house rules that cannot be")

    host.open(f"/t/{table}")
    expect(page.get_by_role("img", name=web["invite"]["qr_label"])).to_be_visible()
    player.button(web["chat"]["emotes"]).click()
    checked.see(page, "lobby")
    player.button(web["lobby"]["add_bot_at"].format(number=2)).click()
    checked.see(page, "a bot for a seat")
    close_dialog(player)
    for item in ("rules", "memo"):
        player.button(web["lobby"][item]).click()
        expect(page.get_by_role("dialog").get_by_role("table").first).to_be_visible()
        checked.see(page, f"{item} in the lobby")
        close_dialog(player)

    guest = visit(language=language, device="phone")
    guest.open(f"/t/{table}")
    expect(guest.page.get_by_role("button", name=web["join"]["join"], exact=True)).to_be_visible()
    checked.see(guest.page, "join")
    guest.page.get_by_role("button", name=web["join"]["join"], exact=True).click()
    expect(guest.page.get_by_text(web["name"]["missing"])).to_be_visible()
    checked.see(guest.page, "join without a name")
    guest.page.get_by_role("textbox", name=web["name"]["label"]).fill("Léa")
    guest.page.get_by_role("button", name=web["join"]["join"], exact=True).click()
    expect(guest.page.get_by_role("heading", name=web["lobby"]["title"])).to_be_visible()
    checked.see(guest.page, "lobby of a guest")

    guest.forgive("404")
    guest.open("/t/AAAAAAAAAAAAAAAAAAAAAA")
    expect(guest.page.get_by_role("heading", name=web["lost"]["title"])).to_be_visible()
    checked.see(guest.page, "no such table")
    checked.verdict()


@LANGUAGES
def test_nothing_is_wrong_at_the_table(visit: Visit, language: Language) -> None:
    checked = Checked()
    player = Player(visit(language=language))
    page, texts = player.page, said(language)["web"]["table"]
    rehearsed = attacked_then_arrived()
    moves = [decision.move for decision in rehearsed.decisions]
    attack, arrival = rehearsed.until(holds_answer), rehearsed.until(is_extension)
    player.visitor.know("sunday-driver", wins={"sunday-driver": 2})
    player.sit_down(**rehearsed.settings)

    is_new = True
    for at, move in enumerate(moves):
        player.until(lambda: player.asked)
        if at == 0:
            player.card(move).wait_for()
            checked.see(page, "own turn")
            player.card(move).click()
            expect(player.card(move)).to_have_attribute("aria-pressed", "true")
            checked.see(page, "a card is chosen")
            page.keyboard.press("Escape")
            page.keyboard.press("h")
            expect(page.get_by_role("button", name=hinted(texts))).to_have_count(1)
            checked.see(page, "a hint")
            safety = next(card for card in player.hand if f"x{card}" in player.doubts)
            player.card(safety).focus()
            page.keyboard.press("d")
            player.button(texts["keep"]).wait_for()
            checked.see(page, "discard a safety?")
            close_dialog(player)
            for item in ("menu", "score", "memo", "rules", "bots", "settings", "leave"):
                if item == "menu":
                    player.button(texts["menu"]).click()
                else:
                    open_dialog(player, item)
                expect(page.get_by_role("dialog").get_by_role("heading").nth(0)).to_be_visible()
                if item == "rules":
                    expect(page.get_by_role("dialog").get_by_role("table")).to_be_visible()
                checked.see(page, item)
                close_dialog(player)
        elif at == attack:
            player.button(texts["let_it_stand"]).wait_for()
            checked.see(page, "attacked")
        elif at == arrival:
            player.button(texts["extend"]).wait_for()
            checked.see(page, "the extension")
        passed = [token[1:] for token, doubt in player.doubts.items() if doubt == "winning"]
        if passed and is_new:
            is_new = False
            player.card(passed[-1]).focus()
            page.keyboard.press("d")
            player.button(texts["go_back"]).wait_for()
            checked.see(page, "pass by the winning card?")
            close_dialog(player)
        player.play(move)
    assert not is_new, "nothing was passed by"

    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    against = said(language)["web"]["level_against"]["commuter"]
    expect(dialog).to_contain_text(said(language)["web"]["bots"]["offer"].format(level=against))
    checked.see(page, "the match is over, and another level offered")
    player.button(said(language)["web"]["score"]["explain"]).click()
    checked.see(page, "the score sheet, explained")
    checked.verdict()


def hinted(texts: dict[str, str]) -> re.Pattern[str]:
    return re.compile(re.escape(texts["card_hinted"].format(name="")) + "$")


@LANGUAGES
def test_nothing_is_wrong_on_a_phone_and_with_others(visit: Visit, language: Language) -> None:
    checked = Checked()
    visitor = visit(language=language, device="small")
    player = Player(visitor)
    page, web = player.page, said(language)["web"]
    texts = web["table"]

    # A hand that is over, and others to come
    rehearsed = soon_over()
    player.sit_down(**rehearsed.settings)
    for decision in rehearsed.decisions:
        player.until(lambda: player.asked)
        player.play(decision.move)
    expect(page.get_by_role("dialog")).to_be_visible()
    checked.see(page, "a hand is over")

    # The other thinks for a while.
    player.sit_down(players=4, practice=True, seed="phone", pace=60_000)
    player.until(lambda: player.asked)
    card = page.get_by_role(
        "list", name=re.compile(f"^{texts['your_hand_count'].split('{')[0].rstrip(', ')}")
    ).get_by_role("button")
    refused = card.filter(has_not_text="\0").and_(
        page.get_by_role("button", name=re.compile(" — "))
    )
    refused.last.click()
    checked.see(page, "why not")
    player.go_along(1)
    checked.see(page, "another's turn")
    player.button(texts["log_chat"]).click()
    page.get_by_role("textbox", name=web["chat"]["label"]).fill("Salut, Max")
    page.keyboard.press("Enter")
    player.button(web["chat"]["emotes"]).click()
    player.button(web["emotes"]["haha"]).click()
    player.button(web["chat"]["emotes"]).click()
    expect(page.get_by_role("complementary").get_by_text("Salut, Max")).to_be_visible()
    checked.see(page, "log and chat")

    # The same person in another window
    other = visitor.new_page()
    other.goto(page.url)
    expect(page.get_by_role("heading", name=web["connection"]["superseded"])).to_be_visible()
    checked.see(page, "superseded")
    checked.verdict()


@LANGUAGES
def test_nothing_is_wrong_when_something_is_wrong(visit: Visit, language: Language) -> None:
    checked = Checked()
    visitor = visit(language=language)
    page, web = visitor.page, said(language)["web"]
    sockets: list[WebSocketRoute] = []

    def between(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket("**/socket*", between)
    table = visitor.new_table(practice=True, seed="trouble", players=8, edition="dujardin-2019")
    visitor.open(f"/t/{table}")
    page.get_by_role("button", name=web["lobby"]["start_fill"]).click()
    page.get_by_role("button", name=web["table"]["play"], exact=True).wait_for()

    checked.see(page, "eight at the table")

    refusal = {"type": "rejected", "code": "not_now", "sentence": "Not now."}
    sockets[-1].send(json.dumps({**refusal, "params": {}, "id": None, "table": None}))
    expect(page.get_by_text("Not now.").first).to_be_visible()
    checked.see(page, "a refusal")
    with visitor.without_server():
        visitor.server.kill()
        sockets[-1].close(code=1011)
        expect(page.get_by_text(web["connection"]["lost"])).to_be_visible()
        checked.see(page, "the connection is lost")
        visitor.server.start()
        expect(page.get_by_text(web["connection"]["lost"])).to_be_hidden()
    sockets[-1].send(json.dumps({"type": "stopping"}))
    expect(page.get_by_text(web["connection"]["stopping"])).to_be_visible()
    checked.see(page, "the server restarts")
    sockets[-1].close(code=4009, reason="idle")
    expect(page.get_by_role("heading", name=web["lost"]["closed"])).to_be_visible()
    checked.see(page, "closed")
    checked.verdict()


HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => true })"


@LANGUAGES
def test_nothing_is_wrong_for_those_who_watch_and_come_back(
    visit: Visit, language: Language
) -> None:
    checked = Checked()
    web = said(language)["web"]
    zoe, max_, ida = (Player(visit(language=language)) for _ in range(3))
    table = zoe.visitor.new_table(house_rules=ONE_SPRINT, window=60_000)
    zoe.visitor.open(f"/t/{table}")
    for player, name, button in ((max_, "Max", "join"), (ida, "Ida", "watch")):
        player.visitor.open(f"/t/{table}")
        if player is ida:
            expect(player.page.get_by_text(web["join"]["full"])).to_be_visible()
            checked.see(player.page, "a full table")
        player.page.get_by_role("textbox", name=web["name"]["label"]).fill(name)
        player.button(web["join"][button]).click()
        player.page.get_by_role("heading", name=web["lobby"]["title"]).wait_for()
    zoe.button(web["lobby"]["start"]).click()

    ida.is_shown(web["table"]["watching_only"])
    checked.see(ida.page, "a spectator's table")
    open_dialog(max_, "leave")
    max_.button(web["table"]["leave_yes"]).click()
    max_.page.wait_for_url("**/")
    # A page that nobody sees does not take the seat back by itself.
    max_.page.add_init_script(HIDDEN)
    max_.visitor.open(f"/t/{table}")
    max_.button(web["table"]["take_back"]).wait_for()
    checked.see(max_.page, "a bot plays on")
    max_.button(web["table"]["take_back"]).click()

    zoe.until(lambda: zoe.table and zoe.table["hand"])
    while now(zoe)["asked"]["what"] != "over":
        seat = now(zoe)["asked"]["seats"][0]
        player = (zoe, max_)[seat]
        player.catch_up(zoe.decision)
        player.step()
        zoe.catch_up(player.decision)
    zoe.page.get_by_role("dialog").wait_for()
    zoe.page.get_by_role("dialog").get_by_role("button", name=web["score"]["rematch"]).click()
    max_.is_shown(web["score"]["rematch_wanted"].format(names="Zoé"))
    checked.see(max_.page, "a rematch is wanted")
    checked.verdict()


def now(player: Player) -> dict[str, Any]:
    assert player.table is not None
    return player.table


# Screen readers

LISTEN = """
  window.heard = [];
  const live = '[aria-live], [role=log], [role=status], [role=alert]';
  for (const region of document.querySelectorAll(live)) {
    new MutationObserver((changes) => {
      for (const { type, addedNodes } of changes) {
        if (region.role !== 'log') window.heard.push(`${region.className}: ${region.textContent}`);
        else if (type === 'characterData') window.heard.push('a line that has changed');
        for (const node of region.role === 'log' ? addedNodes : []) {
          if (node.nodeName === 'P') window.heard.push(node.textContent);
        }
      }
    }).observe(region, { childList: true, subtree: true, characterData: true });
  }
"""
"""Records everything that a screen reader would announce by itself."""


def test_every_event_is_announced_once(visit: Visit) -> None:
    player = Player(visit())
    page, cards = player.page, said("en")["cards"]
    rehearsed = attacked_then_arrived()
    player.sit_down(**rehearsed.settings)
    log = page.get_by_role("log")
    expect(log).to_have_count(1)
    player.card("ROLL").wait_for()
    page.evaluate(LISTEN)
    before, frames = log.locator("p").count(), len(player.messages)

    for decision in rehearsed.decisions:
        player.until(lambda: player.asked)
        player.play(decision.move)
    expect(page.get_by_role("dialog")).to_be_visible()

    heard: list[str] = page.evaluate("window.heard")
    assert heard == log.locator("p").all_text_contents()[before:]
    events = [event for frame in player.messages[frames:] for event in frame["events"]]
    laid = [event for event in events if event["type"] in ("played", "discarded", "countered")]
    tellings = [line for line in heard if LAID.search(line)]
    assert len(tellings) == len(laid) >= len(rehearsed.decisions) - 1
    for line, event in zip(tellings, laid, strict=True):
        assert cards[event["card"]] in line
        assert line.startswith("You ") == (event["seat"] == 0 and event["type"] != "countered")
    assert sum("won" in line or "win" in line for line in heard) == 1


LAID = re.compile(r"^(\w+ (plays?|discards?) |Coup fourré!)")


def test_a_line_that_stays_when_older_ones_go_is_not_announced_again(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    frames: list[str | bytes] = []
    sockets: list[WebSocketRoute] = []

    def between(socket: WebSocketRoute) -> None:
        def pass_on(frame: str | bytes) -> None:
            frames.append(frame)
            socket.send(frame)

        socket.connect_to_server().on_message(pass_on)
        sockets.append(socket)

    page.route_web_socket("**/socket*", between)
    visitor.open(f"/t/{visitor.new_table(practice=True, seed='long')}")
    page.get_by_role("button", name="Fill with bots and start").click()
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    frame = json.loads(frames[-1])

    def tell(*names: str) -> None:
        for name in names:
            frame["seq"] += 1
            frame["events"] = [{"type": "told", "code": "connected", "name": name, "seat": None}]
            sockets[-1].send(json.dumps(frame))
        expect(page.get_by_role("log").get_by_text(f"{names[-1]} is here.")).to_be_attached()

    tell(*(f"Guest {number}" for number in range(510)))
    page.evaluate(LISTEN)
    tell("Zoé", "Max", "Léa")
    assert page.evaluate("window.heard") == ["Zoé is here.", "Max is here.", "Léa is here."]


def test_the_hand_is_a_list_of_cards_that_say_what_they_can_do(visit: Visit) -> None:
    player = Player(visit())
    page, cards = player.page, said("en")["cards"]
    player.sit_down(**attacked_then_arrived().settings)
    player.until(lambda: player.asked)
    assert player.table is not None
    held, moves = player.table["hand"]["cards"], player.table["hand"]["legal_moves"]
    player.card("ROLL").wait_for()

    hand = page.get_by_role("list", name="Your hand, 7 cards")
    expect(hand.get_by_role("listitem")).to_have_count(7)
    buttons = hand.get_by_role("listitem").get_by_role("button")
    names = [button.get_attribute("aria-label") or "" for button in buttons.all()]
    assert sorted(name.split(" — ")[0] for name in names) == sorted(cards[card] for card in held)
    playable = {cards[move.split(">")[0]] for move in moves if not move.startswith("x")}
    for name in names:
        card, _, can = name.partition(" — ")
        assert can.startswith("playable") == (card in playable)
        assert can.endswith(".") == (card not in playable), "a reason is a sentence"
    # One stop of the Tab key; arrows lead from card to card.
    assert [button.get_attribute("tabindex") for button in buttons.all()].count("0") == 1
    expect(hand.get_by_role("button", pressed=True)).to_have_count(0)
    player.card("ROLL").click()
    expect(hand.get_by_role("button", pressed=True)).to_have_count(1)
    expect(hand.get_by_role("button", name="Roll — playable")).to_have_attribute(
        "aria-pressed", "true"
    )


NAMELESS = re.compile(
    r"^ *- (button|link|textbox|checkbox|radio|combobox|dialog|img|log|region)\b(?! [\"/])", re.M
)


def test_what_has_no_name_is_noticed(visit: Visit) -> None:
    page = visit().open("/")
    page.get_by_role("button", name="Play now").wait_for()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert NAMELESS.findall(page.locator("body").aria_snapshot()) == ["button"]


@pytest.mark.parametrize("device", ["desktop", "small"])
def test_whatever_can_be_done_has_a_name(visit: Visit, device: Device) -> None:
    player = Player(visit(device=device))
    page = player.page
    rehearsed = attacked_then_arrived()
    seen = []

    def hear() -> None:
        seen.append(page.locator("body").aria_snapshot())

    page.goto("/")
    page.get_by_role("button", name="Play now").wait_for()
    hear()
    page.goto("/new")
    page.get_by_role("button", name="Open the table").wait_for()
    hear()
    player.sit_down(**rehearsed.settings)
    for decision in rehearsed.decisions:
        player.until(lambda: player.asked)
        hear()
        if decision.move == "ROLL":
            player.card("ROLL").click()
            hear()
            page.keyboard.press("Escape")
        player.play(decision.move)
    page.get_by_role("dialog").wait_for()
    hear()
    nameless = [
        match[0] for told in seen for match in NAMELESS.finditer(told) if match[1] != "list"
    ]
    assert nameless == []


def focused(page: Page) -> str:
    """What has the focus: its name, or its text."""
    return str(
        page.evaluate(
            """(() => {
              const active = document.activeElement;
              const label = active.labels?.[0]?.textContent;
              return (active.getAttribute('aria-label') ?? label ?? active.textContent).trim();
            })()"""
        )
    )


def test_the_tab_key_goes_through_the_table_as_the_eye_does(visit: Visit) -> None:
    player = Player(visit())
    page = player.page
    player.sit_down(**attacked_then_arrived().settings)
    player.card("ROLL").click()
    player.button("Menu").focus()
    stops = []
    while "Send" not in stops:
        page.keyboard.press("Tab")
        stops.append(focused(page))
    order = ["Sound", "Score sheet", "Help (?)", "Discard Roll", "Your car"]
    order += ["Play Roll on your side"]
    order += ["Roll — playable", "Discard", "Play", "Hint", "What happened", "Chat", "Message"]
    assert stops == [*order, "Send"]


def test_the_focus_returns_from_every_dialog(visit: Visit) -> None:
    player = Player(visit())
    page = player.page
    player.sit_down(**attacked_then_arrived().settings)
    player.card("ROLL").wait_for()
    dialog = page.get_by_role("dialog")

    for button in ("Menu", "Score sheet", "Help (?)"):
        player.button(button).focus()
        page.keyboard.press("Enter")
        expect(dialog).to_be_visible()
        assert page.evaluate("document.activeElement.closest('dialog') !== null")
        close_dialog(player)
        assert focused(page) == button
    for item in ("Score sheet", "How to play", "Memo card", "Rules", "Settings", "Leave the table"):
        player.button("Menu").focus()
        page.keyboard.press("Enter")
        dialog.get_by_role("button", name=item, exact=True).focus()
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("heading").first).not_to_have_text("Menu")
        assert page.evaluate("document.activeElement.closest('dialog') !== null"), item
        close_dialog(player)
        assert focused(page) == "Menu", item
    # Whoever is quick has gone on before the page hears that the dialog is closed.
    player.button("Help (?)").press("Enter")
    expect(dialog).to_be_visible()
    page.evaluate(
        "document.querySelector('dialog').close(); document.querySelector('.bar button').focus()"
    )
    expect(page.locator("dialog")).to_have_count(0)
    assert focused(page) == "Menu"
    player.card("ROLL").focus()
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    close_dialog(player)
    assert focused(page) == "Roll — playable"
    # A question: discard a safety?
    player.card("ROW").focus()
    page.keyboard.press("d")
    expect(dialog).to_be_visible()
    assert focused(page) == "Keep it"
    close_dialog(player)
    assert focused(page).startswith("Right of Way")
