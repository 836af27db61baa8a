"""Only the player who is asked sees the stakes of the answer."""

import re
from pathlib import Path

import pytest

from millebornes.records import position
from millebornes.rules import view
from millebornes.table import stakes as module
from millebornes.table.messages_out import Stake
from millebornes.table.stakes import stakes
from millebornes.words import languages, words

from .driven_table import HELD, NOT_HELD, attack_on_person

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
    (held,) = attack_on_person(HELD).hand("bob").stakes
    assert held == Stake(
        "window_choice", {"seat": 0, "hazard": "STOP", "safety": "ROW", "points": 400}
    )
    (forced,) = attack_on_person(NOT_HELD).hand("bob").stakes
    assert forced == Stake("window_forced", {"hazard": "STOP", "safety": "ROW"})


def test_the_attacker_is_told_nothing_of_it() -> None:
    for held in (HELD, NOT_HELD):
        assert attack_on_person(held).hand("ann").stakes == ()


def test_an_answer_that_is_given_has_no_stakes_any_more() -> None:
    sitting = attack_on_person(HELD)
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


def points(text: str, code: str) -> object:
    told = {stake.code: stake.params for stake in stakes(view(position.from_text(text), 0))}
    return told[code]["points"]


def test_the_extension_counts_the_delayed_action_when_the_pile_is_empty() -> None:
    assert points(EXTENSION, "extension_finish") == 700
    empty = EXTENSION.replace("pile: 40", "pile: 0")
    assert points(empty, "extension_finish") == 1000
    late = "rule: delayed_action_needs_empty_start = true\n" + empty
    assert points(late + "began: cards\n", "extension_finish") == 700
    assert points(late + "began: empty\n", "extension_finish") == 1000


@pytest.mark.parametrize(
    ("caller", "other", "nobody", "told"),
    [
        ("caller", "each_opponent", "each_opponent", ["extend", "risk", "lost_or_failed"]),
        ("caller", "each_opponent", "nobody", ["extend", "risk", "lost"]),
        ("caller", "completer", "nobody", ["extend", "risk", "to_completer"]),
        ("caller", "completer", "each_opponent", ["extend", "risk", "to_completer", "failed"]),
        ("caller", "nobody", "each_opponent", ["extend", "risk", "failed"]),
        ("caller", "nobody", "nobody", ["extend", "risk"]),
        ("nobody", "nobody", "nobody", ["extend_no_points", "risk"]),
    ],
)
def test_nobody_is_promised_an_extension_that_house_rules_give_to_nobody(
    caller: str, other: str, nobody: str, told: list[str]
) -> None:
    house = (
        f'rule: extension_if_caller_completes = "{caller}"\n'
        f'rule: extension_if_other_completes = "{other}"\n'
        f'rule: extension_if_nobody_completes = "{nobody}"\n'
    )
    assert codes(house + EXTENSION)[1:-1] == [f"extension_{code}" for code in told]


def test_where_most_miles_win_the_trip_is_not_said_to_be_lost() -> None:
    house = 'rule: exhaustion_winner = "most_miles"\n'
    assert codes(house + EXTENSION)[:3] == [
        "extension_finish_in_front_no_points",
        "extension_extend",
        "extension_risk_in_front",
    ]
    empty = house + EXTENSION.replace("pile: 40", "pile: 0")
    assert points(empty, "extension_finish_in_front") == 300


def test_what_scores_nothing_promises_no_points() -> None:
    house = "".join(
        f"rule: {line}_points = 0\n" for line in ("trip", "safe_trip", "extension", "shut_out")
    )
    told = ["extension_finish_no_points", "extension_extend_no_points", "extension_race"]
    assert codes(house + EXTENSION) == told
    house = "rule: safety_points = 0\nrule: coup_fourre_points = 0\n"
    window = "players: 2\nwindow: ACC 1>0\nbattle 0: ROLL ACC\nhand 0: ACE\n"
    assert codes(house + window) == ["window_choice_no_points"]


def test_the_fourth_safety_called_as_a_coup_fourre_is_worth_all_four() -> None:
    window = "players: 2\nwindow: ACC 1>0\nbattle 0: ROLL ACC\nhand 0: ACE\n"
    assert points(window + "safeties 0: TANK PROOF\n", "window_choice") == 400
    assert points(window + "safeties 0: TANK PROOF! ROW\n", "window_choice") == 700


def test_a_turn_has_no_stakes() -> None:
    assert codes("players: 2") == []
