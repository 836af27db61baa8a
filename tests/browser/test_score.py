"""The score sheet of a match: during a hand, after it, after a reload, and at the end."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, expect

from millebornes.rules import ScoreSheet, house_rules
from millebornes.table.messages_out import Fact
from millebornes.table.recap import moments
from millebornes.words import words

from .conftest import Visit
from .player import Player, said
from .playing import choose, rehearse
from .test_layout import DIALOG, SIZES, TABLES, Forger, look, make_late

Language = Literal["en", "fr"]
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])
SCREENS = [(320, 550), (390, 844), (1366, 768)]
SMALLEST, _, DESKTOP = SCREENS
LAID = ("miles", "safeties", "all_four", "coups_fourres")
LINES = (*LAID, "trip", "delayed_action", "safe_trip", "shut_out")
"""Those that these rules count."""
RULES = """
parent = "winning-moves"
name = "Short"
trip = {2 = 200}
extension_at = []
"""
LONG_MATCH = RULES + "target = 7000\n"
TWO_HANDS = RULES + 'hands = 2\ntie = "drawn"\n'
SEEDS = 60


SOME = 8
"""Choices in a hand: enough for a look at the sheet before it ends."""


@cache
def short_seed(rules: str) -> str:
    """Decks with which two hands are soon over, but not at once, and have a best moment."""
    edition = house_rules(rules)

    def choices(seed: str) -> tuple[int, int]:
        sheets: list[tuple[ScoreSheet, ...]] = []
        first = len(rehearse(edition, 2, seed))
        both = len(rehearse(edition, 2, seed, 2, sheets))
        return (first, both - first) if moments(edition, sheets) else (0, 0)

    seeds = {seed: choices(seed) for seed in map(str, range(SEEDS))}
    return min((seed for seed in seeds if min(seeds[seed]) >= SOME), key=lambda at: sum(seeds[at]))


class Scorer(Player):
    """Plays, and knows what the score sheet has to show."""

    @property
    def language(self) -> str:
        return self.visitor.language

    @property
    def texts(self) -> dict[str, str]:
        texts: dict[str, str] = self.words["web"]["score"]
        return texts

    @property
    def now(self) -> dict[str, Any]:
        assert self.table is not None
        return self.table

    @property
    def sheets(self) -> list[list[dict[str, int]]]:
        """Those of the finished hands, from the last frame that had them."""
        told = [one["sheets"] for one in self.messages if one.get("sheets") is not None]
        sheets: list[list[dict[str, int]]] = told[-1]
        return sheets

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    def play_on(self, turns: int = 1000) -> None:
        """Until the hand is over, or for so many turns."""
        while turns > 0:
            self.until(lambda: self.asked)
            if self.asked in ("next", "over"):
                return
            turns -= self.asked == "turn"
            moves = self.now["hand"]["legal_moves"]
            self.play(choose([move for move in moves if move not in self.doubts]))

    def go_on(self) -> None:
        """To the next hand."""
        number = self.now["hand"]["number"]
        self.dialog.get_by_role("button", name=self.texts["next"]).click()
        self.until(lambda: self.now["hand"]["number"] == number + 1)
        expect(self.dialog).to_be_hidden()

    def open_sheet(self) -> None:
        self.until(lambda: self.asked)
        self.button(self.words["web"]["table"]["score"]).first.click()
        expect(self.dialog.get_by_role("table")).to_be_visible()

    def number(self, value: int) -> str:
        """As the page writes it."""
        return f"{value:,}".replace(",", "," if self.language == "en" else "\u202f")

    def points(self, values: Sequence[int]) -> list[str]:
        """Zero is a dash."""
        return [self.number(value) if value else "–" for value in values]

    def sentence(self, fact: dict[str, Any]) -> str:
        """What it is in words, with the figures as in the sheet."""
        names = words(self.language).named([seat["name"] for seat in self.now["seats"]], 2, you=0)
        told = words(self.language).sentence(Fact(fact["code"], fact["params"]), names)
        return re.sub(r"\d{4,}", lambda figure: self.number(int(figure[0])), told)

    def row(self, within: Locator, line: str) -> Locator:
        """The cells of a line."""
        header = self.page.get_by_role("rowheader", name=line, exact=True)
        return within.get_by_role("row").filter(has=header).get_by_role("cell")

    def name(self, line: str) -> str:
        return str(self.words["score"][line])

    def see_columns(self, sheets: list[list[dict[str, int]]]) -> None:
        """On a wide screen: all lines of all hands, our side first, and running totals."""
        self.page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        table = self.dialog.get_by_role("table", name=self.texts["match"])
        # The rows of the heads, the lines, and two sums
        expect(table.get_by_role("row")).to_have_count(2 + len(LINES) + 2)
        for line in (*LINES, "total"):
            values = [sheet[line] for hand in sheets for sheet in hand]
            expect(self.row(table, self.name(line))).to_have_text(self.points(values))
        totals = [value for hand in running(sheets) for value in hand]
        expect(self.row(table, self.name("combined"))).to_have_text(
            [self.number(value) for value in totals]
        )

    def see_rows(
        self, sheets: list[list[dict[str, int]]], size: tuple[int, int], *, so_far: bool = False
    ) -> None:
        """On a phone: the last hand is open, the others open into their lines."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        hands = self.dialog.locator("tbody")
        expect(hands).to_have_count(len(sheets))
        for at, (sheet, totals) in enumerate(zip(sheets, running(sheets), strict=True)):
            hand, is_last = hands.nth(at), at == len(sheets) - 1
            title = self.texts["title_so_far" if is_last and so_far else "title"]
            title = title.format(number=at + 1)
            if not is_last:
                expect(self.row(hand, self.name("miles"))).to_have_count(0)
                hand.get_by_role("button", name=title).click()
            expect(self.row(hand, title)).to_have_text(self.points([one["total"] for one in sheet]))
            for line in LINES:
                values = [one[line] for one in sheet]
                expect(self.row(hand, self.name(line))).to_have_text(self.points(values))
            name = self.texts["total_so_far"] if is_last and so_far else self.name("combined")
            expect(self.row(hand, name)).to_have_text([self.number(value) for value in totals])
            if not is_last:
                hand.get_by_role("button", name=title).click()
                expect(self.row(hand, self.name("miles"))).to_have_count(0)

    def see_chart(self, sheets: list[list[dict[str, int]]], target: int | None) -> None:
        """A line and a number for each side; in words, too."""
        chart = self.dialog.get_by_role("img")
        expect(chart).to_have_count(1)
        join = " and " if self.language == "en" else " et "
        colon = ": " if self.language == "en" else "\u00a0: "
        totals = running(sheets)
        sides = [self.words["web"]["table"]["you"], self.now["seats"][1]["name"]]
        told = [self.texts["chart"]]
        for side, name in enumerate(sides):
            values = [self.number(hand[side]) for hand in totals]
            told.append(f"{name}{colon}{join.join(values)}.")
        if target is not None:
            told.append(self.texts["goal"].format(points=self.number(target)))
        # Spaces of all kinds are spaces.
        expect(chart).to_have_accessible_name(
            re.compile(r"\s".join(map(re.escape, " ".join(told).split())))
        )
        expect(chart.locator(".number")).to_have_text(["1", "2"])
        expect(chart.locator(".goal")).to_have_count(0 if target is None else 1)
        # Higher points are higher up.
        heights = [
            box["y"] for mark in chart.locator(".mark").all() if (box := mark.bounding_box())
        ]
        assert (heights[0] <= heights[1]) == (totals[-1][0] >= totals[-1][1])

    def see_recap(self) -> None:
        """The sentences of the frame stand at the top, and a screen reader tells them."""
        facts = self.now["hand"]["recap"]
        assert 1 <= len(facts) <= 2
        told = [self.sentence(fact) for fact in facts]
        expect(self.dialog.locator(".recap")).to_have_text(told)
        for sentence in told:
            pattern = r"\s".join(map(re.escape, sentence.split()))
            expect(self.dialog).to_have_accessible_description(re.compile(pattern))

    def see_that_it_fits(self, name: str) -> None:
        wrong = look(self.page, f"{name}-{self.language}", SCREENS, where=DIALOG)
        assert not wrong, "\n".join(wrong)
        for width, height in SCREENS:
            self.page.set_viewport_size({"width": width, "height": height})
            self.visitor.check_width()
            self.visitor.check_access()


def running(sheets: list[list[dict[str, int]]]) -> list[list[int]]:
    """Points of each side after each hand."""
    return [
        [sum(hand[side]["total"] for hand in sheets[: at + 1]) for side in range(len(sheets[0]))]
        for at in range(len(sheets))
    ]


def laid(side: dict[str, Any]) -> dict[str, int]:
    """What lies in front of a side, counted anew from its cards."""
    lies = {
        "miles": sum(int(card) for card in side["distance"]),
        "safeties": 100 * len(side["safeties"]),
        "all_four": 300 if len(side["safeties"]) == 4 else 0,
        "coups_fourres": 300 * len(side["crosswise"]),
    }
    return {**dict.fromkeys(LINES, 0), **lies, "total": sum(lies.values())}


@LANGUAGES
def test_the_sheet_has_every_hand_and_the_one_being_played(
    visit: Visit, language: Language
) -> None:
    player = Scorer(visit(language=language))
    page = player.page
    player.sit_down(practice=True, seed=short_seed(LONG_MATCH), house_rules=LONG_MATCH)

    # During the first hand
    player.play_on(turns=3)
    for _ in range(SOME):
        if any(laid(side)["total"] for side in player.now["hand"]["sides"]):
            break
        player.play_on(turns=1)
    player.open_sheet()
    so_far = [laid(side) for side in player.now["hand"]["sides"]]
    assert sum(side["total"] for side in so_far) > 0, "nothing lies on the table"
    player.see_columns([so_far])
    expect(player.dialog).to_contain_text(player.texts["title_so_far"].format(number=1))
    expect(player.dialog.get_by_role("img")).to_have_count(0)
    player.see_that_it_fits("score-during-1")
    page.keyboard.press("Escape")

    # After it
    player.play_on()
    expect(player.dialog).to_be_visible()
    player.see_recap()
    first = player.now["hand"]["sheets"]
    player.see_columns([first])
    player.see_that_it_fits("score-after-1")
    player.go_on()

    # During the second hand, as well on a phone
    player.play_on(turns=2)
    player.open_sheet()
    so_far = [laid(side) for side in player.now["hand"]["sides"]]
    player.see_columns([first, so_far])
    player.see_rows([first, so_far], SMALLEST, so_far=True)
    player.see_chart([first, so_far], target=7000)
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.keyboard.press("Escape")

    # After it, and after a reload
    player.play_on()
    expect(player.dialog).to_be_visible()
    second = player.now["hand"]["sheets"]
    assert player.sheets == [first, second]
    see_both(player)
    player.see_that_it_fits("score-after-2")
    page.reload()
    expect(player.dialog).to_be_visible()
    assert player.sheets == [first, second]
    see_both(player)


def see_both(player: Scorer) -> None:
    player.see_recap()
    player.see_chart(player.sheets, target=7000)
    player.see_columns(player.sheets)
    player.see_rows(player.sheets, SMALLEST)


@LANGUAGES
def test_the_end_of_a_match_looks_like_one(visit: Visit, language: Language) -> None:
    player = Scorer(visit(language=language))
    page, texts = player.page, said(language)["web"]["score"]
    player.sit_down(practice=True, seed=short_seed(TWO_HANDS), house_rules=TWO_HANDS)
    player.play_on()
    player.go_on()
    player.play_on()
    dialog = page.get_by_role("dialog", name=texts["title_match"])
    expect(dialog).to_be_visible()

    # Who has won, in words and with a car
    winner = player.now["asked"]["winner"]
    assert winner is not None
    points = [side["points"] for side in player.now["hand"]["sides"]]
    key = "won_you" if winner == 0 else "won"
    name = player.now["seats"][winner]["name"]
    won = texts[key].format(side=name, points=player.number(points[winner]))
    banner = dialog.get_by_role("status")
    expect(banner).to_contain_text(won)
    expect(banner.locator(".car text")).to_have_text(str(winner + 1))
    short = texts["well_driven"].format(points=player.number(max(points) - min(points)))
    if winner == 0:
        expect(banner).not_to_contain_text(texts["well_driven"].split("!")[0])
    else:
        expect(banner).to_contain_text(short)

    # Everybody's place, and the best moments
    you = said(language)["web"]["table"]["you"]
    names = [you, player.now["seats"][1]["name"]]
    order = [winner, 1 - winner]
    places = dialog.get_by_role("listitem").filter(has=page.locator(".place"))
    for at, side in enumerate(order):
        told = f"{at + 1}. {side + 1} {names[side]} {player.number(points[side])}"
        expect(places.nth(at)).to_have_text(re.compile(r"\s*".join(map(re.escape, told.split()))))
    best = player.now["moments"]
    assert best, "nothing to tell"
    own = player.now["seats"][0]["name"]
    told_moments = [player.sentence(fact).replace(own, you) for fact in best]
    expect(dialog.locator(".moments li")).to_have_text(told_moments)

    # The last hand, the whole match, and what comes next
    player.see_recap()
    player.see_chart(player.sheets, target=None)
    player.see_columns(player.sheets)
    player.see_rows(player.sheets, SMALLEST)
    player.see_that_it_fits("score-end")
    rematch = dialog.get_by_role("button", name=texts["rematch"])
    expect(rematch).to_be_in_viewport()
    rematch.click()
    player.until(lambda: player.now["asked"] and player.now["asked"]["what"] != "over")
    expect(dialog).to_be_hidden()
    assert player.sheets == [], "a new match has a new sheet"


@LANGUAGES
def test_the_lines_are_explained_and_where_their_points_came_from(
    visit: Visit, language: Language
) -> None:
    player = Scorer(visit(language=language))
    player.sit_down(practice=True, seed=short_seed(LONG_MATCH), house_rules=LONG_MATCH)
    player.play_on()
    web = said(language)["web"]
    button = player.dialog.get_by_role("button", name=web["score"]["explain"])
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    help_ = web["score_help"]
    shown = player.dialog.get_by_role("definition")
    expect(shown.filter(has_text=help_["trip"].format(points=400))).to_have_count(1)
    expect(shown.filter(has_text=help_["total"])).to_have_count(1)
    miles = next(side["miles"] for side in player.now["hand"]["sides"] if side["miles"])
    expect(shown.filter(has_text=help_["made_miles"].format(miles=miles)).first).to_be_visible()
    player.see_that_it_fits("score-explained")


@pytest.mark.parametrize("seats", ["2", "8", "8-alone"])
def test_twelve_hands_fit_on_every_screen(visit: Visit, seats: str) -> None:
    visitor = visit(language="fr")
    page, web = visitor.page, said("fr")["web"]
    forger = Forger(page)
    visitor.open(f"/t/{visitor.new_table(practice=True, seed='layout', **TABLES[seats])}")
    page.get_by_role("button", name=web["lobby"]["start_fill"]).click()
    page.get_by_role("button", name=re.compile(" — ")).first.wait_for()
    sheet = dict.fromkeys((*LINES, "extension"), 1200) | {"total": 4600}

    def make(table: dict[str, Any]) -> None:
        make_late(table)
        sides = len(table["hand"]["sides"])
        table["asked"] |= {"what": "over", "winner": 1, "seats": [], "deadline": None}
        table["phase"] = "over"
        table["moments"] = [
            {"code": "biggest", "params": {"side": 1, "points": 12_000, "hand": 11}},
            {"code": "comeback", "params": {"side": 0, "points": 4_600, "hand": 3}},
        ]
        table["hand"] |= {
            "number": 12,
            "sheets": [sheet] * sides,
            "completed_by": 0,
            "legal_moves": [],
            "refused": [],
            "recap": [{"code": "behind_by_line", "params": BEHIND}],
        }

    forger.show(make, sheets=lambda sides: [[sheet] * sides] * 12)
    expect(page.get_by_role("dialog").locator("tbody")).to_have_count(12)
    wrong = look(page, f"score-12-{seats}", [SMALLEST, *SIZES], where=DIALOG)
    assert not wrong, "\n".join(wrong)
    visitor.check_access()


BEHIND = {"side": 1, "points": 12_000, "line": "coups_fourres", "more": 1200}


def test_the_sheet_is_loaded_after_the_table_and_before_it_is_opened(visit: Visit) -> None:
    player = Scorer(visit())
    page = player.page
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url.rpartition("/")[2]))
    with page.expect_response(re.compile(r"/Score-[^/]*\.js$")):
        player.sit_down(practice=True, seed="lazy")
        page.get_by_role("log").wait_for(state="attached")
        assert not any(name.startswith("Score-") for name in scripts)
    # It came by itself: opening it asks the server for nothing.
    page.wait_for_load_state("networkidle")
    scripts.clear()
    player.open_sheet()
    assert scripts == []
