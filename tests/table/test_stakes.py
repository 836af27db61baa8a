"""Whoever is asked is told what hangs on the answer, and nobody else is."""

import re
from pathlib import Path

import pytest

from millebornes.records import position
from millebornes.rules import view
from millebornes.table import stakes as module
from millebornes.table.messages_out import Stake
from millebornes.table.stakes import stakes
from millebornes.words import languages, words

from .test_window import HELD, NOT_HELD, two_people

EXTENSION = (
    "players: 3\nextension: 0\ndistance 0: 100 100 100 100 100 100 100\n"
    "miles 1: 225\nmiles 2: 400\npile: 40\n"
)


def codes(text: str, seat: int | None = 0) -> list[str]:
    return [stake.code for stake in stakes(view(position.from_text(text), seat))]


@pytest.mark.parametrize("language", languages())
def test_every_stake_has_a_sentence_and_every_sentence_a_stake(language: str) -> None:
    source = Path(module.__file__).read_text(encoding="utf-8")
    used = set(re.findall(r'Stake\(\s*"(\w+)"', source))
    assert used == set(words(language).data["stakes"])


def test_the_window_says_what_a_coup_fourre_is_worth() -> None:
    (held,) = two_people(HELD).hand("bob").stakes
    assert held == Stake(
        "window_choice", {"seat": 0, "hazard": "STOP", "safety": "ROW", "points": 400}
    )
    (forced,) = two_people(NOT_HELD).hand("bob").stakes
    assert forced == Stake("window_forced", {"hazard": "STOP", "safety": "ROW"})


def test_the_attacker_is_told_nothing_of_it() -> None:
    for held in (HELD, NOT_HELD):
        assert two_people(held).hand("ann").stakes == ()


def test_an_answer_that_is_given_has_no_stakes_any_more() -> None:
    sitting = two_people(HELD)
    sitting.move("bob", "-")
    assert sitting.hand("bob").stakes == ()


def test_the_extension_tells_what_is_won_and_who_comes_next() -> None:
    seen = view(position.from_text(EXTENSION), 0)
    race = stakes(seen)[-1]
    assert race == Stake("extension_race", {"side": 2, "miles": 400, "ahead": 300, "pile": 40})
    assert codes(EXTENSION)[:2] == ["extension_finish", "extension_extend"]


@pytest.mark.parametrize("seat", [1, 2, None])
def test_who_is_not_asked_about_the_extension_has_no_stakes(seat: int | None) -> None:
    assert codes(EXTENSION, seat) == []


def test_a_turn_has_no_stakes() -> None:
    assert codes("players: 2") == []
