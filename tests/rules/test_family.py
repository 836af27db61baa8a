"""`start_rolling` and `remedy_restores_roll`: what counts as a Roll in a family's game.

Positions are the project's own position texts: seat 0 is on turn and has drawn.
"""

import pytest

from millebornes.records import judge, position
from millebornes.rules import PRESETS

from .referee import ALL, ARTICLE, DUJARDIN, ENCYCLOPEDIA, PARKER, Referee, editions, referee

START = "rule: start_rolling = true\n"
REMEDY = "rule: remedy_restores_roll = true\n"
REMEDIES = ("REP", "GAS", "SPARE")
HAZARD_OF = {"REP": "ACC", "GAS": "OUT", "SPARE": "FLAT"}
SAFETY_OF = {"REP": "ACE", "GAS": "TANK", "SPARE": "PROOF"}


# An empty battle pile


@editions(*ALL)
def test_a_car_drives_from_the_start_without_a_roll(edition: str) -> None:
    table = referee(edition, START + "hand 0: 100 ROLL REP")
    assert table.why("ROLL") == "already_rolling"
    assert table.why("REP") == "no_hazard card=REP hazard=ACC"
    table.play("100")
    assert table.distance(0) == "100"
    assert table.battle(0) == ""


@editions(*ALL)
def test_a_car_can_be_hit_from_the_start(edition: str) -> None:
    for hazard in ("ACC", "OUT", "FLAT", "STOP", "LIM"):
        table = referee(edition, START + f"hand 0: {hazard}\nhand 1: only 25 ROLL\n")
        table.play(f"{hazard}>1", "-")
        assert (table.battle(1) or table.speed(1)) == hazard


@editions(*ALL)
@pytest.mark.parametrize("attackable", ["true", "false"])
@pytest.mark.parametrize("replaces", ["true", "false"])
def test_right_of_way_does_not_hide_a_car_that_rolls_from_the_start(
    edition: str, attackable: str, replaces: str
) -> None:
    rules = f"rule: row_empty_attackable = {attackable}\nrule: row_replaces_roll = {replaces}\n"
    table = referee(edition, START + rules + "safeties 1: ROW\nhand 0: OUT STOP LIM")
    assert table.why("OUT>1") is None
    assert table.why("STOP>1") == "safety_protects side=1 hazard=STOP safety=ROW"
    assert table.why("LIM>1") == "safety_protects side=1 hazard=LIM safety=ROW"
    own = referee(edition, START + rules + "safeties 0: ROW\nhand 0: 100 ROLL")
    assert own.why("100") is None
    assert own.why("ROLL") == "already_rolling"


@editions(*ALL)
def test_a_stopped_car_needs_its_remedy_and_then_a_roll_if_only_the_start_is_free(
    edition: str,
) -> None:
    table = referee(edition, START + "battle 0: ACC\nhand 0: 100 REP ROLL")
    assert table.why("100") == "stopped hazard=ACC remedy=REP"
    assert table.why("ROLL") == "cure_first hazard=ACC remedy=REP"
    table = referee(edition, START + "battle 0: ACC REP\nhand 0: 100 ROLL")
    assert table.why("100") == "needs_roll top=REP"
    assert table.why("ROLL") is None


@editions(*ALL)
def test_a_roll_ends_a_stop_on_a_car_that_never_showed_one(edition: str) -> None:
    table = referee(edition, START + "battle 0: STOP\nhand 0: 100 ROLL")
    assert table.why("100") == "stopped hazard=STOP remedy=ROLL"
    table.play("ROLL")
    assert table.battle(0) == "STOP ROLL"


@editions(*ALL)
def test_a_coup_fourre_uncovers_an_empty_pile_and_the_car_rolls(edition: str) -> None:
    table = referee(edition, START + "hand 0: OUT\nhand 1: only TANK 100 25 50 75\n")
    table.play("OUT>1", "TANK!")
    assert table.battle(1) == ""
    assert table.awaits == "turn 1"
    table.play("100")
    assert table.distance(1) == "100"


def test_an_autoroute_uncovers_an_empty_pile_and_the_car_rolls() -> None:
    table = referee(DUJARDIN, START + "battle 0: ACC\nhand 0: AUTO 100\nhand 1: only 25\n")
    table.play("AUTO", "x25")
    assert table.battle(0) == ""
    assert table.why("100") is None
    assert referee(DUJARDIN, START + "autoroute 1: 2\nhand 0: ACC").why("ACC>1") == (
        "autoroute_protects side=1"
    )


@editions(*ALL)
def test_a_safety_on_turn_leaves_an_inert_hazard_that_is_no_empty_pile(edition: str) -> None:
    text = "battle 0: ACC\nhand 0: ACE 100 ROLL"
    table = referee(edition, START + text)
    table.play("ACE")
    assert table.why("100") == "needs_roll top=ACC"
    assert table.why("ROLL") is None
    table = referee(edition, START + "rule: safety_restores_roll = true\n" + text)
    table.play("ACE")
    assert table.battle(0) == ""
    assert table.why("100") is None
    assert table.why("ROLL") == "already_rolling"


def test_right_of_way_discards_the_stop_and_the_empty_pile_beneath_rolls() -> None:
    off = "rule: row_replaces_roll = false\n"
    table = referee(ENCYCLOPEDIA, START + off + "battle 0: STOP\nhand 0: ROW 100 ROLL")
    table.play("ROW")
    assert table.battle(0) == ""
    assert table.why("100") is None
    table = referee(ARTICLE, START + off + "battle 0: STOP\nhand 0: ROW 100 ROLL")
    table.play("ROW")
    assert table.why("100") == "needs_roll top=STOP"


# A remedy on top


@editions(*ALL)
@pytest.mark.parametrize("remedy", REMEDIES)
def test_a_remedy_sets_the_car_rolling_again(edition: str, remedy: str) -> None:
    hazard = HAZARD_OF[remedy]
    table = referee(
        edition,
        REMEDY + f"battle 0: ROLL {hazard}\nhand 0: {remedy} 100 ROLL\nhand 1: only {hazard} 25\n",
    )
    table.play(remedy, "x25")
    assert table.why("ROLL") == "already_rolling"
    assert table.why("100") is None
    table = referee(edition, REMEDY + f"battle 1: ROLL {hazard} {remedy}\nhand 0: {hazard}")
    assert table.why(f"{hazard}>1") is None


@editions(*ALL)
def test_a_car_that_has_not_started_needs_a_roll_if_only_remedies_count(edition: str) -> None:
    table = referee(edition, REMEDY + "hand 0: 100 ROLL ACC")
    assert table.why("100") == "needs_roll top="
    assert table.why("ACC>1") == "not_started side=1 shows="
    assert table.why("ROLL") is None


@editions(*ALL)
def test_an_end_of_limit_is_no_remedy_of_the_battle_pile(edition: str) -> None:
    table = referee(edition, REMEDY + "speed 0: LIM EOL\nhand 0: 100 ROLL")
    assert table.why("100") == "needs_roll top="


@editions(*ALL)
@pytest.mark.parametrize("remedy", REMEDIES)
def test_a_coup_fourre_uncovers_the_remedy_and_the_car_rolls(edition: str, remedy: str) -> None:
    hazard, safety = HAZARD_OF[remedy], SAFETY_OF[remedy]
    table = referee(
        edition,
        REMEDY
        + f"battle 1: ROLL {hazard} {remedy}\n"
        + f"hand 0: {hazard}\nhand 1: only {safety} 100 25\n",
    )
    table.play(f"{hazard}>1", f"{safety}!")
    assert table.battle(1) == f"ROLL {hazard} {remedy}"
    table.play("100")


def test_an_autoroute_uncovers_the_remedy_and_the_car_rolls() -> None:
    table = referee(
        DUJARDIN, REMEDY + "battle 0: ROLL OUT GAS ACC\nhand 0: AUTO 100\nhand 1: only 25\n"
    )
    table.play("AUTO", "x25")
    assert table.battle(0) == "ROLL OUT GAS"
    assert table.why("100") is None


@editions(*ALL)
def test_a_remedy_rolls_with_right_of_way_as_without(edition: str) -> None:
    for off in ("", "rule: row_replaces_roll = false\n"):
        table = referee(
            edition, REMEDY + off + "battle 0: OUT GAS\nsafeties 0: ROW\nhand 0: 100 ROLL"
        )
        assert table.why("100") is None
        assert table.why("ROLL") == "already_rolling"
    table = referee(edition, REMEDY + "battle 0: STOP\nsafeties 0: ROW\nhand 0: 100 ROLL")
    assert table.why("ROLL") == "right_of_way_rolls"


@editions(*ALL)
def test_an_inert_hazard_is_no_remedy(edition: str) -> None:
    both = START + REMEDY + "battle 0: ROLL ACC\nsafeties 0: ACE\nhand 0: 100 ROLL"
    table = referee(edition, both)
    assert table.why("100") == "needs_roll top=ACC"
    assert table.why("ROLL") is None


# Both together, and the presets


def test_hazards_still_pile_up_where_they_did() -> None:
    table = referee(PARKER, START + REMEDY + "battle 1: ACC\nhand 0: OUT\nhand 1: only GAS 25\n")
    table.play("OUT>1", "-", "GAS", "x?")
    assert table.battle(1) == "ACC OUT GAS"
    assert table.why("25") is None


def family(text: str) -> Referee:
    return Referee(position.from_text(text, PRESETS["family"]))


def test_in_the_family_game_one_card_is_enough_whatever_stopped_the_car() -> None:
    for remedy, hazard in (*((r, h) for r, h in HAZARD_OF.items()), ("ROLL", "STOP")):
        table = family(f"battle 0: {hazard}\nhand 0: {remedy} 100\nhand 1: only 25\n")
        assert table.why("100") == f"stopped hazard={hazard} remedy={remedy}"
        table.play(remedy, "25")
        assert table.why("100") is None
    for remedy, safety in (*SAFETY_OF.items(), ("ROLL", "ROW")):
        hazard = HAZARD_OF.get(remedy, "STOP")
        table = family(f"battle 0: {hazard}\nhand 0: {safety} 100\n")
        table.play(safety)
        assert table.battle(0) == ""
        assert table.why("100") is None


def test_a_position_of_the_family_game_names_its_rules_and_no_preset() -> None:
    text = position.to_text(family("hand 0: 100").match)
    assert text.startswith("edition: winning-moves\nrule: safety_restores_roll = true\n" + START)
    assert "family" not in text.lower()
    assert position.from_text(text).edition == PRESETS["family"]


def test_the_judge_judges_by_the_family_rules() -> None:
    text = "hand 0: 100 ROLL\nmoves: ROLL 100\n"
    (judged,) = judge(text, PRESETS["family"])
    reasons = [verdict.reason and verdict.reason.code for verdict in judged.verdicts]
    assert reasons == ["already_rolling", None]
