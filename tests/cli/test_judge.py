"""`millebornes judge`: legal or not, why, and the table afterwards."""

import json
from pathlib import Path
from typing import Any

from millebornes.records import position

from .people import ask

QUARREL = """\
title: The red light
players: 2
battle 1: ROLL
hand 0: STOP 100
hand 1: ROW 25
moves: 100 STOP>1 1:ROW! 1:25
"""
LAST_MILES = """\
players: 4
miles 0: 975
battle 0: ROLL
hand 0: 25
moves: 25
"""


def judged(text: str, *args: str) -> Any:
    done = ask("judge", "-", "--json", *args, stdin=text)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_each_move_gets_its_verdict() -> None:
    found = judged(QUARREL)
    assert list(found) == ["title", "edition", "moves", "legal_moves", "awaiting", "score_sheet"]
    assert [move["move"] for move in found["moves"]] == ["100", "STOP>1", "ROW!", "25"]
    assert [move["seat"] for move in found["moves"]] == [0, 0, 1, 1]
    assert [move["legal"] for move in found["moves"]] == [False, True, True, True]
    assert [move["code"] for move in found["moves"]] == ["needs_roll", None, None, None]
    assert found["moves"][0]["sentence"].startswith("You need a Roll first")
    assert found["moves"][2]["sentence"].startswith("Coup fourré! Seat 1 answers Stop")
    assert found["awaiting"] == {"what": "turn", "seats": [0]}
    assert found["legal_moves"] == ["x100", "x?"]
    assert found["score_sheet"] is None


def test_the_position_after_each_move_can_be_read_again() -> None:
    for move in judged(QUARREL)["moves"]:
        assert position.to_text(position.from_text(move["position"])) == move["position"]


def test_a_window_names_the_seats_asked() -> None:
    found = judged("players: 4\nbattle 1: ROLL\nhand 0: STOP\nmoves: STOP>1")
    assert found["awaiting"] == {"what": "window", "seats": [1, 3]}
    assert found["legal_moves"] == ["1:-", "3:-"]


def test_one_partner_may_decline_alone() -> None:
    found = judged("players: 4\nbattle 1: ROLL\nhand 0: STOP\nmoves: STOP>1 1:-")
    assert found["moves"][1]["sentence"] == "Seat 1 lets the attack stand."
    assert found["awaiting"] == {"what": "window", "seats": [3]}


def test_an_extension_is_awaited() -> None:
    found = judged("players: 2\nmiles 0: 675\nbattle 0: ROLL\nhand 0: 25\nmoves: 25")
    assert found["awaiting"] == {"what": "extension", "seats": [0]}
    assert found["legal_moves"] == ["ext", "end"]


def test_a_finished_hand_has_its_score_sheet() -> None:
    found = judged(LAST_MILES)
    assert found["awaiting"] == {"what": "deal", "seats": [1]}
    assert [*found["score_sheet"][0]] == [
        "miles", "safeties", "all_four", "coups_fourres", "trip", "delayed_action",
        "safe_trip", "shut_out", "extension", "total",
    ]  # fmt: skip
    assert found["score_sheet"][0]["total"] == 1000 + 400 + 300 + 500


def test_a_finished_match_has_its_winner() -> None:
    found = judged("scores: 4500 0\n" + LAST_MILES)
    assert found["awaiting"] == {"what": "over", "seats": [], "winner": 0}


def test_several_positions_give_an_array() -> None:
    found = judged(QUARREL + "---\n" + LAST_MILES)
    assert [one.get("title") for one in found] == ["The red light", None]


def test_the_edition_option_overrides_the_edition_in_the_file(tmp_path: Path) -> None:
    pile_up = "edition: winning-moves\nplayers: 2\nbattle 1: ROLL ACC\nhand 0: OUT\nmoves: OUT>1"
    assert judged(pile_up)["moves"][0]["code"] == "already_stopped"
    assert judged(pile_up, "--edition", "parker-1988")["moves"][0]["legal"]
    house = tmp_path / "house.toml"
    house.write_text('parent = "winning-moves"\nbattle_hazard_on = "started"\n')
    found = judged(pile_up, "--edition", str(house))
    assert found["moves"][0]["legal"]
    assert found["edition"].startswith("house-")


def test_illegal_moves_are_explained_and_are_no_error(tmp_path: Path) -> None:
    file = tmp_path / "quarrel.txt"
    file.write_text("\ufeff" + QUARREL)  # an editor's byte order mark does no harm
    done = ask("judge", file, "--lang", "fr")
    assert done.returncode == 0
    assert "interdit (needs_roll)" in done.stdout
    assert "Il vous faut d'abord un Feu vert" in done.stdout
    assert "Coups permis\u00a0: x100 x?" in done.stdout


def test_people_see_the_score_sheet_too() -> None:
    done = ask("judge", "-", stdin=LAST_MILES)
    assert "Safe trip" in done.stdout
    assert "To deal next: seat 1." in done.stdout


def test_a_numbered_team_completes_the_trip() -> None:
    said = judged(LAST_MILES)["moves"][0]["sentence"]
    assert said == "Seat 0 plays 25 miles. Side 0 completes the trip. The hand is over."
    said = judged(LAST_MILES, "--lang", "fr")["moves"][0]["sentence"]
    assert said == "Place 0 joue\u00a0: 25 km. Camp 0 achève l'étape. La manche est finie."


def test_after_an_extension_the_heading_names_the_longer_trip() -> None:
    extended = "called: 0\nmiles 0: 800\nbattle 0: ROLL\nhand 0: 100\nmoves: 100\n"
    assert "winning-moves, 2 players, trip of 1000\n" in ask("judge", "-", stdin=extended).stdout
    usual = extended.partition("\n")[2].replace("800", "400")
    assert "winning-moves, 2 players, trip of 700\n" in ask("judge", "-", stdin=usual).stdout


def test_an_unknown_card_that_is_not_there_is_explained() -> None:
    text = "hand 0: only 25\nmoves: x?\n"
    assert judged(text)["moves"][0]["sentence"].startswith("Every card of this hand is known: ")
    said = judged(text, "--lang", "fr")["moves"][0]["sentence"]
    assert said.startswith("Toutes les cartes de cette main sont connues\u00a0: ")


def test_a_position_without_moves_shows_the_table() -> None:
    done = ask("judge", "-", stdin="players: 3\n")
    assert done.returncode == 0
    assert "side 2" in done.stdout


def test_a_position_that_cannot_be_is_refused_with_its_place_and_why() -> None:
    text = "ended: completed 0\nmiles 0: 400\n"
    done = ask("judge", "-", stdin=text)
    assert done.returncode == 2
    assert done.stderr.startswith("millebornes: standard input, line 2, column 10: '400' cannot be")
    assert "it has 700 miles: it cannot have 400." in done.stderr
    french = ask("judge", "-", "--lang", "fr", stdin=text).stderr
    assert "ligne 2, colonne 10\u00a0: '400' est impossible. Camp 0 a achevé l'étape" in french


# The rule behind a verdict

PILE_UP = """\
title: May you hit a car that is already stopped?
seat 0: Max
seat 1: Léa
battle Léa: roll, accident
hand Max: out of gas
moves: out of gas > Léa
"""


def shown(text: str, *args: str) -> str:
    done = ask("judge", "-", *args, stdin=text)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_refusal_names_the_place_of_its_rule() -> None:
    (move,) = judged(PILE_UP)["moves"]
    assert (move["rule"], move["refused_by"]) == ("Winning Moves, §2", [])
    assert "   Rule: Winning Moves, §2.\n" in shown(PILE_UP)
    assert "   Règle\u00a0: Winning Moves, §2.\n" in shown(PILE_UP, "--lang", "fr")


def test_a_legal_move_names_a_rule_where_some_edition_refuses_it() -> None:
    (move,) = judged(PILE_UP, "--edition", "parker-1988")["moves"]
    assert move["rule"] == "Parker 1988, Special Notes, G"
    assert move["refused_by"] == ["winning-moves", "article", "dujardin-2019"]
    lines = shown(PILE_UP, "--edition", "parker-1988")
    assert "Rule: Parker 1988, Special Notes, G. Not legal in Winning Moves Classic" in lines
    (roll,) = judged("hand 0: ROLL\nmoves: ROLL\n")["moves"]
    assert (roll["rule"], roll["refused_by"]) == (None, [])


def test_the_seats_are_called_by_their_names() -> None:
    lines = shown(PILE_UP)
    assert "1. Max: OUT>Léa  not legal (already_stopped)" in lines
    assert "The car of Léa is already stopped by Accident" in lines
    assert "1. Max: OUT>7  not legal" in shown(PILE_UP.replace("> Léa", "> 7"))
    teams = "players: 4\nseat 1: Léa\nbattle 1: roll\nhand 0: stop\nmoves: stop>1 1:- 9:roll\n"
    told = shown(teams.replace(" 9:roll", ""))
    assert "1. seat 0: STOP>Léa & seat 3  legal" in told
    assert "Seat 0 plays Stop on Léa & seat 3." in told
    assert "Léa lets the attack stand." in told


# All editions


def test_all_editions_are_told_side_by_side() -> None:
    lines = shown(PILE_UP, "--all-editions").splitlines()
    at = lines.index("1. Max: OUT>Léa  legal in two of five")
    assert [line.rstrip() for line in lines[at + 1 :]] == [
        "   Max plays Out of Gas on Léa.",
        "   parker-1988    legal      Parker 1988, Special Notes, G",
        "   winning-moves  not legal  Winning Moves, §2",
        "   article        not legal  Article, Hazards",
        "   encyclopedia   legal      Encyclopedia, Legal actions: Hazard",
        "   dujardin-2019  not legal  Dujardin 2019, p. 11",
        "   The car of Léa is already stopped by Accident: by these rules no second",
        "   hazard can stop it.",
    ]


def test_all_editions_may_agree() -> None:
    text = "battle 0: ROLL\nhand 0: ROLL 100\nmoves: ROLL 100\n"
    lines = shown(text, "--all-editions")
    assert "1. seat 0: ROLL  not legal in any of five\n   parker-1988    not legal" in lines
    assert "2. seat 0: 100  legal in all five\n   Seat 0 plays 100 miles.\n" in lines
    assert "2. place 0: 100  permis dans les cinq" in shown(text, "--all-editions", "--lang", "fr")


def test_house_rules_are_called_by_their_name_not_by_their_hash() -> None:
    assert shown("moves: 25\n", "--edition", "family").startswith("Family, 2 players")


def test_an_unknown_key_is_answered_with_all_keys_of_a_judges_file() -> None:
    done = ask("judge", "-", stdin="joueurs: 4\n")
    assert done.returncode == 2
    assert "hand N, seat N, title, moves" in " ".join(done.stderr.split())


def test_different_refusals_name_their_editions_and_later_tables_may_differ() -> None:
    text = "battle 0: ROLL\nbattle 1: ACC\nmiles 0: 600\nhand 0: 200 ROLL\nmoves: 200 ROLL\n"
    lines = shown(text, "--all-editions")
    assert "1. seat 0: 200  legal in one of five" in lines
    assert lines.count("From here on, the tables of the editions differ.") == 1
    assert "   dujardin-2019: A Roll does not mend an Accident" in lines


def test_an_edition_that_cannot_have_the_position_says_why() -> None:
    text = "title: Highway\nhand 0: autoroute\nmoves: autoroute\n"
    lines = shown(text, "--all-editions")
    assert "Impossible in parker-1988: line 2, found 'autoroute', expected no AUTO:" in lines
    assert "1. seat 0: AUTO  legal\n" in lines
    beyond = "miles 0: 800\nbattle 0: roll\nhand 0: 100\nmoves: 100\n"
    lines = shown(beyond, "--all-editions", "--lang", "fr")
    several = "parker-1988, winning-moves, article, encyclopedia"
    assert f"Impossible dans {several} : ligne 1, '800' est impossible. " in " ".join(lines.split())
    found = judged(text, "--all-editions")
    assert list(found) == ["title", "moves", "editions"]
    assert found["moves"] == [{"move": "AUTO", "legal_in": ["dujardin-2019"]}]
    assert found["editions"]["article"] == {
        "edition": "article",
        "error": "line 2, column 9: found 'autoroute', expected no AUTO: article has no such card",
    }
    assert found["editions"]["dujardin-2019"]["moves"][0]["legal"]


def test_the_json_of_all_editions_has_one_entry_for_each() -> None:
    found = judged(PILE_UP, "--all-editions")
    assert list(found["editions"]) == [
        "parker-1988", "winning-moves", "article", "encyclopedia", "dujardin-2019",
    ]  # fmt: skip
    assert found["moves"] == [{"move": "OUT>1", "legal_in": ["parker-1988", "encyclopedia"]}]
    for name, one in found["editions"].items():
        assert one["edition"] == name
        assert one["moves"][0]["legal"] == (name in found["moves"][0]["legal_in"])
    two = judged(PILE_UP + "---\n" + PILE_UP, "--all-editions")
    assert two == [found, found]


def test_the_scores_of_a_finished_hand_are_told_for_each_edition() -> None:
    lines = shown("players: 4\n" + LAST_MILES.removeprefix("players: 4\n"), "--all-editions")
    assert "   parker-1988    side 0 2200 · side 1 0" in lines
    assert "   encyclopedia   side 0 2200 · side 1 0" in lines


def test_one_edition_or_all_of_them() -> None:
    done = ask("judge", "-", "--all-editions", "--edition", "article", stdin=PILE_UP)
    assert done.returncode == 2
    assert done.stderr == "millebornes: Give either --edition or --all-editions.\n"


def test_a_position_that_no_edition_can_have_is_an_error() -> None:
    done = ask("judge", "-", "--all-editions", stdin="players: 5\n")
    assert done.returncode == 2
    assert "expected a player count of winning-moves" in done.stderr


def test_the_help_has_an_example_that_works() -> None:
    done = ask("judge", "--help")
    lines = [line.strip() for line in done.stdout.splitlines()]
    start = lines.index("seat 0: Max")
    example = "\n".join(lines[start : lines.index("", start)]) + "\n"
    assert judged(example)["moves"][0]["code"] == "already_stopped"
    assert "millebornes judge argument.txt --all-editions" in lines
