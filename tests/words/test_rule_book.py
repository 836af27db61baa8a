"""The tables and sentences of an edition's rules are true of it, whatever house rules say."""

import re
from typing import Any

import pytest
from hypothesis import given, settings

from millebornes.records import judge
from millebornes.rules import EDITIONS, PRESETS, Edition, house_rules
from millebornes.rules.edition import rule_fields
from millebornes.words import Words, languages, rule_book, words
from tests.strategies import house_editions

ENGLISH = words("en")


def allowed(edition: Edition, text: str) -> bool:
    """Is the one move of this position legal?"""
    if "autoroute 1:" in text and not edition.autoroute_cards:
        return False
    (judgement,) = judge(f"players: {min(edition.player_counts)}\n{text}", edition)
    return judgement.verdicts[-1].reason is None


@given(house_editions())
@settings(max_examples=100)
def test_what_a_hazard_may_land_on_is_what_the_judge_allows(edition: Edition) -> None:
    said = " ".join(rule_book.attack_rules(edition, ENGLISH))
    stopped = "hand 0: ACC\nbattle 1: ROLL OUT\nmoves: ACC>1"
    assert ("Hazards may pile up." in said) == allowed(edition, stopped)
    with_row = "hand 0: ACC\nsafeties 1: ROW\nmoves: ACC>1"
    no_card = re.search(r"Right of Way and no battle card (can|cannot) be hit", said)
    assert no_card is not None
    assert (no_card[1] == "can") == allowed(edition, with_row)
    rolls = allowed(edition, "hand 0: ACC\nsafeties 1: ROW\nbattle 1: STOP\nmoves: ACC>1")
    if "rolling car" in said:
        assert ("with Right of Way and no active hazard" in said) == rolls
        assert "with a Roll on top" in said
        ways = said.partition("rolling car")[2].partition(".")[0]
        for way, piles in (("no battle card", ""), ("a remedy", "battle 1: FLAT SPARE\n")):
            assert (way in ways) == allowed(edition, f"hand 0: ACC\n{piles}moves: ACC>1")
    else:
        hit = allowed(edition, "hand 0: ACC\nmoves: ACC>1")
        assert ("land on any car." in said) == hit
    twice = "hand 0: LIM\nspeed 1: LIM\nmoves: LIM>1"
    assert ("may be played on a Speed Limit" in said) == allowed(edition, twice)
    assert allowed(edition, "hand 0: LIM\nmoves: LIM>1")
    assert ("on the Autoroute" in said) == bool(edition.autoroute_cards)
    assert not allowed(edition, "hand 0: LIM\nautoroute 1: 2\nmoves: LIM>1")


@given(house_editions())
@settings(max_examples=60)
def test_every_edition_can_be_told_in_every_language(edition: Edition) -> None:
    for language in languages():
        spoken = words(language).of(edition)
        players = rule_book.players_table(edition, spoken)
        assert [row[0] for row in players.rows] == [str(n) for n in edition.player_counts]
        *_, totals = rule_book.deck_table(edition, spoken).rows
        decks = {len(edition.deck(players)) for players in edition.player_counts}
        assert set(totals[2:]) == {str(cards) for cards in decks}
        assert all(rule_book.match_rules(edition, spoken))
        other = rule_book.compared_with(edition)
        assert {row[0] for row in rule_book.differences(edition, spoken).rows} == {
            name for name in rule_fields() if getattr(edition, name) != getattr(other, name)
        }


def test_a_line_that_nobody_can_score_is_not_scored() -> None:
    table = rule_book.scoring_table(EDITIONS["dujardin-2019"], ENGLISH)
    lines = {line: (points, when) for line, points, when in table.rows}
    assert lines["Extension"] == ("–", "not scored")
    assert lines["Safe trip"] == ("200", "hand won without a 200")
    house = house_rules('parent = "winning-moves"\nextension_at = []\n')
    assert ("Extension", "–", "not scored") in rule_book.scoring_table(house, ENGLISH).rows


@pytest.mark.parametrize(
    ("edition", "distance", "trip"),
    [("dujardin-2019", "200 km", "1000 km"), ("winning-moves", "200 miles", "700 miles")],
)
def test_a_box_that_counts_in_kilometres_is_told_in_kilometres(
    edition: str, distance: str, trip: str
) -> None:
    for rules in (EDITIONS[edition], EDITIONS[edition].house({"max_200s": 4})):
        spoken = ENGLISH.of(rules)
        assert spoken.card("200") == distance
        assert rule_book.players_table(rules, spoken).rows[0][2].startswith(trip)
    assert ENGLISH.card("200") == "200 miles"


@pytest.mark.parametrize("language", languages())
def test_kilometres_replace_only_what_is_there(language: str) -> None:
    spoken = words(language)
    for section, changes in spoken.data["kilometres"].items():
        assert changes.keys() <= spoken.data[section].keys()
    told = [text for part in spoken.data["kilometres"].values() for text in part.values()]
    assert not any(re.search(r"\bmiles?\b", re.sub(r"{\w+}", "", text)) for text in told)


class Listening(Words):
    """Words that remember what was asked of their rule book."""

    def __init__(self, data: Any) -> None:
        super().__init__("en", data)
        self.asked: set[str] = set()

    def rule_book(self, key: str, /, **params: str | int) -> str:
        self.asked.add(key)
        return super().rule_book(key, **params)


def test_every_text_of_the_rule_book_is_used() -> None:
    spoken = Listening(ENGLISH.data)
    unusual = EDITIONS["parker-1988"].house(
        {
            "battle_hazard_on": "rolling",
            "row_empty_attackable": False,
            "safety_restores_roll": True,
            "delayed_action_needs_empty_start": True,
            "hands": 3,
        }
    )
    family, piling = PRESETS["family"], EDITIONS["parker-1988"].house({"start_rolling": True})
    for edition in (*EDITIONS.values(), unusual, family, piling):
        rule_book.players_table(edition, spoken)
        rule_book.deck_table(edition, spoken)
        rule_book.attack_rules(edition, spoken)
        rule_book.scoring_table(edition, spoken)
        rule_book.match_rules(edition, spoken)
        rule_book.differences(edition, spoken)
    titles = {"players", "deck", "attacks", "scoring", "differences", "differences_from"}
    titles |= {"no_differences", "fields", "more"}
    assert spoken.asked | titles == set(ENGLISH.data["rule_book"])
