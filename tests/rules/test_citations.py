"""Every refusal that is a rule has its place in each of the five printed texts."""

from typing import get_args

import pytest

from millebornes.rules import EDITIONS, Edition
from millebornes.rules.citations import (
    HOUSE_RULE,
    NOT_RULES,
    RULES,
    Place,
    PlaceCode,
    place_of,
    place_of_source,
)
from millebornes.rules.reason import Code, Reason
from millebornes.words import languages, words

CODES: tuple[Code, ...] = get_args(Code)


def said(place: Place | None, language: str = "en") -> str:
    assert place is not None
    return words(language).sentence(place)


def test_every_code_is_a_rule_or_declared_to_be_none() -> None:
    assert set(RULES) | NOT_RULES == set(CODES)
    assert set(RULES) & NOT_RULES == set()


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
@pytest.mark.parametrize("code", CODES)
def test_every_rule_has_its_place_in_every_printed_text(code: Code, edition: Edition) -> None:
    for allowed in (False, True):
        place = place_of(edition, code, allowed=allowed)
        assert (place is None) == (code in NOT_RULES)
        assert place in (None, place_of(edition, Reason(code), allowed=allowed))
        if place is not None:
            title = dict(place.params)["title"]
            assert edition.sources["target"].startswith(title)  # its own text, not another's
            for language in languages():
                assert title in said(place, language)
            assert place.code in ("says", "silent_as", "silent_ours", "read_otherwise") or (
                code in ("no_extension", "must_play_out") and edition.id == "dujardin-2019"
            )


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_source_of_a_field_is_a_place(edition: Edition) -> None:
    for source in edition.sources.values():
        place = place_of_source(source)
        assert place.code in get_args(PlaceCode)
        assert "“" not in said(place), "a remark is no part of the place"


@pytest.mark.parametrize(
    ("edition", "code", "place"),
    [
        ("winning-moves", "already_stopped", "Winning Moves, §2"),
        ("winning-moves", "too_far", "Winning Moves, §6.C"),
        ("parker-1988", "already_stopped", "Parker 1988, Special Notes, G"),
        ("parker-1988", "not_rolling", "Parker 1988, How to Play the Cards, A"),
        ("article", "no_more_200s", "Article: silent; as Parker 1988 has it"),
        ("dujardin-2019", "already_rolling", "Dujardin 2019: silent; as Encyclopedia has it"),
        ("parker-1988", "safety_cured_it", "Parker 1988: silent; our decision"),
        ("encyclopedia", "already_limited", "Encyclopedia, Legal actions: Hazard"),
        (
            "encyclopedia",
            "right_of_way_rolls",
            "Encyclopedia, Legal actions: Roll; read otherwise here",
        ),
        ("dujardin-2019", "no_extension", "Dujardin 2019: has no such rule"),
        ("dujardin-2019", "autoroute_protects", "Dujardin 2019, p. 13"),
        ("parker-1988", "autoroute_protects", "Parker 1988, The Cards"),
        (
            "dujardin-2019",
            "must_play_out",
            "Dujardin 2019: silent; as the other texts have it",
        ),
    ],
)
def test_a_place_is_told_as_title_and_section(edition: str, code: Code, place: str) -> None:
    assert said(place_of(EDITIONS[edition], code)) == place


def test_a_longer_trip_is_allowed_where_the_text_gives_its_length() -> None:
    place = place_of(EDITIONS["dujardin-2019"], "too_far", allowed=True)
    assert said(place) == "Dujardin 2019, p. 4; p. 9"


def test_silence_is_told_in_french_too() -> None:
    place = place_of(EDITIONS["article"], "no_more_200s")
    assert said(place, "fr") == "Article\u00a0: muet\u00a0; comme dans Parker 1988"


def test_a_field_that_house_rules_change_is_a_house_rule_and_no_other() -> None:
    house = EDITIONS["parker-1988"].house({"max_200s": 1})
    assert place_of(house, "no_more_200s") is HOUSE_RULE
    assert place_of_source(house.sources["max_200s"]) is HOUSE_RULE
    assert said(HOUSE_RULE) == "house rule"
    assert place_of(house, "already_limited") == place_of(
        EDITIONS["parker-1988"], "already_limited"
    )
    assert place_of(house, "not_your_turn") is None


def test_an_option_of_ours_is_no_place_in_a_text() -> None:
    source = EDITIONS["parker-1988"].sources["hands"]
    assert said(place_of_source(source)) == "our option; no printed text has it"
